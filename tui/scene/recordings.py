"""The recorded games of a folder, in words for a list. Pure, but for reading the heads of the files."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from netcode.protocol.table_options import options_text
from netcode.recording.recording import SUFFIX, Header, ReplayError, read_header
from netcode.recording.set_names import set_names
from netcode.recording.story import Story, unpack
from tui.scene.cells import count
from tui.scene.story_text import Told, length_words, listed, summary


class Recorded(Struct, frozen=True):
    """One file. header: what it says about itself, None if it cannot be read; problem: why it cannot."""

    path: Path
    header: Header | None = None
    problem: str = ""

    @property
    def winners(self) -> list[int]:
        """The seats that won; none if the recording does not reach the end."""
        header = self.header
        return [seat for seat in header.winners if 0 <= seat < len(header.players)] if header is not None else []

    @property
    def story(self) -> Story | None:
        """How the game went, if the file says so."""
        return unpack(self.header.story, len(self.header.players)) if self.header is not None else None

    @property
    def played(self) -> str:
        """When it began."""
        return f"{datetime.fromtimestamp(self.header.began):%Y-%m-%d %H:%M}" if self.header is not None else ""

    @property
    def cards(self) -> str:
        """The sets of cards."""
        return set_names([pack.set_id for pack in self.header.packs]) if self.header is not None else self.path.name

    @property
    def players(self) -> str:
        """The names, with a mark for bots."""
        if self.header is None:
            return ""
        bots = [*self.header.bots, *[False] * len(self.header.players)]
        return ", ".join(name + (" (bot)" if bots[at] else "") for at, name in enumerate(self.header.players))

    @property
    def won(self) -> str:
        """Who won, or why that is not known."""
        if self.header is None:
            return "cannot be read"
        return listed([self.header.players[seat] for seat in self.winners]) or "not seen to its end"

    @property
    def length(self) -> str:
        """How many turns it had."""
        return count(self.header.turns, "turn") if self.header is not None else ""

    def matches(self, words: Iterable[str]) -> bool:
        """Return whether every word, in small letters, is somewhere in what the list says."""
        text = " ".join((self.played, self.cards, self.players, self.won, self.path.name)).lower()
        return all(word in text for word in words)

    def told(self) -> list[str]:
        """Return everything there is to say about it, as paragraphs."""
        header, story = self.header, self.story
        if header is None:
            return [f"{self.problem[:1].upper()}{self.problem[1:]}."]
        seen = f"Seen by {header.players[header.seat]}." if header.seat >= 0 else "Seen by a spectator."
        long = length_words(story) if story is not None else self.length
        won = f"{self.won} won after {long}." if self.winners else f"Nobody had won after {long}, when it ends."
        late = " It begins in mid-game." if header.late else ""
        back = f" {count(header.taken_back, 'undo', 'undos')}." if header.taken_back else ""
        agreed = f"Agreed: {options_text(header.options)}." if header.options else ""
        place = f"Pace {header.pace}{f', on {header.machine}' if header.machine else ''}."
        tale = " ".join(summary(Told(story, header.players, header.seat))) if story is not None else ""
        first = f"{self.players}. {won} {seen}{late}{back}"
        return [text for text in (first, tale, agreed, place, str(self.path)) if text]


def newest(folder: Path) -> list[Path]:
    """Return the recordings in a folder, the newest first."""
    try:
        found = [(path.stat().st_mtime, path) for path in folder.iterdir() if path.suffix == SUFFIX]
    except OSError:
        return []  # no game has been recorded yet, or the folder went away
    return [path for _, path in sorted(found, reverse=True)]


def recorded(path: Path) -> Recorded:
    """Return a recording for the list."""
    try:
        return Recorded(path, read_header(path))
    except ReplayError as problem:
        return Recorded(path, problem=str(problem))
