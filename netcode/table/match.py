"""One match at a table, from the deal to the winner: actions in order of arrival, actions that wait, clocks, bot pace.

The table passes in what arrived and calls `tick` when something is due; replies and journal rows leave through two
callbacks. Stamps are ns of the host's monotonic clock; all other times are ms of the match's own clock, which stops
during a pause.
"""

from collections import deque
from collections.abc import Callable

import msgspec

from core.state.actions import AnyAction, Close, Default, Pass, Refusal, StepBack
from core.state.events import AnyEvent
from core.state.refusals import TOO_LATE
from core.state.views import View
from netcode.journal import SNAP_EVERY, ActRow, Row, SnapRow
from netcode.protocol import limits, wire
from netcode.protocol.paces import Pace
from netcode.table.auto_pass import AutoPass
from netcode.table.bot_pacing import BotPacer, Pending
from netcode.table.broadcast import Broadcaster, Past
from netcode.table.clocks import Clocks, Due
from netcode.table.patience import Patience, concerns
from netcode.table.reached import reached_row
from netcode.table.rules_adapter import RunningGame
from netcode.table.seats import Seating
from netcode.table.session import Session

_UNDONE = Refusal("changed", "The action that you answered has been undone: look again.")
_CHANGED = Refusal("changed", "Something has happened since: look again.")


class Match:
    """One game under way. reply(pending, answer): answer an action. keep(row): put a row into the journal."""

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
        self.patience = Patience()
        self.seq = 0
        self.log: list[tuple[int, bytes]] | None = []
        """Every action taken (seat and msgpack), in case the game is revealed; None: too many to keep."""
        self._log_size = 0
        self.rules: list[str] = []
        """The rules that it has been played by (netcode/protocol/played_rules.py)."""
        self._seating = seating
        self._reply, self._keep = reply, keep
        self._later: deque[Pending] = deque()
        """Actions that wait until a card has been read, in order of arrival."""
        self._changes: dict[int, tuple[int, int]] = {}
        """The seat that made each revision of the view, and the stamp."""
        self._rev = 0
        self._last_change = (-1, 0)
        self._closed = (-1, -1, 0)
        """The last window that a clock has closed, the revision of the view in which it had, and the stamp."""
        self._undoable: wire.UndoInfo | None = None
        """The action that the table could undo after the last visible change."""
        self.now = self._paused_ms = 0
        """now: ms of the host's clock."""
        self._paused_at = self._free_at = -1
        self._stops: set[str] = set()
        """The reasons why the match's clock stands still: a pause, or bots that wait for somebody alone."""

    @property
    def winners(self) -> list[int]:
        """Who has won; empty as long as the game is on."""
        return self.broadcaster.public.winners if self.broadcaster.public is not None else []

    @property
    def turn(self) -> tuple[int, int]:
        """The ordinal number of this match, and that of the turn in it."""
        return self.number, self.broadcaster.public.turn_no if self.broadcaster.public is not None else 0

    def start(self, past: Past, seq: int, now: int) -> None:
        """Begin after the seq-th action (0: the deal). past: the events so far, including those for one seat only."""
        self.now, self.seq = now, seq
        for events, only in past:
            self.broadcaster.happened(events, only)
        if seq == 0:
            self._keep(SnapRow(self.number, 0, self.game.save()))
        self.refresh()
        self._note_undo()
        self._settle()

    # -------------------------------------------------------------------------------------------------------- actions
    def act(self, pending: Pending) -> None:
        """Take an action that has arrived from somebody who may act for this seat."""
        self.now = pending.stamp // 1_000_000
        waiting = [one for one in self._later if one.session is pending.session] if self._later else ()
        if len(waiting) >= limits.QUEUED_ACTIONS:
            self._refuse(pending, Refusal("later", "Four of your actions already wait for the card to be read."))
        elif self._must_wait(pending):
            self.bot_pacer.wait(pending)
            self._reply(pending, wire.Ack(pending.n, "queued"))
        else:
            self._judge(pending)
            self._settle()

    def withdraw(self, session: Session) -> None:
        """Drop the actions of a session that still wait."""
        for pending in [pending for pending in self._later if pending.session is session]:
            self._later.remove(pending)
            self._refuse(pending, Refusal("withdrawn", "You took it back; the card is still in your hand."))

    def undoable(self) -> list[wire.UndoInfo | None]:
        """Return for each seat the action that its undo would take back. Secret actions of other seats never change
        this."""
        seats, alone = len(self._seating.seats), self._seating.alone
        if alone < 0:
            return [None if self.winners else self._undoable] * seats
        found: list[wire.UndoInfo | None] = [None] * seats
        if self.game.has_acted(alone):
            found[alone] = wire.UndoInfo(alone)
        return found

    def _note_undo(self) -> None:
        mark = self.game.last()
        self._undoable = wire.UndoInfo(mark.seat, mark.what) if mark is not None else None

    def undo(self, seat: int) -> None:
        """Undo the last action, as the table has agreed; seat: who asked for it."""
        self._go_back(StepBack(seat))

    def take_back(self, seat: int) -> str:
        """Undo the last choice of a seat that is alone with bots, whatever has happened since. Return the reason of a
        refusal, or ""."""
        number = self.game.last_choice(seat)
        if not number:
            return "nothing is left to take back: this is where the game began, or was found again"
        return "" if self._go_back(StepBack(seat, number)) else "this cannot be taken back: the host has logged why"

    def _go_back(self, back: StepBack) -> bool:
        """Carry out an undo; return False if the game refuses. Waiting actions are refused, because they were decided
        in the undone state. The new state goes to the journal at once, so that nothing before it has to be replayed."""
        if not self._act_as_host(-1, back):
            return False
        self._keep(SnapRow(self.number, self.seq, self.game.save()))
        self.auto.clear()
        waiting = [*self._later, *self.bot_pacer.give_up()]
        self._later.clear()
        for pending in waiting:
            self._refuse(pending, _UNDONE)
        self.patience.acted()
        self._hold(self._seating.alone)
        self._settle()
        return True

    def _must_wait(self, pending: Pending) -> bool:
        """Whether this is a visible action of a bot while people still read the previous one."""
        public = self.broadcaster.public
        paced = pending.session.role == "bot" and not isinstance(pending.action, Pass) and self._seating.watched()
        return paced and public is not None and public.top != "setup" and self.bot_pacer.must_wait(self.clock())

    def _judge(self, pending: Pending) -> bool:
        """Let the rules judge an action; return False if it has to wait until a card has been read."""
        session, action = pending.session, pending.action
        if not self._seating.plays(session):
            self._refuse(pending, Refusal("bad", "Somebody else plays this seat now."))
            return True
        result = self.game.submit(session.seat, action)
        if isinstance(result, Refusal) and result.clause == "later":
            if pending not in self._later:
                self._later.append(pending)
                self._reply(pending, wire.Ack(pending.n, "queued"))
            return False
        if isinstance(result, Refusal):
            self._refuse(pending, result)
            return True
        self._journal(session.seat, action, session.s, pending.n, pending.stamp)
        self._reply(pending, wire.Ack(pending.n, "applied"))
        self._seating.seats[session.seat].defaults = 0
        self._happened(session.seat, action, result, pending.stamp)
        return True

    def _act_as_host(self, seat: int, action: AnyAction) -> bool:
        """Act for the host itself (seat -1) or in a player's place; return False if the rules refuse."""
        result = self.game.submit(seat, action)
        if isinstance(result, Refusal):
            return False
        stamp = self.now * 1_000_000
        self._journal(seat, action, None, 0, stamp)
        self._happened(-1, action, result, stamp)
        if isinstance(action, Close):
            self._closed = (action.window, self._rev, stamp)
        return True

    def _happened(self, actor: int, action: AnyAction, events: list[AnyEvent], stamp: int) -> None:
        """Note the public part of an action that the rules have accepted."""
        before, known = self._rev, self.broadcaster.public
        self.refresh(actor)
        visible = self._rev != before
        self.broadcaster.happened(events, None if visible else actor)
        self._note_for_patience(actor, action, events, known if visible else None)
        if not visible:
            return
        self._note_undo()
        self.auto.happened(actor, action)
        for rev in range(max(before + 1, self._rev - 8), self._rev + 1):
            self._changes[rev] = (actor, stamp)
        while len(self._changes) > 256:
            del self._changes[next(iter(self._changes))]
        self._last_change = (actor, stamp)
        if actor >= 0:
            self.clocks.touch(actor, self.clock())
            if self._seating.seats[actor].played_by_bot and self._seating.watched():
                self.bot_pacer.shown(self.clock(), self._words_to_read(known, events))

    def _words_to_read(self, known: View | None, events: list[AnyEvent]) -> int:
        """Return how many words a player who is alone with bots reads of what one of them has done; 0 if it does not
        concern them. known: the public view before."""
        person = self._seating.alone
        if person < 0 or known is None or not self.patience.reads:
            return 0
        watched = bool(self._seating.spectators)
        if not concerns(known, self.broadcaster.views[person], events, person, watched):
            return 0
        reader = -1 if watched else person
        return self.game.words(reader, known, events, [seat.name for seat in self._seating.seats])

    def _note_for_patience(self, actor: int, action: AnyAction, events: list[AnyEvent], known: View | None) -> None:
        """Decide whether bots now wait for a player who is alone. known: the public view before; None: nothing public
        has happened."""
        person, public = self._seating.alone, self.broadcaster.public
        if person < 0 or public is None:
            return
        if actor == person:
            if isinstance(action, Pass):
                self.patience.key(self.broadcaster.views[person])
            else:
                self.patience.acted()
            for pending in self.bot_pacer.give_up() if known is not None else ():
                self._refuse(pending, _CHANGED)
        elif known is not None:
            bot = actor >= 0 and not isinstance(action, Pass)
            self.patience.note_act(known, public, events, bot, person)
        self._hold(person)

    def _hold(self, person: int) -> None:
        """Hold back the bots' next acts and stop their clocks while they wait for somebody alone (person; -1: nobody is
        alone); otherwise let them continue."""
        held = person >= 0 and not self.winners and self.patience.holds(self.broadcaster.views[person])
        if held != self.bot_pacer.held:
            self.bot_pacer.held = held
            self._stop("hold", held)

    def _refuse(self, pending: Pending, refusal: Refusal) -> None:
        """Refuse an action with the reason and, if somebody was faster, who it was and by how many ms (between the
        host's stamps)."""
        by, change, ms = refusal.by, self._changes.get(refusal.at), -1
        if by < 0 and refusal.clause in TOO_LATE and self._last_change[0] not in (-1, pending.session.seat):
            by, change = self._last_change[0], self._last_change
        if by >= 0 and change is not None:
            ms = max(0, (pending.stamp - change[1]) // 1_000_000)
        if refusal.by < 0 and ms > limits.RACE_MS:
            by = ms = -1
        if by < 0:
            ms = self._late(pending)
        self._reply(pending, wire.Refused(pending.n, refusal, by, ms))

    def _late(self, pending: Pending) -> int:
        """Return by how many ms an action came too late for the window in which it was decided, -1 if it did not."""
        window, rev, closed = self._closed
        ms, action = (pending.stamp - closed) // 1_000_000, pending.action
        before = getattr(action, "window", -2) == window or 0 <= getattr(action, "seen", -1) < rev
        return ms if before and 0 <= ms <= limits.RACE_MS else -1

    def _settle(self) -> None:
        """Do the work that needs no further message: actions that waited, automatic passes."""
        while (self._later or self.auto.marks) and not self.winners and (self._retry_later() or self._auto_pass()):
            continue
        if self.winners:
            for pending in [*self._later, *self.bot_pacer.give_up()]:
                self._refuse(pending, Refusal("bad", "The game is over."))
            self._later.clear()

    def _retry_later(self) -> bool:
        """Judge the first action that no longer has to wait for a card to be read; return False if there is none."""
        for pending in list(self._later):
            if self._judge(pending):
                self._later.remove(pending)
                return True
        return False

    def _auto_pass(self) -> bool:
        """Pass once for a seat that asked for it; return False if there is none."""
        wanted = self.auto.next(self.broadcaster.views)
        if wanted is None:
            return False
        seat, window = wanted
        if not self._act_as_host(seat, Pass(window)):
            self.auto.off(seat)
        return True

    def pass_for(self, session: Session, wanted: bool) -> None:
        """Begin or stop passing for the seat of a session until this fight changes."""
        if wanted:
            self.auto.on(session, self.broadcaster.views[session.seat])
            self._settle()
        else:
            self.auto.off(session.seat)

    # --------------------------------------------------------------------------------------------------------- clocks
    def clock(self) -> int:
        """The time on the match's own clock, ms."""
        return (self.now if self._paused_at < 0 else self._paused_at) - self._paused_ms

    def pause(self, pause: bool, free_at: int = -1) -> None:
        """Stop the clocks, or restart them. free_at: when anybody may restart them, in ms of the host's clock (-1: they
        restart by themselves)."""
        self._free_at = free_at
        self._stop("pause", pause)

    def _stop(self, why: str, stop: bool) -> None:
        """Add or remove a reason why the match's clock stands still."""
        before = bool(self._stops)
        self._stops = self._stops | {why} if stop else self._stops - {why}
        if self._stops and not before:
            self._paused_at = self.now
        elif before and not self._stops:
            self._paused_ms += self.now - self._paused_at
            self._paused_at = -1

    def shown(self) -> tuple[object, ...]:
        """A value that changes when a clock that everybody sees is set, stopped or started."""
        stopped = (self._paused_at, self._paused_ms, self._free_at, "pause" in self._stops)
        return (*self.clocks.shown(), *stopped, self.bot_pacer.until, self.bot_pacer.held)

    def timers(self) -> wire.Timers:
        """The clocks in ms left; during a pause only when anybody may end it."""
        if "pause" in self._stops:
            return wire.Timers(pause=max(0, self._free_at - self.now) if self._free_at >= 0 else -1)
        timers = self.clocks.timers(self.clock(), self.bot_pacer.left(self.clock()))
        timers.waits = self.bot_pacer.held
        return timers

    def refresh(self, actor: int = -1) -> None:
        """Update the views and the clocks from the state of the game. actor: the seat that has just changed it."""
        public, views = self.game.views(len(self._seating.seats))
        self._rev = public.rev
        self.broadcaster.show(views, public, self.game.forecasts, self.game.veiled)
        person = self._seating.alone
        self.auto.keep(self._seating.seats)
        self.clocks.solo = person >= 0
        self.game.remember(self.clocks.solo)
        self.clocks.update(public, views, self.clock(), actor)
        self._hold(person)

    def tick(self) -> None:
        """Run due work: bots whose pause is over, clocks that ran out."""
        self._play_paced()
        while not self.winners:
            due = self.clocks.due(self.broadcaster.views, self._silent_since, self.clock())
            if due is None or not self._run_out(due):
                return
            self._settle()

    def _play_paced(self) -> None:
        """Let bots act whose pause is over."""
        while not self.winners and (pending := self.bot_pacer.due(self.clock())) is not None:
            self._judge(pending)
            self._settle()

    def skip_pause(self, seat: int) -> None:
        """End the bot pause: somebody (seat; -1: a spectator) has read what the bot did."""
        if seat >= 0 and seat == self._seating.alone:
            self.patience.key(self.broadcaster.views[seat])
            self._hold(seat)
        self.bot_pacer.skip(self.clock())
        self._play_paced()

    def wait_after(self, waits: wire.Waits) -> None:
        """Let bots wait after these acts for a player who is alone with them."""
        self.patience.set(waits)
        self._hold(self._seating.alone)

    def _run_out(self, due: Due) -> bool:
        """Act for a clock that ran out. Return False if the rules refuse, which would be an internal error of the
        clocks."""
        if isinstance(due.action, Default):
            number = due.action.seat
            seat = self._seating.seats[number]
            seat.defaults += 1
            if seat.defaults >= 2 and self._seating.humans() > 1:
                self._seating.away(number)
        return self._act_as_host(due.seat, due.action)

    def call_default(self, number: int) -> str:
        """Apply the default at the owner's request: to the open window, or to the ask of seat `number` (-1: the first
        seat asked). Return what forbids it, or "". The answer does not reveal whether a seat has answered in secret."""
        public = self.broadcaster.public
        if public is not None and public.window is not None:
            done = self._act_as_host(-1, Close(public.window.id))
        else:
            asked = [
                Default(seat, view.you.asks[0].id)
                for seat, view in enumerate(self.broadcaster.views)
                if view.you is not None and view.you.asks and number in (-1, seat)
            ]
            done = bool(asked) and self._act_as_host(-1, asked[0])
        self._settle()
        secret = public is not None and any(deciding.seat == number for deciding in public.deciding)
        return "" if done or secret else "nobody is being waited for there"

    def _silent_since(self, seat: int) -> int:
        return self._seating.seats[seat].acted_at - self._paused_ms

    def next_ms(self) -> int | None:
        """When something is due, in ms of the host's clock; None if never or if the clock stands still."""
        if self._stops:
            return None
        times = [self.clocks.next(self.broadcaster.views, self._silent_since), self.bot_pacer.next()]
        return min((at + self._paused_ms for at in times if at is not None), default=None)

    # -------------------------------------------------------------------------------------------------------- journal
    def _journal(self, seat: int, action: AnyAction, s: bytes | None, n: int, stamp: int) -> None:
        self.seq += 1
        data = msgspec.msgpack.encode(action)
        self._keep(ActRow(self.number, self.seq, seat, data, s, n, stamp))
        self._log(seat, data)
        state = self.game.save()
        self._keep(reached_row(self.number, self.seq, state))
        if self.seq % SNAP_EVERY == 0:
            self._keep(SnapRow(self.number, self.seq, state))

    def _log(self, seat: int, action: bytes) -> None:
        """Note an action in case the game is revealed, unless the log is full."""
        if self.log is not None:
            self.log.append((seat, action))
            self._log_size += len(action)
            if self._log_size > limits.GAME_LOG_BYTES:
                self.log = None
