"""Play a recorded game again from its seed and its actions: every state on the way."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from core.engine import Runaway, new_game
from core.language.catalog import Catalog
from core.state.actions import AnyAction, Refusal, StepBack
from core.state.events import AnyEvent
from core.state.model import Options, State
from core.undo import Reversible


class Step(Struct, array_like=True):
    """One accepted action; seat -1 is the host."""

    seat: int
    action: AnyAction


class Mismatch(ValueError):
    """The recorded actions do not fit the seed. number: the first action that is refused, counted from 1."""

    def __init__(self, number: int, refusal: Refusal) -> None:
        super().__init__(f"action {number} is refused: {refusal.text}")
        self.number = number


def rerun(
    cat: Catalog, seats: int, options: Options, seed: bytes, steps: Sequence[Step]
) -> Iterator[tuple[State, list[AnyEvent]]]:
    """Yield the dealt game, then for each action the state after it and its events.

    The state is one object that changes from step to step, and another object after an undo. Raises Mismatch if an
    action is refused or never ends, and ValueError for an impossible number of seats.
    """
    state, events = new_game(cat, seats, options, seed)
    yield state, events
    game = Reversible(cat, state)
    game.remember(any(isinstance(step.action, StepBack) and step.action.to >= 0 for step in steps))
    for number, step in enumerate(steps, 1):
        if not -1 <= step.seat < seats:
            raise Mismatch(number, Refusal("bad", f"there is no seat {step.seat}"))
        try:
            answer = game.submit(step.seat, step.action)
        except Runaway as problem:
            raise Mismatch(number, Refusal("internal", str(problem))) from None
        if isinstance(answer, Refusal):
            raise Mismatch(number, answer)
        yield game.state, answer
