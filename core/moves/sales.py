"""Selling Items for Levels: what a seat may sell now, and the sales it could make (item.sell)."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, islice

from core.moves.timing import Moment, mode, moment
from core.operations.sales import PRICE, doublings_left, may_gain_by_sale, sale_total
from core.queries.cache import ROWS, cached_by_gear
from core.queries.capacity import sellable
from core.queries.conditions import value_of
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


def sale_rows(g: Reader, seat: int, at: Moment, out: list[Legal]) -> None:
    """Add the sales a seat could make: one with any Items, one for each Item or set of Items that could count twice."""
    if not at.own_turn or _moment_clause(at):
        return
    cards, prices = _priced(g, seat)
    held = [card for card in g.state.seats[seat].hand if g.cat.cards[card & DEFN_MASK].is_item]
    if held:
        cards = (*cards, *held)
        prices = (*prices, *[g.cat.cards[card & DEFN_MASK].card.value or 0 for card in held])
    if 2 * sum(prices) >= PRICE and not (forbidden(g, "sell", seat) or _level_clause(g, seat)):
        out += _sales_of(cards, prices, doublings_left(g, seat))


@cached_by_gear
def _priced(g: Reader, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the Items in play in front of a seat that it could sell, and what each is worth."""
    cards = g.cat.cards
    there = [entry.card for entry in g.state.seats[seat].table if cards[entry.card & DEFN_MASK].is_item]
    return tuple(there), tuple([value_of(g, seat, card) for card in there])


@lru_cache(maxsize=ROWS)
def _sales_of(cards: tuple[int, ...], prices: tuple[int, ...], doublings: int) -> list[Legal]:
    """Return the sales that can be made of these Items. twice: how many of them may count twice."""
    out = []
    total = sum(prices)
    if total >= PRICE:
        out.append(Legal(Sell(()), Pick("cards", cards, 1, len(cards), PRICE, prices)))
    if not doublings or total + sum(sorted(prices, reverse=True)[:doublings]) < PRICE:
        return out
    price_of = dict(zip(cards, prices))
    for twice in _ways_to_double(sorted(card for card in cards if price_of[card]), doublings):
        added = sum([price_of[card] for card in twice])
        if total + added >= PRICE:
            pick = Pick("cards", cards, len(twice), len(cards), max(PRICE - added, 0), prices)
            out.append(Legal(Sell((), twice[0], twice[1:]), pick))
    return out


def _ways_to_double(cards: list[int], most: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of these cards that may count twice: each card by itself, then several of them."""
    yield from combinations(cards, 1)
    several = (ways for size in range(2, most + 1) for ways in combinations(cards, size))
    yield from islice(several, MOST_DOUBLED)


def _seller_clause(g: Reader, seat: int) -> Clause | None:
    """Return the clause that forbids this seat all sales now."""
    return _moment_clause(moment(g, seat, mode(g))) or ("no sale" if forbidden(g, "sell", seat) else None)


def _moment_clause(at: Moment) -> Clause | None:
    """Return the clause that forbids sales at a moment: it is not the turn of the seat, or it is in combat
    (item.sell)."""
    if at.in_combat:
        return "when.no-combat-changes"
    return None if at.own_turn and at.mode in ("open", "settle") else "item.sell"


def _level_clause(g: Reader, seat: int) -> Clause | None:
    return None if may_gain_by_sale(g, seat) else "item.sell-not-10"
