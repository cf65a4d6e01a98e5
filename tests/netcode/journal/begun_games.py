"""Games that were begun and are not over, in one journal: `python -m tests.netcode.journal.begun_games FILE.zip`.

The zip file beside this one was written by a program from before games noted their rules. Each game has one of the
cards whose rules are likely to change, and stops between two snapshots.
"""

import random
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import msgspec

from core.scenario.schema import Scenario, load
from core.state.actions import Action, Legal, Play
from core.state.events import AnyEvent
from core.state.model import defn_of
from netcode.bots.brain import Brain
from netcode.bots.picks import at_random
from netcode.journal import FactRow, Journal
from netcode.protocol import wire
from netcode.protocol.pack_files import load_packs
from netcode.table.rules_adapter import Rules, RunningGame
from netcode.table.scenario_table import places
from netcode.table.table_record import TableRecord, scenario_bytes
from tests.blends import values_of
from tests.netcode.offline_table import JOIN, OWNER, WATCH, OfflineTable
from tests.netcode.recorded_games import decided

OLDER = Path(__file__).with_name("begun-games.zip")
GAMES: dict[str, tuple[str, int, str]] = {
    "dealt": ("munchkins-and-mazes", 87, ""),
    "copies": ("apocalypse", 88, """
[[scenario]]
name = "copies"
doors = ["Fire Ants"]
dice = [4]
steps = []
[scenario.seats.Ann]
level = 5
table = ["Militia"]
[scenario.seats.Bo]
level = 3
hand = ["Photocopier", "Slightly Luminous", "Wandering Monster", "Feral Intern"]
[scenario.seats.Cy]
level = 2
hand = ["Volunteer Fire Brigade"]
"""),
    "compelled": ("apocalypse", 31, """
[[scenario]]
name = "compelled"
doors = ["Fire Ants"]
treasures = ["Tire Iron", "Survival Tool"]
steps = []
[scenario.seats.Ann]
level = 3
hand = ["Volunteer Fire Brigade"]
table = ["Super Munchkin", "Militia"]
[scenario.seats.Bo]
level = 2
[scenario.seats.Cy]
level = 5
"""),
    "super": ("axe-cop", 64, """
[[scenario]]
name = "super"
doors = ["Lava Shark"]
steps = []
[scenario.seats.Ann]
level = 3
table = ["Super Munchkin", "Cop"]
hand = ["Gray Diamond", "Super Lion Pig"]
[scenario.seats.Bo]
level = 4
table = ["Warrior"]
[scenario.seats.Cy]
level = 2
"""),
    "alliance": ("warhammer-40k", 112, """
[[scenario]]
name = "alliance"
doors = ["Champion Who Counts Skulls"]
steps = []
[scenario.seats.Ann]
level = 6
table = ["Alliance", "Orks"]
[scenario.seats.Bo]
level = 4
table = ["Necrons"]
[scenario.seats.Cy]
level = 3
"""),
}  # fmt: skip
"""By the id of the table: its set, the number of actions after which it stops, and the position in which it begins ("":
a deal)."""
EAGER = ("Photocopier", "Slightly Luminous", "Volunteer Fire Brigade", "Wandering Monster")
"""Cards that are played whenever this is allowed."""


class BegunTable(OfflineTable):
    """A table of these games. name: its id."""

    def __init__(self, name: str) -> None:
        self.set_id, self.stops, text = GAMES[name]
        self.scenario: Scenario | None = load(text.encode(), name)[0] if text else None
        packs = load_packs([self.set_id])
        self.rules, self.id = Rules(packs, (), self.scenario), name
        self.packs = tuple(wire.PackInfo(pack.set_id, pack.hash, pack.built_in) for pack in packs)
        self._rng = random.Random(name)
        named = places(self.scenario) if self.scenario is not None else ()
        super().__init__(None, pace="book", packs=self.packs, places=named)

    def deal(self, seats: int, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        """Return the game of a match, and the events of its deal."""
        return self.rules.deal(seats, seed)

    def record(self) -> TableRecord:
        """Return the table's record for a journal."""
        return TableRecord(
            table=self.id, join=JOIN, watch=WATCH, owner=OWNER, seats=3, bots=0, bot_level="normal", pace="book",
            speed="normal", options=(), sets=[self.set_id], packs=self.packs, solo=False, seed=5, machine="",
            gone_ms=600_000, scenario=scenario_bytes(self.scenario),
        )  # fmt: skip

    def play(self) -> None:
        """Play up to the action at which the game stops."""
        players = self.sit("Ann", "Bo", "Cy")
        assert self.table.match is not None
        match = self.table.match
        catalog = self.rules.catalog
        values = values_of(catalog)
        brains = [Brain(catalog, "normal", random.Random(f"{self.id} {one.seat}"), values) for one in players]
        while match.seq < self.stops and self.table.stage == "playing":
            acted = False
            for player in players:
                you = player.view.you
                if match.seq >= self.stops or you is None or not (you.legal or you.asks):
                    continue
                action = self._eager(you.legal) or decided(brains[player.seat], player.view)
                acted |= action is not None and isinstance(player.act(action), wire.Ack)
            if match.seq < self.stops:
                self.wait(100 if acted else 1000)
        assert match.seq == self.stops, f"{self.id} ended after {match.seq} actions"

    def _eager(self, rows: Sequence[Legal]) -> Action | None:
        """Return an action with one of the cards that are played whenever this is allowed."""
        cards = self.rules.catalog.cards
        for row in rows:
            if isinstance(row.action, Play) and cards[defn_of(row.action.card)].name in EAGER:
                return at_random(row, self._rng)
        return None


def write(file: Path) -> None:
    """Write a journal with all games into this zip file, and for each the digest of its last state."""
    notes = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        journal = Journal(folder)
        for table in GAMES:
            begun = BegunTable(table)
            begun.play()
            journal.commit(table, [FactRow("config", b""), begun.record().row(), *begun.rows], lambda: None)
            assert begun.table.match is not None
            notes[table] = (begun.stops, blake2b(begun.table.match.game.save(), digest_size=16).hexdigest())
        journal.close()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            archive.writestr("notes.json", msgspec.json.encode(notes))
            for path in sorted(folder.iterdir()):
                if path.name.startswith("table."):
                    archive.write(path, path.name)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
