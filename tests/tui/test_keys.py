"""Every row of tui/config/keymap.py has an action of its screen, and a row in the help and in docs/playing.md."""

import importlib
import inspect
import pkgutil
import string
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.binding import Binding
from textual.keys import _character_to_key
from textual.screen import Screen
from textual.widget import Widget

import tui
from tests.tui import samples
from tests.tui.app_pilot import settled
from tests.tui.fake_client import FakeClient
from tui.app.app import KickdoorApp
from tui.app.navigation import NavigationApp
from tui.config.key import Key
from tui.config.keymap import (
    AREAS,
    END,
    HELP_REPLAY,
    HELP_TABLE,
    IN_REPLAYS,
    PRESETS,
    ROWS,
    TABLE,
    collisions,
    pressed,
    shown_keys,
    written,
)
from tui.config.settings import Settings
from tui.scene.table_session import TableSession
from tui.screens import parts
from tui.screens.card import CardScreen
from tui.screens.end import EndScreen
from tui.screens.replay import ReplayScreen
from tui.screens.table import TableScreen

PARTS = tuple(
    kind for module in pkgutil.iter_modules(parts.__path__)
    for kind in vars(importlib.import_module(f"{parts.__name__}.{module.name}")).values() if isinstance(kind, type)
)  # fmt: skip
"""All classes of the parts of tables and replays."""
ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs/playing.md"
SCREENS: list[tuple[type[Screen], tuple[Key, ...], tuple[tuple[str, str], ...], str]] = [
    (TableScreen, TABLE, HELP_TABLE, "## At the table"),
    (ReplayScreen, IN_REPLAYS, HELP_REPLAY, "## Replays"),
    (EndScreen, END, tuple((key.show, key.words) for key in END if key.show), "## The end of a game"),
]


def action_of(key: Key) -> str:
    """Return the name of the action that a key runs, without its arguments."""
    return key.action.partition("(")[0]


def method_of(screen: type[Screen], key: Key) -> Any:
    """Return the method that a key runs, None if there is none: of its screen, or of a part of the table."""
    action = action_of(key)
    owner: type = NavigationApp if action.startswith("app.") else screen
    found = (getattr(one, f"action_{action.removeprefix('app.')}", None) for one in (owner, *PARTS))
    return next((method for method in found if method is not None), None)


def file_beside(screen: type[Screen], keys: tuple[Key, ...], key: Key) -> str:
    """Return the file with the action of the nearest row that has one, and the name of that action."""
    mine, at = action_of(key).startswith("app."), keys.index(key)
    near = sorted((other for other in keys if other is not key), key=lambda other: abs(keys.index(other) - at))
    for other in near:
        method = method_of(screen, other)
        if method is not None and action_of(other).startswith("app.") == mine:
            file = Path(inspect.getsourcefile(inspect.unwrap(method)) or "")
            if file.is_relative_to(ROOT):
                return f"{file.relative_to(ROOT).as_posix()}, where {method.__name__} is"
    return "the file of its screen in tui/screens, or of a part in tui/screens/parts"


def docs_row(key: Key) -> str:
    """Return the row of docs/playing.md that a shown key must have."""
    names = " ".join(f"`{name.replace('^', 'Ctrl+')}`" for name in key.show.split())
    return f"| {names} | {key.words} |"


def section(heading: str) -> list[str]:
    """Return the lines of docs/playing.md from this heading to the next."""
    _, _, rest = DOCS.read_text("utf-8").partition(f"\n{heading}\n")
    return rest.partition("\n## ")[0].splitlines()


def missing_parts(
    screen: type[Screen], keys: tuple[Key, ...], helped: tuple[tuple[str, str], ...], heading: str, key: Key
) -> list[str]:
    """Return the missing parts of a key, each with the file that has to be changed."""
    missing = []
    action = action_of(key)
    if method_of(screen, key) is None:
        missing.append(f"the method action_{action.removeprefix('app.')} ({file_beside(screen, keys, key)})")
    if not key.words:
        missing.append("its words for the help (tui/config/keymap.py)")
    shown = [other for other in keys if other.show and action_of(other) == action]
    if not shown and action != "digit":
        missing.append("the name that the help shows, of this key or of another with its action (tui/config/keymap.py)")
    if key.show and (key.show, key.words) not in helped:
        missing.append("its row in the help (tui/config/keymap.py)")
    if key.show and docs_row(key) not in section(heading):
        missing.append(f"the row {docs_row(key)!r} under {heading!r} (docs/playing.md)")
    return missing


@pytest.mark.parametrize(
    ("screen", "keys", "helped", "heading"), SCREENS, ids=[screen.__name__ for screen, *_ in SCREENS]
)
def test_every_key_has_an_action_words_and_a_row_in_the_document(
    screen: type[Screen], keys: tuple[Key, ...], helped: tuple[tuple[str, str], ...], heading: str
) -> None:
    missing = [
        f"{key.id} lacks {', '.join(parts)}"
        for key in keys if (parts := missing_parts(screen, keys, helped, heading, key))
    ]  # fmt: skip
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("keys", [TABLE, IN_REPLAYS, END], ids=["table", "replay", "end"])
def test_no_key_and_no_id_is_used_twice(keys: tuple[Key, ...]) -> None:
    pressed = [name for key in keys for name in key.keys.split(",")]
    ids = [key.id for key in keys]
    assert len(set(pressed)) == len(pressed), sorted(name for name in set(pressed) if pressed.count(name) > 1)
    assert len(set(ids)) == len(ids), sorted(ident for ident in set(ids) if ids.count(ident) > 1)


def _classes() -> list[type]:
    """Return every screen, widget and app of the program, those within others included."""
    for module in pkgutil.walk_packages(tui.__path__, "tui."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found: list[type] = []
    left: list[type] = [App, Widget]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        found += [kind] if kind.__module__.startswith("tui.") else []
    return list(dict.fromkeys(found))


def test_every_key_of_every_screen_is_in_the_key_map_with_its_id_and_a_tooltip() -> None:
    wrong = []
    for kind in _classes():
        for binding in Binding.make_bindings(kind.__dict__.get("BINDINGS", [])):
            row = ROWS.get(binding.id or "")
            name = f"{kind.__name__}: {binding.key} ({binding.description})"
            if row is None:
                wrong.append(f"{name} is not in the key map: add its row to tui/config/places.py, or to "
                             "tui/config/keymap.py if it is one of the table, replays or the end")  # fmt: skip
            elif binding.key not in [key.strip() for key in row.keys.split(",")]:
                wrong.append(f"{name} has another key in the key map: {row.keys}")
            if not binding.tooltip:
                wrong.append(f"{name} has no tooltip")
    assert not wrong, "\n".join(wrong)


def test_the_key_map_lists_no_key_that_nothing_reads_and_no_id_twice() -> None:
    read = {
        binding.id for kind in _classes() for binding in Binding.make_bindings(kind.__dict__.get("BINDINGS", []))
    }  # fmt: skip
    unread = sorted(set(ROWS) - read)
    assert not unread, f"no screen binds {', '.join(unread)}: give its rows to bound(...) in the BINDINGS of its screen"
    ids = [key.id for _, keys in AREAS for key in keys]
    assert len(set(ids)) == len(ids), sorted(ident for ident in set(ids) if ids.count(ident) > 1)


@pytest.mark.parametrize("preset", PRESETS)
def test_no_keys_of_a_place_collide(preset: str) -> None:
    assert collisions(PRESETS[preset]) == []


async def test_the_key_of_a_screen_beside_the_table_is_changed_by_its_id() -> None:
    app = KickdoorApp(Settings(bell=False, keys={"card.close": "x", "room.ready": "j"}))
    async with app.run_test(size=(120, 40)) as textual:
        client = FakeClient(samples.idle(), None, samples.ME)
        session = TableSession(client, samples.catalog(), app.glyphs, clock=lambda: 0.0)
        screen = TableScreen(session)
        await app.push_screen(screen)
        await settled(textual)
        screen.run("read")
        await settled(textual)
        assert isinstance(app.screen, CardScreen)
        app.simulate_key("escape")
        await settled(textual)
        assert isinstance(app.screen, CardScreen), "ESC closes the card no longer"
        app.simulate_key("x")
        await settled(textual)
        assert app.screen is screen


@pytest.mark.parametrize("sign", [*string.punctuation, "§", "k", "Z", "1", "ö"])
def test_a_key_is_written_as_its_sign_and_found_again(sign: str) -> None:
    name = _character_to_key(sign)
    assert shown_keys({"table.kick": name})["table.kick"] == written(name) == sign
    assert pressed(sign) == name


@pytest.mark.parametrize("name", ["f9", "backspace", "insert"])
def test_a_key_without_a_sign_is_written_by_its_name(name: str) -> None:
    assert written(name) == pressed(name) == name
