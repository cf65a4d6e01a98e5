"""Limit the talk of bots: one line of all bots in a turn, unless something weightier happens; the same words once in a
game."""

from collections.abc import Sequence

from netcode.bots.lines import weight_of_line

Moment = tuple[int, int, bool]
"""The numbers of the game and of the turn, and whether the game is over; the time after it counts as a turn."""


class BotTalk:
    """What bots have said at one table."""

    def __init__(self) -> None:
        self._game = 0
        self._moment: Moment | None = None
        """When a bot spoke last."""
        self._weight = 0
        """How much the occasion of that line weighs."""
        self._said: set[str] = set()

    def person_spoke(self) -> None:
        """Let a bot answer, although one has spoken in this turn."""
        self._moment = None

    def allows(self, text: str, moment: Moment, names: Sequence[str] = ()) -> bool:
        """Return whether a bot may say this now; if so, note that it does. names: of the seats."""
        if moment[0] != self._game:
            self._game, self._said = moment[0], set()
        weight = weight_of_line(text, names)
        if (moment == self._moment and weight <= self._weight) or text in self._said:
            return False
        self._moment, self._weight = moment, weight
        self._said.add(text)
        return True
