"""The player's career: games, wins, streaks, dice, as a table."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Label

from netcode.recording.career import CareerError, career_path, open_career
from netcode.recording.career_figures import NO_GAMES, Row, career_rows, figures
from tui.scene.cells import Glyphs, clean

KEYS = " ESC back   As a file: kickdoor career --export FILE"


class CareerScreen(Screen[None]):
    """Shows the career of this user."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "back", show=False, id="career.leave", tooltip="back to the menu"),
    ]
    DEFAULT_CSS = """
    CareerScreen { layout: vertical; }
    CareerScreen #career-title { color: $kd-info; text-style: bold; padding: 0 1; width: 1fr; }
    CareerScreen #career-note { color: $kd-oneshot; padding: 0 1; width: 1fr; }
    CareerScreen DataTable { height: 1fr; background: $kd-ground; scrollbar-size: 1 1; }
    CareerScreen.ascii DataTable { scrollbar-size: 0 0; }
    CareerScreen #career-keys { color: $kd-dim; height: 1; width: 1fr; }
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self.glyphs = glyphs
        self.note = ""
        self.sections: list[tuple[str, list[Row]]] = []
        try:
            games, self.note = open_career(career_path())
            self.sections = career_rows(figures(games))
            self.note = self.note or ("" if games else NO_GAMES)
        except CareerError as problem:
            self.note = f"{problem}."

    def compose(self) -> ComposeResult:
        """A title, the table, the keys."""
        yield Label("Career", id="career-title")
        if self.note:
            yield Label(self.note, id="career-note", markup=False)
        yield DataTable(cursor_type="row", show_header=False, id="career")
        yield Label(KEYS, id="career-keys")

    def on_mount(self) -> None:
        """Fill the table."""
        self.set_class(self.glyphs.ascii, "ascii")
        table = self.query_one("#career", DataTable)
        table.add_columns("what", "how much")
        for title, rows in self.sections:
            table.add_row(Text(title, "bold"), "")
            for label, words in rows:
                table.add_row(Text(f"  {clean(label, self.glyphs)}"), Text(clean(words, self.glyphs)))
        table.focus()

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss()
