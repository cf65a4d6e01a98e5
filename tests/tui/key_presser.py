"""A player who presses the keys that hints name, without a screen: the menus and keys of the table at one view."""

from itertools import count

from core.state.actions import Action
from tui.config.keymap import TABLE, USUAL_NAMES
from tui.menus.entries import Command, Picker
from tui.menus.hint_keys import HintKeys
from tui.menus.keyed import ENTER, Keys
from tui.menus.menu_state import MenuState
from tui.scene.scene import Scene

IDS = {USUAL_NAMES[key.id]: key.id for key in TABLE}
STEPS = 30


class KeyPresser:
    """A player who presses the keys that hints name, at one view."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.pressed = scene, 0
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
        self.pressed += 1
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
