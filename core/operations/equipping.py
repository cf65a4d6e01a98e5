"""Equip an Item in play, and make way for it."""

from core.queries.capacity import capacity, exempt, keeps_room
from core.queries.conditions import equipped, laying_out
from core.state.events import Flipped
from core.state.game import Game
from core.state.reader import placed


def equip(g: Game, seat: int, card: int, carrier: int = 0, both: bool = False) -> None:
    """Turn an Item upright. carrier: the Hireling or Ally that is to carry it, 0 for none. both: for use with both
    hands."""
    g.emit(Flipped(seat, card, True, carrier, laying_out(g), both, keeps_room(g, seat, card)))
    _make_way(g, seat, card)


def _make_way(g: Game, seat: int, card: int) -> None:
    """Make room for an Item: turn sideways the upright Items in its place that their owner may not use. Otherwise they
    would be equipped again as soon as they may be used (item.not-usable)."""
    entry = placed(g, seat, card)
    place = g.of(card).place
    if entry is None or place in ("none", "vehicle") or exempt(g, seat, entry):
        return
    there = [(other, g.of(other.card)) for other in g.state.seats[seat].table if other.up and g.of(other.card).gear]
    there = [(other, item) for other, item in there if item.place == place and not exempt(g, seat, other)]
    if sum(2 if other.both else item.hands or 1 for other, item in there) > capacity(g, seat, place):
        for other in [other for other, item in there if not equipped(g, seat, other, item)]:
            g.emit(Flipped(seat, other.card, False, hidden=laying_out(g), kept=keeps_room(g, seat, other.card)))
