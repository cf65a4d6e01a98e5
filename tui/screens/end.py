"""The end of a game: who won and how, level curves, facts, a line for each seat. Opens over the table or a replay."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message as ToolkitMessage
from textual.screen import Screen

from netcode.client.state_machine import Message
from netcode.recording.recording import Header
from netcode.recording.story import Story
from tui.config.keymap import END, pressed
from tui.config.surroundings import here
from tui.portraits.pixels import Look
from tui.scene.cells import Glyphs, Line, Span, clip
from tui.scene.ending import consent_words
from tui.scene.story_text import Told
from tui.scene.table_session import TableSession
from tui.screens.opening import begin_settled, close, is_open, key_pause
from tui.screens.save_file import SaveFileScreen, picture_path
from tui.screens.updates import Updates
from tui.widgets.bound import bound, key_names
from tui.widgets.end.draw import draw_end
from tui.widgets.end.picture import picture
from tui.widgets.pane import Pane

NO_FILES = "Nothing is saved here: the files of that machine are not yours."
EARLY = "This has just come: press the key again."
SCROLL = 3
PICTURE = "Save this game as a picture (SVG, which every browser shows):"
OWN_COLOURS = "tavern"
SHORTER = {"save as picture": "picture", "reveal hands": "reveal", "the table": "table", "the replay": "replay"}
"""One word for each key, for rows too narrow for more."""
"""The theme of pictures if the player's theme uses the terminal's own colours."""


class EndScreen(Screen[str]):
    """Shows the story of a game. Returns "leave" if the player wants to leave the table, else ""."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        binding for key in END for binding in bound((key,), priority=key.id == "end.leave")
    ]
    AUTO_FOCUS = ""

    class WatchAgain(ToolkitMessage):
        """The player wants to see the recording of the game; the app opens it."""

        def __init__(self, path: Path) -> None:
            self.path = path
            super().__init__()

    def __init__(
        self, header: Header, story: Story, game: str, glyphs: Glyphs, session: TableSession | None = None,
        look: Look = Look.FULL,
    ) -> None:  # fmt: skip
        """game: the sets of cards in words. session: of the table where the game was played; None in a replay."""
        super().__init__()
        self.header, self.glyphs, self.session, self.portraits = header, glyphs, session, look
        self.told = Told(story, header.players, header.seat, game)
        self.note = ""
        self.scroll, self.below = 0, 0
        self.opened_at = 0.0
        self._off: Callable[[], None] = lambda: None
        self._updates = Updates(self, self.look)

    def compose(self) -> ComposeResult:
        """The picture, a note, the keys."""
        yield Pane("end")
        yield Pane("end-note")
        yield Pane("end-keys")

    def on_mount(self) -> None:
        """Follow the table."""
        begin_settled(self)
        self.opened_at = asyncio.get_running_loop().time()
        if self.session is not None:
            self._off = self.session.client.subscribe(self._heard)
        self.call_after_refresh(self.redraw)

    def on_unmount(self) -> None:
        """Stop following the table."""
        self._off()

    def _heard(self, message: Message) -> None:
        self._updates.soon()

    def on_resize(self) -> None:
        """Redraw in the new size."""
        self._updates.resized()

    def on_screen_resume(self) -> None:
        """Redraw after another screen has closed."""
        self._updates.resumed()

    # -------------------------------------------------------------------------------------------------------- drawing
    def look(self) -> None:
        """Close when the table goes on or is gone; otherwise redraw."""
        if self.session is not None and not self._is_over():
            close(self, "")
            return
        self.redraw()

    def _is_over(self) -> bool:
        """Whether the table still shows the game that this screen is about."""
        assert self.session is not None
        client = self.session.client
        over = client.view is not None and bool(client.view.winners) and client.stage != "closed"
        return over and self.session.playing and client.info is not None and client.info.game == self.header.game

    def redraw(self) -> None:
        """Draw everything that has changed."""
        if is_open(self):
            self.query_one("#end", Pane).show(self._draw)
            self.query_one("#end-note", Pane).show(lambda w, h: [clip(self._note_line(), w, self.glyphs)])
            self.query_one("#end-keys", Pane).show(lambda w, h: [clip(self._keys_line(w), w, self.glyphs)])

    def _draw(self, width: int, height: int) -> list[Line]:
        lines, self.below = draw_end(self.told, self.glyphs, width, height, self.scroll, self.portraits)
        return lines

    def _note_line(self) -> Line:
        if self.note:
            return ((f" {self.note}", "warn"),)
        return ((f" {self._readiness()}", "dim"),)

    def _readiness(self) -> str:
        """Return who is ready for another game, and who agrees to reveal the hands."""
        info = self.session.client.info if self.session is not None else None
        if info is None or self.told.me < 0:
            return ""
        words = []
        waiting = [seat.name for seat in info.seats if seat.state == "here" and not seat.ready]
        if info.seats[self.told.me].ready:
            words.append(f"You are ready for another game; it waits for {', '.join(waiting) or 'the deal'}.")
        if info.opened == info.game:
            words.append("All hands are revealed.")
        elif info.agreed:
            words.append(f"{consent_words(info)} players agree to reveal all hands.")
        return " ".join(words)

    def keys_shown(self) -> list[tuple[str, str, str]]:
        """Return the keys that work now: the name on the screen, what the key does, and its name in the toolkit."""
        playing = self.session is not None and self.told.me >= 0
        recorded = self.session is not None and self.session.recording is not None
        keys = [("end.again", "play again")] if playing else []
        keys += [("end.replay", "replay")] if recorded else []
        keys += [("end.save", "save as picture")] if here().own_machine else []
        keys += [("end.open", "reveal hands")] if playing and self._can_reveal() else []
        keys += [("end.down", "more")] if self.below else [("end.up", "back up")] if self.scroll else []
        keys.append(("end.close", "the table" if self.session is not None else "the replay"))
        names = key_names(self.app)
        return [(names[ident], words, pressed(names[ident])) for ident, words in (*keys, ("end.leave", "leave"))]

    def _can_reveal(self) -> bool:
        info = self.session.client.info if self.session is not None else None
        provable = info is not None and (info.deal is not None or info.seed_shown)
        return provable and info is not None and info.opened != info.game

    def _keys_line(self, width: int) -> Line:
        """Return the line of keys: in full, or in fewer words where they would not all fit."""
        keys, gap = self.keys_shown(), "   " if width >= 100 else "  "
        if 1 + sum(len(name) + 1 + len(words) + len(gap) for name, words, _ in keys) - len(gap) > width:
            keys = [(name, SHORTER.get(words, words), key) for name, words, key in keys]
        spans: list[Span] = [(" ", "")]
        for name, words, key in keys:
            spans += [(f"{name} ", f"key|{key}"), (words + gap, f"|{key}")]
        return tuple(spans)

    # ----------------------------------------------------------------------------------------------------------- keys
    def _too_early(self) -> bool:
        """Return whether a key was meant for the table, since this screen has just opened. If so, tell the player."""
        early = asyncio.get_running_loop().time() - self.opened_at < key_pause(self.app)
        if early:
            self.say(EARLY)
        return early

    def say(self, text: str) -> None:
        """Show a note until the next key."""
        self.note = text
        self.redraw()

    def action_again(self) -> None:
        """Be ready for another game with the same seats."""
        if self.session is None or self.told.me < 0 or self._too_early():
            return
        self.note = ""
        self.session.client.set(ready=True)
        self.redraw()

    def action_open_hands(self) -> None:
        """Agree to reveal the hands of the finished game."""
        if self.session is None or self.told.me < 0 or self._too_early():
            return
        if self._can_reveal():
            self.note = ""
            self.session.client.set(open=True)
            self.redraw()
        else:
            self.say("There is nothing to reveal: the hands are known already, or this deal cannot be proved.")

    def action_replay(self) -> None:
        """Show the recording of this game."""
        if self.session is None or self._too_early():
            return
        if self.session.recording is None:
            self.say("This game was not recorded, so it cannot be shown again.")
        else:
            self.post_message(self.WatchAgain(self.session.recording))

    def action_save(self) -> None:
        """Ask where to save the picture, and save it."""
        if not here().own_machine:
            self.say(NO_FILES)
        elif not self._too_early():
            told = Told(self.told.story, self.told.names, -1, self.told.game)  # others will look at it too
            text = picture(told, self._colours())
            dialog = SaveFileScreen(PICTURE, lambda path: text, picture_path(self.header))
            self.app.push_screen(dialog, self._saved)

    def _saved(self, where: Path | None) -> None:
        if where is not None:
            self.notify(f"The picture is saved: {where}", markup=False)  # the line of notes would cut a long path

    def _colours(self) -> dict[str, str]:
        """Return the colours of the theme by token; our own where the theme uses the terminal's."""
        variables = self.app.theme_variables
        if not variables["kd-ground"].startswith("#") or not variables["kd-gold"].startswith("#"):
            variables = self.app.available_themes[OWN_COLOURS].variables
        return {name.removeprefix("kd-"): value for name, value in variables.items() if name.startswith("kd-")}

    def action_scroll(self, pages: int) -> None:
        """Scroll what does not fit."""
        if self._too_early():  # the key may have been meant for the table
            return
        self.note = ""
        self.scroll = max(0, min(self.scroll + pages * SCROLL, self.scroll + self.below))
        self.redraw()

    def action_close(self) -> None:
        """Go back to the table or the replay."""
        if not self._too_early():
            close(self, "")

    def action_leave(self) -> None:
        """Leave the table, which asks first."""
        close(self, "leave")

    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """Press the key that was clicked."""
        self.app.simulate_key(event.key)
