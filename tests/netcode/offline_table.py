"""A table without sockets, its clock in the test's hand: people sit down, act, and read what the host tells them."""

from functools import cache

from core.scenario.cast import Cast, begin
from core.scenario.schema import load as load_scenarios
from core.state.actions import Action, Kick, Play
from core.state.events import AnyEvent
from core.view import View
from netcode.client.deal_commitment import DealCommitment
from netcode.journal import Row
from netcode.protocol import codec, wire
from netcode.protocol.credentials import token_hash
from netcode.protocol.pack_files import load_packs
from netcode.table.rules_adapter import Rules, RulesGame, RunningGame
from netcode.table.seats import TableConfig
from netcode.table.session import Out, Session
from netcode.table.table import Table

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
    """The rules of the first set, loaded once."""
    return Rules(load_packs(["munchkins-and-mazes"]))


def laid(text: str) -> RunningGame:
    """A game as a scenario lays it out."""
    (scenario,) = load_scenarios(text.encode(), "desk")
    return RulesGame(rules().catalog, begin(Cast(rules().catalog, scenario), scenario.name.encode())[0])


def card(name: str) -> int:
    """The definition of a card by its printed name."""
    return next(definition.no for definition in rules().catalog.cards if definition.card.name == name)


class Player:
    """One client at the desk: what it was told, newest last."""

    def __init__(self, desk: "Desk", name: str, session: Session, address: bytes) -> None:
        self.desk, self.name, self.session, self.address = desk, name, session, address
        self.inbox: list[wire.Down] = []
        self.n = session.n
        self.present = True
        self.deal_commitment = DealCommitment()

    @property
    def seat(self) -> int:
        return self.session.seat

    @property
    def update(self) -> wire.Update:
        """The newest Update."""
        return [message for message in self.inbox if isinstance(message, wire.Update)][-1]

    @property
    def view(self) -> View:
        """The newest view."""
        view = self.update.view
        assert view is not None
        return view

    @property
    def timers(self) -> wire.Timers:
        """The newest clocks."""
        told = [m for m in self.inbox if isinstance(m, wire.Update | wire.Ticked | wire.Pong)]
        return told[-1].timers

    def told(self, kind: type) -> list[wire.Down]:
        """Everything of a kind since the inbox was emptied."""
        return [message for message in self.inbox if isinstance(message, kind)]

    def say(self, message: wire.Up, later_us: int = 0) -> None:
        """Send a message; it arrives later_us microseconds after the desk's time."""
        self.desk.table.message(self.session, codec.unpack_up(codec.pack(message)), self.desk.stamp + later_us * 1000)
        self.desk.deliver()

    def act(self, action: Action, later_us: int = 0) -> wire.Down:
        """Act; the host's answer."""
        self.n += 1
        self.say(wire.Act(self.session.s, self.n, action), later_us)
        return [m for m in self.inbox if isinstance(m, wire.Ack | wire.Refused | wire.Error) and m.n == self.n][-1]

    def set(self, **wish: object) -> None:
        """Wish for something."""
        self.say(wire.Set(self.session.s, **wish))  # type: ignore[arg-type]

    def holds(self, name: str) -> int:
        """A card of this name in the player's hand."""
        assert self.view.you is not None
        return next(held for held in self.view.you.hand if held & 4095 == card(name))


class Desk:
    """A table, its people, and the time."""

    def __init__(self, game: str | None = FIGHT, *, seats: int = 3, bots: int = 0, **config: object) -> None:
        """game: a scenario to begin with; None: a dealt game."""
        self.stamp = 1_000_000_000_000
        self.players: list[Player] = []
        self.rows: list[Row] = []
        self._game = game
        settings = TableConfig(
            "t", seats, token_hash(JOIN), token_hash(WATCH), token_hash(OWNER), bots, **config  # type: ignore[arg-type]
        )
        self.table = Table(settings, self.deal, self.seed)

    def deal(self, seats: int, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        """The game of a match, and the events of its deal."""
        return rules().deal(seats, seed) if self._game is None else (laid(self._game), [])

    def seed(self, number: int) -> bytes:
        """The seed of the table's nth match."""
        return b"desk%d" % number

    def sent(self, out: list[Out]) -> None:
        """Everything the table sends passes through here, before it is delivered."""

    @property
    def now(self) -> int:
        """Ms."""
        return self.stamp // 1_000_000

    def hello(
        self, name: str, token: bytes = JOIN, role: str = "player", key: str = "", address: bytes = b""
    ) -> Player | wire.Error:
        """Somebody knocks."""
        address = address or name.encode()
        hello = wire.Hello(wire.WIRE, wire.WIRE, "t", token, name, role)  # type: ignore[arg-type]
        session = self.table.hello(hello, key or name, address, self.stamp)
        if session is None:
            _, out = self.table.take()
            answer = next(one.message for one in out if one.address == address)
            assert isinstance(answer, wire.Error)
            return answer
        player = Player(self, name, session, address)
        self.players.append(player)
        self.deliver()
        return player

    def sit(self, *names: str) -> list[Player]:
        """These people sit down and are ready."""
        players = [player for player in map(self.hello, names) if isinstance(player, Player)]
        for player in players:
            player.set(ready=True)
        return players

    def own_bots(self) -> list[Player]:
        """The host's own bots that are wanted now sit down."""
        wanted, self.table.seating.wanted = self.table.seating.wanted, []
        places = {one.seat: b"bot%d.%d" % (one.seat, self.now) for one in wanted}
        bots = [self.hello(f"bot{one.seat}", one.token, "bot", address=places[one.seat]) for one in wanted]
        return [bot for bot in bots if isinstance(bot, Player)]

    def deliver(self) -> None:
        """Everybody gets what is meant for them, through the codec."""
        rows, out = self.table.take()
        self.rows += rows
        self.sent(out)
        for one in out:
            message = codec.unpack_down(codec.pack(one.message))
            for player in self.players:
                if player.address == one.address:
                    player.inbox.append(message)

    def clear(self) -> None:
        """Everybody forgets what was told; the newest Update stays."""
        for player in self.players:
            player.inbox = [player.update] if player.told(wire.Update) else []

    def wait(self, ms: int) -> None:
        """Time goes by; those present are heard once a second, the host does what is due when it is due."""
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
                raise AssertionError("the host's clock does not move on")


def at_the_fight(desk: Desk, *names: str) -> list[Player]:
    """Kim has kicked the door open and meets the monster."""
    players = desk.sit(*(names or ("Kim", "Roger", "Ross")))
    assert isinstance(players[0].act(Kick()), wire.Ack)
    desk.wait(1600)
    assert players[0].view.fight is not None
    return players


def while_a_curse_is_read() -> tuple[Desk, list[Player], wire.Down]:
    """Kim has to choose what to lose; Ross has played a card meanwhile."""
    desk = Desk(CURSED, pace="relaxed")
    kim, roger, ross = desk.sit("Kim", "Roger", "Ross")
    assert isinstance(roger.act(Play(roger.holds("Hole in the Pocket"), seat=kim.seat)), wire.Ack)
    assert kim.view.you is not None and kim.view.you.asks
    answer = ross.act(Play(ross.holds("Find a Typo in the Rulse"), seat=ross.seat))
    return desk, [kim, roger, ross], answer
