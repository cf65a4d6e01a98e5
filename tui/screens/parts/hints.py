"""Hints: what a good player would do, worked out in the background."""

from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from core.state.actions import Action, Offer
from core.state.veiled import Veiled
from core.state.views import View
from tui.lessons.counsel import Counsel
from tui.menus.hint import hint_words, hints_menu, undecided
from tui.menus.hint_keys import HintKeys
from tui.screens.opening import is_open
from tui.screens.parts.model import TableModel

if TYPE_CHECKING:
    from tui.lessons.adviser import Advice

HINT_S = 3.0
"""The longest time (s) to wait for a hint."""
TRIES = 3
"""How many times a hint is worked out if the table moves on meanwhile."""
MOVED_ON = "No hint: the situation has changed meanwhile. Ask again ({})."
TOO_LONG = "No hint: it would take too long. Ask again when something has changed."


class Hints:
    """Gives hints on the view of this seat, to somebody alone with bots, or if all people at the table agree."""

    def __init__(self, model: TableModel, screen: Screen[Any], counsel: Counsel) -> None:
        """screen: when it closes, the worker of a hint ends. counsel: works the hint out."""
        self._model, self._screen, self._counsel = model, screen, counsel
        self._waited_at = -1
        """The revision of the view at which a hint said to wait. Asked again at this view, the hint says what to do
        without waiting."""

    def action_hint(self) -> None:
        """Say what a good player would do; at a table of several people ask for their consent, or end it."""
        model = self._model
        scene = model.now
        shared = len(scene.people()) > 1
        if scene.me < 0 or scene.view.winners:
            model.say("Hints are for players, while the game runs.")
        elif undecided(scene) or (shared and model.hinted and model.session.remark == model.hinted):
            model.session.remark = ""
            model.menus.enter_made(hints_menu)
            model.redraw()
        else:
            self._screen.run_worker(self._hint(), group="hint", exclusive=True)

    async def _hint(self) -> None:
        """Work out a hint and show it. If the table moves on meanwhile, work it out again for what the player is asked
        then. If that is nothing, or the table keeps moving on, say so."""
        model = self._model
        for _ in range(TRIES):
            view = model.now.view
            patient = view.rev != self._waited_at
            advice = await self.advice(view, await model.session.client.knowledge(), patient)
            if not is_open(self._screen):
                return
            if view.rev == model.now.view.rev:
                self._say(advice)
                return
            if not model.current.urgent:
                break
        model.say(MOVED_ON.format(model.names["table.hint"]))

    def _say(self, advice: "Advice | None") -> None:
        """Show a hint on this view."""
        model = self._model
        shared = len(model.now.people()) > 1
        again = f" ({model.names['table.hint']} again: no more hints)" if shared else ""
        if advice is None:
            model.hinted = TOO_LONG
        else:
            self._waited_at = model.now.view.rev if advice.action is None else self._waited_at
            if isinstance(advice.action, Offer):
                model.menus.hinted = advice.action.to
            model.hinted = hint_words(model.now, advice) + self._key_words(advice.action) + again
        model.say(model.hinted)

    def _key_words(self, action: Action | None) -> str:
        """Return the key that comes next on the way to what a hint advises."""
        model = self._model
        return HintKeys(model.now, model.menus, model.here, model.keyed, model.names).words(action)

    async def advice(self, view: View, veiled: Veiled | None = None, patient: bool = True) -> "Advice | None":
        """Return what a good player would do in this view, None if that takes too long. veiled: what the seat knows, to
        try things out. patient: wait for answers to offers."""
        return await self._counsel.advice(view, veiled, patient, HINT_S)
