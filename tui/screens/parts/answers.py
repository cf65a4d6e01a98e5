"""The keys that answer: digits, SPACE, ENTER, going back, the window."""

import asyncio
from collections.abc import Callable
from typing import Any

from textual.screen import Screen

from core.state import actions as a
from core.state.actions import Action
from tui.menus.entries import Command, Menu, Picker
from tui.menus.keyed import ENTER, HOLD, SPACE
from tui.scene.situation import bots_wait
from tui.screens.parts.choices import Choices
from tui.screens.parts.model import GONE, TableModel
from tui.screens.parts.reasons import Reasons
from tui.screens.parts.requests import Requests
from tui.screens.parts.talk import Talk

SKIP_S = 0.25
"""The least time between two skipped pauses: the host takes five requests a second."""
TOLD_S = 3.0
"""The least time between two toasts about keys."""


class Answers:
    """Turns keys into whole actions and sends them."""

    def __init__(
        self, model: TableModel, choices: Choices, reasons: Reasons, requests: Requests, talk: Talk,
        screen: Screen[Any], larger: Callable[[], None],
    ) -> None:  # fmt: skip
        """screen: shows toasts. larger: gives the open detail more room."""
        self._model, self._choices, self._reasons, self._requests = model, choices, reasons, requests
        self._talk, self._screen, self._larger = talk, screen, larger
        self._skipped_at = 0.0
        self.told_at = -60.0

    # -------------------------------------------------------------------------------------------------------- helpers
    def send(self, action: Action | Command | None) -> None:
        """Send an action to the host, or run a command of the screen."""
        if isinstance(action, Command):
            self._requests.run(action)
        elif action is not None:
            self._model.session.act(action)
        self._model.redraw()

    def put_off(self) -> None:
        """Tell the player what to answer before this key does anything."""
        model = self._model
        enter, back = model.names[ENTER], model.names["prompt.back"]
        if model.voting:
            ways = [f"{one.key}: {one.words}" for one in model.keyed.choices if one.key.isdigit()]
            self.tell(f"First the undo. {', '.join(ways)}." if ways else "First the others say whether to undo.")
        elif isinstance(model.here, Picker) and model.menus.picked:
            model.say(f"First hand in what is picked ({enter}), or go back ({back}).")
        elif isinstance(model.here, Menu) and model.here.grave:
            model.say(f"First answer this: {enter} does it, {back} goes back.")
        else:
            model.say(f"First choose here, or go back ({back}).")

    def tell(self, text: str) -> None:
        """Show a toast; a key held down shows only one."""
        now = asyncio.get_running_loop().time()
        if now - self.told_at >= TOLD_S:
            self.told_at = now
            self._screen.notify(text, markup=False)

    # -------------------------------------------------------------------------------------------------------- answers
    def action_digit(self, number: int) -> None:
        """Play the card of the hand with this digit, or answer a question; 0 turns the page."""
        model = self._model
        if number == 0:
            self._choices.turn_page()
            return
        if self._model.too_early(str(number)):
            return
        choice = model.keyed.of_digit(number)
        if choice is not None:
            self.choose(choice.at)
            return
        card = model.keyed.card_of(number)
        if card and not model.keyed.listed:
            model.select(model.now.hand().index(card))
            self._reasons.why_not(card)
        else:
            model.say(f"{number} stands for nothing here.")

    def choose(self, at: int) -> None:
        """Take an entry of the open menu, or pick a member of the set (put it back)."""
        model = self._model
        model.session.remark = ""
        if isinstance(model.here, Picker):
            if 0 <= at < len(model.here.labels):
                model.menus.toggle(model.here, at)
            model.redraw()
        elif 0 <= at < len(model.here.entries):
            entry = model.here.entries[at]
            if isinstance(entry.go, Menu | Picker) and entry.card in model.now.hand():
                model.select(model.now.hand().index(entry.card))  # the next question is about this card: it can be read
            self.send(model.menus.choose(model.now, entry))

    def choose_named(self, key: str) -> None:
        """Take the entry with this key, if the open menu still has it."""
        at = next((at for at, entry in enumerate(self._model.entries) if entry.key == key), -1)
        if at >= 0:
            self.choose(at)
        else:
            self._model.say(GONE)

    def choose_listed(self, at: int) -> None:
        """Take a choice of the list, by its place there."""
        found = self._choices.listed()
        if at < len(found) and not self._model.too_early(found[at].key):
            self.choose(found[at].at)

    def action_space(self) -> None:
        """Pass, go on, or skip the pause: nothing that spends a card."""
        model = self._model
        model.session.remark = ""
        entry = model.keyed.of_binding(SPACE)
        if self._model.too_early(SPACE):
            return
        if model.menus.nested or model.voting:
            self.put_off()
        elif entry is not None:
            self.send(model.menus.choose(model.now, entry))
        else:
            if bots_wait(model.now):
                model.session.read()
            self.skip_pause()
            if model.current.urgent and not any(key == SPACE for key, _ in model.current.keys):
                model.say(f"{model.names[SPACE]} does nothing here: the rows say which keys do.")
            model.redraw()

    def skip_pause(self) -> None:
        """Go on at once; a key held down asks no faster than the host listens."""
        now = asyncio.get_running_loop().time()
        if now - self._skipped_at >= SKIP_S:
            self._skipped_at = now
            self._model.session.client.set(skip=True)

    def action_enter(self) -> None:
        """Hand a set in, confirm, take the marked entry of a list, or use the selected card."""
        model = self._model
        if model.voting:
            self.put_off()
        elif self._model.too_early(ENTER):
            return
        elif isinstance(model.here, Picker):
            self._hand_in(model.here)
        elif (sent := next((entry for entry in model.here.entries if entry.on == ENTER), None)) is not None:
            self.send(model.menus.choose(model.now, sent))
        elif self._choices.in_list:
            self._choices.panel.action_select()
        elif model.large:
            model.say(f"Your hand is out of sight: first go back ({model.names['prompt.back']}).")
        elif not model.menus.nested:
            self._use(model.now.selected())

    def action_all(self) -> None:
        """Pick all members of a set, or put all back."""
        model = self._model
        if isinstance(model.here, Picker) and model.here.takes_all and not model.voting:
            model.session.remark = ""
            model.menus.toggle_all(model.here)
            model.redraw()
        elif isinstance(model.here, Picker):
            model.say("Not all can be chosen here.")
        else:
            model.say("There is nothing to choose all of.")

    def action_maximise(self) -> None:
        """Offer one Treasure more; elsewhere give the open detail more room."""
        if not self._edit("table.max"):
            self._larger()

    def action_less(self) -> None:
        """Offer one Treasure less."""
        if not self._edit("prompt.less"):
            self._model.say("This key takes a Treasure off an offer that you are writing.")

    def _edit(self, key: str) -> bool:
        """Change the offer that is being written as a key says; return whether there is one. key: the id of its
        binding."""
        model = self._model
        if model.menus.draft is None or model.menus.path or model.voting:
            return False
        entry = next((entry for entry in model.entries if entry.on == key), None)
        if entry is not None:
            model.session.remark = ""
            self.send(model.menus.choose(model.now, entry))
        else:
            model.say("There are no more Treasures to offer." if key == "table.max" else "No Treasure is offered.")
        return True

    def _hand_in(self, picker: Picker) -> None:
        """Hand in what is picked, if it is enough."""
        model = self._model
        model.session.remark = ""
        if model.menus.ready(picker):
            self.send(model.menus.confirm(picker))
        else:
            uneven = picker.ready(model.menus.picked)
            model.say("The shares must be as even as possible." if uneven else "Not enough is chosen yet.")

    def _use(self, card: int) -> None:
        """Do with a card of the hand what its digit does; say why it cannot be used."""
        model = self._model
        entry = next((entry for entry in model.entries if entry.card == card and not entry.on), None)
        if entry is not None:
            model.session.remark = ""
            self.send(model.menus.choose(model.now, entry))
        elif card:
            self._reasons.why_not(card)

    def action_back(self) -> None:
        """Go one step back: out of talking, choosing, reading, waiting."""
        model = self._model
        session = model.session
        if self._talk.open:
            self._talk.close()
            return
        if session.waiting_act:
            session.client.set(withdraw=True)
            session.waiting_act = 0
        elif model.voting or self._reads_last() or not model.menus.back(model.now):
            model.stop_reading()
        session.remark = ""
        model.redraw()

    def _reads_last(self) -> bool:
        """Return whether the open detail was opened after the open menu."""
        reading = self._model.reading
        return bool(reading.kind) and not reading.of and reading.over == self._model.menus.visit

    # ---------------------------------------------------------------------------------------------------- the window
    def action_hold(self) -> None:
        """Hold the table for a moment."""
        model = self._model
        window = model.now.view.window
        if window is not None and window.holder == model.now.me >= 0:
            model.say(f"You hold the table already; it goes on with {model.names['prompt.pass']}.")
        elif window is not None and not self._model.too_early(HOLD):
            self.send(a.Hold(window.id))

    def action_autopass(self) -> None:
        """Let the host pass for this seat until the fight changes; again: stop."""
        if self._model.too_early("prompt.autopass"):
            return
        client = self._model.session.client
        client.set(auto=not client.auto)
        self._model.redraw()
