"""The table's clocks: which window closes and which ask gets its default, and when. Core knows no time; this is all
of it.

Times are ms of the table's own clock, which stands still while the table is paused. Everything is read from views: the
spectators' for what all may know (so that a clock never tells of a pass or a secret answer), a seat's own for its asks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.view import View
from netcode.protocol import wire
from netcode.protocol.paces import PACE_LIMITS, Pace

KICK_WINDOW_MS = 1500
HOLD_MS = 15_000
SILENT_MS = 90_000
BOT_MS = 30_000
PHASES = ("ready", "kick", "trouble", "fight", "end")
"""Asks that are one's own open phase; every other one is a prompt."""


@dataclass(frozen=True)
class Due:
    """Something whose time has come: close (window), default (seat, ask) or pass (seat, window)."""

    what: str
    seat: int
    id: int


@dataclass
class _Limit:
    ask: int
    kind: str
    at: int | None
    hidden: bool


@dataclass
class _Window:
    id: int
    kind: str
    since: int
    full: int | None
    at: int | None
    left: int | None = None
    """What was left when somebody held it."""


class Clocks:
    """All deadlines of one table. is_bot(seat): a bot plays it now (it never stalls a table without clocks for
    long)."""

    def __init__(self, pace: Pace, is_bot: Callable[[int], bool]) -> None:
        self.pace: Pace = pace
        self.solo = False
        """One human at the table: no clock but the beat."""
        self._is_bot = is_bot
        self._window: _Window | None = None
        self._holder, self._hold_at = -1, 0
        self._limits: dict[int, _Limit] = {}
        self._public: tuple[int, ...] = ()

    def look(self, public: View, views: Sequence[View], now: int) -> None:
        """Bring the clocks in line with the game."""
        self._look_window(public, now)
        self._public = tuple(deciding.seat for deciding in public.deciding)
        for seat, view in enumerate(views):
            self._look_asks(seat, view, now)

    def _look_window(self, public: View, now: int) -> None:
        seen = public.window
        if seen is None:
            self._window, self._holder = None, -1
            return
        full = self._length(public)
        if self._window is None or self._window.id != seen.id or self._window.full != full:
            since = self._window.since if self._window is not None and self._window.id == seen.id else now
            self._window = _Window(seen.id, seen.kind, since, full, None if full is None else now + full)
            self._holder = -1
        window = self._window
        if seen.holder >= 0 and self._holder < 0:
            window.left, window.at = (None if window.at is None else max(0, window.at - now)), None
            self._hold_at = now + HOLD_MS
        elif seen.holder < 0 <= self._holder and window.left is not None:
            window.at, window.left = now + window.left, None
        self._holder = seen.holder

    def _length(self, public: View) -> int | None:
        assert public.window is not None
        if public.window.kind == "kick":
            return KICK_WINDOW_MS
        match_point = public.fight is not None and public.fight.match_point
        return None if self.solo or match_point else PACE_LIMITS[self.pace].window_ms

    def _look_asks(self, seat: int, view: View, now: int) -> None:
        asks = [ask for ask in view.you.asks if ask.kind != "hold"] if view.you is not None else []
        if not asks:
            if seat not in self._public:
                self._limits.pop(seat, None)
            return
        ask = asks[0]
        limit = self._limits.get(seat)
        if limit is None or limit.ask != ask.id or limit.kind != ask.kind or limit.hidden != self._hidden(seat):
            self._limits[seat] = self._limit(seat, ask.id, ask.kind, now)

    def _hidden(self, seat: int) -> bool:
        return self.solo or self.pace == "relaxed"

    def _limit(self, seat: int, ask: int, kind: str, now: int) -> _Limit:
        limits = PACE_LIMITS[self.pace]
        length = limits.phase_ms if kind in PHASES else limits.prompt_ms
        hidden = self._hidden(seat)
        if hidden:
            length = BOT_MS if self._is_bot(seat) else None
        return _Limit(ask, kind, None if length is None else now + length, hidden)

    def touch(self, seat: int, now: int) -> None:
        """The seat did something for all to see: its own open phase starts its clock anew."""
        limit = self._limits.get(seat)
        if limit is not None and limit.kind in PHASES:
            self._limits[seat] = self._limit(seat, limit.ask, limit.kind, now)

    def taken_over(self, seat: int) -> None:
        """Somebody else plays this seat from now on: its limit starts anew at the next look."""
        self._limits.pop(seat, None)

    # ------------------------------------------------------------------------------------------------- what is due
    def due(self, views: Sequence[View], silent: Callable[[int], int], now: int) -> Due | None:
        """The first thing whose time has come. silent(seat): since when (ms) a seat has not been heard."""
        window = self._window
        if window is not None:
            if window.at is not None and now >= window.at:
                return Due("close", -1, window.id)
            if self._holder >= 0 and now >= self._hold_at:
                ask = self._hold_ask(views[self._holder])
                return Due("default", self._holder, ask) if ask >= 0 else None
            if window.full is None and self._holder < 0:
                return self._due_pass(window, views, silent, now)
            return None
        for seat, limit in sorted(self._limits.items()):
            if limit.at is not None and now >= limit.at and self._live(limit, views[seat]):
                return Due("default", seat, limit.ask)
        return None

    def _live(self, limit: _Limit, view: View) -> bool:
        return view.you is not None and any(ask.id == limit.ask for ask in view.you.asks)

    def _hold_ask(self, view: View) -> int:
        asks = view.you.asks if view.you is not None else []
        return next((ask.id for ask in asks if ask.kind == "hold"), -1)

    def _pass_at(self, seat: int, window: _Window, silent: Callable[[int], int]) -> int | None:
        """When a seat that says nothing counts as having passed a window without a clock; None: never."""
        if self._is_bot(seat):
            return window.since + BOT_MS
        if self.solo or self.pace == "relaxed":
            return None
        return max(window.since, silent(seat)) + SILENT_MS

    def _due_pass(
        self, window: _Window, views: Sequence[View], silent: Callable[[int], int], now: int
    ) -> Due | None:
        for seat, view in enumerate(views):
            at = self._pass_at(seat, window, silent)
            if at is not None and now >= at and view.window is not None and not view.window.passed:
                return Due("pass", seat, window.id)
        return None

    def next(self, views: Sequence[View], silent: Callable[[int], int]) -> int | None:
        """When something is due next, None: never."""
        window = self._window
        if window is not None:
            if self._holder >= 0:
                return self._hold_at
            if window.at is not None:
                return window.at
            passes = [
                self._pass_at(seat, window, silent)
                for seat, view in enumerate(views)
                if view.window is not None and not view.window.passed
            ]
            return min((at for at in passes if at is not None), default=None)
        limits = [limit for seat, limit in self._limits.items() if self._live(limit, views[seat])]
        return min((limit.at for limit in limits if limit.at is not None), default=None)

    # ------------------------------------------------------------------------------------------------ what is shown
    def shown(self) -> tuple[object, ...]:
        """What everybody sees of the clocks, as deadlines: it changes when a clock is set, not as time goes by."""
        window = self._window
        prompts = tuple((seat, limit.at) for seat, limit in sorted(self._limits.items()) if self._tells(seat, limit))
        return (window and (window.id, window.at, window.left), self._holder >= 0 and self._hold_at, prompts)

    def _tells(self, seat: int, limit: _Limit) -> bool:
        return seat in self._public and limit.at is not None and not limit.hidden

    def timers(self, now: int, beat: int) -> wire.Timers:
        """The clocks in ms left. beat: those of the pause after a bot's act."""
        window = self._window
        timers = wire.Timers(beat=beat)
        if window is not None and window.full is not None:
            timers.window_full = window.full
            timers.window = max(0, window.at - now) if window.at is not None else (window.left or 0)
        if self._holder >= 0:
            timers.hold = max(0, self._hold_at - now)
        timers.prompts = {
            seat: max(0, limit.at - now)
            for seat, limit in sorted(self._limits.items())
            if limit.at is not None and self._tells(seat, limit)
        }
        return timers
