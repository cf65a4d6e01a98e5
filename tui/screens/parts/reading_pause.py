"""Bots wait after each of their acts while somebody alone with them reads or chooses, and so sees little of the
table."""

from typing import Any, Protocol, cast

from textual.screen import Screen

from tui.config.settings import Settings
from tui.screens.parts.model import TableModel


class SettingsApp(Protocol):
    """What this needs of the app."""

    settings: Settings


class ReadingPause:
    """Tells the host that bots wait while the table is covered, and that they play on as usual afterwards."""

    def __init__(self, model: TableModel, screen: Screen[Any]) -> None:
        self._model, self._screen = model, screen
        self._covered = False

    def look(self) -> None:
        """Tell the host when the player begins or stops reading or choosing, unless bots never wait."""
        settings = cast("SettingsApp", self._screen.app).settings
        covered = self._model.now.solo and settings.waits != "never" and self._covers()
        if covered != self._covered:
            self._covered = covered
            self._model.session.client.set(waits="each" if covered else settings.waits_on_wire)

    def _covers(self) -> bool:
        top = self._screen.app.screen
        if top is not self._screen:
            from tui.screens.moment import MomentScreen  # only when something lies over the table

            return not isinstance(top, MomentScreen)  # bots wait after a moment in any case
        menus = self._model.menus
        return bool(self._model.reading.kind) or (menus.nested and not menus.automatic)
