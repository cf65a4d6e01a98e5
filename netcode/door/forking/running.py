"""The listener's side of the forker: starts it, talks with it, and ends it."""

import array
import asyncio
import logging
import socket
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from netcode.door.messages import MESSAGE_BYTES, FromForker, Signal, Start
from netcode.processes.start import child_env, service_command

LOG = logging.getLogger("kickdoor.door.forker")
SEND_S = 5.0
"""How long a message may wait for a busy forker."""
TRY_AGAIN_S = 0.02
END_S = 6.0
"""How long the forker may take to end: its children may take four of these seconds."""
_KEPT_VARIABLES = (
    "PATH", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "LANG", "LC_ALL", "LC_CTYPE", "TZ",
    "LD_LIBRARY_PATH", "TERMINFO", "TERMINFO_DIRS",
)  # fmt: skip
"""The variables that the forker gets. A guest's process can read all of them."""

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(FromForker)


class ForkerGone(Exception):
    """There is no forker now; the text is one sentence."""


class RunningForker:
    """A forker that runs. heard: gets each of its messages. gone: called once when it has ended.

    program: the module of the guests' program (process.py). errors: the descriptor for its log; None: ours."""

    def __init__(
        self, program: str, confined: bool, heard: Callable[[FromForker], None], gone: Callable[[], None],
        errors: int | None = None,
    ) -> None:  # fmt: skip
        self._heard, self._gone = heard, gone
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._channel.setblocking(False)
        self._is_open = True
        with theirs:
            try:
                self.process = subprocess.Popen(
                    service_command(
                        "netcode.door.forking.process", str(theirs.fileno()), program,
                        "confined" if confined else "unconfined",
                    ),
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env=_environment(),
                    start_new_session=True, pass_fds=[theirs.fileno()], cwd="/",
                )  # fmt: skip
            except OSError:
                self._channel.close()
                raise
        asyncio.get_running_loop().add_reader(self._channel, self._read)

    async def start(self, start: Start, descriptors: Sequence[int]) -> None:
        """Have a client forked. Raises ForkerGone."""
        data = _encoder.encode(start)
        if len(data) > MESSAGE_BYTES:
            raise ForkerGone("what starts a guest's program is too long")
        loop = asyncio.get_running_loop()
        until = loop.time() + SEND_S
        while not self._sent(data, descriptors):
            if loop.time() > until:
                raise ForkerGone("the process that starts guests' programs does not react")
            await asyncio.sleep(TRY_AGAIN_S)

    def signal(self, message: Signal) -> None:
        """Have a signal sent to a client. It is dropped if the forker has ended or does not read."""
        with suppress(ForkerGone):
            if not self._sent(_encoder.encode(message), ()):
                LOG.warning("the forker does not read: a signal to session %d is lost", message.session)

    async def end(self) -> None:
        """End the forker and all clients, in order if they can."""
        self._close()
        await asyncio.to_thread(_wait, self.process)

    def _sent(self, data: bytes, descriptors: Sequence[int]) -> bool:
        if not self._is_open:
            raise ForkerGone("the process that starts guests' programs has ended")
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        try:
            self._channel.sendmsg([data], rights)
        except BlockingIOError:
            return False
        except OSError as problem:
            raise ForkerGone(f"the process that starts guests' programs has ended: {problem.strerror}") from None
        return True

    def _read(self) -> None:
        try:
            data = self._channel.recv(MESSAGE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._close()
            self._gone()
            return
        try:
            self._heard(_decoder.decode(data))
        except msgspec.MsgspecError as problem:
            LOG.error("the forker sent what cannot be read: %s", type(problem).__name__)

    def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            asyncio.get_running_loop().remove_reader(self._channel)
            self._channel.close()


def _environment() -> dict[str, str]:
    return {name: value for name, value in child_env().items() if name in _KEPT_VARIABLES}


def _wait(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

