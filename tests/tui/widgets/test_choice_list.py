"""The list of choices: the texts that it wraps, and those that it keeps together."""

import pytest
from textual.app import ComposeResult
from textual.screen import Screen

from tests.tui.app_pilot import screen_lines, shown
from tui.scene.outlook import Outlook
from tui.widgets.choice_list import ChoiceList, Item

SUMS, SHARE = "12 : 2", "33 %"
OUTLOOK = Outlook(SUMS, (f"with you, or {SHARE} to get away",), "good")


class _Alone(Screen[None]):
    """A list that is the whole screen."""

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
