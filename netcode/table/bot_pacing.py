"""The pace of bots: what they do for all to see comes one at a time, far enough apart to be read by a person."""

from collections import deque
from dataclasses import dataclass

from core.state.actions import Action
from netcode.protocol import wire
from netcode.table.session import Session

GAP_MS: dict[str, int] = {"slow": 1800, "normal": 900, "fast": 350}


@dataclass(frozen=True, eq=False)
class Pending:
    """An action that has arrived: whose, its number, and the host's stamp (ns) by which it was first or second."""

    session: Session
    n: int
    action: Action
    stamp: int


class BotPacer:
    """Acts of bots waiting for their moment. Times are ms."""

    def __init__(self, speed: wire.Speed) -> None:
        self.speed: wire.Speed = speed
        self._waiting: deque[Pending] = deque()
        self._until = 0

    def must_wait(self, now: int) -> bool:
        """Whether a bot's visible act has to wait its turn."""
        return bool(self._waiting) or now < self._until

    def wait(self, pending: Pending) -> None:
        """Put an act behind those that wait; a bot has one at a time."""
        self._waiting = deque(kept for kept in self._waiting if kept.session is not pending.session)
        self._waiting.append(pending)

    def shown(self, now: int) -> None:
        """A bot has just done something for all to see."""
        self._until = now + GAP_MS[self.speed]

    def skip(self, now: int) -> None:
        """Somebody has read it: go on."""
        self._until = now

    def due(self, now: int) -> Pending | None:
        """The act whose moment has come."""
        return self._waiting.popleft() if self._waiting and now >= self._until else None

    def next(self) -> int | None:
        """When something is due."""
        return self._until if self._waiting else None

    def left(self, now: int) -> int:
        """Ms left of the pause for all to see; -1: none."""
        return self._until - now if now < self._until else -1

    def give_up(self) -> list[Pending]:
        """The game is over: what still waits, to be answered; nothing waits any more."""
        left = list(self._waiting)
        self._waiting.clear()
        return left
