"""What every client of a host is made of: it calls, comes in, is told things, waits, hangs up. See client.py for
tables, lobby_client.py for lobbies.
"""

import asyncio
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal, Self

import zmq

from netcode.client.transport import Transport
from netcode.protocol import codec, wire
from netcode.protocol.credentials import Join, JoinError, SavedSeat, claim_seat, data_folder, new_pair, parse_join

Stage = Literal["offline", "joining", "synced", "closed"]
TICK_S = 0.25


class ClientError(Exception):
    """The client cannot go on; the text is one line for people. code: as in wire.Error, or offline, join, closed,
    busy."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def own_version() -> str:
    """The version of this program."""
    try:
        return version("kickdoor")[:24]
    except PackageNotFoundError:
        return "checkout"


class Connection:
    """A connection to a host that is kept up. stage, reason, code: how it stands, told in client.py."""

    left = "you left"
    """The reason that is told when we close by ourselves."""

    def __init__(
        self, join: str | Join, name: str, *, home: Path | None = None, keep: bool = True, context: Any = None
    ) -> None:
        """home: the folder that keeps our key and what the host gave us (default: keys.data_folder()); keep=False: a
        new key each time. Raises ClientError for a damaged string."""
        try:
            self.target = parse_join(join) if isinstance(join, str) else join
        except JoinError as problem:
            raise ClientError("join", str(problem)) from None
        self.name = codec.clean(name, 20) or "Player"
        self.stage: Stage = "offline"
        self.reason, self.code = "", "offline"
        self._keep, self._home, self._context = keep, home, context
        self._loop = asyncio.get_running_loop()
        self._slot = SavedSeat(new_pair())
        self._transport: Transport | None = None
        self._up = False
        self._subscribers: list[Callable[..., None]] = []
        self._changed = asyncio.Event()
        self._heard_at = self._hello_at = -60.0
        self._tick: asyncio.TimerHandle | None = None

    # --------------------------------------------------------------------------------------------------- coming, going
    async def _come_in(self, timeout: float, stuck: str) -> None:
        """Connect; returns when all is up to date. stuck: what to say if the host is there and no more than that.
        Raises ClientError; then it is closed."""
        if self._keep:
            try:
                self._slot = claim_seat(self.target, self.name, self._home or data_folder())
            except OSError as problem:
                raise ClientError("join", f"the folder for your seats cannot be used: {problem}") from None
        self._connect()
        try:
            await asyncio.wait_for(self._until(lambda: self.stage in ("synced", "closed")), timeout)
        except TimeoutError:
            code, text = self.code, self.reason or f"{self.target.host}:{self.target.port} is there but {stuck}"
        else:
            if self.stage == "synced":
                return
            code, text = self.code, self.reason
        await self.close()
        raise ClientError(code, text)

    async def close(self) -> None:
        """Hang up; what the host keeps for us stays ours. Closing twice does no harm."""
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None
        if self._transport is not None:
            line, self._transport = self._transport, None
            line.close()
        self._slot.release()
        self._set_stage("closed", self.left, "closed")

    def _connect(self) -> None:
        try:
            self._transport = Transport(self.target, self._slot.pair, self._context, self._received, self._linked)
        except zmq.ZMQError as problem:
            self._set_stage("closed", f"{self.target.host}:{self.target.port} cannot be reached: {problem}", "join")
            return
        if self._tick is None:
            self._ticked()

    def _linked(self, up: bool, text: str, code: str = "offline") -> None:
        """The wire came or went."""
        self._up = up
        if self.stage == "closed":
            return
        if up:
            self._heard_at = self._loop.time()
            self._hello_at = -60.0  # what was said on the wire before this one has not been heard
            self._set_stage("joining", "")
            self._hello()
        else:
            self._set_stage("closed" if code == "banned" else "offline", text, code)

    def _set_stage(self, stage: Stage, reason: str, code: str = "offline") -> None:
        if self.stage == "closed" or (stage, reason) == (self.stage, self.reason):
            return
        self.stage, self.reason, self.code = stage, reason, code
        self._staged()

    def _send(self, message: wire.Up) -> bool:
        return self._transport is not None and self._transport.send(codec.pack(message))

    # ------------------------------------------------------------------------------------------------ of each kind
    def _staged(self) -> None:
        """The stage has changed."""
        raise NotImplementedError

    def _hello(self) -> None:
        """Introduce ourselves."""
        raise NotImplementedError

    def _received(self, frame: bytes) -> None:
        """A frame of the host."""
        raise NotImplementedError

    def _ticked(self) -> None:
        """Every TICK_S, from connecting on."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------ listening
    async def wait_for(self, what: Callable[[Self], bool], timeout: float = 10.0) -> None:
        """Wait until what(self) holds, if only for a moment. Raises asyncio.TimeoutError; ClientError if we are closed
        before."""
        await asyncio.wait_for(self._until(lambda: what(self) or self.stage == "closed"), timeout)
        if self.stage == "closed" and not what(self):
            raise ClientError(self.code, self.reason)

    def _listen(self, callback: Callable[..., None]) -> Callable[[], None]:
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback) if callback in self._subscribers else None

    def _tell(self, *what: object) -> None:
        for callback in list(self._subscribers):
            try:
                callback(*what)
            except Exception as problem:  # one listener's fault must not cut the others off
                self._loop.call_exception_handler({"message": "a listener of the client failed", "exception": problem})
        self._changed.set()

    async def _until(self, what: Callable[[], bool]) -> None:
        while not what():
            self._changed.clear()
            await self._changed.wait()
