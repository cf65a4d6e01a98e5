"""The line of keys at the foot of a screen; a click on a key presses it."""

from collections.abc import Sequence

from textual.events import Resize

from tui.config.keymap import pressed, spelled
from tui.scene.cells import Glyphs, Line, clip, flow, length
from tui.widgets.bound import key_names
from tui.widgets.pane import Pane

Keys = Sequence[tuple[str, str]]
"""Keys with what they do: ids of bindings, shown as the keys that they have now, or names of keys in the toolkit.
Several in one entry are separated by blanks, and a click on them does nothing."""


class KeyLine(Pane):
    """Shows keys in as many rows as they need, two at most."""

    def __init__(self, glyphs: Glyphs, keys: Keys = ()) -> None:
        super().__init__("keys")
        self.glyphs, self._keys = glyphs, tuple(keys)

    def on_mount(self) -> None:
        """Show the keys."""
        self.set_keys(self._keys)

    def set_keys(self, keys: Keys) -> None:
        """Show other keys."""
        self._keys = tuple(keys)
        self._fit(self.size.width)
        self.show(self._rows)

    def _fit(self, width: int) -> None:
        if width:
            self.styles.height = len(self._lines(width))

    def on_resize(self, event: Resize) -> None:
        """Take as many rows as the keys need."""
        self._fit(event.size.width)
        super().on_resize(event)

    def _lines(self, width: int) -> list[Line]:
        names = key_names(self.app)
        parts: list[Line] = []
        for keys, words in self._keys:
            name = spelled(keys, names, self.glyphs.ascii)
            press = pressed(name) if len(keys.split()) == 1 else ""
            parts.append(((name, f"bold gold|{press}"), (f" {words}", f"dim|{press}")))
        gap = "   " if sum(map(length, parts)) + 3 * len(parts) < width else "  "
        return flow(parts, width - 2, 2, self.glyphs, gap)[0]

    def _rows(self, width: int, height: int) -> list[Line]:
        lines: list[Line] = [clip(((" ", ""), *line), width, self.glyphs) for line in self._lines(width)]
        return (lines + [()] * height)[:height]

    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """Press the key that was clicked."""
        event.stop()
        self.app.simulate_key(event.key)
