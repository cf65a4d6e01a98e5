"""Codes with which a player takes their seat to another machine: each for one seat, once, within ten minutes."""

import secrets
from collections.abc import Sequence

from msgspec import Struct, field

from netcode.protocol import limits, wire
from netcode.protocol.credentials import same, token_hash
from netcode.table.seat import Seat
from netcode.table.session import Session

LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 letters and digits that nobody confuses when they read them aloud: without 0 and O, 1 and I."""
MOVED = "your seat was taken to another machine{where}, with the code that you showed"
LET_IN = "your seat was taken to another machine{where}: whoever decides let them in"
MOVED_AWAY = "your seat is on another machine now: kickdoor seat shows a code there"


class _Code(Struct):
    hashed: bytes
    session: Session
    until: int


class SeatCodes(Struct):
    """The codes that are valid now, one for each seat, and the keys that have lost their seats by one. Times are ms of
    the host's clock."""

    codes: dict[int, _Code] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    """Keys whose seats are on other machines now, the newest last."""

    def new(self, session: Session, now: int) -> wire.SeatCode:
        """Return a new code for the seat of this session; the one before is no longer valid."""
        code = "".join(secrets.choice(LETTERS) for _ in range(limits.SEAT_CODE_CHARS))
        self.codes[session.seat] = _Code(token_hash(code.encode()), session, now + limits.SEAT_CODE_MS)
        return wire.SeatCode(code, limits.SEAT_CODE_MS)

    def holder(self, hashed: bytes, now: int) -> Session | None:
        """Return the session whose seat the code with this hash leads to, None if there is none. Takes the same time
        for every wrong code."""
        found = [code for code in self.codes.values() if same(code.hashed, hashed) and now < code.until]
        return found[0].session if found else None

    def moved(self, session: Session, key: str) -> None:
        """Note that a seat belongs to another key now; its code is used up."""
        self.codes.pop(session.seat, None)
        self.left = [*(one for one in self.left if one not in (key, session.key)), session.key][-limits.BANS :]


def claimed_seat(seats: Sequence[Seat], name: str, has_room: bool) -> int:
    """Return the seat that a newcomer says is theirs, by its name: one whose player is not connected, or any if no seat
    is free (has_room); -1 if there is none."""
    named = [at for at, seat in enumerate(seats) if seat.human and seat.name == name and seat.player is not None]
    return next((at for at in named if not (seats[at].live and has_room)), -1)
