"""The pace of bots: their visible actions come one at a time, far enough apart for a person to read."""

from collections import deque

from msgspec import Struct

from core.state.actions import Action
from netcode.protocol import wire
from netcode.table.session import Session

GAP_MS: dict[str, int] = {"slow": 1800, "normal": 900, "fast": 350}
READ_MS: dict[str, tuple[int, int]] = {"slow": (1600, 300), "normal": (800, 150), "fast": (320, 60)}
"""How long (ms) somebody reads what an act of a bot has done: the least, and the time for each word."""
MOST_WORDS = 30
"""Nobody is kept waiting for the words after these: the log has them."""


class Pending(Struct, frozen=True, eq=False):
    """An action that has arrived. n: its number. stamp: when the host read it (ns), which decides who was first."""

    session: Session
    n: int
    action: Action
    stamp: int


class BotPacer:
    """The actions of bots that wait for the bot pause to end. Times are ms of the match's clock. held: they wait for a
    key of the person who is alone with them (patience.py). until: when the pause ends, perhaps in the past."""

    def __init__(self, speed: wire.Speed) -> None:
        self.speed: wire.Speed = speed
        self.held = False
        self._waiting: deque[Pending] = deque()
        self.until = 0

    def must_wait(self, now: int) -> bool:
        """Whether a visible action of a bot has to wait."""
        return self.held or bool(self._waiting) or now < self.until

    def wait(self, pending: Pending) -> None:
        """Queue an action; it replaces a waiting one of the same bot."""
        self._waiting = deque(other for other in self._waiting if other.session is not pending.session)
        self._waiting.append(pending)

    def shown(self, now: int, words: int = 0) -> None:
        """Begin the pause, because a bot has just acted visibly. words: how many of its words are read; 0: none has to
        be."""
        least, each = READ_MS[self.speed]
        self.until = now + (least + each * min(words, MOST_WORDS) if words else GAP_MS[self.speed])

    def skip(self, now: int) -> None:
        """End the pause, because somebody has read the action."""
        self.until = min(self.until, now)

    def due(self, now: int) -> Pending | None:
        """Return the next action if the pause is over, and remove it."""
        return self._waiting.popleft() if self._waiting and not self.held and now >= self.until else None

    def next(self) -> int | None:
        """When the next action is due; None: no action waits."""
        return self.until if self._waiting and not self.held else None

    def left(self, now: int) -> int:
        """Return the ms left of the pause; -1: there is none."""
        return self.until - now if now < self.until and not self.held else -1

    def give_up(self) -> list[Pending]:
        """Empty the queue and return what was in it, to be refused."""
        left = list(self._waiting)
        self._waiting.clear()
        return left
