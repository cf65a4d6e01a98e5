"""The lobby: who has its string sees which tables there are, gets the way to them, and may open one. No sockets.

What is told of a table is what anybody looking on there could see, and less: no names but the owner's, no cards. A
table's owner token goes to whoever opened it, to nobody else, and only once.
"""

import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from netcode.host.load_monitor import LoadMonitor
from netcode.host.registry import Registry, TableEntry, TablePlan
from netcode.protocol import codec, limits, wire
from netcode.protocol.credentials import new_token, same, token_hash
from netcode.table.seats import NO_FIT
from netcode.table.session import Bucket
from netcode.table.table import Out

LOG = logging.getLogger("kickdoor.lobby")


@dataclass(eq=False)
class Visitor:
    """Somebody in the lobby, the same after a lost connection. answers: the newest ones to wishes for a table, for the
    case that a wish is sent again; pending: the wish that is being seen to."""

    s: bytes
    address: bytes
    key: str
    where: str
    heard_at: int
    buckets: dict[type, Bucket] = field(default_factory=dict)
    answers: deque[tuple[int, wire.Created]] = field(default_factory=lambda: deque(maxlen=4))
    pending: int = -1

    def wait_ms(self, message: wire.LobbyUp, now: int) -> int:
        """0 if it may ask for that now, else how long it has to wait."""
        kind = type(message)
        return self.buckets.setdefault(kind, Bucket(*message.rate)).take(now)


@dataclass(frozen=True)
class TableRequest:
    """A table that somebody may open: to be made beside the loop."""

    visitor: Visitor
    n: int
    plan: TablePlan


class Lobby:
    """The lobby of a house. token: what lets one in; sets: what tables may be made of, by id, each with the name or
    folder under which its pack is found; machine: what the host is called."""

    def __init__(
        self, registry: Registry, token: bytes, sets: dict[str, str], load: LoadMonitor, machine: str = ""
    ) -> None:
        self.token = token
        self.wanted: list[TableRequest] = []
        self._registry, self._sets, self._load, self._machine = registry, sets, load, machine
        self._hash = token_hash(token)
        self._visitors: dict[bytes, Visitor] = {}
        self._all = Bucket(*limits.CREATE_RATE)
        self._from: dict[str, str] = {}
        self._rows: list[wire.TableRow] = []
        self._rev, self._listed_at = 0, -limits.LIST_MS

    # ------------------------------------------------------------------------------------------------- coming, going
    def hello(self, hello: wire.Hello, key: str, address: bytes, where: str, now: int) -> list[Out]:
        """Somebody knocks. where: their address on the network. now: ms."""
        if not hello.lo <= wire.WIRE <= hello.hi:
            text = f"the host speaks protocol {wire.WIRE}, this client {hello.lo} to {hello.hi}: update the older one"
            return [Out(address, wire.Error("bad_version", text))]
        if not same(self._hash, token_hash(hello.token)):
            return [Out(address, wire.Error("bad_token", NO_FIT))]
        known = next((one for one in self._visitors.values() if one.key == key), None)
        for one in list(self._visitors.values()):
            if one is known or now - one.heard_at > limits.LOBBY_SILENT_MS:
                del self._visitors[one.address]
        if len(self._visitors) >= limits.VISITORS:
            full = f"{limits.VISITORS} people are in the lobby: try again later"
            return [Out(address, wire.Error("table_full", full))]
        visitor = known or Visitor(new_token(), address, key, where, now)
        visitor.address, visitor.where, visitor.heard_at = address, where, now
        self._visitors[address] = visitor
        entered = wire.Entered(wire.WIRE, visitor.s, limits.LOBBY_HEARTBEAT_MS, self._machine, list(self._sets))
        return [Out(address, entered), Out(address, self._tables(0, now))]

    def close(self) -> list[Out]:
        """The host stops."""
        visitors, self._visitors = list(self._visitors), {}
        return [Out(address, wire.Bye("closing", "the host is stopping")) for address in visitors]

    # ------------------------------------------------------------------------------------------------------ messages
    def message(self, address: bytes, message: wire.LobbyUp, now: int) -> list[Out]:
        """A visitor wants something. now: ms."""
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
            return []  # it is under way
        wait = visitor.wait_ms(message, now)
        if wait:
            return [Out(address, wire.Error("rate_limited", "too fast: wait a moment", n, wait))]
        return [Out(address, answer) for answer in self._take(visitor, message, now)]

    def _take(self, visitor: Visitor, message: wire.LobbyUp, now: int) -> Sequence[wire.Down]:
        match message:
            case wire.ListTables():
                return [self._tables(message.known, now)]
            case wire.EnterTable():
                return [self._way(message)]
            case wire.CreateTable():
                return self._create(visitor, message, now)

    def _way(self, wish: wire.EnterTable) -> wire.Down:
        entry = self._registry.tables.get(wish.table)
        if entry is None or entry.table.closed or entry.table.config.solo:
            return wire.Error("no_such_table", f"the table {codec.clean(wish.table, 24)} is closed")
        record = entry.record
        return wire.Way(record.table, record.watch if wish.watch else record.join, wish.watch)

    # ------------------------------------------------------------------------------------------------------ creating
    def _create(self, visitor: Visitor, wish: wire.CreateTable, now: int) -> list[wire.Down]:
        """Note a wish for a table; what forbids it is told at once."""
        fault = self._fault(visitor, wish, now)
        if fault:
            return [wire.Error("not_allowed", fault, wish.n)]
        visitor.pending = wish.n
        plan = TablePlan(
            tuple(self._sets[name] for name in wish.sets), wish.seats, wish.bots, wish.level, wish.pace,
            options=tuple(wish.options), machine=self._machine, title=wish.title, idle_s=limits.IDLE_S,
            creator=visitor.key,
        )  # fmt: skip
        self.wanted.append(TableRequest(visitor, wish.n, plan))
        return []

    def _fault(self, visitor: Visitor, wish: wire.CreateTable, now: int) -> str:
        """What forbids it, one line for people, or ""."""
        missing = next((name for name in wish.sets if name not in self._sets), None)
        if missing is not None:
            return f"this host has no card set {codec.clean(missing, 48)}: choose from {', '.join(self._sets)}"
        if wish.bots > wish.seats:
            return f"{wish.bots} bots do not fit {wish.seats} seats"
        if visitor.pending >= 0:
            return "your last table is still being laid out: wait a moment"
        tables = self._registry.tables
        if len(tables) >= self._registry.limit:
            return f"{self._registry.limit} tables are open, more this host does not take: sit down at one of them"
        if self._load.overloaded:
            return "the host is busy and opens no more tables for now: sit down at one of those there are"
        self._from = {name: where for name, where in self._from.items() if name in tables}
        if sum(entry.record.creator == visitor.key for entry in tables.values()) >= limits.TABLES_PER_KEY:
            return f"{limits.TABLES_PER_KEY} tables of yours are open: close or leave one of them first"
        if not _loopback(visitor.where) and list(self._from.values()).count(visitor.where) >= limits.TABLES_PER_ADDRESS:
            return f"{limits.TABLES_PER_ADDRESS} tables from your address are open: sit down at one of them"
        if self._all.take(now):
            return "many tables are being opened just now: wait a moment"
        return ""

    def created(self, wanted: TableRequest, entry: TableEntry) -> list[Out]:
        """The table stands, and is on disk if it is to be."""
        record = entry.record
        answer = wire.Created(wanted.n, record.table, record.join, record.watch, record.owner)
        self._from[record.table] = wanted.visitor.where
        wanted.visitor.pending = -1
        wanted.visitor.answers.append((wanted.n, answer))
        return [Out(wanted.visitor.address, answer)]

    def failed(self, wanted: TableRequest, text: str) -> list[Out]:
        """The table cannot be."""
        wanted.visitor.pending = -1
        return [Out(wanted.visitor.address, wire.Error("not_allowed", text[:300], wanted.n))]

    # ------------------------------------------------------------------------------------------------------ the list
    def _tables(self, known: int, now: int) -> wire.Tables:
        if now - self._listed_at >= limits.LIST_MS:
            self._listed_at = now
            rows = [_row(entry) for entry in self._registry.tables.values() if not entry.table.config.solo]
            if rows != self._rows or not self._rev:
                self._rows, self._rev = rows, self._rev + 1
        more = max(0, self._registry.limit - len(self._registry.tables))
        return wire.Tables(self._rev, None if known == self._rev else self._rows, more)


def _row(entry: TableEntry) -> wire.TableRow:
    table, record = entry.table, entry.record
    seats = table.seating.seats
    owner = table.seating.owner
    states = [seat.state for seat in seats]
    return wire.TableRow(
        record.table, [pack.set_id for pack in record.packs], len(seats), table.seating.humans(), states.count("bot"),
        sum(state in ("open", "gone") for state in states), table.stage, table.pace, record.title,
        seats[owner].name if owner >= 0 else "", len(table.seating.spectators), list(record.options),
    )  # fmt: skip


def _loopback(where: str) -> bool:
    """Whether somebody comes from this machine; through a forwarded port that may be many."""
    return where in ("", "127.0.0.1", "::1", "::ffff:127.0.0.1")
