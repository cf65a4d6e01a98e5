"""Every row of tui/config/keymap.py has an action of its screen, and a row in the help and in docs/playing.md."""

from pathlib import Path

import pytest
from textual.screen import Screen

from tui.app.navigation import NavigationApp
from tui.config.keymap import END, HELP_REPLAY, HELP_TABLE, REPLAY, TABLE, Key
from tui.screens.end import EndScreen
from tui.screens.replay import ReplayScreen
from tui.screens.table import TableScreen

DOCS = Path(__file__).resolve().parents[2] / "docs/playing.md"
SCREENS: list[tuple[type[Screen], str, tuple[Key, ...], tuple[tuple[str, str], ...], str]] = [
    (TableScreen, "tui/screens/table_actions.py", TABLE, HELP_TABLE, "## At the table"),
    (ReplayScreen, "tui/screens/replay.py", REPLAY, HELP_REPLAY, "## Replays"),
    (EndScreen, "tui/screens/end.py", END, tuple((key.show, key.words) for key in END if key.show),
     "## The end of a game"),
]


def action_of(key: Key) -> str:
    """Return the name of the action that a key runs, without its arguments."""
    return key.action.partition("(")[0]


def docs_row(key: Key) -> str:
    """Return the row of docs/playing.md that a shown key must have."""
    names = " ".join(f"`{name.replace('^', 'Ctrl+')}`" for name in key.show.split())
    return f"| {names} | {key.words} |"


def section(heading: str) -> list[str]:
    """Return the lines of docs/playing.md from this heading to the next."""
    _, _, rest = DOCS.read_text("utf-8").partition(f"\n{heading}\n")
    return rest.partition("\n## ")[0].splitlines()


def missing_parts(
    screen: type[Screen], file: str, keys: tuple[Key, ...], helped: tuple[tuple[str, str], ...], heading: str, key: Key
) -> list[str]:
    """Return what a key lacks, each with the file that has to be changed."""
    missing = []
    action = action_of(key)
    owner: type = NavigationApp if action.startswith("app.") else screen
    if not hasattr(owner, f"action_{action.removeprefix('app.')}"):
        missing.append(f"the method action_{action} ({file})")
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
    ("screen", "file", "keys", "helped", "heading"), SCREENS, ids=[screen.__name__ for screen, *_ in SCREENS]
)
def test_every_key_has_an_action_words_and_a_row_in_the_document(
    screen: type[Screen], file: str, keys: tuple[Key, ...], helped: tuple[tuple[str, str], ...], heading: str
) -> None:
    missing = [
        f"{key.id} lacks {', '.join(parts)}"
        for key in keys if (parts := missing_parts(screen, file, keys, helped, heading, key))
    ]  # fmt: skip
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("keys", [TABLE, REPLAY, END], ids=["table", "replay", "end"])
def test_no_key_and_no_id_is_used_twice(keys: tuple[Key, ...]) -> None:
    pressed = [name for key in keys for name in key.keys.split(",")]
    ids = [key.id for key in keys]
    assert len(set(pressed)) == len(pressed), sorted(name for name in set(pressed) if pressed.count(name) > 1)
    assert len(set(ids)) == len(ids), sorted(ident for ident in set(ids) if ids.count(ident) > 1)
