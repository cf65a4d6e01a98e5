"""Keys that never change their meaning under a finger. Pure.

A `KeyRing` gives the entries of a question their digits and keeps them; it also remembers what every answering key
means, and since when. A key whose meaning has just changed is dead for DEAD_S, so that a finger that was already on its
way does nothing.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import count

DEAD_S = 0.375
"""For so long (s) a key does nothing after its meaning has changed."""
PAGE = 9
"""Digits on a page: 1 to 9; 0 turns the page."""


class KeyRing:
    """The keys of one question, or of the cards in a hand, from one view to the next. Times are seconds of any clock
    that only runs forward."""

    def __init__(self) -> None:
        self._question = ""
        self._places: dict[str, int] = {}
        self._freed: dict[int, float] = {}
        self._meanings: dict[str, str] = {}
        self._changed: dict[str, float] = {}

    def places(
        self, question: str, entries: Iterable[str], now: float, taken: Collection[int] = (), move_up: bool = False
    ) -> dict[str, int]:  # fmt: skip
        """Return the place of each entry, counted from 1. An entry keeps its place as long as it is there; a new one
        gets the lowest place that has been free for DEAD_S, if there is one on the first page. A new question begins
        anew.

        question: tells one question from the next. taken: places that belong to others. move_up: entries behind the
        first page move to its free places, as if they were new.
        """
        wanted = list(dict.fromkeys(entries))
        if question != self._question:
            self._question, self._places, self._freed = question, {}, {}
        for gone in [entry for entry in self._places if entry not in wanted]:
            self._freed[self._places.pop(gone)] = now
        for entry in [entry for entry, place in self._places.items() if place in taken]:
            del self._places[entry]
        self._freed = {place: at for place, at in self._freed.items() if now - at < DEAD_S}
        used = {*self._places.values(), *taken}
        if move_up:
            free = (place for place in range(1, PAGE + 1) if place not in used and place not in self._freed)
            behind = sorted((place, entry) for entry, place in self._places.items() if place > PAGE)
            for (place, entry), better in zip(behind, list(free), strict=False):
                self._places[entry] = better
                used = used - {place} | {better}
        for entry in wanted:
            if entry not in self._places:
                self._places[entry] = place = self._free_place(used)
                used.add(place)
        return {entry: self._places[entry] for entry in wanted}

    def _free_place(self, used: Collection[int]) -> int:
        """Return the lowest free place: one just freed only if the first page has no other."""
        free = [place for place in range(1, 2 + len(used) + PAGE) if place not in used]
        rested = next(place for place in count(1) if place not in used and place not in self._freed)
        return rested if rested <= PAGE or free[0] > PAGE else free[0]

    def show(self, meanings: Mapping[str, str], now: float, own: bool = False) -> None:
        """Take in what the keys mean from now on. own: the player caused the change, so that no key is dead."""
        for key in {*self._meanings, *meanings}:
            if self._meanings.get(key) != meanings.get(key):
                self._changed[key] = now - DEAD_S if own else now
        self._meanings = dict(meanings)

    def dead(self, key: str, now: float) -> bool:
        """Return whether the meaning of a key has just changed."""
        return now - self._changed.get(key, now - DEAD_S) < DEAD_S

    def wait(self, now: float) -> float:
        """Return in how many seconds the last dead key lives; 0 if none is dead."""
        return max((DEAD_S - (now - at) for at in self._changed.values()), default=0.0)

    def revive(self) -> None:
        """Let every key work at once."""
        self._changed.clear()


def digit(place: int) -> str:
    """Return the digit of a place on its page."""
    return str((place - 1) % PAGE + 1)


def page_of(place: int) -> int:
    """Return the page of a place, from 0."""
    return (place - 1) // PAGE
