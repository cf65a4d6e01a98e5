"""One table: lets people in, takes their messages in order of arrival, deals games, and says what is to be sent to
whom.

No sockets here: everything that goes out is put into `out`, everything that must be on disk first into `rows`. Stamps
are ns of the host's monotonic clock, taken when a message was read; everything else is ms of the same clock.
"""

from collections.abc import Callable

from core.state.actions import Refusal
from netcode.journal import FactRow, Row
from netcode.protocol import limits, wire
from netcode.table.admin import administer
from netcode.table.bot_pacing import Pending
from netcode.table.broadcast import Broadcaster
from netcode.table.deal_coordinator import DealCoordinator
from netcode.table.delayed_spectators import DelayedSpectators
from netcode.table.expiry import Expiry
from netcode.table.match import Match
from netcode.table.preferences import wish_for
from netcode.table.rules_adapter import GameFactory, RunningGame
from netcode.table.seats import Seating, TableConfig
from netcode.table.session import Out, Session
from netcode.table.table_record import entry_rows, seat_row
from netcode.table.undo_vote import UndoVoting


class Table:
    """One table from its opening to its closing. deal: makes games; seed(n): the seed of the nth game."""

    def __init__(self, config: TableConfig, deal: GameFactory, seed: Callable[[int], bytes], epoch: int = 1) -> None:
        self.config, self.epoch = config, epoch
        self.seating: Seating = Seating(config)
        self.stage = "lobby"
        self.pace, self.speed = config.pace, config.speed
        self.match: Match | None = None
        self.closed = self.ended = False
        self.dealing = DealCoordinator(config, self.seating, self._rows_append)
        self._deal, self._seed = deal, seed
        self._games = 0
        self._out: list[Out] = []
        self._answers: list[tuple[Session, wire.Down]] = []
        self._rows: list[Row] = []
        self._game_seed = b""
        self._lobby = Broadcaster()
        self.undo_voting = UndoVoting(self.seating)
        self.delayed = DelayedSpectators(config.watch_delay) if config.watch_delay else None
        self._now = 0
        self._expiry = Expiry(self.seating)
        self._told_info = self.info()

    # ---------------------------------------------------------------------------------------------------- coming in
    def hello(self, hello: wire.Hello, key: str, address: bytes, stamp: int) -> Session | None:
        """Somebody knocks: let in (the session, its Welcome is in `out`) or told why not (None)."""
        self._at(stamp)
        got = self.seating.hello(hello, key, self._now, self.on)
        if isinstance(got, wire.Error):
            self._out.append(Out(address, got))
            return None
        if got.address is not None and got.address != address:
            self._out.append(Out(got.address, wire.Bye("superseded", "you joined again from elsewhere")))
        got.address, got.heard_at, got.whole, got.seq = address, self._now, True, 0
        self._begin_if_ready()
        token, info = got.new_token(), self._info_for(got)
        self._send(got, wire.Welcome(wire.WIRE, got.s, got.seat, token, self.epoch, limits.HEARTBEAT_MS, info, got.n))
        self._keep_seats()
        self._publish()
        return got

    def info(self) -> wire.TableInfo:
        """The table as everybody sees it."""
        config = self.config
        return wire.TableInfo(
            config.table, self.seating.infos(self._now), self.stage, self.seating.owner, self.pace,
            list(config.options), list(config.packs), config.machine, config.seed_shown, len(self.seating.spectators),
            self.seating.humans() == 1, self.speed, self._games, self.dealing.info(),
            self.dealing.agreed, self.dealing.opened, self.seating.inviting, self.undo_voting.info(self._now),
            config.watch_delay // 1000,
        )  # fmt: skip

    def _info_for(self, session: Session) -> wire.TableInfo:
        """The table as this session is shown it."""
        later = self.delayed if session.seat < 0 else None
        return self.info() if later is None else later.info(self.info())

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
                self._send(session, wire.Pong(message.nonce, self._timers(session)))
            case wire.Act():
                self._act(session, message, stamp)
            case wire.Why():
                self._why(session, message)
            case wire.Say():
                self._say(session, message.text)
            case wire.Sync():
                session.whole = True
            case wire.Set():
                self._refuse(session, wish_for(self, session, message))
                self._see_whether_over()
            case wire.Leave():
                self.seating.leave(session, self.on)
            case wire.Admin():
                self._admin(session, message)
            case wire.Back():
                self._back(session, message)
            case wire.Nonce():
                self.dealing.take(session, message)
            case wire.GetGame():
                self._give_game(session, message)

    def _wake(self, session: Session, message: wire.Up) -> None:
        """A lost player is back with any message, one who is away with the next key."""
        if session.seat < 0 or self.seating.seats[session.seat].player is not session:
            return
        state = self.seating.seats[session.seat].state
        key = not message.automatic
        if state == "lost" or (key and state in ("here", "away")):
            self.seating.back(session.seat, self._now)
        if state == "away" and key and self.match is not None:
            self.match.clocks.taken_over(session.seat)

    def _act(self, session: Session, act: wire.Act, stamp: int) -> None:
        again = session.again(act.n)
        if again is not None:
            self._send(session, again)
            return
        pending = Pending(session, act.n, act.action, stamp)
        refusal = self._cannot(session)
        if refusal is not None:
            self._reply(pending, wire.Refused(act.n, refusal))
        elif self.match is not None:
            self.match.act(pending)
            self._see_whether_over()

    def _cannot(self, session: Session) -> Refusal | None:
        """Why this session cannot do anything in the game at all."""
        if session.seat < 0:
            return Refusal("bad", "You look on: the players play.")
        if not self.seating.plays(session):
            return Refusal("bad", "Somebody else plays this seat now.")
        if self.stage == "paused":
            return Refusal("bad", "The table's owner has paused the game.")
        if self.undo_voting.vote is not None:
            return Refusal("bad", "The table votes on a step back: that comes first.")
        if self.stage != "playing":
            return Refusal("bad", "No game is on yet." if self.stage == "lobby" else "The game is over.")
        return None

    def _why(self, session: Session, why: wire.Why) -> None:
        refusal = self._cannot(session)
        if refusal is None and self.match is not None:
            refusal = self.match.game.check(session.seat, why.action)
        self._send(session, wire.Reason(why.q, refusal))

    def _say(self, session: Session, text: str) -> None:
        name = self.seating.seats[session.seat].name if session.seat >= 0 else "(looking on)"
        self._send_all(wire.Talk(session.seat, name, text))

    def _reply(self, pending: Pending, reply: wire.Down) -> None:
        """Answer an action, and remember the answer for the case that it is sent again."""
        session = pending.session
        session.remember(pending.n, reply)
        self._answers.append((session, reply))
        if isinstance(reply, wire.Refused):
            self._note_refusal(session)

    def _note_refusal(self, session: Session) -> None:
        if not session.own and session.too_many_refusals(self._now) and session.seat >= 0:
            self.seating.kick(session.seat, self.on, "you sent too much that could not be done")

    # --------------------------------------------------------------------------------------------------------- stages
    @property
    def playing(self) -> Match | None:
        """The game, if it goes on just now: neither paused, nor stopped for a vote."""
        return self.match if self.stage == "playing" and self.undo_voting.vote is None else None

    @property
    def on(self) -> bool:
        """A game is on."""
        return self.stage in ("playing", "paused")

    def _begin_if_ready(self) -> None:
        waiting = self.stage in ("lobby", "over") and not self._expiry.begun
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
        self._rows += [FactRow("game", str(self._games).encode()), FactRow("seed", seed)]
        game, events = self._deal(self.config.seats, seed)
        self._start(game).start(events, 0, self._now)
        self._see_whether_over()

    def resume(
        self,
        number: int,
        game: RunningGame,
        seq: int,
        stamp: int,
        acts: list[tuple[int, bytes]],
        seed: bytes,
        opened: int,
    ) -> None:
        """Take up a saved game after its seq-th action; open windows start at their full length. acts: all of them
        (seat and msgpack); opened: the game that was laid open, if any."""
        self._at(stamp)
        self._games, self._game_seed = number, seed
        playing = self._start(game)
        playing.start([], seq, self._now)
        playing.log = acts if len(acts) == seq else None
        if playing.winners:  # their wins are counted already
            self.set_stage("over")
        self.dealing.resumed(opened, playing, seed)

    def _start(self, game: RunningGame) -> Match:
        self.match = Match(
            self._games, game, self.seating, self.pace, self.speed, self._reply, self._rows_append
        )
        self.set_stage("playing")
        for session in self._at_once():
            session.whole = True
        return self.match

    def _rows_append(self, row: Row) -> None:
        self._rows.append(row)

    def _see_whether_over(self) -> None:
        if self.stage != "playing" or self.match is None or not self.match.winners:
            return
        for number, seat in enumerate(self.seating.seats):
            seat.wins += number in self.match.winners
            seat.ready = not seat.human
        self.dealing.over(self.match, self._game_seed)
        self.set_stage("over")

    def set_stage(self, stage: str) -> None:
        """lobby, playing, paused or over, from now on."""
        self.stage = stage
        self.seating.changed = True
        self._rows.append(FactRow("stage", stage.encode()))

    def close(self, reason: str, text: str) -> None:
        """The table is no more (or its host stops): good-bye to everybody."""
        for session in self.seating.sessions():
            self._send(session, wire.Bye(reason, text))
            session.address = None
        self.closed = True
        if reason == "ended":
            self.ended = True
            self._rows.append(FactRow("stage", b"closed"))

    # ---------------------------------------------------------------------------------------------------- the owner
    def _admin(self, session: Session, wish: wire.Admin) -> None:
        owns = self.seating.owns(session)
        self._refuse(session, administer(self, wish) if owns else "only the table's owner can do that")
        self._rows += entry_rows(self.seating)
        self._see_whether_over()

    def _back(self, session: Session, wish: wire.Back) -> None:
        """A player asks the table to take the last act back, or answers who did."""
        refusal = self._cannot(session) if not wish.vote or self.undo_voting.vote is None else None
        if refusal is not None or self.match is None:
            self._refuse(session, refusal.text if refusal is not None else "no game is on")
        else:
            self._refuse(session, self.undo_voting.wish(session, wish, self.match, self._now))

    def _give_game(self, session: Session, wish: wire.GetGame) -> None:
        """A piece of the game that was laid open, to those who may know that it was."""
        if self._info_for(session).opened != wish.game:
            self._refuse(session, "this game is not laid open")
        else:
            self._send(session, self.dealing.part(wish))

    def _refuse(self, session: Session, fault: str) -> None:
        if fault:
            self._send(session, wire.Error("not_allowed", fault))

    # ------------------------------------------------------------------------------------------------ time and telling
    def _at(self, stamp: int) -> None:
        self._now = stamp // 1_000_000
        if self.match is not None:
            self.match.at(self._now)

    def tick(self, stamp: int) -> None:
        """Do what is due by now; to be called at `next_ms`, and each second."""
        self._at(stamp)
        for session in self.seating.sessions():
            if self._now - session.heard_at > limits.PROBE_MS:
                self._send(session, wire.Info(self._info_for(session)))
        self.seating.sweep(self._now, self.on)
        self.undo_voting.look(self.match, self._now)
        if self.playing is not None:
            self.playing.tick()
            self._see_whether_over()
        self._begin_if_ready()
        due = self._expiry.due(self.stage, self._now)
        if due is not None and not self.closed:
            self.close(*due)
        self._publish()

    def next_ms(self) -> int | None:
        """When something is due (ms of the host's clock); None: nothing that could not wait for a second."""
        due = (self.playing or self.dealing).next_ms() if self.undo_voting.vote is None else self.undo_voting.vote.until
        later = self.delayed.next_ms() if self.delayed is not None and self.seating.spectators else None
        return min((at for at in (due, later) if at is not None), default=None)

    def _timers(self, session: Session | None = None) -> wire.Timers:
        if session is not None and session.seat < 0 and self.delayed is not None:
            return self.delayed.timers(self._now)
        return self.match.timers() if self.match is not None else wire.Timers()

    def _send(self, session: Session, message: wire.Down) -> None:
        if session.address is not None:
            self._out.append(Out(session.address, message, session))

    def _publish(self) -> None:
        """Tell everybody what is new for them."""
        for session, bye in self.seating.dismissed:
            self._send(session, bye)
            session.address = None
        self.seating.dismissed.clear()
        if self.seating.changed:
            self.seating.changed = False
            if self.match is not None:
                self.match.look()
            self._keep_seats()
            self._told_info = self.info()
            self._send_all(wire.Info(self._told_info))
            while self.undo_voting.outcomes:
                self._send_all(self.undo_voting.outcomes.pop(0))
        self._tell_news()

    def _keep_seats(self) -> None:
        self._rows += [seat_row(number, seat) for number, seat in enumerate(self.seating.seats)]

    def _at_once(self) -> list[Session]:
        """Those who are told everything at once."""
        return [one for one in self.seating.sessions() if one.seat >= 0 or self.delayed is None]

    def _send_all(self, message: wire.Down) -> None:
        """To everybody at the table; to those who look on later, if that is agreed."""
        for session in self._at_once():
            self._send(session, message)
        if self.delayed is not None and not isinstance(message, wire.Info):
            self.delayed.say(message)

    def _tell_news(self) -> None:
        playing = self.match
        teller = playing.broadcaster if playing is not None else self._lobby
        shown = playing.shown() if playing is not None else ()
        timers = self._timers()
        if self.delayed is not None:
            game = playing.broadcaster if playing is not None else None
            self.delayed.keep(self._now, self._told_info, game, timers, shown)
            for session, message in self.delayed.tell(self.seating.spectators, self.info(), self.epoch, self._now):
                self._send(session, message)
        for session in self._at_once():
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
