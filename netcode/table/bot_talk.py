"""Limit the talk of bots: one line of all bots in a turn, and the same words once in a game."""

Moment = tuple[int, int, bool]
"""The numbers of the game and of the turn, and whether the game is over; the time after it counts as a turn."""


class BotTalk:
    """What bots have said at one table."""

    def __init__(self) -> None:
        self._game = 0
        self._moment: Moment | None = None
        """When a bot spoke last."""
        self._said: set[str] = set()

    def allows(self, text: str, moment: Moment) -> bool:
        """Return whether a bot may say this now; if so, note that it does."""
        if moment[0] != self._game:
            self._game, self._said = moment[0], set()
        if moment == self._moment or text in self._said:
            return False
        self._moment = moment
        self._said.add(text)
        return True
