"""The part of the table's screen that shows moments: one after the other, until a key or for a while."""

from functools import partial
from typing import ClassVar, cast

from msgspec.structs import replace

from core.state.model import DEFN_MASK
from tui.menus.prompts import prompt_for
from tui.scene.moments import How, Moment, how_to_show
from tui.scene.scene import FIRST_CARD
from tui.screens.table_actions import TableActions
from tui.screens.table_beside import SettingsApp


class TableMoments(TableActions):
    """What is done with the moments of the session."""

    shows_moments: ClassVar[bool] = True
    """Whether doors, dice and the like are shown over the table."""

    def show_moment(self) -> bool:
        """Show the next moment, if one is worth it; tell of the others as toasts. Return whether one is shown."""
        moments = self.session.moments
        if not self.shows_moments:
            moments.clear()
        if self.app.screen is not self:  # what lies over the table is read first
            from tui.screens.moment import MomentScreen

            return isinstance(self.app.screen, MomentScreen)
        for late in moments.overtaken():
            if late.touches:
                self.notify(late.said, markup=False)
        while (moment := moments.take()) is not None:
            if moment.kind == "called":
                self.app.bell()
            how = self._how(moment)
            if how in ("stays", "passes") and (self.has_class("talking") or self.menus.nested):
                how = "toast" if moment.touches else "log"  # whoever writes or chooses keeps what they see
            if how in ("stays", "passes"):
                from tui.screens.moment import MomentScreen

                scene = replace(self.now, view=moment.view)
                covers = None if how == "stays" else self._is_asked
                moves = getattr(self.app, "moves", False) and not moments  # what waits is not kept waiting
                screen = MomentScreen(self.session, scene, moment, covers, moves, self._passes_s, self._waiting)
                self.app.push_screen(screen, partial(self._went_on, moment))
                return True
            if how == "toast":
                self.notify(moment.said, markup=False)
        return False

    def _how(self, moment: Moment) -> How:
        """How a moment is shown."""
        return how_to_show(moment, self._alone(), cast("SettingsApp", self.app).settings.waits, self.current.urgent)

    def _waiting(self) -> int:
        """How many of the moments that wait are going to be shown over the table; the log tells of the others."""
        return sum(self._how(moment) in ("stays", "passes") for moment in self.session.moments)

    @property
    def _passes_s(self) -> float:
        """For how long a moment is shown that passes by itself."""
        from tui.screens.moment import PASSES_S

        return PASSES_S

    def _alone(self) -> bool:
        """Whether nobody waits for this player but bots, and no clock runs for them."""
        clocks = self.session.client.clocks()
        running = clocks.window >= 0 or self.now.me in clocks.prompts or self.now.me in clocks.banks
        return self.now.solo and self.now.me >= 0 and not running

    def _is_asked(self) -> bool:
        """Whether an answer is wanted of this player now, whatever the screen shows."""
        if not self.session.playing:
            return False
        scene = self.session.scene()
        return prompt_for(scene, self.menus, self.menus.here(scene)[0]).urgent

    def _went_on(self, moment: Moment, how: str | None) -> None:
        """Do what the key that closed it asks for: read the card or the rules, give a hint, let waiting bots go on."""
        if how == "read":
            self.read_card(moment.card)
        elif how == "rules":
            from tui.scene.rulebook import topics

            card = moment.card if moment.card > DEFN_MASK else FIRST_CARD + moment.card
            self.show_rules(topics(self.now, card=card if moment.card >= 0 else 0, log=True))
        elif how == "hint":
            self.action_hint()
        elif how == "space" and not self._waiting() and self.session.client.clocks().waits:
            self.skip_pause()
