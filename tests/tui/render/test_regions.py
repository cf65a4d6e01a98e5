"""The regions as lines: exact sizes, marks, the words that matter."""

import pytest
from rich.cells import cell_len

from core.state.model import Bargain
from tests.tui import samples
from tests.tui.region_lines import regions
from tui.render import board, combat
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


def test_in_a_window_the_status_does_not_reveal_who_has_passed() -> None:
    scene = samples.scene(samples.interrupt())
    assert board.waiting_for(scene) == ["YOU", "the others"]
    shown = "\n".join(plain(line) for line in board.seats(scene, 80, 7))
    assert "pass" not in shown


def test_markers_say_whose_turn_it_is_and_who_you_are() -> None:
    lines = [plain(line) for line in board.seats(samples.scene(samples.idle()), 80, 7)]
    assert lines[1].startswith("  A Ada     *") and lines[2].startswith("> B Bo")
    assert "[2 curses]" in lines[6] and "offline 9s" in lines[6]


@pytest.mark.parametrize("width", [80, 120])
def test_the_status_says_who_has_an_extra_turn(width: int) -> None:
    coming = plain(board.status(samples.scene(samples.view(extra_turn=samples.ME)), width, 1)[0])
    assert "turn: B Bo  waiting for: B  then: A Ada (extra)" in coming and cell_len(coming) == width
    extra = plain(board.status(samples.scene(samples.view(turn_after=samples.ME)), width, 1)[0])
    assert "turn: B Bo (extra)" in extra and cell_len(extra) == width
    title = plain(combat.panel(samples.scene(samples.view(turn_after=samples.ME)), width, 4)[0])
    assert "Turn 7: B Bo, an extra turn" in title


def test_a_name_with_markup_stays_a_name() -> None:
    info = samples.info()
    info.seats[1].name = "[b]Bo\x1b[2J"
    lines = [plain(line) for line in board.seats(samples.scene(samples.idle(), info=info), 120, 7)]
    assert "[b]Bo[2J" in lines[2]


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


