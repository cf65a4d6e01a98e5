"""Find things in a state: a monster in the combat, the zone of a card, the cards a seat could use for something."""

from core.queries.modifiers import forbidden
from core.state.model import DEFN_MASK, Monster, Run, Zone
from core.state.reader import Reader


def find_monster(g: Reader, monster: int) -> Monster | None:
    """Return the monster with this id in the combat; None if it is not there."""
    fight = g.state.fight
    if fight is None:
        return None
    for entry in fight.monsters:
        if entry.id == monster:
            return entry
    return None


def locate(g: Reader, card: int) -> Zone:
    """Return the zone of a seat (hand, table or lasting) in which a card is; its name is "" if the card is in none."""
    for seat, player in enumerate(g.state.seats):
        if card in player.hand:
            return Zone("hand", seat)
        if card in [entry.card for entry in player.table]:
            return Zone("table", seat)
        if card in [lasting.card for lasting in player.lasting]:
            return Zone("lasting", seat)
    return Zone("")


def trouble_options(g: Reader, seat: int) -> list[int]:
    """Return the monsters in a seat's hand that it could fight by looking for trouble (turn.trouble)."""
    if forbidden(g, "trouble", seat):
        return []
    cards = g.cat.cards
    return [card for card in g.state.seats[seat].hand if cards[card & DEFN_MASK].kind == "monster"]


def payable(g: Reader, seat: int) -> list[int]:
    """Return the cards that may pay for an ability: in hand and in play, but no curse that is kept as a reminder
    (self.discard-power)."""
    player = g.state.seats[seat]
    return player.hand + [entry.card for entry in player.table]


def has_rolled(g: Reader, seat: int) -> bool:
    """Return whether a runner has made its first roll, after which an Ally can no longer be sacrificed
    (self.ally-sacrifice-when)."""
    top = g.state.stack[-1]
    return isinstance(top, Run) and top.seat == seat and top.rolled
