"""How others come to the table: its strings to read and copy, and a string as a QR code."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Label, Static

from netcode.protocol.credentials import SCHEME
from netcode.protocol.qr import half_blocks, squares
from tui.config.places import INVITATION, QR
from tui.scene.cells import Glyphs, Line, wrap
from tui.scene.table_news import command_of
from tui.screens.copying import copied
from tui.widgets.bound import bound
from tui.widgets.entry.key_line import KeyLine
from tui.widgets.pane import Pane

WAYS = (("Others sit down with", "join"), ("Others spectate with", "watch"))
"""The headings of the strings, and the command for each."""
WARNING = "Who reads this code can sit down: show it to nobody else."


class InvitationScreen(ModalScreen[None]):
    """The join and watch strings of a table as they are now. strings: both kinds, one for each address;
    words: what others type to sit down by short words."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(INVITATION)

    def __init__(self, strings: tuple[tuple[str, ...], tuple[str, ...]], glyphs: Glyphs, words: str = "") -> None:
        super().__init__()
        self.strings, self.glyphs, self.words = strings, glyphs, words

    def compose(self) -> ComposeResult:
        """For each kind its strings, and buttons that act on the first of them; then the keys."""
        with Vertical(id="invitation") as page:
            page.border_title = "Invite others"
            with VerticalScroll(id="invitation-strings"):
                for at, (head, command) in enumerate(WAYS):
                    yield Label(head, classes="invite-head")
                    for text in self.strings[at]:
                        yield Static(command_of(text, command), classes="invite-string", markup=False)
                    if not self.strings[at]:
                        yield Static("Only whoever opened the table here has it.", classes="invite-none", markup=False)
                        continue
                    if at == 0 and self.words:
                        yield Static(self.words, classes="invite-string", markup=False)
                    with Horizontal(classes="invite-buttons"):
                        yield Button("Copy", id=f"copy-{at}", compact=True)
                        if at == 0:
                            yield Button("QR code", id="qr", compact=True)
            yield KeyLine(self.glyphs, (("invite.join", "copy join string"), ("invite.watch", "copy watch string"),
                                        ("invite.qr", "QR code"), ("invite.back", "back")))  # fmt: skip

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Do what the button says."""
        if event.button.id == "qr":
            self.action_qr()
        else:
            self.action_copy(int(str(event.button.id).removeprefix("copy-")))

    def action_copy(self, which: int) -> None:
        """Copy the join string (0) or the watch string (1), if the terminal allows it."""
        if self.strings[which]:
            self.notify(copied(self.app, self.strings[which][0], WAYS[which][1]), markup=False)
        else:
            self.notify("Only whoever opened the table here has this string.", severity="warning")

    def action_qr(self) -> None:
        """Show the join string as a QR code."""
        if self.strings[0]:
            self.app.push_screen(QrScreen(self.strings[0][0], self.glyphs))

    def action_back(self) -> None:
        """Return to the screen before."""
        self.dismiss(None)


class QrScreen(Screen[None]):
    """A join string as a QR code that fills the screen; any of its keys closes it."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(QR)
    AUTO_FOCUS = ""

    def __init__(self, text: str, glyphs: Glyphs) -> None:
        super().__init__()
        self.text, self.glyphs = text, glyphs

    def compose(self) -> ComposeResult:
        """The code, a warning whom not to show it to, the key."""
        yield Pane("qr-code")
        yield KeyLine(self.glyphs, (("qr.back", "back"), *((("", WARNING),) if self.text.startswith(SCHEME) else ())))

    def on_mount(self) -> None:
        """Draw the code in the size of the window."""
        self.query_one("#qr-code", Pane).show(lambda width, height: qr_lines(self.text, width, height, self.glyphs))

    def action_back(self) -> None:
        """Return to the screen before."""
        self.dismiss(None)


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
