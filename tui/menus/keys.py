"""Keys that never change their meaning under a finger. Pure.

A `KeyRing` gives the entries of a question their digits and keeps them; it also remembers what every answering key
means, and since when. For a moment after a question has come, no key answers it, and a key whose meaning has changed
is dead, so that a finger that was already on its way, or still on the key, does nothing.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from itertools import count

DEAD_S = 0.4
"""How long (s) a key does nothing after its question has come or its meaning has changed, unless the settings say
otherwise."""
HELD_S = 0.15
"""A key that was refused and comes again within this time (s) is held down, and refused again."""
LEFT = 50
"""The most places that are kept for entries that have gone."""
PAGE = 9
"""Digits on a page: 1 to 9; 0 turns the page."""


class KeyRing:
    """The keys of one question, or of the cards in a hand, from one view to the next. Times are seconds of any clock
    that only runs forward."""

    def __init__(self, dead_s: float = DEAD_S) -> None:
        """dead_s: for how long keys are dead."""
        self.dead_s = dead_s
        self._question = ""
        self._places: dict[str, int] = {}
        self._freed: dict[int, float] = {}
        self._left: dict[str, int] = {}
        """The places of entries that have gone, the latest last. An entry that comes back, after an undo, gets its own
        again."""
        self._meanings: dict[str, str] = {}
        self._changed: dict[str, float] = {}
        self._asked: str | None = None
        self._asked_at = -math.inf
        self._refused: dict[str, float] = {}
        """When each key was refused last."""
        self._pressed = ""
        """The key that was pressed last and not refused."""

    def places(
        self, question: str, entries: Iterable[str], now: float, taken: Collection[int] = (), move_up: bool = False
    ) -> dict[str, int]:  # fmt: skip
        """Return the place of each entry, counted from 1. An entry keeps its place as long as it is there; an entry
        that was there before gets its old place again if that is free. A new one gets the lowest place that has been
        free for `dead_s`, if the first page has one. A new question gives out all places again.

        question: tells one question from the next. taken: places that belong to others. move_up: entries behind the
        first page move to its free places, as if they were new.
        """
        wanted = list(dict.fromkeys(entries))
        if question != self._question:
            self._question, self._places, self._freed, self._left = question, {}, {}, {}
        for gone in [entry for entry in self._places if entry not in wanted]:
            place = self._left[gone] = self._places.pop(gone)
            self._freed[place] = now
        for old in list(self._left)[:-LEFT]:
            del self._left[old]
        for entry in [entry for entry, place in self._places.items() if place in taken]:
            del self._places[entry]
        self._freed = {place: at for place, at in self._freed.items() if now - at < self.dead_s}
        used = {*self._places.values(), *taken}
        if move_up:
            free = (place for place in range(1, PAGE + 1) if place not in used and place not in self._freed)
            behind = sorted((place, entry) for entry, place in self._places.items() if place > PAGE)
            for (place, entry), better in zip(behind, list(free), strict=False):
                self._places[entry] = better
                used = used - {place} | {better}
        for entry in wanted:
            if entry not in self._places:
                own = self._left.pop(entry, 0)
                self._places[entry] = place = own if own and own not in used else self._free_place(used)
                used.add(place)
        return {entry: self._places[entry] for entry in wanted}

    def _free_place(self, used: Collection[int]) -> int:
        """Return the lowest free place. A place freed just now counts only if the first page has no other."""
        free = [place for place in range(1, 2 + len(used) + PAGE) if place not in used]
        rested = next(place for place in count(1) if place not in used and place not in self._freed)
        return rested if rested <= PAGE or free[0] > PAGE else free[0]

    def ask(self, asked: str, now: float) -> None:
        """Take in what is asked from now on: no key answers a new question at once. asked: identifies the question;
        empty: there is none, or it is covered. A covered question that comes back is not new."""
        if self._asked is None:  # nothing was shown before, so no key had a meaning
            self._asked = asked
        elif asked and asked != self._asked:
            self._asked, self._asked_at = asked, now

    def show(self, meanings: Mapping[str, str], now: float, own: bool = False) -> None:
        """Take in what the keys mean from now on. own: the player caused the change, so that no key is dead but the one
        that caused it."""
        for key in {*self._meanings, *meanings}:
            if self._meanings.get(key) != meanings.get(key):
                self._changed[key] = -math.inf if own and key != self._pressed else now
        self._meanings = dict(meanings)

    def press(self, key: str, at: float) -> bool:
        """Press a key; return whether it does something: it must not be dead, nor have been held down since it was
        dead. at: when it came, which may be before what is shown now."""
        held = at - self._refused.get(key, -math.inf) < HELD_S
        if self.dead(key, at) or (held and self.dead_s > 0):
            self._refused[key] = at
            return False
        self._pressed = key
        return True

    def is_new(self, at: float) -> bool:
        """Return whether the question has just come."""
        return at - self._asked_at < self.dead_s

    def dead(self, key: str, now: float) -> bool:
        """Return whether the question has just come, or the meaning of a key has just changed."""
        return self.is_new(now) or now - self._changed.get(key, -math.inf) < self.dead_s

    def wait(self, now: float) -> float:
        """Return after how many seconds the last dead key works again; 0 if none is dead."""
        return max(0.0, self.dead_s - (now - max(self._asked_at, *self._changed.values(), -math.inf)))

    def revive(self) -> None:
        """Let every key work at once."""
        self._changed.clear()
        self._refused.clear()
        self._asked_at = -math.inf


def digit(place: int) -> str:
    """Return the digit of a place on its page."""
    return str((place - 1) % PAGE + 1)


def page_of(place: int) -> int:
    """Return the page of a place, from 0."""
    return (place - 1) // PAGE
