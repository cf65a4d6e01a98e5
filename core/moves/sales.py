"""Selling Items for Levels: what a seat may sell now, and the sales it could make (item.sell)."""

from collections.abc import Iterator
from itertools import combinations, islice

from core.moves.timing import mode
from core.operations.sales import PRICE, doublings_left, may_gain_by_sale, most_by_sale, sale_total
from core.queries.conditions import in_combat, value_of
from core.queries.limits import sellable
from core.queries.modifiers import forbidden
from core.state.actions import Legal, Pick, Sell
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
    cards = tuple(sellable(g, seat))
    prices = tuple([value_of(g, seat, card) for card in cards])
    total = sum(prices)
    if total >= PRICE:
        out.append(Legal(Sell(()), Pick("cards", cards, 1, len(cards), PRICE, prices)))
    if 2 * total < PRICE or most_by_sale(g, seat, cards) < PRICE:
        return
    price_of = dict(zip(cards, prices))
    for twice in _ways_to_double(sorted(card for card in cards if price_of[card]), doublings_left(g, seat)):
        added = sum([price_of[card] for card in twice])
        if total + added >= PRICE:
            pick = Pick("cards", cards, len(twice), len(cards), max(PRICE - added, 0), prices)
            out.append(Legal(Sell((), twice[0], twice[1:]), pick))


def _ways_to_double(cards: list[int], most: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of these cards that may count twice: each card by itself, then several of them."""
    yield from combinations(cards, 1 if most else 0) if most else ()
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
