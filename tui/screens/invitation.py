"""How others come to the table: its strings to read and copy, and a string as a QR code."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from netcode.protocol.qr import half_blocks, squares
from tui.scene.cells import Glyphs, Line, clip, rule, wrap
from tui.widgets.pane import Pane

WAYS = (("Others sit down with", "join"), ("Others spectate with", "watch"))
"""The headings of the strings, and the command for each."""


class _PageScreen(Screen[None]):
    """A page that fills the screen, and a line of keys. `_draw` returns the page; KEYS says which keys work."""

    AUTO_FOCUS = ""
    KEYS: ClassVar[str]

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self.glyphs = glyphs

    def compose(self) -> ComposeResult:
        """The page, and the keys."""
        yield Pane("form")
        yield Pane("keys")

    def on_mount(self) -> None:
        """Draw after the first layout."""
        self.call_after_refresh(self.redraw)

    def on_resize(self) -> None:
        """Redraw in the new size."""
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Redraw what has changed."""
        self.query_one("#form", Pane).show(self._draw)
        self.query_one("#keys", Pane).show(lambda width, height: [clip(((self.KEYS, "dim"),), width, self.glyphs)])

    def _draw(self, width: int, height: int) -> list[Line]:
        raise NotImplementedError

    def action_back(self) -> None:
        """Return to the screen before."""
        self.dismiss(None)


class InvitationScreen(_PageScreen):
    """The join and watch strings of a table as they are now. strings: both kinds, one for each address."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "copy(0)", "copy the join string", show=False),
        Binding("w", "copy(1)", "copy the watch string", show=False),
        Binding("Q", "qr", "the join string as a QR code", show=False),
        Binding("escape,enter,space,ctrl+q", "back", "back", show=False),
    ]
    KEYS = " c copy join string   w copy watch string   Q QR code   ESC back"

    def __init__(self, strings: tuple[tuple[str, ...], tuple[str, ...]], glyphs: Glyphs) -> None:
        super().__init__(glyphs)
        self.strings = strings
        self.note = ""

    def _draw(self, width: int, height: int) -> list[Line]:
        lines: list[Line] = []
        for (head, command), texts in zip(WAYS, self.strings):
            lines.append(rule(head, "", width, self.glyphs))
            for text in texts:
                shown = wrap(f"kickdoor {command} '{text}'", width - 4, self.glyphs)
                lines += [((f"  {line}", "you"),) for line in shown]
            lines.append(())
        lines += [((f"  {line}", "warn"),) for line in wrap(self.note, width - 4, self.glyphs)]
        return [clip(line, width, self.glyphs) for line in (lines + [()] * height)[:height]]

    def action_copy(self, which: int) -> None:
        """Copy the join string (0) or the watch string (1), if the terminal allows it."""
        if self.strings[which]:
            self.app.copy_to_clipboard(self.strings[which][0])
            self.note = "Copied, if your terminal allows it."
        self.redraw()

    def action_qr(self) -> None:
        """Show the join string as a QR code."""
        if self.strings[0]:
            self.app.push_screen(QrScreen(self.strings[0][0], self.glyphs))


class QrScreen(_PageScreen):
    """A join string as a QR code that fills the screen; any of its keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,Q,ctrl+q", "back", "back", show=False)]
    KEYS = " ESC back   Who reads this code can sit down: show it to nobody else."

    def __init__(self, text: str, glyphs: Glyphs) -> None:
        super().__init__(glyphs)
        self.text = text

    def _draw(self, width: int, height: int) -> list[Line]:
        return qr_lines(self.text, width, height, self.glyphs)


def qr_lines(text: str, width: int, height: int, glyphs: Glyphs) -> list[Line]:
    """Return the code, centred, black on white in every theme; in ASCII a square is two cells wide."""
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
