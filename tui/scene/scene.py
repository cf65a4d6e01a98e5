"""Everything the screen is drawn from at one moment: the view, the table, the log, and where the player's eyes are."""

from dataclasses import dataclass, field
from functools import cached_property

from core.language.catalog import Catalog
from core.language.definition import Def
from core.language.schema import Card
from core.state.model import defn_of
from core.view import FightView, SeatView, View, You
from netcode.protocol.wire import TableInfo, Timers
from tui.scene import card_text as words
from tui.scene.cells import UNICODE, Glyphs
from tui.scene.lexicon import Lexicon

LETTERS = "ABCDEFGHIJKL"
FIRST_CARD = 16 * 4096
"""Ids below this are no cards (see core.state.model.card_id: serials begin at 1) but seats or places in a list."""


@dataclass(frozen=True)
class LogLine:
    """One line of what happened. kind: event, turn (a turn begins), talk, note (from the client itself)."""

    text: str
    kind: str = "event"
    step: str = ""


@dataclass(frozen=True)
class Scene:
    """One moment at the table as this seat (-1: a spectator) sees it. cursor: index in the hand laid out by `hand`."""

    catalog: Catalog
    info: TableInfo
    view: View
    me: int = -1
    glyphs: Glyphs = UNICODE
    log: tuple[LogLine, ...] = ()
    timers: Timers = field(default_factory=Timers)
    cursor: int = 0
    auto: bool = False
    lag_ms: int = -1
    offline: str = ""
    """Why there is no connection to the host just now; empty if there is one."""
    past: bool = False
    """A recorded moment: there is something to read, and nothing to do."""

    # ------------------------------------------------------------------------------------------------------- seats
    @property
    def you(self) -> You | None:
        return self.view.you

    @property
    def fight(self) -> FightView | None:
        return self.view.fight

    def seat(self, seat: int) -> SeatView:
        """The public side of a seat."""
        return self.view.seats[seat]

    def name(self, seat: int) -> str:
        """The player's own name."""
        seats = self.info.seats
        return (seats[seat].name if 0 <= seat < len(seats) else "") or f"Seat {letter(seat)}"

    def label(self, seat: int) -> str:
        """Letter and name: `B Bo`."""
        return f"{letter(seat)} {self.name(seat)}"

    def who(self, seat: int) -> str:
        """`you`, or letter and name."""
        return "you" if seat == self.me and seat >= 0 else self.label(seat)

    def names(self) -> list[str]:
        """Every seat's name, in order."""
        return [self.name(seat) for seat in range(len(self.view.seats))]

    def humans(self) -> int:
        """Seats taken by people (whoever sits in for them at the moment)."""
        return sum(1 for seat in self.info.seats if seat.state not in ("bot", "open"))

    @property
    def sat_in(self) -> bool:
        """A bot sits in for this player until the next key."""
        return 0 <= self.me < len(self.info.seats) and self.info.seats[self.me].state == "away"

    @property
    def solo(self) -> bool:
        """One person at the table: no clock."""
        return self.info.solo or self.humans() <= 1

    # ------------------------------------------------------------------------------------------------------- cards
    def card(self, card: int) -> Card:
        """The definition behind a card's id."""
        return self.defn(defn_of(card))

    def defn(self, number: int) -> Card:
        """The definition with this number."""
        return self.catalog.cards[number].card

    def full(self, card: int) -> Def:
        """The definition behind a card's id, with its text compiled (what every Ally can do included)."""
        return self.catalog.cards[defn_of(card)]

    def title(self, card: int) -> str:
        """A card's printed name."""
        return self.card(card).name

    @cached_property
    def lexicon(self) -> Lexicon:
        """What the sets in play call things."""
        return Lexicon(self.catalog)

    def brief(self, card: int) -> str:
        """A card's kind and main figure."""
        return words.brief(self.card(card), self.lexicon.of(self.full(card)))

    def facts(self, card: int) -> str:
        """A card's printed figures."""
        return words.facts(self.card(card), self.lexicon.of(self.full(card)))

    def paragraphs(self, card: int) -> list[str]:
        """A card in full."""
        return words.paragraphs(
            self.full(card), self.lexicon.of(self.full(card)), self.catalog.switches.special_any_time
        )  # fmt: skip

    def hand(self) -> list[int]:
        """The own hand as laid out on the screen: by kind, then name; empty for a spectator."""
        if self.you is None:
            return []
        return sorted(self.you.hand, key=lambda card: (_RANK.get(self.card(card).kind, 9), self.title(card), card))

    def selected(self) -> int:
        """The card under the cursor, 0 if there is none."""
        hand = self.hand()
        return hand[min(self.cursor, len(hand) - 1)] if hand else 0

    def monster(self, ident: int) -> str:
        """A monster's name in this fight; several of one name are numbered."""
        if self.fight is None:
            return "a monster"
        same = [m.id for m in self.fight.monsters if m.defn == defn_of(ident)]
        for group in self.fight.monsters:
            if group.id == ident:
                same = [m.id for m in self.fight.monsters if m.defn == group.defn]
                name = self.defn(group.defn).name
                return f"{name} #{same.index(ident) + 1}" if len(same) > 1 else name
        return self.defn(defn_of(ident)).name if ident >= FIRST_CARD else "a monster"


_RANK = {"identity": 0, "double": 1, "item": 2, "cheat": 3, "hireling": 4, "level": 5, "special": 6, "curse": 7}
_RANK |= {"enhancer": 8, "wandering": 9, "monster": 10, "ally": 2, "upgrade": 3}


def letter(seat: int) -> str:
    """A seat's letter, A for the first; `-` for nobody."""
    return LETTERS[seat] if 0 <= seat < len(LETTERS) else "-"
