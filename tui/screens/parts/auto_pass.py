"""Passing for somebody alone with bots who can do nothing else."""

import asyncio
from typing import Any

from textual.screen import Screen

from core.state import actions as a
from tui.screens.parts.model import TableModel

AUTO_PASS_S = 1.2


class AutoPass:
    """Passes after a moment; what lies over the table is read first."""

    def __init__(self, model: TableModel, screen: Screen[Any]) -> None:
        self._model, self._screen = model, screen
        self._window = 0
        """The window that is passed."""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def passing(self) -> bool:
        """Whether it is about to pass."""
        return self._timer is not None

    def begin(self) -> None:
        """Pass in a moment, if there is nothing else to do."""
        model = self._model
        now = model.now
        window, you = now.view.window, now.you
        if self._screen.app.screen is not self._screen or window is None or you is None:
            return
        waits = now.solo and not window.passed and not you.asks and not model.menus.nested
        if waits and self._window != window.id and all(isinstance(one.action, a.NO_RESPONSE) for one in you.legal):
            self._window = window.id
            model.session.remark = "Nothing to play: passing automatically."
            self._timer = asyncio.get_running_loop().call_later(AUTO_PASS_S, self._pass, window.id)
            model.redraw()

    def _pass(self, ident: int) -> None:
        model = self._model
        window = model.now.view.window
        model.session.remark = ""
        if self._screen.app.screen is not self._screen:
            self._window = 0  # again once that is closed
        elif window is not None and window.id == ident and not window.passed and self._screen.is_attached:
            model.session.act(a.Pass(ident), by_itself=True)
            model.redraw()

    def stop(self) -> None:
        """Pass no more."""
        if self._timer is not None:
            self._timer.cancel()
