"""What moves on the table between two moments: sums, the bar between them, the strip, chips. Pure.

Nothing waits for a motion: choices are drawn at once, and a key or a second change ends it.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from msgspec import Struct, field

from core.state.views import FightView, View

SUM_MS, CHIP_MS, BLINK_MS = 240, 300, 150
"""How long a sum counts and the bar slides, a chip moves, the strip blinks."""
SUM_STEPS = 3
"""How many numbers are shown on the way from the old sum to the new one."""


class Moving(Struct, frozen=True):
    """What is shown instead of the table as it is. heroes, foes: a number on its way to the sum of a side; None: the
    sum. share: of the heroes in the bar; None: as the sums say. blinks: the strip is shown in reverse. chips: for a
    seat, the Level it comes from and the share of the way it has gone."""

    heroes: int | None = None
    foes: int | None = None
    share: float | None = None
    blinks: bool = False
    chips: Mapping[int, tuple[int, float]] = field(default_factory=lambda: MappingProxyType({}))


STILL = Moving()


def share_of(heroes: float, foes: float) -> float:
    """Return the share of the heroes in the tug-of-war bar."""
    ours, theirs = max(0.0, heroes), max(0.0, foes)
    return ours / (ours + theirs) if ours + theirs else 0.5


class Motion:
    """The motion of one table. Give it each view; ask what is on its way."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """clock: seconds."""
        self._clock = clock
        self._before: View | None = None
        self._now: View | None = None
        self._began = 0.0

    @property
    def runs(self) -> bool:
        """Return whether anything is on its way."""
        return self._before is not None and self._passed() < self._ms()

    def follow(self, view: View, moves: bool) -> None:
        """Take in the view of this moment. moves: whether changes are shown as motions. None begins while another one
        runs, since more changes may wait."""
        last, running, self._now = self._now, self.runs, view
        if last is None or last is view or not _changed(last, view):
            return
        self._before, self._began = (last, self._clock()) if moves and not running else (None, 0.0)

    def end(self) -> None:
        """Let everything stand still."""
        self._before = None

    def moving(self) -> Moving:
        """Return what is on its way now."""
        if self._before is None or self._now is None or not self.runs:
            return STILL
        passed = self._passed()
        levels = _levels_changed(self._before, self._now)
        chips = {seat: (old, passed / CHIP_MS) for seat, old in levels.items()} if passed < CHIP_MS else {}
        fights = _same_fight(self._before, self._now)
        if fights is None:
            return Moving(chips=chips)
        old, new = fights
        at = min(1.0, passed / SUM_MS)
        step = min(SUM_STEPS, int(at * SUM_STEPS) + 1) / SUM_STEPS
        counts = at < 1
        return Moving(
            round(old.heroes + (new.heroes - old.heroes) * step) if counts and old.heroes != new.heroes else None,
            round(old.foes + (new.foes - old.foes) * step) if counts and old.foes != new.foes else None,
            _between(share_of(old.heroes, old.foes), share_of(new.heroes, new.foes), at) if counts else None,
            old.winning != new.winning and passed < BLINK_MS,
            chips,
        )

    def _passed(self) -> float:
        """Return the milliseconds since the motion began."""
        return (self._clock() - self._began) * 1000

    def _ms(self) -> int:
        """Return how long the motion takes."""
        assert self._before is not None and self._now is not None
        chips = CHIP_MS if _levels_changed(self._before, self._now) else 0
        return max(chips, SUM_MS if _same_fight(self._before, self._now) else 0)


def _between(old: float, new: float, at: float) -> float:
    return old + (new - old) * at


def _changed(old: View, new: View) -> bool:
    return bool(_levels_changed(old, new)) or _same_fight(old, new) is not None


def _levels_changed(old: View, new: View) -> dict[int, int]:
    """Return the old Levels of the seats whose Level has changed."""
    return {seat.seat: was.level for was, seat in zip(old.seats, new.seats) if was.level != seat.level}


def _same_fight(old: View, new: View) -> tuple[FightView, FightView] | None:
    """Return a fight before and after its sums have changed; None if they have not, or if it is another fight."""
    before, after = old.fight, new.fight
    if before is None or after is None or before.no != after.no:
        return None
    return (before, after) if (before.heroes, before.foes) != (after.heroes, after.foes) else None
