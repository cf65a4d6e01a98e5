"""The owner's pauses: how long in each turn the game stands still at the owner's wish alone."""

from netcode.protocol import limits


class Pauses:
    """The pauses of one table. In each turn they are the owner's for limits.PAUSE_MS together. A pause may last longer,
    but then anybody may end it, and there is no other one in this turn. Those of somebody alone do not count. Times are
    ms of the host's clock."""

    def __init__(self) -> None:
        self._turn: object = None
        self._used = 0
        self._since = -1

    def begin(self, turn: object, now: int) -> str:
        """Begin a pause in this turn. Return what forbids it (one line for people), or ""."""
        self._enter(turn)
        if self._used >= limits.PAUSE_MS:
            return f"this turn has had its {limits.PAUSE_MS // 60_000} minutes of pause: pause again in the next one"
        self._since = now
        return ""

    def count(self, turn: object, now: int) -> None:
        """Count a pause in this turn from now on, which somebody alone has begun."""
        self._enter(turn)
        self._since = now

    def _enter(self, turn: object) -> None:
        if turn != self._turn:
            self._turn, self._used = turn, 0

    def end(self, now: int) -> None:
        """End the pause, if there is one."""
        if self._since >= 0:
            self._used += now - self._since
            self._since = -1

    @property
    def free_at(self) -> int:
        """From when on anybody may end the pause; -1: there is none, or it does not count."""
        return self._since + max(0, limits.PAUSE_MS - self._used) if self._since >= 0 else -1
