"""Chance: a keyed hash stream kept in the state, so that the same seed and actions always give the same game."""

from hashlib import blake2b

from core.state.model import State


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
    """A six-sided die (a scenario may have laid its numbers ready)."""
    if state.dice:
        return state.dice.pop(0)
    return below(state, 6) + 1


def shuffled(state: State, cards: list[int]) -> list[int]:
    """These cards in random order (Fisher and Yates)."""
    out = cards[:]
    for i in range(len(out) - 1, 0, -1):
        j = below(state, i + 1)
        out[i], out[j] = out[j], out[i]
    return out
