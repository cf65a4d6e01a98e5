"""What the keys of the table do: the `action_...` methods of keymap.TABLE that act or open menus."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol, cast

from textual import events
from textual.widgets import Input

from core.state import actions as a
from core.state.actions import Action
from core.view import You
from netcode.protocol.wire import Speed, Waits
from tui.config.keymap import TABLE
from tui.config.settings import WAITS, Settings, SettingsError, save
from tui.menus.choices import (
    Command,
    Entry,
    Leave,
    Menu,
    MuteTalk,
    OwnerRequest,
    Picker,
    ShowStrings,
    UndoVote,
)
from tui.menus.offer_editor import Draft, can_offer, concerns, counter, help_draft
from tui.menus.owner_menus import door_menu, mute_menu, owner_menu, player_menu
from tui.menus.side_menus import UNDO, quit_menu
from tui.render.details import Detail
from tui.screens.invitation import InvitationScreen
from tui.screens.table_details import TableDetails

DEAD_S = 0.25
"""For so long after a new question, answering keys are ignored: they were meant for the old one."""
SKIP_S = 0.25
"""The least time between two skipped pauses: the host takes five requests a second."""
STEP_S = 0.3
"""The least time between two steps back."""
WAKE_S = 1.0
"""The least time between two attempts to take the seat back."""
SPEEDS: tuple[Speed, ...] = ("slow", "normal", "fast")


class SettingsApp(Protocol):
    """What these actions need of the app."""

    settings: Settings


class TableActions(TableDetails):
    """The actions of the keys; table.TableScreen has the panes."""

    dead_until: float = 0.0
    skipped_at: float = 0.0
    woken_at: float = -60.0
    stepped_at: float = -60.0
    speed: Speed = "normal"

    # -------------------------------------------------------------------------------------------------------- helpers
    @property
    def dead(self) -> bool:
        """Whether an answer pressed now was meant for the previous question (never in menus opened by keys)."""
        if self.menus.nested and not self.voting and not self.menus.automatic:
            return False
        return asyncio.get_running_loop().time() < self.dead_until

    @property
    def voting(self) -> bool:
        """Whether an undo vote is open and comes first."""
        return self.now.info.vote is not None and not self.menus.before_votes

    def on_key(self, event: events.Key) -> None:
        """Take the seat back from a bot with any key, which does nothing else."""
        if not self.now.away or event.key == "ctrl+q" or self.menus.before_votes or self.has_class("talking"):
            return
        event.stop()
        now = asyncio.get_running_loop().time()
        if now - self.woken_at >= WAKE_S:
            self.woken_at = now
            self.session.client.set()

    def send(self, action: Action | Command | None) -> None:
        """Send an action to the host, or run a command of the screen."""
        if isinstance(action, Command):
            self.run_command(action)
        elif action is not None:
            self.session.act(action)
        self.redraw()

    def run_command(self, command: Command) -> None:
        """Run a menu entry that is not an action of the game."""
        if not isinstance(command, UndoVote) or command.vote == 0:
            self.menus.reset()  # an answer to a vote keeps the player's place
        if isinstance(command, Leave):
            self.dismiss("gone" if command.give_up else "left")
        elif isinstance(command, OwnerRequest):
            asked = command
            self.session.client.admin(asked.what, asked.seat, asked.value, number=asked.number, pause_s=asked.pause_s)
        elif isinstance(command, ShowStrings):
            self.app.push_screen(InvitationScreen(self.session.strings, self.session.glyphs))
        elif isinstance(command, MuteTalk):
            self.session.mute(command.seat)
        elif isinstance(command, UndoVote):
            self.session.client.back(command.vote, command.yes)

    def commands(self) -> Iterable[tuple[str, str, Callable[[], None]]]:
        """Yield the commands of the palette: the entries of the open menu, then every key."""
        for at, entry in enumerate(here_entries(self.here)):
            yield entry.label, "at the table, now", partial(self.choose_entry, at)
        for key in TABLE:
            if key.show and not key.action.startswith("app.") and "(" not in key.action:
                yield key.words, f"key {key.show}", getattr(self, f"action_{key.action}")

    # -------------------------------------------------------------------------------------------------------- answers
    def action_digit(self, number: int) -> None:
        """Answer the prompt with a digit; 0 turns the page."""
        if self.pick_card:
            self.read_entry(number)
            return
        if self.reading.kind == "seat" and not self.menus.nested and not self.here_is_asked():
            self.read(Detail("seat", min(number - 1, len(self.now.view.seats) - 1) if number else 0))
            return
        if self.dead:
            return
        if number == 0:
            self._turn_page()
        else:
            self.choose_entry(self.place(number))

    def here_is_asked(self) -> bool:
        """Whether something is wanted of this player."""
        return self.current.urgent

    def _turn_page(self) -> None:
        self.menus.page = (self.menus.page + 1) % max(1, len(self.pages()))
        self.redraw()

    def choose_entry(self, at: int) -> None:
        """Take an entry of the open menu, or pick a member of the set (put it back)."""
        if isinstance(self.here, Picker):
            if 0 <= at < len(self.here.labels):
                self.menus.toggle(self.here, at)
            self.redraw()
        elif 0 <= at < len(self.here.entries):
            self.session.remark = ""
            self.send(self.menus.choose(self.now, self.here.entries[at]))

    def action_space(self) -> None:
        """Pass, go on, skip the pause: never anything that spends."""
        you, view = self.now.you, self.now.view
        self.session.remark = ""
        if self.dead or self.menus.nested or self.voting:
            self.redraw()
        elif you is not None and view.window is not None and (not view.window.passed or _holds(you)):
            self.send(a.Pass(view.window.id))
        else:
            self._skip_pause()
            self.redraw()

    def _skip_pause(self) -> None:
        """Go on at once; a key held down asks no faster than the host listens."""
        now = asyncio.get_running_loop().time()
        if now - self.skipped_at >= SKIP_S:
            self.skipped_at = now
            self.session.client.set(skip=True)

    def action_enter(self) -> None:
        """Hand a set in, or open what can be done with the selected card."""
        if self.voting:
            return
        if isinstance(self.here, Picker):
            if self.dead:
                return
            if self.here.ready(self.menus.picked):
                self.send(self.menus.confirm(self.here))
            else:
                self.redraw()
            return
        if self.menus.draft is not None:
            draft = self.menus.draft
            self.menus.reset()
            self.send(draft.action())
            return
        card = self.now.selected()
        if not card or self.menus.nested:
            return
        self.menus.enter_card(card)
        here, gone = self.menus.here(self.now)
        if gone or not here_entries(here):
            self.menus.reset()
            self.why_not(card)
        self.redraw()

    def action_back(self) -> None:
        """Go one step back: out of talking, choosing, reading, waiting."""
        self.pick_card = False
        if self.has_class("talking"):
            self.close_talk()
            return
        if self.session.waiting_act:
            self.session.client.set(withdraw=True)
            self.session.waiting_act = 0
        self.session.remark = ""
        if not self.voting and not self.menus.back(self.now):
            self.reading = Detail()
            self.set_class(False, "max")
        self.redraw()

    # ---------------------------------------------------------------------------------------------------- the window
    def action_hold(self) -> None:
        """Hold the table for a moment."""
        window = self.now.view.window
        if window is not None and not self.dead:
            self.send(a.Hold(window.id))

    def action_autopass(self) -> None:
        """Let the host pass for this seat until the fight changes; again: stop."""
        self.session.client.set(auto=not self.session.client.auto)
        self.redraw()

    # ------------------------------------------------------------------------------------------------------- bargains
    def action_bargain(self) -> None:
        """Help: answer an offer, ask for help, offer it."""
        scene = self.now
        for deal in scene.view.offers:
            if deal.kind == "help" and concerns(scene, deal):
                label = f"{scene.label(deal.frm)} offers terms:"
                entries = (
                    Entry("accept", "accept", a.Accept(deal.no)),
                    Entry("counter", "other terms..", counter(scene, deal)),
                    Entry("decline", "decline", a.Decline(deal.no)),
                )
                self.menus.enter(Menu(label, entries if deal.to == scene.me else entries[:2]))
                self.reading = Detail("offers")
                self.redraw()
                return
        draft = help_draft(scene)
        if draft is None:
            self.say("There is nobody to help now: help is for a fight without a helper.")
        elif not can_offer(scene, "help"):
            self.ask_why(draft.action(), "Help cannot be offered now")
        else:
            self.menus.enter_draft(draft)
            self.redraw()

    def action_trade(self) -> None:
        """Trade Items with another seat."""
        scene = self.now
        partner = next((seat.seat for seat in scene.view.seats if seat.seat != scene.me and not seat.dead), -1)
        if scene.me < 0 or partner < 0:
            self.say("There is nobody to trade with.")
        elif not can_offer(scene, "trade"):
            self.ask_why(Draft("trade", partner).action(), "No trade now: Items change hands only outside fights")
        else:
            self.menus.enter_draft(Draft("trade", partner))
            self.redraw()

    def action_gear(self) -> None:
        """Open the menu of the player's gear; only show it if nothing can be changed."""
        self.menus.enter_gear()
        here, gone = self.menus.here(self.now)
        if gone or not here_entries(here):
            self.menus.reset()
        self.read(Detail("seat", max(0, self.now.me)))

    def action_end_turn(self) -> None:
        """End the turn, after asking."""
        you = self.now.you
        if you is None or not any(isinstance(option.action, a.EndTurn) for option in you.legal):
            self.ask_why(a.EndTurn(), "Your turn cannot end now")
            return
        self.menus.enter(Menu("End your turn?", (Entry("yes", "end the turn", a.EndTurn()),)))
        self.redraw()

    def action_again(self) -> None:
        """Be ready for another game."""
        self.session.client.set(ready=True)
        if self.now.view.winners:
            self.say("You are ready for another game; waiting for the others.")

    def action_open_hands(self) -> None:
        """Agree to reveal the hands of the finished game."""
        if not self.now.view.winners:
            self.say("Hands can be revealed when the game is over, if all agree.")
        elif self.now.me >= 0:
            self.session.client.set(open=True)

    # -------------------------------------------------------------------------------------------- talk, speed, leaving
    def action_talk(self) -> None:
        """Open the talk line."""
        self.set_class(True, "talking")
        self.query_one("#talk-line", Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Send the talk line and close it; without a connection it keeps the words."""
        if self.session.talk(event.value):
            self.close_talk()
        self.redraw()

    def close_talk(self) -> None:
        """Close the talk line."""
        line = self.query_one("#talk-line", Input)
        line.value = ""
        self.set_class(False, "talking")
        self.set_focus(None)

    def action_speed(self) -> None:
        """Change how long the actions of bots are shown."""
        self.speed = SPEEDS[(SPEEDS.index(self.speed) + 1) % len(SPEEDS)]
        self.session.client.set(speed=cast(Speed, self.speed))
        self.say(f"Bots play {self.speed} now (s: next speed).")

    def action_quit_table(self) -> None:
        """Ask before leaving."""
        self.session.remark = ""
        self.menus.enter(quit_menu(self.now.solo, bool(self.now.view.winners)), before_votes=True)
        self.redraw()

    def action_owner(self) -> None:
        """Open the owner's menu; for other players, the menu of what everybody may do against a long wait."""
        mine = self.now.me >= 0 and self.now.me == self.now.info.owner
        if not mine and (self.now.me < 0 or not player_menu(self.now).entries):
            self.say("Only the owner of the table can do that: pause, pace, seats, admission.")
            return
        self.menus.enter_made(owner_menu if mine else player_menu)
        self.redraw()

    def action_door(self) -> None:
        """Open the menu of who comes in: strings, knocks, admission."""
        if self.now.me < 0 or self.now.me != self.now.info.owner:
            self.say("Only the owner of the table decides who comes in.")
            return
        self.menus.enter_made(door_menu)
        self.redraw()

    def action_mute(self) -> None:
        """Choose whose talk is not shown here."""
        if mute_menu(self.now).entries:
            self.menus.enter_made(mute_menu)
            self.redraw()
        else:
            self.say("There is nobody else here who could talk.")

    def action_step_back(self) -> None:
        """Take the last choice back; at a table of people, ask them to undo the last action."""
        if self.now.me >= 0 and self.now.info.solo:
            self._take_back()
        elif self.now.me < 0 or self.now.view.winners:
            self.say("Only players can ask to undo an action, while the game runs.")
        elif not self.voting:
            self.session.remark = ""
            self.menus.enter(UNDO)
            self.redraw()

    def _take_back(self) -> None:
        """Go back to before the last choice; a key held down goes no faster than one can read."""
        now = asyncio.get_running_loop().time()
        if now - self.stepped_at >= STEP_S:
            self.stepped_at = now
            self.menus.reset()
            self.session.client.back()
            self.redraw()

    def action_waits(self) -> None:
        """Change after which acts bots wait for a key, and remember it."""
        names = tuple(WAITS)
        app = cast("SettingsApp", self.app)
        app.settings.waits = names[(names.index(app.settings.waits) + 1) % len(names)]
        self.session.client.set(waits=cast(Waits, app.settings.waits))
        try:
            save(app.settings)
        except SettingsError as problem:
            self.say(f"{problem}.")
            return
        alone = "" if self.now.info.solo else " Only while you are alone with bots."
        self.say(f"{WAITS[app.settings.waits]} (W: next).{alone}")

    def action_repaint(self) -> None:
        """Redraw the whole screen."""
        self.refresh(layout=True)



def _holds(you: You) -> bool:
    """Whether this seat holds the table."""
    return any(ask.kind == "hold" for ask in you.asks)


def here_entries(here: Menu | Picker) -> tuple[Entry, ...]:
    """The entries of a menu; none for a set."""
    return here.entries if isinstance(here, Menu) else ()
