"""One game being played on: catalog, state and the events of this step, with the ways cards move.

Everything that changes the game goes through `emit`. Movers take care of new ids (see model.py).
"""

from core.language.catalog import Catalog
from core.language.schema import Capacity
from core.state.apply import apply
from core.state.events import AnyEvent, Drew, Fizzled, Flipped, Moved, Noted, Shuffled, Turned
from core.state.model import Ask, Due, Frame, State, card_id, defn_of, laid_id
from core.state.reader import Reader
from core.state.rng import shuffled


class Game(Reader):
    """A game that is played: each event is applied to the state at once and kept for the players.

    It is a Reader too, but its memo is None: its state changes. events: what has happened since it was made.
    checked: how many of these events had happened when last nobody had too much of anything, -1 if unknown.
    asked: how many questions the effect now carried out has asked so far (core/effects/common.ask).
    """

    __slots__ = ("asked", "checked", "events")

    def __init__(self, cat: Catalog, state: State) -> None:
        self.cat = cat
        self.state = state
        self.memo = None
        self.events: list[AnyEvent] = []
        self.checked = -1 if state.dirty else 0
        self.asked = 0

    def emit(self, event: AnyEvent) -> None:
        """Apply an event and keep it."""
        apply(self.state, event)
        self.events.append(event)

    def reader(self) -> Reader:
        """Return a Reader of the state as it is now, for several queries in a row; the next event ends its use."""
        return Reader(self.cat, self.state)

    def note(self, what: str, seat: int) -> None:
        """Note a consequence that the rules demand, once; the checkpoint works it off."""
        if Due(what, seat) not in self.state.pending:
            self.emit(Noted(what, seat))


# ---------------------------------------------------------------------------------------------------------- piles
def refill(g: Game, deck: str) -> bool:
    """An empty deck is made anew of its discards (cards.reshuffle). False if both are empty (cards.both-empty)."""
    s = g.state
    pile, out = (s.door, s.door_out) if deck == "door" else (s.treasure, s.treasure_out)
    if pile:
        return True
    if not out:
        g.emit(Fizzled(-1, -1, f"both {deck} piles are empty"))
        return False
    g.emit(Shuffled(deck, shuffled(s, out)))
    return True


def draw(g: Game, seat: int, deck: str, count: int, face_up: bool = False) -> int:
    """Draw cards into a hand, reshuffling in between if it must be. How many were there to draw."""
    drawn = 0
    while drawn < count and not g.state.seats[seat].dead and refill(g, deck):
        s = g.state
        pile = s.door if deck == "door" else s.treasure
        n = min(count - drawn, len(pile))
        first = s.seats[seat].serial
        cards = [card_id(first + i, seat + 1, pile[-1 - i]) for i in range(n)]
        g.emit(Drew(seat, deck, n, cards, face_up))
        drawn += n
    return drawn


def turn_up(g: Game, seat: int) -> int:
    """Turn the top Door card face up, into limbo; its id, or 0 if there is none."""
    if not refill(g, "door"):
        return 0
    card = card_id(g.state.serial, 0, g.state.door[-1])
    g.emit(Turned(seat, card))
    return card


def lay_out(g: Game, count: int) -> list[int]:
    """Treasures face up for sharing, into limbo."""
    cards: list[int] = []
    while len(cards) < count and refill(g, "treasure"):
        s = g.state
        card = card_id(s.serial, 0, s.treasure[-1])
        g.emit(Moved(card, card, "treasure-pile", -1, "limbo", -1, "laid out"))
        cards.append(card)
    return cards


# --------------------------------------------------------------------------------------------------------- movers
def to_discard(g: Game, card: int, frm: str, at: int, why: str, seat: int = -1) -> None:
    """A card goes to the discards of its deck; what is attached to it is discarded or freed with it."""
    deck = g.of(card).deck
    g.emit(Moved(card, card, frm, at, deck, -1, why, seat))
    if frm == "table":
        _detach(g, card, at)


def to_hand(g: Game, card: int, frm: str, at: int, seat: int, why: str, hidden: bool = False) -> int:
    """A card goes to a hand, under a new id."""
    new = card_id(g.state.seats[seat].serial, seat + 1, defn_of(card))
    g.emit(Moved(card, new, frm, at, "hand", seat, why, seat, hidden=hidden))
    if frm == "table":
        _detach(g, card, at)
    return new


def to_table(g: Game, card: int, frm: str, at: int, seat: int, why: str, on: int = 0, up: bool = True) -> int:
    """A card comes into play in front of a seat; from a hand under a new id."""
    hidden = bool(g.state.stack) and g.state.turn.no == 0
    new = card
    if frm not in ("table", "limbo", "body"):
        fresh = laid_id(g.state.seats[seat].serial, seat, defn_of(card))
        new = fresh if hidden else card_id(g.state.serial, 0, defn_of(card))
    g.emit(Moved(card, new, frm, at, "table", seat, why, seat, on=on, up=up, hidden=hidden))
    if frm == "table" and at != seat:
        _follow(g, card, at, seat)
        _detach(g, card, at)
    return new


def _follow(g: Game, card: int, at: int, seat: int) -> None:
    """An Item Enhancer travels with its Item (item.enhancer), what an Ally carries with the Ally (self.ally-items)."""
    with_ally = g.of(card).kind == "ally"
    for entry in list(g.state.seats[at].table):
        if entry.on == card and (with_ally or g.of(entry.card).kind == "upgrade"):
            g.emit(Moved(entry.card, entry.card, "table", at, "table", seat, "taken", seat, on=card, up=entry.up))
            _follow(g, entry.card, at, seat)


def to_open(
    g: Game, card: int, frm: str, at: int, to: str, seat: int, why: str, on: int = 0, on_seat: int = -1
) -> int:
    """A card goes to the combat or to limbo, known to all; from a hand under a new id. on_seat: whom it hits."""
    new = card if frm != "hand" else card_id(g.state.serial, 0, defn_of(card))
    g.emit(Moved(card, new, frm, at, to, seat, why, seat, on=on, on_seat=on_seat))
    if frm == "table":
        _detach(g, card, at)
    return new


def _detach(g: Game, card: int, seat: int) -> None:
    """What lay on a card that left: Cheat! and Item Enhancers are discarded, a carried Item stays, held by nobody. What
    an Ally made room for stays too (self.ally-extra)."""
    if g.of(card).kind == "ally" and Capacity in g.of(card).by_type and g.state.turn.no:
        g.note("room", seat)
    for entry in list(g.state.seats[seat].table):
        if entry.on != card:
            continue
        if g.of(entry.card).kind in ("cheat", "upgrade"):
            to_discard(g, entry.card, "table", seat, "lost")
        else:
            g.emit(Flipped(seat, entry.card, entry.up, 0))


# ----------------------------------------------------------------------------------------------------------- asks
def oblige(g: Game, frame: Frame, seat: int, kind: str) -> None:
    """Seat must act by an action of its own kind (kick, fight, ...)."""
    for ask in frame.asks:
        if ask.seat == seat and ask.kind == kind:
            frame.asks = [ask]
            return
    frame.asks = [_new_ask(g, seat, kind, [], 0, 0, -1, [])]


def choose(
    g: Game, frame: Frame, seat: int, kind: str, options: list[int], lo: int, hi: int, card: int = -1,
    texts: list[str] | None = None,
) -> list[int] | None:  # fmt: skip
    """lo..hi of the options as the seat answers; None while it has not. No real choice is never asked."""
    hi = min(hi, len(options))
    lo = min(lo, hi)
    if hi == 0 or lo == len(options):
        frame.asks, frame.answers = [], {}
        return options[:] if hi else []
    answer = frame.answers.get(seat)
    if answer is not None and valid_picks(options, lo, hi, answer):
        frame.asks, frame.answers = [], {}
        return answer
    frame.answers = {}
    frame.asks = [same_ask(g, frame, seat, kind, options, lo, hi, card, texts or [])]
    return None


def same_ask(
    g: Game, frame: Frame, seat: int, kind: str, options: list[int], lo: int, hi: int, card: int, texts: list[str]
) -> Ask:
    """The ask that stands already, if it is the same; otherwise a new one with a new id."""
    for ask in frame.asks:
        if (ask.seat, ask.kind, ask.lo, ask.hi) == (seat, kind, lo, hi) and ask.options == options:
            return ask
    return _new_ask(g, seat, kind, options, lo, hi, card, texts)


def _new_ask(
    g: Game, seat: int, kind: str, options: list[int], lo: int, hi: int, card: int, texts: list[str]
) -> Ask:
    who = g.state.seats[seat]
    who.asked += 1
    return Ask(who.asked, seat, kind, options, lo, hi, card, texts)


def valid_picks(options: list[int], lo: int, hi: int, picks: list[int]) -> bool:
    """lo..hi different ones of the options."""
    return lo <= len(picks) <= hi and len(set(picks)) == len(picks) and all(pick in options for pick in picks)
