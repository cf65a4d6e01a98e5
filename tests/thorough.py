"""Select how much of a long test runs.

A test marked `long(n)` tries one in n of its cases, none if n is 0; one marked `long` chooses among its cases with
`some`, or tries fewer generated ones with `examples`. So the README's command takes some minutes. KICKDOOR_TESTS=all
tries all cases, KICKDOOR_TESTS=rest those that are left out otherwise, and no other test: `.ci/run` does that after the
README's command, so that each case is tried once.
"""

import os
from collections.abc import Iterable
from typing import TypeVar

import pytest

_Case = TypeVar("_Case")
PARTS = ("some", "all", "rest")
PART = os.environ.get("KICKDOOR_TESTS", "some")
"""Which cases of long tests run."""


def some(cases: Iterable[_Case], one_in: int) -> list[_Case]:
    """Return the cases that are tried now: one in this many, the first one included; or all cases; or the rest."""
    cases = list(cases)
    if PART == "rest":
        return [case for at, case in enumerate(cases) if at % one_in]
    return cases[:: 1 if PART == "all" else one_in]


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
        at = 0
        if mark and mark.args:
            test = item.nodeid.partition("[")[0]
            at, seen[test] = seen.get(test, 0), seen.get(test, 0) + 1
            at = at % mark.args[0] if mark.args[0] else 1
        if PART == "all" or (PART == "some" and not at) or (PART == "rest" and mark and (at or not mark.args)):
            runs.append(item)
        else:
            left_out.append(item)
    return runs, left_out
