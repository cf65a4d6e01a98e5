"""The regions of the table in reading order. The screens of a game and of a recording share this composition.

A new region is a widget with a reactive `scene` and its line here; its place is in tui/app/app.tcss.
"""

from collections.abc import Callable, Iterable
from typing import Protocol

from textual.app import ComposeResult
from textual.containers import Container
from textual.reactive import Reactive
from textual.widget import Widget

from netcode.protocol.wire import Timers
from tui.render.details import Detail
from tui.scene.scene import Scene
from tui.widgets.table.details import Details
from tui.widgets.table.foot import Foot
from tui.widgets.table.gate import Gate
from tui.widgets.table.hand import Hand
from tui.widgets.table.head import Head
from tui.widgets.table.history import History
from tui.widgets.table.middle import Middle
from tui.widgets.table.reading import Reading
from tui.widgets.table.seats import Seats
from tui.widgets.table.stage import Stage
from tui.widgets.table.track import Track


class Shows(Protocol):
    """The class of a screen that shows a table: what its regions are bound to."""

    scene: Reactive[Scene | None]
    reading: Reactive[Detail]


def regions(
    of: Shows, seats: int, clocks: Callable[[], Timers], gate: Gate, prompt: Widget, keys: Widget,
    above_prompt: Iterable[Widget] = (),
) -> ComposeResult:  # fmt: skip
    """Yield every region. seats: how many there are. clocks: returns those of the table. gate, prompt, keys: these are
    bound differently in the two screens."""
    scene = of.scene
    yield gate.data_bind(scene=scene)
    yield Head("head").data_bind(scene=scene)
    yield Track("track").data_bind(scene=scene)
    with Middle(id="middle"):
        yield Seats("seats", classes=f"seats-{min(6, seats)}").data_bind(scene=scene)
        yield Stage("stage", clocks).data_bind(scene=scene)
        yield Details("reader").data_bind(reading=of.reading, scene=scene)
        yield History("history").data_bind(scene=scene)
    yield Hand(id="hand").data_bind(scene=scene)
    yield from above_prompt
    with Foot(id="foot"):
        yield prompt
        yield Reading("reading").data_bind(scene=scene)
    with Container(id="last"):
        yield keys
