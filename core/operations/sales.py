"""Sales of Items for Levels: the price of a Level, who may gain one by a sale, and carrying a sale out (item.sell)."""

from core.operations.players import change_level
from core.state.game import Game, to_discard
from core.state.model import Zone
from core.state.reader import Reader

PRICE = 1000
"""Gold Pieces that a sale must reach for each Level (item.sell)."""


def may_gain_by_sale(g: Reader, seat: int) -> bool:
    """Return whether a seat may gain a Level by a sale: never the winning one (item.sell-not-10)."""
    return g.state.seats[seat].level < g.state.options.win_level - 1


def sell(g: Game, seat: int, cards: list[int], total: int) -> None:
    """Discard Items for Levels, without change (item.sell, item.sell-near-10). total: what they are worth, in Gold
    Pieces."""
    for card in cards:
        zone = "hand" if card in g.state.seats[seat].hand else "table"
        to_discard(g, card, Zone(zone, seat), "sold", seat)
    change_level(g, seat, total // PRICE, "the sale")
