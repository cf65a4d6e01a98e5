"""Moving sums, bar, strip and chips, by a fake clock."""

import msgspec
import pytest

from core.state.views import View
from tests.tui import samples
from tui.scene.motion import BLINK_MS, CHIP_MS, STILL, SUM_MS, Motion, Moving, share_of


class Table:
    """A motion, its clock, and the view of its table."""

    def __init__(self, moves: bool = True) -> None:
        self.seconds = 50.0
        self.motion = Motion(lambda: self.seconds)
        self.moves = moves
        self.tell(samples.own_combat())

    def tell(self, view: View) -> Moving:
        """Take in a view; return the moving parts."""
        self.view = view
        self.motion.follow(view, self.moves)
        return self.motion.moving()

    def after(self, ms: float) -> Moving:
        """Return the moving parts after this many more milliseconds."""
        self.seconds += ms / 1000
        return self.motion.moving()


def level(view: View, seat: int, to: int) -> View:
    """Return a view with another Level of a seat."""
    replace = msgspec.structs.replace
    return replace(view, seats=[replace(one, level=to) if one.seat == seat else one for one in view.seats])


def test_a_sum_counts_up_in_three_steps_and_the_bar_slides() -> None:
    table = Table()  # 8 : 12
    first = table.tell(samples.sums(table.view, 8, 18))
    second, third = table.after(SUM_MS / 2), table.after(SUM_MS / 2 - 1)
    assert [one.foes for one in (first, second, third)] == [14, 16, 18]
    assert [one.heroes for one in (first, second, third)] == [None, None, None]
    assert first.share == share_of(8, 12) and third.share == pytest.approx(share_of(8, 18), abs=0.01)
    assert first.share > (second.share or 0) > (third.share or 0)
    assert table.motion.runs and table.after(1.5) == STILL and not table.motion.runs


def test_the_strip_blinks_once_when_the_outcome_turns() -> None:
    table = Table()
    assert not table.tell(samples.sums(table.view, 10, 12)).blinks
    table.after(SUM_MS)
    assert table.tell(samples.sums(table.view, 14, 12)).blinks
    assert table.after(BLINK_MS - 1).blinks and not table.after(2).blinks


def test_a_chip_goes_from_its_old_level_to_the_new_one() -> None:
    table = Table()
    old = table.view.seats[2].level
    table.tell(level(table.view, 2, old + 1))
    moving = table.after(CHIP_MS / 2)
    assert moving.chips == {2: (old, pytest.approx(0.5))} and moving.foes is None
    assert table.after(CHIP_MS / 2 + 1) == STILL


def test_a_second_change_ends_the_motion_of_the_first() -> None:
    table = Table()
    table.tell(samples.sums(table.view, 8, 18))
    table.after(50)
    assert table.tell(samples.sums(table.view, 8, 21)) == STILL
    table.after(1000)
    assert table.tell(samples.sums(table.view, 8, 24)).foes == 22


def test_other_news_do_not_touch_it() -> None:
    table = Table()
    table.tell(samples.sums(table.view, 8, 18))
    before = table.after(100)
    assert table.tell(msgspec.structs.replace(table.view, rev=99)) == before != STILL


def test_it_can_be_ended_and_switched_off() -> None:
    table = Table()
    table.tell(samples.sums(table.view, 8, 18))
    table.motion.end()
    assert table.motion.moving() == STILL and not table.motion.runs
    still = Table(moves=False)
    assert still.tell(samples.sums(still.view, 8, 18)) == STILL and not still.motion.runs


def test_the_sums_of_another_fight_are_there_at_once() -> None:
    table = Table()
    other = samples.sums(table.view, 3, 20)
    assert other.fight is not None
    assert table.tell(msgspec.structs.replace(other, fight=msgspec.structs.replace(other.fight, no=9))) == STILL


def test_empty_sums_have_half_of_the_bar() -> None:
    assert share_of(0, 0) == 0.5 and share_of(-3, 5) == 0.0 and share_of(6, 2) == 0.75
