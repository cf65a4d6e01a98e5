"""Answers to the question why: the rule behind a card or a refusal, what forbids an action, every term of a sum."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from core.state.actions import Action
from tui.menus.prompts import not_asked
from tui.render.details import Detail
from tui.scene.arrival import idle_why
from tui.scene.scene import Refused
from tui.scene.trial import trial_of
from tui.screens.parts.model import TableModel

if TYPE_CHECKING:
    from tui.scene.rulebook import Topic


class Reasons:
    """Answers why; the host is asked where only it can say."""

    def __init__(self, model: TableModel, screen: Screen[Any]) -> None:
        """screen: when it closes, the question to the host ends."""
        self._model, self._screen = model, screen

    def action_why(self) -> None:
        """Show the rule by which the selected card cannot be played, or would be of no use. For a card without such a
        rule, show every term of the combat, or of the strengths."""
        model = self._model
        scene = model.now
        card = scene.selected()
        playable = any(entry.card == card for entry in model.keyed.verbs.entries)
        trial = trial_of(scene, card) if card and not playable and scene.you is not None else None
        idle = idle_why(scene, card) if playable else None
        if idle is not None and not model.reading.kind:
            self.open_rules(idle, card, numbers=True)
        elif trial is None or model.reading.kind:
            model.read(Detail("why"))
        else:
            self._screen.run_worker(self._rule(trial, card), group="why", exclusive=True)

    async def _rule(self, trial: Action, card: int) -> None:
        """Ask the host why a card cannot be played, and open the rule."""
        model = self._model
        what = f"{model.now.title(card)}: not now"
        refusal = await model.session.why(trial)
        if refusal is None:
            model.read(Detail("why"))
            model.say(f"{what}.")
        else:
            self.open_rules(Refused(what, refusal.text, refusal.clause), card, numbers=True)

    def why_not(self, card: int) -> None:
        """Ask the host why a card cannot be played."""
        trial = trial_of(self._model.now, card)
        if trial is not None:
            self.ask(trial, f"{self._model.now.title(card)}: not now")

    def ask(self, action: Action, otherwise: str, verb: str = "") -> None:
        """Ask the host what forbids an action and show its sentence. verb: the binding of the verb that is not possible
        now; the sentence goes once it is."""
        self._screen.run_worker(self._reason(action, otherwise, verb), group="why", exclusive=True)

    async def _reason(self, action: Action, otherwise: str, verb: str) -> None:
        model = self._model
        refusal = await model.session.why(action)
        if refusal is not None and refusal.clause == "stale":
            whom = not_asked(model.now)  # the prompt says so, unless a menu is open
            model.say(f"{otherwise}. {whom if model.menus.nested else ''}".rstrip())
        elif refusal is not None:
            model.session.refusal = Refused(otherwise, refusal.text, refusal.clause)
            model.say(f"{otherwise}. {refusal.text}")
        elif not model.session.remark:
            model.say(f"{otherwise}.")
        model.denied = verb, model.session.remark

    # --------------------------------------------------------------------------------------------------------- rules
    def action_rules(self) -> None:
        """Open the rules about the refusal that is shown, the card under the cursor, and this moment."""
        self.open_rules(self._model.session.refused, self._model.now.selected())

    def open_rules(self, refused: Refused | None, card: int, numbers: bool = False) -> None:
        """Open the rules over the table. numbers: as for RulesScreen."""
        from tui.scene.rulebook import topics  # loaded when it is opened

        self.show_rules(topics(self._model.now, refused, card), numbers)

    def look_up(self, what: str) -> None:
        """Open the rules of something on the screen, see rulebook.asked."""
        from tui.scene.rulebook import asked  # loaded when it is opened

        self.show_rules(asked(self._model.now, what))

    def show_rules(self, found: "Sequence[Topic]", numbers: bool = False) -> None:
        """Show these topics over the table."""
        from tui.screens.rules import RulesScreen  # loaded when it is opened

        session = self._model.session
        screen = RulesScreen(found, session.catalog, session.glyphs, numbers)
        self._screen.app.push_screen(screen, self._after_rules)

    def _after_rules(self, result: str | None) -> None:
        from tui.screens.rules import NUMBERS  # loaded when it is opened

        if result == NUMBERS:
            self._model.read(Detail("why"))
