"""The letters, which stand for the verbs of the game: kick, claim, run, deal, sell."""

from collections.abc import Callable

from core.state import actions as a
from core.state.actions import Action
from tui.menus.entries import Menu
from tui.menus.offer_editor import Draft, help_draft
from tui.render.details import Detail
from tui.scene.trial import trial_of
from tui.screens.parts.answers import Answers
from tui.screens.parts.model import TableModel
from tui.screens.parts.reasons import Reasons

VERBS: dict[str, tuple[str, Action]] = {
    "kick": ("The door cannot be opened now", a.Kick()),
    "claim": ("There is no kill to claim now", a.Claim()),
    "run": ("There is nothing to run from now", a.Flee()),
    "trouble": ("You cannot look for trouble now", a.Trouble(0)),
    "loot": ("There is nothing to pick up now", a.Loot()),
    "end": ("Your turn cannot end now", a.EndTurn()),
    "sell": ("Nothing can be sold now", a.Sell(())),
}
"""Verbs that need no card: the words if one is not possible, and the action to ask the host about."""


class Verbs:
    """Does what a letter stands for."""

    def __init__(self, model: TableModel, answers: Answers, reasons: Reasons, again: Callable[[], None]) -> None:
        """again: makes the player ready for another game."""
        self._model, self._answers, self._reasons, self._again = model, answers, reasons, again

    def action_verb(self, name: str) -> None:
        """Do what a letter stands for, whatever menu is open; if that is not possible now, say why. A vote, a set with
        something picked and a question that asks once more must be answered first."""
        model = self._model
        first = model.here.grave if isinstance(model.here, Menu) else bool(model.menus.picked)
        if model.voting or model.menus.before_votes or first:
            self._answers.put_off()
            return
        if model.too_early(f"table.{name}"):
            return
        entry = next((entry for entry in model.keyed.verbs.entries if entry.on == f"table.{name}"), None)
        model.session.remark = ""
        if entry is None:
            self._explain(name)
            return
        model.menus.reset()
        action = model.menus.choose(model.now, entry)
        if name == "gear":
            model.reading = Detail("seat", model.now.me, over=model.menus.visit, of=True)
        self._answers.send(action)

    def _explain(self, name: str) -> None:
        """Say why a verb is not possible now."""
        model, scene = self._model, self._model.now
        if name == "again":
            self._again()
        elif name == "gear":
            model.read(Detail("seat", max(0, scene.me)))
        elif scene.me < 0:
            model.say("You are spectating: only players can do that.")
        elif name == "deal":
            self._explain_deal()
        elif name == "use":
            model.say("You have no ability in play that can be used now.")
        else:
            monster = next((card for card in scene.hand() if scene.card(card).kind == "monster"), 0)
            words, action = VERBS[name]
            if name == "trouble" and monster:
                action = trial_of(scene, monster) or action
            self._reasons.ask(action, words, f"table.{name}")

    def _explain_deal(self) -> None:
        """Say why there is nothing to deal with now."""
        scene = self._model.now
        draft = help_draft(scene)
        partner = next((seat.seat for seat in scene.view.seats if seat.seat != scene.me and not seat.dead), -1)
        if draft is not None:
            self._reasons.ask(draft.action(), "Help cannot be offered now")
        elif partner < 0:
            self._model.say("There is nobody to trade with.")
        else:
            self._reasons.ask(Draft("trade", partner).action(), "No trade now: Items change hands only outside fights")
