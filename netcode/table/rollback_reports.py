"""Reports of players who have seen more of a game than the table has: its journal may be an older copy.

A client remembers how far it has seen a game and says so when it returns. It may lie, so a report changes nothing.
Everybody at the table reads it, once for each session.
"""

from netcode.protocol import limits, wire
from netcode.table.session import Session


class RollbackReports:
    """The reports at one table since its host started, the oldest first."""

    def __init__(self) -> None:
        self._made: list[wire.Older] = []

    def note(self, hello: wire.Hello, session: Session, game: int, rev: int) -> None:
        """Note how far this hello has seen the game (game, rev), if the table is behind."""
        if session.seat < 0 or session.role != "player" or (hello.game, hello.rev) <= (game, rev):
            return
        if not session.reported_rollback and len(self._made) < limits.ROLLBACK_REPORTS:
            session.reported_rollback = True
            self._made.append(wire.Older(session.seat, hello.game, hello.rev - rev if hello.game == game else 0))

    def news(self, session: Session) -> list[wire.Older]:
        """Return the reports that this session has not received yet."""
        new = self._made[session.rollbacks_told :]
        session.rollbacks_told = len(self._made)
        return new
