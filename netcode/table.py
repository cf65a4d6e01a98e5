"""One table: lets people in, takes their messages in order of arrival, deals games, and says what is to be sent to
whom.

No sockets here: everything that goes out is put into `out`, everything that must be on disk first into `rows`. Stamps
are ns of the host's monotonic clock, taken when a message was read; everything else is ms of the same clock.
"""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from core.actions import Refusal
from netcode import wire
from netcode.dealing import Dealing
from netcode.game import Deal, Play
from netcode.journal import MetaRow, Row
from netcode.pacing import Pending
from netcode.records import seat_row
from netcode.round import Round
from netcode.seating import BEAT_MS, Seating, TableConfig
from netcode.session import Session
from netcode.teller import Teller

_BY_ITSELF = (wire.Ping, wire.Sync, wire.Why, wire.GetPack, wire.GetGame, wire.Nonce)
"""What a client sends without anybody at its keys."""
GRACE_MS, LOOK_MS = 1000, 60_000
"""How long bots among themselves stay after their game, and how much longer while somebody looks on."""
PROBE_MS = BEAT_MS * 5 // 4
"""Who has missed a beat is sent something each second: if the connection is gone, that is how we find out."""


@dataclass(frozen=True)
class Out:
    """Something to send: where to, what, and in which session (None: to somebody not let in)."""

    address: bytes
    message: wire.Down
    session: Session | None = None


class Table:
    """One table from its opening to its closing. deal: makes games; seed(n): the seed of the nth game."""

    def __init__(self, config: TableConfig, deal: Deal, seed: Callable[[int], bytes], epoch: int = 1) -> None:
        self.config, self.epoch = config, epoch
        self.seating = Seating(config)
        self.stage = "lobby"
        self.pace, self.speed = config.pace, config.speed
        self.round: Round | None = None
        self.closed = self.ended = False
        self.dealing = Dealing(config, self.seating, self._rows_append)
        self._deal, self._seed = deal, seed
        self._games = 0
        self._out: list[Out] = []
        self._answers: list[tuple[Session, wire.Down]] = []
        self._rows: list[Row] = []
        self._game_seed = b""
        self._lobby = Teller()
        self._now = 0
        self._empty_since = self._closing_at = -1

    # ---------------------------------------------------------------------------------------------------- coming in
    def hello(self, hello: wire.Hello, key: str, address: bytes, stamp: int) -> Session | None:
        """Somebody knocks: let in (the session, its Welcome is in `out`) or told why not (None)."""
        self._at(stamp)
        got = self.seating.hello(hello, key, self._now, self._on)
        if isinstance(got, wire.Error):
            self._out.append(Out(address, got))
            return None
        if got.address is not None and got.address != address:
            self._out.append(Out(got.address, wire.Bye("superseded", "you joined again from elsewhere")))
        got.address, got.heard_at, got.whole, got.seq = address, self._now, True, 0
        self._begin_if_ready()
        self._send(
            got, wire.Welcome(wire.WIRE, got.s, got.seat, got.new_token(), self.epoch, BEAT_MS, self.info(), got.n)
        )
        self._keep_seats()
        self._publish()
        return got

    def info(self) -> wire.TableInfo:
        """The table as everybody sees it."""
        config = self.config
        return wire.TableInfo(
            config.table, self.seating.infos(self._now), self.stage, self.seating.owner, self.pace,
            list(config.options), list(config.packs), config.machine, config.seed_shown, len(self.seating.watchers),
            self.seating.humans() == 1, self.speed, self._games, self.dealing.info(),
            self.dealing.agreed, self.dealing.opened,
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------------ messages
    def message(self, session: Session, message: wire.Up, stamp: int) -> None:
        """Somebody who was let in says something."""
        self._at(stamp)
        session.heard(self._now)
        wait = session.wait_ms(message, self._now)
        if wait:
            n = message.n if isinstance(message, wire.Act) else -1
            self._send(session, wire.Error("rate_limited", "too fast: wait a moment", n, wait))
            self._note_refusal(session)
        else:
            self._wake(session, message)
            self._take(session, message, stamp)
        self._begin_if_ready()
        self._publish()

    def _take(self, session: Session, message: wire.Up, stamp: int) -> None:
        match message:
            case wire.Ping():
                self._send(session, wire.Pong(message.nonce, self._timers()))
            case wire.Act():
                self._act(session, message, stamp)
            case wire.Why():
                self._why(session, message)
            case wire.Say():
                self._say(session, message.text)
            case wire.Sync():
                session.whole = True
            case wire.Set():
                self._set(session, message)
            case wire.Leave():
                self.seating.leave(session, self._on)
            case wire.Admin():
                self._admin(session, message)
            case wire.Nonce():
                self.dealing.take(session, message)
            case wire.GetGame():
                self._send(session, self.dealing.part(message))

    def _wake(self, session: Session, message: wire.Up) -> None:
        """A lost player is back with any message, one who is away with the next key."""
        if session.seat < 0 or self.seating.seats[session.seat].player is not session:
            return
        state = self.seating.seats[session.seat].state
        key = not isinstance(message, _BY_ITSELF)
        if state == "lost" or (key and state in ("here", "away")):
            self.seating.back(session.seat, self._now)
        if state == "away" and key and self.round is not None:
            self.round.clocks.taken_over(session.seat)

    def _act(self, session: Session, act: wire.Act, stamp: int) -> None:
        again = session.again(act.n)
        if again is not None:
            self._send(session, again)
            return
        pending = Pending(session, act.n, act.action, stamp)
        refusal = self._cannot(session)
        if refusal is not None:
            self._reply(pending, wire.Refused(act.n, refusal))
        elif self.round is not None:
            self.round.act(pending)
            self._see_whether_over()

    def _cannot(self, session: Session) -> Refusal | None:
        """Why this session cannot do anything in the game at all."""
        if session.seat < 0:
            return Refusal("bad", "You look on: the players play.")
        if not self.seating.plays(session):
            return Refusal("bad", "Somebody else plays this seat now.")
        if self.stage == "paused":
            return Refusal("bad", "The table's owner has paused the game.")
        if self.stage != "playing":
            return Refusal("bad", "No game is on yet." if self.stage == "lobby" else "The game is over.")
        return None

    def _why(self, session: Session, why: wire.Why) -> None:
        refusal = self._cannot(session)
        if refusal is None and self.round is not None:
            refusal = self.round.game.check(session.seat, why.action)
        self._send(session, wire.Reason(why.q, refusal))

    def _say(self, session: Session, text: str) -> None:
        name = self.seating.seats[session.seat].name if session.seat >= 0 else "(looking on)"
        for other in self.seating.sessions():
            self._send(other, wire.Talk(session.seat, name, text))

    def _set(self, session: Session, wish: wire.Set) -> None:
        playing = self.round if self.stage == "playing" else None
        if session.seat >= 0 or not self.seating.humans():
            self._set_bots_pace(wish)
        if session.seat >= 0 and self.seating.plays(session):
            if wish.ready is not None and not self._on:
                self.seating.ready(session.seat, wish.ready)
            if playing is not None and wish.auto is not None:
                playing.pass_for(session.seat, wish.auto)
            if playing is not None and wish.withdraw:
                playing.withdraw(session)
            if wish.open is not None:
                fault = self.dealing.agree(session.seat, wish.open) if self.stage == "over" else "no game is over"
                if fault:
                    self._send(session, wire.Error("not_allowed", fault))
        self._see_whether_over()

    def _set_bots_pace(self, wish: wire.Set) -> None:
        """How fast bots are shown: the players' to say; where there are none, theirs who look on."""
        if wish.speed is not None:
            self.speed, self.seating.changed = wish.speed, True
            if self.round is not None:
                self.round.pacer.speed = wish.speed
        if self.round is not None and self.stage == "playing" and wish.skip:
            self.round.skip_pause()

    def _reply(self, pending: Pending, reply: wire.Down) -> None:
        """Answer an action, and remember the answer for the case that it is sent again."""
        session = pending.session
        session.remember(pending.n, reply)
        self._answers.append((session, reply))
        if isinstance(reply, wire.Refused):
            self._note_refusal(session)

    def _note_refusal(self, session: Session) -> None:
        if not session.own and session.too_many_refusals(self._now) and session.seat >= 0:
            self.seating.kick(session.seat, self._on, "you sent too much that could not be done")

    # --------------------------------------------------------------------------------------------------------- stages
    @property
    def _on(self) -> bool:
        """A game is on."""
        return self.stage in ("playing", "paused")

    def _begin_if_ready(self) -> None:
        waiting = self.stage in ("lobby", "over") and self._closing_at < 0
        if not waiting:
            return
        self.dealing.prepare(self._games + 1)
        ready = self.seating.all_ready() and (self.stage == "lobby" or self.seating.humans() > 0)
        if self.dealing.go(ready, self._now):
            self._begin()

    def _begin(self) -> None:
        """Deal a new game."""
        self._games += 1
        seed = self._game_seed = self.dealing.seed(self._seed(self._games))
        self._rows += [MetaRow("game", str(self._games).encode()), MetaRow("seed", seed)]
        game, events = self._deal(self.config.seats, seed)
        self._start(game).start(events, 0, self._now)
        self._see_whether_over()

    def resume(
        self, number: int, game: Play, seq: int, stamp: int, acts: list[tuple[int, bytes]], seed: bytes, opened: int
    ) -> None:
        """Take up a saved game after its seq-th action; open windows start at their full length. acts: all of them
        (seat and msgpack); opened: the game that was laid open, if any."""
        self._at(stamp)
        self._games, self._game_seed = number, seed
        playing = self._start(game)
        playing.start([], seq, self._now)
        playing.log = acts if len(acts) == seq else None
        if playing.winners:  # their wins are counted already
            self._set_stage("over")
        self.dealing.resumed(opened, playing, seed)

    def _start(self, game: Play) -> Round:
        self.round = Round(
            self._games, game, self.seating, self.pace, self.speed, self._reply, self._rows_append
        )
        self._set_stage("playing")
        for session in self.seating.sessions():
            session.whole = True
        return self.round

    def _rows_append(self, row: Row) -> None:
        self._rows.append(row)

    def _see_whether_over(self) -> None:
        if self.stage != "playing" or self.round is None or not self.round.winners:
            return
        for number, seat in enumerate(self.seating.seats):
            seat.wins += number in self.round.winners
            seat.ready = not seat.human
        self.dealing.over(self.round, self._game_seed)
        self._set_stage("over")

    def _set_stage(self, stage: str) -> None:
        self.stage = stage
        self.seating.changed = True
        self._rows.append(MetaRow("stage", stage.encode()))

    def close(self, reason: str, text: str) -> None:
        """The table is no more (or its host stops): good-bye to everybody."""
        for session in self.seating.sessions():
            self._send(session, wire.Bye(reason, text))
            session.address = None
        self.closed = True
        if reason == "ended":
            self.ended = True
            self._rows.append(MetaRow("stage", b"closed"))

    def _close_if_done(self) -> None:
        """A table without people closes: bots among themselves soon after their game, others when all people have been
        gone for long, or none has come to a table that does not wait for ever."""
        people, seats = self.seating.humans(), self.seating.seats
        if self.stage == "over" and not people and self._closing_at < 0:
            self._closing_at = self._now + GRACE_MS
        opening = self.stage == "lobby" and not self.config.solo
        patience = self.config.idle_ms if opening else self.config.gone_ms
        waits = patience > 0 and (opening or self.config.solo or people > 0)
        if not waits or any(seat.state == "here" for seat in seats):
            self._empty_since = -1
        elif self._empty_since < 0:
            self._empty_since = self._now
        gone = self._empty_since >= 0 and self._now - self._empty_since >= patience
        left = self.config.solo and any(seat.state == "gone" for seat in seats)
        over = 0 <= self._closing_at <= self._now - (LOOK_MS if self.seating.watchers else 0)
        if not self.closed and (left or over or (gone and not (self.config.solo and self._on))):
            self.close("ended", "the table is closed")
        elif not self.closed and gone:
            self.close("closing", "nobody has been here for long; the game is kept")

    # ---------------------------------------------------------------------------------------------------- the owner
    def _admin(self, session: Session, wish: wire.Admin) -> None:
        owns = session.owner or (session.seat >= 0 and session.seat == self.seating.owner)
        fault = self._administer(wish) if owns else "only the table's owner can do that"
        if fault:
            self._send(session, wire.Error("not_allowed", fault))
        self._see_whether_over()

    def _administer(self, wish: wire.Admin) -> str:
        """Do what the owner wants; what forbids it, or ""."""
        playing = self.round if self.stage == "playing" else None
        match wish.what:
            case "pace":
                return self._set_pace(wish.value)
            case "pause" | "resume":
                return self._pause(wish.what == "pause")
            case "default":
                return playing.call_default(wish.seat) if playing is not None else "no game is on"
            case "bot":
                return self.seating.fill(wish.seat)
            case "kick":
                return self.seating.ban(wish.seat, self._on)
            case "start":
                return "a game is on already" if self._on else self.seating.fill_all()
        return "no such wish"

    def _set_pace(self, pace: str) -> str:
        try:
            self.pace = msgspec.convert(pace, wire.Pace)
        except msgspec.ValidationError:
            return "the pace is book, quick, standard or relaxed"
        self.seating.changed = True
        if self.round is not None:
            self.round.clocks.pace = self.pace
        return ""

    def _pause(self, pause: bool) -> str:
        if self.round is None or self.stage != ("playing" if pause else "paused"):
            return "no game is on" if pause else "the game is not paused"
        self.round.pause(pause)
        self._set_stage("paused" if pause else "playing")
        return ""

    # ------------------------------------------------------------------------------------------------ time and telling
    def _at(self, stamp: int) -> None:
        self._now = stamp // 1_000_000
        if self.round is not None:
            self.round.at(self._now)

    def tick(self, stamp: int) -> None:
        """Do what is due by now; to be called at `next_ms`, and each second."""
        self._at(stamp)
        for session in self.seating.sessions():
            if self._now - session.heard_at > PROBE_MS:
                self._send(session, wire.Info(self.info()))
        self.seating.sweep(self._now, self._on)
        if self.stage == "playing" and self.round is not None:
            self.round.tick()
            self._see_whether_over()
        self._begin_if_ready()
        self._close_if_done()
        self._publish()

    def next_ms(self) -> int | None:
        """When something is due (ms of the host's clock); None: nothing that could not wait for a second."""
        if self.stage != "playing":
            return self.dealing.next_ms()
        return self.round.next_ms() if self.round is not None else None

    def _timers(self) -> wire.Timers:
        return self.round.timers() if self.round is not None else wire.Timers()

    def _send(self, session: Session, message: wire.Down) -> None:
        if session.address is not None:
            self._out.append(Out(session.address, message, session))

    def _publish(self) -> None:
        """Tell everybody what is new for them, and only that."""
        for session, bye in self.seating.dismissed:
            self._send(session, bye)
            session.address = None
        self.seating.dismissed.clear()
        if self.seating.changed:
            self.seating.changed = False
            if self.round is not None:
                self.round.look()
            self._keep_seats()
            info = wire.Info(self.info())
            for session in self.seating.sessions():
                self._send(session, info)
        self._tell_news()

    def _keep_seats(self) -> None:
        self._rows += [seat_row(number, seat) for number, seat in enumerate(self.seating.seats)]

    def _tell_news(self) -> None:
        playing = self.round
        teller = playing.teller if playing is not None else self._lobby
        shown = playing.clocks.shown() if playing is not None else ()
        timers = self._timers()
        for session in self.seating.sessions():
            if session.address is not None:
                if session.whole:
                    self._send(session, wire.Info(self.info()))
                auto = playing is not None and session.seat >= 0 and playing.auto.has(session.seat)
                news = teller.news(session, self.epoch, timers, shown, auto)
                if news is not None:
                    self._send(session, news)
        for session, answer in self._answers:  # after the views: who has read the answer knows what came of it
            self._send(session, answer)
        self._answers.clear()

    def take(self) -> tuple[list[Row], list[Out]]:
        """What is to be written, and then sent; both are handed over."""
        rows, out = self._rows, self._out
        self._rows, self._out = [], []
        return rows, out

    def unreachable(self, session: Session, stamp: int) -> None:
        """The connection of a session is gone."""
        self._at(stamp)
        self.seating.unreachable(session, self._now)
        self._publish()
