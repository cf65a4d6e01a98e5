"""The list of recorded games."""

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import DataTable, Static

from netcode.recording.recorder import replays_folder
from tui.config.places import REPLAY_LIST
from tui.scene.cells import Glyphs, Line, count, wrap
from tui.scene.faces import player
from tui.scene.recordings import Recorded, newest, recorded
from tui.scene.scene import seat_colour
from tui.screens.opening import look_of
from tui.widgets.books.finder import Finder
from tui.widgets.bound import bound
from tui.widgets.canvas import FACE_SIZES, Canvas
from tui.widgets.entry.key_line import KeyLine
from tui.widgets.pane import Pane
from tui.widgets.rows import Column, Rows
from tui.widgets.scroll import LineScroll

COLUMNS = (Column("Played", 16), Column("Won by", 19), Column("Length", 9, 66), Column("Cards", 24, 92),
           Column("Players"))  # fmt: skip
NONE = "No game has been recorded yet: every game that you play or watch to its end is."


class ReplayListScreen(Screen[Path | None]):
    """Recorded games, the newest first; returns the one to watch, None after ESC. at: the one to begin at."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(REPLAY_LIST)

    def __init__(self, glyphs: Glyphs, folder: Path | None = None, at: Path | None = None) -> None:
        super().__init__()
        self.glyphs, self.at = glyphs, at
        self.games = [recorded(path) for path in newest(folder or replays_folder())]
        self.shown = self.games
        self.cursor = 0

    def compose(self) -> ComposeResult:
        """The title, the search line, the list, the game under the cursor, the keys."""
        yield Static("", id="book-title", markup=False)
        yield Finder(self.glyphs)
        yield Rows("replay-rows", COLUMNS, self.glyphs)
        with Horizontal(id="replay-told"):
            yield Pane("replay-winner")
            yield LineScroll("replay-text")
        yield KeyLine(self.glyphs, (("up down", "move"), ("enter", "watch"), ("replays.find", "find"),
                                    ("tab", "scroll the text"), ("replays.back", "back")))  # fmt: skip

    def on_mount(self) -> None:
        """Show all games."""
        paths = [game.path for game in self.games]
        self.fill(paths.index(self.at) if self.at in paths else 0)
        self.query_one(Rows).focus()

    def fill(self, at: int = 0) -> None:
        """Show the results of the search."""
        words = self.query_one(Finder).words
        self.shown = [game for game in self.games if game.matches(words)]
        many = f"{len(self.shown)} of {count(len(self.games), 'game')}" if words else count(len(self.games), "game")
        self.query_one("#book-title", Static).update(f"Replays: {many}")
        self.query_one(Rows).fill([self._row(game) for game in self.shown], at)
        self._show(at)

    def _row(self, game: Recorded) -> Line:
        colour = seat_colour(game.winners[0]) if game.winners else "dim" if game.header is not None else "foe"
        return (game.played, ""), (game.won, colour), (game.length, ""), (game.cards, "dim"), (game.players, "dim")

    @property
    def game(self) -> Recorded | None:
        """The game under the cursor."""
        return self.shown[self.cursor] if self.cursor < len(self.shown) else None

    def _show(self, at: int) -> None:
        self.cursor = at
        self.query_one("#replay-winner", Pane).show(self._winner)
        text = self.query_one("#replay-text", LineScroll)
        text.show(self._text)
        text.scroll_home(animate=False)

    def _winner(self, width: int, height: int) -> list[Line]:
        canvas = Canvas(width, height, self.glyphs)
        if self.game is not None and self.game.winners:
            size = "large" if height >= FACE_SIZES["large"][1] else "small"
            canvas.face(1, 0, player(self.game.winners[0]), size, look_of(self.app))
        return canvas.lines()

    def _text(self, width: int) -> list[Line]:
        texts = self.game.told() if self.game is not None else ["No game has these words." if self.games else NONE]
        lines: list[Line] = []
        for at, text in enumerate(texts):
            style = "" if self.game is not None and self.game.header is not None else "oneshot"
            lines += [((line, style if at < 2 else "dim"),) for line in wrap(text, max(8, width - 1), self.glyphs)]
        return lines

    def on_finder_changed(self, event: Finder.Changed) -> None:
        """Find."""
        self.fill()

    def on_finder_left(self, event: Finder.Left) -> None:
        """Go to the list."""
        self.query_one(Rows).focus()

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Describe the game under the cursor."""
        if event.cursor_row != self.cursor and event.cursor_row < len(self.shown):
            self._show(event.cursor_row)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Watch the game, or say why that is impossible."""
        game = self.shown[event.cursor_row]
        if game.header is not None:
            self.dismiss(game.path)
        else:
            self.notify(f"{game.problem}.", severity="warning", markup=False)

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_find(self) -> None:
        """Let the player type."""
        self.query_one(Finder).begin()

    def action_leave(self) -> None:
        """Show everything again; if everything is shown, go back."""
        if not self.query_one(Finder).forget():
            self.dismiss(None)
