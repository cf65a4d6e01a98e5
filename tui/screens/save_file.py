"""The dialog that saves a file: the picture of a finished game, the player's career."""

import os
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from netcode.protocol.credentials import data_folder
from netcode.recording.recording import Header
from tui.config.places import SAVE_FILE
from tui.widgets.bound import bound, key_names

FOLDER = "pictures"
PATH_CHARS = 4000


def picture_path(header: Header) -> Path:
    """Return a path in the data folder that does not exist yet: `2026-11-20-2134-munchkins-and-mazes-Kim.svg`."""
    when = datetime.fromtimestamp(header.began).strftime("%Y-%m-%d-%H%M")
    sets = "+".join(pack.set_id for pack in header.packs[:2])
    who = header.players[header.seat] if header.seat >= 0 else "spectator"
    name = re.sub(r"[^A-Za-z0-9+-]+", "-", f"{when}-{sets}-{who}")[:100].strip("-")
    return free_path(data_folder() / FOLDER / f"{name}.svg")


def free_path(path: Path) -> Path:
    """Return this path, or one with a number after its name if that file exists."""
    paths = [path, *(path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(2, 100))]
    return next((path for path in paths if not path.exists()), paths[-1])


def save_file(write: Callable[[Path], str], where: str, usual: Path) -> tuple[Path | None, str]:
    """Save a file that only its owner can read. write: returns its text for a path; where: what the player typed;
    usual: the proposed path; its folder is made if needed, and its ending is added to a name without one.

    Return the path, or None and a sentence on what is wrong. An existing file is never overwritten."""
    if not where.strip():
        return None, "Type the name of a file."
    path = Path(where.strip()).expanduser()
    path = path if path.suffix else path.with_suffix(usual.suffix)
    try:
        text = write(path)
        if path.parent == usual.parent:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(path, "x", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(text)
    except FileExistsError:
        return None, f"{path} exists already: choose another name."
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        return None, f"{path} cannot be written ({why}): choose another place."
    return path.absolute(), ""


class SaveFileScreen(ModalScreen[Path | None]):
    """Asks where to save a file; returns where it was saved, None if it was not."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound(SAVE_FILE)
    DEFAULT_CSS = """
    SaveFileScreen { align: center middle; }
    SaveFileScreen Vertical {
        width: 90%; max-width: 110; height: auto; padding: 1 2; background: $kd-raised; border: round $kd-gold;
    }
    SaveFileScreen Label { width: 1fr; height: auto; color: $kd-dim; background: $kd-raised; }
    SaveFileScreen #file-problem { color: $kd-oneshot; }
    SaveFileScreen Input { background: $kd-panel; margin: 1 0; }
    .ascii SaveFileScreen Vertical { border: ascii $kd-gold; }
    """

    def __init__(self, words: str, write: Callable[[Path], str], usual: Path) -> None:
        """words: what is saved, and how. write, usual: as for `save_file`."""
        super().__init__()
        self.words, self.write, self.usual = words, write, usual

    def compose(self) -> ComposeResult:
        """A line to type in, and what it means."""
        with Vertical():
            yield Label(self.words, markup=False)
            yield Input(str(self.usual), id="file-path", max_length=PATH_CHARS, compact=True, select_on_focus=False)
            yield Label(f"ENTER saves, {key_names(self.app)['file.close']} does not.", id="file-problem", markup=False)

    def on_mount(self) -> None:
        """Begin to type."""
        line = self.query_one(Input)
        line.cursor_blink = False
        line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Save, or say what is wrong."""
        path, problem = save_file(self.write, event.value, self.usual)
        if path is None:
            self.query_one("#file-problem", Label).update(problem)
        else:
            self.dismiss(path)

    def action_close(self) -> None:
        """Do not save."""
        self.dismiss(None)
