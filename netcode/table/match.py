"""One game at a table, from the deal to the winner: actions in order of arrival, those that wait, clocks, pace of bots.

The table hands in what arrived and asks now and then what is due; replies and journal rows leave through two callbacks.
Stamps are ns of the host's monotonic clock, everything else is ms of the round's own clock, which stands still in a
pause.
"""

from collections import deque
from collections.abc import Callable

import msgspec

from core.state.actions import AnyAction, Close, Default, Pass, Refusal, StepBack
from core.state.events import AnyEvent
from netcode.journal import SNAP_EVERY, ActRow, Row, SnapRow
from netcode.protocol import limits, wire
from netcode.protocol.paces import Pace
from netcode.table.autopass import AutoPass
from netcode.table.bot_pacing import BotPacer, Pending
from netcode.table.broadcast import Broadcaster
from netcode.table.clocks import Clocks, Due
from netcode.table.rules_adapter import RunningGame
from netcode.table.seats import Seating
from netcode.table.session import Session

RACE_MS = 2000
_TOO_LATE = ("stale", "changed")


class Match:
    """One game under way. reply(pending, answer): tell who acted; keep(row): put it into the journal."""

    def __init__(
        self,
        number: int,
        game: RunningGame,
        seating: Seating,
        pace: Pace,
        speed: wire.Speed,
        reply: Callable[[Pending, wire.Down], None],
        keep: Callable[[Row], None],
    ) -> None:
        self.number, self.game = number, game
        self.broadcaster = Broadcaster(len(seating.seats))
        self.auto = AutoPass()
        self.clocks = Clocks(pace, lambda seat: seating.seats[seat].played_by_bot)
        self.bot_pacer = BotPacer(speed)
        self.seq = 0
        self.log: list[tuple[int, bytes]] | None = []
        """Every action taken (seat and msgpack), for the case that the game is laid open; None: too many of them."""
        self._log_size = 0
        self._seating = seating
        self._reply, self._keep = reply, keep
        self._later: deque[Pending] = deque()
        self._revs: dict[int, tuple[int, int]] = {}
        self._rev = 0
        self._last_change = (-1, 0)
        self._now = self._stopped = 0
        self._paused_at = -1

    @property
    def winners(self) -> list[int]:
        """Who has won; empty as long as the game is on."""
        return self.broadcaster.public.winners if self.broadcaster.public is not None else []

    def start(self, events: list[AnyEvent], seq: int, now: int) -> None:
        """Begin: with what happened in dealing it, or after its seq-th action."""
        self._now, self.seq = now, seq
        self.broadcaster.happened(events)
        if seq == 0:
            self._keep(SnapRow(self.number, 0, self.game.save()))
        self.look()
        self._settle()

    # ------------------------------------------------------------------------------------------------------- actions
    def act(self, pending: Pending) -> None:
        """An action has arrived from somebody who may act for this seat."""
        self._now = pending.stamp // 1_000_000
        if sum(kept.session is pending.session for kept in self._later) >= limits.QUEUED_ACTIONS:
            self.refuse(pending, Refusal("later", "Four of your actions wait already until the card has been read."))
        elif self._must_wait(pending):
            self.bot_pacer.wait(pending)
            self._reply(pending, wire.Ack(pending.n, "queued"))
        else:
            self._play(pending)
            self._settle()

    def withdraw(self, session: Session) -> None:
        """Somebody takes back what still waits."""
        for pending in [pending for pending in self._later if pending.session is session]:
            self._later.remove(pending)
            self.refuse(pending, Refusal("withdrawn", "You took it back; the card is still in your hand."))

    def step_back(self, seat: int) -> None:
        """The table has agreed to take the last act back, as this seat asked. What it led to is on disk at once: from
        here on nobody needs to know how it came about."""
        if self._host(-1, StepBack(seat)):
            self._keep(SnapRow(self.number, self.seq, self.game.save()))
            self.auto.clear()
            self._settle()

    def _must_wait(self, pending: Pending) -> bool:
        """A bot's visible act waits while a person still reads the one before."""
        public = self.broadcaster.public
        paced = pending.session.role == "bot" and not isinstance(pending.action, Pass) and self._is_watched()
        return paced and public is not None and public.top != "setup" and self.bot_pacer.must_wait(self.clock())

    def _is_watched(self) -> bool:
        return self._seating.humans() > 0 or bool(self._seating.spectators)

    def _play(self, pending: Pending) -> bool:
        """Let the rules judge an action; False if it has to wait until a card has been read."""
        session, action = pending.session, pending.action
        if not self._seating.plays(session):
            self.refuse(pending, Refusal("bad", "Somebody else plays this seat now."))
            return True
        result = self.game.submit(session.seat, action)
        if isinstance(result, Refusal) and result.clause == "later":
            if pending not in self._later:
                self._later.append(pending)
                self._reply(pending, wire.Ack(pending.n, "queued"))
            return False
        if isinstance(result, Refusal):
            self.refuse(pending, result)
            return True
        self._journal(session.seat, action, session.s, pending.n, pending.stamp)
        self._reply(pending, wire.Ack(pending.n, "applied"))
        self._seating.seats[session.seat].defaults = 0
        self._happened(session.seat, action, result, pending.stamp)
        return True

    def _host(self, seat: int, action: AnyAction) -> bool:
        """The host acts, for itself (seat -1) or in a player's place; False if the rules refuse."""
        result = self.game.submit(seat, action)
        if isinstance(result, Refusal):
            return False
        stamp = self._now * 1_000_000
        self._journal(seat, action, None, 0, stamp)
        self._happened(-1, action, result, stamp)
        return True

    def _happened(self, actor: int, action: AnyAction, events: list[AnyEvent], stamp: int) -> None:
        """The rules have taken an action."""
        before = self._rev
        self.look()
        open_to_all = self._rev != before
        self.broadcaster.happened(events, None if open_to_all else actor)
        if not open_to_all:
            return
        self.auto.happened(actor, action)
        for rev in range(max(before + 1, self._rev - 8), self._rev + 1):
            self._revs[rev] = (actor, stamp)
        while len(self._revs) > 256:
            del self._revs[next(iter(self._revs))]
        self._last_change = (actor, stamp)
        if actor >= 0:
            self.clocks.touch(actor, self.clock())
            if self._seating.seats[actor].played_by_bot and self._is_watched():
                self.bot_pacer.shown(self.clock())

    def refuse(self, pending: Pending, refusal: Refusal) -> None:
        """Say no: why, and if somebody was faster, who and by how many ms of the host's stamps."""
        by, since, ms = refusal.by, self._revs.get(refusal.at), -1
        if by < 0 and refusal.clause in _TOO_LATE and self._last_change[0] not in (-1, pending.session.seat):
            by, since = self._last_change[0], self._last_change
        if by >= 0 and since is not None:
            ms = max(0, (pending.stamp - since[1]) // 1_000_000)
        if refusal.by < 0 and ms > RACE_MS:
            by = ms = -1  # so long ago that nobody would call it a race
        self._reply(pending, wire.Refused(pending.n, refusal, by, ms))

    def _settle(self) -> None:
        """Everything that follows by itself: actions that waited, passes for those who wished it."""
        while not self.winners and (self._retry_later() or self._pass_for_somebody()):
            continue
        if self.winners:
            for pending in [*self._later, *self.bot_pacer.give_up()]:
                self.refuse(pending, Refusal("bad", "The game is over."))
            self._later.clear()

    def _retry_later(self) -> bool:
        """Actions that waited for a card to be read, in order of arrival; True if one of them was judged."""
        for pending in list(self._later):
            if self._play(pending):
                self._later.remove(pending)
                return True
        return False

    def _pass_for_somebody(self) -> bool:
        wanted = self.auto.look(self.broadcaster.views)
        if wanted is None:
            return False
        if not self._host(wanted[0], Pass(wanted[1])):
            self.auto.off(wanted[0])
        return True

    def pass_for(self, seat: int, wish: bool) -> None:
        """A player wishes to be passed for until this fight changes, or no longer."""
        if wish:
            self.auto.on(seat, self.broadcaster.views[seat])
            self._settle()
        else:
            self.auto.off(seat)

    # --------------------------------------------------------------------------------------------------------- clocks
    def clock(self) -> int:
        """Ms of the round's own clock."""
        return (self._now if self._paused_at < 0 else self._paused_at) - self._stopped

    def at(self, now: int) -> None:
        """It is now (ms of the host)."""
        self._now = now

    def pause(self, pause: bool) -> None:
        """Stop or start the clocks."""
        if pause:
            self._paused_at = self._now
        else:
            self._stopped += self._now - self._paused_at
            self._paused_at = -1

    def shown(self) -> tuple[object, ...]:
        """What everybody sees of the clocks: it changes when one is set, stopped or let go on."""
        return (*self.clocks.shown(), self._paused_at, self._stopped)

    def timers(self) -> wire.Timers:
        """The clocks in ms left; none while they stand still."""
        if self._paused_at >= 0:
            return wire.Timers()
        return self.clocks.timers(self.clock(), self.bot_pacer.left(self.clock()))

    def look(self) -> None:
        """Bring views and clocks in line with the game."""
        public, views = self.game.views(len(self._seating.seats))
        self._rev = public.rev
        self.broadcaster.show(views, public)
        self.clocks.solo = self._seating.humans() == 1
        self.clocks.look(public, views, self.clock())

    def tick(self) -> None:
        """Do what is due."""
        self.play_paced()
        while not self.winners:
            due = self.clocks.due(self.broadcaster.views, self._silent, self.clock())
            if due is None or not self._run_out(due):
                return
            self._settle()

    def play_paced(self) -> None:
        """Let bots act whose moment has come."""
        while not self.winners and (pending := self.bot_pacer.due(self.clock())) is not None:
            self._play(pending)
            self._settle()

    def skip_pause(self) -> None:
        """Somebody has read what a bot did: the next one may act."""
        self.bot_pacer.skip(self.clock())
        self.play_paced()

    def _run_out(self, due: Due) -> bool:
        """A clock ran out. False if the rules refuse, which would be a fault of the clocks."""
        if due.what == "close":
            return self._host(-1, Close(due.id))
        if due.what == "pass":
            return self._host(due.seat, Pass(due.id))
        seat = self._seating.seats[due.seat]
        seat.defaults += 1
        if seat.defaults >= 2 and self._seating.humans() > 1:
            self._seating.away(due.seat)
            self.clocks.taken_over(due.seat)
        return self._host(-1, Default(due.seat, due.id))

    def call_default(self, number: int) -> str:
        """The owner lets the clock run out by hand: for the open window, or a seat's ask (-1: the first). What
        forbids it, or ""."""
        public = self.broadcaster.public
        if public is not None and public.window is not None:
            done = self._host(-1, Close(public.window.id))
        else:
            asked = [
                Default(seat, view.you.asks[0].id)
                for seat, view in enumerate(self.broadcaster.views)
                if view.you is not None and view.you.asks and number in (-1, seat)
            ]
            done = bool(asked) and self._host(-1, asked[0])  # who has answered a call already is not told apart
        self._settle()
        secret = public is not None and any(deciding.seat == number for deciding in public.deciding)
        return "" if done or secret else "nobody is being waited for there"

    def _silent(self, seat: int) -> int:
        return self._seating.seats[seat].acted_at - self._stopped

    def next_ms(self) -> int | None:
        """When something is due, in ms of the host; None: nothing."""
        times = [self.clocks.next(self.broadcaster.views, self._silent), self.bot_pacer.next()]
        return min((at + self._stopped for at in times if at is not None), default=None)

    def _journal(self, seat: int, action: AnyAction, s: bytes | None, n: int, stamp: int) -> None:
        self.seq += 1
        data = msgspec.msgpack.encode(action)
        self._keep(ActRow(self.number, self.seq, seat, data, s, n, stamp))
        self._note(seat, data)
        if self.seq % SNAP_EVERY == 0:
            self._keep(SnapRow(self.number, self.seq, self.game.save()))

    def _note(self, seat: int, action: bytes) -> None:
        """For the case that the game is laid open."""
        if self.log is not None:
            self.log.append((seat, action))
            self._log_size += len(action)
            if self._log_size > limits.GAME_LOG_BYTES:
                self.log = None
