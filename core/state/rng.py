"""Random numbers: a keyed hash stream in the state, so that a seed and the same actions always give the same game."""

from hashlib import blake2b

from core.state.model import State

NO_MORE_DICE = 0
"""The last entry of the dice of a scenario that is being run: another roll raises DiceRanOut. A table that only begins
with a scenario has no such entry and rolls at random after the named dice."""


TIES_LIMIT = 20
"""Equal rolls after which the turn order decides (setup.ties). With fair dice that happens once in 10**15 times."""


class DiceRanOut(Exception):
    """A scenario needs a die roll that it does not name."""


class Unknowable(Exception):
    """Chance or a hidden fact decides, in a state that holds only the knowledge of one seat
    (core/knowledge/forecast.py). The first argument is the `fate` of a forecast."""


class UnknownRoll(Unknowable):
    """A die would decide; the second argument is the number of its sides."""


class DieTooHigh(DiceRanOut):
    """A scenario names a number (the first argument) for a die with fewer sides (the second)."""


def below(state: State, n: int) -> int:
    """Return an unbiased number from 0 to n - 1. Each draw is a keyed BLAKE2b hash of the counter `draws`.

    Raises Unknowable if the state has no seed.
    """
    if not state.seed:
        raise Unknowable("chance")
    limit = (1 << 64) - ((1 << 64) % n)
    while True:
        block = blake2b(state.draws.to_bytes(8, "big"), digest_size=8, key=state.seed).digest()
        state.draws += 1
        value = int.from_bytes(block, "big")
        if value < limit:
            return value % n


def die(state: State, sides: int = 6) -> int:
    """Roll a die, or take the next number that the scenario names.

    Raises DiceRanOut at NO_MORE_DICE, and DieTooHigh if a scenario being run names a number that this die lacks. At a
    table that only begins with a scenario such a number is skipped. Raises UnknownRoll if the state has no seed. """
    while state.dice:
        if state.dice[0] == NO_MORE_DICE:
            raise DiceRanOut
        if state.dice[0] > sides and state.dice[-1] == NO_MORE_DICE:
            raise DieTooHigh(state.dice[0], sides)
        number = state.dice.pop(0)
        if number <= sides:
            return number
    if not state.seed:
        raise UnknownRoll("chance", sides)
    return below(state, sides) + 1


def shuffled(state: State, cards: list[int]) -> list[int]:
    """Return these cards in random order (Fisher-Yates shuffle)."""
    out = cards[:]
    for i in range(len(out) - 1, 0, -1):
        j = below(state, i + 1)
        out[i], out[j] = out[j], out[i]
    return out
