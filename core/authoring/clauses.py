"""Load the rules catalogue: all clauses, each with the sets in which it holds and its proofs.

The clauses are in rules.toml. A clause that no scenario can express names Python tests there: tests = ["file::name"].
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

APPLIED = "(Applied to all sets"
"""Marks the text of a clause that only some books state although the program applies it to all sets."""


class Clause(Struct, frozen=True, forbid_unknown_fields=True):
    """One clause: its id, the books that state it ("all": every one), and its text. kind "ruling": the books leave
    it open, and this is our decision.

    tests: the Python tests that prove it where no scenario can, as "tests/core/test_x.py::test_y".
    """

    id: str
    sets: tuple[str, ...]
    text: str
    kind: str = "rule"
    tests: tuple[str, ...] = ()

    def holds_in(self, book: str) -> bool:
        """Return whether the clause is part of a game by this book (axe, apo, w40k, maze)."""
        return "all" in self.sets or book in self.sets or APPLIED in self.text


class Proven(Struct, frozen=True):
    """A clause with the names of the scenarios and tests that prove it, as `kickdoor rules --json` gives it."""

    id: str
    sets: tuple[str, ...]
    kind: str
    text: str
    scenarios: tuple[str, ...]
    tests: tuple[str, ...]


class _Catalogue(Struct, frozen=True, forbid_unknown_fields=True):
    rule: tuple[Clause, ...]


@cache
def load() -> dict[str, Clause]:
    """Return every clause by its id, in the order of the book. Raises ValueError if an id is there twice."""
    data = Path(__file__).with_name("rules.toml").read_bytes()
    found = msgspec.toml.decode(data, type=_Catalogue).rule
    clauses = {clause.id: clause for clause in found}
    if len(clauses) != len(found):
        raise ValueError("rules.toml has two clauses with one id")
    return clauses


def proven(proofs: Iterable[tuple[str, Iterable[str]]]) -> list[Proven]:
    """Return the catalogue with its proofs.

    proofs: for each scenario its name and the ids that it proves (clauses and cards); see core.scenario.runner.proofs.
    """
    by_clause: dict[str, list[str]] = {}
    for name, proves in proofs:
        for clause in proves:
            by_clause.setdefault(clause, []).append(name)
    return [
        Proven(clause.id, clause.sets, clause.kind, clause.text, tuple(by_clause.get(clause.id, ())), clause.tests)
        for clause in load().values()
    ]
