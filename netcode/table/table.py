"""One table: lets people in, takes their messages in order of arrival, and decides which messages each of them gets.

No sockets here: `take` returns the messages to send and the journal rows that must be on disk before. Stamps are ns of
the host's monotonic clock, taken when a message was read; all other times are ms of the same clock.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from netcode.journal import FactRow, Row
from netcode.protocol import limits, wire
from netcode.protocol.credentials import token_hash
from netcode.protocol.paces import Pace
from netcode.table.admin import administer, forbidden
from netcode.table.bot_pacing import Pending
from netcode.table.bot_talk import BotTalk, Moment
from netcode.table.broadcast import Broadcaster, ClockNews
from netcode.table.delayed_spectators import DelayedSpectators
from netcode.table.lifecycle import RestoredMatch, TableLifecycle
from netcode.table.match import Match
from netcode.table.owner_news import owner_news
from netcode.table.rollback_reports import RollbackReports
from netcode.table.rules_adapter import GameFactory
from netcode.table.seats import FLOODED
from netcode.table.session import Out, Session
from netcode.table.shared_seats import ELSEWHERE
from netcode.table.table_record import entry_row, seat_row
from netcode.table.table_setup import TableConfig


class Table:
    """One table from its opening to its closing."""

    def __init__(
        self, config: TableConfig, deal: GameFactory, seed: Callable[[int], bytes], epoch: int = 1
    ) -> None:
        """deal: makes games. seed(n): the seed of the nth game. epoch: counts the starts of the host."""
        self.config, self.epoch = config, epoch
        self.lifecycle = TableLifecycle(config, deal, seed, self._reply, self._keep)
        self.seating, self.dealing = self.lifecycle.seating, self.lifecycle.dealing
        self.closed = self.ended = False
        self.kept = True
        """Whether a restarted host has this table again: there is a journal."""
        self.places: Sequence[wire.Place] = ()
        """Where the hosts of the club are, this one first; the host replaces it."""
        self.notice = ""
        """A sentence in the talk from the host for everybody who comes in."""
        self._rollback_reports = RollbackReports()
        self._bot_talk = BotTalk()
        self.delayed = DelayedSpectators(config.watch_delay) if config.watch_delay else None
        self._out: list[Out] = []
        self._answers: list[tuple[Session, wire.Down]] = []
        self._rows: list[Row] = []
        self._entry: Row | None = None
        self._waiting_room = Broadcaster()
        self._stamp = self._now = 0
        self._sent_info = self.info()

    @property
    def stage(self) -> str:
        """lobby (the waiting room), playing, paused or over."""
        return self.lifecycle.stage

    @property
    def pace(self) -> Pace:
        """How long windows and prompts last."""
        return self.lifecycle.pace

    @property
    def match(self) -> Match | None:
        """The current match, or the last one; None before the first."""
        return self.lifecycle.match

    def info(self) -> wire.TableInfo:
        """The table as everybody sees it."""
        return self.lifecycle.info(self._now)

    def restore(self, restored: RestoredMatch, stamp: int) -> None:
        """Continue a match from the journal. stamp: ns."""
        self._at(stamp)
        self.lifecycle.restore(restored, self._now)

    # ------------------------------------------------------------------------------------------------------ coming in
    def hello(self, hello: wire.Hello, key: str, address: bytes, stamp: int, where: str = "") -> Session | None:
        """Let somebody in and return the session (`take` has its Welcome), or send a refusal and return None. key:
        their CURVE key. where: their network address, or the label of a guest."""
        self._at(stamp)
        known = self.seating.sessions()
        got = self.seating.hello(hello, key, address, self._now, self.lifecycle.on, where)
        if not isinstance(got, Session):
            self._out.append(Out(address, got))
            self._publish()
            return None
        if got.address is not None and got.address != address:
            self._out.append(Out(got.address, wire.Bye("superseded", got.moved_by or ELSEWHERE)))
        got.moved_by, got.where = "", where
        got.address, got.heard_at, got.whole, got.seq = address, self._now, True, 0
        got.strings, got.knocks, got.forecasts, got.veiled = None, wire.Knocks(), hello.forecasts, hello.veiled
        # nobody gets more than the newest of the events from before they had the seat
        got.told = hello.heard if got in known and hello.game == self.lifecycle.games else -1
        if self.lifecycle.on:
            self.dealing.consent.include()
        self.lifecycle.begin_if_ready(self._now)
        token, info = got.next_token(token_hash(hello.token)), self._info_for(got)
        beat, kept = limits.HEARTBEAT_MS, self.kept
        places = list(self.places)
        self._send(got, wire.Welcome(wire.WIRE, got.s, got.seat, token, self.epoch, beat, info, got.n, kept, places))
        if self.notice:
            self._send(got, wire.Talk(-1, "the host", self.notice))
        self.seating.changed = True
        self._publish()
        rev = self.match.broadcaster.public.rev if self.match is not None and self.match.broadcaster.public else 0
        self._rollback_reports.note(hello, got, self.lifecycle.games, rev)
        for session in self._undelayed():
            for claim in self._rollback_reports.news(session) if session.address is not None else []:
                self._send(session, claim)
        return got

    def _info_for(self, session: Session) -> wire.TableInfo:
        """The table as this session sees it."""
        delayed = self.delayed if session.seat < 0 else None
        return self.info() if delayed is None else delayed.info(self.info())

    def unreachable(self, session: Session, stamp: int) -> None:
        """Note that the connection of a session is gone. stamp: ns."""
        self._at(stamp)
        self.seating.unreachable(session, self._now)
        self._publish()

    # ------------------------------------------------------------------------------------------------------- messages
    def message(self, session: Session, message: wire.Up, stamp: int) -> None:
        """Handle a message of somebody who was let in."""
        self._at(stamp)
        session.heard(self._now)
        admitted, wait = session.admit(message, self._now)
        if admitted is not None:
            self._handle(session, admitted)
        elif message.newest:
            return  # `tick` handles the newest one: a flood changes nothing and is not answered
        else:
            self._refuse_flood(session, message, wait)
        self.lifecycle.begin_if_ready(self._now)
        self._publish()

    def _handle(self, session: Session, message: wire.Up) -> None:
        self._wake(session, message)
        HANDLERS[type(message)](self, session, message)

    def _refuse_flood(self, session: Session, message: wire.Up, wait: int) -> None:
        """Refuse a message that came too fast. wait: ms after which it may be sent again."""
        n = message.n if isinstance(message, wire.Act) else -1
        self._send(session, wire.Error("rate_limited", "too fast: wait a moment", n, wait))
        if isinstance(message, wire.Act):
            self._count_refusal(session)

    def _wake(self, session: Session, message: wire.Up) -> None:
        """Mark the player as back: any message brings back a lost player; the next key press brings back a player who
        is away."""
        if session.seat < 0 or self.seating.seats[session.seat].player is not session:
            return
        state = self.seating.seats[session.seat].state
        key = not message.automatic
        if state == "lost" or (key and state in ("here", "away")):
            self.seating.back(session.seat, self._now)

    def _ping(self, session: Session, ping: wire.Ping) -> None:
        self._send(session, wire.Pong(ping.nonce, self._timers(session)))

    def _sync(self, session: Session, sync: wire.Sync) -> None:
        session.whole = True
        session.told = min(session.told, sync.heard) if sync.heard else session.told

    def _leave(self, session: Session, leave: wire.Leave) -> None:
        self.seating.leave(session, self.lifecycle.on)

    def _nonce(self, session: Session, nonce: wire.Nonce) -> None:
        self.dealing.take(session, nonce)

    def _get_pack(self, session: Session, request: wire.GetPack) -> None:
        """Do nothing here: the table runner, which has the packs, sends the part."""

    def _act(self, session: Session, act: wire.Act) -> None:
        again = session.again(act.n)
        if again is not None:
            self._send(session, again)
            return
        pending = Pending(session, act.n, act.action, self._stamp)
        refusal = self.lifecycle.refusal(session)
        if refusal is not None:
            self._reply(pending, wire.Refused(act.n, refusal))
        elif self.match is not None:
            self.match.act(pending)
            self.lifecycle.end_if_won()

    def _why(self, session: Session, why: wire.Why) -> None:
        refusal = self.lifecycle.refusal(session)
        if refusal is None and self.match is not None:
            refusal = self.match.game.check(session.seat, why.action)
        self._send(session, wire.Reason(why.q, refusal))

    def _say(self, session: Session, say: wire.Say) -> None:
        if self.seating.is_muted(session):
            self._refuse(session, "the table's owner has muted you: nobody reads what you say")
            return
        names = [seat.name for seat in self.seating.seats]
        if session.role != "bot":
            self._bot_talk.person_spoke()
        elif not self._bot_talk.allows(say.text, self._moment(), names):
            return
        name = self.seating.seats[session.seat].name if session.seat >= 0 else "(spectator)"
        self._send_all(wire.Talk(session.seat, name, say.text))

    def _moment(self) -> Moment:
        match = self.match
        return (*match.turn, bool(match.winners)) if match is not None else (0, 0, False)

    def _reply(self, pending: Pending, reply: wire.Down) -> None:
        """Answer an action, and remember the answer in case the action is sent again."""
        session = pending.session
        session.remember(pending.n, reply)
        self._answers.append((session, reply))
        if isinstance(reply, wire.Refused):
            self._count_refusal(session)

    def _count_refusal(self, session: Session) -> None:
        """Send out a player whose acts are refused too often, except at a private table, where that harms nobody. They
        may come back to their seat after a pause; a third-party bot is replaced for good."""
        if session.own or self.config.solo or session.seat < 0 or not session.too_many_refusals(self._now):
            return
        if session.role == "bot":
            self.seating.kick(session.seat, self.lifecycle.on, FLOODED)
        else:
            self.seating.send_out(session, self.lifecycle.on, self._now)

    # -------------------------------------------------------------------------------------- preferences and requests
    def _set_preferences(self, session: Session, wanted: wire.Set) -> None:
        """Note the preferences of a session. Players set the speed of bots; spectators may if there are no players."""
        lifecycle = self.lifecycle
        if session.seat >= 0 or not self.seating.humans():
            if wanted.speed is not None:
                lifecycle.set_speed(wanted.speed)
            if lifecycle.playing is not None and wanted.skip:
                lifecycle.playing.skip_pause(session.seat)
        if self.seating.plays(session):
            if wanted.waits is not None and self.seating.seats[session.seat].human:
                lifecycle.wait_after(wanted.waits)
            self._set_player_preferences(session, wanted)
        elif wanted.hints is not None:
            self._refuse(session, "only people at the table decide about hints")
        lifecycle.end_if_won()

    def _set_player_preferences(self, session: Session, wanted: wire.Set) -> None:
        playing, seat = self.lifecycle.playing, session.seat
        if wanted.ready is not None and not self.lifecycle.on:
            self.seating.ready(seat, wanted.ready)
        if playing is not None and wanted.auto is not None:
            playing.pass_for(session, wanted.auto)
        if playing is not None and wanted.withdraw:
            playing.withdraw(session)
        if wanted.hints is not None:
            self._refuse(session, self.lifecycle.hints.agree(seat, wanted.hints))
        if wanted.open is not None:
            over = self.stage == "over"
            self._refuse(session, self.dealing.agree(seat, wanted.open) if over else "no game is over")

    def _admin(self, session: Session, request: wire.Admin) -> None:
        problem = forbidden(self.lifecycle, session, request) or administer(self.lifecycle, request, self._now)
        self._refuse(session, problem)
        self.lifecycle.end_if_won()

    def _undo(self, session: Session, message: wire.Back) -> None:
        """Begin an undo vote, or count a vote in it; somebody alone with bots needs none."""
        voting = self.lifecycle.undo_voting
        alone = self.seating.alone == session.seat and self.seating.plays(session)
        if alone and self.match is not None and not message.vote and voting.vote is None:
            self._refuse(session, self.lifecycle.take_back(self.match, session.seat))
            return
        refusal = self.lifecycle.refusal(session) if not message.vote or voting.vote is None else None
        if refusal is not None or self.match is None:
            self._refuse(session, refusal.text if refusal is not None else "no game is on")
        else:
            self._refuse(session, voting.request(session, message, self.match, self._now))

    def _send_revealed_game(self, session: Session, message: wire.GetGame) -> None:
        """Send a piece of the revealed game to somebody who may know that it is revealed."""
        if self._info_for(session).opened != message.game:
            self._refuse(session, "this game is not revealed")
        else:
            self._send(session, self.dealing.part(message))

    def _refuse(self, session: Session, problem: str) -> None:
        """Send the reason why a preference or a request is refused; send nothing if it is ""."""
        if problem:
            self._send(session, wire.Error("not_allowed", problem))

    # ----------------------------------------------------------------------------------------------------------- time
    def _at(self, stamp: int) -> None:
        self._stamp, self._now = stamp, stamp // 1_000_000
        if self.lifecycle.match is not None:
            self.lifecycle.match.now = self._now

    def tick(self, stamp: int) -> None:
        """Run due work. Call it at `next_ms`, and once a second. stamp: ns."""
        self._at(stamp)
        lifecycle = self.lifecycle
        for session in self.seating.sessions():
            if self._now - session.heard_at > limits.PROBE_MS:
                self._send(session, wire.Info(self._info_for(session)))
            if 0 < session.out_until <= self._now:  # the journal notes that they may come back
                session.out_until, self.seating.changed = 0, True
        for session in self.seating.sessions():
            for message in session.take_postponed(self._now):
                self._handle(session, message)
        lifecycle.expiry.sweep(self._now, self.stage)
        if self.seating.admission.sweep(self._now):
            self.seating.changed = True
        lifecycle.undo_voting.count(self.match, self._now)
        lifecycle.pauses.tick(self._now)
        if lifecycle.playing is not None:
            lifecycle.playing.tick()
            lifecycle.end_if_won()
        lifecycle.begin_if_ready(self._now)
        due = lifecycle.expiry.due(self.stage, self._now)
        if due is not None and not self.closed:
            self.close(*due)
        self._publish()

    def next_ms(self) -> int | None:
        """When something is due (ms of the host's clock); None if everything can wait for the next second."""
        voting = self.lifecycle.undo_voting
        due = voting.vote.until if voting.vote is not None else (self.lifecycle.playing or self.dealing).next_ms()
        later = self.delayed.next_ms() if self.delayed is not None and self.seating.spectators else None
        times = [session.handle_at for session in self.seating.sessions() if session.postponed]
        times += [at for at in (due, later) if at is not None]
        return min(times, default=None)

    def close(self, reason: str, text: str) -> None:
        """Say good-bye to everybody: the table closes, or its host stops. reason: see wire.Bye."""
        for session in self.seating.sessions():
            self._send(session, wire.Bye(reason, text))
            session.address = None
        self.closed = True
        if reason == "ended":
            self.ended = True
            self._keep(FactRow("stage", b"closed"))

    # -------------------------------------------------------------------------------------------------------- sending
    def take(self) -> tuple[list[Row], list[Out]]:
        """Return the rows to write, and the messages to send once they are written."""
        rows, out = self._rows, self._out
        self._rows, self._out = [], []
        return rows, out

    def _keep(self, row: Row) -> None:
        self._rows.append(row)

    def _keep_seats(self) -> None:
        self._rows += [seat_row(number, seat) for number, seat in enumerate(self.seating.seats)]
        entry = entry_row(self.seating, self._now)
        if entry != self._entry:
            self._rows.append(entry)
            self._entry = entry

    def _send(self, session: Session, message: wire.Down) -> None:
        if session.address is not None:
            self._out.append(Out(session.address, message, session))

    def _send_all(self, message: wire.Down) -> None:
        """Send to everybody at the table; delayed spectators get it later."""
        for session in self._undelayed():
            self._send(session, message)
        if self.delayed is not None and not isinstance(message, wire.Info):
            self.delayed.say(message)

    def _undelayed(self) -> list[Session]:
        """The sessions that get everything without delay."""
        sessions = self.seating.sessions()
        return sessions if self.delayed is None else [session for session in sessions if session.seat >= 0]

    def _timers(self, session: Session) -> wire.Timers:
        """The clocks as this session sees them."""
        if session.seat < 0 and self.delayed is not None:
            return self.delayed.timers(self._now)
        return self.match.timers() if self.match is not None else wire.Timers()

    def _publish(self) -> None:
        """Send everybody the news for them."""
        for session in self.seating.presence.probed:
            self._send(session, wire.Info(self.info()))
        self.seating.presence.probed.clear()
        for session, bye in self.seating.dismissed:
            self._send(session, bye)
            session.address = None
        self.seating.dismissed.clear()
        for address, answer in self.seating.admission.answers:
            self._out.append(Out(address, answer))
        self.seating.admission.answers.clear()
        if self.seating.changed:
            self.seating.changed = False
            self.lifecycle.count_pause(self._now)
            if self.match is not None:
                self.match.refresh()
            self._keep_seats()
            self._sent_info = self.info()
            self._send_all(wire.Info(self._sent_info))
            for session, news in owner_news(self.seating):
                self._send(session, news)
            outcomes = self.lifecycle.undo_voting.outcomes
            while outcomes:
                self._send_all(outcomes.pop(0))
        self._send_news()

    def _send_news(self) -> None:
        """Send views, events and clocks, then the answers to actions, so that a client has the result before the
        answer."""
        match = self.match
        passing: Collection[int]
        if match is not None:
            clocks = ClockNews(match.shown(), match.timers)
            broadcaster, undoable, passing = match.broadcaster, match.undoable(), match.auto.marks
        else:
            clocks = ClockNews((), wire.Timers)
            broadcaster, undoable, passing = self._waiting_room, [None] * len(self.seating.seats), ()
        if self.delayed is not None:
            told = broadcaster if match is not None else None
            self.delayed.keep(self._now, self._sent_info, told, clocks.left, clocks.shown)
            for session, message in self.delayed.tell(self.seating.spectators, self.info(), self._now):
                self._send(session, message)
        for session in self._undelayed():
            if session.address is None:
                continue
            if session.whole:
                self._send(session, wire.Info(self.info()))
            auto, undo = session.seat in passing, undoable[session.seat] if session.role == "player" else None
            news = broadcaster.news(session, clocks, auto, undo)
            while news is not None:
                self._send(session, news)
                news = broadcaster.news(session, clocks, auto, undo) if session.whole and match is not None else None
        for session, answer in self._answers:
            self._send(session, answer)
        self._answers.clear()


HANDLERS: dict[type, Callable[[Table, Session, Any], None]] = {
    wire.Act: Table._act, wire.Why: Table._why, wire.Sync: Table._sync, wire.Ping: Table._ping, wire.Say: Table._say,
    wire.Set: Table._set_preferences, wire.Admin: Table._admin, wire.Back: Table._undo, wire.Nonce: Table._nonce,
    wire.Leave: Table._leave, wire.GetPack: Table._get_pack, wire.GetGame: Table._send_revealed_game,
}  # fmt: skip
"""The table's handler for each message of a session."""
