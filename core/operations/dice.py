"""Rolling dice: for procedures, for card text, and for runners. Some dice may be rolled again."""

from core.operations.players import lift
from core.queries.dice import Again, aimed_at, fixed_by, may_throw_again
from core.queries.lookup import find_monster
from core.queries.strength import run_against, run_terms
from core.state.events import Rolled, RolledAgain
from core.state.game import Game, to_discard
from core.state.model import Program, Run, Throw, Zone
from core.state.rng import die as roll_die


def roll_for(g: Game, seat: int) -> int:
    """Roll a six-sided die for a seat; it cannot be rolled again. Numbers fixed for the seat's next six-sided die are
    used up, and the last of them counts."""
    fixed = _fixed_roll(g, seat)
    return roll_die(g.state) if fixed is None else fixed


def _fixed_roll(g: Game, seat: int) -> int | None:
    """Use up the numbers that are fixed for a seat's next six-sided die; return the last of them, or None."""
    fixed = [mod.value for lasting in g.state.seats[seat].lasting for mod in fixed_by(g, lasting)]
    if fixed:
        _spend_fixed(g, seat)
    return fixed[-1] if fixed else None


def _spend_fixed(g: Game, seat: int) -> None:
    """End the effects that fixed this roll; other effects that last until a roll wait for the next roll to run away."""
    lasting = g.state.seats[seat].lasting
    for index in range(len(lasting) - 1, -1, -1):
        if index < len(lasting) and fixed_by(g, lasting[index]):
            lift(g, seat, index, "the roll is made")
            lasting = g.state.seats[seat].lasting


# ---------------------------------------------------------------------------------------- dice that are rolled again
def begin_throw(g: Game, throw: Throw) -> None:
    """Roll a die for the frame on top of the stack, which gets the number as soon as nobody may have it rolled again.

    A fixed number (dice.sides) was not rolled, so it is not rolled again (dice.again).
    """
    adds = _adds(g, throw)
    fixed = _fixed_roll(g, throw.seat) if throw.sides == 6 else None
    _show(g, throw, roll_die(g.state, throw.sides) if fixed is None else fixed, adds)
    seats = len(g.state.seats)
    order = [(throw.seat + step) % seats for step in range(seats)]
    throw.left = [seat for seat in order if fixed is None and may_throw_again(g, seat, throw)]
    if throw.left:
        g.state.stack.append(throw)
    else:
        deliver_number(g, throw)


def throw_again(g: Game, throw: Throw, seat: int, again: Again) -> None:
    """Roll the die once more because a seat uses a card for it; the new number counts (dice.again)."""
    throw.used.append(again.card)
    g.emit(RolledAgain(seat, again.card, throw.seat, again.ability, again.mod.per or ""))
    if again.mod.spent:
        to_discard(g, again.card, Zone("table", seat), "spent", seat)
    _show(g, throw, roll_die(g.state, throw.sides), _adds(g, throw))


def _adds(g: Game, throw: Throw) -> list[tuple[str, int]]:
    """Return what is added to a die now, by label: modifiers count for rolls to run away."""
    monster = find_monster(g, throw.monster)
    if monster is None:
        return []
    return [(term.label, term.by) for term in run_terms(g, throw.seat) + run_against(g, throw.seat, monster)]


def _show(g: Game, throw: Throw, number: int, adds: list[tuple[str, int]]) -> None:
    """Store the number of a die and what is added to it, and tell everybody."""
    throw.number = number
    throw.total = number + sum(by for _, by in adds)
    on = aimed_at(g.state.stack, throw)
    g.emit(Rolled(throw.seat, number, throw.why, adds, throw.need, throw.monster, throw.sides, on))


def deliver_number(g: Game, throw: Throw) -> None:
    """Pass the number of a die to whatever rolled it: the text or the runner on top of the stack."""
    frame = g.state.stack[-1]
    if isinstance(frame, Program):
        frame.saved[throw.save] = throw.number
    elif isinstance(frame, Run):
        frame.die, frame.paid = throw.number, throw.total
