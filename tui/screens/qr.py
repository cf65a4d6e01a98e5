"""A join string as a QR code that fills the screen: for a telephone that is to hand it on."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from netcode.protocol.qr import half_blocks, squares
from tui.render.pane import Pane
from tui.scene.cells import Glyphs, Line, clip, wrap


class QrScreen(Screen[None]):
    """The code in the middle; any of its keys leads back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,Q,ctrl+q", "back", "back", show=False)]
    AUTO_FOCUS = ""

    def __init__(self, text: str, glyphs: Glyphs) -> None:
        super().__init__()
        self.text, self.glyphs = text, glyphs

    def compose(self) -> ComposeResult:
        """The code, and how to leave."""
        yield Pane("form")
        yield Pane("keys")

    def on_mount(self) -> None:
        """Draw once there is room."""
        self.call_after_refresh(self.redraw)

    def on_resize(self) -> None:
        """Another size."""
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Draw what differs."""
        self.query_one("#form", Pane).show(lambda width, height: code(self.text, width, height, self.glyphs))
        keys = " ESC back   Who reads this code can sit down: show it to nobody else."
        self.query_one("#keys", Pane).show(lambda width, height: [clip(((keys, "dim"),), width, self.glyphs)])

    def action_back(self) -> None:
        """Back to the lobby."""
        self.dismiss(None)


def code(text: str, width: int, height: int, glyphs: Glyphs) -> list[Line]:
    """The code in the middle of this room, black on white whatever the theme; with plain signs two cells a square."""
    if glyphs.ascii:
        rows: list[Line] = [tuple(("  ", "qr-dark" if dark else "qr") for dark in row) for row in squares(text)]
        wide = 2 * len(rows[0])
    else:
        rows = [((row, "qr"),) for row in half_blocks(text)]
        wide = len(rows[0][0][0])
    if wide > width or len(rows) > height:
        words = f"The code takes {wide} by {len(rows) + 1}; this window is {width} by {height + 1}. Make it larger."
        return [((f"  {line}", "warn"),) for line in wrap(words, max(10, width - 4), glyphs)]
    left, above = " " * ((width - wide) // 2), (height - len(rows)) // 2
    blank: Line = ()
    return [*[blank] * above, *(((left, ""), *row) for row in rows)]
