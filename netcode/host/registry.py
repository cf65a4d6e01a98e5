"""The tables of one host: opens them, finds them, takes them up again from the journal, forgets them. No sockets."""

import gc
import logging
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.scenario.schema import Scenario
from netcode.bots.levels import DEFAULT_LEVEL
from netcode.host.recovery import restore
from netcode.journal import ForgetRow, Journal, JournalError
from netcode.protocol import wire
from netcode.protocol.credentials import new_token
from netcode.protocol.paces import Pace
from netcode.protocol.pack_files import PackFiles, load_packs
from netcode.table.rules_adapter import Rules, game_seed
from netcode.table.scenario_table import from_bytes, to_bytes
from netcode.table.table import Table
from netcode.table.table_record import TableRecord, read_record

LOG = logging.getLogger("kickdoor.registry")
CARDS_KEPT = 16
MakeRules = Callable[[Sequence[PackFiles], Sequence[str], Scenario | None], Rules]


class RegistryFull(RuntimeError):
    """No more tables; the text is one line for people."""


@dataclass(frozen=True)
class TablePlan:
    """What a table is to be. sets: ids or folders. gone_s: how long an abandoned game waits for its players; idle_s:
    how long the table waits for the first of them (0: for ever). creator: who asked for it (a client key)."""

    sets: tuple[str, ...]
    seats: int = 4
    bots: int = 0
    bot_level: str = DEFAULT_LEVEL
    pace: Pace = "book"
    speed: wire.Speed = "normal"
    options: tuple[str, ...] = ()
    solo: bool = False
    seed: int | None = None
    gone_s: int = 600
    idle_s: int = 0
    machine: str = ""
    title: str = ""
    creator: str = ""
    scenario: Scenario | None = None


@dataclass(frozen=True)
class LoadedPacks:
    """The packs of a table and the rules they make."""

    packs: list[PackFiles]
    rules: Rules
    blobs: dict[str, bytes] = field(default_factory=dict)

    def blob(self, set_id: str) -> bytes | None:
        """A pack in the form in which it travels, None if it is none of these."""
        if set_id not in self.blobs:
            self.blobs.update({pack.set_id: pack.blob() for pack in self.packs if pack.set_id == set_id})
        return self.blobs.get(set_id)


@dataclass(eq=False)
class TableEntry:
    """One open table and what it was made from."""

    table: Table
    record: TableRecord
    cards: LoadedPacks
    faults: list[float] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The table's name in join strings."""
        return self.record.table


class Registry:
    """All tables of one host. journal: where they are kept (None: nowhere). limit: how many may be open at once.
    watch_delay: how much later (ms) those who look on at new tables are shown everything."""

    def __init__(
        self, journal: Journal | None = None, limit: int = 1, make_rules: MakeRules = Rules, watch_delay: int = 0
    ) -> None:
        self.journal, self.limit, self.watch_delay = journal, limit, watch_delay
        self.epoch = journal.new_epoch() if journal is not None else 1
        self.tables: dict[str, TableEntry] = {}
        self._make_rules = make_rules
        self._known: dict[tuple[object, ...], LoadedPacks] = {}
        self._damaged: set[str] = set()

    # --------------------------------------------------------------------------------------------------------- opening
    def cards(self, sets: Sequence[str], options: Sequence[str], scenario: Scenario | None = None) -> LoadedPacks:
        """Packs and rules for a table, from those at hand if they were used before. Reads files and takes some ten ms:
        call it beside the loop. Raises PackError, ValueError."""
        packs = load_packs(sets)
        known = (*(pack.hash for pack in packs), *options, to_bytes(scenario))
        if known not in self._known:
            while len(self._known) >= CARDS_KEPT:
                del self._known[next(iter(self._known))]
            self._known[known] = LoadedPacks(packs, self._make_rules(packs, options, scenario))
            gc.freeze()  # they stay: looking through them for garbage would keep the loop for 50 ms each time
        return self._known[known]

    def open(self, plan: TablePlan, cards: LoadedPacks) -> TableEntry:
        """A new table; it is in the journal when what is committed after it is. Raises RegistryFull."""
        if len(self.tables) >= self.limit:
            raise RegistryFull(f"{self.limit} tables are open here, more this host does not take: join one of them")
        record = _record(plan, cards.packs, self._new_id())
        record.watch_delay = self.watch_delay
        table = Table(record.config(), cards.rules.deal, lambda number: game_seed(plan.seed, number), self.epoch)
        entry = self.tables[record.table] = TableEntry(table, record, cards)
        if self.journal is not None:
            self.journal.commit(entry.id, [record.row()], lambda: None)
        return entry

    def _new_id(self) -> str:
        while True:
            name = new_token()[:3].hex()
            if name not in self.tables and name not in self._damaged:
                return name

    # ------------------------------------------------------------------------------------------------------ once again
    def resume(self) -> list[str]:
        """Take up every unfinished table of the journal. Returns a sentence for each that cannot be; it stays in the
        journal as it is."""
        faults = []
        for name in self.journal.unfinished() if self.journal is not None else []:
            try:
                self.tables[name] = self._taken_up(name)
            except (JournalError, ValueError) as problem:
                faults.append(f"table {name} cannot be taken up again: {problem}")
                self._damaged.add(name)
            except Exception as problem:  # whatever is wrong with one table, the others go on
                LOG.exception("table %s cannot be taken up again", name)
                kind = type(problem).__name__
                faults.append(f"table {name} cannot be taken up again: a fault of the program ({kind}, see above)")
                self._damaged.add(name)
        return faults

    def mended(self, entry: TableEntry) -> Table:
        """A table as its journal has it, everything committed before this being on disk. It takes as long as its game
        was long: call it beside the loop. Raises whatever is in the way."""
        return self._taken_up(entry.id, entry.cards).table

    def _taken_up(self, name: str, cards: LoadedPacks | None = None) -> TableEntry:
        saved = self.journal.load(name) if self.journal is not None else None
        if saved is None:
            raise JournalError(f"the journal knows no table {name}")
        record = read_record(saved)
        cards = cards or self.cards(record.sets, record.options, from_bytes(record.scenario))
        if [pack.hash for pack in cards.packs] != [info.hash for info in record.packs]:
            raise JournalError("it was played with other card packs: put them back or use another --data")
        seed = record.seed
        now = time.monotonic_ns()
        table = restore(saved, record, cards.rules, lambda number: game_seed(seed, number), self.epoch, now)
        return TableEntry(table, record, cards)

    # --------------------------------------------------------------------------------------------------------- closing
    def remove(self, entry: TableEntry, forget: bool) -> None:
        """The table is no more. forget: it is closed for good, and need not be kept."""
        self.tables.pop(entry.id, None)
        if forget and self.journal is not None:
            self.journal.commit(entry.id, [ForgetRow()], lambda: None)


def _record(plan: TablePlan, packs: Sequence[PackFiles], name: str) -> TableRecord:
    sets = [name if pack.built_in else str(Path(name).expanduser().resolve()) for name, pack in zip(plan.sets, packs)]
    infos = [wire.PackInfo(pack.set_id, pack.hash, pack.built_in) for pack in packs]
    return TableRecord(
        name, new_token(), new_token(), new_token(), plan.seats, plan.bots, plan.bot_level, plan.pace, plan.speed,
        list(plan.options), sets, infos, plan.solo, plan.seed, plan.machine or socket.gethostname()[:64],
        plan.gone_s * 1000, to_bytes(plan.scenario), plan.title, plan.idle_s * 1000, plan.creator,
    )  # fmt: skip
