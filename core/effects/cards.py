"""Verbs that move cards: discard, take, swap, draw, recover from the discards, look at a hand, exchange an identity."""

from core.effects.common import WAIT, Handler, ask, ctx_of, picked
from core.language import schema as v
from core.language.compiler import Ins
from core.operations.players import carried_by, lift, lose_carried
from core.queries.capacity import can_carry, exchanges, identity_clause
from core.queries.conditions import amount, seats_of, select
from core.queries.identities import identities
from core.queries.lookup import locate
from core.state.events import NOTHING_TO_LOSE, Fizzled, Shown
from core.state.game import Game, draw, to_discard, to_hand, to_table
from core.state.model import Program, Zone, card_id, defn_of
from core.state.reader import seat_with_card


def _discard(g: Game, f: Program, ins: Ins, op: v.Discard) -> int:
    cards = picked(g, f, op.cards, "lose")
    if cards is None:
        return WAIT
    for card in cards:
        if not op.kills and _takes_away(g, f, card):
            lose_carried(g, seat_with_card(g, card), card)
        _lose(g, card)
    if not cards and not op.else_:
        owners = seats_of(g, op.cards.of, ctx_of(g, f))
        g.emit(Fizzled(owners[0] if len(owners) == 1 else f.victim, f.defn, NOTHING_TO_LOSE))
    return ins.ok if cards else ins.fail


def _takes_away(g: Game, f: Program, card: int) -> bool:
    """Return whether this text takes an Ally from its player (a curse, Bad Stuff, or a card of somebody else); a card
    of the player's own only lets the Ally go (self.ally-items)."""
    owner = seat_with_card(g, card) if g.of(card).kind == "ally" else -1
    return owner >= 0 and (owner != f.you or g.cat.cards[f.defn].kind in _HOSTILE)


_HOSTILE = ("curse", "monster", "enhancer", "seal")
"""Kinds of card whose text strikes a player, even the player of the card."""


def _lose(g: Game, card: int) -> None:
    """Discard a card from wherever a player has it. If it is a curse, its lasting effect ends."""
    zone = locate(g, card)
    if zone.name == "lasting":
        for index, lasting in enumerate(g.state.seats[zone.seat].lasting):
            if lasting.card == card:
                lift(g, zone.seat, index, "lost")
                return
    if zone.name:
        to_discard(g, card, zone, "lost", zone.seat)


def _take(g: Game, f: Program, ins: Ins, op: v.Take) -> int:
    takers = seats_of(g, op.to, ctx_of(g, f))
    if not takers:
        return ins.fail
    owner, chooser = (seats_of(g, who, ctx_of(g, f))[:1] for who in (op.cards.of, op.cards.by or op.cards.of))
    gift = f"give for {takers[0]}" if chooser == owner and len(takers) == 1 else "give"
    kind = "take" if set(chooser) & set(takers) else gift
    cards = picked(g, f, op.cards, kind)
    if cards is None:
        return WAIT
    moved = False
    for i, card in enumerate(cards):
        moved = _give(g, card, takers[i % len(takers)], op.into) or moved
    return ins.ok if moved else ins.fail


def _give(g: Game, card: int, to: int, into: str) -> bool:
    """Give a card to a seat; a card that the seat cannot carry is discarded. Return whether the card moved.

    Only the two seats know a card that goes from hand to hand.
    """
    zone = locate(g, card)
    if not zone.name or zone.seat == to or g.state.seats[to].dead:
        return False
    if into == "hand":
        along = carried_by(g, zone.seat, card) if g.of(card).kind == "ally" else []
        for moved in (card, *along):
            to_hand(g, moved, zone, to, "taken", hidden=zone.name == "hand")
    elif not can_carry(g, to, [card], []):
        to_discard(g, card, zone, "lost", zone.seat)
    else:
        to_table(g, card, zone, to, "taken", up=False)
    return True


def _swap(g: Game, f: Program, ins: Ins, op: v.Swap) -> int:
    """Exchange one Item of each selector; both or neither moves (item.swap).

    An Item picked at random is picked last, because a question would start the handler, and so the draw, again.
    """
    ctx, by_chance = ctx_of(g, f), op.cards.pick == "random"
    first, second = (op.for_, op.cards) if by_chance else (op.cards, op.for_)
    pairs = list(exchanges(g, select(g, first, ctx), select(g, second, ctx)))
    ones = _of_exchange(g, f, first, [one for one, _ in pairs], [other for _, other in pairs])
    if ones is None:
        return WAIT
    others = _of_exchange(g, f, second, [other for one, other in pairs if one in ones], ones)
    if others is None:
        return WAIT
    if not ones or not others:
        if not op.else_:
            g.emit(Fizzled(-1, f.defn, "nothing can be swapped"))
        return ins.fail
    owners = [seat_with_card(g, card) for card in (ones[0], others[0])]
    to_table(g, ones[0], Zone("table", owners[0]), owners[1], "swapped", up=False)
    to_table(g, others[0], Zone("table", owners[1]), owners[0], "swapped", up=False)
    return ins.ok


def _of_exchange(
    g: Game, f: Program, cards: v.Cards, there: list[int], others: list[int]
) -> list[int] | None:  # fmt: skip
    """Return the Item among these (there) that a selector picks: an empty list if there is none, None while somebody
    chooses.

    others: the Items it may be exchanged for. If the chooser owns some of these, the chooser gets the Item; otherwise
    its owner gives it away.
    """
    there = list(dict.fromkeys(there))
    chooser = set(seats_of(g, cards.by or cards.of, ctx_of(g, f))[:1])
    owners, takers = ({seat_with_card(g, card) for card in some} for some in (there, others))
    gift = f"give for {min(takers)}" if chooser == owners and len(takers) == 1 else "give"
    kind = "take" if chooser & takers - owners else gift
    return picked(g, f, cards, kind, there)


def _draw(g: Game, f: Program, ins: Ins, op: v.Draw) -> int:
    ctx = ctx_of(g, f)
    for seat, count in [(seat, amount(g, op.count, ctx, -1, [seat])) for seat in seats_of(g, op.who, ctx)]:
        draw(g, seat, op.deck, count, op.face_up)
    return ins.ok


def _recover(g: Game, f: Program, ins: Ins, op: v.Recover) -> int:
    who = seats_of(g, op.who, ctx_of(g, f))
    if not who:
        return ins.skip
    decks = ("door", "treasure") if op.deck == "either" else (op.deck,)
    piles = [_without(g.state.door_out if deck == "door" else g.state.treasure_out, f.paid) for deck in decks]
    tops = [pile[-1:] if op.pick == "top" else pile for pile in piles]
    options = sorted({defn for pile in tops for defn in pile if op.kind in (None, g.cat.cards[defn].kind)})
    picks = ask(g, f, who[0], "recover", options)
    if picks is None:
        return WAIT
    if not picks:
        g.emit(Fizzled(who[0], f.defn, "nothing to take from the discards"))
        return ins.ok
    deck = g.cat.cards[picks[0]].deck
    to_hand(g, card_id(0, 0, picks[0]), Zone(deck), who[0], "recovered")
    return ins.ok


def _without(pile: list[int], paid: list[int]) -> list[int]:
    """Return a discard pile without the cards that were paid for this text (self.price-stays-paid)."""
    left = pile[:]
    for defn in reversed(paid):
        if defn in left:
            del left[len(left) - 1 - left[::-1].index(defn)]
    return left


def _look(g: Game, f: Program, ins: Ins, op: v.Look) -> int:
    for at in seats_of(g, op.at, ctx_of(g, f)):
        for seat in seats_of(g, op.who, ctx_of(g, f)):
            hand = sorted(defn_of(card) for card in g.state.seats[at].hand)
            g.emit(Shown(at, seat, hand))
            f.seen[seat] = [*f.seen.get(seat, ()), *g.state.seats[at].hand]
    return ins.ok


def _swap_identity(g: Game, f: Program, ins: Ins, op: v.SwapIdentity) -> int:
    """Each seat chooses the identity that it gives up, then all seats exchange theirs."""
    given_up: list[tuple[int, list[int]]] = []
    for seat in seats_of(g, op.who, ctx_of(g, f)):
        picks = ask(g, f, seat, "give up", [entry.card for entry in identities(g, seat, op.identity)])
        if picks is None:
            return WAIT
        given_up.append((seat, picks))
    for seat, cards in given_up:
        if cards:
            _exchange(g, seat, cards[0], op.identity)
        else:
            g.emit(Fizzled(seat, f.defn, "nothing to change"))
    return ins.ok


def _exchange(g: Game, seat: int, card: int, kind: str) -> None:
    """Discard an identity and replace it with the topmost other one of its kind in the Door discards that fits."""
    pile = list(reversed(g.state.door_out))
    to_discard(g, card, Zone("table", seat), "lost", seat)
    for defn in pile:
        found = g.cat.cards[defn]
        if found.kind == "identity" and found.card.identity == kind and not identity_clause(g, seat, found):
            to_table(g, card_id(0, 0, defn), Zone("door"), seat, "put on")
            return


CARD_VERBS: dict[type, Handler] = {
    v.Discard: _discard, v.Take: _take, v.Swap: _swap, v.Draw: _draw, v.Recover: _recover, v.Look: _look,
    v.SwapIdentity: _swap_identity,
}  # fmt: skip
