"""How bots differ: one set of numbers for each level, and what a bot remembers between decisions."""

from dataclasses import dataclass, field

from netcode.bots.combat_moves import Move
from netcode.bots.gear import Wardrobe


@dataclass(frozen=True, slots=True)
class Style:
    """bargains: asks for help and weighs offers · sells, abilities, curses, guards: does these things at all ·
    interferes: how many points a spoiled rival fight must bring for each point of card spent (0: only match point) ·
    spends: the like for winning one's own fight · price: share of a prize that it asks for help · margin: strength to
    spare before it looks for trouble · treasure: points it counts a Treasure · sale: points it gives for a level ·
    bold: at match point it looks for trouble with one-shots in reserve · pays: share of the Treasures that it gives for
    help at most · volunteers: offers its help unasked · weighs: reckons with the cards that rivals may still throw."""

    bargains: bool = True
    sells: bool = True
    abilities: bool = True
    curses: bool = True
    guards: bool = True
    interferes: float = 1.6
    spends: float = 1.0
    price: float = 1.0
    margin: float = 1.0
    treasure: float = 5.0
    sale: float = 9.0
    bold: bool = False
    pays: float = 0.5
    volunteers: bool = False
    weighs: bool = False


STYLES = {
    "easy": Style(bargains=False, abilities=False, guards=False, interferes=0.0, margin=2.0),
    "normal": Style(),
    "hard": Style(interferes=1.3, price=1.15, sale=3.0, bold=True, volunteers=True, weighs=True),
}


@dataclass(slots=True)
class Memory:
    """What a bot remembers so that it neither loops nor stalls, forgotten with the turn or the fight; and what it need
    not work out anew as long as it is the same: wardrobe, moves."""

    turn_no: int = -1
    fight_no: int = -1
    flipped: set[int] = field(default_factory=set)
    tried: set[tuple[int, ...]] = field(default_factory=set)
    asked: dict[int, int] = field(default_factory=dict)
    """By seat: the most Treasures offered to it for help in this fight."""
    refused: set[int] = field(default_factory=set)
    """Seats that will not help in this fight for what I would give."""
    rounds: int = 0
    """Offers and counter-offers made in this fight."""
    waits: int = 0
    """Decisions spent waiting for an answer to my offers."""
    waiting: bool = False
    """The last decision was to wait for an answer."""
    acts: int = 0
    """Free actions of this turn."""
    wardrobe: Wardrobe | None = None
    """My gear when last it was gone through."""
    seen: tuple[object, ...] = ()
    """What my moves in a fight of mine hang on, as it was at the last of them."""
    moves: list[Move] = field(default_factory=list)
    steps: list[Move] | None = None
    """Those that win the fight, if that was asked."""

    def look(self, turn_no: int, fight_no: int) -> None:
        """Forget what belonged to another turn or fight."""
        if turn_no != self.turn_no:
            self.turn_no = turn_no
            self.acts = 0
            self.flipped.clear()
            self.tried.clear()
        if fight_no != self.fight_no:
            self.fight_no = fight_no
            self.asked.clear()
            self.refused.clear()
            self.rounds = self.waits = 0
