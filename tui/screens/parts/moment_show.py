"""The moments of a game, shown one after the other: until a key, or for a while."""

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, cast

from msgspec.structs import replace
from textual.screen import Screen

from core.state.model import DEFN_MASK
from tui.config.settings import Settings
from tui.scene.moments import How, Moment, how_to_show
from tui.scene.scene import FIRST_CARD
from tui.screens.parts.model import TableModel
from tui.screens.parts.news import tell_news
from tui.screens.parts.reader import Reader
from tui.screens.parts.reasons import Reasons


class MovingApp(Protocol):
    """What moments need of the app."""

    settings: Settings

    @property
    def moves(self) -> bool:
        """Whether things on the screen move here."""


class Pace(Protocol):
    """How moments follow each other: at a table, or in a recording."""

    def how(self, moment: Moment) -> How:
        """Return how a moment is shown."""

    def passes_s(self) -> float:
        """Return how long (s) a moment that closes by itself is shown."""

    def asked(self) -> bool:
        """Return whether the player has to answer something now, whatever the screen shows."""

    def went_on(self, how: str | None) -> None:
        """Go on after a moment. how: the key that closed it, unless the moment has handled it."""


class MomentShow:
    """Shows the moments of a session over the table."""

    def __init__(
        self, model: TableModel, screen: Screen[Any], reader: Reader, reasons: Reasons, pace: Pace,
        talking: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        """talking: whether the player writes."""
        self._model, self._screen, self._reader, self._reasons = model, screen, reader, reasons
        self._pace, self._talking = pace, talking
        self._stays = False
        """Whether the moment that is shown stays until a key is pressed."""

    @property
    def comes_first(self) -> bool:
        """Whether a moment that stays is shown or comes next, so that the table must not show its outcome yet."""
        waiting = (self._how(moment) for moment in self._model.session.moments)
        return self._stays or next((how for how in waiting if how in ("stays", "passes")), "log") == "stays"

    def show(self) -> bool:
        """Show the next moment that is worth it; tell of the others as toasts. Return whether one is shown."""
        screen, moments = self._screen, self._model.session.moments
        if screen.app.screen is not screen:  # a screen over the table is read first
            from tui.screens.moment import MomentScreen  # only when something lies over the table

            return isinstance(screen.app.screen, MomentScreen)
        for late in moments.overtaken():
            if late.touches:
                tell_news(screen, self._model, late.told)
        while (moment := moments.take()) is not None:
            if moment.kind == "called":
                screen.app.bell()
            how = self._how(moment)
            if how in ("stays", "passes"):
                self._open(moment, how)
                return True
            if how == "toast":
                tell_news(screen, self._model, moment.told)
        return False

    def _how(self, moment: Moment) -> How:
        """Return how a moment is shown. It covers nothing while the player writes or chooses. A set that has opened by
        itself is no choice yet: the moment that led to it comes first."""
        how, menus = self._pace.how(moment), self._model.menus
        if how in ("stays", "passes") and (self._talking() or (menus.nested and not menus.automatic)):
            return "toast" if moment.touches else "log"
        return how

    def _open(self, moment: Moment, how: How) -> None:
        from tui.screens.moment import MomentScreen  # only when it is opened

        model, app = self._model, self._screen.app
        self._stays = how == "stays"
        scene = replace(model.now, view=moment.view)
        covers = None if how == "stays" else self._pace.asked
        moves = cast("MovingApp", app).moves and not model.session.moments  # no animation delays moments that wait
        screen = MomentScreen(model.session, scene, moment, covers, moves, self._pace.passes_s(), self.waiting)
        app.push_screen(screen, partial(self._went_on, moment))

    def waiting(self) -> int:
        """Return how many of the moments that wait are going to be shown over the table; the log tells of the rest."""
        return sum(self._pace.how(moment) in ("stays", "passes") for moment in self._model.session.moments)

    def _went_on(self, moment: Moment, how: str | None) -> None:
        """Do what the key that closed it asks for: read the card or the rules; then go on."""
        self._stays = False
        self._pace.went_on(how)
        if how == "read":
            self._reader.read_card(moment.card)
        elif how == "rules":
            from tui.scene.rulebook import topics  # only when it is opened

            card = moment.card if moment.card > DEFN_MASK else FIRST_CARD + moment.card
            scene = replace(self._model.now, log=tuple(self._model.session.log))  # including the newest lines
            self._reasons.show_rules(topics(scene, card=card if moment.card >= 0 else 0, log=True))


class TablePace:
    """Moments at a table: they leave room for what is asked of the player."""

    def __init__(
        self, model: TableModel, app: Callable[[], Any], hint: Callable[[], None], go_on: Callable[[], None]
    ) -> None:
        """app: returns the app. hint: gives a hint. go_on: lets bots that wait for a key go on."""
        self._model, self._app, self._hint, self._go_on = model, app, hint, go_on

    def how(self, moment: Moment) -> How:
        """Return how a moment is shown."""
        waits = cast("MovingApp", self._app()).settings.waits
        return how_to_show(moment, self._alone(), waits, self._model.current.urgent)

    def _alone(self) -> bool:
        """Return whether only bots wait for this player, and no clock runs."""
        now, clocks = self._model.now, self._model.session.client.clocks()
        running = clocks.window >= 0 or now.me in clocks.prompts or now.me in clocks.banks
        return now.solo and now.me >= 0 and not running

    def passes_s(self) -> float:
        """Return how long (s) a moment that closes by itself is shown."""
        from tui.screens.moment import PASSES_S  # only when it is opened

        return PASSES_S

    def asked(self) -> bool:
        """Return whether this player has to answer something now, whatever the screen shows."""
        session = self._model.session
        return session.playing and self._model.question(session.scene()).urgent

    def went_on(self, how: str | None) -> None:
        """Give a hint, or let waiting bots go on if no further moment comes."""
        session = self._model.session
        waiting = any(self.how(moment) in ("stays", "passes") for moment in session.moments)
        if how == "hint":
            self._hint()
        elif how == "space" and not waiting and session.client.clocks().waits:
            self._go_on()
