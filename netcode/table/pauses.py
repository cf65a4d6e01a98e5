"""The owner's pauses: how long the owner alone may stop the game in each turn."""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from netcode.journal import FactRow, Row
from netcode.protocol import limits

KEPT_MS = 60_000
"""How often the journal notes the length of a pause while it lasts."""


class UsedPause(Struct):
    """How much of the pauses of a turn was used (ms), for the journal, with the numbers of match and turn."""

    turn: tuple[int, int]
    used: int


class Pauses:
    """The pauses of one table. In each turn the owner has limits.PAUSE_MS for all pauses together. A pause may last
    longer, but then anybody may end it, and the turn has no other pause. Pauses of somebody alone do not count. Times
    are ms of the host's clock."""

    def __init__(self, keep: Callable[[Row], None]) -> None:
        """keep(row): put a row into the journal."""
        self._keep = keep
        self._turn = (0, 0)
        self._used = self._kept = 0
        self._since = -1

    def begin(self, turn: tuple[int, int], now: int) -> str:
        """Begin a pause in this turn. Return what forbids it (one line for people), or ""."""
        self._enter(turn)
        if self._used >= limits.PAUSE_MS:
            return f"this turn has had its {limits.PAUSE_MS // 60_000} minutes of pause: pause again in the next one"
        self._since = now
        return ""

    def count(self, turn: tuple[int, int], now: int) -> None:
        """Begin to count a pause in this turn: one that somebody alone has begun, or the pause of a restored match."""
        self._enter(turn)
        self._since = now

    def _enter(self, turn: tuple[int, int]) -> None:
        if turn != self._turn:
            self._turn, self._used, self._kept = turn, 0, 0

    def end(self, now: int) -> None:
        """End the pause, if there is one."""
        if self._since >= 0:
            self._used += now - self._since
            self._since = -1
            self._save(self._used)

    def tick(self, now: int) -> None:
        """Note in the journal how long a pause has lasted. Call it once a second."""
        used = self._used + now - self._since if self._since >= 0 else 0
        if used // KEPT_MS > self._kept // KEPT_MS and self._kept < limits.PAUSE_MS:
            self._save(used)

    def _save(self, used: int) -> None:
        self._kept = min(used, limits.PAUSE_MS)
        self._keep(FactRow("pause", msgspec.msgpack.encode(UsedPause(self._turn, self._kept))))

    def restore(self, pause: UsedPause) -> None:
        """Count the pauses in the journal."""
        self._turn, self._used, self._kept = pause.turn, pause.used, pause.used

    @property
    def free_at(self) -> int:
        """When anybody may end the pause; -1 if there is none or it does not count."""
        return self._since + max(0, limits.PAUSE_MS - self._used) if self._since >= 0 else -1
