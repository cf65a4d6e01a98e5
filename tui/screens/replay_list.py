"""The list of recorded games."""

from datetime import datetime
from pathlib import Path

from textual.binding import Binding
from textual.screen import Screen

from netcode.protocol.table_options import options_text
from netcode.recording.recorder import replays_folder
from netcode.recording.recording import SUFFIX, Header, ReplayError, read_header
from netcode.recording.story import unpack
from tui.scene.cells import Glyphs, count
from tui.scene.story_text import Told, summary
from tui.screens.browse import BrowseScreen
from tui.screens.short_guide import Item

NONE = Item(
    "No game has been recorded yet", "", ("Every game that you play or watch to its end is recorded here.",)
)


class ReplayListScreen(BrowseScreen):
    """Recorded games, the newest first; ENTER opens one. `chosen` is the file, None if none was opened."""

    BINDINGS = [Binding("enter", "enter", "open", show=False)]
    WORDS = "ENTER open  "

    def __init__(self, glyphs: Glyphs, folder: Path | None = None) -> None:
        self.files = newest(folder or replays_folder())
        items = [item(path) for path in self.files] or [NONE]
        super().__init__("Replays", items, glyphs)
        self.chosen: Path | None = None

    def action_enter(self) -> None:
        """Open the recording under the cursor."""
        if self.files and self.shown:
            self.chosen = self.files[self.items.index(self.shown[self.cursor])]
            self.dismiss()


def newest(folder: Path) -> list[Path]:
    """The recordings in a folder, the newest first."""
    try:
        found = [(path.stat().st_mtime, path) for path in folder.iterdir() if path.suffix == SUFFIX]
    except OSError:
        return []  # no game has been recorded yet, or the folder went away
    return [path for _, path in sorted(found, reverse=True)]


def item(path: Path) -> Item:
    """One recording in the list."""
    try:
        header = read_header(path)
    except ReplayError as problem:
        return Item(path.name, "cannot be read", (str(problem),))
    when = datetime.fromtimestamp(header.began)
    sets = ", ".join(pack.set_id for pack in header.packs)
    name = f"{when:%Y-%m-%d %H:%M}  {sets}"
    texts = (_about(header), *_story(header), *_more(header), str(path))
    return Item(name, _won(header), texts, tuple(pack.set_id for pack in header.packs))


def _won(header: Header) -> str:
    names = [header.players[seat] for seat in header.winners if 0 <= seat < len(header.players)]
    return f"won by {' and '.join(names)}" if names else "not seen to its end"


def _about(header: Header) -> str:
    bots = [*header.bots, *[False] * len(header.players)]
    players = [f"{name}{' (bot)' if bots[at] else ''}" for at, name in enumerate(header.players)]
    won = _won(header)
    return f"{', '.join(players)}. {won[:1].upper()}{won[1:]} after {count(header.turns, 'turn')}."


def _story(header: Header) -> list[str]:
    """The story of the game, if the file has it."""
    story = unpack(header.story, len(header.players))
    return [" ".join(summary(Told(story, header.players, header.seat)))] if story is not None else []


def _more(header: Header) -> list[str]:
    seen = f"Seen by {header.players[header.seat]}." if header.seat >= 0 else "Seen by a spectator."
    agreed = f"Agreed: {options_text(header.options)}." if header.options else ""
    place = f"Table {header.table}{f' on {header.machine}' if header.machine else ''}, pace {header.pace}."
    return [text for text in (seen, place, agreed, "It begins in mid-game." if header.late else "") if text]


def open_replay(path: Path, glyphs: Glyphs) -> Screen[str]:
    """The screen that shows a recording. Raises ReplayError. Reads the whole file: call it in a thread."""
    from tui.screens.replay import ReplayScreen
    from tui.screens.replay_timeline import load_timeline

    return ReplayScreen(load_timeline(path, glyphs))
