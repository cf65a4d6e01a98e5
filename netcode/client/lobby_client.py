"""The client of a lobby: lists the tables, gets the join string of one, creates a table.

    lobby = LobbyClient("kickdoor://…/lobby#…", "Kim")
    await lobby.enter()                        # ClientError: one line for people
    stop = lobby.subscribe(on_change)          # called whenever something below has changed
    string = await lobby.join_string("3fa2c1") # a join string (watch=True: a watch string) for client.Client
    table = await lobby.create(["axe-cop"], title="Friday")
    await lobby.close()

    stage    offline: no connection; joining: not yet let in; synced: the list is up to date; closed: over
    reason   why it is offline or closed, one line for people; code: the same as a word
    rows     wire.TableRow for each table, the oldest first
    sets     ids of the card sets that a table may have
    room     how many more tables the host takes
    machine  the name of the host's machine
    kept     whether the host has this lobby again when it is started again

The client reconnects after a lost connection or a restarted host. When the host stops in order, the client waits for
it, unless the host keeps no journal. Create and use it inside one running loop.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from netcode import VERSION
from netcode.bots.levels import DEFAULT_LEVEL
from netcode.client.absence import LOBBY, STOPPING
from netcode.client.connection import TOO_MANY_HOPS, ClientError, Connection
from netcode.protocol import limits, wire
from netcode.protocol.credentials import Join, KeyPair
from netcode.protocol.versions import in_own_words

__all__ = ["CreatedTable", "LobbyClient"]

LOBBY_HOPS = 2
"""How many hosts of a club one request may be sent to in turn."""
_FATAL = ("bad_token", "bad_version", "banned")


class CreatedTable(Struct, frozen=True):
    """A table that this client has created: its id and its three strings."""

    table: str
    join: str
    watch: str
    owner: str


class LobbyClient(Connection):
    """The client of one visitor of a lobby."""

    left = "you left the lobby"
    away = LOBBY

    def __init__(
        self, join: str | Join, name: str, *, home: Path | None = None, keep: bool = True, pair: KeyPair | None = None
    ) -> None:
        """join: a lobby string. home: the folder of our key, which tells the host which tables are ours. keep=False:
        use this pair; without one, a new key. Raises ClientError for a damaged string."""
        super().__init__(join, name, home=home, keep=keep, pair=pair)
        self.rows: list[wire.TableRow] = []
        self.sets: list[str] = []
        self.room, self.machine = 0, ""
        self._s, self._rev, self._interval_s = b"", 0, 1.0
        self._n = random.getrandbits(48)
        self._asked_at = -60.0
        self._asking = asyncio.Lock()
        self._answer: asyncio.Future[wire.Down] | None = None

    # ----------------------------------------------------------------------------------------------- coming and going
    async def enter(self, timeout: float = 10.0) -> None:
        """Connect; return when the list is there. timeout: seconds. Raises ClientError; the client is closed then."""
        await self._enter(timeout, "does not let us in")
        try:
            self._saved_seat.keep(b"")  # a lobby gives no token: only the key is kept
        except OSError as problem:
            await self.close()
            raise ClientError("join", f"the folder for your keys cannot be used: {problem}") from None

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back after every change. Return the function that ends this."""
        return self._subscribe(callback)

    @property
    def kept(self) -> bool:
        """Whether a restarted host will have this lobby again, as far as the host has said."""
        return self._absence.kept

    # ------------------------------------------------------------------------------------------------------- requests
    async def join_string(self, table: str, watch: bool = False) -> str:
        """Return the join string of a table, or (watch) its watch string. Raises ClientError."""
        answer = await self._ask(wire.EnterTable(self._s, table, watch))
        if isinstance(answer, wire.Elsewhere):
            async with self._there(answer) as there:
                return await there.join_string(table, watch)
        if not isinstance(answer, wire.Way):
            raise ClientError("internal", "the host sent an unexpected answer")
        return str(replace(self.target, table=answer.table, token=answer.token))

    @asynccontextmanager
    async def _there(self, there: wire.Elsewhere) -> AsyncIterator["LobbyClient"]:
        """Enter the lobby of another host of this club, which has the same string, with our key. Raises ClientError."""
        if self._hops >= LOBBY_HOPS:
            raise ClientError("offline", TOO_MANY_HOPS)
        target = self.target.at([*((one.host, one.port) for one in there.places), *self.target.places])
        other = LobbyClient(target, self.name, keep=False, pair=self._saved_seat.pair)
        hops = self._hops + 1
        try:
            await other.enter()
            other._hops = hops
            yield other
        finally:
            await other.close()

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
        knock: bool = False,
    ) -> CreatedTable:
        """Create a table that we own. level, pace, options, knock: as in wire.CreateTable. Raises ClientError."""
        self._n += 1
        chosen: Any = (list(sets), title, seats, bots, level, pace, list(options), knock)
        request = wire.CreateTable(self._s, self._n, *chosen)
        answer = await self._ask(request)
        if isinstance(answer, wire.Elsewhere):
            async with self._there(answer) as there:
                request = msgspec.structs.replace(request, here=True)
                return there._created(await there._ask(request))
        return self._created(answer)

    def _created(self, answer: wire.Down) -> CreatedTable:
        if not isinstance(answer, wire.Created):
            raise ClientError("internal", "the host sent an unexpected answer")
        strings = [
            str(replace(self.target, table=answer.table, token=token))
            for token in (answer.join, answer.watch, answer.owner)
        ]
        return CreatedTable(answer.table, *strings)

    async def _ask(self, request: wire.EnterTable | wire.CreateTable) -> wire.Down:
        """Make one request at a time, again until it is answered; the host carries it out once. Raises ClientError."""
        async with self._asking:
            until = self._loop.time() + limits.LOBBY_ANSWER_S
            while self.stage != "closed" and self._loop.time() < until:
                self._answer = self._loop.create_future()
                self._send(msgspec.structs.replace(request, s=self._s))
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
                wire.OLDEST, wire.WIRE, target.table, target.token, self.name, "player", VERSION
            ))  # fmt: skip

    def _is_let_in(self) -> bool:
        return self.stage != "joining"

    def _has_been_in(self) -> bool:
        return bool(self._s)

    def _heartbeat_s(self) -> float:
        return self._interval_s

    def _host_is_silent(self, now: float) -> None:
        if self.target.others:
            self._leave_silent()
            self._connect_to([], "the host does not answer")
            return
        self._set_stage("offline", self._absence.words("the host does not answer"))
        self._keep_in_touch(now)

    def _keep_in_touch(self, now: float) -> None:
        """Ask for the list."""
        if now - self._asked_at >= self._interval_s:
            self._asked_at = now
            self._send(wire.ListTables(self._s, self._rev))

    # -------------------------------------------------------------------------------------------- what the host says
    def _take(self, message: wire.Down) -> None:
        handler = HANDLERS.get(type(message))
        if handler is not None:
            handler(self, message)

    def _entered(self, message: wire.Entered) -> None:
        self._s, self._rev = message.s, 0
        self._absence.kept = message.kept
        self._absence.over()
        self._interval_s = max(0.2, message.beat_ms / 1000)
        self.machine, self.sets = message.machine, message.sets
        self._know_places(message.places)

    def _bye(self, message: wire.Bye) -> None:
        if message.reason != STOPPING:
            self._set_stage("closed", message.text, message.reason)
            return
        self._absence.stopped = True
        self._set_stage("offline", self._absence.words())

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
            text = in_own_words(error.text) if error.code == "bad_version" else error.text
            self._set_stage("closed", text, error.code)
        elif self.stage == "joining":
            self._hello_at = self._loop.time() + error.retry_ms / 1000 - limits.RESEND_S
        else:
            self._answered(error)

    def _answered(self, answer: wire.Down) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    def _stage_changed(self) -> None:
        self._tell()


HANDLERS: dict[type, Callable[[LobbyClient, Any], None]] = {
    wire.Entered: LobbyClient._entered, wire.Tables: LobbyClient._listed, wire.Way: LobbyClient._answered,
    wire.Created: LobbyClient._answered, wire.Elsewhere: LobbyClient._answered, wire.Error: LobbyClient._failed,
    wire.Bye: LobbyClient._bye,
}  # fmt: skip
"""The client's handler for each message of a lobby."""
