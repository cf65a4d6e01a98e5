"""Examples of clauses and cards: scenarios of the built-in sets, told in words. They are read once, when one is asked
for; reading takes about a second, so call it in a thread.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from threading import Lock

import cards
from core.language.catalog import Catalog
from core.scenario.narration import narrate
from core.scenario.schema import Scenario, load
from tui.scene.card_book import built_in
from tui.scene.rulebook import Example

MOST = 3
"""The most examples on one page."""
STEPS = 14
"""A scenario with more steps is no example."""
_reading = Lock()
"""Held while examples are found, so that two pages that ask at once read the scenarios only once."""


def examples(catalog: Catalog, clauses: Sequence[str], card: str = "") -> tuple[Example, ...]:
    """Return examples of a card (its full id), then of these clauses in their order, from the sets in play; a set that
    is not built in has none of its own."""
    with _reading:
        return _examples(catalog, clauses, card)


def _examples(catalog: Catalog, clauses: Sequence[str], card: str) -> tuple[Example, ...]:
    sets = tuple(head.id for head in catalog.packs if head.id in cards.BUILT_IN) or cards.BUILT_IN[:1]
    found: list[tuple[str, Scenario]] = []
    for proved in (card, *clauses) if card else clauses:
        best = sorted(_proofs(sets).get(proved, ()), key=lambda one: _length(one[1]))
        found += [one for one in best[: MOST if len(clauses) < 2 or proved == card else 1] if one not in found]
    return tuple(Example(scenario.name, narrate(_catalog(home), scenario)) for home, scenario in found[:MOST])


def _length(scenario: Scenario) -> tuple[int, int]:
    """Return a sort key: scenarios that prove little else come first, then shorter ones."""
    return len(scenario.proves), len(scenario.steps)


@cache
def _catalog(set_id: str) -> Catalog:
    return built_in([set_id])


@cache
def _proofs(sets: tuple[str, ...]) -> dict[str, tuple[tuple[str, Scenario], ...]]:
    """Return by clause or card the scenarios that prove it, each with its set."""
    found: dict[str, list[tuple[str, Scenario]]] = {}
    for set_id in sets:
        for scenario in _scenarios(set_id):
            for proved in scenario.proves:
                found.setdefault(proved, []).append((set_id, scenario))
    return {proved: tuple(pairs) for proved, pairs in found.items()}


@cache
def _scenarios(set_id: str) -> tuple[Scenario, ...]:
    return tuple(_usable(set_id))


def _usable(set_id: str) -> Iterator[Scenario]:
    for name, data in cards.scenario_files(set_id).items():
        for scenario in load(data, name):
            if not scenario.sets and 1 < len(scenario.steps) <= STEPS:
                yield scenario
