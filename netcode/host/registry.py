"""The registry: opens, finds, restores and forgets the tables of one host. No sockets."""

import asyncio
import gc
import logging
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from netcode.host.faults import FaultHistory
from netcode.host.recovery import restore
from netcode.journal import ForgetRow, JournalError, JournalHome, SavedTable
from netcode.protocol import limits, wire
from netcode.protocol.credentials import new_token
from netcode.protocol.pack_files import PackFiles, load_packs
from netcode.protocol.played_rules import own_rules, program
from netcode.short_words.word_list import new_words, number_of
from netcode.table.reached import rules_in
from netcode.table.rules_adapter import Rules, game_seed
from netcode.table.seats import Seating
from netcode.table.table import Table
from netcode.table.table_record import TableRecord, read_record, read_scenario_bytes, scenario_bytes
from netcode.table.table_setup import TableSetup, setup_fields

if TYPE_CHECKING:
    from core.scenario.schema import Scenario

LOG = logging.getLogger("kickdoor.registry")
CACHED_PACKS = 16
"""How many combinations of packs, options and scenario stay loaded."""
MakeRules = Callable[[Sequence[PackFiles], Sequence[str], "Scenario | None", bool], Rules]
"""Makes rules of packs, options and a scenario; the last argument is `later` of Rules."""


class RegistryFull(RuntimeError):
    """The host takes no more tables. The text is one line for people."""


class TablePlan(TableSetup, frozen=True, kw_only=True):
    """A table to be opened: its setup, and what it is made from.

    sets: ids or folders. seed: None for random games. creator: the client key of whoever asked for it. The registry
    adds the watch delay, and the machine's network name if there is no other."""

    sets: tuple[str, ...]
    seed: int | None = None
    title: str = ""
    creator: str = ""
    scenario: "Scenario | None" = None


class LoadedPacks(Struct, frozen=True):
    """The packs of a table and the rules they make."""

    packs: list[PackFiles]
    rules: Rules
    blobs: dict[str, bytes] = field(default_factory=dict)

    def blob(self, set_id: str) -> bytes | None:
        """Return the bytes that are sent for this pack, None if it is not one of these packs."""
        if set_id not in self.blobs:
            self.blobs.update({pack.set_id: pack.blob() for pack in self.packs if pack.set_id == set_id})
        return self.blobs.get(set_id)


class TableEntry(Struct, eq=False):
    """One open table and what it was made from. faults: its internal errors so far."""

    table: Table
    record: TableRecord
    cards: LoadedPacks
    faults: FaultHistory = field(default_factory=FaultHistory)

    @property
    def id(self) -> str:
        """The table's id in join strings."""
        return self.record.table


class Registry:
    """All tables of one host. journal: None if there is none. limit: how many tables may be open at once. watch_delay:
    how much later spectators of new tables see everything (ms). words: whether tables have short words."""

    def __init__(
        self, journal: JournalHome | None = None, limit: int = 1, make_rules: MakeRules = Rules, watch_delay: int = 0,
        words: bool = False,
    ) -> None:  # fmt: skip
        self._words = words
        self.journal, self.limit, self.watch_delay = journal, limit, watch_delay
        self.epoch = journal.new_epoch() if journal is not None else 1
        self.tables: dict[str, TableEntry] = {}
        self._make_rules = make_rules
        self._cache: dict[tuple[object, ...], LoadedPacks] = {}
        self._damaged: set[str] = set()
        self.places: list[wire.Place] = []
        """Where the hosts of the club are, this one first, as clients are told; empty: there is no club."""
        self._taken: set[str] = set()
        """Tables that other hosts have opened."""
        self.elsewhere: set[int] = set()
        """The numbers of short words that other hosts of the club have given to tables."""

    # --------------------------------------------------------------------------------------------------------- opening
    def cards(
        self, sets: Sequence[str], options: Sequence[str], scenario: "Scenario | None" = None, later: bool = False
    ) -> LoadedPacks:
        """Return the packs and rules for a table, loaded once. Reads files and takes some 10 ms: call it in a thread.
        later: as in Rules; see `load_later`. Raises PackError, ValueError."""
        packs = load_packs(sets)
        key = (*(pack.hash for pack in packs), *options, scenario_bytes(scenario))
        if key not in self._cache:
            while len(self._cache) >= CACHED_PACKS:
                del self._cache[next(iter(self._cache))]
            self._cache[key] = LoadedPacks(packs, self._make_rules(packs, options, scenario, later))
            gc.freeze()  # they stay loaded: a garbage collection that visits them blocks the loop for 50 ms
        if not later:
            self._cache[key].rules.load_catalog()
        return self._cache[key]

    async def load_later(self) -> None:
        """Load the cards whose loading restored tables have put off, one table after the other, in a thread."""
        for entry in list(self.tables.values()):
            if not entry.cards.rules.loaded:
                await asyncio.to_thread(entry.cards.rules.load_catalog)
                gc.freeze()

    def open(self, plan: TablePlan, cards: LoadedPacks, name: str = "") -> TableEntry:
        """Open a new table. It is in the journal once any later commit is done. name: its id, "": any new one. Raises
        RegistryFull; PackError if its cards are too few for its seats."""
        if len(self.tables) >= self.limit:
            raise RegistryFull(f"{self.limit} tables are open, and this host takes no more: join one of them")
        cards.rules.check_deal(plan.seats)
        machine = plan.machine or socket.gethostname()[: limits.MACHINE_CHARS]
        planned = replace(plan, machine=machine, watch_delay=self.watch_delay)
        record = _record(planned, cards.packs, name or self.new_id())
        if self._words:
            record.words = new_words(self._numbers() | self.elsewhere)
        table = Table(record.config(), cards.rules.deal, lambda number: game_seed(plan.seed, number), self.epoch)
        entry = self.tables[record.table] = TableEntry(table, record, cards)
        table.kept, table.places = self.journal is not None, self.places
        if self.journal is not None:
            self.journal.commit(entry.id, [record.row()], lambda: None)
        return entry

    def seatings(self) -> dict[str, Seating]:
        """Return the seating of each table, by its id."""
        return {entry.id: entry.table.seating for entry in self.tables.values()}

    def _numbers(self, without: str = "") -> set[int]:
        """Return the numbers of all short words in force, but those of the table `without`."""
        entries = [entry for entry in list(self.tables.values()) if entry.id != without]
        admissions = [entry.table.seating.admission for entry in entries]
        return {number_of(one.words) for one in admissions if one.words}

    def new_id(self) -> str:
        """Return an id that no table of this host has."""
        while True:
            name = new_token()[:3].hex()
            if name not in self.tables and name not in self._damaged:
                return name

    # ------------------------------------------------------------------------------------------------------ restoring
    def resume(self, works: Callable[[], None] = lambda: None) -> list[str]:
        """Restore every unfinished table of the journal. Returns a sentence for each that cannot be restored; such a
        table stays in the journal as it is. works(): called before each table.

        Tables without a game in progress get their cards later, by `load_later`: otherwise guests of the lobby could
        make every restart seconds longer with tables of many sets."""
        problems = []
        for name in self.journal.unfinished() if self.journal is not None else []:
            works()
            try:
                self.tables[name] = self._restored(name)
            except (JournalError, ValueError) as problem:
                problems.append(f"table {name} cannot be restored: {problem}")
                self._damaged.add(name)
            except Exception as problem:  # the other tables are still restored
                LOG.exception("table %s cannot be restored", name)
                kind = type(problem).__name__
                problems.append(f"table {name} cannot be restored: an internal error ({kind}, see above)")
                self._damaged.add(name)
        return problems

    def taken(self, name: str) -> TableEntry:
        """Return a table that this host has taken over from another one, restored from the journal. If nobody comes to
        it, it ends, although its first host might have waited without limit: that host has printed its strings. Call it
        in a thread. Raises JournalError, ValueError, or whatever else restoring raises."""
        self._taken.add(name)
        return self._restored(name)

    def restored(self, entry: TableEntry) -> Table:
        """Return a table restored from the journal. Call it when all commits of the table are on disk, and in a thread:
        a long game takes a while. Raises JournalError, or whatever else restoring raises."""
        return self._restored(entry.id, entry.cards).table

    def _restored(self, name: str, cards: LoadedPacks | None = None) -> TableEntry:
        saved = self.journal.load(name) if self.journal is not None else None
        if saved is None:
            raise JournalError(f"the journal has no table {name}")
        record = read_record(saved)
        if name in self._taken and not record.idle_ms:
            record.idle_ms = record.gone_ms
        cards = cards or self.cards(record.sets, record.options, read_scenario_bytes(record.scenario), later=True)
        if [pack.hash for pack in cards.packs] != [info.hash for info in record.packs]:
            raise JournalError(f"it was played with other card packs: {_remedy(saved, cards.packs)}, or begin anew")
        seed = record.seed
        now = time.monotonic_ns()
        table = restore(saved, record, cards.rules, lambda number: game_seed(seed, number), self.epoch, now)
        table.places = self.places
        self._set_words(name, table)
        return TableEntry(table, record, cards)

    def _set_words(self, name: str, table: Table) -> None:
        """Give a table that a host without short words has opened its words; take them away if there are none here, and
        replace them if another table has their number."""
        admission = table.seating.admission
        others = self._numbers(without=name)
        if bool(admission.words) != self._words or (admission.words and number_of(admission.words) in others):
            admission.words, admission.wrong_words = new_words(others | self.elsewhere) if self._words else "", 0
            table.seating.changed = True

    # --------------------------------------------------------------------------------------------------------- closing
    def remove(self, entry: TableEntry, forget: bool) -> None:
        """Remove a table that has ended. forget: remove it from the journal too."""
        self.tables.pop(entry.id, None)
        self._taken.discard(entry.id)
        if forget and self.journal is not None:
            self.journal.commit(entry.id, [ForgetRow()], lambda: None)


def _remedy(saved: SavedTable, packs: Sequence[PackFiles]) -> str:
    """Return a sentence that says how to get the packs of a table again."""
    played = rules_in(saved)[-1]
    if played != own_rules() and all(pack.built_in for pack in packs):
        return f"open it with {program(played)}, which has them"
    return "put them back"


def _record(plan: TablePlan, packs: Sequence[PackFiles], name: str) -> TableRecord:
    sets = [name if pack.built_in else str(Path(name).expanduser().resolve()) for name, pack in zip(plan.sets, packs)]
    infos = tuple(wire.PackInfo(pack.set_id, pack.hash, pack.built_in) for pack in packs)
    return TableRecord(
        **setup_fields(plan), table=name, join=new_token(), watch=new_token(), owner=new_token(), sets=sets,
        packs=infos, seed=plan.seed, scenario=scenario_bytes(plan.scenario), title=plan.title, creator=plan.creator,
    )  # fmt: skip
