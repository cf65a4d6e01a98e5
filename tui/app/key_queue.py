"""Keys and pastes one at a time: the next one is looked at when everything that the last one caused has been handled.

The toolkit hands a key on and looks at the next one at once. What the first one causes comes later, as messages between
widgets: a choice in a list, words to look for, a screen that opens. Of keys that come in a burst (typed ahead over a
slow link, pasted, held down) the second would then meet a screen that is not there yet, or a list that is about to
change, and what the first one chose would arrive at a screen that the second has closed.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from textual import events
from textual.app import App
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget

Pressed = events.Key | events.Paste
"""What comes from the terminal one at a time."""
WAITING = 64
"""How many keys wait at most; what is typed beyond them is lost."""
PATIENCE_S = 0.5
"""How long a key waits for the last one at most: a widget that is being removed answers no more."""
SCREENS = 4
"""How many screens that one key opens are waited for."""


class KeyQueue:
    """Lets one key after the other into an app. Where a key leads is followed through the queues of the widgets: each
    passes messages on to its parent, so whatever comes after them in all these queues comes after all they caused."""

    def __init__(self, app: App[Any], look: Callable[[Pressed], Awaitable[None]]) -> None:
        """look: looks at a key that came from the terminal."""
        self._app, self._look = app, look
        self._waiting: deque[Pressed] = deque()
        self._turn = 0
        """Which key it is that is followed now; a word about an earlier one comes too late."""
        self._following = False
        self._late: asyncio.TimerHandle | None = None
        self.front: Screen[Any] | None = None
        """The screen that was in front when the last key was looked at."""

    @property
    def busy(self) -> bool:
        """Whether a key is followed, or some wait."""
        return self._following

    @property
    def waiting(self) -> int:
        """How many keys wait."""
        return len(self._waiting)

    async def take(self, key: Pressed) -> None:
        """Look at this key now, or when its turn comes."""
        if not self._following:
            await self._begin(key)
        elif len(self._waiting) < WAITING:
            self._waiting.append(key)

    async def _begin(self, key: Pressed) -> None:
        self._following = True
        self._turn += 1
        self._late = asyncio.get_running_loop().call_later(PATIENCE_S, self._app.call_later, self._next, self._turn)
        self.front = self._app.screen
        try:
            await self._look(key)
        finally:
            self._follow(self._turn, SCREENS)

    def _follow(self, turn: int, screens: int) -> None:
        """Follow a key from the widget with the focus to its screen, then to the app."""
        front = self._app.screen
        where: list[MessagePump] = [*self._ancestors(front.focused), front, self._app]
        self._pass_on(turn, screens, where, front)

    def _ancestors(self, widget: Widget | None) -> list[MessagePump]:
        found: list[MessagePump] = []
        while widget is not None and widget is not self._app.screen:
            found.append(widget)
            parent = widget.parent
            widget = parent if isinstance(parent, Widget) else None
        return found

    def _pass_on(self, turn: int, screens: int, where: list[MessagePump], front: MessagePump) -> None:
        """Come again behind whatever waits in the first of these queues, then in the others."""
        while where:
            if where.pop(0).call_later(self._pass_on, turn, screens, where, front):
                return
        if self._app.screen is not front and screens and turn == self._turn:
            self._follow(turn, screens - 1)  # a screen has opened, or closed
        else:
            self._app.call_later(self._next, turn)

    async def _next(self, turn: int) -> None:
        """Look at the next key, once after each."""
        if turn != self._turn or not self._following:
            return
        if self._late is not None:
            self._late.cancel()
        self._following = False
        if self._waiting:
            await self._begin(self._waiting.popleft())
