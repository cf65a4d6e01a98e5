"""What the keys of the table do beside the game: talk, undo, the speed of bots, what its owner may do, leaving."""

import asyncio
from typing import Protocol, cast

from textual.widgets import Input

from netcode.protocol.wire import Speed, Waits
from tui.config.settings import WAITS, Settings, SettingsError, save
from tui.menus.entries import Command, Leave, MuteTalk, OwnerRequest, ShowStrings, UndoVote
from tui.menus.hint import AgreeToHints
from tui.menus.owner_menus import door_menu, mute_menu, owner_menu, player_menu
from tui.menus.side_menus import quit_menu, undo_menu
from tui.screens.table_hints import TableHints

STEP_S = 0.3
"""The least time between two steps back."""
SPEEDS: tuple[Speed, ...] = ("slow", "normal", "fast")


class SettingsApp(Protocol):
    """What these actions need of the app."""

    settings: Settings

    def repaint(self) -> None:
        """Draw everything again, whatever stands on the terminal."""


class TableBeside(TableHints):
    """The actions that are no actions of the game, and its commands: what goes to the host beside it."""

    stepped_at: float = -60.0
    speed: Speed = "normal"

    @property
    def voting(self) -> bool:
        """Whether an undo vote is open and comes first."""
        return self.now.info.vote is not None and not self.menus.before_votes

    def run_command(self, command: Command) -> None:
        """Run a menu entry that is not an action of the game."""
        if not isinstance(command, UndoVote) or command.vote == 0:
            self.menus.reset()  # an answer to a vote keeps the player's place
        if isinstance(command, Leave):
            self.leave("gone" if command.give_up else "left")
        elif isinstance(command, OwnerRequest):
            asked = command
            self.session.client.admin(asked.what, asked.seat, asked.value, number=asked.number, pause_s=asked.pause_s)
        elif isinstance(command, ShowStrings):
            from tui.screens.invitation import InvitationScreen

            self.app.push_screen(InvitationScreen(self.session.strings, self.session.glyphs))
        elif isinstance(command, MuteTalk):
            self.session.mute(command.seat)
        elif isinstance(command, AgreeToHints):
            self.session.client.set(hints=command.yes)
        elif isinstance(command, UndoVote):
            self.session.client.back(command.vote, command.yes)

    # -------------------------------------------------------------------------------------------------- after a game
    def action_again(self) -> None:
        """Be ready for another game."""
        self.session.client.set(ready=True)
        if self.now.view.winners:
            self.say("You are ready for another game; waiting for the others.")
        else:
            self.say("There is nothing to be ready for now.")

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
        if not self.query("#talk-line"):
            words = f"say something, ENTER sends, {self.names['prompt.back']} leaves"
            line = Input(id="talk-line", placeholder=words, compact=True, max_length=300)
            line.cursor_blink = False
            self.query_one("#last").mount(line)
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
        self.say(f"Bots play {self.speed} now ({self.names['table.speed']}: next speed).")

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
        elif self.now.undo is None:
            self.session.client.back()  # the host has the last word, and says why not
        elif not self.voting:
            self.session.remark = ""
            self.menus.enter(undo_menu(self.now))
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
        """Redraw the whole screen: another program may have written on the terminal."""
        cast("SettingsApp", self.app).repaint()
