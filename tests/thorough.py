"""How much of a long test runs: a part by default, all of it with KICKDOOR_TESTS=all, as before a change lands."""

import os
from collections.abc import Iterable
from typing import TypeVar

_Case = TypeVar("_Case")
EVERYTHING = os.environ.get("KICKDOOR_TESTS") == "all"
"""Whether long tests try all their cases."""


def some(cases: Iterable[_Case], one_in: int) -> list[_Case]:
    """Return one in so many cases, the first one included; all of them if everything is to be tried."""
    return list(cases)[:: 1 if EVERYTHING else one_in]
