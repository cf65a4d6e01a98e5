"""The data that the table screen draws at one moment: the view, the table, the log, the clocks, the cursor."""

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from core.knowledge.public_facts import run_bonuses, strengths
from core.language.catalog import Catalog
from core.language.definition import Def
from core.language.schema import Card
from core.state.forecasts import Forecast
from core.state.model import Bargain, defn_of
from core.state.views import FightView, SeatView, Term, View, You
from netcode.protocol.wire import KnockInfo, TableInfo, Timers, UndoInfo
from tui.config.keymap import USUAL_NAMES
from tui.portraits.pixels import Look, Portrait
from tui.scene import card_text as words
from tui.scene.acts import Act
from tui.scene.cells import UNICODE, Glyphs
from tui.scene.faces import Faces
from tui.scene.lexicon import Lexicon
from tui.scene.motion import STILL, Moving

FIRST_CARD = 16 * 4096
"""Card ids begin here (see core.state.model.card_id: serials begin at 1); lower numbers are seats or positions."""


Unasked = Literal["", "passes", "weighed", "left"]
"""Why a player is not asked about the open window: it is about to be passed for them, the hint is deciding that, or it
is left to its own time. Empty: they are asked, or no window is open (tui/menus/windows.py)."""


class LogLine(Struct, frozen=True):
    """One line of the log. kind: event, turn (a turn begins), talk, or note (from the client itself).

    step: turn and number of an event, as `3.12`; empty for other kinds. seat: who did or said it, or whose turn begins;
    -1: nobody. who: the words at the beginning of the text that name this seat, empty if it begins otherwise. amount,
    style: the number that matters, and its colour. said: the words of the text that repeat the amount. yours: it
    touches the reader, who did not do it. about: the name of the event (`level-changed`), which leads to its rules.
    just: it came with the newest events. act: it is a play into a fight. hits: it does something to another seat than
    the one that does it. then: what came of a die, as a sentence. bot: a bot did it for the reader, who was away.
    """

    text: str
    kind: str = "event"
    step: str = ""
    seat: int = -1
    who: str = ""
    amount: str = ""
    style: str = ""
    said: str = ""
    yours: bool = False
    about: str = ""
    just: bool = False
    act: bool = False
    hits: bool = False
    then: str = ""
    bot: bool = False


class Refused(Struct, frozen=True):
    """What was refused: what it was, the sentence of the refusal, its clause."""

    what: str
    text: str
    clause: str


class Scene(Struct, frozen=True, dict=True):
    """One moment at the table as seat `me` sees it (-1: a spectator). cursor: an index into `hand()`."""

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
    """Why there is no connection to the host; empty while there is one."""
    knocks: tuple[KnockInfo, ...] = ()
    """Who knocks, if this player decides for the table."""
    invitation: tuple[str, ...] = ()
    """The join strings for others, if they are known here."""
    muted: frozenset[int] = frozenset()
    """The seats (-1: the spectators) whose talk this player does not read."""
    portraits: Faces | None = None
    """The portraits of the cards in play, kept from scene to scene; None: made when one is asked for."""
    pixels: Look = Look.FULL
    """How portraits are drawn."""
    keys: Mapping[int, str] = field(default_factory=dict)
    """The digit of each card in hand that a digit uses now (see tui/menus/keyed.py)."""
    enters: bool = True
    """Whether ENTER does something with the card under the cursor: it does not where it hands in or confirms."""
    dead_keys: frozenset[int] = frozenset()
    """The cards in hand whose digits do nothing for a moment, since their meaning has just changed."""
    order: Mapping[int, int] = field(default_factory=dict)
    """The places of the cards in hand, which they keep; empty: they are sorted by kind and name."""
    replay: bool = False
    """Whether this is a moment of a recording: it can be read, but nothing can be done."""
    moving: Moving = STILL
    """What still moves towards its place in the view."""
    forecasts: tuple[Forecast, ...] = ()
    """What would come of this player's options (tui/scene/outlook.py); empty if the host does not say."""
    key_names: Mapping[str, str] = field(default_factory=lambda: USUAL_NAMES)
    """How the key of each binding is written, by the ids of the key map."""
    undo: UndoInfo | None = None
    """What an undo would take back, as the host says; None: nothing, or the host does not say."""
    words: str = ""
    """What others type to sit down by short words, or that these rest; "" if there are none here."""
    acts: tuple[Act, ...] = ()
    """What was done in the fight that is on, the oldest first."""
    since: tuple[LogLine, ...] = ()
    """What has happened since this player acted last, what matters most first."""
    unread: int = 0
    """How many lines of the log have come since this player acted last."""
    earlier: int = 0
    """How many lines of the log are of an earlier game."""
    unasked: Unasked = ""
    """Why this player is not asked about the open window."""
    dealings: tuple[tuple[str, str], ...] = ()
    """For each seat what it has done to this player in this game, and this player to it."""
    answers: tuple[str, ...] = ()
    """What has become of offers to and of this player since their last act, each as a sentence."""
    causes: Mapping[int, LogLine] = field(default_factory=dict)
    """How cards came into effect, by the numbers of their definitions (tui/scene/causes.py)."""
    fresh: frozenset[int] = frozenset()
    """The cards in hand that have come since the last key."""
    climbed: Mapping[int, int] = field(default_factory=dict)
    """By how much the Levels of seats have changed since the last key; those that have not are left out."""

    @cached_property
    def board(self) -> "Scene":
        """Return the scene without what only the hand, the prompt, the running clock and a seat's detail show of it
        (cursor, keys, enters, dead_keys, fresh, timers, dealings, answers, unasked, unread, earlier). The regions above
        the hand are drawn from this, and not again while it stays equal."""
        timers = Timers(pause=min(self.timers.pause, 1), waits=self.timers.waits)
        return replace(
            self, timers=timers, cursor=0, keys={}, enters=True, dead_keys=frozenset(), dealings=(), answers=(),
            unasked="", unread=0, earlier=0, fresh=frozenset(),
        )  # fmt: skip

    @cached_property
    def around(self) -> "Scene":
        """Return the board without the fields that only the stage and the log show, so that the head, the track and the
        seats are not drawn again for a card that changes a sum."""
        fight = self.fight
        if fight is not None:
            fight = replace(fight, heroes=0, foes=0, hero_terms=[], foe_terms=[])
        view, moving = replace(self.view, fight=fight), Moving(chips=self.moving.chips)
        return replace(
            self.board, view=view, moving=moving, log=(), forecasts=(), undo=None, acts=(), since=(), causes={}
        )

    # ------------------------------------------------------------------------------------------------------- seats
    @property
    def you(self) -> You | None:
        return self.view.you

    @property
    def fight(self) -> FightView | None:
        return self.view.fight

    def seat(self, seat: int) -> SeatView:
        """Return the public part of a seat."""
        return self.view.seats[seat]

    def name(self, seat: int) -> str:
        """Return the name of the player in a seat, or `Seat 1` if it has none."""
        seats = self.info.seats
        return called(seats[seat].name if 0 <= seat < len(seats) else "", seat)

    def marked(self, seat: int) -> str:
        """Return shape and name: `■ Bo`; `● You` for one's own seat."""
        name = "You" if seat == self.me and seat >= 0 else self.name(seat)
        return f"{shape(seat, self.glyphs.ascii)} {name}"

    def who(self, seat: int) -> str:
        """Return `you` for one's own seat, else the name."""
        return "you" if seat == self.me and seat >= 0 else self.name(seat)

    def offer(self, number: int) -> Bargain | None:
        """Return the open offer of this number."""
        return next((offer for offer in self.view.offers if offer.no == number), None)

    def names(self) -> list[str]:
        """Return the names of all seats, in order."""
        return [self.name(seat) for seat in range(len(self.view.seats))]

    def humans(self) -> int:
        """Return the number of seats that belong to people, including those for whom a bot plays now."""
        return sum(1 for seat in self.info.seats if seat.state not in ("bot", "open"))

    def people(self) -> list[int]:
        """Return the seats of people who have not given up, those who are away included."""
        return people_of(self.info)

    @property
    def away(self) -> bool:
        """Return whether a bot plays for this player until the next key."""
        return 0 <= self.me < len(self.info.seats) and self.info.seats[self.me].state == "away"

    @property
    def solo(self) -> bool:
        """Return whether only one person plays here, so that no clock runs."""
        return self.info.solo or self.humans() <= 1

    @cached_property
    def amounts(self) -> dict[tuple[int, int], int]:
        """Return what each card in play adds to the strength of its seat outside a fight, by seat and card."""
        found: dict[tuple[int, int], int] = {}
        for seat, terms in enumerate(strengths(self.catalog, self.view)):
            for term in terms:
                found[seat, term.card] = found.get((seat, term.card), 0) + term.by
        return found

    @cached_property
    def run_bonuses(self) -> list[list[Term]]:
        """Return for each seat what is added to its rolls to run away, outside a fight."""
        return run_bonuses(self.catalog, self.view)

    # ------------------------------------------------------------------------------------------------------- cards
    def card(self, card: int) -> Card:
        """Return a card as printed, by its id."""
        return self.printed(defn_of(card))

    def printed(self, number: int) -> Card:
        """Return a card as printed, by the number of its definition."""
        return self.catalog.cards[number].card

    def definition(self, card: int) -> Def:
        """Return the compiled definition of a card, by its id, including the ability that every Ally has."""
        return self.catalog.cards[defn_of(card)]

    def title(self, card: int) -> str:
        """Return a card's printed name."""
        return self.card(card).name

    @cached_property
    def lexicon(self) -> Lexicon:
        """Return the words of the sets in play."""
        return Lexicon(self.catalog)

    @cached_property
    def faces(self) -> Faces:
        """Return the portraits of the cards in play."""
        return self.portraits or Faces(self.catalog)

    def portrait(self, card: int) -> Portrait:
        """Return the portrait of a card, by its id or the number of its definition."""
        return self.faces.of(self.definition(card))

    def brief(self, card: int) -> str:
        """Return a card's kind and main figure: `monster L6`."""
        return words.brief(self.card(card), self.lexicon.of(self.definition(card)))

    def facts(self, card: int) -> str:
        """Return a card's printed figures, separated by commas."""
        return words.facts(self.card(card), self.lexicon.of(self.definition(card)))

    def paragraphs(self, card: int) -> list[str]:
        """Return a card in full, as paragraphs."""
        found = self.definition(card)
        return words.paragraphs(found, self.lexicon.of(found), self.catalog.switches.special_any_time)

    def hand(self) -> list[int]:
        """Return the player's hand in the order of the screen: a card keeps its place; new ones come by kind, then
        name. Empty for a spectator."""
        return list(self._sorted_hand)

    @cached_property
    def _sorted_hand(self) -> tuple[int, ...]:
        if self.you is None:
            return ()

        def order(card: int) -> tuple[int, int, str, int]:
            return self.order.get(card, LAST), _HAND_ORDER.get(self.card(card).kind, 9), self.title(card), card

        return tuple(sorted(self.you.hand, key=order))

    def selected(self) -> int:
        """Return the card under the cursor, 0 if there is none."""
        hand = self.hand()
        return hand[min(self.cursor, len(hand) - 1)] if hand else 0

    def monster(self, ident: int) -> str:
        """Return a monster's name in this fight; monsters of the same name are numbered."""
        if self.fight is None:
            return "a monster"
        for group in self.fight.monsters:
            if group.id == ident:
                same = [m.id for m in self.fight.monsters if m.defn == group.defn]
                name = self.printed(group.defn).name
                return f"{name} #{same.index(ident) + 1}" if len(same) > 1 else name
        return self.printed(defn_of(ident)).name if ident >= FIRST_CARD else "a monster"


def people_of(info: TableInfo) -> list[int]:
    """Return the seats of a table that belong to people."""
    return [seat for seat, one in enumerate(info.seats) if one.state in ("here", "lost", "away")]


LAST = 1_000
"""A place behind those of all cards in hand."""
_HAND_ORDER = {"identity": 0, "double": 1, "item": 2, "cheat": 3, "hireling": 4, "level": 5, "special": 6, "curse": 7}
_HAND_ORDER |= {"enhancer": 8, "wandering": 9, "monster": 10, "ally": 2, "upgrade": 3}


SHAPES = "●■◆▲★▼"
ASCII_SHAPES = "oxdt*v"
"""The shape of each seat, which tells it apart without colour."""


def shape(seat: int, ascii_only: bool = False) -> str:
    """Return the shape of a seat; `-` for no seat."""
    shapes = ASCII_SHAPES if ascii_only else SHAPES
    return shapes[seat % len(shapes)] if seat >= 0 else "-"


def seat_colour(seat: int) -> str:
    """Return the token of a seat's colour, `dim` for no seat."""
    return f"seat{seat % len(SHAPES) + 1}" if seat >= 0 else "dim"


def unready(info: TableInfo) -> list[int]:
    """Return the seats for which the host still waits before it begins: people, here or not, who are not ready."""
    return [at for at, seat in enumerate(info.seats) if seat.state != "open" and not seat.ready]


def unready_names(info: TableInfo) -> str:
    """Return who is not ready, by name, and who of them is offline."""
    seats = [info.seats[at] for at in unready(info)]
    return ", ".join(f"{seat.name} (offline)" if seat.state == "lost" else seat.name for seat in seats)


def called(name: str, seat: int) -> str:
    """Return the name of a player, or `Seat 1` for a seat without one."""
    return name or (f"Seat {seat + 1}" if seat >= 0 else "nobody")
