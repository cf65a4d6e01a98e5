"""Automatic passing: for somebody alone with bots, it passes windows in which no response makes sense."""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, cast

from textual.screen import Screen

from core.state import actions as a
from tui.config.settings import Settings
from tui.lessons.counsel import Counsel
from tui.menus.windows import Windows
from tui.screens.opening import is_open
from tui.screens.parts.model import TableModel

AUTO_PASS_S = 1.2


class SettingsApp(Protocol):
    """What this part needs of the app."""

    settings: Settings


class AutoPass:
    """Passes after a moment, once nothing lies over the table."""

    def __init__(self, model: TableModel, screen: Screen[Any], counsel: Counsel, hold: Callable[[], None]) -> None:
        """counsel: finds out whether a response makes sense. hold: what the hold key does where the player is asked."""
        self._model, self._screen, self._hold = model, screen, hold
        self._windows = Windows(model.session, counsel)
        self.wanted: Callable[[str], str] = lambda usual: usual
        """Decides when the player is asked; usual: what their settings say."""
        self._window = 0
        """The window that is passed."""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def passing(self) -> bool:
        """Whether it is about to pass a window."""
        return self._timer is not None

    def look(self) -> None:
        """Decide whether the player is asked about the window that is open now, before it is drawn."""
        session = self._model.session
        if session.client.view is None or session.client.view.window is None:  # most of the time
            session.unasked = ""
            self._windows.none()
            return
        usual = cast("SettingsApp", self._screen.app).settings.asks
        session.unasked = self._windows.follow(session.scene(), self.wanted(usual), self._model.menus.nested)

    def begin(self) -> None:
        """Pass in a moment, if this window is to be passed."""
        model = self._model
        window = model.now.view.window
        if self._screen.app.screen is not self._screen or window is None:
            return
        if model.session.unasked == "passes" and self._window != window.id:
            if self._timer is not None:
                self._timer.cancel()
            self._window = window.id
            self._timer = asyncio.get_running_loop().call_later(AUTO_PASS_S, self._pass, window.id)

    def _pass(self, ident: int) -> None:
        model = self._model
        self._timer = None
        if self._screen.app.screen is not self._screen:
            self._window = 0  # it is looked at again once that is closed
            return
        if not is_open(self._screen):
            return
        self.look()
        window = model.session.scene().view.window
        if window is not None and window.id == ident and model.session.unasked == "passes":
            model.session.act(a.Pass(ident), by_itself=True)
        else:
            self._window = 0  # begin again if it is still open after a card was read
        model.redraw()

    def action_hold(self) -> None:
        """Keep open a window about which the player is not asked, or the next one; elsewhere hold the table."""
        told = self._windows.keep(self._model.now)
        if told:
            self.look()
            self._model.say(told)
        else:
            self._hold()

    def stop(self) -> None:
        """Pass no more."""
        self._windows.stop()
        if self._timer is not None:
            self._timer.cancel()
