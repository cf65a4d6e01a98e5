"""Ownership of a table: who owns it, who acts for the owner while they are away, and what both may request."""

from collections.abc import Sequence

from msgspec import Struct, field

from netcode.protocol import limits
from netcode.table.seat import Seat

ACTING = ("pace", "pause", "resume", "default", "start", "bot", "close", "admit", "refuse")
"""Requests that a player may make for an absent owner: they keep the game going and take nothing from anybody."""
ONLY_THE_OWNER = "you act for the table's owner, who is away: only they can do that"


class Ownership(Struct):
    """The owner of one table.

    key: the client key of the player who joined with the owner string or was given the table; "": the person who has
    been here longest owns it. The table stays theirs while they are away or have lost their seat; when they come back,
    they decide again. founders: the client keys that came with the owner string, the newest last; nobody can ban them.
    """

    key: str = ""
    founders: list[str] = field(default_factory=list)

    def take(self, key: str, founder: bool = False) -> None:
        """Give the table to this client key. founder: it came with the owner string."""
        self.key = key
        if founder:
            self.founders = [*(one for one in self.founders if one != key), key][-limits.FOUNDERS :]

    def resign(self, key: str) -> None:
        """Note that this client key leaves for good; the table then belongs to the person who has been here longest."""
        if key == self.key:
            self.key = ""

    def moved(self, before: str, key: str) -> None:
        """Note that the player with the first of these client keys has the second one now."""
        self.key = key if self.key == before else self.key
        self.founders = [key if one == before else one for one in self.founders]

    def owner(self, seats: Sequence[Seat]) -> int:
        """Return the seat of the table's owner, -1 if they have none now."""
        if not self.key:
            return next(iter(_people(seats)), -1)
        keys = [seat.player.key if seat.player is not None else "" for seat in seats]
        return keys.index(self.key) if self.key in keys else -1

    def deciding(self, seats: Sequence[Seat]) -> int:
        """Return the seat that decides for the table now, -1: nobody. While the owner is away, the person who has been
        here longest decides, so that no table stays paused."""
        candidates = [at for at in (self.owner(seats), *_people(seats)) if at >= 0]
        present = [at for at in candidates if seats[at].state != "away"]
        return next(iter(present + candidates), -1)


def _people(seats: Sequence[Seat]) -> list[int]:
    """Return the seats of people, the longest present first."""
    return sorted((at for at, seat in enumerate(seats) if seat.human), key=lambda at: seats[at].came)
