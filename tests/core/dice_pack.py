"""A small pack with dice of both kinds, cards that have dice rolled again, and extra turns."""

from functools import cache
from pathlib import Path

from core.authoring.template import new_pack
from core.language.catalog import load
from core.scenario.runner import Scenario, run
from core.scenario.runner import load as load_scenarios
from tests.core.random_packs import with_counts

FOLDER = Path(__file__).parent / "scenario" / "dice"
"""cards.toml: the cards; scenarios.toml: scenarios of their effects."""


def files() -> dict[str, bytes]:
    """Return the files of the pack, by name, without scenarios."""
    return with_counts({**new_pack("Dice"), "dice.toml": (FOLDER / "cards.toml").read_bytes()})


CATALOG = load([files()])


@cache
def scenarios() -> tuple[Scenario, ...]:
    """Return the scenarios of the pack."""
    return tuple(load_scenarios((FOLDER / "scenarios.toml").read_bytes(), "scenarios.toml"))


def outcome(name: str) -> str:
    """Return "fine", or why the scenario with this name fails."""
    (scenario,) = [one for one in scenarios() if one.name == name]
    return str(run(CATALOG, scenario) or "fine")
