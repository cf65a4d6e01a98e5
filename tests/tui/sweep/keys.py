"""The keys that a screen shows, and those that it handles."""

import re
from typing import Any

from textual.app import App
from textual.binding import Binding

from tests.tui.app_pilot import TablePilot, screen_lines
from tui.config.keymap import HELP_REPLAY, HELP_TABLE, pressed, written
from tui.widgets.pane import Pane

USUAL = {
    "up", "down", "left", "right", "tab", "shift+tab", "home", "end", "pageup", "pagedown", "enter", "escape", "space",
    "h", "j", "k", "l", "q", "ctrl+q", "ctrl+c", "ctrl+z", "ctrl+p", "ctrl+l",
}  # fmt: skip
"""Keys for moving, choosing and leaving, which mean the same everywhere."""


def shown_keys(app: App[Any]) -> list[str]:
    """Return the keys that the panes of this screen show and a click presses, by the toolkit's names."""
    found: dict[str, None] = {}
    for pane in app.screen.query(Pane):
        if not pane.display or not pane.region:
            continue
        for line in pane.lines[: pane.size.height]:
            for text, style in line:
                key = style.partition("|")[2]
                if key and ":" not in key and text.strip():
                    found[pressed(key)] = None
    return list(found)


def helped() -> set[str]:
    """Return the keys of the help of the table and of replays, by the toolkit's names."""
    return {pressed(name) for words, _ in (*HELP_TABLE, *HELP_REPLAY) for name in words.split()}


def hidden(app: App[Any]) -> list[str]:
    """Return the keys that work on this screen and that neither it nor the help shows."""
    text = "\n".join(screen_lines(app))
    known = USUAL | set(shown_keys(app)) | helped()
    found = []
    for key, active in app.screen.active_bindings.items():
        same = _of_ours(active.node).get(key, ())
        if known & {key, *same} or key.isdigit() or not active.enabled or not same:
            continue
        if not any(re.search(rf"(?<!\w){re.escape(written(one))}(\]|  | \w{{2}})", text) for one in same):
            binding = active.binding
            found.append(f"{key}: {binding.description or binding.action} ({type(active.node).__name__})")
    return found


def _of_ours(node: object) -> dict[str, list[str]]:
    """Return the keys that a screen or widget does not inherit from the toolkit, each with the list of all keys of its
    binding."""
    classes = [kind for kind in type(node).__mro__ if not kind.__module__.startswith("textual.")]
    bindings = [one for kind in classes for one in kind.__dict__.get("BINDINGS", ())]
    names = [one.key if isinstance(one, Binding) else one[0] for one in bindings]
    together = [[key.strip() for key in keys.split(",")] for keys in names]
    return {key: keys for keys in together for key in keys}


def traces(pilot: TablePilot) -> tuple[object, ...]:
    """Return everything that a key can change: the display and the sent messages."""
    app, client = pilot.app, pilot.client
    sent = [list(getattr(client, name, ())) for name in ("acts", "asked", "said", "sets", "requests", "votes")]
    seen = getattr(getattr(client, "view", None), "rev", None)
    screens = [id(screen) for screen in app.screen_stack]
    return screens, screen_lines(app), id(app.focused), sent, seen, app._exit, len(app._notifications)
