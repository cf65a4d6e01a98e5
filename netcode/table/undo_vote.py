"""The vote on a step back: one player asks, every other one at the table says yes; a no, or silence, leaves things as
they are. Bots agree at once. Meanwhile the clocks of the game stand still."""

from dataclasses import dataclass

from core.undo import Mark
from netcode.protocol import wire
from netcode.table.match import Match
from netcode.table.seats import Seating
from netcode.table.session import Bucket, Session

VOTE_MS = 20_000
ASKS = (1 / 60, 2)
"""How often one seat may ask: so many a second in the long run, so many at once. A vote stops the clocks."""


@dataclass
class UndoVote:
    """A vote under way: its number, who asked, what would be taken back, who has not answered, and until when (ms)."""

    number: int
    by: int
    mark: Mark
    waiting: list[int]
    until: int


class UndoVoting:
    """The votes of one table. What became of them is put into `outcomes`. Times are ms of the host's clock."""

    def __init__(self, seating: Seating) -> None:
        self.vote: UndoVote | None = None
        self.outcomes: list[wire.Voted] = []
        self._seating = seating
        self._number = 0
        self._asked: dict[int, Bucket] = {}

    def wish(self, session: Session, wish: wire.Back, game: Match, now: int) -> str:
        """A player asks for a step back, or answers who did; what forbids it (one line for people), or ""."""
        if wish.vote == 0:
            return self._ask(session.seat, game, now)
        vote, seat = self.vote, session.seat
        if vote is None or vote.number != wish.vote:
            return "that vote is over"
        if not wish.yes and seat in (vote.by, *vote.waiting):
            self._decide(game, False, seat)
        elif seat in vote.waiting:
            vote.waiting.remove(seat)
            self._seating.changed = True
            self.look(game, now)
        return ""

    def _ask(self, seat: int, game: Match, now: int) -> str:
        mark = game.game.last()
        if mark is None:
            return "nothing can be taken back: somebody has learned something new since, or nothing was done yet"
        wait = self._asked.setdefault(seat, Bucket(*ASKS)).take(now)
        if wait:
            return f"you have asked often: ask again in {-(-wait // 1000)} s"
        self._number += 1
        waiting = [other for other in self._people() if other != seat]
        self.vote = UndoVote(self._number, seat, mark, waiting, now + VOTE_MS)
        self._seating.changed = True
        game.pause(True)
        self.look(game, now)
        return ""

    def look(self, game: Match | None, now: int) -> None:
        """Decide what is decided by now: all have agreed (whoever has left or is away is played by a bot, and bots
        agree), or the time is up."""
        vote, people = self.vote, self._people()
        if vote is None or game is None:
            return
        vote.waiting = [seat for seat in vote.waiting if seat in people]
        if vote.by not in people:
            self._decide(game, False, vote.by)
        elif not vote.waiting:
            self._decide(game, True, -1)
        elif now >= vote.until:
            self._decide(game, False, -1)

    def _decide(self, game: Match, yes: bool, against: int) -> None:
        assert self.vote is not None
        by, mark, self.vote = self.vote.by, self.vote.mark, None
        game.pause(False)
        yes = yes and game.game.last() is mark
        if yes:
            game.step_back(by)
        self.outcomes.append(wire.Voted(by, yes, against))
        self._seating.changed = True

    def _people(self) -> list[int]:
        return [number for number, seat in enumerate(self._seating.seats) if seat.state in ("here", "lost")]

    def info(self, now: int) -> wire.VoteInfo | None:
        """The vote as everybody sees it."""
        vote = self.vote
        if vote is None:
            return None
        left = max(0, vote.until - now)
        return wire.VoteInfo(vote.number, vote.by, vote.mark.seat, vote.mark.what, list(vote.waiting), left)
