"""The session of one guest: a process on a terminal of its own, and the channel of an SSH connection."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from netcode.door.calls import Calls
from netcode.door.forking.child import BROKEN, NOT_CONFINED
from netcode.door.messages import Signal, Start
from netcode.door.relay import Channel, Relay

LOG = logging.getLogger("kickdoor.door.session")
HANG_UP_S = 5.0
"""How long a client may take to end after its line is gone; it needs four seconds at most."""
REST_S = 2.0
"""How long a guest has to read the last output of a process that has ended."""
KILLED_S = 5.0
"""How long the system may take to end a process that was killed."""
RESIZE_S = 0.1
"""The least time between two changes of a terminal's size: each makes the client draw everything anew."""
LARGEST = 1000
"""The most columns, and the most rows, of a terminal."""
RESET = (
    b"\x1b[<u\x1b[?1000;1002;1003;1004;1005;1006;1015;1016l\x1b[?2004l\x1b[?2026l\x1b[?2048l"
    b"\x1b[?1049l\x1b[?7h\x1b[?25h\x1b[0m\r"
)
"""Leaves the keyboard protocol, the mouse, focus, paste, synchronous output, reports of the size, and the alternate
screen; wraps lines, shows the cursor, and ends all colours."""

Hand = Callable[[socket.socket, str], None]


@dataclass(frozen=True)
class Guest:
    """Who comes in, and with what. Fields are those of `messages.Start`. label: the name of their connections at the
    front. size: columns and rows of their terminal; None: they have none."""

    identity: str
    name: str
    folder: str
    join: str
    label: str
    environment: dict[str, str] = field(default_factory=dict)
    size: tuple[int, int] | None = (80, 24)
    what: str = "join"
    door: str = ""
    code: str = ""


class Session:
    """One guest's session. tell: sends a message and descriptors to the forker. hand: see `Calls`."""

    def __init__(
        self, number: int, guest: Guest, channel: Channel, tell: Callable[[Signal], None], hand: Hand
    ) -> None:  # fmt: skip
        self.number, self.guest = number, guest
        self.pid = 0
        """The process, when it runs."""
        self._channel, self._tell = channel, tell
        self._loop = asyncio.get_running_loop()
        ours, control = socket.socketpair()
        self._relay, theirs = _make_streams(guest, channel)
        self._theirs = [*theirs, control.detach()]
        self._calls = Calls(ours, guest.label, hand, self._not_confined)
        self._size, self._resizing = guest.size, False
        self._sentence = ""
        self._ending = self._hung_up = False
        self._timer: asyncio.TimerHandle | None = None
        self._last: asyncio.Task[None] | None = None
        self.left: asyncio.Future[None] = self._loop.create_future()
        """Done when the process has ended, so that it holds no seat and no open file."""
        self.over: asyncio.Future[int] = self._loop.create_future()
        """The exit code, once the session is completely over."""

    # ----------------------------------------------------------------------------------------------- its beginning
    def start_message(self) -> tuple[Start, list[int]]:
        """Return what starts the process, and the descriptors that go with it."""
        guest = self.guest
        start = Start(
            self.number, guest.identity, guest.name, guest.folder, guest.join, guest.environment,
            guest.size is not None, guest.what, guest.door, guest.code,
        )  # fmt: skip
        return start, self._theirs

    def sent(self) -> None:
        """Close the process' ends of everything: they are on their way to it."""
        for one in self._theirs:
            os.close(one)
        self._theirs = []

    # ------------------------------------------------------------------------------------------ from the SSH channel
    def typed(self, data: bytes) -> None:
        """Pass on what the guest has typed."""
        self._relay.typed(data)

    def end_input(self) -> None:
        """Note that the guest sends no more."""
        self._relay.end_input()

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal. Of many changes in a short time, only the last one is made."""
        if self._size is None or self.over.done():
            return
        self._size = (columns, rows)
        if not self._resizing:
            self._resizing = True
            self._apply_size()
            self._loop.call_later(RESIZE_S, self._resize_again, self._size)

    def hang_up(self) -> None:
        """End the process: the guest's line is gone."""
        if not self._hung_up:
            self._hung_up = True
            self._relay.drop_output()
            self._end(HANG_UP_S)

    def end(self, sentence: str, within_s: float = HANG_UP_S) -> None:
        """End the process, in order if it can within this time. The guest reads the sentence last."""
        self._sentence = self._sentence or sentence
        self._end(within_s)

    # ------------------------------------------------------------------------------------------------ from the forker
    def started(self, pid: int) -> None:
        """Note that the process runs."""
        self.pid = pid

    def ended(self, status: int, reason: str = "") -> None:
        """Note that the process has ended: carry the rest of its output, say what has happened, close the channel.

        status: see `messages.Ended`. reason: why it was never started."""
        if self._last is None:
            if reason:
                LOG.error("session %d cannot begin: %s", self.number, reason)
            self._last = self._loop.create_task(self._finish(status, bool(reason)))
            self.left.set_result(None)

    async def _finish(self, status: int, never_began: bool) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.sent()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._relay.at_end), 0 if self._hung_up else REST_S)
        if not self._hung_up:
            words = b""
            if status < 0 or status in (BROKEN, NOT_CONFINED):
                words = RESET if self.guest.size is not None else b""
                self._sentence = self._sentence or self._what_happened(status, never_began)
            if self._sentence:
                words += f"{self._sentence}\r\n".encode()
            if words:
                with suppress(OSError):  # the line has gone just now
                    self._channel.write(words)
        self._close(status if status >= 0 else 128 - status)

    def _what_happened(self, status: int, never_began: bool) -> str:
        back = f" Come back with: {self.guest.door}" if self.guest.door else ""
        if never_began or status == NOT_CONFINED:
            return f"The door cannot open a screen for you now; its log says why.{back}"
        how = f"signal {-status}" if status < 0 else "an internal error"
        return f"Your screen has ended unexpectedly ({how}). Your seat is kept.{back}"

    # ------------------------------------------------------------------------------------------------------- its end
    def _end(self, within_s: float) -> None:
        if self._ending or self._last is not None:
            return
        self._ending = True
        self._tell(Signal(self.number, signal.SIGHUP))
        self._tell(Signal(self.number, signal.SIGCONT))
        self._timer = self._loop.call_later(within_s, self._kill)

    def _kill(self) -> None:
        """Kill the process; if even that does not end it, count it as ended."""
        self._tell(Signal(self.number, signal.SIGKILL))
        self._timer = self._loop.call_later(KILLED_S, self.ended, -signal.SIGKILL)

    def _not_confined(self, sentence: str) -> None:
        LOG.error("session %d: %s", self.number, sentence)

    def _close(self, code: int) -> None:
        self._calls.close()
        self._relay.close()
        if not self._hung_up:
            with suppress(OSError):
                self._channel.exit(code)
        if not self.over.done():
            self.over.set_result(code)

    def _apply_size(self) -> None:
        if self._size is not None:
            self._relay.resize(*(max(1, min(LARGEST, one)) for one in self._size))

    def _resize_again(self, applied: tuple[int, int]) -> None:
        self._resizing = False
        if self._size is not None and self._size != applied:
            self.resize(*self._size)


def _make_streams(guest: Guest, channel: Channel) -> tuple[Relay, list[int]]:
    """Return the relay of a new terminal, or of pipes, and the ends of the process. Raises OSError."""
    if guest.size is None:
        made: list[int] = []
        try:
            made += os.pipe()
            made += os.pipe()
            made.append(os.dup(made[3]))
        except OSError:
            for one in made:
                os.close(one)
            raise
        their_input, our_input, our_output, their_output, their_errors = made
        return Relay(channel, our_output, our_input), [their_input, their_output, their_errors]
    ours, theirs = os.openpty()
    relay = Relay(channel, ours, ours)
    relay.resize(*(max(1, min(LARGEST, one)) for one in guest.size))
    return relay, [theirs]
