"""Munchkins & Mazes with some cards changed, for moments that no card of a built-in set brings about."""

import msgspec

from core.language.catalog import Catalog
from core.scenario.runner import load, run
from tests.scenarios import catalog_for

CATALOG = catalog_for(("munchkins-and-mazes",))


def with_cards(**changed: dict[str, object]) -> Catalog:
    """Return the set with fields of some cards changed. Cards are named by slug, with _ for -."""
    catalog = CATALOG
    for slug, fields in changed.items():
        defn = next(found for found in catalog.cards if found.card.id == slug.replace("_", "-"))
        catalog = catalog.with_card(defn.no, msgspec.structs.replace(defn.card, **fields))
    return catalog


def scenario_passes(text: str, catalog: Catalog) -> None:
    """Check that a scenario passes with these cards; a failure names the step, the expected and the found."""
    (scenario,) = load(f'[[scenario]]\nname = "it"\n{text}'.encode(), "changed cards")
    failure = run(catalog, scenario)
    assert failure is None, f"\n{failure}"
