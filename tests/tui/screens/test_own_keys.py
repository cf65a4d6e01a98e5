"""A player's own keys: every screen shows the keys that work, and no others."""

import re
from pathlib import Path

import pytest

from tests.tui.sweep.keys import shown_keys
from tests.tui.sweep.stages import opened
from tui.config.keymap import ROWS, USUAL_NAMES, keymap, spelled
from tui.screens.save_file import SaveFileScreen

OWN = {ident: f"f{30 + at}" for at, ident in enumerate(ROWS) if not ident.startswith(("prompt.", "lobby."))}
OWN |= {"prompt.back": "f20", "prompt.pass": "f21", "prompt.hold": "f22", "prompt.autopass": "f23",
        "lobby.watch": "f24", "lobby.create": "f25", "lobby.leave": "f26"}  # fmt: skip
"""Another key for every binding except digits."""
STATES = (
    "menu", "form-play", "settings", "key-map", "choice", "first-start", "book-cards", "book-gallery", "book-rules",
    "book-guide", "puzzles", "replays", "replay", "career", "learn", "puzzle", "lobby", "before", "before-owner", "end",
    "crowded", "idle", "card", "log", "recap", "why-not", "gear-of-others", "moment-door", "moment-curse",
)  # fmt: skip
TOOLKIT = {"up", "down", "enter", "tab", "ctrl+p", "left", "right"}
"""Keys of lists and fields, which no key map changes."""


@pytest.mark.long(8)
@pytest.mark.parametrize("name", STATES)
async def test_every_screen_shows_the_keys_that_a_player_has_chosen(name: str) -> None:
    async with opened(name, (120, 40), keys=OWN) as pilot:
        found = set(shown_keys(pilot.app))
        wrong = found - set(pilot.app.screen.active_bindings) - TOOLKIT
        text = pilot.text()
        if name not in ("book-guide", "key-map"):  # they are about keys
            wrong |= set(re.findall(r"\bESC\b|\^Q|\bSPACE\b", text))
        assert not wrong, f"{wrong} in\n{text}"


async def test_a_dialog_says_which_key_closes_it() -> None:
    async with opened("menu", (80, 24), keys={"file.close": "f9"}) as pilot:
        await pilot.app.push_screen(SaveFileScreen("Save it:", lambda path: "", Path("games.txt")))
        await pilot.settle()
        assert "ENTER saves, f9 does not." in pilot.text()


async def test_a_moment_reads_its_card_by_the_players_own_key() -> None:
    async with opened("moment-door", (80, 24), keys={"moment.read": "f8"}) as pilot:
        assert "f8 the whole card" in pilot.text()
        closed: list[str | None] = []
        moment = pilot.app.screen
        moment.dismiss = closed.append  # type: ignore[method-assign,assignment]
        await pilot.keys("f8")
        assert closed == ["read"]


def test_keys_are_spelled_together() -> None:
    names = {**USUAL_NAMES, "form.up": "w"}
    assert spelled("book.left book.right", names) == "←→" and spelled("up down", names, ascii_only=True) == "up/down"
    four = "gallery.left gallery.up gallery.down gallery.right"
    assert spelled(four, names) == "←↑↓→" and spelled(four, names, ascii_only=True) == "arrows"
    assert spelled("form.up form.down", names) == "w DOWN" and spelled("book.find", names) == "/"
    assert keymap("default", OWN), "no two keys collide"
