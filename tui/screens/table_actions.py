"""What the keys of the table do: the `action_...` methods of keymap.TABLE that act or open menus."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from textual import events

from core.state import actions as a
from core.state.actions import Action
from tui.config.keymap import TABLE, keys_now
from tui.menus.entries import (
    Command,
    Entry,
    Menu,
    Picker,
)
from tui.menus.keyed import ENTER, HOLD, SPACE
from tui.menus.offer_editor import Draft, help_draft
from tui.render.details import Detail
from tui.scene.trial import trial_of
from tui.screens.table_beside import TableBeside
from tui.widgets.bound import own_keys

SKIP_S = 0.25
"""The least time between two skipped pauses: the host takes five requests a second."""
CHANGED = "This key has just changed: press it again."
TOLD_S = 3.0
"""The least time between two toasts about keys."""
WAKE_S = 1.0
"""The least time between two attempts to take the seat back."""


class TableActions(TableBeside):
    """The actions of the keys; table.TableScreen has the panes."""

    skipped_at: float = 0.0
    woken_at: float = -60.0
    told_at: float = -60.0

    # -------------------------------------------------------------------------------------------------------- helpers
    def dead(self, key: str) -> bool:
        """Whether the meaning of a key has just changed. key: a digit, or the id of a binding."""
        return self.keyed.dead(key, asyncio.get_running_loop().time())

    def on_key(self, event: events.Key) -> None:
        """Take a remark away, and the seat back from a bot, with any key, which then does nothing else."""
        self.spend_remark()
        leaves = event.key in keys_now(own_keys(self.app))["app.quit"] or self.menus.before_votes
        if not self.now.away or leaves or self.has_class("talking"):
            return
        event.stop()
        now = asyncio.get_running_loop().time()
        if now - self.woken_at >= WAKE_S:
            self.woken_at = now
            self.session.client.set()

    def has_changed(self, key: str) -> bool:
        """Whether the meaning of a key has just changed; say so, for it does nothing then."""
        if self.dead(key):
            self.say(CHANGED)
            return True
        return False

    def send(self, action: Action | Command | None) -> None:
        """Send an action to the host, or run a command of the screen."""
        if isinstance(action, Command):
            self.run_command(action)
        elif action is not None:
            self.session.act(action)
        self.redraw()

    def commands(self) -> Iterable[tuple[str, str, Callable[[], Any]]]:
        """Yield the commands of the palette: the entries of the open menu, then every key."""
        for at, entry in enumerate(here_entries(self.here)):
            yield entry.label, "at the table, now", partial(self.choose_entry, at)
        for key in TABLE:
            if key.show and not key.action.startswith("app."):
                yield key.words, f"key {self.names[key.id]}", partial(self.run_action, key.action)

    def put_off(self) -> None:
        """Say what has to be answered before this key does anything."""
        enter, back = self.names[ENTER], self.names["prompt.back"]
        if self.voting:
            ways = [f"{one.key}: {one.words}" for one in self.keyed.choices if one.key.isdigit()]
            self._tell(f"First the undo. {', '.join(ways)}." if ways else "First the others say whether to undo.")
        elif isinstance(self.here, Picker) and self.menus.picked:
            self.say(f"First hand in what is picked ({enter}), or go back ({back}).")
        elif isinstance(self.here, Menu) and self.here.grave:
            self.say(f"First answer this: {enter} does it, {back} goes back.")
        else:
            self.say(f"First choose here, or go back ({back}).")

    def _tell(self, text: str) -> None:
        """Show a toast; a key held down shows one, not a pile."""
        now = asyncio.get_running_loop().time()
        if now - self.told_at >= TOLD_S:
            self.told_at = now
            self.notify(text, markup=False)

    # -------------------------------------------------------------------------------------------------------- answers
    def action_digit(self, number: int) -> None:
        """Play the card of the hand with this digit, or answer a question; 0 turns the page."""
        if number == 0:
            self.turn_page()
            return
        if self.has_changed(str(number)):
            return
        choice = self.keyed.of_digit(number)
        if choice is not None:
            self.choose_entry(choice.at)
            return
        card = self.keyed.card_of(number)
        if card and not self.keyed.listed:
            self.select(self.now.hand().index(card))
            self.why_not(card)

    def choose_entry(self, at: int) -> None:
        """Take an entry of the open menu, or pick a member of the set (put it back)."""
        self.session.remark = ""
        if isinstance(self.here, Picker):
            if 0 <= at < len(self.here.labels):
                self.menus.toggle(self.here, at)
            self.redraw()
        elif 0 <= at < len(self.here.entries):
            entry = self.here.entries[at]
            if isinstance(entry.go, Menu | Picker) and entry.card in self.now.hand():
                self.select(self.now.hand().index(entry.card))  # what is asked next is about it: it can be read
            self.send(self.menus.choose(self.now, entry))

    def action_space(self) -> None:
        """Pass, go on, skip the pause: never anything that spends."""
        self.session.remark = ""
        entry = self.keyed.of_binding(SPACE)
        if self.has_changed(SPACE):
            return
        if self.menus.nested or self.voting:
            self.put_off()
        elif entry is not None:
            self.send(self.menus.choose(self.now, entry))
        else:
            self.skip_pause()
            self.redraw()

    def skip_pause(self) -> None:
        """Go on at once; a key held down asks no faster than the host listens."""
        now = asyncio.get_running_loop().time()
        if now - self.skipped_at >= SKIP_S:
            self.skipped_at = now
            self.session.client.set(skip=True)

    def action_enter(self) -> None:
        """Hand a set in, confirm, take the marked entry of a list, or use the selected card."""
        if self.voting:
            self.put_off()
            return
        if self.has_changed(ENTER):
            return
        if isinstance(self.here, Picker):
            self.session.remark = ""
            if self.here.ready(self.menus.picked):
                self.send(self.menus.confirm(self.here))
            else:
                self.say("Not enough is chosen yet.")
            return
        sent = next((entry for entry in self.here.entries if entry.on == ENTER), None)
        if sent is not None:
            self.send(self.menus.choose(self.now, sent))
        elif self.listing and not self.in_hand:
            self.choice_list.action_select()
        elif self.has_class("max"):
            self.say(f"Your hand is out of sight: first go back ({self.names['prompt.back']}).")
        elif not self.menus.nested:
            self._use(self.now.selected())

    def _use(self, card: int) -> None:
        """Do with a card of the hand what its digit does; say why it cannot be used."""
        entry = next((entry for entry in here_entries(self.here) if entry.card == card and not entry.on), None)
        if entry is not None:
            self.session.remark = ""
            self.send(self.menus.choose(self.now, entry))
        elif card:
            self.why_not(card)

    def action_back(self) -> None:
        """Go one step back: out of talking, choosing, reading, waiting."""
        if self.has_class("talking"):
            self.close_talk()
            return
        if self.session.waiting_act:
            self.session.client.set(withdraw=True)
            self.session.waiting_act = 0
        elif self.voting or self._reads_last() or not self.menus.back(self.now):
            self.stop_reading()
        self.session.remark = ""
        self.redraw()

    def _reads_last(self) -> bool:
        """Whether what is being read was opened after the menu that is open."""
        return bool(self.reading.kind) and not self.reading.of and self.reading.over == self.menus.visit

    # ---------------------------------------------------------------------------------------------------- the window
    def action_hold(self) -> None:
        """Hold the table for a moment."""
        window = self.now.view.window
        if window is not None and window.holder == self.now.me >= 0:
            self.say(f"You hold the table already; it goes on with {self.names['prompt.pass']}.")
        elif window is not None and not self.has_changed(HOLD):
            self.send(a.Hold(window.id))

    def action_autopass(self) -> None:
        """Let the host pass for this seat until the fight changes; again: stop."""
        self.session.client.set(auto=not self.session.client.auto)
        self.redraw()

    # ---------------------------------------------------------------------------------------------------------- verbs
    def action_verb(self, name: str) -> None:
        """Do what a letter stands for, whatever menu is open; if it cannot be done now, say why not. A vote, a set with
        something picked and a question that asks once more are answered first."""
        first = self.here.grave if isinstance(self.here, Menu) else bool(self.menus.picked)
        if self.voting or self.menus.before_votes or first:
            self.put_off()
            return
        if self.has_changed(f"table.{name}"):
            return
        entry = next((entry for entry in self.keyed.verbs.entries if entry.on == f"table.{name}"), None)
        self.session.remark = ""
        if entry is None:
            self._explain(name)
            return
        self.menus.reset()
        action = self.menus.choose(self.now, entry)
        if name == "gear":
            self.reading = Detail("seat", self.now.me, over=self.menus.visit, of=True)
        self.send(action)

    def _explain(self, name: str) -> None:
        """Say why a verb is not possible now."""
        scene = self.now
        if name == "again":
            self.action_again()
        elif name == "gear":
            self.read(Detail("seat", max(0, scene.me)))
        elif scene.me < 0:
            self.say("You are spectating: only players can do that.")
        elif name == "deal":
            self._explain_deal()
        elif name == "use":
            self.say("You have no ability in play that can be used now.")
        else:
            monster = next((card for card in scene.hand() if scene.card(card).kind == "monster"), 0)
            words, action = _VERBS[name]
            if name == "trouble" and monster:
                action = trial_of(scene, monster) or action
            self.ask_why(action, words)

    def _explain_deal(self) -> None:
        """Say why there is nothing to deal with now."""
        scene = self.now
        draft = help_draft(scene)
        partner = next((seat.seat for seat in scene.view.seats if seat.seat != scene.me and not seat.dead), -1)
        if draft is not None:
            self.ask_why(draft.action(), "Help cannot be offered now")
        elif partner < 0:
            self.say("There is nobody to trade with.")
        else:
            self.ask_why(Draft("trade", partner).action(), "No trade now: Items change hands only outside fights")


_VERBS: dict[str, tuple[str, Action]] = {
    "kick": ("The door cannot be opened now", a.Kick()),
    "claim": ("There is no kill to claim now", a.Claim()),
    "run": ("There is nothing to run from now", a.Flee()),
    "trouble": ("You cannot look for trouble now", a.Trouble(0)),
    "loot": ("There is nothing to pick up now", a.Loot()),
    "end": ("Your turn cannot end now", a.EndTurn()),
    "sell": ("Nothing can be sold now", a.Sell(())),
}
"""Verbs that need no card: what is said if they are not possible, and the action that the host is asked about."""


def here_entries(here: Menu | Picker) -> tuple[Entry, ...]:
    """The entries of a menu; none for a set."""
    return here.entries if isinstance(here, Menu) else ()
