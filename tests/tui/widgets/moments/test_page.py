"""Moments as they are drawn: at every size, in ASCII, with odds that are right."""

from itertools import pairwise

import pytest
from rich.cells import cell_len

from core.state import events as ev
from core.state.views import View
from tests.tui import goldens, moment_samples, samples, set_samples
from tui.scene.fight import chance, spread
from tui.scene.moments import Kind, Moment
from tui.widgets.moments.die import face_at

SIZES = ((60, 20), (80, 24), (99, 31), (120, 40), (200, 60))


@pytest.mark.parametrize("kind", moment_samples.KINDS)
@pytest.mark.parametrize("size", goldens.SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_moment_matches_its_golden(kind: Kind, size: tuple[int, int]) -> None:
    lines = goldens.moment_lines(f"moment-{kind}", size)
    assert not (wrong := goldens.difference(lines, f"moment-{kind}", size)), wrong


@pytest.mark.parametrize("kind", moment_samples.KINDS)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_moment_fits_every_window_and_names_its_key(kind: Kind, ascii_only: bool) -> None:
    for width, height in SIZES:
        lines = moment_samples.drawn(moment_samples.moment(kind), width, height, ascii_only)
        assert {cell_len(line) for line in lines} == {cell_len(lines[0])} and cell_len(lines[0]) <= width
        assert len(lines) <= height - 2 - (7 if height >= 40 else 4)
        assert "SPACE go on" in lines[-2]
        assert not ascii_only or all(line.isascii() for line in lines)


@pytest.mark.parametrize("size", SIZES)
def test_numbers_and_outcomes_are_never_cut(size: tuple[int, int]) -> None:
    text = "\n".join(moment_samples.drawn(moment_samples.moment("die"), *size))
    assert "CAUGHT" in text and "together" in text and "needed" in text
    text = "\n".join(moment_samples.drawn(moment_samples.moment("door"), *size))
    assert "8 against 12" in text and "you need +5" in text
    text = "\n".join(moment_samples.drawn(moment_samples.moment("run"), *size))
    assert text.count(" %") >= 3


def test_several_monsters_each_have_a_face_in_the_order_of_their_names() -> None:
    found = moment_samples.moment("run")
    assert found.view.fight is not None
    many = len(found.view.fight.monsters)
    assert many > 1
    for size in ((80, 24), (120, 40), (200, 60)):
        drawn = moment_samples.drawn(found, *size)
        assert sum("▀▀▀▀▀▀▀▀" in line for line in drawn) >= 4 * many, size


def test_odds_of_several_monsters_together() -> None:
    assert [chance(need) for need in (0, 1, 2, 5, 6, 7, 9)] == [1, 1, 5 / 6, 2 / 6, 1 / 6, 0, 0]
    none, one, both = spread([5, 4])
    assert (round(none, 4), round(one, 4), round(both, 4)) == (0.3333, 0.5, 0.1667)
    assert spread([]) == [1.0]
    assert sum(spread([2, 5, 7])) == pytest.approx(1)


@pytest.mark.parametrize("kind", ["door", "die"])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_motion_ends_in_the_frame_that_stands_without_it(kind: Kind, ascii_only: bool) -> None:
    found = moment_samples.moment(kind)
    still = moment_samples.drawn(found, 120, 40, ascii_only)
    frames = [moment_samples.drawn(found, 120, 40, ascii_only, at=step / 10) for step in range(11)]
    assert frames[-1] == still and frames[0] != still
    assert {(len(lines), len(lines[0])) for lines in frames} == {(len(still), len(still[0]))}
    assert len({tuple(lines) for lines in frames}) >= 5
    assert not ascii_only or all(line.isascii() for lines in frames for line in lines)


def test_a_die_that_rolls_tells_nothing_of_its_outcome() -> None:
    rolling = "\n".join(moment_samples.drawn(moment_samples.moment("die"), 120, 40, at=0.9))
    assert "CAUGHT" not in rolling and "together" not in rolling and "level 3" not in rolling


@pytest.mark.parametrize("sides", [2, 4, 6, 10, 20])
def test_a_die_turns_six_times_and_stops_at_its_number(sides: int) -> None:
    for number in range(1, sides + 1):
        shown = [face_at(number, sides, at / 100) for at in range(101)]
        assert shown[-1] == number != shown[-2]
        assert sum(one != other for one, other in pairwise(shown)) <= 6
        assert set(shown) <= set(range(1, sides + 1))


def test_a_die_after_which_nothing_happens_says_so_and_why() -> None:
    def drawn(roll: ev.Rolled, view: View | None = None) -> str:
        found = Moment("die", samples.BO, "Bo rolls", True, view or samples.view(), roll=roll)
        return "\n".join(moment_samples.drawn(found, 80, 24))

    assert "Nothing happens: 4 is too little." in drawn(ev.Rolled(samples.BO, 4, "a curse", [], 5))
    assert "Nothing happens: 5 is enough." in drawn(ev.Rolled(samples.BO, 4, "a curse", [("Elf", 1)], 5))
    assert "Nothing happens: nothing follows from 4." in drawn(ev.Rolled(samples.BO, 4, "a curse", []))
    assert "Bo rolls for a curse on ● You" in drawn(ev.Rolled(samples.BO, 4, "a curse", [], on=samples.ME))
    asked = samples.view(top="program")
    assert "Nothing happens" not in drawn(ev.Rolled(samples.BO, 4, "a curse", [], 5), asked), "something may follow"


def test_a_kind_is_named_once_beside_its_figures() -> None:
    lines = moment_samples.drawn(moment_samples.moment("taken"), 120, 40)
    assert any("item  +4, 2 hands" in line for line in lines)


@pytest.mark.parametrize(("me", "title"), [(4, "VICTORY"), (samples.ME, "THE GAME IS LOST"), (-1, "THE GAME IS OVER")])
def test_victory_is_for_winners(me: int, title: str) -> None:
    text = "\n".join(moment_samples.drawn(moment_samples.moment("victory"), 80, 24, me=me))
    assert title in text and ("VICTORY" in text) == (me == 4)


def test_an_end_by_the_last_seal_says_what_counts() -> None:
    """Formerly, the page named the winner and the Levels, and somebody else had a higher Level."""
    box, view = set_samples.apo_over()
    found = Moment("victory", 2, "Cid and Eve win the game: the seventh Seal is open", True, view)
    text = "\n".join(moment_samples.drawn(found, 80, 24, catalog=box.catalog, seats=len(view.seats)))
    assert "most from cards wins, then the level" in text and " from cards, level 9" in text
