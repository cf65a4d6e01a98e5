"""The facts about one seat that the evaluator (evaluation.py) reads. Data only, so that code which stores it does not
load the rules."""

from typing import NamedTuple


class Standing(NamedTuple):
    """The standing of a seat. hand: definitions of the known cards in hand; unseen: how many other cards it has, each
    of which counts as an average card of the decks. table: the definitions of its cards in play."""

    level: int
    strength: int
    run: int
    hand: list[int]
    table: list[int]
    lasting: int
    dead: bool
    unseen: int = 0
