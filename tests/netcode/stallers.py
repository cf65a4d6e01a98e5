"""Players of an offline table who hold it up with acts that finish nothing, and players who act at once."""

import random

from core.moves.legal import suggest
from core.state import actions as a
from core.state.actions import Action
from netcode.protocol import limits, wire
from netcode.protocol.paces import PACE_LIMITS, PACES, Pace
from tests.netcode.offline_table import OfflineTable, Player

FINISHING = (a.Done, a.EndTurn, a.Flee, a.Roll, a.Answer, a.Pass, a.Loot, a.Trouble, a.Accept, a.Decline)
"""Actions that a staller leaves out: each ends a wait for somebody."""


class Staller:
    """Holds up the table by chance, with one legal thing at a time."""

    def __init__(self, player: Player, rng: random.Random) -> None:
        self.player, self._rng = player, rng

    def move(self) -> None:
        """Do something that the rules or the host may allow and that finishes nothing."""
        actions = self._actions()
        if actions and self._rng.random() < 0.7:
            self.player.act(self._rng.choice(actions))
        else:
            self.player.send(self._message())

    def _actions(self) -> list[Action]:
        you = self.player.view.you
        rows = you.legal if you is not None else []
        found = [action for row in rows for action in suggest(row, most=2)]
        return [action for action in found if not isinstance(action, FINISHING)]

    def _message(self) -> wire.Up:
        s, seat = self.player.session.s, self.player.seat
        vote = self.player.offline.table.info().vote
        votes = [wire.Back(s, vote.number, self._rng.random() < 0.2)] if vote is not None else []
        messages: list[wire.Up] = [
            wire.Set(s), wire.Set(s, auto=False), wire.Set(s, withdraw=True), wire.Set(s, speed="slow"), wire.Sync(s),
            wire.Say(s, "wait"), wire.Back(s), wire.Admin(s, "pause"), wire.Admin(s, "bot", seat),
            wire.Admin(s, "pace", value=self._rng.choice(PACES)), *votes,
        ]  # fmt: skip
        return self._rng.choice(messages)


def go_on(player: Player) -> None:
    """Do at once what the table waits for; if it waits for others, do what a player may do to end that wait."""
    table, s = player.offline.table, player.session.s
    vote = table.info().vote
    if vote is not None and player.seat in vote.waiting:
        player.send(wire.Back(s, vote.number, False))
    elif player.timers.pause == 0:
        player.send(wire.Admin(s, "resume"))
    you, window = player.view.you, player.view.window
    if you is not None and you.asks and you.legal:
        player.act(suggest(you.legal[0])[0])
    elif window is not None and not window.passed:
        player.act(a.Pass(window.id))
    elif table.stage == "playing" and table.pace == "relaxed":
        for seat in [-1, *(deciding.seat for deciding in player.view.deciding)]:
            player.send(wire.Admin(s, "default", seat))


def longest_turn(pace: Pace, seats: int) -> int:
    """Return the longest possible turn, in ms, if players use up everything: time banks, pauses, votes.

    Windows and holds come on top: each costs a card, or one of two holds in a fight.
    """
    banks = PACE_LIMITS[pace]
    waits = banks.phases_ms + banks.match_point_ms + seats * banks.questions_ms
    return waits + limits.PAUSE_MS + seats * limits.LOST_VOTES * limits.VOTE_MS


def play(offline: OfflineTable, stallers: list[Staller], others: list[Player], until: int, rng: random.Random) -> int:
    """Let stallers hold up the table until it is over, or for `until` ms. Return how long the longest turn was, ms."""
    end, longest = offline.now + until, 0
    turn, since = others[0].view.turn_no, offline.now
    while offline.now < end and offline.table.stage != "over":
        rng.choice(stallers).move()
        bots = offline.seat_own_bots()
        for _ in range(rng.randint(1, 4)):
            offline.wait(rng.randint(500, 5_000))
            for player in [*others, *bots]:
                if player.session.address is not None and offline.table.stage != "over":
                    go_on(player)
        if others[0].view.turn_no != turn:
            turn, since = others[0].view.turn_no, offline.now
        longest = max(longest, offline.now - since)
        offline.clear()
    return longest
