"""The list of choices: the texts that it wraps, and those that it keeps together."""

import pytest
from textual.app import ComposeResult
from textual.screen import Screen

from tests.tui.app_pilot import screen_lines, shown
from tui.scene.cells import Line
from tui.scene.outlook import Outlook
from tui.widgets.choice_list import ChoiceList, Item

SUMS, SHARE = "12 : 2", "33 %"
OUTLOOK = Outlook(SUMS, (f"with you, or {SHARE} to get away",), "good")


class _Alone(Screen[None]):
    """A list that is the whole screen."""

    DEFAULT_CSS = "_Alone ChoiceList { height: 1fr; }"

    def compose(self) -> ComposeResult:
        yield ChoiceList("answers")

    def on_mount(self) -> None:
        self.query_one(ChoiceList).show("Choose", [Item("1", "offer Bo help for 1", outlook=OUTLOOK)], 0)


@pytest.mark.parametrize("width", range(16, 44, 3))
async def test_no_line_ends_within_a_sum_or_a_chance(width: int) -> None:
    screen = _Alone()
    async with shown(screen, (width, 30)):
        lines = [line.rstrip() for line in screen_lines(screen.app) if line.strip()]
        assert any(SUMS in line for line in lines) and any(SHARE in line for line in lines), lines
        words = " ".join(line.strip("│ ") for line in lines)
        assert words.split() == ["1", "offer", "Bo", "help", "for", "1", *SUMS.split(), *OUTLOOK.words[0].split()]


async def test_what_has_happened_stands_below_the_items_and_takes_no_place_of_theirs() -> None:
    story: list[Line] = [(("Bo rolls 1", "bold"), (" r 3 more", "gold|r"))]
    screen = _Alone()
    async with shown(screen, (40, 11)) as (press, _):
        found = screen.query_one(ChoiceList)
        found.show("Choose", [Item("1", "the spear"), Item("2", "the shield")], 0, lambda width, rows: story[:rows])
        await press()
        lines = screen_lines(screen.app)
        at = [next(no for no, row in enumerate(lines) if words in row) for words in ("shield", "Bo rolls 1 r 3 more")]
        assert found.tells and at[1] > at[0], lines
        found.action_cursor_down()
        found.action_cursor_down()
        assert found.highlighted in (0, 1), "the cursor goes round among the items"
        many = [Item(str(no), f"card {no}") for no in range(10)]
        found.show("Choose", many, 0, lambda width, rows: story[:rows])
        assert not found.tells, "it moves no item out of sight"


async def test_what_has_happened_gets_all_rows_that_the_items_leave() -> None:
    """Formerly, it was cut after four rows, although ten rows below were empty."""
    story: list[Line] = [((f"Bo rolls {no}", ""),) for no in range(30)]
    screen = _Alone()
    async with shown(screen, (40, 20)) as (press, _):
        found = screen.query_one(ChoiceList)
        found.show("Choose", [Item("1", "the spear"), Item("2", "the shield")], 0, lambda width, rows: story[:rows])
        await press()
        lines = screen_lines(screen.app)
        assert sum("Bo rolls" in line for line in lines) >= 14 and any("the spear" in line for line in lines)
        assert not found.max_scroll_y, "nothing has to be scrolled"
