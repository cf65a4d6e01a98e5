"""Who sits where: seats, the tokens that lead to them, presence, and the bots that stand in.

Knows neither the game nor ZeroMQ.
"""

from dataclasses import dataclass, field

from netcode.bots.levels import DEFAULT_LEVEL
from netcode.protocol import limits, wire
from netcode.protocol.credentials import new_token, same, token_hash
from netcode.protocol.names import free_name, look_alike, name_problem
from netcode.table.session import Session, find_bearer
from netcode.table.table_setup import TableConfig

NO_FIT = "no table here fits this join string: the table is closed, or the host printed another string"
"""The same for a wrong token and an unknown table, so that a join string reveals nothing about other tables."""
BANNED = "the table's owner sent you away for good"
BOT_NAMES = ("Ada", "Bea", "Cyril", "Dot", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou")
HUMAN = ("here", "lost", "away")


@dataclass
class Seat:
    """A place at the table. state: as in wire.SeatInfo. player: the session whose seat it is. standin: the bot that
    plays while the player is away, or the host's own bot. ticket: the hash of the token with which the host's next bot
    takes this seat. defaults: how many asks in a row ended by default. lost_at, acted_at: ms."""

    name: str = ""
    state: str = "open"
    ready: bool = False
    bot: str = ""
    wins: int = 0
    lost_at: int = 0
    acted_at: int = 0
    defaults: int = 0
    player: Session | None = None
    standin: Session | None = None
    ticket: bytes = b""
    speed: str = ""

    @property
    def human(self) -> bool:
        """Whether a person has this seat, even while they are away."""
        return self.state in HUMAN

    @property
    def played_by_bot(self) -> bool:
        """Whether a bot plays it now."""
        return self.state in ("bot", "gone", "away")


@dataclass(frozen=True)
class BotWanted:
    """The table wants a bot of its host on this seat; the token lets it in."""

    seat: int
    token: bytes = field(repr=False)
    level: str = DEFAULT_LEVEL


class Seating:
    """The seats of one table and everybody who was let in.

    Times are ms of the host's clock. wanted: the bots the host should start. dismissed: whoever was sent away, with the
    reason, until the table has told them. changed: whether everybody has to be told.
    """

    def __init__(self, config: TableConfig) -> None:
        self.config = config
        self.seats = [Seat() for _ in range(config.seats)]
        self.spectators: list[Session] = []
        self.banned: list[str] = []
        """Client keys that are not let in, the newest last."""
        self.inviting = True
        """Whether newcomers are let in; sessions can always be resumed."""
        self.wanted: list[BotWanted] = []
        self.dismissed: list[tuple[Session, wire.Bye]] = []
        self.changed = False
        for number in range(config.seats - config.bots, config.seats):
            self.seat_bot(number)

    def sessions(self) -> list[Session]:
        """Return everybody who was let in: seats in order, then spectators."""
        seated = [session for seat in self.seats for session in (seat.player, seat.standin) if session is not None]
        return seated + self.spectators

    def humans(self) -> int:
        """Return how many people have a seat."""
        return sum(seat.human for seat in self.seats)

    @property
    def owner(self) -> int:
        """The seat of the table's owner, -1: nobody. It is whoever joined with the owner string or was handed the
        table, else the first person. While they are away it is the next one who is not, so that no table stays
        paused."""
        bearers = [number for number, seat in enumerate(self.seats) if seat.player is not None and seat.player.owner]
        people = [number for number, seat in enumerate(self.seats) if seat.human]
        return next(iter(sorted(bearers + people, key=lambda number: self.seats[number].state == "away")), -1)

    def owns(self, session: Session) -> bool:
        """Whether this session is the table's owner."""
        return session.seat >= 0 and not session.standin and session.seat == self.owner

    # ------------------------------------------------------------------------------------------------------ coming in
    def hello(self, hello: wire.Hello, key: str, now: int, playing: bool) -> Session | wire.Error:
        """Let somebody in, or return why not. playing: a match is on (then only seats given up are free)."""
        if not hello.lo <= wire.WIRE <= hello.hi:
            text = f"the host speaks protocol {wire.WIRE}, this client {hello.lo} to {hello.hi}: update the older one"
            return wire.Error("bad_version", text)
        if key in self.banned:
            return wire.Error("banned", BANNED)
        hashed = token_hash(hello.token)
        session = find_bearer(self.sessions(), hashed, key)
        if session is not None:
            return self._back(session, now)
        for number, seat in enumerate(self.seats):
            if seat.ticket and same(seat.ticket, hashed):
                return self._own_bot(number, key)
        return self._invited(hello, hashed, key, now, playing)

    def _invited(
        self, hello: wire.Hello, hashed: bytes, key: str, now: int, playing: bool
    ) -> Session | wire.Error:
        config = self.config
        owner, join = same(config.owner_hash, hashed), same(config.join_hash, hashed)
        watch = same(config.watch_hash, hashed)
        if not (owner or join or watch):
            return wire.Error("bad_token", NO_FIT)
        if problem := name_problem(hello.name):
            return wire.Error("bad_name", problem)
        sessions = self.sessions()
        known = next((one for one in sessions if one.key == key and one.role == hello.role and not one.own), None)
        if known is None and not owner and not self.inviting:
            return wire.Error("not_allowed", "the table's owner lets no new players or spectators in")
        if hello.role == "watch":
            return self._watcher(key)
        if watch:
            return wire.Error("not_allowed", "this string is for spectators only: use `kickdoor watch`")
        if known is not None:  # the welcome was lost, or the owner string takes the table back
            if owner and known.seat >= 0:
                self.make_owner(known)
            return self._back(known, now)
        if problem := self._mistaken(hello.name):
            return wire.Error("bad_name", problem)
        number = self._free_seat(playing, hello.name)
        if number < 0:
            full = f"all {config.seats} seats at this table are taken: ask the host for its watch string to spectate"
            return wire.Error("table_full", full)
        return self._sit(number, hello, key, owner, now)

    def _free_seat(self, playing: bool, name: str) -> int:
        """Return a seat for a newcomer, the one meant for their name if there is one; -1: none is free."""
        states = ("gone",) if playing else ("open", "gone")
        free = [number for number, seat in enumerate(self.seats) if seat.state in states]
        own = [number for number in free if self._place(number) == name]
        return (own + free + [-1])[0]

    def _place(self, number: int) -> str:
        return self.config.places[number] if number < len(self.config.places) else ""

    def _sit(self, number: int, hello: wire.Hello, key: str, owner: bool, now: int) -> Session:
        seat = self.seats[number]
        if seat.standin is not None:
            self.dismiss(seat.standin, "superseded", "a player took this seat")
            seat.standin = None
        session = Session(new_token(), number, hello.role, key, level=hello.level, heard_at=now)
        bot = hello.role == "bot"
        seat.name = self._free_name(hello.name)
        seat.bot = (hello.level or DEFAULT_LEVEL)[: limits.LEVEL_CHARS] if bot else ""
        seat.state, seat.ready = ("bot", True) if bot else ("here", self.config.solo)
        seat.player, seat.ticket, seat.defaults, seat.acted_at = session, b"", 0, now
        if owner:
            self.make_owner(session)
        self.changed = True
        return session

    def make_owner(self, session: Session) -> None:
        """Make this player the owner of the table."""
        for other in self.sessions():
            other.owner = other is session
        self.changed = True

    def _names(self) -> list[str]:
        """Return the names at the table."""
        return [seat.name for seat in self.seats if seat.state != "open"]

    def _free_name(self, wanted: str) -> str:
        """Return the name, with a number if somebody has it already."""
        return free_name(wanted, self._names())

    def _mistaken(self, name: str) -> str:
        """Return why a newcomer cannot have this name, since it looks like another one at the table, or ""."""
        names = self._names()
        other, free = look_alike(name, names), free_name(name, names)
        return f"{name} looks like {other}, a name at this table: come as {free}, for instance" if other else ""

    def _watcher(self, key: str) -> Session | wire.Error:
        known = next((session for session in self.spectators if session.key == key), None)
        if known is not None:
            return known
        if len(self.spectators) >= limits.SPECTATORS:
            return wire.Error("table_full", f"{limits.SPECTATORS} people spectate already: try again later")
        session = Session(new_token(), -1, "watch", key)
        self.spectators.append(session)
        self.changed = True
        return session

    def _back(self, session: Session, now: int) -> Session:
        """Resume a session: the player is back, and the bot that stood in leaves."""
        if session.seat >= 0 and not session.standin:
            self.back(session.seat, now)
        return session

    # ------------------------------------------------------------------------------------------------- the host's bots
    def seat_bot(self, number: int) -> None:
        """Give a free seat to a bot of the host."""
        seat = self.seats[number]
        name = self._place(number) or BOT_NAMES[number % len(BOT_NAMES)]
        seat.name, seat.state, seat.ready = self._free_name(name), "bot", True
        seat.bot = self.config.bot_level
        self.want_bot(number)
        self.changed = True

    def want_bot(self, number: int) -> None:
        """Ask the host for a bot on this seat, with a new token."""
        token = new_token()
        seat = self.seats[number]
        seat.ticket = token_hash(token)
        self.wanted.append(BotWanted(number, token, seat.bot or self.config.bot_level))

    def want_missing_bots(self) -> None:
        """Ask for all bots again: the host's bots died."""
        for number, seat in enumerate(self.seats):
            if seat.ticket or (seat.standin is not None and seat.standin.own):
                seat.standin = None
                self.want_bot(number)

    def _own_bot(self, number: int, key: str) -> Session:
        seat = self.seats[number]
        session = Session(new_token(), number, "bot", key, own=True, standin=True)
        seat.standin, seat.ticket = session, b""
        return session

    def restore(self, number: int, seat: Seat) -> None:
        """Put a seat from the journal in its place; where a bot played, ask for one again."""
        self.wanted = [wanted for wanted in self.wanted if wanted.seat != number]
        self.seats[number] = seat
        if seat.played_by_bot and (seat.player is None or seat.state == "away"):
            self.want_bot(number)
        self.changed = True

    # ----------------------------------------------------------------------------------------------------- presence
    def plays(self, session: Session) -> bool:
        """Whether this session may act for its seat now."""
        if session.seat < 0:
            return False
        seat = self.seats[session.seat]
        return seat.played_by_bot if session.standin else seat.player is session

    def back(self, number: int, now: int) -> None:
        """Note that the player of a seat is here, or back: the bot that stood in leaves."""
        seat = self.seats[number]
        seat.acted_at, seat.defaults = now, 0
        if seat.state not in ("lost", "away"):
            return
        seat.state, seat.ticket, self.changed = "here", b"", True
        if seat.standin is not None:
            self.dismiss(seat.standin, "superseded", "the player is back")
            seat.standin = None

    def away(self, number: int) -> None:
        """Let a bot play for an inactive player."""
        seat = self.seats[number]
        if seat.state in ("here", "lost"):
            seat.state, self.changed = "away", True
            self.want_bot(number)

    def unreachable(self, session: Session, now: int) -> None:
        """Note that the connection of a session is gone."""
        session.address = None
        if session.role == "watch":
            self.remove_spectator(session)
        elif session.role == "player" and self.seats[session.seat].player is session:
            self.lose(session.seat, now)

    def remove_spectator(self, session: Session) -> None:
        """Forget a spectator. Does nothing the second time: one who leaves and hangs up is removed for both."""
        if session in self.spectators:
            self.spectators.remove(session)
            self.changed = True

    def lose(self, number: int, now: int) -> None:
        """Mark a seat as lost: its player cannot be reached."""
        seat = self.seats[number]
        if seat.state == "here":
            seat.state, seat.lost_at, self.changed = "lost", now, True

    def leave(self, session: Session, playing: bool) -> None:
        """Remove a session that leaves for good."""
        if session in self.spectators:
            self.remove_spectator(session)
            self.dismiss(session, "left", "you stopped spectating")
        elif session.standin:
            self.seats[session.seat].standin = None
        else:
            self.kick(session.seat, playing, "you left the table", "left")

    def give_up(self, number: int, reason: str, text: str) -> None:
        """Let a bot play a seat to the end of the match: its player leaves, and is told why."""
        seat = self.seats[number]
        if seat.player is not None:
            self.dismiss(seat.player, reason, text)
        seat.player, seat.state, seat.bot, seat.ready, self.changed = None, "gone", self.config.bot_level, True, True
        if seat.standin is None and not seat.ticket:
            self.want_bot(number)

    def free(self, number: int, reason: str, text: str) -> None:
        """Empty a seat outside a match; whoever sat there is told why."""
        for session in (self.seats[number].player, self.seats[number].standin):
            if session is not None:
                self.dismiss(session, reason, text)
        self.seats[number] = Seat()
        self.changed = True

    def kick(self, number: int, playing: bool, text: str, reason: str = "kicked") -> None:
        """Remove the player of a seat. playing: a match is on."""
        if playing:
            self.give_up(number, reason, text)
        else:
            self.free(number, reason, text)

    def ready(self, number: int, ready: bool) -> None:
        """Note whether a player is ready for the match."""
        seat = self.seats[number]
        if seat.human and seat.ready != ready:
            seat.ready, self.changed = ready, True

    def all_ready(self) -> bool:
        """Whether every seat is taken and ready."""
        return all(seat.state != "open" and seat.ready for seat in self.seats)

    def dismiss(self, session: Session, reason: str, text: str) -> None:
        """End a session, and say why (see wire.Bye)."""
        self.dismissed.append((session, wire.Bye(reason, text)))

    # ------------------------------------------------------------------------------------------------------ telling
    def infos(self, now: int) -> list[wire.SeatInfo]:
        """Return the seats as everybody sees them."""
        lost = [now - seat.lost_at if seat.state == "lost" else 0 for seat in self.seats]
        return [
            wire.SeatInfo(seat.name or self._place(number), seat.state, seat.ready, ms, seat.bot, seat.wins)
            for number, (seat, ms) in enumerate(zip(self.seats, lost))
        ]
