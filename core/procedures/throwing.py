"""A die has been rolled, and some players may have it rolled again (dice.again)."""

from core.operations.dice import deliver_number, throw_again
from core.queries.dice import may_throw_again
from core.state.game import Game, choose
from core.state.model import Program, Throw


def run_throw(g: Game, f: Throw) -> bool:
    """Ask each player with a card for it, in turn order from the roller, whether the die is rolled again; then its
    number counts. Each card can be used once for a die. Return True while a seat is asked."""
    if not f.left:
        g.state.stack.pop()
        deliver_number(g, f)
        return False
    seat = f.left[0]
    ways = may_throw_again(g, seat, f)
    picks = choose(g, f, seat, "throw again", [0, *(way.card for way in ways)], card=_asking(g))
    if picks is None:
        return True
    if picks[0]:
        throw_again(g, f, seat, next(way for way in ways if way.card == picks[0]))
    else:
        f.left.pop(0)
    return False


def _asking(g: Game) -> int:
    """Return the definition of the text that rolled the die, -1 if none did."""
    below = g.state.stack[-2]
    return below.defn if isinstance(below, Program) else -1
