"""Seating: the seats, the tokens that lead to them, presence, and the bots that stand in.

Knows neither the game nor ZeroMQ.
"""

from netcode.bots.levels import DEFAULT_LEVEL
from netcode.bots.personalities import cast, personality_of, split_spec
from netcode.protocol import limits, wire
from netcode.protocol.clean_text import clean
from netcode.protocol.credentials import new_token, same, token_hash
from netcode.protocol.names import free_name, look_alike, name_problem
from netcode.protocol.origins import origin
from netcode.protocol.versions import version_problem
from netcode.table.admission import CLOSED, Admission, duration_text
from netcode.table.ownership import Ownership
from netcode.table.seat import HUMAN, BotWanted, Seat
from netcode.table.seat_codes import LET_IN, MOVED, MOVED_AWAY, SeatCodes, claimed_seat
from netcode.table.session import Session, find_bearer
from netcode.table.shared_seats import ELSEWHERE, SharedSeats
from netcode.table.table_setup import TableConfig

NO_FIT = "no table here fits this join string: the table is closed, or the host printed another string"
"""The answer to a wrong token and to an unknown table is the same, so that a join string reveals nothing about other
tables."""
KEPT_FOR_OWNER = "the last free seat is kept for the table's owner: try again later"
FLOODED = "you sent too many actions that the host had to refuse"
WATCH_ONLY = "this string is for spectators only: use `kickdoor watch`"
BOT_NAMES = ("Ada", "Bea", "Cyril", "Dot", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou")


class Seating:
    """The seats of one table and everybody who was let in.

    Times are ms of the host's clock. wanted: the bots the host should start. dismissed: sessions that were sent away,
    with the reason, until the table has informed them. changed: whether the table has to tell everybody.
    """

    def __init__(self, config: TableConfig) -> None:
        self.config = config
        self.seats = [Seat() for _ in range(config.seats)]
        self.spectators: list[Session] = []
        self.admission = Admission.of(config)
        self.ownership = Ownership()
        self.muted: list[str] = []
        """Whose talk the owner has muted (see `voice`), the newest last."""
        self.spectators_muted = False
        self.wanted: list[BotWanted] = []
        self.dismissed: list[tuple[Session, wire.Bye]] = []
        self.changed = False
        self.presence, self.codes = SharedSeats(), SeatCodes()
        for number in range(config.seats - config.bots, config.seats):
            self.seat_bot(number)

    def sessions(self) -> list[Session]:
        """Return everybody who was let in: seats in order, then spectators."""
        seated = [session for seat in self.seats for session in (seat.player, seat.standin) if session is not None]
        return seated + self.spectators

    def watched(self) -> bool:
        """Return whether people play or watch, so that bots have to take their time."""
        return self.humans() > 0 or (bool(self.spectators) and not self.config.at_once)

    def humans(self) -> int:
        """Return how many people have a seat."""
        return len([seat for seat in self.seats if seat.state in HUMAN])

    @property
    def alone(self) -> int:
        """The seat of the only person here, who plays alone with bots; -1 if there are several or none."""
        person = -1
        for number, seat in enumerate(self.seats):
            if seat.state in HUMAN:
                if person >= 0:
                    return -1
                person = number
        return person

    @property
    def owner(self) -> int:
        """The seat that decides for the table now, -1: nobody."""
        return self.ownership.deciding(self.seats)

    @property
    def acting(self) -> bool:
        """Whether the deciding seat acts for an owner who is away."""
        return self.owner != self.ownership.owner(self.seats)

    def owns(self, session: Session) -> bool:
        """Whether this session decides for the table now."""
        return session.seat >= 0 and not session.standin and session.seat == self.owner

    def is_muted(self, session: Session) -> bool:
        """Whether the owner has muted this session's talk."""
        return self.voice(session.seat) in self.muted if session.seat >= 0 else self.spectators_muted

    def voice(self, number: int) -> str:
        """Return the identity of the speaker at a seat: a client key, or a bot of the host; "" for nobody."""
        seat = self.seats[number]
        if seat.player is not None:
            return seat.player.key
        return f"bot of seat {number}" if seat.state in ("bot", "gone") else ""

    def _unmute(self, number: int) -> None:
        """Unmute the bot of a seat, because another bot plays it from now on."""
        self.muted = [voice for voice in self.muted if voice != self.voice(number)]

    # ------------------------------------------------------------------------------------------------------ coming in
    def knows(self, token: bytes, key: str) -> bool:
        """Return whether this token leads to this table: it is of one of its strings, of a saved seat, or of a
        requested bot."""
        hashed = token_hash(token)
        string, bearer = self.admission.string(hashed), find_bearer(self.sessions(), hashed, key)
        return bool(string) or bearer is not None or any(seat.ticket == hashed for seat in self.seats)

    def has_place(self, key: str) -> bool:
        """Whether a client with this key has a seat here, or owns the table."""
        return key == self.ownership.key or any(one.seat >= 0 and one.key == key for one in self.sessions())

    def hello(
        self, hello: wire.Hello, key: str, address: bytes, now: int, playing: bool, where: str = ""
    ) -> Session | wire.Down:
        """Let somebody in, let them wait, or return the refusal. address: their routing id. playing: a match is on, so
        that only seats that were given up are free. where: their network address."""
        if text := version_problem(hello.lo, hello.hi):
            return wire.Error("bad_version", text)
        hashed = token_hash(hello.token)
        string = self.admission.string(hashed)
        owner = string == "owner" or key == self.ownership.key
        refusal = None if owner else self.admission.refusal(key, now, where)
        if refusal is not None:
            return refusal
        session = find_bearer(self.sessions(), hashed, key)
        if hello.role == "code":
            plays = session is not None and session.role == "player" and not session.standin
            return self.codes.new(session, now) if plays and session is not None else wire.Error("bad_token", NO_FIT)
        if key in self.codes.left:
            return wire.Bye("superseded", MOVED_AWAY)
        holder = self.codes.holder(hashed, now)
        if holder is not None and self.seats[holder.seat].player is holder:
            return self._move(holder, key, MOVED, where, now)
        given = self._given(key) if string else None
        if given is not None:
            return self._move(given, key, LET_IN, where, now)
        if session is not None and not string:  # a valid string may do more than resume a session
            waits = self.presence.answer_to(session, address, now) if hello.polite else None
            return waits or self._back(session, now)
        for number, seat in enumerate(self.seats):
            if seat.ticket and same(seat.ticket, hashed):
                return self._own_bot(number, key)
        if not (string or owner):
            return wire.Error("bad_token", NO_FIT)
        insists = string == "owner" and not hello.polite
        if session is None and not insists and self.presence.lives(self.sessions(), key, address, now):
            return wire.Bye("superseded", ELSEWHERE)  # it slept while another connection took the seat
        mine = [one for one in self.sessions() if one.key == key and one.role == hello.role and not one.own]
        known = mine[0] if mine else None
        if known is None and not owner:
            answer = self._newcomer(hello, string, key, address, now, where, playing)
            if answer is not None:
                return answer
        return self._welcomed(hello, string, key, now, playing, known)

    def _given(self, key: str) -> Session | None:
        """Return the session whose seat this key may take, since somebody has let it in; None if there is none."""
        number = self.admission.given.pop(key, -1)
        return self.seats[number].player if 0 <= number < len(self.seats) else None

    def judge_of(self, number: int) -> int:
        """Return the seat that answers somebody who says that this seat is theirs: its own player while they are
        connected, else the table's owner; -1: nobody, as when the owner is away or the seat is their own."""
        if self.seats[number].live:
            return number
        return self.owner if not self.acting and self.owner != number else -1

    def _move(self, session: Session, key: str, why: str, where: str, now: int) -> Session | wire.Error:
        """Give a seat to this key of its player, who has come from another machine. why: MOVED or LET_IN."""
        before = session.key
        self.codes.moved(session, key)
        self.ownership.moved(before, key)
        self.muted = [key if voice == before else voice for voice in self.muted]
        session.moved_by = why.format(where=f" at {origin(where)}" if where else "")
        session.key, session.tokens, session.offered = key, [], b""
        self.changed = True
        return self._back(session, now)

    def _newcomer(
        self, hello: wire.Hello, string: str, key: str, address: bytes, now: int, where: str, playing: bool
    ) -> wire.Knocked | wire.Error | None:
        """Return the answer for a newcomer who is not let in, None if they may come in. string: which string they
        have."""
        if string == "watch" and hello.role != "watch":
            return wire.Error("not_allowed", WATCH_ONLY)
        if not self.admission.inviting:
            return wire.Error("not_allowed", CLOSED)
        if problem := name_problem(hello.name):
            return wire.Error("bad_name", problem)
        asks = hello.role == "player" and not self.config.solo and key not in self.admission.accepted
        claimed = claimed_seat(self.seats, hello.name, self.has_room(playing)) if asks else -1
        if claimed < 0 and self.admission.admits(key, hello.role):
            return None
        self.changed = True
        return self.admission.knock(hello, key, address, now, where, claimed)

    def _welcomed(
        self, hello: wire.Hello, string: str, key: str, now: int, playing: bool, known: Session | None
    ) -> Session | wire.Error:
        """Admit somebody who may come in. known: their session, if they are here already."""
        if hello.role == "watch":
            return self._watcher(key)
        owner = string == "owner" or key == self.ownership.key
        if known is not None:  # the welcome was lost, or the owner string takes the table back
            if string == "owner":
                self.make_owner(known, founder=True)
            return self._back(known, now)
        name = self.admission.accepted.get(key, (hello.name, ""))[0]
        if problem := name_problem(name):
            return wire.Error("bad_name", problem)
        if not owner and key not in self.admission.accepted and (problem := self._mistaken(name)):
            return wire.Error("bad_name", problem)
        number = self._owners_seat(playing, name) if owner else self._free_seat(playing, name)
        if number < 0:
            return wire.Error("table_full", self._full())
        session = self._sit(number, hello, name, key, now)
        if owner:
            self.make_owner(session, founder=string == "owner")
        return session

    def _full(self) -> str:
        if self._kept_seats() and self._free_seats(playing=False):
            return KEPT_FOR_OWNER
        return f"all {self.config.seats} seats at this table are taken: ask the host for its watch string to spectate"

    def _free_seats(self, playing: bool) -> list[int]:
        """Return the seats that somebody can sit down in."""
        states = ("gone",) if playing else ("open", "gone")
        return [number for number, seat in enumerate(self.seats) if seat.state in states]

    def _free_seat(self, playing: bool, name: str) -> int:
        """Return a seat for a newcomer, preferably the one meant for their name; -1 if none is free."""
        free = self._free_seats(playing)
        return (self._meant_for(name, free) + free + [-1])[0] if len(free) > self._kept_seats() else -1

    def has_room(self, playing: bool) -> bool:
        """Whether a newcomer would get a seat."""
        return self._free_seat(playing, "") >= 0

    def _meant_for(self, name: str, free: list[int]) -> list[int]:
        """Return the free seats that are meant for this name or were left by somebody of this name."""
        return [number for number in free if name in (self._place(number), self.seats[number].name)]

    def _kept_seats(self) -> int:
        """Return how many free seats are reserved: one for an owner without a seat, unless a bot of the host would make
        room for them."""
        missing = self.ownership.key and self.ownership.owner(self.seats) < 0
        return 1 if missing and not self._bot_seats() else 0

    def _bot_seats(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.state == "bot" and seat.player is None]

    def _owners_seat(self, playing: bool, name: str) -> int:
        """Return a seat for the owner: in the waiting room their own lost one; a free one; one of a bot of the host; in
        the waiting room the seat of the last player to come. -1: a game is on, and all others are people."""
        free, mine = self._free_seats(playing), self.ownership.owner(self.seats)
        lost = [mine] if not playing and mine >= 0 and self.seats[mine].state == "lost" else []
        last = max(range(len(self.seats)), key=lambda number: self.seats[number].came)
        found = [*lost, *self._meant_for(name, free), *free, *self._bot_seats(), *([] if playing else [last]), -1][0]
        if found in lost:
            self.free(found, "superseded", ELSEWHERE)
        elif not playing and found >= 0 and self.seats[found].state != "open":
            self.free(found, "closing", "the table's owner needs your seat")
        return found

    def _place(self, number: int) -> str:
        return self.config.places[number] if number < len(self.config.places) else ""

    def _sit(self, number: int, hello: wire.Hello, name: str, key: str, now: int) -> Session:
        seat = self.seats[number]
        if seat.standin is not None:
            self.dismiss(seat.standin, "superseded", "a player took this seat")
            seat.standin = None
        session = Session(new_token(), number, hello.role, key, level=hello.level, heard_at=now)
        bot = hello.role == "bot"
        seat.name = self._free_name(name, number)
        seat.bot = (clean(hello.level, limits.BOT_CHARS) or DEFAULT_LEVEL) if bot else ""
        seat.state, seat.ready = ("bot", True) if bot else ("here", self.config.solo)
        seat.player, seat.ticket, seat.wins, seat.defaults, seat.acted_at = session, b"", 0, 0, now
        seat.inactive = False
        seat.came = max(other.came for other in self.seats) + 1
        self.changed = True
        return session

    def make_owner(self, session: Session, founder: bool = False) -> None:
        """Make this player the owner of the table. founder: they came with the owner string."""
        self.ownership.take(session.key, founder)
        self.admission.pardon(session.key, session.where)
        self.changed = True

    def names(self, but: int = -1) -> list[str]:
        """Return the names at the table, without that of the seat `but`."""
        return [seat.name for at, seat in enumerate(self.seats) if seat.state != "open" and at != but]

    def _free_name(self, wanted: str, number: int) -> str:
        """Return the name for this seat, with a number added if somebody else has it already."""
        return free_name(wanted, self.names(but=number))

    def _mistaken(self, name: str) -> str:
        """Return why a newcomer cannot have this name (it looks like another one at the table), or ""."""
        names = self.names()
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

    def _back(self, session: Session, now: int) -> Session | wire.Error:
        """Resume a session: the player is back, and the stand-in bot leaves. An inactive player comes back only with a
        key press, because a client reconnects by itself. Refuse a session that was sent out a moment ago."""
        left = session.out_until - now
        if left > 0:
            return wire.Error("kicked", f"{FLOODED}: you may come back in {duration_text(left)}", -1, left)
        if session.seat >= 0 and not session.standin and not self.seats[session.seat].inactive:
            self.back(session.seat, now)
        return session

    # ------------------------------------------------------------------------------------------------- the host's bots
    def seat_bot(self, number: int) -> None:
        """Give a free seat to a bot of the host."""
        seat = self.seats[number]
        seat.bot = self._spec()
        personality = personality_of(seat.bot)
        name = personality.name if personality is not None else BOT_NAMES[number % len(BOT_NAMES)]
        seat.name, seat.state, seat.ready = self._free_name(self._place(number) or name, number), "bot", True
        self._unmute(number)
        self.want_bot(number)
        self.changed = True

    def _spec(self) -> str:
        """Return the level of a new bot of the host, with the next personality that no bot here has."""
        here = {split_spec(seat.bot)[1] for seat in self.seats}
        order = cast(self.config.cast_seed) if self.config.cast_seed else ()
        level, free = self.config.bot_level, [name for name in order if name not in here]
        return f"{level}/{free[0]}" if free else level

    def want_bot(self, number: int) -> None:
        """Request a bot of the host for this seat, with a new token."""
        token = new_token()
        seat = self.seats[number]
        seat.ticket = token_hash(token)
        self.wanted.append(BotWanted(number, token, seat.bot or self.config.bot_level))

    def want_missing_bots(self) -> None:
        """Request all bots again, because the host's bots died."""
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
        """Restore a seat from the journal; if a bot played it, request one again."""
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
        """Note that the player of a seat is here or back; the stand-in bot leaves."""
        seat = self.seats[number]
        seat.acted_at, seat.defaults, seat.inactive = now, 0, False
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
            seat.inactive = seat.state == "here"
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
        """Remove a spectator. A second call does nothing: leaving and hanging up both remove them."""
        if session in self.spectators:
            self.spectators.remove(session)
            self.changed = True

    def lose(self, number: int, now: int) -> None:
        """Mark a seat as lost, because its player cannot be reached."""
        seat = self.seats[number]
        if seat.state == "here":
            seat.state, seat.lost_at, self.changed = "lost", now, True

    def leave(self, session: Session, playing: bool) -> None:
        """Remove a session that leaves for good. A seat that has a new owner by now stays as it is."""
        if session.role == "watch":
            self.remove_spectator(session)
            self.dismiss(session, "left", "you stopped spectating")
        elif session.standin:
            if self.seats[session.seat].standin is session:
                self.seats[session.seat].standin = None
        elif self.seats[session.seat].player is session:
            self.ownership.resign(session.key)
            self.kick(session.seat, playing, "you left the table", "left")

    def give_up(self, number: int, reason: str, text: str) -> None:
        """Let a bot play a seat to the end of the match; its player leaves and is told why."""
        seat = self.seats[number]
        if seat.player is not None:
            self.dismiss(seat.player, reason, text)
        seat.player, seat.state, seat.bot, seat.ready, self.changed = None, "gone", self.config.bot_level, True, True
        self._unmute(number)
        if seat.standin is None and not seat.ticket:
            self.want_bot(number)

    def send_out(self, session: Session, playing: bool, now: int) -> None:
        """Send out a player who sent too much. The seat stays theirs, and they may come back after
        limits.FLOOD_PAUSE_MS. A bot plays meanwhile if a match is on (playing) and other people are at the table."""
        session.out_until = now + limits.FLOOD_PAUSE_MS
        session.refused_at.clear()
        session.postponed.clear()
        pause = duration_text(limits.FLOOD_PAUSE_MS)
        self.dismiss(session, "kicked", f"{FLOODED}: your seat is kept, and you may come back in {pause}")
        self.lose(session.seat, now)
        if playing and self.humans() > 1:
            self.away(session.seat)

    def free(self, number: int, reason: str, text: str) -> None:
        """Empty a seat outside a match and tell its player why."""
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
        lost = [max(0, now - seat.lost_at) if seat.state == "lost" else 0 for seat in self.seats]  # now: of a message
        return [
            wire.SeatInfo(
                seat.name or self._place(number), seat.state, seat.ready, ms, seat.bot, seat.wins,
                self.voice(number) in self.muted,
            )
            for number, (seat, ms) in enumerate(zip(self.seats, lost))
        ]
