"""Chance: a keyed hash stream kept in the state, so that the same seed and actions always give the same game."""

from hashlib import blake2b

from core.state.model import State

NO_MORE_DICE = 0
"""Ends the dice of a scenario that runs. A table that only begins as a scenario has no such end: it rolls on."""


class DiceRanOut(Exception):
    """A scenario rolls a die that it does not name."""


def below(state: State, n: int) -> int:
    """An unbiased number from 0 to n - 1. Each draw hashes (seed, counter) and counts one up."""
    limit = (1 << 64) - ((1 << 64) % n)
    while True:
        block = blake2b(state.draws.to_bytes(8, "big"), digest_size=8, key=state.seed).digest()
        state.draws += 1
        value = int.from_bytes(block, "big")
        if value < limit:
            return value % n


def die(state: State) -> int:
    """Roll a six-sided die, or take the next number that the scenario names. Raises DiceRanOut at NO_MORE_DICE."""
    if state.dice:
        if state.dice[0] == NO_MORE_DICE:
            raise DiceRanOut
        return state.dice.pop(0)
    return below(state, 6) + 1


def shuffled(state: State, cards: list[int]) -> list[int]:
    """These cards in random order (Fisher and Yates)."""
    out = cards[:]
    for i in range(len(out) - 1, 0, -1):
        j = below(state, i + 1)
        out[i], out[j] = out[j], out[i]
    return out
