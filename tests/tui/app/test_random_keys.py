"""Random keys in bursts, as from a paste or a slow link: no screen fails, and the table is still there afterwards."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from textual.screen import Screen

from cards import BUILT_IN
from tests.thorough import TURN
from tests.tui import samples, set_samples
from tests.tui.app_pilot import settled, table
from tests.tui.fake_client import FakeLobby
from tests.tui.set_samples import APO, AXE
from tui.app.app import KickdoorApp
from tui.app.menu_rows import built_in_heads, host_rows, menu_rows, play_rows
from tui.config.settings import Settings
from tui.screens.card_browser import CardBrowserScreen
from tui.screens.forms import FormScreen
from tui.screens.lobby import LobbyScreen
from tui.screens.main_menu import MainMenuScreen

pytestmark = [
    pytest.mark.painted,
    pytest.mark.filterwarnings(
        "error:coroutine.*never awaited", "error::pytest.PytestUnraisableExceptionWarning"
    ),
]
"""No coroutine may be left unawaited because its screen has closed."""

LETTERS = [*"abcdefghijklmnopqrstuvwxyz0123456789", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "question_mark", "slash", "minus"]
OTHERS = [
    "enter", "escape", "space", "tab", "up", "down", "left", "right", "pageup", "pagedown", "home", "end", "backspace",
    "delete", "ctrl+p", "shift+tab", "f1",
]  # fmt: skip
BURSTS = 20
SIZES = [(80, 24), (120, 40), (40, 12), (200, 60), (20, 6)]


def some_keys(rng: random.Random) -> list[str]:
    """Return a burst of keys."""
    return [rng.choice(LETTERS if rng.random() < 0.5 else OTHERS) for _ in range(rng.choice((1, 2, 3, 8)))]


async def bang(app: KickdoorApp, textual: Any, rng: random.Random) -> None:
    """Press keys in bursts, and resize the window now and then."""
    for _ in range(BURSTS):
        if not app.is_running:
            return
        for key in some_keys(rng):
            app.simulate_key(key)
        if rng.random() < 0.1:
            await textual.resize_terminal(*rng.choice(SIZES))
        for _ in range(rng.choice((0, 1, 3))):
            await textual.pause(0)
    while app.is_running and app.keys.busy:
        await settled(textual)


@pytest.mark.long(12, turns=2)
@pytest.mark.parametrize("name", samples.SITUATIONS)
async def test_random_keys_at_the_table(name: str) -> None:
    rng = random.Random(f"{name} {TURN}")
    async with table(samples.SITUATIONS[name](), rng.choice(SIZES[:3])) as pilot:
        await bang(pilot.app, pilot.textual, rng)
        assert pilot.screen in pilot.app.screen_stack or not pilot.screen.is_running, pilot.app.screen_stack


SCREENS: dict[str, Callable[[KickdoorApp], Screen[Any]]] = {
    "menu": lambda app: MainMenuScreen(menu_rows(Settings()), built_in_heads(), app.glyphs),
    "cards": lambda app: CardBrowserScreen(set_samples.catalog(AXE, APO), app.glyphs),
    "lobby": lambda app: LobbyScreen(FakeLobby(), app.glyphs),
    "play": lambda app: FormScreen("Play against bots", play_rows(Settings(), BUILT_IN), app.glyphs),
    "host": lambda app: FormScreen("Host a table", host_rows(Settings(), BUILT_IN), app.glyphs),
}


@pytest.mark.long(10, turns=2)
@pytest.mark.parametrize("name", SCREENS)
@pytest.mark.parametrize("seed", range(2))
async def test_random_keys_elsewhere(name: str, seed: int) -> None:
    rng = random.Random(f"{name} {seed} {TURN}")
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test(size=SIZES[seed]) as textual:
        await app.push_screen(SCREENS[name](app))
        await bang(app, textual, rng)
