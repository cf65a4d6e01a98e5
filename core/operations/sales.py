"""Sales of Items for Levels: the price of a Level, who may gain one, what counts twice, and how a sale is carried out
(item.sell)."""

from collections.abc import Sequence

from core.language.schema import SellDouble
from core.operations.players import change_level
from core.queries.capacity import worth
from core.queries.modifiers import mods_of
from core.state.events import SoldDouble
from core.state.game import Game, to_discard
from core.state.model import Zone
from core.state.reader import Reader

PRICE = 1000
"""The Gold Pieces that each Level costs (item.sell)."""


def may_gain_by_sale(g: Reader, seat: int) -> bool:
    """Return whether a seat may gain a Level by a sale: never the winning one (item.sell-not-10)."""
    return g.state.seats[seat].level < g.state.options.win_level - 1


def doublings_left(g: Reader, seat: int) -> int:
    """Return how many Items of this turn may still count twice, one for each card that allows it
    (item.sell-doubled)."""
    return max(0, len(mods_of(g, seat, SellDouble)) - g.state.turn.doubled)


def sale_total(g: Reader, cards: Sequence[int], twice: Sequence[int]) -> int:
    """Return the value of a sale, in Gold Pieces. twice: the cards that count twice."""
    return sum([worth(g, card) for card in (*cards, *twice)])


def most_by_sale(g: Reader, seat: int, cards: Sequence[int]) -> int:
    """Return the highest value that a sale of all these Items could have, in Gold Pieces."""
    worths = sorted([worth(g, card) for card in cards], reverse=True)
    return sum(worths) + sum(worths[: doublings_left(g, seat)])


def sell(g: Game, seat: int, cards: Sequence[int], twice: Sequence[int]) -> None:
    """Discard Items for Levels; Gold Pieces left over are lost (item.sell, item.sell-near-10). twice: the Items that
    count twice."""
    total = sale_total(g, cards, twice)
    for card in twice:
        g.emit(SoldDouble(seat, card))
    for card in cards:
        zone = "hand" if card in g.state.seats[seat].hand else "table"
        to_discard(g, card, Zone(zone, seat), "sold", seat)
    change_level(g, seat, total // PRICE, "the sale")
