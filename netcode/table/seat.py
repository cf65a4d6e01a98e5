"""One place at a table: its owner, who plays it now, and the bot that the host should send."""

from msgspec import Struct

from netcode.bots.levels import DEFAULT_LEVEL
from netcode.table.session import Session

HUMAN = ("here", "lost", "away")


class Seat(Struct):
    """A place at the table. state: as in wire.SeatInfo. player: the session that owns the seat. standin: the bot that
    plays while the player is away, or the host's own bot. ticket: the hash of the token with which the host's next bot
    takes this seat. came: a counter of the players who have sat down at the table. defaults: how many asks in a row
    ended by default. inactive: a bot plays for a player who was connected, until their next key. lost_at, acted_at:
    ms."""

    name: str = ""
    state: str = "open"
    ready: bool = False
    bot: str = ""
    wins: int = 0
    came: int = 0
    lost_at: int = 0
    acted_at: int = 0
    defaults: int = 0
    inactive: bool = False
    player: Session | None = None
    standin: Session | None = None
    ticket: bytes = b""
    speed: str = ""

    @property
    def human(self) -> bool:
        """Whether a person has this seat, even while they are away."""
        return self.state in HUMAN

    @property
    def live(self) -> bool:
        """Whether its player is a person who is connected."""
        return self.state == "here" and self.player is not None and self.player.address is not None

    @property
    def played_by_bot(self) -> bool:
        """Whether a bot plays it now."""
        return self.state in ("bot", "gone", "away")

    @property
    def played_by(self) -> Session | None:
        """The session that plays it now; None if there is none, or the host's bot has not come yet."""
        return self.standin if self.player is None or self.state == "away" else self.player


class BotWanted(Struct, frozen=True):
    """A request for a bot of the host on this seat; the token lets it in."""

    seat: int
    token: bytes
    level: str = DEFAULT_LEVEL

    def __repr__(self) -> str:
        return f"BotWanted(seat={self.seat}, level={self.level!r})"  # no token
