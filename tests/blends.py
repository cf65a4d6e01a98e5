"""The sets and blends of sets that tests play, and their catalogs."""

from functools import cache
from itertools import combinations

from cards import BUILT_IN, pack_files
from core.language.catalog import Catalog, load
from netcode.bots.card_values import CardValues
from tests.core.kitchen import full_of

BLENDS: list[tuple[str, ...]] = [*((name,) for name in BUILT_IN), BUILT_IN]
"""Each set, and all of them shuffled together."""
BLENDS_AND_PAIRS: list[tuple[str, ...]] = [*BLENDS, *combinations(BUILT_IN, 2)]
"""The blends, and then each pair of sets."""


EXCHANGES, GROWTH = ("kitchen",), ("kitchen-growth",)
"""Packs full of cards by which Items, hands and the tops of decks change hands; of cards with counters, and of those
that undo others."""
_FULL_OF: dict[tuple[str, ...], str] = {EXCHANGES: "exchange.toml", GROWTH: "growth.toml"}


def fresh_catalog(sets: tuple[str, ...]) -> Catalog:
    """Return a catalog with empty caches, as a host has after a restart."""
    file = _FULL_OF.get(sets)
    return load([full_of(file)] if file else [pack_files(name) for name in sets])


@cache
def catalog_of(sets: tuple[str, ...]) -> Catalog:
    """Return the catalog of these sets, the same object for every test of the process."""
    return fresh_catalog(sets)


_values: dict[int, CardValues] = {}
"""The values for each catalog, by the `id()` of the catalog (the values keep it alive)."""


def values_of(catalog: Catalog) -> CardValues:
    """Return what bots think of these cards, computed once: for three bots that takes a third of the time of a game."""
    if id(catalog) not in _values:
        _values[id(catalog)] = CardValues(catalog)
    return _values[id(catalog)]
