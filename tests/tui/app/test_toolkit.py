"""What the app does against faults of the toolkit."""

import re
from collections.abc import Callable

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.command import CommandPalette
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import OptionList

from tests.netcode.words.hostile import FORGING, HOSTILE, raw_in
from tests.tui import samples
from tests.tui.app_pilot import settled, still, table
from tui.app.app import KickdoorApp
from tui.app.key_queue import WAITING
from tui.app.toolkit import mend_toolkit
from tui.config.settings import Settings
from tui.scene.cells import UNICODE
from tui.screens.forms import ChoiceScreen
from tui.screens.live_screen import close
from tui.widgets.entry.choices import Choice


async def test_a_list_without_room_is_paged_through() -> None:
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test():
        options = OptionList("one", "two", "three")
        options.display = False
        await app.mount(options)
        options.highlighted = 1
        options.action_page_up()
        options.action_page_down()


async def test_the_palette_is_open_once_whatever_lies_over_it() -> None:
    for ascii_only in (False, True):
        app = KickdoorApp(Settings(bell=False, ascii=ascii_only))
        async with app.run_test() as textual:
            app.action_command_palette()
            await settled(textual)
            await app.push_screen(ModalScreen())
            app.action_command_palette()
            await settled(textual)
            assert len([one for one in app.screen_stack if isinstance(one, CommandPalette)]) == 1


async def test_a_choice_made_twice_closes_one_screen() -> None:
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test() as textual:
        found: list[str | None] = []
        below = ChoiceScreen("below", [Choice("x", "x")], UNICODE)
        await app.push_screen(below, found.append)
        above = ChoiceScreen("above", [Choice("a", "a")], UNICODE)
        await app.push_screen(above, found.append)
        above.dismiss("a")
        above.dismiss("a")
        await settled(textual)
        assert found == ["a"] and app.screen is below


@pytest.mark.parametrize("name", ["choices", "palette", "history", "cards", "gallery", "rules"])
async def test_a_screen_is_closed_that_has_not_made_its_widgets(name: str) -> None:
    async with table(samples.view()) as pilot:
        app = pilot.app
        opens: dict[str, Callable[[], object]] = {
            "choices": lambda: app.push_screen(ChoiceScreen("a", [Choice("x", "x")], UNICODE)),
            "palette": app.action_command_palette,
            "history": pilot.screen.action_log,
            "cards": lambda: app.action_book("cards"),
            "gallery": lambda: app.action_book("gallery"),
            "rules": lambda: app.action_book("rules"),
        }
        for ways in (lambda: app.screen.dismiss(None), lambda: close(pilot.screen)):
            opens[name]()
            ways()
            await still(pilot.textual)
        assert len(app.screen_stack) == 1, app.screen_stack


async def test_keys_that_come_at_once_are_looked_at_one_after_the_other() -> None:
    async with table(samples.view()) as pilot:
        for _ in range(2):
            for key in ("question_mark", "escape", "ctrl+p", *"log", "enter", "escape", "v", "i", "escape", "escape"):
                pilot.app.simulate_key(key)
            while pilot.app.keys.busy:
                await pilot.settle()
            assert pilot.app.screen is pilot.screen, pilot.app.screen_stack
        for _ in range(500):
            pilot.app.simulate_key("question_mark")
        await pilot.settle()
        assert pilot.app.keys.waiting <= WAITING
        while pilot.app.keys.busy:
            await pilot.settle()


async def test_a_key_that_no_widget_wants_is_not_for_a_screen_that_has_come_up_since() -> None:
    async with table(samples.view()) as pilot:
        key = events.Key("escape", None)
        pilot.app.keys.front = pilot.screen
        below = ChoiceScreen("a", [Choice("x", "x")], UNICODE)
        await pilot.app.push_screen(below)
        key._set_forwarded()
        pilot.app.post_message(key)
        await pilot.settle()
        assert pilot.app.screen is below


STYLES = {"none": None, "plain": Style(), "bold": Style(bold=True), "link": Style(link=f"http://x/{HOSTILE}")}


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_no_widget_can_write_a_control_character_of_a_stranger(style: Style | None) -> None:
    mend_toolkit()
    strip = Strip([Segment("a"), Segment(FORGING, style), Segment("b", style)])
    width = strip.cell_length
    written = strip.render(Console(color_system="truecolor", force_terminal=True))
    shown = re.sub(r"\x1b\[[0-9;]*m", "", written)
    assert raw_in(shown) == "" and "\n" not in shown
    assert shown.startswith("a") and shown.endswith("b") and cell_len(shown) in (width, width + 1)  # the line end
