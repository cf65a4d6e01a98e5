"""Nothing hidden leaves the table: not in a view, a log line, a refusal, an answer, a prompt or a clock, nor by the
timing of a message; not to a seat, a spectator or a recording.

Two tables play the same game, then everything that one seat cannot know is replaced in one of them; from there on that
seat and the spectators must be sent the same bytes at the same time in both.

KICKDOOR_SECRECY=200 tests that many pairs of worlds.
"""

import asyncio
import os
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from core.language.catalog import Catalog
from core.moves.legal import check
from core.state import actions as a
from core.state.actions import Action
from core.state.events import AnyEvent, HandsPassed, Peeked, Shown
from core.state.model import Program, Setup, State, Window, card_id, decode, defn_of, encode
from netcode.bots.picks import at_random
from netcode.client.bot_runner import BotPlayer
from netcode.client.client import Client
from netcode.protocol import codec, wire
from netcode.protocol.credentials import Join
from netcode.table.rules_adapter import RunningGame
from netcode.table.rules_game import RulesGame
from netcode.table.session import Out
from tests.blends import BLENDS_AND_PAIRS, EXCHANGES, catalog_of
from tests.core import invariants
from tests.core.random_table import RandomTable
from tests.netcode.offline_table import OfflineTable
from tests.thorough import seeds

PAIRS = int(os.environ.get("KICKDOOR_SECRECY", "80"))
STEPS, MOMENTS = 60, 900
NAMES = ("Kim", "Roger", "Ross", "Ann")
SHOWN = ("under", "take", "throw away")
"""Kinds of asks about the top cards of a deck. Asks about discards are not among them, because discards are open."""
OPEN_MOVES = (
    a.Equip, a.Unequip, a.Claim, a.Flee, a.Hold, a.Offer, a.Decline, a.Withdraw, a.EndTurn, a.Accept, a.Counter, a.Done,
)  # fmt: skip
"""Visible actions of others that contain no hidden card."""


@cache
def moments(sets: tuple[str, ...], seed: int) -> dict[str, list[bytes]]:
    """Return states of a random game of these sets: during setup, with a window just opened, and others."""
    table = RandomTable(catalog_of(sets), 4, seed, interrupts=0.3)
    found: dict[str, list[bytes]] = {"setup": [], "window": [], "other": []}
    for at in range(MOMENTS):
        if table.state.winners:
            break
        top = table.state.stack[-1]
        opened = isinstance(top, Window) and len(top.passed) < 2  # the active seat has passed already
        kind = "setup" if table.state.turn.no == 0 else "window" if opened else "other"
        if kind != "other" or at % 5 == 0:
            found[kind].append(encode(table.state))
        table.act()
    return found


Sent = tuple[int, bytes]
"""When a wire frame was sent (ms), and its bytes."""


class TappedTable(OfflineTable):
    """An offline table that keeps the bytes it sends to each address, and when. Its match begins in a given state, and
    its players ask for forecasts and veiled states."""

    forecasts = veiled = True

    def __init__(self, catalog: Catalog, data: bytes, **config: Any) -> None:
        self.catalog, self._data = catalog, data
        self.tap: dict[bytes, list[Sent]] = {}
        super().__init__(None, seats=4, pace="book", **config)

    def deal(self, seats: int, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        return RulesGame(self.catalog, decode(self._data)), []

    def sent(self, out: list[Out]) -> None:
        for one in out:
            self.tap.setdefault(one.address, []).append((self.now, codec.pack(one.message)))

    @property
    def state(self) -> State:
        assert self.table.match is not None
        game = self.table.match.game
        assert isinstance(game, RulesGame)
        return game.state


class Pair:
    """Two tables (worlds) whose games differ only in what one seat, `me`, cannot know."""

    def __init__(self, seed: int, sets: tuple[str, ...] = ()) -> None:
        self.seed, self.rng = seed, random.Random(seed)
        self.log: list[str] = []
        self.looked = self.forecasts = 0
        self.moves = (*OPEN_MOVES, a.Use) if sets == EXCHANGES else OPEN_MOVES
        sets = sets or BLENDS_AND_PAIRS[seed % len(BLENDS_AND_PAIRS)]
        catalog = catalog_of(sets)
        world = None
        while world is None:  # some states allow no other world: take another one
            self.me = self.rng.randrange(4)
            data = self.rng.choice(moments(sets, seed % 3)[("setup", "window", "other")[seed % 3]])
            world = invariants.other_world(catalog, decode(data), self.me, self.rng)
        self.tables = (TappedTable(catalog, data), TappedTable(catalog, encode(world)))
        for offline in self.tables:
            offline.spectator()
        self.players = tuple(offline.sit(*NAMES) for offline in self.tables)

    # ------------------------------------------------------------------------------------------ the same in both worlds
    def act(self, seat: int, *actions: Action) -> None:
        """Let this seat act: with the same action in both worlds, or with one for each."""
        self.log.append(f"seat {seat}: {actions}")
        for world, players in enumerate(self.players):
            players[seat].act(actions[world % len(actions)])

    def ask_why(self, seat: int, action: Action) -> None:
        self.log.append(f"seat {seat} asks why not {action}")
        for players in self.players:
            players[seat].send(wire.Why(players[seat].session.s, 1, action))

    def wait(self, ms: int) -> None:
        self.log.append(f"{ms} ms")
        for offline in self.tables:
            offline.wait(ms)

    def same(self) -> None:
        """Check that the seat and the spectator got the same messages in both worlds, at the same time."""
        for address in (NAMES[self.me].encode(), b"Wes"):
            one, two = (_after_welcome(offline.tap[address]) for offline in self.tables)
            for at, (first, second) in enumerate(zip(one, two)):
                assert first == second, self._differs(address, at, first, second)
            assert len(one) == len(two), self._differs(address, min(len(one), len(two)), (one or two)[-1], None)

    def same_forecasts(self) -> None:
        """Check that forecasts of the seat's options are the same even where nothing new is sent."""
        views = [players[self.me].view for players in self.players]
        one, two = (
            offline.table.match.game.forecasts(self.me, view) for offline, view in zip(self.tables, views)
        )
        assert one == two, f"seed {self.seed}: seat {self.me} is told {one} / {two}, {self.log[-3:]}"
        self.forecasts += sum(len(told.rows) for told in one)

    def was_shown_cards(self) -> bool:
        """Whether a card has shown another hand or the top of a deck to this seat, or given it another hand."""
        updates = [m for players in self.players for m in players[self.me].inbox if isinstance(m, wire.Update)]
        events = [told.event for update in updates for told in update.events]
        shown = [event for event in events if isinstance(event, Shown | Peeked) and event.seat == self.me]
        return bool(shown) or any(isinstance(event, HandsPassed) for event in events)

    def _differs(self, address: bytes, at: int, first: Sent | None, second: Sent | None) -> str:
        shown = [f"{one[0]} ms: {codec.unpack_down(one[1])}" if one else "nothing" for one in (first, second)]
        tail = "\n".join(self.log[-6:])
        return f"seed {self.seed}: message {at} to {address!r} differs\n{tail}\n{shown[0]}\n{shown[1]}"

    # ------------------------------------------------------------------------------------------------ after the fork
    def move(self) -> None:
        """Do something that must look the same to this seat in both worlds."""
        draw = self.rng.random()
        if draw < 0.8 and self._choose_among_shown_cards():
            return
        if isinstance(self.tables[0].state.stack[-1], Window) and self.rng.random() < 0.4:
            self._pass_in_secret()
        elif draw < 0.25:
            self._own_move()
        elif draw < 0.4:
            self._own_invalid_action()
        elif draw < 0.45:
            self._own_preference()
        elif draw < 0.65:
            self._open_move()
        elif draw < 0.85:
            self._secret_move()
        else:
            self.wait(self.rng.choice((1, 200, 1500, 2700, 31_000, 61_000)))

    def _own_move(self) -> None:
        view = self.players[0][self.me].view
        if view.you is not None and view.you.legal:
            self.act(self.me, at_random(self.rng.choice(view.you.legal), self.rng))

    def _own_invalid_action(self) -> None:
        """Try an action with the id of a hidden or imaginary card, or ask why it is forbidden."""
        offline = self.rng.choice(self.tables)
        hidden = [card for seat in offline.state.seats for card in seat.hand]
        made_up = card_id(self.rng.randrange(1, 40), self.rng.randrange(5), self.rng.randrange(90))
        card = self.rng.choice([*hidden, made_up])
        other = self.rng.randrange(4)
        actions: list[Action] = [
            a.Play(card), a.Play(card, seat=other), a.Play(card, side="monsters"), a.Trouble(card), a.Equip(card),
            a.Use(card, pay=(card,)), a.Sell((card,)), a.Give((card,), other), a.Discard(card),
            a.Offer(other, a.Terms("trade", gives=(card,), wants=(self.rng.choice(hidden or [1]),))),
            a.Offer(other, a.Terms("help", helper=self.me, cards=(card,))),
            a.Answer(self.rng.randrange(9), (card,)),
            a.Roll(card), a.Kick(), a.Loot(), a.EndTurn(), a.Done(), a.Pass(self.rng.randrange(9)),
        ]  # fmt: skip
        action = self.rng.choice(actions)
        if self.rng.random() < 0.5:
            self.ask_why(self.me, action)
        else:
            self.act(self.me, action)

    def _own_preference(self) -> None:
        """Send a message of another kind: a sync, a preference, a ping, or an owner's request."""
        seat = self.rng.randrange(-1, 4)
        messages: list[Callable[[bytes], wire.Up]] = [
            lambda s: wire.Sync(s), lambda s: wire.Set(s, auto=seat > 1), lambda s: wire.Set(s, withdraw=True),
            lambda s: wire.Admin(s, "default", seat), lambda s: wire.Admin(s, "pause"), lambda s: wire.Ping(s, 5),
        ]  # fmt: skip
        make = self.rng.choice(messages)
        self.log.append(f"seat {self.me} sends {make(b'')}")
        for players in self.players:
            session = players[self.me].session
            players[self.me].send(make(session.s))
            players[self.me].send(wire.Admin(session.s, "resume"))

    def _others(self) -> list[int]:
        return [seat for seat in range(4) if seat != self.me]

    def _here(self, world: int) -> list[int]:
        """Return the other seats whose players are here. Away players must not act: everybody would see them come
        back."""
        seats = self.tables[world].table.seating.seats
        return [seat for seat in self._others() if seats[seat].state == "here"]

    def _open_move(self) -> None:
        """Let another seat do something without hidden cards that is legal in both worlds."""
        seat = self.rng.choice(self._others())
        view = self.players[0][seat].view
        rows = [row for row in (view.you.legal if view.you else []) if isinstance(row.action, self.moves)]
        rows = [row for row in rows if isinstance(row.action, a.Use)] or rows
        if not rows:
            return
        action = at_random(self.rng.choice(rows), self.rng)
        touched = getattr(getattr(action, "terms", None), "cards", ())
        if not touched and all(check(offline.catalog, offline.state, seat, action) is None for offline in self.tables):
            self.act(seat, action)

    def _choose_among_shown_cards(self) -> bool:
        """If another seat looks at the top of a deck, let it move different cards in each world, but equally many."""
        asks = [offline.state.stack[-1].asks[:1] for offline in self.tables]
        if not asks[0] or asks[0][0].kind not in SHOWN or asks[0][0].seat == self.me:
            return False
        seat, most = asks[0][0].seat, {"under": asks[0][0].hi, "take": 1}.get(asks[0][0].kind, 0)
        if any(seat not in self._here(world) for world in (0, 1)):
            return False
        count = self.rng.randint(min(1, most), most)
        answers = [a.Answer(ask.id, tuple(self.rng.sample(ask.options, count))) for (ask,) in asks]
        self.looked += 1
        self.act(seat, *answers)
        return True

    def _secret_move(self) -> None:
        """Let other seats do something secret: another seat, or another action, in each world."""
        state = self.tables[0].state
        top = state.stack[-1]
        if isinstance(top, Window):
            self._pass_in_secret()
        elif isinstance(top, Program | Setup):
            self._answer_in_secret()

    def _pass_in_secret(self) -> None:
        """Let another seat pass in each world (or none in one of them), as long as somebody else still has to."""
        for world, offline in enumerate(self.tables):
            top = offline.state.stack[-1]
            waiting = [seat for seat in self._here(world) if isinstance(top, Window) and seat not in top.passed]
            if len(waiting) > 1 and isinstance(top, Window) and top.holder < 0 and self.rng.random() < 0.6:
                seat = self.rng.choice(waiting)
                self.log.append(f"world {world}: seat {seat} passes")
                self.players[world][seat].act(a.Pass(top.id))

    def _answer_in_secret(self) -> None:
        """In each world (or in one of them), let somebody lay out first cards, or answer an ask to several seats while
        others still have to."""
        for world, offline in enumerate(self.tables):
            asked = sorted({ask.seat for ask in offline.state.stack[-1].asks} & set(self._here(world)))
            setting_up = offline.state.turn.no == 0
            if not asked or (len(asked) == 1 and not setting_up) or self.rng.random() < 0.3:
                continue
            seat = self.rng.choice(asked)
            view = self.players[world][seat].view
            rows = view.you.legal if view.you else []
            rows = [row for row in rows if _is_secret(offline.catalog, row.action, setting_up, len(asked))]
            if rows:
                action = at_random(self.rng.choice(rows), self.rng)
                self.log.append(f"world {world}: seat {seat}: {action}")
                self.players[world][seat].act(action)


def _is_secret(catalog: Catalog, action: Action, setting_up: bool, asked: int) -> bool:
    """Whether this lays out first cards (but gains no Level, which is visible) or is one of several answers."""
    if setting_up and isinstance(action, a.Play):
        return catalog.cards[defn_of(action.card)].kind != "level"
    if setting_up:
        return isinstance(action, a.Equip | a.Unequip)
    return isinstance(action, a.Answer) and asked > 1


def _after_welcome(told: list[Sent]) -> list[Sent]:
    """Return the messages other than welcomes, whose tokens are random."""
    return [one for one in told if not isinstance(codec.unpack_down(one[1]), wire.Welcome)]


def _unseen(state: State, me: int) -> tuple[object, ...]:
    """Return how many cards each hidden zone has: it changes when a card is revealed or changes hands. First cards are
    hidden until everybody is ready."""
    if state.turn.no == 0:
        return (0,)
    return (len(state.door), len(state.treasure), [len(seat.hand) for no, seat in enumerate(state.seats) if no != me])


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(PAIRS, 20, fresh=20))
def test_what_a_seat_cannot_know_changes_neither_its_messages_nor_their_timing(seed: int) -> None:
    told_the_same(Pair(seed))


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(PAIRS // 4, 5, fresh=5))
def test_what_a_seat_cannot_know_changes_nothing_while_items_hands_and_decks_change_hands(seed: int) -> None:
    told_the_same(Pair(seed, EXCHANGES))


@pytest.mark.long(0)
def test_the_pairs_of_worlds_have_forecasts_to_compare() -> None:
    compared = 0
    for seed in range(1, 25, 3):  # those that begin in a window
        pair = Pair(seed)
        told_the_same(pair)
        compared += pair.forecasts
    assert compared > 60, f"only {compared} forecasts: this proves little"


def told_the_same(pair: Pair) -> None:
    """Play on in both worlds until a hidden card is revealed or changes hands: this seat must get the same messages."""
    pair.same()
    pair.same_forecasts()
    for _ in range(STEPS):
        before = [_unseen(offline.state, pair.me) for offline in pair.tables]
        pair.move()
        revealed = [was != _unseen(offline.state, pair.me) for was, offline in zip(before, pair.tables)]
        assert revealed[0] == revealed[1], f"seed {pair.seed}: a card was revealed in one world only: {pair.log[-3:]}"
        if revealed[0] or pair.was_shown_cards() or pair.tables[0].table.stage == "over":
            return  # from here on the worlds may differ
        pair.same()
        pair.same_forecasts()


# ------------------------------------------------------------------------------------------------------------ bots
def test_a_bot_delay_depends_neither_on_its_view_nor_on_its_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots with the same random seed take the same time, however many random numbers their decisions use."""
    taken: list[list[float]] = []

    async def thinking(decisions: int) -> None:
        delays: list[float] = []

        async def sleep(seconds: float) -> None:
            delays.append(seconds)

        monkeypatch.setattr("netcode.client.bot_runner.asyncio.sleep", sleep)
        client = Client(Join("127.0.0.1", 1, "t", b"k" * 32, b"t" * 16), "Bot", role="bot", keep=False)
        client.info = wire.TableInfo("t", [wire.SeatInfo("Kim", "here"), wire.SeatInfo("Bot", "bot", bot="hard")])
        bot = BotPlayer(client, "hard", random.Random(5), {})
        for _ in range(4):
            await bot._delay()
            for _ in range(decisions):
                bot._rng.random()
        await client.close()
        taken.append(delays)

    for decisions in (0, 3, 50):
        asyncio.run(thinking(decisions))
    assert taken[0] == taken[1] == taken[2] and len(set(taken[0])) == 4
