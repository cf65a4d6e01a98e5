"""A host's part in its club: it takes over the tables of hosts that are gone, says where others are, and hands its own
over before it ends."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Protocol

import msgspec

from netcode.host.creation import BUSY_OPENING, TOO_MANY_THERE, TOO_MANY_YOURS
from netcode.host.load_monitor import LoadMonitor
from netcode.host.public_rows import row_of
from netcode.host.registry import Registry, TableEntry
from netcode.journal import ClubHost, JournalError, JournalInUse, PublicTable, SharedHome
from netcode.protocol import limits, wire
from netcode.protocol.credentials import parse_place
from netcode.protocol.versions import redirect_problem
from netcode.short_words.messages import Address
from netcode.short_words.word_list import number_of

LOG = logging.getLogger("kickdoor.club")
PUBLISH_S = 1.0
"""How often a host looks whether there is something new to publish (s)."""
AGAIN_S = 1.0
"""The pause before a table that was taken over is read again, if the database was away (s)."""
DRAIN_S = 5.0
"""How long handing over all tables may take (s). The leases of tables that are left after that lapse."""
HANDED = "this host of the club stops, and another one has the table: going there"
ARRIVES = "another host of this club takes this table over in a moment: nothing that was confirmed is lost"
FULL = "no host of this club has room for this table: it goes on when one has, and nothing that was confirmed is lost"
ARRIVES_MS = 1000
_REFUSALS = {"too many of theirs": TOO_MANY_YOURS, "too many from there": TOO_MANY_THERE}
_PLACES_EACH, _PLACES_OTHERS = 4, 2
"""How many addresses people are told: of their own host, and of each other host."""


class Given(Protocol):
    """A table that is handed over (TableRunner)."""

    id: str

    def freeze(self) -> None:
        """Take no more messages."""

    def let_go(self, text: str) -> None:
        """End it here, and let its clients ask where it is."""


class ClubMember:
    """One host of a club. places: where others reach it, as HOST:PORT. draining: it hands its tables over, and takes no
    more. Create it inside a running loop."""

    def __init__(
        self, journal: SharedHome, registry: Registry, load: LoadMonitor, places: list[str],
        serve: Callable[[TableEntry], None], drain: Callable[[], None],
    ) -> None:  # fmt: skip
        """serve(entry): serve a table that was taken over. drain(): somebody has asked this host to end."""
        self.draining = False
        self._journal, self._registry, self._load, self._places = journal, registry, load, places
        self._serve, self._drain = serve, drain
        self._directory = journal.directory
        self._arriving: set[str] = set()
        self._given: dict[str, str] = {}
        """For each table that we have handed over: its new host, until the directory knows it."""
        self._loop = asyncio.get_running_loop()
        self._loading = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._rows: dict[bytes, wire.TableRow | None] = {}
        self._look_around()

    def begin(self) -> None:
        """Take tables over from now on."""
        self._journal.take_over(lambda *taken: self._from_thread(self._taken, *taken), self._registry.limit)
        self._tick()

    def close(self) -> None:
        """Take in no more tables."""
        for task in self._tasks:
            task.cancel()
        if self._timer is not None:
            self._timer.cancel()

    def _from_thread(self, call: Callable[..., None], *args: object) -> None:
        self._loop.call_soon_threadsafe(call, *args)

    # ------------------------------------------------------------------------------------------------------ the others
    @property
    def _others(self) -> list[ClubHost]:
        """The other hosts to which somebody may be sent, those with the fewest tables first."""
        found = [one for one in self._directory.hosts.values() if one.alive and one.name != self._directory.name]
        return sorted(found, key=lambda one: (one.tables / max(1, one.tables + one.room), one.name))

    def _tick(self) -> None:
        self._timer = self._loop.call_later(PUBLISH_S, self._tick)
        self._publish()
        own = self._directory.hosts.get(self._directory.name)
        if own is not None and own.draining and not self.draining:
            LOG.warning("this host drains: its tables go to other hosts of the club")
            self._drain()

    def _publish(self) -> None:
        """Publish what is new here, and note what the directory knows of others."""
        entries = [entry for entry in self._registry.tables.values() if not entry.table.closed]
        rows = {entry.id: _published(entry) for entry in entries}
        self._directory.tell(self._places, self._own_room, self._load.overloaded, self.draining, rows)
        self._look_around()

    @property
    def _own_room(self) -> int:
        return max(0, self._registry.limit - len(self._registry.tables) - len(self._arriving))

    def _look_around(self) -> None:
        others = [place for one in self._others for place in one.places[:_PLACES_OTHERS]]
        self._registry.places[:] = _places([*self._places[:_PLACES_EACH], *others])
        known = self._directory.tables.values()
        if known:  # it has been read
            self._registry.elsewhere = {table.number for table in known if table.host != self._directory.name}

    def rows(self, own: list[wire.TableRow]) -> list[wire.TableRow]:
        """Return the rows of all tables of the club. own: those of this host."""
        here = {row.table: row for row in own}
        known = self._directory.tables
        packed = {table.row: table.id for table in known.values() if table.row is not None and table.id not in here}
        self._rows = {data: self._rows.get(data) or _unpacked(data) for data in packed}
        there = {name: self._rows[data] for data, name in packed.items()}
        every = [here.get(name) or there.get(name) for name in known]
        new = [row for row in own if row.table not in known]
        return [row for row in [*every, *new] if row is not None][: limits.TABLES_MOST]

    def room(self, own: int) -> int:
        """Return how many more tables the club takes. own: how many more this host takes."""
        return min(limits.TABLES_MOST, own + sum(one.room for one in self._others))

    def better_place(self, n: int) -> wire.Elsewhere | None:
        """Return where to open a new table, None: here. n: of the request."""
        tables, limit = len(self._registry.tables), self._registry.limit
        here = 2.0 if self.draining or self._load.overloaded else tables / limit
        for one in self._others:
            if one.room > 0 and not one.busy:
                return self._at(one, n) if one.tables / (one.tables + one.room) < here else None
        return None

    def where(self, table: str, hi: int) -> wire.Down | None:
        """Return the answer to somebody who asks for a table that is not here: where it is, or that they should wait.
        None: the club has no such table. hi: the newest protocol that they speak."""
        known = self._directory.tables.get(table)
        if known is None and table not in self._given and table not in self._arriving:
            return None
        name = known.host if known is not None and known.host != self._directory.name else self._given.get(table, "")
        host = next((one for one in self._others if one.name == name), None)
        lapsed = known is not None and known.lapsed
        if table in self._arriving or host is None or lapsed:
            waits = lapsed and table not in self._arriving and not self.room(self._own_room)
            return wire.Error("rate_limited", FULL if waits else ARRIVES, -1, ARRIVES_MS)
        problem = redirect_problem(hi)
        return wire.Error("bad_version", problem) if problem else self._at(host)

    def words_at(self, number: int) -> list[Address] | None:
        """Return the addresses of the host that has the table with short words of this number; none if it cannot be
        reached now; None: no table of the club has such words."""
        table = next((one for one in self._directory.tables.values() if one.number == number), None)
        if table is None and number not in self._registry.elsewhere:
            return None
        places = [one.places for one in self._others if table is not None and one.name == table.host]
        return [parse_place(text) for text in places[0][:_PLACES_OTHERS]] if places else []

    def _at(self, host: ClubHost, n: int = -1) -> wire.Elsewhere:
        others = [place for one in self._others if one != host for place in one.places[:_PLACES_OTHERS]]
        here = self._places[:_PLACES_OTHERS] if not self.draining else []
        return wire.Elsewhere(_places([*host.places[:_PLACES_EACH], *here, *others]), n)

    async def open_for(self, table: str, creator: str, origin: str) -> str:
        """Take this id for a table that somebody wants; return "", or why they may not open one, in one line. creator,
        origin: see SharedHome.open_for."""
        answer: asyncio.Future[str] = self._loop.create_future()
        self._journal.open_for(table, creator, origin, lambda what: self._from_thread(answer.set_result, what))
        what = await answer
        return "" if what == "opened" else _REFUSALS.get(what, BUSY_OPENING)

    # ---------------------------------------------------------------------------------------------------------- taking
    def _taken(self, table: str, generation: int) -> None:
        self._arriving.add(table)
        self._given.pop(table, None)
        self._do(self._take_in(table, generation))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _take_in(self, table: str, generation: int) -> None:
        """Restore a table and serve it; leave it to others if it cannot be restored here."""
        self._journal.take_up(table)
        try:
            async with self._loading:
                entry = await self._restored(table, generation)
                if entry is None:
                    return
                LOG.warning("table %s of another host is here now", table)
                self._serve(entry)
            await self._registry.load_later()
        except (JournalError, ValueError) as problem:
            LOG.warning("table %s is left to other hosts: %s", table, problem)
            self._journal.leave(table)
        except Exception:
            LOG.exception("table %s is left to other hosts", table)
            self._journal.leave(table)
        finally:
            self._arriving.discard(table)

    async def _restored(self, table: str, generation: int) -> TableEntry | None:
        """Return a table that was taken over; None if it was taken from us meanwhile. Try again while the database is
        away."""
        while self._journal.holds(table, generation):
            try:
                entry = await asyncio.to_thread(self._registry.taken, table)
            except JournalInUse:
                await asyncio.sleep(AGAIN_S)
                continue
            if self._journal.holds(table, generation):
                return entry
        return None

    # ---------------------------------------------------------------------------------------------------------- giving
    async def hand_over(self, tables: Iterable[Given]) -> None:
        """Hand these tables over to the other hosts, each to the one with the most room. Release the tables for which
        no host has room; the first host that has room takes them."""
        self.draining = True
        self._publish()
        room = {one.name: one.room for one in self._others}
        if not room:
            return
        given: list[asyncio.Future[None]] = []
        for table in tables:
            to = max(room, key=lambda name: room[name])
            room[to] -= 1
            given.append(self._hand(table, to if room[to] >= 0 else ""))
        if given:
            await asyncio.wait(given, timeout=DRAIN_S)
        await asyncio.sleep(limits.GOODBYE_S)  # its clients ask where it is

    def _hand(self, table: Given, to: str) -> "asyncio.Future[None]":
        over = self._loop.create_future()

        def done(given: bool) -> None:
            if given:
                self._given[table.id] = to
                table.let_go(HANDED)
            if not over.done():
                over.set_result(None)

        table.freeze()
        self._journal.give(table.id, to, lambda given: self._from_thread(done, given))
        return over


def _places(texts: Iterable[str]) -> list[wire.Place]:
    return [wire.Place(*parse_place(text)) for text in list(dict.fromkeys(texts))[: limits.PLACES]]


def _published(entry: TableEntry) -> PublicTable:
    words = entry.table.seating.admission.words
    return PublicTable(msgspec.msgpack.encode(row_of(entry)), number_of(words) if words else 0)


def _unpacked(data: bytes) -> wire.TableRow | None:
    """Return a public row, None if another version has packed it differently."""
    try:
        return msgspec.msgpack.decode(data, type=wire.TableRow)
    except msgspec.MsgspecError:
        return None
