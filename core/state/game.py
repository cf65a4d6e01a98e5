"""A game that is played: emit events, draw and move cards, ask seats.

Every change goes through `Game.emit`. Functions that move a card give it a new id when it needs one (see model.py).
"""

from core.language.catalog import Catalog
from core.language.schema import Capacity
from core.state.apply import apply
from core.state.events import AnyEvent, Drew, Fizzled, Flipped, Moved, Noted, Shuffled, Turned
from core.state.model import Ask, Due, Frame, State, Zone, card_id, defn_of, laid_id
from core.state.reader import Reader
from core.state.rng import shuffled

HAND_MOST = 100
"""Nothing is drawn into a hand of this many cards (cards.hand-most): card texts may draw whole decks."""


class Game(Reader):
    """A game that is played: each event is applied to the state at once and kept for the players.

    It is a Reader too; nobody may use another Reader of the same state meanwhile. events: what has happened since it
    was made. touched: how many of these events have touched a part of the table. asked: how many questions the current
    effect has asked so far (core/effects/common.ask).
    """

    __slots__ = ("asked", "events", "touched")

    def __init__(self, cat: Catalog, state: State) -> None:
        Reader.__init__(self, cat, state)  # `super` costs as much as all the rest
        self.reads.rows.clear()
        self.events: list[AnyEvent] = []
        self.touched = 0
        self.asked = 0

    def emit(self, event: AnyEvent) -> None:
        """Apply an event and keep it."""
        self.touched += apply(self.state, event)
        self.events.append(event)

    def note(self, what: str, seat: int) -> None:
        """Note a consequence that the rules demand, unless it is noted already; the checkpoint works it off."""
        if Due(what, seat) not in self.state.pending:
            self.emit(Noted(what, seat))


# ---------------------------------------------------------------------------------------------------------- piles
def refill(g: Game, deck: str) -> bool:
    """Shuffle the discards into a new deck if it is empty (cards.reshuffle); return False if they are empty too
    (cards.both-empty)."""
    s = g.state
    pile, out = (s.door, s.door_out) if deck == "door" else (s.treasure, s.treasure_out)
    if pile:
        return True
    if not out:
        g.emit(Fizzled(-1, -1, f"both {deck} piles are empty"))
        return False
    g.emit(Shuffled(deck, shuffled(s, out)))
    return True


def top_of(g: Game, deck: str, count: int) -> list[int]:
    """Return the definitions of the top cards of a deck, the top one first. If it has fewer than `count`, its discards
    are shuffled under it first (cards.reshuffle)."""
    s = g.state
    pile, out = (s.door, s.door_out) if deck == "door" else (s.treasure, s.treasure_out)
    if len(pile) < count and out:
        g.emit(Shuffled(deck, shuffled(s, out)))
    pile = s.door if deck == "door" else s.treasure
    return pile[::-1][:count]


def draw(g: Game, seat: int, deck: str, count: int, face_up: bool = False) -> int:
    """Draw cards into a hand, reshuffling whenever the deck is empty; return how many could be drawn.

    Nothing is drawn into a hand of HAND_MOST cards (cards.hand-most).
    """
    drawn, count = 0, min(count, HAND_MOST - len(g.state.seats[seat].hand))
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
    """Turn the top Door card face up, into limbo; return its id, or 0 if there is none."""
    if not refill(g, "door"):
        return 0
    card = card_id(g.state.serial, 0, g.state.door[-1])
    g.emit(Turned(seat, card))
    return card


def lay_out(g: Game, count: int) -> list[int]:
    """Lay Treasures face up for sharing, into limbo; return their ids, fewer than `count` if the deck ends."""
    cards: list[int] = []
    while len(cards) < count and refill(g, "treasure"):
        s = g.state
        card = card_id(s.serial, 0, s.treasure[-1])
        g.emit(Moved(card, card, "treasure-pile", -1, "limbo", -1, "laid out"))
        cards.append(card)
    return cards


# --------------------------------------------------------------------------------------------------------- movers
# frm: the zone a card leaves. why: the word for it in the event (see events.Moved). Each mover emits Moved, and the
# events that follow for cards attached to a card that leaves the table.
def to_discard(g: Game, card: int, frm: Zone, why: str, by: int = -1) -> None:
    """Discard a card. by: the seat that does it, -1 if none does."""
    g.emit(Moved(card, card, frm.name, frm.seat, g.of(card).deck, -1, why, by))
    if frm.name == "table":
        _detach(g, card, frm.seat)


def to_hand(g: Game, card: int, frm: Zone, seat: int, why: str, *, hidden: bool = False) -> int:
    """Move a card to a hand; return its new id. hidden: from another hand, so that only the two seats know the card."""
    new = card_id(g.state.seats[seat].serial, seat + 1, defn_of(card))
    g.emit(Moved(card, new, frm.name, frm.seat, "hand", seat, why, seat, hidden=hidden))
    if frm.name == "table":
        _detach(g, card, frm.seat)
    return new


def to_table(g: Game, card: int, frm: Zone, seat: int, why: str, *, on: int = 0, up: bool = True) -> int:
    """Put a card into play in front of a seat; return its id, a new one unless all have seen it before.

    on: the card it is attached to (0: none). up: equipped. While first cards are laid out, the others do not see it.
    """
    hidden = bool(g.state.stack) and g.state.turn.no == 0
    new = card
    if frm.name not in ("table", "limbo", "body"):
        fresh = laid_id(g.state.seats[seat].serial, seat, defn_of(card))
        new = fresh if hidden else card_id(g.state.serial, 0, defn_of(card))
    g.emit(Moved(card, new, frm.name, frm.seat, "table", seat, why, seat, on=on, up=up, hidden=hidden))
    if frm.name == "table" and frm.seat != seat:
        _follow(g, card, frm.seat, seat)
        _detach(g, card, frm.seat)
    return new


def _follow(g: Game, card: int, giver: int, taker: int) -> None:
    """Move what goes along with a card that changes hands: an Item's Enhancers (item.enhancer), and what an Ally
    carries (self.ally-items)."""
    is_ally = g.of(card).kind == "ally"
    for entry in list(g.state.seats[giver].table):
        if entry.on == card and (is_ally or g.of(entry.card).kind == "upgrade"):
            g.emit(Moved(entry.card, entry.card, "table", giver, "table", taker, "taken", taker, on=card, up=entry.up))
            _follow(g, entry.card, giver, taker)


def to_open(g: Game, card: int, frm: Zone, to: str, seat: int, why: str, *, on: int = 0, on_seat: int = -1) -> int:
    """Move a card to a zone that everybody sees (fight, limbo, lasting or body); return its id, a new one from a hand.

    seat: who does it, and whose zone it is. on: the group of monsters it is played on (0: none). on_seat: the seat it
    is played on (-1: none).
    """
    new = card if frm.name != "hand" else card_id(g.state.serial, 0, defn_of(card))
    g.emit(Moved(card, new, frm.name, frm.seat, to, seat, why, seat, on=on, on_seat=on_seat))
    if frm.name == "table":
        _detach(g, card, frm.seat)
    return new


def _detach(g: Game, card: int, seat: int) -> None:
    """Detach what lay on a card that left the table of this seat: Cheat! and Item Enhancers are discarded, a carried
    Item stays without a carrier. Items that an Ally made room for may stay too (self.ally-extra)."""
    if g.of(card).kind == "ally" and Capacity in g.of(card).by_type and g.state.turn.no:
        g.note("room", seat)
    for entry in list(g.state.seats[seat].table):
        if entry.on != card:
            continue
        if g.of(entry.card).kind in ("cheat", "upgrade"):
            to_discard(g, entry.card, Zone("table", seat), "lost")
        else:
            g.emit(Flipped(seat, entry.card, entry.up, 0))


# ----------------------------------------------------------------------------------------------------------- asks
def oblige(g: Game, frame: Frame, seat: int, kind: str) -> None:
    """Ask a seat to act by one of its own actions (kick, fight, ...; asks.BY_ACTION), in place of all other asks of the
    frame."""
    for ask in frame.asks:
        if ask.seat == seat and ask.kind == kind:
            frame.asks = [ask]
            return
    frame.asks = [_new_ask(g, Ask(0, seat, kind, [], 0, 0))]


def choose(
    g: Game, frame: Frame, seat: int, kind: str, options: list[int], *, lo: int = 1, hi: int = 1, card: int = -1,
    texts: list[str] | None = None,
) -> list[int] | None:  # fmt: skip
    """Return the options that a seat picks, lo to hi of them; None while it has not answered.

    card: the definition that asks, -1 for a procedure. texts: words for the options. Nobody is asked if there is no
    real choice: nothing can be picked, or everything must be picked.
    """
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
    frame.asks = [standing_ask(g, frame, seat, kind, options, lo=lo, hi=hi, card=card, texts=texts)]
    return None


def standing_ask(
    g: Game, frame: Frame, seat: int, kind: str, options: list[int], *, lo: int = 1, hi: int = 1, card: int = -1,
    texts: list[str] | None = None,
) -> Ask:  # fmt: skip
    """Return the ask of the frame with exactly this content; if there is none, a new ask with a new number."""
    for ask in frame.asks:
        if (ask.seat, ask.kind, ask.lo, ask.hi) == (seat, kind, lo, hi) and ask.options == options:
            return ask
    return _new_ask(g, Ask(0, seat, kind, options, lo, hi, card, texts or []))


def _new_ask(g: Game, ask: Ask) -> Ask:
    """Give an ask the next number of its seat."""
    seat = g.state.seats[ask.seat]
    seat.asked += 1
    ask.id = seat.asked
    return ask


def valid_picks(options: list[int], lo: int, hi: int, picks: list[int]) -> bool:
    """Return whether these picks are lo to hi different options."""
    return lo <= len(picks) <= hi and len(set(picks)) == len(picks) and all(pick in options for pick in picks)
