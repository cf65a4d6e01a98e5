"""A whole game with a coach: the table, and a strip that tells what a good player would do."""

from collections.abc import Callable

from textual import work

from core.state.views import View
from tui.menus.hint import hint_words
from tui.scene.table_session import TableSession
from tui.screens.table import TableScreen
from tui.screens.table_hints import TOO_LONG
from tui.widgets.coach import Coach, Saying

HEAD = "Your first whole game"
WAITING = "The others act. Curses, level cards and one-shots can be played in their turns too."
OVER = "The game is over. Play again, or leave; puzzles are in the menu."


class CoachedScreen(TableScreen):
    """The table of a game for one person, with hints. The hint is worked out beside the drawing."""

    def __init__(self, session: TableSession, laid: Callable[[], None] = lambda: None) -> None:
        super().__init__(session, laid)
        self._advised: View | None = None
        self._advised_words = WAITING

    def on_mount(self) -> None:
        """Put the coach above the prompt; the handler of TableScreen runs as well."""
        self.mount(Coach("coach"), before="#foot")

    def redraw(self) -> None:
        """Draw the table and the hint for this moment."""
        super().redraw()
        view = self.now.view
        if view is not self._advised and view.you is not None:
            self._advised = view
            self._advised_words = OVER if view.winners else WAITING
            if self.current.urgent and not view.winners:
                self._advise(view)
        for coach in self.query(Coach):
            coach.update(Saying(HEAD, "task", self._advised_words), self.session.glyphs)

    @work(group="advice", exclusive=True)
    async def _advise(self, view: View) -> None:
        """Work the hint out and show it, if it is still about what is shown."""
        advice = await self.advice(view, await self.session.client.knowledge())
        if view is self._advised and self.is_attached:
            self._advised_words = TOO_LONG if advice is None else hint_words(self.now, advice)
            self.redraw()
