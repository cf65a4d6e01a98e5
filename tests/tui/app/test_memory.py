"""Memory of the screen's process: closed dialogs are freed."""

import gc
import weakref

from textual.widget import Widget

from tests.tui import samples
from tests.tui.app_pilot import table
from tui.screens.card import CardScreen

TIMES = 6
LAST = 2
"""This many of the last closed dialogs may still exist, because the toolkit keeps the messages that it handled last."""
ROUNDS = 50


async def test_what_closed_dialogs_have_drawn_is_freed() -> None:
    async with table(samples.own_combat()) as pilot:
        drawn = []
        for _ in range(TIMES):
            await pilot.keys("v")
            assert isinstance(pilot.app.screen, CardScreen)
            widgets = pilot.app.screen.walk_children(Widget, with_self=True)
            drawn.append([weakref.ref(widget._styles_cache) for widget in widgets])
            await pilot.keys("escape")
        for _ in range(ROUNDS):  # a cancelled timer keeps its screen until its time is over
            gc.collect()
            kept = [number for number, dialog in enumerate(drawn[:-LAST]) if any(found() for found in dialog)]
            if not kept:
                break
            await pilot.textual.pause(0.05)
        assert not kept
