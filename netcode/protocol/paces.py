"""The paces of a table: how long everybody has to respond, one row for each pace.

This module imports no msgspec: the command line reads it before it has parsed anything.
"""

from typing import Literal, NamedTuple, get_args

Pace = Literal["book", "quick", "standard", "relaxed"]


class PaceLimits(NamedTuple):
    """The time limits of one pace in ms; None: no limit.

    A time bank (netcode/table/time_bank.py) is the total time that a seat may use, whatever it does meanwhile.
    """

    window_ms: int | None
    """How long a window stays open before a result is final."""
    prompt_ms: int | None
    """How long a seat has to answer a question."""
    phase_ms: int | None
    """How long a seat has for an open phase of its own turn."""
    phases_ms: int
    """The time bank for all phases of one turn: more than the limits of four idle phases."""
    questions_ms: int
    """The time bank for all questions of one turn: the limits of four questions."""
    match_point_ms: int
    """The time bank for the window at match point, in one fight."""

    @property
    def has_clocks(self) -> bool:
        """Whether the host acts for a seat whose time is up. If not, the owner may call the default, and anybody may
        once a bank is empty."""
        return self.phase_ms is not None

    @property
    def window_text(self) -> str:
        """How long a window stays open, in words."""
        return "until all have passed" if self.window_ms is None else f"{self.window_ms / 1000:g} s"


PACE_LIMITS: dict[Pace, PaceLimits] = {
    "book": PaceLimits(2_600, 30_000, 60_000, 360_000, 120_000, 180_000),
    "quick": PaceLimits(5_000, 30_000, 60_000, 360_000, 120_000, 180_000),
    "standard": PaceLimits(8_000, 45_000, 90_000, 600_000, 180_000, 300_000),
    "relaxed": PaceLimits(None, None, None, 900_000, 600_000, 600_000),
}
PACES: tuple[Pace, ...] = get_args(Pace)
CLOCKLESS = tuple(pace for pace, limits in PACE_LIMITS.items() if not limits.has_clocks)
"""The paces at which the host does not act for a seat whose time is up."""
PACES_TEXT = f"{', '.join(PACES[:-1])} or {PACES[-1]}"
WINDOWS_TEXT = ", ".join(f"{pace} {limits.window_text}" for pace, limits in PACE_LIMITS.items())
"""How long a window stays open at each pace: `book 2.6 s, ...`."""
