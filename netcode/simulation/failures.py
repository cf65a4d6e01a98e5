"""Failures of players and refused actions, as sentences for people. Equal ones are kept once, with their count.

A sentence begins with its seat, "seat 1 (mine:Bot): "; a refused action is written with its fields. Seat and fields do
not count when sentences are compared.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

KINDS_KEPT = 20
"""The most different sentences that a game keeps and a report shows."""
_SEAT = re.compile(r"^seat \d+ ")
_ABOUT = re.compile(r": (\w+)\(.*?\) was refused: ", re.DOTALL)


def alike(sentence: str) -> str:
    """Return the part of a sentence that identifies its kind."""
    return _ABOUT.sub(r": \1 was refused: ", _SEAT.sub("", sentence), count=1)


class Failures:
    """The first sentence of each kind, up to KINDS_KEPT, and the count of each kind."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._times: dict[str, int] = {}

    def add(self, sentence: str, times: int = 1, where: str = "") -> None:
        """Count a sentence. where: a prefix for the first one of its kind."""
        kind = alike(sentence)
        if kind not in self._first:
            if len(self._first) >= KINDS_KEPT:
                return
            self._first[kind], self._times[kind] = where + sentence, 0
        self._times[kind] += times

    @property
    def sentences(self) -> list[str]:
        """The first sentence of each kind."""
        return list(self._first.values())

    @property
    def repeated(self) -> dict[str, int]:
        """The counts of the kinds that came more than once."""
        return {self._first[kind]: times for kind, times in self._times.items() if times > 1}


def refusal_lines(games: Iterable[tuple[int, Sequence[str], Mapping[str, int]]]) -> list[str]:
    """Return the sentences of many games for a report. games: for each, its number, its sentences and the counts of
    repeated ones."""
    found = Failures()
    for game, sentences, repeated in games:
        for sentence in sentences:
            found.add(sentence, repeated.get(sentence, 1), f"game {game}: ")
    times = found.repeated
    return [f"{times[one]} times, first in {one}" if one in times else one for one in found.sentences]
