"""Selling Items for Levels: what a seat may sell now, and the sales it could make (item.sell)."""

from collections.abc import Iterator
from itertools import combinations, islice

from core.moves.timing import mode
from core.operations.sales import PRICE, doublings_left, may_gain_by_sale, sale_total
from core.queries.cache import cached_by_gear
from core.queries.conditions import in_combat, value_of
from core.queries.limits import sellable
from core.queries.modifiers import forbidden
from core.state.actions import Legal, Pick, Sell
from core.state.model import DEFN_MASK
from core.state.reader import Reader
from core.state.refusals import Clause

MOST_DOUBLED = 64
"""At most this many ways to name several Items that count twice are listed, though all are allowed."""


def sell_clause(g: Reader, seat: int, action: Sell) -> Clause | None:
    """Return the clause that forbids this sale."""
    clause = _seller_clause(g, seat)
    if clause:
        return clause
    allowed = sellable(g, seat)
    if len(set(action.cards)) != len(action.cards) or any(card not in allowed for card in action.cards):
        return "item.no-value-line"
    twice = action.twice
    named = list(twice) == sorted(set(twice)) and all(card in action.cards for card in twice)
    if not named or len(twice) > doublings_left(g, seat):
        return "item.sell-doubled"
    if sale_total(g, action.cards, twice) < PRICE:
        return "item.sell"
    return _level_clause(g, seat)


def sale_rows(g: Reader, seat: int, out: list[Legal]) -> None:
    """Add the sales a seat could make: one with any Items, one for each Item or set of Items that could count twice."""
    if _seller_clause(g, seat) or _level_clause(g, seat):
        return
    price_of = dict(_prices_in_play(g, seat))
    for card in g.state.seats[seat].hand:
        definition = g.cat.cards[card & DEFN_MASK]
        if definition.is_item:
            price_of[card] = definition.card.value or 0
    cards, prices = tuple(price_of), tuple(price_of.values())
    total = sum(prices)
    if total >= PRICE:
        out.append(Legal(Sell(()), Pick("cards", cards, 1, len(cards), PRICE, prices)))
    doublings = doublings_left(g, seat) if 2 * total >= PRICE else 0
    if not doublings or total + sum(sorted(prices, reverse=True)[:doublings]) < PRICE:
        return
    for twice in _ways_to_double(sorted(card for card in cards if price_of[card]), doublings):
        added = sum([price_of[card] for card in twice])
        if total + added >= PRICE:
            pick = Pick("cards", cards, len(twice), len(cards), max(PRICE - added, 0), prices)
            out.append(Legal(Sell((), twice[0], twice[1:]), pick))


@cached_by_gear
def _prices_in_play(g: Reader, seat: int) -> dict[int, int]:
    """Return the Items in play in front of a seat that it could sell, with what each is worth."""
    there = [entry.card for entry in g.state.seats[seat].table if g.of(entry.card).is_item]
    return {card: value_of(g, seat, card) for card in there}


def _ways_to_double(cards: list[int], most: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of these cards that may count twice: each card by itself, then several of them."""
    yield from combinations(cards, 1)
    several = (ways for size in range(2, most + 1) for ways in combinations(cards, size))
    yield from islice(several, MOST_DOUBLED)


def _seller_clause(g: Reader, seat: int) -> Clause | None:
    """Return the clause that forbids this seat all sales now: it is not its turn, or it is in combat (item.sell)."""
    if in_combat(g, seat):
        return "when.no-combat-changes"
    if g.state.turn.seat != seat or mode(g) not in ("open", "settle"):
        return "item.sell"
    return "no sale" if forbidden(g, "sell", seat) else None


def _level_clause(g: Reader, seat: int) -> Clause | None:
    return None if may_gain_by_sale(g, seat) else "item.sell-not-10"
