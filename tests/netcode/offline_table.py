"""A table without sockets whose clock the test sets: players sit down, act, and read what the table sends them."""

import random
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from core.scenario.cast import Cast, begin
from core.scenario.schema import load as load_scenarios
from core.state.actions import Action, Kick, Pass, Play
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.state.views import View
from netcode.client.deal_commitment import DealCommitment
from netcode.client.state_machine import Role
from netcode.journal import Row
from netcode.protocol import codec, wire
from netcode.protocol.deltas import Folder
from netcode.protocol.pack_files import load_packs
from netcode.table.rules_adapter import Rules, RunningGame
from netcode.table.rules_game import RulesGame
from netcode.table.session import Out, Session
from netcode.table.table import Table
from netcode.table.table_setup import TableConfig

Message = TypeVar("Message")
JOIN, WATCH, OWNER = b"j" * 16, b"w" * 16, b"o" * 16

FIGHT = """
[[scenario]]
name = "Kim meets a monster"
doors = ["Glampire"]
steps = []
[scenario.seats.Kim]
level = 4
hand = ["Prismatic Glitter"]
[scenario.seats.Roger]
level = 3
hand = ["Advantaged"]
[scenario.seats.Ross]
level = 2
"""

CURSED = """
[[scenario]]
name = "Kim has to choose what to lose"
steps = []
treasures = []
[scenario.seats.Kim]
level = 4
hand = ["Advantaged"]
table = ["Pickle Spear", "Wombat Boots"]
[scenario.seats.Roger]
level = 3
hand = ["Hole in the Pocket"]
[scenario.seats.Ross]
level = 2
hand = ["Find a Typo in the Rulse"]
"""

STRONG = FIGHT.replace("level = 4", 'level = 9\ntable = ["Plot Armor"]').replace('"Glampire"', '"Practice Rat"')


@cache
def rules() -> Rules:
    """Return the rules of the first set, loaded once."""
    return Rules(load_packs(["munchkins-and-mazes"]))


def scenario_game(text: str) -> RunningGame:
    """Return a game in the position of a scenario."""
    (scenario,) = load_scenarios(text.encode(), "offline")
    return RulesGame(rules().catalog, begin(Cast(rules().catalog, scenario), scenario.name.encode())[0])


def card(name: str) -> int:
    """Return the number of the definition with this printed name."""
    return next(definition.no for definition in rules().catalog.cards if definition.card.name == name)


class Player:
    """One client of an offline table. inbox: the messages to it, newest last, with an Update for each Delta."""

    def __init__(self, offline: "OfflineTable", name: str, session: Session, address: bytes) -> None:
        self.offline, self.name, self.session, self.address = offline, name, session, address
        self.inbox: list[wire.Told] = []
        self._folder = Folder()
        self._timers, self._timers_at = wire.Timers(), 0
        self.n = session.n
        self.present = True
        self.deal_commitment = DealCommitment()

    @property
    def seat(self) -> int:
        return self.session.seat

    @property
    def update(self) -> wire.Update:
        """The newest Update."""
        return self.received(wire.Update)[-1]

    @property
    def view(self) -> View:
        """The newest view."""
        view = self.update.view
        assert view is not None
        return view

    @property
    def timers(self) -> wire.Timers:
        """The newest clocks, as they were sent."""
        return self._timers

    def told(self, message: wire.Down) -> None:
        """Take in a message of the table."""
        now = self.offline.now
        found: wire.Told = message
        if isinstance(message, wire.Delta):
            found = self._folder.fold(message, self.offline.table.epoch, self._timers.after(now - self._timers_at))
        if isinstance(found, wire.Update | wire.Ticked | wire.Pong):
            self._timers, self._timers_at = found.timers, now
        self.inbox.append(found)

    def received(self, kind: type[Message]) -> list[Message]:
        """Return all messages of a kind in the inbox."""
        return [message for message in self.inbox if isinstance(message, kind)]

    def send(self, message: wire.Up, later_us: int = 0) -> None:
        """Send a message; it arrives later_us microseconds after the table's time."""
        stamp = self.offline.stamp + later_us * 1000
        self.offline.table.message(self.session, codec.unpack_up(codec.pack(message)), stamp)
        self.offline.deliver()

    def act(self, action: Action, later_us: int = 0) -> wire.Down:
        """Send an action; return the answer."""
        self.n += 1
        self.send(wire.Act(self.session.s, self.n, action), later_us)
        return [m for m in self.inbox if isinstance(m, wire.Ack | wire.Refused | wire.Error) and m.n == self.n][-1]

    def set(self, **preferences: Any) -> None:
        """Send preferences."""
        self.send(wire.Set(self.session.s, **preferences))

    def holds(self, name: str) -> int:
        """Return a card of this name in the player's hand."""
        assert self.view.you is not None
        return next(held for held in self.view.you.hand if defn_of(held) == card(name))


class OfflineTable:
    """A table, its players, and the time. rows: everything for the journal so far."""

    forecasts = veiled = False
    """Whether players ask for forecasts of their options."""

    def __init__(self, game: str | None = FIGHT, *, seats: int = 3, bots: int = 0, **config: Any) -> None:
        """game: the scenario that every match begins with; None: matches are dealt."""
        self.stamp = 1_000_000_000_000
        self.players: list[Player] = []
        self.rows: list[Row] = []
        self._game = game
        settings = TableConfig(
            table="t",
            seats=seats,
            bots=bots,
            join=JOIN,
            watch=WATCH,
            owner=OWNER,
            **config,
        )
        self.table = Table(settings, self.deal, self.seed)

    def deal(self, seats: int, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        """Return the game of a match, and the events of its deal."""
        return rules().deal(seats, seed) if self._game is None else (scenario_game(self._game), [])

    def seed(self, number: int) -> bytes:
        """Return the seed of the table's nth match."""
        return b"desk%d" % number

    def sent(self, out: list[Out]) -> None:
        """Called with everything the table sends, before it is delivered."""

    @property
    def now(self) -> int:
        """The table's time, ms."""
        return self.stamp // 1_000_000

    def hello(
        self, name: str, token: bytes = JOIN, role: Role = "player", key: str = "", address: bytes = b""
    ) -> Player | wire.Error | wire.Knocked:
        """Introduce somebody to the table; return them as a player, or why they are not let in (yet)."""
        address = address or name.encode()
        forecasts, veiled = (asked and role == "player" for asked in (self.forecasts, self.veiled))
        hello = wire.Hello(wire.WIRE, wire.WIRE, "t", token, name, role, forecasts=forecasts, veiled=veiled)
        session = self.table.hello(hello, key or name, address, self.stamp)
        if session is None:
            answer = next(one.message for one in self.deliver() if one.address == address)
            assert isinstance(answer, wire.Error | wire.Knocked)
            return answer
        player = Player(self, name, session, address)
        self.players.append(player)
        self.deliver()
        return player

    def spectator(self, name: str = "Wes") -> Player:
        """Let a spectator in."""
        spectator = self.hello(name, WATCH, "watch")
        assert isinstance(spectator, Player)
        return spectator

    def sit(self, *names: str) -> list[Player]:
        """Seat players of these names and make them ready."""
        players = [player for player in map(self.hello, names) if isinstance(player, Player)]
        for player in players:
            player.set(ready=True)
        return players

    def seat_own_bots(self) -> list[Player]:
        """Seat the bots that the table wants from its host."""
        wanted, self.table.seating.wanted = self.table.seating.wanted, []
        addresses = {one.seat: b"bot%d.%d" % (one.seat, self.now) for one in wanted}
        bots = [self.hello(f"bot{one.seat}", one.token, "bot", address=addresses[one.seat]) for one in wanted]
        return [bot for bot in bots if isinstance(bot, Player)]

    def deliver(self) -> list[Out]:
        """Give every player the messages for them, through the codec; return all messages."""
        rows, out = self.table.take()
        self.rows += rows
        self.sent(out)
        for one in out:
            message = codec.unpack_down(codec.pack(one.message))
            for player in self.players:
                if player.address == one.address:
                    player.told(message)
        return out

    def clear(self) -> None:
        """Empty all inboxes; the newest Update stays."""
        for player in self.players:
            player.inbox = [player.update] if player.received(wire.Update) else []

    def wait(self, ms: int) -> None:
        """Let time pass: present players ping once a second, and the table runs due work at its time."""
        until = self.stamp + ms * 1_000_000
        while self.stamp < until:
            due = self.table.next_ms()
            step = min(until, (self.now // 1000 + 1) * 1_000_000_000)
            if due is not None:
                step = min(step, max(due * 1_000_000, self.stamp))
            if step % 1_000_000_000 == 0:
                for player in self.players:
                    if player.present and player.session.address is not None:
                        self.table.message(player.session, wire.Ping(player.session.s, 1), step)
            self.stamp = step
            self.table.tick(self.stamp)
            self.deliver()
            if due is not None and step >= due * 1_000_000 and self.table.next_ms() == due:
                raise AssertionError("the table's clock does not move on")


    def play_randomly(self, acts: int, seed: int = 1) -> None:
        """Let random players do random legal actions until the match has this many."""
        rng = random.Random(seed)
        while self.table.match is not None and self.table.match.seq < acts:
            player = rng.choice(self.players)
            you = player.view.you
            rows = [row for row in you.legal if row.pick is None] if you is not None else []
            if rows:
                player.act(rng.choice(rows).action)
            self.wait(200)
            player.session.refused_at.clear()


def at_the_fight(offline: OfflineTable, *names: str) -> list[Player]:
    """Seat three players; the first, Kim, kicks the door open and meets the monster."""
    players = offline.sit(*(names or ("Kim", "Roger", "Ross")))
    assert isinstance(players[0].act(Kick()), wire.Ack)
    offline.wait(1600)
    assert players[0].view.fight is not None
    return players


def passed(player: Player, others: Sequence[Player]) -> None:
    """Let the others pass the window that this player sees."""
    window = player.view.window
    assert window is not None
    for other in others:
        assert isinstance(other.act(Pass(window.id)), wire.Ack)


def while_a_curse_is_read() -> tuple[OfflineTable, list[Player], wire.Down]:
    """Make Kim choose a card to lose; meanwhile Ross plays a card. Return the table, the players, and the answer to
    Ross."""
    offline = OfflineTable(CURSED, pace="relaxed")
    kim, roger, ross = offline.sit("Kim", "Roger", "Ross")
    assert isinstance(roger.act(Play(roger.holds("Hole in the Pocket"), seat=kim.seat)), wire.Ack)
    assert kim.view.you is not None and kim.view.you.asks
    answer = ross.act(Play(ross.holds("Find a Typo in the Rulse"), seat=ross.seat))
    return offline, [kim, roger, ross], answer
