"""Keys of other keyboard layouts and of Caps Lock: each becomes the key that it stands for, except in typed text."""

import time
from typing import Any

from textual import events
from textual.app import App

from tui.config.keymap import pressed
from tui.config.layouts import CAPITALS, NO_KEY, NO_SIGN, is_foreign, meant
from tui.widgets.bound import key_names

CTRL = "ctrl+"
TOLD_S = 3.0
"""The least time between two sentences about letters that are no keys."""


class ForeignKeys:
    """Translates the keys of one app. Keys that are bound as they are, and text typed into a line, stay unchanged."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._told_at = -60.0
        self._told_capitals = False

    def understood(self, event: events.Key) -> events.Key:
        """Return the key that is meant; tell the player at once about a letter that stands for none."""
        app, screen = self._app, self._app.screen
        if event.key.startswith(CTRL):
            sign = event.key.removeprefix(CTRL)
            found = meant(sign, lambda _: False) if len(sign) == 1 and not sign.isascii() else ""
            return events.Key(CTRL + found, None) if found else event
        sign = event.character or ""
        if len(sign) != 1 or not sign.isprintable() or (sign.isascii() and not sign.isupper()):
            return event
        bound, taker = screen.active_bindings, app.focused
        if event.key in bound or getattr(screen, "takes_every_key", False):
            return event
        if taker is not None and taker.check_consume_key(event.key, event.character):
            return event
        found = meant(sign, lambda one: pressed(one) in bound)
        if not found:
            self._tell_foreign(sign)
        elif sign.isascii() and pressed(found) in bound:
            self._tell_capitals()
        return events.Key(pressed(found), found) if found else event

    def _tell_foreign(self, sign: str) -> None:
        """Say why a letter or sign does nothing; a key held down says it once."""
        now, words = time.monotonic(), NO_KEY if is_foreign(sign) else NO_SIGN
        if not sign.isascii() and now - self._told_at >= TOLD_S:
            self._told_at = now
            self._app.notify(words.format(key_names(self._app)["app.keys"]), severity="warning", markup=False)

    def _tell_capitals(self) -> None:
        """Say once that capitals were read as small letters, since some capitals have a meaning of their own."""
        if not self._told_capitals:
            self._told_capitals = True
            self._app.notify(CAPITALS, severity="warning", markup=False)
