"""A whole game with a coach: the table, and a strip that tells what a good player would do."""

import asyncio

from core.state import actions as a
from core.state.actions import Action
from core.view import View
from tui.lessons.adviser import Adviser
from tui.menus.way_to import way_to
from tui.scene.forecast import of_action
from tui.scene.scene import Scene
from tui.scene.table_session import TableSession
from tui.screens.table import TableScreen
from tui.widgets.coach import Coach, Saying

HEAD = "Your first whole game"
WAITING = "The others act. Curses, level cards and one-shots can be played in their turns too."
GROUPS = ("use", "gear", "run", "deal", "trouble")
"""Entries that only open a list."""
OVER = "The game is over. Play again, or leave; puzzles are in the menu."


class CoachedScreen(TableScreen):
    """The table of a game for one person, with hints. The hint is worked out beside the drawing."""

    def __init__(self, session: TableSession) -> None:
        super().__init__(session)
        self._adviser = Adviser(session.catalog)
        self._advised: View | None = None
        self._hint = WAITING

    def on_mount(self) -> None:
        """Put the coach above the prompt; the handler of TableScreen runs as well."""
        self.mount(Coach("coach"), before="#foot")

    def redraw(self) -> None:
        """Draw the table and the hint for this moment."""
        super().redraw()
        view = self.now.view
        if view is not self._advised and view.you is not None:
            self._advised = view
            self._hint = OVER if view.winners else WAITING
            if self.current.urgent and not view.winners:
                self.run_worker(self._advise(view), group="advice", exclusive=True)
        for coach in self.query(Coach):
            coach.update(Saying(HEAD, "task", self._hint), self.session.glyphs)

    async def _advise(self, view: View) -> None:
        """Work the hint out and show it, if it is still about what is shown."""
        action = await asyncio.to_thread(self._adviser.advice, view)
        if view is self._advised and self.is_attached:
            self._hint = hint_words(self.now, action)
            self.redraw()


def hint_words(scene: Scene, action: Action | None) -> str:
    """Return what a good player would do, in the words of the menus."""
    if action is None or isinstance(action, a.Pass):
        return "A good player would let this pass."
    outlook = of_action(scene, action)
    leads = outlook.fitted(60, scene.glyphs) if outlook else ""
    entries = [entry for entry in way_to(scene, action) if entry.key not in GROUPS]
    words = ", ".join(entry.label.removesuffix("..") for entry in entries) or plain_words(action)
    return f"A good player would: {words}.{f'  {leads}' if leads else ''}"


def plain_words(action: Action) -> str:
    """Return the name of an action that no entry of the first menu leads to."""
    return str(type(action).__struct_config__.tag).replace("_", " ")
