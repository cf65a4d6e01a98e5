"""When a table closes by itself: bots among themselves soon after their game, others when all people have been gone for
long, or none has come to a table that does not wait for ever."""

from netcode.table.seats import Seating

GRACE_MS, LOOK_MS = 1000, 60_000
"""How long bots among themselves stay after their game, and how much longer while somebody looks on."""


class Expiry:
    """Watches one table. Times are ms of the host's clock."""

    def __init__(self, seating: Seating) -> None:
        self._seating = seating
        self._empty_since = self._closing_at = -1

    @property
    def begun(self) -> bool:
        """The last game has been played: no other one begins."""
        return self._closing_at >= 0

    def due(self, stage: str, now: int) -> tuple[str, str] | None:
        """Whether the table is to be closed now: the reason as a word (see wire.Bye) and for people."""
        config, people, seats = self._seating.config, self._seating.humans(), self._seating.seats
        if stage == "over" and not people and not self.begun:
            self._closing_at = now + GRACE_MS
        opening = stage == "lobby" and not config.solo
        patience = config.idle_ms if opening else config.gone_ms
        waits = patience > 0 and (opening or config.solo or people > 0)
        if not waits or any(seat.state == "here" for seat in seats):
            self._empty_since = -1
        elif self._empty_since < 0:
            self._empty_since = now
        gone = self._empty_since >= 0 and now - self._empty_since >= patience
        left = config.solo and any(seat.state == "gone" for seat in seats)
        look = LOOK_MS + config.watch_delay if self._seating.spectators else 0
        over = 0 <= self._closing_at <= now - look
        if gone and config.solo and stage in ("playing", "paused") and not (left or over):
            return "closing", "nobody has been here for long; the game is kept"
        return ("ended", "the table is closed") if gone or left or over else None
