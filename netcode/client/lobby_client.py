"""The client's side of a lobby: which tables there are, the way to one of them, a table of one's own.

    lobby = LobbyClient("kickdoor://…/lobby#…", "Kim")
    await lobby.enter()                        # ClientError: one line for people
    off = lobby.subscribe(on_change)           # called whenever something below has changed
    string = await lobby.way("3fa2c1")         # a join string (watch=True: a watch string) for client.Client
    opened = await lobby.create(["axe-cop"], title="Friday")
    await lobby.close()

    stage    offline: no connection; joining: not yet in; synced: the list is up to date; closed: it is over
    reason   why it is offline or closed, one line for people; code: the same as a word
    rows     wire.TableRow for each table, the oldest first
    sets     of what cards a table may be made here
    room     how many more tables the host takes
    machine  what the host is called

It comes back by itself after a lost connection or a restarted host. Make and use it inside one running loop.
"""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from netcode.bots.levels import DEFAULT_LEVEL
from netcode.client.connection import TICK_S, ClientError, Connection, own_version
from netcode.protocol import codec, limits, wire
from netcode.protocol.credentials import Join

__all__ = ["LobbyClient", "Opened"]

_FATAL = ("bad_token", "bad_version", "banned")
ANSWER_S = 15.0


@dataclass(frozen=True)
class Opened:
    """A table of one's own: its name and its three strings."""

    table: str
    join: str
    watch: str
    owner: str


class LobbyClient(Connection):
    """A visit to a lobby."""

    left = "you left the lobby"

    def __init__(self, join: str | Join, name: str, *, home: Path | None = None, keep: bool = True) -> None:
        """join: a lobby string. home: the folder that keeps our key, by which the host knows whose tables are open.
        Raises ClientError for a damaged string."""
        super().__init__(join, name, home=home, keep=keep)
        self.rows: list[wire.TableRow] = []
        self.sets: list[str] = []
        self.room, self.machine = 0, ""
        self._s, self._rev, self._beat_s = b"", 0, 1.0
        self._n = random.getrandbits(48)
        self._asked_at = -60.0
        self._asking = asyncio.Lock()
        self._answer: asyncio.Future[wire.Down] | None = None

    # --------------------------------------------------------------------------------------------------- coming, going
    async def enter(self, timeout: float = 10.0) -> None:
        """Connect; returns when the list is there. timeout: seconds. Raises ClientError; then it is closed."""
        await self._come_in(timeout, "does not let us in")
        try:
            self._slot.keep(b"")  # there is nothing to come back to but the key
        except OSError as problem:
            await self.close()
            raise ClientError("join", f"the folder for your keys cannot be used: {problem}") from None

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back after every change. Returns the function that ends it."""
        return self._listen(callback)

    # --------------------------------------------------------------------------------------------------------- wishes
    async def way(self, table: str, watch: bool = False) -> str:
        """A string that leads to a table: to sit down, or to look on. Raises ClientError."""
        answer = await self._ask(wire.EnterTable(self._s, table, watch))
        if not isinstance(answer, wire.Way):
            raise ClientError("internal", "the host answered something else")
        return str(replace(self.target, table=answer.table, token=answer.token))

    async def create(
        self,
        sets: Sequence[str],
        *,
        title: str = "",
        seats: int = 4,
        bots: int = 0,
        level: str = DEFAULT_LEVEL,
        pace: str = "standard",
        options: Sequence[str] = (),
    ) -> Opened:
        """Open a table; it is ours. Raises ClientError."""
        self._n += 1
        wish: Any = (list(sets), title, seats, bots, level, pace, list(options))
        answer = await self._ask(wire.CreateTable(self._s, self._n, *wish))
        if not isinstance(answer, wire.Created):
            raise ClientError("internal", "the host answered something else")
        ways = [
            str(replace(self.target, table=answer.table, token=token))
            for token in (answer.join, answer.watch, answer.owner)
        ]
        return Opened(answer.table, *ways)

    async def _ask(self, wish: wire.EnterTable | wire.CreateTable) -> wire.Down:
        """Ask one thing at a time; it is sent again until it is answered, and done once."""
        async with self._asking:
            until = self._loop.time() + ANSWER_S
            while self.stage != "closed" and self._loop.time() < until:
                self._answer = self._loop.create_future()
                self._send(msgspec.structs.replace(wish, s=self._s))
                done, _ = await asyncio.wait([self._answer], timeout=limits.RESEND_S)
                if not done:
                    continue
                answer = self._answer.result()
                if not isinstance(answer, wire.Error):
                    return answer
                if answer.code != "unknown_session":
                    raise ClientError(answer.code, answer.text)
                await asyncio.wait([asyncio.ensure_future(self._until(lambda: self.stage == "synced"))], timeout=2.0)
            raise ClientError("offline", self.reason or "the host does not answer")

    # ------------------------------------------------------------------------------------------------- the connection
    def _hello(self) -> None:
        now = self._loop.time()
        if now - self._hello_at >= 0.2:
            self._hello_at = now + random.random() * 0.3
            target = self.target
            self._send(wire.Hello(
                wire.WIRE, wire.WIRE, target.table, target.token, self.name, "player", own_version()
            ))  # fmt: skip

    def _ticked(self) -> None:
        self._tick = self._loop.call_later(TICK_S, self._ticked)
        now = self._loop.time()
        if not self._up or self.stage == "closed":
            return
        if self.stage == "joining":
            if now - self._hello_at > limits.RESEND_S:
                self._hello()
            return
        if now - self._heard_at > self._beat_s * limits.SILENT_HEARTBEATS:
            self._set_stage("offline", "the host does not answer")
        if now - self._asked_at >= self._beat_s:
            self._asked_at = now
            self._send(wire.ListTables(self._s, self._rev))

    # -------------------------------------------------------------------------------------------- what the host says
    def _received(self, frame: bytes) -> None:
        try:
            message = codec.unpack_down(frame)
        except codec.WireError:
            return  # the list is asked for again
        self._heard_at = self._loop.time()
        handler = HANDLERS.get(type(message))
        if handler is not None:
            handler(self, message)

    def _entered(self, message: wire.Entered) -> None:
        self._s, self._rev = message.s, 0
        self._beat_s = max(0.2, message.beat_ms / 1000)
        self.machine, self.sets = message.machine, message.sets

    def _bye(self, message: wire.Bye) -> None:
        self._set_stage("closed", message.text, message.reason)

    def _listed(self, message: wire.Tables) -> None:
        changed = message.rows is not None or message.room != self.room
        self._rev, self.room = message.rev, message.room
        if message.rows is not None:
            self.rows = message.rows
        if self.stage != "synced":
            self._set_stage("synced", "")
        elif changed:
            self._tell()

    def _failed(self, error: wire.Error) -> None:
        if error.code == "unknown_session":
            self._set_stage("joining", "")
            self._hello()
            self._answered(error)
        elif self.stage == "joining" and error.code in (*_FATAL, "table_full"):
            self._set_stage("closed", error.text, error.code)
        elif self.stage == "joining":
            self._hello_at = self._loop.time() + error.retry_ms / 1000 - limits.RESEND_S
        else:
            self._answered(error)

    def _answered(self, answer: wire.Down) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    def _staged(self) -> None:
        self._tell()


HANDLERS: dict[type, Callable[[LobbyClient, Any], None]] = {
    wire.Entered: LobbyClient._entered, wire.Tables: LobbyClient._listed, wire.Way: LobbyClient._answered,
    wire.Created: LobbyClient._answered, wire.Error: LobbyClient._failed, wire.Bye: LobbyClient._bye,
}  # fmt: skip
"""What the client does with each message of a lobby."""
