"""How a verb declares that it may give Levels; all code that looks for such effects uses this declaration."""

from typing import NamedTuple

from msgspec import Struct

from core.language.selectors import Amount, Who


class LevelGain(NamedTuple):
    """The names of the fields of a verb that say who gains how many Levels.

    who: those who gain them. by: how many (below 0 they lose some), or the most that it can be if no field says it. to:
    the Level to which they go, instead of `by`. may_win: whether that may be the winning Level; "": never.
    """

    who: str
    by: str | int = ""
    to: str = ""
    may_win: str = ""

    @property
    def key(self) -> str:
        """The field with the number, "" if there is none."""
        return self.to or (self.by if isinstance(self.by, str) else "")

    @property
    def is_printed(self) -> bool:
        """Whether a field holds the number of Levels they gain."""
        return bool(self.key) and not self.to

    def seats(self, op: Struct) -> Who:
        """Return the who-word for those who gain Levels by this effect."""
        word: Who = getattr(op, self.who)
        return word

    def number(self, op: Struct) -> int | Amount:
        """Return how many Levels they gain; the Level to which they go if `to` says it."""
        number: int | Amount = getattr(op, self.key) if self.key else int(self.by or 0)
        return number

    def wins(self, op: Struct) -> bool:
        """Return whether they may gain the winning Level."""
        return bool(self.may_win) and bool(getattr(op, self.may_win))

    def may_raise(self, op: Struct) -> bool:
        """Return whether anybody may be higher afterwards: the effect does not only take Levels."""
        number = self.number(op)
        return bool(self.to) or isinstance(number, Amount) or number > 0
