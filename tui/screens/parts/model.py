"""What a table shows at this moment, and the player's place in it: menus, keys, cursor, what is being read."""

import asyncio
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from tui.menus.entries import Entry, Menu, Picker
from tui.menus.keyed import Keys
from tui.menus.menu_state import MenuState
from tui.menus.prompts import NOTHING, Prompt, prompt_for, question_now
from tui.render.details import Detail
from tui.scene.motion import Motion
from tui.scene.scene import FIRST_CARD, LogLine, Scene
from tui.scene.table_session import TableSession

CHANGED = "This key has just changed: press it again."
NEW = "This question has just come: press the key again."
GONE = "That is no longer possible: the situation has changed."


class TableModel:
    """What a table shows. Its parts read and change it, and call `redraw`."""

    def __init__(self, session: TableSession, redraw: Callable[[], None], clock: Callable[[], float]) -> None:
        """redraw: draws what has changed. clock: a monotonic time in seconds, for what moves."""
        self.session, self.redraw = session, redraw
        self.menus = MenuState()
        self.keyed = Keys()
        self.names: Mapping[str, str] = MappingProxyType({})
        """How the key of each binding is written."""
        self.motion = Motion(clock)
        self.came_at = math.inf
        """When the key that is being handled came (s of the loop). A key typed ahead came before what is shown now."""
        self.coach_asks: Callable[[], str] = lambda: ""
        """Identifies what the coach waits for a key for; empty if it waits for none."""
        self.now: Scene
        self.here: Menu | Picker = Menu("", ())
        """The open menu or set."""
        self.current: Prompt = NOTHING
        self.cursor = 0
        self.selected = 0
        """The card under the cursor, which the cursor follows; 0: none."""
        self.in_hand = False
        """Whether the player has moved in the hand since the question came: the read key reads the selected card, and
        ENTER uses it although a list is open."""
        self.reading = Detail()
        self.coached = False
        """Whether the pass key makes a coach go on, and passes nothing."""
        self.large = False
        """Whether what is being read has all room."""
        self.missed: tuple[LogLine, ...] = ()
        """What the player has to see, and the stage could not show because it is out of sight."""
        self.hinted = ""
        """The hint that was given last."""
        self.denied = ("", "")
        """The binding of the verb that was refused last, and the sentence that refused it."""
        self._seen: frozenset[int] | None = None
        """The cards that were in hand at the last key; None: there was none yet."""
        self._levels: dict[int, int] = {}
        """The Levels of the seats at the last key; empty: there was none yet."""
        self._games = 0
        """How many games had begun at this table."""

    def begin(self, names: Mapping[str, str], pause_s: float) -> None:
        """Take in what is shown first. pause_s: how long (s) keys do not answer a new question."""
        self.names = self.session.key_names = names
        self.keyed.set_pause(pause_s)
        self.now = self.session.scene()
        self.here, _ = self.menus.here(self.now)

    def follow(self, now: float, moves: bool, in_sight: bool = True) -> None:
        """Take in what has changed. now: the time of the loop (s). moves: whether something may move. in_sight: whether
        nothing lies over the table."""
        scene = self.session.scene(self.cursor)
        self.keyed.arrange(scene, now)
        scene = replace(scene, order=self.keyed.order)
        self.keep_cursor(scene)
        scene = replace(scene, cursor=self.cursor)
        self.here, gone = self.menus.here(scene)
        if gone:
            self.session.remark = GONE
        sees = in_sight and (not self.menus.nested or self.menus.automatic or self.voting_in(scene))
        self.keyed.update(scene, self.menus, self.here, now, (self.coach_asks() or question_now(scene)) if sees else "")
        dead = frozenset(card for card, key in self.keyed.hand.items() if self.keyed.dead(key, now))
        another, self._games = self._games != self.session.games, self.session.games
        self.motion.follow(scene.view, moves and not another)
        hand = frozenset(scene.hand())
        self._seen = hand if self._seen is None or another or scene.view.top == "setup" else self._seen
        self._levels = levels_of(scene) if another else self._levels or levels_of(scene)
        self.now = scene = replace(
            scene, keys=self.keyed.hand, dead_keys=dead, moving=self.motion.moving(), fresh=hand - self._seen,
            climbed={seat: by for seat, level in levels_of(scene).items()
                     if (by := level - self._levels.get(seat, level))},
        )  # fmt: skip
        if self.reading.of and (not self.menus.nested or self.menus.visit != self.reading.over):
            self.stop_reading()
        before, self.current = self.current, prompt_for(scene, self.menus, self.here)
        if before.ident != self.current.ident:
            self.in_hand = False

    def question(self, scene: Scene) -> Prompt:
        """Return what the player is asked in this scene, which need not be the one that is shown."""
        return prompt_for(scene, self.menus, self.menus.here(scene)[0])

    @property
    def voting(self) -> bool:
        """Whether an undo vote is open and must be answered first."""
        return self.voting_in(self.now)

    def voting_in(self, scene: Scene) -> bool:
        """Return whether an undo vote is open in a scene and must be answered first."""
        return scene.info.vote is not None and not self.menus.before_votes

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of the open menu; none for a set."""
        return self.here.entries if isinstance(self.here, Menu) else ()

    @property
    def cards(self) -> list[int]:
        """The card that each entry (or member of a set) is about, 0 where it is about none."""
        if isinstance(self.here, Picker):
            return [ident if ident >= FIRST_CARD else 0 for ident in self.here.pick.among]
        return [entry.card for entry in self.here.entries]

    def too_early(self, key: str) -> bool:
        """Return whether a key that answers has come too early: its question or its meaning is new, or it is held down.
        If so, tell the player that it does nothing. key: a digit, or the id of a binding."""
        at = min(self.came_at, asyncio.get_running_loop().time())
        early = not self.keyed.press(key, at)
        if early:
            self.say(NEW if self.keyed.is_new(at) else CHANGED)
        return early

    # -------------------------------------------------------------------------------------------------------- changes
    def see_news(self) -> bool:
        """Mark no card of the hand as new any more, and no Level: a key has been pressed. Return whether one was."""
        self._seen, self._levels = frozenset(self.now.hand()), levels_of(self.now)
        return bool(self.now.fresh or self.now.climbed)

    def say(self, text: str) -> None:
        """Show a remark in the prompt until the next key."""
        self.session.remark = text
        self.redraw()

    def read(self, detail: Detail) -> None:
        """Open a detail, or close it if it is already open."""
        same = (detail.kind, detail.arg) == (self.reading.kind, self.reading.arg)
        over = self.menus.visit if self.menus.nested else -1
        of = self.reading.of and detail.kind == self.reading.kind
        self.reading = Detail() if same else replace(detail, over=over, of=of)
        self.session.remark = ""
        self.redraw()

    def stop_reading(self) -> None:
        """Close what is being read."""
        self.reading, self.large = Detail(), False

    def select(self, at: int) -> None:
        """Put the cursor on a card of the hand."""
        self.cursor, self.selected = at, self.now.hand()[at]
        self.redraw()

    def keep_cursor(self, scene: Scene) -> None:
        """Keep the cursor on its card when others come and go."""
        cards = scene.hand()
        if self.selected in cards:
            self.cursor = cards.index(self.selected)
        else:
            self.cursor = max(0, min(self.cursor, len(cards) - 1))
            self.selected = cards[self.cursor] if cards else 0


def levels_of(scene: Scene) -> dict[int, int]:
    """Return the Level of each seat."""
    return {seat.seat: seat.level for seat in scene.view.seats}
