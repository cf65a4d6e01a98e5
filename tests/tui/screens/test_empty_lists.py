"""A list in which nothing is found takes every key that moves in it or chooses from it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from tests.tui import set_samples
from tests.tui.app_pilot import shown
from tests.tui.fake_client import FakeLobby
from tests.tui.set_samples import APO, AXE
from tui.scene.book import rule_chapters
from tui.scene.cells import UNICODE
from tui.screens.book import BookScreen
from tui.screens.card_browser import CardBrowserScreen
from tui.screens.lobby import LobbyScreen
from tui.screens.replay_list import ReplayListScreen

KEYS = (
    "down", "up", "pagedown", "pageup", "home", "end", "j", "k", "left", "right", "tab", "tab", "space", "enter", "1",
    "g", "p", "ctrl+p", "z", "q", "x", "pageup", "pagedown", "down", "up", "enter", "escape", "enter",
)  # fmt: skip
SCREENS: dict[str, Callable[[Path], Screen[Any]]] = {
    "cards": lambda _: CardBrowserScreen(set_samples.catalog(AXE, APO), UNICODE),
    "rules": lambda _: BookScreen("Rules", rule_chapters(), UNICODE, ("Axe Cop", "Apocalypse")),
    "replays": lambda folder: ReplayListScreen(UNICODE, folder),
    "tables": lambda _: LobbyScreen(FakeLobby([]), UNICODE),
}


@pytest.mark.long(0)
@pytest.mark.parametrize("name", SCREENS)
async def test_every_key_in_an_empty_list(name: str, tmp_path: Path) -> None:
    for burst in (False, True):
        async with shown(SCREENS[name](tmp_path)) as (press, _):
            if name != "tables":
                await press("slash", *"zzqx", "enter")
            for keys in [KEYS] if burst else [(key,) for key in KEYS]:
                await press(*keys)
