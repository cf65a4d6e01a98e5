"""Views built by hand for bots to decide on: four players, and only what a test adds."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from cards import pack_files
from core.language.catalog import Catalog, load
from core.state import events as ev
from core.state.actions import Action, Legal, Pass
from core.state.model import Ask, Bargain, Placed, card_id
from core.state.views import FightView, MonsterView, SeatView, View, WindowView, You
from netcode.bots.brain import Brain
from netcode.bots.personalities import TRAITS, Personality
from netcode.bots.player import Observation
from tests.blends import values_of

CATALOG: Catalog = load([pack_files("munchkins-and-mazes")])
VALUES = values_of(CATALOG)
NUMBERS = {definition.card.name: definition.no for definition in CATALOG.cards}
EVEN = dict.fromkeys(TRAITS, 0.5) | dict.fromkeys(("grudge", "loyalty", "bluff", "talk"), 0.0)


@dataclass
class ViewBuilder:
    """Builds the view of seat 0, the bot. Cards are named as printed; `see` returns the view with these legal rows."""

    levels: tuple[int, ...] = (3, 3, 3, 3)
    turn: int = 0
    phase: str = "start"
    fight: FightView | None = None
    window: WindowView | None = None
    offers: list[Bargain] = field(default_factory=list)
    hand: list[int] = field(default_factory=list)
    tables: list[list[Placed]] = field(default_factory=lambda: [[], [], [], []])
    strengths: list[int] = field(default_factory=list)
    hands: tuple[int, ...] = (5, 5, 5, 5)
    run: int = 0
    serial: int = 0
    turn_no: int = 5

    def card(self, name: str, owner: int = 0) -> int:
        """Return the id of a new card of this name: public, or hidden in the hand of seat owner - 1."""
        self.serial += 1
        return card_id(self.serial, owner, NUMBERS[name])

    def holds(self, name: str) -> int:
        """Add a card of this name to the bot's hand; return its id."""
        card = self.card(name, 1)
        self.hand.append(card)
        return card

    def has(self, seat: int, name: str, up: bool = True) -> int:
        """Put a card of this name into play before a seat; return its id."""
        card = self.card(name)
        self.tables[seat].append(Placed(card, up))
        return card

    def fights(self, seat: int, *monsters: str, heroes: int, foes: int, **more: Any) -> FightView:
        """Begin a fight of this seat against these monsters, with these totals. more: other fields of the view."""
        entries = []
        for name in monsters:
            card = self.card(name)
            printed = CATALOG.cards[NUMBERS[name]].card
            entries.append(
                MonsterView(card, NUMBERS[name], card, printed.level or 1, printed.treasures, printed.levels, 0, [])
            )
        levels = sum(entry.levels for entry in entries)
        reached = min(10, self.levels[seat] + levels)
        fight = FightView(
            no=1, seat=seat, helper=-1, compelled=False, stage="fight", monsters=entries, cards=[], bonuses=[],
            heroes=heroes, foes=foes, hero_terms=[], foe_terms=[], wins_ties=False, winning=heroes > foes,
            match_point=heroes > foes and reached >= 10, win_level=reached, levels=levels,
            treasures=sum(entry.treasures for entry in entries), helper_levels=0, help_allowed=True, bargain=None,
            changed_at=0, changed_by=-1, safe=[],
        )  # fmt: skip
        self.fight = msgspec.structs.replace(fight, **more)
        return self.fight

    def opens(self, kind: str, seat: int) -> Pass:
        """Open a window; return the pass that answers it."""
        self.window = WindowView(9, kind, seat, -1, False, 2)
        return Pass(window=9)

    def see(self, *actions: Action | Legal, asks: list[Ask] | tuple[Ask, ...] = ()) -> View:
        """Return the view of seat 0, to which these actions are legal and which has this ask."""
        rows = [row if isinstance(row, Legal) else Legal(row) for row in actions]
        return View(
            rev=20, turn=self.turn, turn_no=self.turn_no, phase=self.phase, top="turn", seats=self._seats(),
            fight=self.fight, window=self.window, deciding=[], offers=self.offers, doors=40, doors_out=3, door_top=0,
            treasures=40, treasures_out=3, treasure_top=0, pool=[], limbo=[], win_level=10, winners=[], why_won="",
            you=You(0, self.hand, [], list(asks), rows),
        )  # fmt: skip

    def _seats(self) -> list[SeatView]:
        strong = self.strengths or list(self.levels)
        return [
            SeatView(seat, level, self.hands[seat], False, False, "", self.tables[seat], [], [], strong[seat], self.run)
            for seat, level in enumerate(self.levels)
        ]


def ask(kind: str, *options: int, lo: int = 1, hi: int = 1, card: int = -1, texts: tuple[str, ...] = ()) -> Ask:
    """Return an ask of the bot's seat."""
    return Ask(1, 0, kind, list(options), lo, hi, card, list(texts))


def brain(level: str = "normal", seed: int = 1) -> Brain:
    """Return a new bot."""
    return Brain(CATALOG, level, random.Random(seed), VALUES)


def decided(view: View, level: str = "normal") -> Action | None:
    """Return the action of a new bot on this view."""
    return brain(level).decide(Observation(view))


def somebody(**traits: float) -> Personality:
    """Return a personality with average traits except for these."""
    return Personality("some", "Some", "is somebody", **(EVEN | traits))


def bot(events: Sequence[ev.AnyEvent] = (), **traits: float) -> Brain:
    """Return a normal bot with these traits that has observed these events."""
    made = Brain(CATALOG, "normal", random.Random(1), VALUES, somebody(**traits))
    made.observe(events)
    return made


def act(view: View, events: Sequence[ev.AnyEvent] = (), **traits: float) -> Action | None:
    """Return the action on this view of a normal bot with these traits that has observed these events."""
    return bot(events, **traits).decide(Observation(view))
