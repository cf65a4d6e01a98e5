"""A match's clocks: which window closes and which ask gets its default, and when. Core knows no time limits.

Times are ms of the match's own clock, which stands still while the match is paused. Clocks depend only on views. Those
that everybody sees depend on the public view, so that none reveals a pass or a secret answer; those of asks depend on
the seat's own view.

Each ask and window has its own limit, which restarts when a player does something visible or another question comes. So
that nobody can hold up the table in this way, each seat also has time banks (time_bank.py), which no action of the seat
refills.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from core.state.actions import Close, Default, Pass
from core.state.model import Ask
from core.state.views import View
from netcode.protocol import wire
from netcode.protocol.paces import PACE_LIMITS, Pace
from netcode.table.time_bank import Account, Purpose, TimeBank

KICK_WINDOW_MS = 1500
"""How long a kick window stays open, at any pace. While somebody plays alone with bots, it stays open until they
pass."""
HOLD_MS = 15_000
"""How long one hold stops the clock of a window; a hold of somebody alone lasts until they go on."""
SILENT_MS = 90_000
"""A seat that is silent for this long counts as having passed a window without a clock. Its time bank has at least this
much left after somebody else has changed the subject of the window."""
BOT_MS = 30_000
"""The time limit of a bot where people have none."""
BOT_PACE: Pace = "standard"
"""The pace whose time banks apply to bots."""
PHASES = ("ready", "kick", "trouble", "fight", "end")
"""Asks that are a phase of the seat's own turn; all others are prompts."""


class Due(Struct, frozen=True):
    """An action that is due: the host's own (seat -1), or one in the place of a silent seat."""

    seat: int
    action: Close | Default | Pass


class _Limit(Struct):
    """at: when the ask gets its default, None: never. hidden: whether people had no limit when it was set. bot: whether
    it was set for a bot."""

    ask: int
    kind: str
    at: int | None
    hidden: bool
    bot: bool


class _Window(Struct):
    """since: when it opened, plus the time during which it was held. full: its length in ms, None: no clock.
    match_point: its result would end the game. holder: who holds it; held_at: since when."""

    id: int
    kind: str
    seat: int
    since: int
    full: int | None
    match_point: bool
    holder: int = -1
    held_at: int = 0

    def left(self, now: int) -> int | None:
        """Return the ms left of its clock, which stands still while it is held; None: it has none."""
        passed = (self.held_at if self.holder >= 0 else now) - self.since
        return None if self.full is None else max(0, self.full - passed)


class Clocks:
    """All deadlines of one match. is_bot(seat): whether a bot plays it now (even without clocks a bot has a limit)."""

    def __init__(self, pace: Pace, is_bot: Callable[[int], bool]) -> None:
        self.pace: Pace = pace
        self.solo = False
        """Whether one person plays alone; then only bots have clocks."""
        self._is_bot = is_bot
        self._bank = TimeBank()
        self._window: _Window | None = None
        self._limits: dict[int, _Limit] = {}
        self._public: list[int] = []

    def update(self, public: View, views: Sequence[View], now: int, actor: int = -1) -> None:
        """Set, stop and drop clocks to match these views. now: ms. actor: the seat whose action led to them."""
        self._bank.scope(public.turn_no, public.fight.no if public.fight is not None else 0, now)
        self._update_window(public, now, actor)
        self._public = [deciding.seat for deciding in public.deciding]
        for seat, view in enumerate(views):
            if seat in self._limits or (view.you is not None and view.you.asks):
                self._update_asks(seat, view, now)
        self._bank.run(self._waited_for(public), now)

    def _update_window(self, public: View, now: int, actor: int) -> None:
        seen = public.window
        if seen is None:
            self._window = None
            return
        match_point = seen.kind != "kick" and public.fight is not None and public.fight.match_point
        window, full = self._window, self._length(seen.kind, match_point)
        if window is None or window.id != seen.id:
            window = self._window = _Window(seen.id, seen.kind, seen.seat, now, full, match_point)
            if match_point:
                self._give_time(public, actor, now)
        window.full, window.match_point = full, match_point
        if seen.holder >= 0 and window.holder < 0:
            window.held_at = now
        elif seen.holder < 0 <= window.holder:
            window.since += now - window.held_at
        window.holder = seen.holder

    def _length(self, kind: str, match_point: bool) -> int | None:
        if self.solo:
            return None
        if kind == "kick":
            return KICK_WINDOW_MS
        return None if match_point else PACE_LIMITS[self.pace].window_ms

    def _give_time(self, public: View, actor: int, now: int) -> None:
        """When a window opens again, give all seats except the actor time to read the act."""
        for seat in range(len(public.seats)):
            if seat != actor:
                account = self._account(seat, "match point")
                self._bank.leave_at_least(account, SILENT_MS, self._full(account), now)

    def _update_asks(self, seat: int, view: View, now: int) -> None:
        """Set the time limit of a seat's ask. It restarts when somebody else, a person or a bot, begins to play the
        seat. A seat that has answered in secret keeps its limit, so that the clock does not reveal the answer."""
        ask, limit = _first_ask(view), self._limits.get(seat)
        if ask is not None and (limit is None or (limit.ask, limit.kind) != (ask.id, ask.kind)):
            self._limits[seat] = self._limit(seat, ask.id, ask.kind, now)
        elif ask is None and seat not in self._public:
            self._limits.pop(seat, None)
        elif limit is not None and (limit.hidden, limit.bot) != (self._no_time_limit, self._is_bot(seat)):
            self._limits[seat] = self._limit(seat, limit.ask, limit.kind, now)

    @property
    def _no_time_limit(self) -> bool:
        """Whether people may take as long as they like; bots still have a limit, which is not shown."""
        return self.solo or PACE_LIMITS[self.pace].phase_ms is None

    def _limit(self, seat: int, ask: int, kind: str, now: int) -> _Limit:
        limits = PACE_LIMITS[self.pace]
        length = limits.phase_ms if kind in PHASES else limits.prompt_ms
        hidden, bot = self._no_time_limit, self._is_bot(seat)
        if hidden:
            length = BOT_MS if bot else None
        return _Limit(ask, kind, None if length is None else now + length, hidden, bot)

    def touch(self, seat: int, now: int) -> None:
        """Restart the clock of the seat's own phase, because the seat did something visible. Its time bank runs on."""
        limit = self._limits.get(seat)
        if limit is not None and limit.kind in PHASES:
            self._limits[seat] = self._limit(seat, limit.ask, limit.kind, now)

    # -------------------------------------------------------------------------------------------------- the time banks
    def _account(self, seat: int, purpose: Purpose) -> Account:
        return Account(seat, purpose, self._is_bot(seat))

    def _full(self, account: Account) -> int:
        """Return what this account holds in a new turn or fight, ms."""
        limits = PACE_LIMITS[BOT_PACE if account.bot else self.pace]
        if account.purpose == "phases":
            return limits.phases_ms
        return limits.questions_ms if account.purpose == "questions" else limits.match_point_ms

    def _waited_for(self, public: View) -> list[Account]:
        """Return the running accounts, determined by public facts, so that a pass or a secret answer does not stop one.
        While a window is held, the table waits only for its holder."""
        if public.window is None:
            return [
                self._account(deciding.seat, "phases" if deciding.kind in PHASES else "questions")
                for deciding in public.deciding
            ]
        if self._window is None or not self._window.match_point:
            return []
        holder = public.window.holder
        return [
            self._account(seat, "match point")
            for seat, shown in enumerate(public.seats)
            if (seat == holder if holder >= 0 else not shown.dead and seat != public.window.seat)
        ]

    def _running(self, seat: int) -> Account | None:
        """Return the running account of a seat; None if the table does not wait for the seat."""
        for account in self._bank.running:
            if account.seat == seat:
                return account
        return None

    def _empty_at(self, seat: int) -> int | None:
        """When the host acts for a seat because its time bank is empty, perhaps in the past; None if it does not act.

        It acts for bots, at match point, and for people at a pace with clocks; never for somebody who plays alone.
        """
        account = self._running(seat)
        if account is None or not (account.bot or self._binds_people(account)):
            return None
        return self._bank.ends_at(account, self._full(account))

    def _binds_people(self, account: Account) -> bool:
        return not self.solo and (account.purpose == "match point" or not self._no_time_limit)

    def is_overdue(self, seat: int, now: int) -> bool:
        """Whether anybody may call the default: the time bank of the seat is empty, or, for seat -1, a window without a
        clock has been open for as long as a bank of questions lasts."""
        window = self._window
        if seat < 0:
            limit = PACE_LIMITS[self.pace].questions_ms
            return window is not None and window.full is None and now - window.since >= limit
        account = self._running(seat)
        return account is not None and now >= self._bank.ends_at(account, self._full(account))

    # ------------------------------------------------------------------------------------------------- what is due
    def due(self, views: Sequence[View], silent_since: Callable[[int], int], now: int) -> Due | None:
        """Return the first action that is due. silent_since(seat): when (ms) the seat was last heard."""
        window = self._window
        if window is not None:
            held_until = self._held_until(window)
            if held_until is not None and now >= held_until:
                ask = self._hold_ask(views[window.holder])
                return Due(-1, Default(window.holder, ask)) if ask >= 0 else None
            if window.holder < 0 and window.left(now) == 0:
                return Due(-1, Close(window.id))
            return self._due_pass(window, views, silent_since, now)
        for seat in sorted(self._limits):
            at = self._ask_at(seat, views[seat])
            if at is not None and now >= at:
                return Due(-1, Default(seat, self._limits[seat].ask))
        return None

    def _held_until(self, window: _Window) -> int | None:
        """When the hold of this window ends; None if nobody holds it or its holder plays alone."""
        holder = window.holder
        return None if holder < 0 or (self.solo and not self._is_bot(holder)) else window.held_at + HOLD_MS

    def _ask_at(self, seat: int, view: View) -> int | None:
        """When the ask of a seat gets its default; None if never or if the seat has answered."""
        limit = self._limits[seat]
        if limit.at is None or view.you is None:
            return None
        for ask in view.you.asks:
            if ask.id == limit.ask:
                return self._within_bank(seat, limit.at)
        return None

    def _within_bank(self, seat: int, at: int) -> int:
        """Return when a limit ends: at `at`, or when the seat's time bank is empty."""
        empty_at = self._empty_at(seat)
        return at if empty_at is None else min(at, empty_at)

    def _hold_ask(self, view: View) -> int:
        asks = view.you.asks if view.you is not None else []
        return next((ask.id for ask in asks if ask.kind == "hold"), -1)

    def _pass_at(self, seat: int, window: _Window, silent_since: Callable[[int], int]) -> int | None:
        """When a seat counts as having passed a window without a clock, because it is silent or its time bank is empty;
        None: never. A bot may wait for the holder."""
        times = [self._empty_at(seat)]
        if self._is_bot(seat):
            times.append(window.since + BOT_MS if window.holder < 0 else None)
        elif not self._no_time_limit:
            times.append(max(window.since, silent_since(seat)) + SILENT_MS)
        return min((at for at in times if at is not None), default=None)

    def _due_pass(
        self, window: _Window, views: Sequence[View], silent_since: Callable[[int], int], now: int
    ) -> Due | None:
        for seat, at in self._pass_times(window, views, silent_since):
            if now >= at:
                return Due(seat, Pass(window.id))
        return None

    def _pass_times(
        self, window: _Window, views: Sequence[View], silent_since: Callable[[int], int]
    ) -> Iterator[tuple[int, int]]:
        """Yield each seat that has to pass a window without a clock, and when; a holder may finish the hold first."""
        for seat, view in enumerate(views):
            at = self._pass_at(seat, window, silent_since) if window.full is None else None
            if at is not None and seat != window.holder and view.window is not None and not view.window.passed:
                yield seat, at

    def next(self, views: Sequence[View], silent_since: Callable[[int], int]) -> int | None:
        """When the next action is due; None: never."""
        window = self._window
        if window is not None:
            times = [at for _, at in self._pass_times(window, views, silent_since)]
            held_until = self._held_until(window)
            if held_until is not None:
                times.append(held_until)
            elif window.full is not None and window.holder < 0:
                times.append(window.since + window.full)
            return min(times, default=None)
        asks = [at for seat in self._limits if (at := self._ask_at(seat, views[seat])) is not None]
        return min(asks, default=None)

    # ------------------------------------------------------------------------------------------------ what is shown
    def shown(self) -> tuple[object, ...]:
        """The clocks that everybody sees, as deadlines, so that the value stays equal until a clock is set."""
        window = self._window
        open_window = window and (window.id, window.since, window.full, window.holder, window.held_at)
        return (open_window, self._prompts(), self._banks())

    def _prompts(self) -> dict[int, int]:
        """When each ask that everybody sees gets its default, by seat."""
        ends = {}
        for seat in sorted(self._limits):
            limit = self._limits[seat]
            if seat in self._public and limit.at is not None and not limit.hidden:
                ends[seat] = self._within_bank(seat, limit.at)
        return ends

    def _banks(self) -> dict[int, int]:
        """When the time banks that everybody sees are empty, by seat: those of the seats that the table waits for. A
        person who plays alone is left out, and so are bots where people have no limit."""
        ends = {}
        for account in sorted(self._bank.running):
            if not (self._no_time_limit if account.bot else self.solo):
                ends[account.seat] = self._bank.ends_at(account, self._full(account))
        return ends

    def timers(self, now: int, bot_pause: int) -> wire.Timers:
        """The clocks in ms left. bot_pause: the ms left of the pause after a bot's action, -1: none."""
        window = self._window
        timers = wire.Timers(beat=bot_pause)
        if window is not None:
            left = window.left(now)
            if window.full is not None and left is not None:
                timers.window_full, timers.window = window.full, left
            held_until = self._held_until(window)
            if held_until is not None:
                timers.hold = max(0, held_until - now)
        timers.prompts = {seat: max(0, at - now) for seat, at in self._prompts().items()}
        timers.banks = {seat: max(0, at - now) for seat, at in self._banks().items()}
        return timers


def _first_ask(view: View) -> Ask | None:
    """Return the first ask of a seat, apart from its own hold of a window; None if there is none."""
    for ask in view.you.asks if view.you is not None else ():
        if ask.kind != "hold":
            return ask
    return None
