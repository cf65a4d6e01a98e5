"""What calls the player: toasts where the log has no room, the bell, and the end of the game."""

from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from tui.scene.scene import LogLine
from tui.screens.parts.model import TableModel
from tui.screens.parts.talk import Talk
from tui.widgets.table.history import History
from tui.widgets.table.middle import cut_news

if TYPE_CHECKING:
    from netcode.recording.recorder import Finished

NEWS = 3
"""The most toasts at once."""


class News:
    """Tells what has happened since the last time."""

    def __init__(self, model: TableModel, screen: Screen[Any]) -> None:
        self._model, self._screen = model, screen
        self._told: LogLine | None = None
        """The newest line of the log when toasts were shown last."""
        self._rung = ""
        """The question for which the bell rang last."""

    def begin(self) -> None:
        """Treat the log so far as read."""
        log = self._model.session.log
        self._told = log[-1] if log else None

    def tell(self) -> None:
        """Show talk, and news from outside the game, as toasts where the history has no room. Without a connection the
        prompt says why; several toasts about it would leave no room for the one which says that it is back."""
        news = list(takewhile(lambda line: line is not self._told, reversed(self._model.session.log)))
        self._told = news[0] if news else self._told
        history = self._screen.query_one(History)
        if not all(node.display for node in history.ancestors_with_self):
            untold = ("turn",) if self._model.session.client.stage == "synced" else ("turn", "note")
            told = [line for line in news if line.kind not in untold and not line.step]
            for line in reversed(told[:NEWS]):
                tell_news(self._screen, self._model, line.text)

    def ring_for_knocks(self) -> None:
        """Ring if somebody has begun to knock."""
        if self._model.session.ring:
            self._model.session.ring = False
            self._screen.app.bell()

    def ring_for_question(self) -> None:
        """Ring if the player has a new question to answer."""
        current = self._model.current
        if current.urgent and current.ident != self._rung:
            self._rung = current.ident
            self._screen.app.bell()


def tell_news(screen: Screen[Any], model: TableModel, text: str) -> None:
    """Show news that the log has too: if there is no room for all of it, with the key that shows it."""
    screen.notify(cut_news(screen.app, text, model.session.glyphs, model.names["table.recap"]), markup=False)


class Ending:
    """Shows how a finished game went."""

    def __init__(self, model: TableModel, screen: Screen[Any], talk: Talk, leave: Callable[[], None]) -> None:
        """leave: asks whether to leave."""
        self._model, self._screen, self._talk, self._leave = model, screen, talk, leave
        self._shown: Finished | None = None
        """The last game whose end was shown."""

    def show(self) -> None:
        """Show the end of a game once, but not while the player types, and not over another screen."""
        busy = self._talk.open or self._screen.app.screen is not self._screen
        if self.finished is not self._shown and self.finished is not None and not busy:
            self.action_story()

    @property
    def finished(self) -> "Finished | None":
        """The game that is over and still on the table, if its story is known."""
        found, now = self._model.session.finished, self._model.now
        over = found is not None and bool(now.view.winners) and found.header.game == now.info.game
        return found if over and found is not None and found.story is not None else None

    def action_story(self) -> None:
        """Show how the finished game went."""
        finished = self.finished
        if finished is None or finished.story is None:
            self._model.say("How it went is told when the game is over, to those who have seen it.")
            return
        self._shown = finished
        from tui.scene.story_text import sets_in_words  # only when it is opened
        from tui.screens.end import EndScreen

        session = self._model.session
        game = sets_in_words(session.catalog)
        screen = EndScreen(finished.header, finished.story, game, session.glyphs, session, session.pixels)
        self._screen.app.push_screen(screen, self._after)

    def _after(self, how: str | None) -> None:
        if how == "leave":
            self._leave()
