"""The regions as lines: exact sizes, marks, the words that matter."""

import pytest
from rich.cells import cell_len

from core.state.model import Bargain
from tests.tui import samples
from tests.tui.region_lines import regions
from tui.render import combat
from tui.scene.cells import ASCII, UNICODE, Glyphs, plain

SIZES = ((80, 7), (74, 19), (45, 11), (30, 4), (120, 30))


@pytest.mark.parametrize("name", samples.SITUATIONS)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_region_has_exactly_the_given_size(name: str, glyphs: Glyphs) -> None:
    scene = samples.scene(samples.SITUATIONS[name](), glyphs, me=-1 if name == "watching" else samples.ME)
    for width, height in SIZES:
        for region, lines in regions(scene, width, height):
            wide = [plain(line) for line in lines if cell_len(plain(line)) != width]
            assert not wide, f"{region} at {width}: {wide}"
            if glyphs.ascii:
                assert all(plain(line).isascii() for line in lines), region


def test_both_totals_and_what_the_losing_side_needs() -> None:
    lines = [plain(line) for line in combat.panel(samples.scene(samples.own_combat()), 80, 4)]
    assert "HEROES     8 =" in lines[1] and "MONSTERS  12 = Bearbug 12" in lines[2]
    assert "Ada LOSES: needs +5 to win" in lines[3] and "if won: 1 level, 3 Treasures" in lines[3]


def test_a_warrior_needs_one_less_because_ties_win() -> None:
    view = samples.own_combat()
    view.fight.wins_ties = True
    assert "needs +4 to win (wins ties)" in combat.verdict(samples.scene(view))[0]


@pytest.mark.parametrize(("run", "words"), [(0, "5+ (33%)"), (4, "always"), (-2, "never"), (1, "4+ (50%)")])
def test_what_the_die_must_show_to_run_away(run: int, words: str) -> None:
    view = samples.own_combat()
    view.seats[0].run = run
    assert combat.run_chance(samples.scene(view), 0) == words


def test_terms_of_a_bargain_in_words() -> None:
    scene = samples.scene(samples.own_combat())
    deal = Bargain(1, 2, 0, "help", 2, 2, False, [samples.public("Pickle Spear")], [], [5], 5)
    words = combat.terms_of(scene, deal)
    assert words == "2 Treasures (A picks first) + Pickle Spear + 1 hand card played on the helper"


