"""The lobby: lists a host's tables to visitors, gives out the tokens to join them, and opens new ones. No sockets.

The list shows less of a table than a spectator sees: no names but the owner's, no cards. A table's owner token goes to
whoever opened the table, and to nobody else.
"""

import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from netcode.host.club_member import ClubMember
from netcode.host.creation import BUSY_OPENING, TOO_MANY_THERE, TOO_MANY_YOURS, shared_origin
from netcode.host.load_monitor import LoadMonitor
from netcode.host.public_rows import row_of
from netcode.host.registry import Registry, TableEntry, TablePlan
from netcode.protocol import codec, limits, wire
from netcode.protocol.credentials import new_token, same, token_hash
from netcode.protocol.versions import version_problem
from netcode.table.seats import NO_FIT
from netcode.table.session import Out
from netcode.token_bucket import TokenBucket, of_ms

LOG = logging.getLogger("kickdoor.lobby")
STOPPING = "the host is stopping and keeps this lobby: the same string leads to it when it is back"
LOST = "the host has stopped. It kept no journal, so its strings lead nowhere any more: ask for new ones"
ENDED = "the host has ended, since its last table has closed"


class Visitor(Struct, eq=False):
    """A person in the lobby, the same one after a lost connection. key: their client key; where: their network address;
    heard_at: ms. answers: the newest answers to requests for a table, by number, for requests that are sent again;
    pending: the number of the request being carried out (-1: none). hi: the newest protocol that they speak."""

    s: bytes
    address: bytes
    key: str
    where: str
    heard_at: int
    hi: int = wire.WIRE
    buckets: dict[type, TokenBucket] = field(default_factory=dict)
    answers: deque[tuple[int, wire.Created]] = field(default_factory=lambda: deque(maxlen=4))
    pending: int = -1

    def wait_ms(self, message: wire.LobbyUp, now: int) -> int:
        """Return 0 if they may send this message now, else how many ms they have to wait. now: ms."""
        return self.buckets.setdefault(type(message), of_ms(message.rate)).take(now)


class TableRequest(Struct, frozen=True):
    """A visitor's request for a table that may be opened. The server does it, since loading packs takes a thread."""

    visitor: Visitor
    n: int
    plan: TablePlan


class Lobby:
    """The lobby of a registry. token: lets people in; sets: the card sets that tables may use, by id, each with the
    name or folder of its pack; machine: the host's name. requests: tables to be opened; changes: connections whose
    visitor has come (True) or was forgotten; the server empties both."""

    def __init__(
        self, registry: Registry, token: bytes, sets: dict[str, str], load: LoadMonitor, machine: str = ""
    ) -> None:
        self.token = token
        self.requests: list[TableRequest] = []
        self.changes: list[tuple[bytes, bool]] = []
        self._registry, self._sets, self._load, self._machine = registry, sets, load, machine
        self._hash = token_hash(token)
        self._visitors: dict[bytes, Visitor] = {}
        self._creations = of_ms(limits.CREATE_RATE)
        self._addresses: dict[str, str] = {}
        self._rows: list[wire.TableRow] = []
        self._rev, self._listed_at = 0, -limits.LIST_MS
        self.club: ClubMember | None = None
        self.kept = registry.journal is not None
        """Whether this lobby has the same string when the host is started again."""

    # ------------------------------------------------------------------------------------------------- coming, going
    def hello(self, hello: wire.Hello, key: str, address: bytes, where: str, now: int) -> list[Out]:
        """Let somebody in, or say why not. where: their network address. now: ms."""
        if text := version_problem(hello.lo, hello.hi):
            return [Out(address, wire.Error("bad_version", text))]
        if not same(self._hash, token_hash(hello.token)):
            return [Out(address, wire.Error("bad_token", NO_FIT))]
        known = next((one for one in self._visitors.values() if one.key == key), None)
        for one in list(self._visitors.values()):
            if one is known or now - one.heard_at > limits.LOBBY_SILENT_MS:
                del self._visitors[one.address]
                self.changes.append((one.address, False))
        if len(self._visitors) >= limits.VISITORS:
            full = f"{limits.VISITORS} people are in the lobby: try again later"
            return [Out(address, wire.Error("table_full", full))]
        visitor = known or Visitor(new_token(), address, key, where, now)
        visitor.address, visitor.where, visitor.heard_at, visitor.hi = address, where, now, hello.hi
        self._visitors[address] = visitor
        self.changes.append((address, True))
        beat_ms = limits.LOBBY_HEARTBEAT_MS
        entered = wire.Entered(wire.WIRE, visitor.s, beat_ms, self._machine, list(self._sets), self.kept)
        entered.places = list(self._registry.places)
        return [Out(address, entered), Out(address, self._tables(0, now))]

    def close(self, comes_back: bool) -> list[Out]:
        """Say good-bye to everybody. comes_back: somebody stops the host, which has this lobby again if it is started
        again; otherwise it has ended."""
        visitors, self._visitors = list(self._visitors), {}
        if not comes_back:
            bye = wire.Bye("closing", ENDED)
        elif self.kept:
            bye = wire.Bye("stopping", STOPPING)
        else:
            bye = wire.Bye("closing", LOST)
        return [Out(address, bye) for address in visitors]

    # ------------------------------------------------------------------------------------------------------ messages
    def message(self, address: bytes, message: wire.LobbyUp, now: int) -> list[Out]:
        """Handle a visitor's message. now: ms."""
        visitor = self._visitors.get(address)
        n = message.n if isinstance(message, wire.CreateTable) else -1
        if visitor is None or visitor.s != message.s:
            text = "the lobby does not know this session: say hello again"
            return [Out(address, wire.Error("unknown_session", text, n))]
        visitor.heard_at = now
        again = next((kept for number, kept in visitor.answers if number == n), None)
        if again is not None:
            return [Out(address, again)]
        if 0 <= n == visitor.pending:
            return []  # it is being carried out
        wait = visitor.wait_ms(message, now)
        if wait:
            return [Out(address, wire.Error("rate_limited", "too fast: wait a moment", n, wait))]
        answer = HANDLERS[type(message)](self, visitor, message, now)
        return [Out(address, answer)] if answer is not None else []

    def _list(self, visitor: Visitor, message: wire.ListTables, now: int) -> wire.Down:
        return self._tables(message.known, now)

    def _way(self, visitor: Visitor, message: wire.EnterTable, now: int) -> wire.Down:
        entry = self._registry.tables.get(message.table)
        there = self.club.where(message.table, visitor.hi) if self.club is not None and entry is None else None
        if there is not None:
            return there
        if entry is None or entry.table.closed or entry.table.config.solo:
            name = codec.clean(message.table, limits.TABLE_CHARS)
            return wire.Error("no_such_table", f"the table {name} is closed")
        admission, name = entry.table.seating.admission, "watch" if message.watch else "join"
        if name in admission.renewed:
            return wire.Error("not_allowed", f"this table's owner gives its {name} string out themselves: ask for it")
        return wire.Way(entry.id, admission.watch if message.watch else admission.join, message.watch)

    # ------------------------------------------------------------------------------------------------------ creating
    def _create(self, visitor: Visitor, request: wire.CreateTable, now: int) -> wire.Down | None:
        """Note a request for a table, or refuse it. The answer follows when the table is open. The least loaded host of
        a club opens it."""
        if self.club is not None and not request.here and visitor.hi >= wire.WIRE:
            there = self.club.better_place(request.n)
            if there is not None:
                return there
        forbidden = self._what_forbids(visitor, request, now)
        if forbidden:
            return wire.Error("not_allowed", forbidden, request.n)
        visitor.pending = request.n
        plan = TablePlan(
            sets=tuple(self._sets[name] for name in request.sets), seats=request.seats, bots=request.bots,
            bot_level=request.level, pace=request.pace, options=tuple(request.options), machine=self._machine,
            knock=request.knock, idle_ms=limits.IDLE_S * 1000, title=request.title, creator=visitor.key,
        )  # fmt: skip
        self.requests.append(TableRequest(visitor, request.n, plan))
        return None

    def _what_forbids(self, visitor: Visitor, request: wire.CreateTable, now: int) -> str:
        """Return why this table cannot be opened now, in one line for people, or ""."""
        missing = next((name for name in request.sets if name not in self._sets), None)
        if missing is not None:
            name = codec.clean(missing, limits.SET_ID_CHARS)
            return f"this host has no card set {name}: choose from {', '.join(self._sets)}"
        if request.bots > request.seats:
            return f"{request.bots} bots do not fit {request.seats} seats"
        if visitor.pending >= 0:
            return "your last table is still being opened: wait a moment"
        tables = self._registry.tables
        if len(tables) >= self._registry.limit:
            return f"{self._registry.limit} tables are open, and this host takes no more: sit down at one of them"
        if self._load.overloaded:
            return "the host is busy and opens no more tables for now: sit down at one of those there are"
        self._addresses = {name: where for name, where in self._addresses.items() if name in tables}
        if sum(entry.record.creator == visitor.key for entry in tables.values()) >= limits.TABLES_PER_KEY:
            return TOO_MANY_YOURS
        same_address = list(self._addresses.values()).count(visitor.where)
        if shared_origin(visitor.where) and same_address >= limits.TABLES_PER_ADDRESS:
            return TOO_MANY_THERE
        if self._creations.take(now):
            return BUSY_OPENING
        return ""

    def created(self, request: TableRequest, entry: TableEntry) -> list[Out]:
        """Return the answer for a table that is open (and in the journal, if there is one)."""
        record = entry.record
        answer = wire.Created(request.n, record.table, record.join, record.watch, record.owner)
        self._addresses[record.table] = request.visitor.where
        request.visitor.pending = -1
        request.visitor.answers.append((request.n, answer))
        return [Out(request.visitor.address, answer)]

    def failed(self, request: TableRequest, text: str) -> list[Out]:
        """Return the answer for a table that could not be opened. text: one line for people."""
        request.visitor.pending = -1
        return [Out(request.visitor.address, wire.Error("not_allowed", text[: limits.TEXT_CHARS], request.n))]

    # ------------------------------------------------------------------------------------------------------ the list
    def _tables(self, known: int, now: int) -> wire.Tables:
        if now - self._listed_at >= limits.LIST_MS:
            self._listed_at = now
            rows = [row_of(entry) for entry in self._registry.tables.values() if not entry.table.config.solo]
            rows = self.club.rows(rows) if self.club is not None else rows
            if rows != self._rows or not self._rev:
                self._rows, self._rev = rows, self._rev + 1
        more = max(0, self._registry.limit - len(self._registry.tables))
        more = self.club.room(more) if self.club is not None else more
        return wire.Tables(self._rev, None if known == self._rev else self._rows, more)


HANDLERS: dict[type, Callable[[Lobby, Visitor, Any, int], wire.Down | None]] = {
    wire.ListTables: Lobby._list, wire.EnterTable: Lobby._way, wire.CreateTable: Lobby._create,
}  # fmt: skip
"""The handler of each kind of message: takes (lobby, visitor, message, now in ms), returns the answer, if it is
ready."""
