"""A match's clocks: which window closes and which ask gets its default, and when. Core knows no time limits.

Times are ms of the match's own clock, which stands still while the match is paused. Clocks depend only on views: those
that everybody sees on the public view, so that none reveals a pass or a secret answer; those of asks on the seat's own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.state.actions import Close, Default, Pass
from core.view import View
from netcode.protocol import wire
from netcode.protocol.paces import PACE_LIMITS, Pace

KICK_WINDOW_MS = 1500
"""How long a kick window stays open, at any pace."""
HOLD_MS = 15_000
"""How long one hold stops the clock of a window."""
SILENT_MS = 90_000
"""Silence after which a seat counts as having passed a window without a clock."""
BOT_MS = 30_000
"""The limit of a bot where people have none."""
PHASES = ("ready", "kick", "trouble", "fight", "end")
"""Asks that are a phase of the seat's own turn; every other one is a prompt."""


@dataclass(frozen=True)
class Due:
    """An action that is due: by the host itself (seat -1), or in the place of a seat that has been silent."""

    seat: int
    action: Close | Default | Pass


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
    """The ms left when somebody held it."""


class Clocks:
    """All deadlines of one match. is_bot(seat): whether a bot plays it now (even without clocks a bot has a limit)."""

    def __init__(self, pace: Pace, is_bot: Callable[[int], bool]) -> None:
        self.pace: Pace = pace
        self.solo = False
        """Whether one person plays alone: then only the kick window has a clock."""
        self._is_bot = is_bot
        self._window: _Window | None = None
        self._holder, self._hold_at = -1, 0
        self._limits: dict[int, _Limit] = {}
        self._public: tuple[int, ...] = ()

    def update(self, public: View, views: Sequence[View], now: int) -> None:
        """Set, stop and drop clocks so that they fit these views. now: ms."""
        self._update_window(public, now)
        self._public = tuple(deciding.seat for deciding in public.deciding)
        for seat, view in enumerate(views):
            self._update_asks(seat, view, now)

    def _update_window(self, public: View, now: int) -> None:
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

    def _update_asks(self, seat: int, view: View, now: int) -> None:
        asks = [ask for ask in view.you.asks if ask.kind != "hold"] if view.you is not None else []
        if not asks:
            if seat not in self._public:
                self._limits.pop(seat, None)
            return
        ask = asks[0]
        limit = self._limits.get(seat)
        if limit is None or limit.ask != ask.id or limit.kind != ask.kind or limit.hidden != self._no_time_limit:
            self._limits[seat] = self._limit(seat, ask.id, ask.kind, now)

    @property
    def _no_time_limit(self) -> bool:
        """Whether people may take as long as they like; bots still have a limit, which is not shown."""
        return self.solo or self.pace == "relaxed"

    def _limit(self, seat: int, ask: int, kind: str, now: int) -> _Limit:
        limits = PACE_LIMITS[self.pace]
        length = limits.phase_ms if kind in PHASES else limits.prompt_ms
        hidden = self._no_time_limit
        if hidden:
            length = BOT_MS if self._is_bot(seat) else None
        return _Limit(ask, kind, None if length is None else now + length, hidden)

    def touch(self, seat: int, now: int) -> None:
        """Restart the clock of the seat's own phase, since the seat did something visible."""
        limit = self._limits.get(seat)
        if limit is not None and limit.kind in PHASES:
            self._limits[seat] = self._limit(seat, limit.ask, limit.kind, now)

    def taken_over(self, seat: int) -> None:
        """Restart the seat's limit at the next `update`, since somebody else plays the seat from now on."""
        self._limits.pop(seat, None)

    # ------------------------------------------------------------------------------------------------- what is due
    def due(self, views: Sequence[View], silent_since: Callable[[int], int], now: int) -> Due | None:
        """Return the first action that is due. silent_since(seat): when (ms) the seat was last heard."""
        window = self._window
        if window is not None:
            if window.at is not None and now >= window.at:
                return Due(-1, Close(window.id))
            if self._holder >= 0 and now >= self._hold_at:
                ask = self._hold_ask(views[self._holder])
                return Due(-1, Default(self._holder, ask)) if ask >= 0 else None
            if window.full is None and self._holder < 0:
                return self._due_pass(window, views, silent_since, now)
            return None
        for seat, limit in sorted(self._limits.items()):
            if limit.at is not None and now >= limit.at and self._live(limit, views[seat]):
                return Due(-1, Default(seat, limit.ask))
        return None

    def _live(self, limit: _Limit, view: View) -> bool:
        return view.you is not None and any(ask.id == limit.ask for ask in view.you.asks)

    def _hold_ask(self, view: View) -> int:
        asks = view.you.asks if view.you is not None else []
        return next((ask.id for ask in asks if ask.kind == "hold"), -1)

    def _pass_at(self, seat: int, window: _Window, silent_since: Callable[[int], int]) -> int | None:
        """When a silent seat counts as having passed a window without a clock; None: never."""
        if self._is_bot(seat):
            return window.since + BOT_MS
        if self._no_time_limit:
            return None
        return max(window.since, silent_since(seat)) + SILENT_MS

    def _due_pass(
        self, window: _Window, views: Sequence[View], silent_since: Callable[[int], int], now: int
    ) -> Due | None:
        for seat, view in enumerate(views):
            at = self._pass_at(seat, window, silent_since)
            if at is not None and now >= at and view.window is not None and not view.window.passed:
                return Due(seat, Pass(window.id))
        return None

    def next(self, views: Sequence[View], silent_since: Callable[[int], int]) -> int | None:
        """When the next action is due; None: never."""
        window = self._window
        if window is not None:
            if self._holder >= 0:
                return self._hold_at
            if window.at is not None:
                return window.at
            passes = [
                self._pass_at(seat, window, silent_since)
                for seat, view in enumerate(views)
                if view.window is not None and not view.window.passed
            ]
            return min((at for at in passes if at is not None), default=None)
        limits = [limit for seat, limit in self._limits.items() if self._live(limit, views[seat])]
        return min((limit.at for limit in limits if limit.at is not None), default=None)

    # ------------------------------------------------------------------------------------------------ what is shown
    def shown(self) -> tuple[object, ...]:
        """The clocks that everybody sees, as deadlines: equal until one is set, however much time passes."""
        window = self._window
        limits = sorted(self._limits.items())
        prompts = tuple((seat, limit.at) for seat, limit in limits if self._is_public(seat, limit))
        return (window and (window.id, window.at, window.left), self._holder >= 0 and self._hold_at, prompts)

    def _is_public(self, seat: int, limit: _Limit) -> bool:
        return seat in self._public and limit.at is not None and not limit.hidden

    def timers(self, now: int, bot_pause: int) -> wire.Timers:
        """The clocks in ms left. bot_pause: the ms left of the pause after a bot's action, -1: none."""
        window = self._window
        timers = wire.Timers(beat=bot_pause)
        if window is not None and window.full is not None:
            timers.window_full = window.full
            timers.window = max(0, window.at - now) if window.at is not None else (window.left or 0)
        if self._holder >= 0:
            timers.hold = max(0, self._hold_at - now)
        timers.prompts = {
            seat: max(0, limit.at - now)
            for seat, limit in sorted(self._limits.items())
            if limit.at is not None and self._is_public(seat, limit)
        }
        return timers
