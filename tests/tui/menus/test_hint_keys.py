"""The keys that hints name, pressed one after the other in whole games, do what the hints advise."""

from collections.abc import Iterator
from itertools import count

import pytest
from msgspec.structs import replace

from core.state import actions as a
from core.state.actions import Action
from core.state.views import View
from netcode.protocol.wire import SeatInfo, TableInfo
from tests.tui import bot_games, samples
from tui.config.keymap import TABLE, USUAL_NAMES
from tui.lessons.adviser import Adviser
from tui.menus.entries import Command, Picker
from tui.menus.hint_keys import HintKeys
from tui.menus.keyed import ENTER, Keys
from tui.menus.menu_state import MenuState
from tui.menus.paths import LATER
from tui.scene.scene import Scene

IDS = {USUAL_NAMES[key.id]: key.id for key in TABLE}
INFO = TableInfo("", [SeatInfo(name, "here") for name in ("Ada", "Bo", "Cid")], "playing")
NOT_IN_MENUS = (a.Hold,)
STEPS = 30


class Player:
    """A player who presses the keys that hints name, at one view."""

    def __init__(self, view: View, seat: int) -> None:
        self.scene = Scene(samples.catalog(), INFO, view, seat)
        self.menus, self.keyed, self.times = MenuState(), Keys(), count(1)
        self.sent: Action | Command | None = None
        self.look()

    def look(self) -> None:
        now = float(next(self.times))
        self.keyed.arrange(self.scene, now)
        self.here, _ = self.menus.here(self.scene)
        self.keyed.update(self.scene, self.menus, self.here, now)

    def press(self, key: str) -> None:
        """Press a key, as the table's screen takes it."""
        if key == "0":
            self.menus.turn(1, self.keyed.slot_pages)
        elif key == "ESC":
            self.menus.back(self.scene)
        elif key.isdigit():
            choice = self.keyed.of_digit(int(key))
            assert choice is not None, f"{key} does nothing here"
            self.take(choice.at)
        elif IDS[key] == ENTER and isinstance(self.here, Picker):
            self.sent = self.menus.confirm(self.here)
        elif IDS[key] == "prompt.all" and isinstance(self.here, Picker):
            self.menus.toggle_all(self.here)
        else:
            entry = self.keyed.of_binding(IDS[key])
            assert entry is not None, f"{key} does nothing here"
            if IDS[key].startswith("table.") and not entry.editing:
                self.menus.reset()
            self.sent = self.menus.choose(self.scene, entry)
        self.look()

    def take(self, at: int) -> None:
        if isinstance(self.here, Picker):
            self.menus.toggle(self.here, at)
        else:
            self.sent = self.menus.choose(self.scene, self.here.entries[at])

    def follow(self, action: Action) -> list[str]:
        """Press the named keys until something is sent; return these keys."""
        said: list[str] = []
        while self.sent is None and len(said) < STEPS:
            words = HintKeys(self.scene, self.menus, self.here, self.keyed, USUAL_NAMES).words(action)
            said.append(words.strip())
            if words:
                for key in words.removeprefix(" Key: ").removesuffix(".").partition(", until")[0].split(", then "):
                    if not key.startswith("choose "):
                        self.press(key)
            else:
                break
        return said


def decisions(seed: int, every: int) -> Iterator[tuple[View, int, Action]]:
    """Yield the actions of a good player in a game of bots."""
    adviser = Adviser(samples.catalog())
    for seat, view in bot_games.views(seed, seats=3, every=every):
        if seat >= 0 and view.you is not None and view.you.legal:
            action = adviser.advice(view).action
            if action is not None and not isinstance(action, NOT_IN_MENUS):
                yield view, seat, action


def plain(action: object) -> object:
    """Return an action without the fields that are filled in when it is sent."""
    names = getattr(action, "__struct_fields__", ())
    later = {name: None if name == "anyway" else -1 for name in LATER if name in names}
    return replace(action, **later) if later else action  # type: ignore[type-var]


@pytest.mark.parametrize("seed", [3, 11])
def test_the_keys_that_hints_name_do_what_they_advise(seed: int) -> None:
    reached = 0
    for view, seat, action in decisions(seed, every=5):
        player = Player(view, seat)
        said = player.follow(action)
        if player.sent is None and said[-1] == "":
            continue  # a card of the hand while the digits are answers: it has no key
        assert plain(player.sent) == plain(action), (said, player.sent, action)
        reached += 1
    assert reached > 50
