"""A bot counts an enhancer once on a copy, and twice on a monster with a Life Partner."""

from core.language.catalog import Catalog
from core.scenario.cast import Cast, lay_out
from core.scenario.runner import load as load_scenarios
from core.scenario.steps import ScenarioGame
from core.state.actions import Play
from netcode.bots.card_values import CardValues
from netcode.bots.combat_moves import CombatMoves, Move
from netcode.bots.reading import Reading
from tests.blends import catalog_of

SETS = ("apocalypse", "munchkins-and-mazes")
TEXT = """
[[scenario]]
name = "a couple and a copy"
proves = ["combat.copy"]
doors = ["Bearbug"]
dice = [2]
open = true
steps = [
  { by = "Ann", do = "kick" },
  { pass = "all" },
  { by = "Cy", do = "play", card = "Photocopier", target = "Bearbug" },
  { by = "Cy", do = "play", card = "Life Partner", target = "Bearbug" },
]
[scenario.seats.Ann]
level = 5
[scenario.seats.Bo]
hand = ["It Has a Permit"]
[scenario.seats.Cy]
hand = ["Photocopier", "Life Partner"]
"""


def moves_of(catalog: Catalog) -> list[Move]:
    """Return the moves of Bo, who may enhance an original, its copy, or the partner of the original."""
    (scenario,) = load_scenarios(TEXT.encode(), "it.toml")
    cast = Cast(catalog, scenario)
    game = ScenarioGame(cast, lay_out(cast))
    for step in scenario.steps:
        assert game.do(step) is None, game.reason
    seen = game.snapshot.view(1)
    assert seen.you is not None and seen.fight is not None
    return CombatMoves(Reading(seen, seen.you, CardValues(catalog)), seen.fight).moves()


def test_an_enhancer_counts_for_the_copy_alone_and_for_both_partners() -> None:
    plays = [move for move in moves_of(catalog_of(SETS)) if isinstance(move.action, Play)]
    assert [move.swing for move in plays] == [-6.0, -3.0, -6.0], "the original, its copy, and its partner"
