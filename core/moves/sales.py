"""Selling Items for Levels: what a seat may sell now, and the sales it could make (item.sell)."""

from core.language.schema import SellDouble
from core.moves.timing import mode
from core.operations.sales import PRICE, may_gain_by_sale
from core.queries.conditions import in_combat
from core.queries.limits import sellable, worth
from core.queries.modifiers import forbidden, mods_of
from core.state.actions import Legal, Pick, Sell
from core.state.reader import Reader
from core.state.refusals import Clause


def sell_clause(g: Reader, seat: int, action: Sell) -> Clause | None:
    """Return the clause that forbids this sale."""
    clause = _seller_clause(g, seat)
    if clause:
        return clause
    allowed = sellable(g, seat)
    if len(set(action.cards)) != len(action.cards) or any(card not in allowed for card in action.cards):
        return "item.no-value-line"
    if action.doubled and (action.doubled not in action.cards or not _may_double(g, seat)):
        return "bad"
    if sale_total(g, action) < PRICE:
        return "item.sell"
    return _level_clause(g, seat)


def sale_total(g: Reader, action: Sell) -> int:
    """Return the value of a sale, in Gold Pieces; the Item named in `doubled` counts twice."""
    prices = {card: worth(g, card) for card in action.cards}
    return sum(prices.values()) + prices.get(action.doubled, 0)


def sale_rows(g: Reader, seat: int, out: list[Legal]) -> None:
    """Add the sales a seat could make: one with any Items, one for each Item that could count twice."""
    if _seller_clause(g, seat) or _level_clause(g, seat):
        return
    cards = sellable(g, seat)
    prices = tuple([worth(g, card) for card in cards])
    total = sum(prices)
    if total >= PRICE:
        out.append(Legal(Sell(()), Pick("cards", tuple(cards), 1, len(cards), PRICE, prices)))
    if 2 * total >= PRICE and _may_double(g, seat):
        for card, price in zip(cards, prices):
            if price and total + price >= PRICE:
                pick = Pick("cards", tuple(cards), 1, len(cards), max(PRICE - price, 0), prices)
                out.append(Legal(Sell((), card), pick))


def _seller_clause(g: Reader, seat: int) -> Clause | None:
    """Return the clause that forbids this seat all sales now: it is not its turn, or it is in combat (item.sell)."""
    if in_combat(g, seat):
        return "when.no-combat-changes"
    if g.state.turn.seat != seat or mode(g) not in ("open", "settle"):
        return "item.sell"
    return "card" if forbidden(g, "sell", seat) else None


def _level_clause(g: Reader, seat: int) -> Clause | None:
    return None if may_gain_by_sale(g, seat) else "item.sell-not-10"


def _may_double(g: Reader, seat: int) -> bool:
    """Return whether one more Item of this turn may count twice."""
    return g.state.turn.doubled < len(mods_of(g, seat, SellDouble))
