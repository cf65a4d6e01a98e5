"""The paces of a table: how long everybody has to respond, one row for each pace.

This module imports no msgspec: the command line reads it before it has parsed anything.
"""

from dataclasses import dataclass
from typing import Literal, get_args

Pace = Literal["book", "quick", "standard", "relaxed"]


@dataclass(frozen=True)
class PaceLimits:
    """The time limits of one pace in ms; None: no limit."""

    window_ms: int | None
    """How long a window stays open before a result is final."""
    prompt_ms: int | None
    """How long a seat has to answer a question."""
    phase_ms: int | None
    """How long a seat has for an open phase of its own turn."""

    @property
    def window_text(self) -> str:
        """How long a window stays open, in words."""
        return "until all have passed" if self.window_ms is None else f"{self.window_ms / 1000:g} s"


PACE_LIMITS: dict[Pace, PaceLimits] = {
    "book": PaceLimits(2_600, 30_000, 60_000),
    "quick": PaceLimits(5_000, 30_000, 60_000),
    "standard": PaceLimits(8_000, 45_000, 90_000),
    "relaxed": PaceLimits(None, None, None),
}
PACES: tuple[Pace, ...] = get_args(Pace)
PACES_TEXT = f"{', '.join(PACES[:-1])} or {PACES[-1]}"
WINDOWS_TEXT = ", ".join(f"{pace} {limits.window_text}" for pace, limits in PACE_LIMITS.items())
"""How long a window stays open at each pace: `book 2.6 s, ...`."""
