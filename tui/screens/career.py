"""The player's career: games, wins, streaks, dice, as a table."""

from datetime import datetime
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Static

from netcode.protocol.credentials import data_folder
from netcode.recording.career import CareerError, PlayedGame, career_path, open_career
from netcode.recording.career_figures import NO_GAMES, career_rows, exported, figures
from tui.config.places import CAREER
from tui.scene.cells import Glyphs, Line, clean, count
from tui.screens.save_file import SaveFileScreen, free_path
from tui.widgets.bound import bound
from tui.widgets.entry.key_line import KeyLine
from tui.widgets.rows import Column, Rows

WORDS = "Save your games for other programs (.json: with all figures; .csv: a line for each game):"


class CareerScreen(Screen[None]):
    """Shows the career of this user."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(CAREER)
    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self.glyphs = glyphs
        self.note = ""
        self.games: list[PlayedGame] = []
        try:
            self.games, self.note = open_career(career_path())
            self.note = self.note or ("" if self.games else NO_GAMES)
        except CareerError as problem:
            self.note = f"{problem}."

    def compose(self) -> ComposeResult:
        """The title, its explanation, the table, the keys."""
        yield Static("Career: only you can read it", id="book-title", markup=False)
        if self.note:
            yield Static(clean(self.note, self.glyphs), id="career-note", markup=False)
        yield Rows("career-rows", (Column("", 30), Column("")), self.glyphs, header=False)
        save = [("career.save", "save as a file")] if self.games else []
        yield KeyLine(self.glyphs, (("up down", "move"), *save, ("career.leave", "back")))

    def on_mount(self) -> None:
        """Fill the table."""
        lines: list[Line] = []
        for title, rows in career_rows(figures(self.games)):
            lines += [((title, "bold gold"), ("", ""))]
            lines += [((f"  {label}", "dim"), (words, "")) for label, words in rows]
        self.query_one(Rows).fill(lines)
        self.query_one(Rows).focus()

    def action_save(self) -> None:
        """Ask where to save the games, and save them."""
        if self.games:
            usual = free_path(data_folder() / "career" / f"career-{datetime.now():%Y-%m-%d}.json")
            dialog = SaveFileScreen(WORDS, lambda path: exported(self.games, path.suffix), usual)
            self.app.push_screen(dialog, self._saved)

    def _saved(self, where: Path | None) -> None:
        if where is not None:
            self.notify(f"{count(len(self.games), 'game')} saved: {where}", markup=False)

    def action_turn(self, by: int) -> None:
        """Do nothing: there is nothing to choose from."""

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss()
