"""Select how much of a long test runs.

A test marked `long(n)` tries one in n of its cases, or none if n is 0. A test marked `long` chooses among its cases
with `some`, or tries fewer generated ones with `examples`. So the README's command takes some minutes.
KICKDOOR_TESTS=all tries all cases. KICKDOOR_TESTS=rest tries only the cases that the README's command leaves out;
`.ci/run` does this after that command.

Some tests could try generated cases without end, or have so many cases that a part of them shows nearly as much. Of
these, KICKDOOR_TESTS=rest tries only a share (for `long(n, turns=2)`, half of the rest). The number in KICKDOOR_TURN
chooses the share: the same number gives the same share. `.ci/run` sets it to the day of the last commit, so that
several days together try more than one run can. Without KICKDOOR_TURN the whole rest runs.
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
"""The number that chooses the share of the rest; 0: the whole rest runs."""
SHIFT = random.Random(TURN).randrange(2**20) if TURN else 0
"""Where a share begins (0 without a turn): a random number made from the turn. With the turn itself, a gate that runs
on every second day only would always try the same half."""


def some(cases: Iterable[_Case], one_in: int) -> list[_Case]:
    """Return the cases that this run tries: one in `one_in`, the first one included; or all cases; or the rest."""
    cases = list(cases)
    if PART == "rest":
        return [case for at, case in enumerate(cases) if at % one_in]
    return cases[:: 1 if PART == "all" else one_in]


def share(cases: Iterable[_Case], one_in: int, shift: int = 0) -> list[_Case]:
    """Return the cases that this run tries: in a turn one in `one_in`, otherwise all.

    shift: tests with the same list of cases give different numbers, so that together they try the whole list.
    """
    cases = list(cases)
    return cases[(SHIFT + shift) % one_in :: one_in] if TURN else cases


def seeds(most: int, one_in: int, fresh: int) -> list[int]:
    """Return the seeds of the generated cases that this run tries. Mark the test `long`.

    They are one in `one_in` of the first `most` seeds, or all of these, or the rest. But in a turn they are `fresh`
    seeds that no other turn has.
    """
    if TURN:
        return list(range(most + TURN * fresh, most + (TURN + 1) * fresh))
    return some(range(most), one_in)


def examples(most: int, one_in: int = 5) -> int:
    """Return how many generated examples this run tries: one in `one_in` of `most`, or all of them if the long tests
    run. Mark the test `long`."""
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
