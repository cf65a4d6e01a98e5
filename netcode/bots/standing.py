"""What the evaluator (evaluation.py) reads of one seat. It is data alone: who only keeps it loads no rules."""

from typing import NamedTuple


class Standing(NamedTuple):
    """What is read of a seat. hand: the definitions of the cards that are known; unseen: how many others it has, each
    of which counts as a usual card of the decks. table: the definitions of its cards in play."""

    level: int
    strength: int
    run: int
    hand: list[int]
    table: list[int]
    lasting: int
    dead: bool
    unseen: int = 0
