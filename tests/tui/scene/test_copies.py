"""Two equal monsters on the screen: their names, the cards played on them, and the card of a copy."""

from core.scenario.cast import Cast, lay_out
from core.scenario.runner import load as load_scenarios
from core.scenario.steps import ScenarioGame
from core.state import actions as a
from core.state import events as ev
from tests.scenarios import catalog_for
from tests.tui import samples
from tui.menus.menu_state import MenuState
from tui.scene.moments import Moments
from tui.scene.scene import Scene
from tui.scene.sums import foe_rows, foe_sums
from tui.widgets.cards.page import cards_to_read

TEXT = """
[[scenario]]
name = "two Tiamutts, one of them luminous"
proves = ["combat.copy"]
doors = ["Tiamutt"]
dice = [2]
open = true
steps = [
  { by = "Ann", do = "kick" },
  { pass = "all" },
  { by = "Cy", do = "play", card = "Photocopier", target = "Tiamutt" },
  { by = "Cy", do = "play", card = "Slightly Luminous", target = "Tiamutt#2" },
]

[scenario.seats.Ann]
level = 5
table = ["Kid"]
[scenario.seats.Bo]
hand = ["Season Finale"]
[scenario.seats.Cy]
hand = ["Photocopier", "Slightly Luminous"]
"""
CATALOG = catalog_for(("apocalypse",))


def two_monsters() -> tuple[Scene, ScenarioGame]:
    """Return Bo's view: an original, a copy with an enhancer on it, and an enhancer in Bo's hand."""
    (scenario,) = load_scenarios(TEXT.encode(), "it.toml")
    cast = Cast(CATALOG, scenario)
    game = ScenarioGame(cast, lay_out(cast))
    for step in scenario.steps:
        assert game.do(step) is None, game.reason
    return Scene(CATALOG, samples.info(3), game.snapshot.view(1), 1), game


def test_a_menu_tells_two_equal_monsters_apart_by_number_and_strength() -> None:
    scene, game = two_monsters()
    menus = MenuState()
    here, _ = menus.here(scene)
    assert menus.choose(scene, next(one for one in here.entries if one.label.startswith("play Season Finale"))) is None
    here, _ = menus.here(scene)
    labels = [one.label for one in here.entries]
    assert labels[:2] == ["Tiamutt #1 (strength 8)", "Tiamutt #2 (strength 13)"]
    chosen = menus.choose(scene, here.entries[1])
    assert game.state.fight is not None
    assert isinstance(chosen, a.Play) and chosen.target == game.state.fight.monsters[1].id


def test_each_row_of_the_sum_says_which_monster_it_is_and_what_a_copy_has_from_its_card() -> None:
    scene, _ = two_monsters()
    assert scene.fight is not None
    rows = [(row.label.partition(",")[0], row.amount) for row in foe_rows(scene, scene.fight)]
    weakness = ("its weakness against a Kid", "-4")
    luminous = ("Slightly Luminous", "+5")
    assert rows == [("Tiamutt #1", "12"), weakness, ("Tiamutt #2", "12"), weakness, luminous]
    assert [(row.label, row.by) for row in foe_sums(scene, scene.fight)] == [("Tiamutt #1", 8), ("Tiamutt #2", 13)]
    tiamutt, about = CATALOG.named("Tiamutt").no, [row.about for row in foe_rows(scene, scene.fight)]
    assert about[2] == about[3] == f"card:{tiamutt}", "the monster, not the Photocopier, is looked up"


def test_the_cards_to_read_have_the_monster_once_and_the_copier_once() -> None:
    scene, _ = two_monsters()
    names = [scene.title(one.card) for one in cards_to_read(scene)]
    assert names.count("Tiamutt") == names.count("Photocopier") == names.count("Slightly Luminous") == 1


def test_a_die_to_run_from_a_copy_shows_the_face_of_the_monster() -> None:
    scene, game = two_monsters()
    assert game.state.fight is not None
    copy = game.state.fight.monsters[1].id
    keeper = Moments(CATALOG)
    keeper.hear([], scene.view, samples.NAMES[:3], 1)
    rolled, caught = ev.Rolled(0, 2, "run", [], 5, copy), ev.Fled(0, copy, CATALOG.named("Tiamutt").no, False)
    keeper.hear([rolled, caught], scene.view, samples.NAMES[:3], 1)
    found = keeper.take()
    assert found is not None and found.card == CATALOG.named("Tiamutt").no
    assert found.said.endswith("to run from Tiamutt #2; 5 needed")
