"""Verbs by which one seat alone learns cards: looking at the top of a deck, and passing whole hands on."""

from core.effects.common import WAIT, Handler, ask, ctx_of
from core.language import schema as v
from core.language.compiler import Ins
from core.language.selectors import PEEK_MOST
from core.queries.conditions import amount, laying_out, seats_of
from core.state.events import Fizzled, HandsPassed, Peeked, Reordered
from core.state.game import Game, draw, to_discard, top_of
from core.state.model import Program, Zone, card_id, deck_card, defn_of, place_in_deck


def _peek(g: Game, f: Program, ins: Ins, op: v.Peek) -> int:
    """Show a seat the top cards of a deck, then let it choose among them (cards.peek).

    Everybody learns at once that it looked. The step of the frame records that, because the handler starts again
    after the answer. The number of cards alone decides whether it is asked.
    """
    who = seats_of(g, op.who, ctx_of(g, f))[:1]
    count = min(amount(g, op.count, ctx_of(g, f)), PEEK_MOST)
    if not who or count <= 0:
        return ins.skip
    cards = top_of(g, op.deck, count)
    if not cards:
        if not op.else_:
            g.emit(Fizzled(-1, -1, f"both {op.deck} piles are empty"))
        return ins.fail
    if f.step != "looked":
        g.emit(Peeked(who[0], op.deck, len(cards), cards))
    f.step = "looked"
    picks = _chosen(g, f, op, who[0], [deck_card(place, defn) for place, defn in enumerate(cards)])
    if picks is None:
        return WAIT
    f.step = ""
    places = [place_in_deck(pick) for pick in picks]
    if places and (op.may == "under" or places != [0]):
        g.emit(Reordered(who[0], op.deck, len(places), places, op.may == "under"))
    if op.may == "take":
        draw(g, who[0], op.deck, 1)
    elif op.may == "discard" and picks:
        to_discard(g, card_id(0, 0, defn_of(picks[0])), Zone(f"{op.deck}-pile"), "discarded", who[0])
    return ins.ok


def _chosen(g: Game, f: Program, op: v.Peek, seat: int, cards: list[int]) -> list[int] | None:
    """Return the cards that a seat moves; None while it is asked."""
    if op.may == "under":
        return ask(g, f, seat, "under", cards, 0, len(cards))
    if op.may == "discard":
        return ask(g, f, seat, "throw away", cards, 0, 1)
    return ask(g, f, seat, "take", cards) if op.may == "take" else []


def _pass_hands(g: Game, f: Program, ins: Ins, op: v.PassHands) -> int:
    """Pass every living player's hand on. The cards get new ids, and their order does not tell when they were drawn
    (cards.pass-hands)."""
    seats = g.state.seats
    alive = [no for no, seat in enumerate(seats) if not seat.dead]
    step = 1 if op.to == "left" else -1
    hands: list[list[int]] = [[] for _ in seats]
    for at, giver in enumerate(alive):
        taker = alive[(at + step) % len(alive)]
        defns = sorted(defn_of(card) for card in seats[giver].hand)
        hands[taker] = [card_id(seats[taker].serial + n, taker + 1, defn) for n, defn in enumerate(defns)]
    if len(alive) < 2 or not any(hands) or laying_out(g):
        g.emit(Fizzled(-1, f.defn, "there is no hand to pass on"))
    else:
        g.emit(HandsPassed(op.to, hands))
    return ins.ok


DECK_VERBS: dict[type, Handler] = {v.Peek: _peek, v.PassHands: _pass_hands}
