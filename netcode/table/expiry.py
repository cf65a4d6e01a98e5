"""Expiry: a silent player becomes lost, then away; a silent spectator is dropped; an abandoned table closes.

A table of bots alone, or one that all people have left for good, closes soon after its match. Any other closes when all
people have been gone for long, or if it has an idle timeout and nobody has come.
"""

from netcode.protocol import limits
from netcode.table.seat import Seat
from netcode.table.seats import Seating
from netcode.table.session import Session

GRACE_MS, SPECTATED_MS = 1000, 60_000
"""How long a table of bots stays open after its match, and how much longer if somebody spectates."""


class Expiry:
    """Watches the seats of one table. Times are ms of the host's clock."""

    def __init__(self, seating: Seating) -> None:
        self._seating = seating
        self._empty_since = self._closing_at = -1
        self._over_since = -1
        self._awaited_until = 0
        """Until when the table stays open for people whose seats were freed while they were silent."""

    # ---------------------------------------------------------------------------------------------------- the people
    def sweep(self, now: int, stage: str) -> None:
        """Mark silent players as lost, later as away, and drop silent spectators.

        Outside a match the seat of a silent player is freed instead. After a match this happens only while other people
        are here; otherwise everybody finds their seat again until the table closes. If no other person is here, a
        silent player stays lost, and the match stands still until the table closes.
        """
        seating, playing = self._seating, stage in ("playing", "paused")
        if stage != "over" or self._over_since < 0:
            self._over_since = now if stage == "over" else -1
        for session in [session for session in seating.spectators if now - session.heard_at > limits.LOST_MS]:
            seating.unreachable(session, now)
        alone = seating.humans() <= 1
        patience = seating.config.gone_ms if alone else limits.AWAY_MS
        for number, seat in enumerate(seating.seats):
            player = seat.player
            if player is None:
                continue
            if player.role == "bot":
                self._sweep_bot(number, player, now, playing)
                continue
            if seat.state == "here" and now - player.heard_at > limits.LOST_MS:
                seating.lose(number, now)
            silent = seat.state == "lost" and now - seat.lost_at > patience
            if playing and silent and not alone:
                seating.away(number)
            elif not playing and (silent or self._is_absent(seat, now)):
                self._free(number, player, stage)

    def _is_absent(self, seat: Seat, now: int) -> bool:
        """Whether a bot played for this player, who has been silent since the match ended for as long as a lost seat is
        kept."""
        silent_since = max(seat.player.heard_at if seat.player is not None else now, self._over_since)
        return seat.state == "away" and now - silent_since > limits.LOST_MS + limits.AWAY_MS

    def _free(self, number: int, player: Session, stage: str) -> None:
        """Free the seat of a player who has been silent for long, unless nobody is here after a match."""
        if stage == "over":
            if not self._anybody_here():
                return
            self._awaited_until = max(self._awaited_until, player.heard_at + self._seating.config.gone_ms)
        self._seating.free(number, "closing", "you were away too long: your seat was given up")

    def _anybody_here(self) -> bool:
        return any(seat.state == "here" for seat in self._seating.seats)

    def _sweep_bot(self, number: int, bot: Session, now: int, playing: bool) -> None:
        """Replace a silent guest bot with one of the host's own, because a table of bots waits for nobody."""
        if now - bot.heard_at > limits.BOT_SILENT_MS:
            self._seating.kick(number, playing, "nothing was heard of this bot", "closing")

    # ----------------------------------------------------------------------------------------------------- the table
    @property
    def closing(self) -> bool:
        """Whether the last match is over, so that no other one begins unless people sit down."""
        return self._closing_at >= 0 and not self._seating.humans()

    def due(self, stage: str, now: int) -> tuple[str, str] | None:
        """Return why the table has to close now, as a word (see wire.Bye) and a sentence for people; None if it stays
        open."""
        solo, seats = self._seating.config.solo, self._seating.seats
        if self._seating.humans():
            self._closing_at = -1
        elif stage == "over" and not self.closing and now >= self._awaited_until:
            self._closing_at = now + GRACE_MS
        abandoned = self._is_abandoned(stage, now)
        ended = self._is_finished(now) or (solo and any(seat.state == "gone" for seat in seats))
        if abandoned and not ended and solo and stage in ("playing", "paused"):
            return "closing", "nobody has been here for long; the game is saved"
        return ("ended", "the table is closed") if abandoned or ended else None

    def _is_abandoned(self, stage: str, now: int) -> bool:
        """Whether nobody has been here for longer than the table waits for its people."""
        config = self._seating.config
        opening = stage == "lobby" and not config.solo
        patience = config.idle_ms if opening else config.gone_ms
        waits = patience > 0 and (opening or config.solo or self._seating.humans() > 0)
        if not waits or self._anybody_here():
            self._empty_since = -1
        elif self._empty_since < 0:
            self._empty_since = now
        return self._empty_since >= 0 and now - self._empty_since >= patience

    def _is_finished(self, now: int) -> bool:
        """Whether a table of bots has finished its match and the time for spectators is over."""
        stay = SPECTATED_MS + self._seating.config.watch_delay if self._seating.spectators else 0
        return 0 <= self._closing_at <= now - stay
