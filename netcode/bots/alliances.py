"""Alliances of all others against a seat that is far ahead, by what everybody at the table sees."""

from collections.abc import Mapping, Sequence

from netcode.bots.tuning import TUNING

NOBODY = -1


def far_ahead(levels: Sequence[int], win_level: int) -> int:
    """Return the seat that alone leads and is one Level from winning, or some Levels above all others; -1 if there is
    none."""
    most = max(levels)
    first = levels.index(most)
    second = max((level for seat, level in enumerate(levels) if seat != first), default=most)
    if second == most:
        return NOBODY
    return first if most >= win_level - 1 or most - second >= TUNING.personality.ahead else NOBODY


class Alliance:
    """The alliance of the seat `me` against the seat `against` (-1: there is none). Whoever hurts this seat meanwhile
    leaves it; it ends when that seat is no longer far ahead."""

    def __init__(self, me: int) -> None:
        self.me, self.against = me, NOBODY
        self._hurt: dict[int, float] = {}
        """How much each seat had hurt this one when the alliance was made."""

    def follow(self, levels: Sequence[int], win_level: int, hurt: Mapping[int, float]) -> list[int]:
        """Return the seats that belong to it now, without this one. hurt: how much each seat has hurt this one."""
        against = far_ahead(levels, win_level)
        if against == self.me:
            against = NOBODY
        if against != self.against:
            self.against, self._hurt = against, dict(hurt)
        if against == NOBODY:
            return []
        others = [seat for seat in range(len(levels)) if seat not in (self.me, against)]
        return [seat for seat in others if hurt.get(seat, 0.0) <= self._hurt.get(seat, 0.0)]
