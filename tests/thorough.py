"""Select how much of a long test runs.

A test marked `long(n)` tries one in n of its cases, none if n is 0 (`long(n, turns=2)`: the rest in two turns, see
below); one marked `long` chooses among its cases with
`some`, or tries fewer generated ones with `examples`. So the README's command takes some minutes. KICKDOOR_TESTS=all
tries all cases, KICKDOOR_TESTS=rest those that are left out otherwise, and no other test: `.ci/run` does that after the
README's command.

Some tests try generated cases, of which there is no end, or every pair of two lists, of which a part shows nearly as
much. Of those the rest is a share, in which KICKDOOR_TURN has a say: with the same number it is the same share, with
another one another share. `.ci/run` gives the day of the last commit, so that over some days more is tried than one
run could. Without KICKDOOR_TURN the rest is all that the README's command leaves out.
"""

import os
import random
from collections.abc import Iterable
from typing import TypeVar

import pytest

_Case = TypeVar("_Case")
PARTS = ("some", "all", "rest")
PART = os.environ.get("KICKDOOR_TESTS", "some")
"""Which cases of long tests run."""
TURN = int(os.environ.get("KICKDOOR_TURN", "0")) if PART == "rest" else 0
"""Which share of the rest runs; 0: all of it."""
SHIFT = random.Random(TURN).randrange(2**20) if TURN else 0
"""Where a share begins: mixed from the turn, because a gate may see every second commit only; 0 without a turn."""


def some(cases: Iterable[_Case], one_in: int) -> list[_Case]:
    """Return the cases that are tried now: one in this many, the first one included; or all cases; or the rest."""
    cases = list(cases)
    if PART == "rest":
        return [case for at, case in enumerate(cases) if at % one_in]
    return cases[:: 1 if PART == "all" else one_in]


def share(cases: Iterable[_Case], one_in: int, shift: int = 0) -> list[_Case]:
    """Return the share of these cases that is tried now: one in this many in a turn, else all.

    shift: tests with the same list of cases give different numbers, so that together they try all of it.
    """
    cases = list(cases)
    return cases[(SHIFT + shift) % one_in :: one_in] if TURN else cases


def seeds(most: int, one_in: int, fresh: int) -> list[int]:
    """Return the seeds of the generated cases that are tried now. Mark the test `long`.

    They are one in `one_in` of the first `most` seeds, or all of these, or the rest; in a turn the rest is instead as
    many as `fresh` seeds that no other turn has.
    """
    if TURN:
        return list(range(most + TURN * fresh, most + (TURN + 1) * fresh))
    return some(range(most), one_in)


def examples(most: int, one_in: int = 5) -> int:
    """Return how many generated examples are tried now: one in this many of them, or all where the long tests run. Mark
    the test `long`."""
    return most // one_in if PART == "some" else most


def chosen(items: list[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return the tests that run now, and those that do not."""
    if PART not in PARTS:
        raise pytest.UsageError(f"KICKDOOR_TESTS={PART}: what is known is {', '.join(PARTS)}")
    seen: dict[str, int] = {}
    runs, left_out = [], []
    for item in items:
        mark = item.get_closest_marker("long")
        at = number = 0
        if mark and mark.args:
            test = item.nodeid.partition("[")[0]
            number, seen[test] = seen.get(test, 0), seen.get(test, 0) + 1
            at = number % mark.args[0] if mark.args[0] else 1
        if PART == "all" or (PART == "some" and not at) or (PART == "rest" and mark and (at or not mark.args)):
            turns = mark.kwargs.get("turns", 1) if mark and TURN else 1
            if (number + SHIFT) % turns == 0:
                runs.append(item)
                continue
        left_out.append(item)
    return runs, left_out
