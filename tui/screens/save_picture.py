"""The dialog that saves the picture of a finished game."""

import re
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from netcode.protocol.credentials import data_folder
from netcode.recording.recording import Header

FOLDER = "pictures"
PATH_CHARS = 4000


def picture_path(header: Header) -> Path:
    """Return a path in the data folder that does not exist yet: `2026-11-20-2134-munchkins-and-mazes-Kim.svg`."""
    when = datetime.fromtimestamp(header.began).strftime("%Y-%m-%d-%H%M")
    sets = "+".join(pack.set_id for pack in header.packs[:2])
    who = header.players[header.seat] if header.seat >= 0 else "spectator"
    name = re.sub(r"[^A-Za-z0-9+-]+", "-", f"{when}-{sets}-{who}")[:100].strip("-")
    paths = [data_folder() / FOLDER / f"{name}{extra}.svg" for extra in ("", *(f"-{n}" for n in range(2, 100)))]
    return next((path for path in paths if not path.exists()), paths[-1])


def save_picture(text: str, where: str, usual: Path) -> tuple[Path | None, str]:
    """Save a picture. where: what the player typed; usual: the proposed path, whose folder is made if needed.

    Return the path, or None and a sentence on what is wrong. A file that is there already is never overwritten."""
    if not where.strip():
        return None, "Type the name of a file."
    path = Path(where.strip()).expanduser()
    path = path if path.suffix else path.with_suffix(".svg")
    try:
        if path.parent == usual.parent:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return None, f"{path} exists already: choose another name."
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        return None, f"{path} cannot be written ({why}): choose another place."
    return path.absolute(), ""


class SavePictureScreen(ModalScreen[Path | None]):
    """Asks where to save the picture; returns where it was saved, None if it was not."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "do not save", show=False, id="picture.close", tooltip="do not save"),
    ]
    DEFAULT_CSS = """
    SavePictureScreen { align: center middle; }
    SavePictureScreen Vertical {
        width: 90%; max-width: 110; height: auto; padding: 1 2; background: $kd-raised; border: round $kd-gold;
    }
    SavePictureScreen Label { width: 1fr; height: auto; color: $kd-dim; background: $kd-raised; }
    SavePictureScreen #picture-problem { color: $kd-oneshot; }
    SavePictureScreen Input { background: $kd-panel; margin: 1 0; }
    .ascii SavePictureScreen Vertical { border: ascii $kd-gold; }
    """

    def __init__(self, text: str, usual: Path) -> None:
        super().__init__()
        self.text, self.usual = text, usual

    def compose(self) -> ComposeResult:
        """A line to type in, and what it means."""
        with Vertical():
            yield Label("Save this game as a picture (SVG, which every browser shows):", markup=False)
            yield Input(str(self.usual), id="picture-path", max_length=PATH_CHARS, compact=True, select_on_focus=False)
            yield Label("ENTER saves, ESC does not.", id="picture-problem", markup=False)

    def on_mount(self) -> None:
        """Begin to type."""
        line = self.query_one(Input)
        line.cursor_blink = False
        line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Save, or say what is wrong."""
        path, problem = save_picture(self.text, event.value, self.usual)
        if path is None:
            self.query_one("#picture-problem", Label).update(problem)
        else:
            self.dismiss(path)

    def action_close(self) -> None:
        """Do not save."""
        self.dismiss(None)
