"""The interface of a coach at a table, and the coach of a whole game. The coach of lessons and puzzles is in
guided_coach.py."""

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from textual.screen import Screen

from core.state.views import View
from tui.menus.hint import hint_words
from tui.screens.opening import is_open
from tui.screens.parts.hints import TOO_LONG
from tui.screens.parts.table_parts import TableParts
from tui.widgets.coach import Saying

HEAD = "Your first whole game"
WAITING = "The others act. Curses, level cards and one-shots can be played in their turns too."
OVER = "The game is over. Play again, or leave; puzzles are in the menu."


class Coaching(Protocol):
    """What is different at a table where somebody coaches. Its `action_...` methods come before those of the table."""

    lacks: ClassVar[tuple[str, ...]]
    """Bindings that this table does not use."""

    @property
    def shows_moments(self) -> bool:
        """Whether doors, dice and the like are shown over the table."""

    @property
    def waits(self) -> bool:
        """Whether the pass key makes the coach go on."""

    def lacks_action(self, name: str) -> bool:
        """Return whether an action has no place at this table."""

    def wanted(self, usual: str) -> str:
        """Return in which windows the player is asked now, as in `Settings.asks`. usual: the value in their
        settings."""

    def asks(self) -> str:
        """Return what identifies the words of the coach that wait for a key; empty if it waits for none."""

    def saying(self) -> Saying:
        """Return what the coach says now; called whenever the table has been drawn."""


Coached = Callable[[TableParts, Screen[Any], Callable[[str], None]], Coaching]
"""Makes a coach from the parts of a table, its screen, and a function that leaves the screen with a result."""


class GameCoach:
    """The coach of a whole game for one person: it says what a good player would do, worked out in the background."""

    shows_moments, waits = True, False
    lacks: ClassVar[tuple[str, ...]] = ()

    def __init__(self, parts: TableParts, screen: Screen[Any]) -> None:
        """screen: when it closes, the worker of a hint ends."""
        self._parts, self._screen = parts, screen
        self._advised: View | None = None
        self._words = WAITING

    def lacks_action(self, name: str) -> bool:
        """Leave out the keys of puzzles."""
        return name.startswith("puzzle_")

    def wanted(self, usual: str) -> str:
        """Ask as at any table."""
        return usual

    def asks(self) -> str:
        """Wait for no key."""
        return ""

    def saying(self) -> Saying:
        """Return the hint for this moment."""
        model = self._parts.model
        view = model.now.view
        if view is not self._advised and view.you is not None:
            self._advised = view
            self._words = OVER if view.winners else WAITING
            if model.current.urgent and not view.winners:
                self._screen.run_worker(self._advise(view), group="advice", exclusive=True)
        return Saying(HEAD, "task", self._words)

    async def _advise(self, view: View) -> None:
        """Work out the hint and show it, if it is still about the current view."""
        model = self._parts.model
        advice = await self._parts.hints.advice(view, await model.session.client.knowledge())
        if view is self._advised and is_open(self._screen):
            self._words = TOO_LONG if advice is None else hint_words(model.now, advice)
            model.redraw()


def whole_game(parts: TableParts, screen: Screen[Any], leave: Callable[[str], None]) -> Coaching:
    """Return the coach of a whole game."""
    return GameCoach(parts, screen)
