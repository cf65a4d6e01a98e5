"""The key map: every binding with its keys; another key for one of them, unless it is taken."""

from collections.abc import Mapping
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.events import Key as KeyPress
from textual.screen import ModalScreen, Screen
from textual.widgets import DataTable, Static

from tui.config.keymap import AREAS, PRESETS, keymap, keys_now, other_use, written
from tui.config.places import KEY_MAP
from tui.scene.cells import Glyphs, shorten
from tui.widgets.bound import bound
from tui.widgets.entry.key_line import KeyLine

NAMES, WORDS = 22, 48
"""The most cells for the keys of a binding and for what they do, so that the other columns stay in sight."""


class KeyMapScreen(Screen[dict[str, str] | None]):
    """Returns the player's own keys by the ids of their bindings; None after ESC if nothing was changed.

    preset: the named key map that they override; own: the player's own keys so far.
    """

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(KEY_MAP)

    def __init__(self, preset: str, own: Mapping[str, str], glyphs: Glyphs) -> None:
        super().__init__()
        self.preset, self.own, self.glyphs = preset, dict(own), glyphs
        self._before = dict(own)

    def compose(self) -> ComposeResult:
        """The table, what went wrong, the keys."""
        yield Static("Keys", id="key-title", markup=False)
        table: DataTable[Text] = DataTable(id="key-table", cursor_type="row", zebra_stripes=False)
        yield table
        yield Static("", id="key-note", markup=False)
        yield KeyLine(self.glyphs, (("up down", "move"), ("enter", "another key"), ("keys.usual", "the usual key"),
                                    ("keys.back", "back")))  # fmt: skip

    def on_mount(self) -> None:
        """Fill the table."""
        table = self.query_one(DataTable)
        for column in ("Keys", "What they do", "Where", "Name in the settings file"):
            table.add_column(column, key=column)
        for where, keys in AREAS:
            for key in keys:
                words = shorten(key.words, WORDS, self.glyphs)
                table.add_row(Text(self._names(key.id)), Text(words), Text(where), Text(key.id), key=key.id)
        table.focus()

    @property
    def current(self) -> dict[str, str]:
        """The key map as it is now."""
        return keymap(self.preset, self.own)

    def _names(self, ident: str) -> str:
        return shorten(" or ".join(map(written, keys_now(self.current)[ident])), NAMES, self.glyphs)

    def _show(self, ident: str, note: str) -> None:
        self.query_one(DataTable).update_cell(ident, "Keys", Text(self._names(ident)), update_width=True)
        self.query_one("#key-note", Static).update(note)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Ask for another key."""
        ident = str(event.row_key.value)
        words = next(key.words for _, keys in AREAS for key in keys if key.id == ident)

        def pressed(name: str | None) -> None:
            if name is not None:
                self._take(ident, name)

        self.app.push_screen(KeyAskScreen(words), pressed)

    def _take(self, ident: str, name: str) -> None:
        """Give a binding this key, unless another one has it."""
        other = other_use(ident, name, self.current)
        if other is not None:
            key, where = other
            taken = f"{written(name)} is taken {where}: {key.words} ({key.id})."
            note = f"{taken} Choose another key, or change that first."
        else:
            self.own[ident] = name
            note = f"{written(name)} it is."
        self._show(ident, note)

    def action_usual(self) -> None:
        """Give the binding under the cursor its usual key again, unless another one has taken it."""
        table = self.query_one(DataTable)
        ident = str(table.coordinate_to_cell_key(table.cursor_coordinate).row_key.value)
        without = {name: keys for name, keys in self.current.items() if name != ident}
        without |= {name: keys for name, keys in PRESETS[self.preset].items() if name == ident}
        for name in keys_now(without)[ident]:
            other = other_use(ident, name, without)
            if other is not None:
                self._show(ident, f"{written(name)} is taken: {other[0].words} ({other[0].id}). Change that first.")
                return
        self.own.pop(ident, None)
        self._show(ident, "The usual key again.")

    def action_leave(self) -> None:
        """Go back with the keys as they are now."""
        self.dismiss(self.own if self.own != self._before else None)


class KeyAskScreen(ModalScreen[str | None]):
    """Returns the next key that is pressed, by the toolkit's name; None for ESC."""

    CSS_PATH = "entry.tcss"
    takes_every_key = True
    """This dialog takes even the key that leaves other dialogs (KickdoorApp)."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def compose(self) -> ComposeResult:
        """What is asked."""
        with Vertical(id="key-ask"):
            yield Static(f"Press the new key for: {self.words}", markup=False)
            yield Static("ESC leaves it as it is.", classes="quiet", markup=False)

    def on_key(self, event: KeyPress) -> None:
        """Take the key."""
        event.stop()
        event.prevent_default()
        self.dismiss(None if event.key == "escape" else event.key)
