"""The undo vote: one player asks to undo the last action, and it is undone if every other player agrees.

A no or silence changes nothing. Bots agree at once. The clocks of the match stand still during a vote, so each seat may
lose only a few votes in a turn.
"""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from netcode.journal import FactRow, Row
from netcode.protocol import limits, wire
from netcode.table.match import Match
from netcode.table.seats import Seating
from netcode.table.session import Session
from netcode.token_bucket import TokenBucket, of_ms

if TYPE_CHECKING:
    from core.undo import Mark


class UndoVote(Struct):
    """A vote under way: its number, who asked, the action to undo, who has not voted, and its end (ms)."""

    number: int
    by: int
    mark: "Mark"
    waiting: list[int]
    until: int


class LostVotes(Struct):
    """How many votes each seat has lost in a turn, for the journal, with the numbers of match and turn."""

    turn: tuple[int, int]
    lost: dict[int, int]


class UndoVoting:
    """The undo votes of one table; `outcomes` collects their results. keep(row): put a row into the journal. Times are
    ms of the host's clock."""

    def __init__(self, seating: Seating, keep: Callable[[Row], None]) -> None:
        self.vote: UndoVote | None = None
        self.outcomes: list[wire.Voted] = []
        self._seating, self._keep = seating, keep
        self._number = 0
        self._asked: dict[int, TokenBucket] = {}
        self._turn = (0, 0)
        self._lost: Counter[int] = Counter()
        """How many votes each seat has lost in the present turn."""

    def number_from(self, number: int) -> None:
        """Number new votes from the one after this number."""
        self._number = number

    def restore(self, votes: LostVotes) -> None:
        """Count the votes that the journal has."""
        self._turn, self._lost = votes.turn, Counter(votes.lost)

    def request(self, session: Session, message: wire.Back, match: Match, now: int) -> str:
        """Begin a vote (message.vote 0), or cast one. Return what forbids it (one line for people), or ""."""
        if message.vote == 0:
            return self._ask(session.seat, match, now)
        vote, seat = self.vote, session.seat
        if vote is None or vote.number != message.vote:
            return "that vote is over"
        if not message.yes and seat in (vote.by, *vote.waiting):
            self._decide(match, False, seat)
        elif seat in vote.waiting:
            vote.waiting.remove(seat)
            self._seating.changed = True
            self.count(match, now)
        return ""

    def _ask(self, seat: int, match: Match, now: int) -> str:
        mark = match.game.last()
        if mark is None:
            return "nothing can be undone: somebody has learned something new since, or nothing was done yet"
        wait = self._asked.setdefault(seat, of_ms(limits.UNDO_RATE)).take(now)
        if wait:
            return f"you have asked often: ask again in {-(-wait // 1000)} s"
        if self._turn != match.turn:
            self._turn = match.turn
            self._lost.clear()
        if self._lost[seat] >= limits.LOST_VOTES:
            return f"you have lost {limits.LOST_VOTES} votes in this turn: ask again in the next one"
        self._number += 1
        waiting = [other for other in self._people() if other != seat]
        self.vote = UndoVote(self._number, seat, mark, waiting, now + limits.VOTE_MS)
        self._seating.changed = True
        match.pause(True)
        self.count(match, now)
        return ""

    def count(self, match: Match | None, now: int) -> None:
        """End the vote if it is decided: all have agreed (bots do, also those playing for people who are away or have
        left), the player who asked has left, or the time is up."""
        vote, people = self.vote, self._people()
        if vote is None or match is None:
            return
        vote.waiting = [seat for seat in vote.waiting if seat in people]
        if vote.by not in people:
            self._decide(match, False, vote.by)
        elif not vote.waiting:
            self._decide(match, True, -1)
        elif now >= vote.until:
            self._decide(match, False, -1)

    def _decide(self, match: Match, yes: bool, against: int) -> None:
        assert self.vote is not None
        by, mark, self.vote = self.vote.by, self.vote.mark, None
        match.pause(False)
        yes = yes and match.game.last() is mark
        if yes:
            match.undo(by)
        else:
            self._lost[by] += 1
            self._keep(FactRow("votes", msgspec.msgpack.encode(LostVotes(self._turn, dict(self._lost)))))
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
