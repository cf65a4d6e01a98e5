"""Handle keys and pastes one at a time: the next one when everything that the last one caused has been handled.

The toolkit passes a key on and takes the next one at once. The effects of the first one follow later, as messages
between widgets: a choice in a list, a new search, a screen that opens. When keys come in a burst (typed ahead over a
slow link, pasted, held down), the second one would meet a screen that is not open yet, or a list that is about to
change. The choice of the first one could arrive at a screen that the second has closed.
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
"""The most keys that wait; further ones are lost."""
PATIENCE_S = 0.5
"""The longest time (s) that a key waits for the last one: a widget that is being removed no longer answers."""
SCREENS = 4
"""Wait for at most this many screens opened by one key."""


class KeyQueue:
    """Lets one key after the other into an app. It sends a message through the queues of the widgets that a key passes.
    Each widget passes messages on to its parent, so this message arrives after everything that the key caused."""

    def __init__(self, app: App[Any], look: Callable[[Pressed], Awaitable[None]]) -> None:
        """look: handles a key from the terminal."""
        self._app, self._look = app, look
        self._waiting: deque[Pressed] = deque()
        self._turn = 0
        """The number of the key that is followed now; a message about an earlier one is too late."""
        self._following = False
        self._late: asyncio.TimerHandle | None = None
        self.front: Screen[Any] | None = None
        """The screen that was in front when the last key was handled."""

    @property
    def busy(self) -> bool:
        """Whether a key is being followed, or keys wait."""
        return self._following

    @property
    def waiting(self) -> int:
        """How many keys wait."""
        return len(self._waiting)

    async def take(self, key: Pressed) -> None:
        """Handle this key now, or when its turn comes."""
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
        """Queue behind everything that waits in the first of these queues, then in the others."""
        while where:
            if where.pop(0).call_later(self._pass_on, turn, screens, where, front):
                return
        if self._app.screen is not front and screens and turn == self._turn:
            self._follow(turn, screens - 1)  # a screen has opened, or closed
        else:
            self._app.call_later(self._next, turn)

    async def _next(self, turn: int) -> None:
        """Handle the next key, once after each key."""
        if turn != self._turn or not self._following:
            return
        if self._late is not None:
            self._late.cancel()
        self._following = False
        if self._waiting:
            await self._begin(self._waiting.popleft())
