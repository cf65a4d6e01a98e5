"""Requests by keys of the table that are not part of the game: an undo, the speed of bots, what the owner may do,
leaving."""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, cast

from textual.screen import Screen

from netcode.protocol.wire import Speed
from tui.config.settings import WAITS, Settings, SettingsError, save
from tui.menus.commands import ask_host, keeps_place
from tui.menus.entries import Command, Leave, ShowStrings
from tui.menus.owner_menus import ONLY_THE_OWNER_DECIDES, door_menu, knock_menu, mute_menu, owner_menu, player_menu
from tui.menus.side_menus import leaving, quit_menu, undo_menu
from tui.screens.parts.model import TableModel

STEP_S = 0.3
"""The least time between two steps back."""
SPEEDS: tuple[Speed, ...] = ("slow", "normal", "fast")


class SettingsApp(Protocol):
    """What these requests need of the app."""

    settings: Settings


class Requests:
    """Makes requests to the host that are not actions of the game."""

    def __init__(self, model: TableModel, screen: Screen[Any], leave: Callable[[str], None]) -> None:
        """leave: leaves the table with this result: left, or gone if the seat is given up."""
        self._model, self._screen, self._leave = model, screen, leave
        self.stepped_at = -60.0
        self._speed: Speed = "normal"

    def run(self, command: Command) -> None:
        """Run a menu entry that is not an action of the game."""
        if not keeps_place(command):
            self._model.menus.reset()
        session = self._model.session
        if ask_host(session, command):
            return
        if isinstance(command, Leave):
            self._leave(command.how)
        elif isinstance(command, ShowStrings):
            from tui.screens.invitation import InvitationScreen  # only when it is opened

            self._screen.app.push_screen(InvitationScreen(session.strings, session.glyphs, session.words))

    # -------------------------------------------------------------------------------------------------- after a game
    def action_again(self) -> None:
        """Be ready for another game."""
        if self._model.too_early("table.again"):
            return
        self._model.session.client.set(ready=True)
        if self._model.now.view.winners:
            self._model.say("You are ready for another game; waiting for the others.")
        else:
            self._model.say("There is nothing to be ready for now.")

    def action_open_hands(self) -> None:
        """Agree to reveal the hands of the finished game."""
        if not self._model.now.view.winners:
            self._model.say("Hands can be revealed when the game is over, if all agree.")
        elif self._model.now.me >= 0:
            self._model.session.client.set(open=True)

    # -------------------------------------------------------------------------------------------------- leaving, owner
    def action_quit_table(self) -> None:
        """Ask before leaving, unless the game is over."""
        model = self._model
        model.session.remark = ""
        leave = leaving(model.now)
        if leave is not None:
            self.run(leave)
            return
        model.menus.enter(quit_menu(model.now.solo, watching=model.now.me < 0), before_votes=True)
        model.redraw()

    def action_owner(self) -> None:
        """Open the owner's menu, or for other players the menu of what anybody may do about a long wait."""
        model = self._model
        scene = model.now
        mine = scene.me >= 0 and scene.me == scene.info.owner
        if not mine and (scene.me < 0 or not player_menu(scene).entries):
            model.say("Only the owner of the table can do that: pause, pace, seats, admission.")
            return
        model.menus.enter_made(owner_menu if mine else player_menu)
        model.redraw()

    def action_door(self) -> None:
        """Open the menu of who comes in: strings, knocks, admission."""
        model = self._model
        decides = 0 <= model.now.me == model.now.info.owner
        if not decides and not model.now.knocks:
            model.say(ONLY_THE_OWNER_DECIDES)
            return
        model.menus.enter_made(door_menu if decides else knock_menu)
        model.redraw()

    def action_mute(self) -> None:
        """Choose whose talk is not shown here."""
        if mute_menu(self._model.now).entries:
            self._model.menus.enter_made(mute_menu)
            self._model.redraw()
        else:
            self._model.say("There is nobody else here who could talk.")

    # ---------------------------------------------------------------------------------------------------- undo, bots
    def action_step_back(self) -> None:
        """Take the last choice back; at a table of people, ask them to undo the last action."""
        model = self._model
        scene = model.now
        if model.too_early("table.back"):
            return
        if scene.me >= 0 and scene.info.solo:
            self._take_back()
        elif scene.me < 0 or scene.view.winners:
            model.say("Only players can ask to undo an action, while the game runs.")
        elif scene.undo is None:
            model.session.client.back()  # the host decides, and says why if it refuses
        elif not model.voting:
            model.session.remark = ""
            model.menus.enter(undo_menu(scene))
            model.redraw()

    def _take_back(self) -> None:
        """Go back to before the last choice. A key held down goes back no faster than one can read."""
        now = asyncio.get_running_loop().time()
        if now - self.stepped_at >= STEP_S:
            self.stepped_at = now
            self._model.menus.reset()
            self._model.session.client.back()
            self._model.redraw()

    def action_speed(self) -> None:
        """Change how long the actions of bots are shown."""
        self._speed = SPEEDS[(SPEEDS.index(self._speed) + 1) % len(SPEEDS)]
        self._model.session.client.set(speed=self._speed)
        self._model.say(f"Bots play {self._speed} now ({self._model.names['table.speed']}: next speed).")

    def action_waits(self) -> None:
        """Change after which acts bots wait for a key, and remember it."""
        names, settings = tuple(WAITS), cast("SettingsApp", self._screen.app).settings
        settings.waits = names[(names.index(settings.waits) + 1) % len(names)]
        self._model.session.client.set(waits=settings.waits_on_wire)
        try:
            save(settings)
        except SettingsError as problem:
            self._model.say(f"{problem}.")
            return
        alone = "" if self._model.now.info.solo else " Only while you are alone with bots."
        self._model.say(f"{WAITS[settings.waits]} (W: next).{alone}")
