"""Seats that two connections of one player want: the newer one takes it, at once or once the older one is silent."""

from collections.abc import Iterable

from msgspec import Struct, field

from netcode.protocol import limits, wire
from netcode.table.session import Session

ELSEWHERE = "you joined again from elsewhere"
IN_USE = "you sit here in another terminal, which still answers"
ASKING = "your seat is open in another terminal: waiting for its answer"


class SharedSeats(Struct):
    """Finds out whether the connection of a seat still answers. probed: sessions whose connections get a message, so
    that a dead one is noticed. Times are ms of the host's clock."""

    probed: list[Session] = field(default_factory=list)

    def answer_to(self, session: Session, address: bytes, now: int) -> wire.Error | None:
        """Return what to tell somebody who wants their seat only if its connection is dead: that it answers, or, with
        the time to ask again, that it has not answered yet; None if the seat is theirs. address: of the newcomer."""
        if session.address in (None, address) or now - session.heard_at > limits.LOST_MS:
            return None
        if session.asked_at < 0 or now - session.asked_at > 2 * limits.ALIVE_MS:
            session.asked_at = now
            self.probed.append(session)
        if session.heard_at > session.asked_at:
            return wire.Error("seat_in_use", IN_USE)
        if now - session.asked_at >= limits.ALIVE_MS:
            return None
        return wire.Error("seat_in_use", ASKING, -1, limits.ALIVE_RETRY_MS)

    def lives(self, sessions: Iterable[Session], key: str, address: bytes, now: int) -> bool:
        """Return whether somebody with this key is connected from elsewhere, and was heard lately."""
        mine = [one for one in sessions if one.key == key and one.role == "player"]
        return any(one.address not in (None, address) and now - one.heard_at <= limits.LOST_MS for one in mine)
