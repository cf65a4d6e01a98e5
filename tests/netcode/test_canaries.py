"""In whole games, all sent bytes are searched for secrets of their receiver: cards with unique names, ids of hidden
cards, and ids that would trace a card through a pile or a hidden move."""

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import msgpack
import pytest

from cards import pack_files
from core.engine import new_game
from core.language.catalog import Catalog, load
from core.state.events import AnyEvent, Drew, Peeked, Shown
from core.state.model import Options, defn_of
from netcode.protocol import codec, wire
from netcode.protocol.deltas import Folder
from netcode.recording.recording import read_recording
from netcode.table.rules_adapter import RunningGame
from netcode.table.rules_game import RulesGame
from netcode.table.session import Out
from tests.blends import BLENDS_AND_PAIRS, catalog_of
from tests.core import invariants
from tests.core.random_table import RandomTable
from tests.netcode.offline_table import OfflineTable
from tests.netcode.recorded_games import PACKS, SET, Listener, play_on, recorder

MOMENTS = 900
NAMES = ("Kim", "Roger", "Ross", "Ann")
NAMED = re.compile(rb"Canary\d{3}x")
"""The name of a card of these tests."""


@cache
def canaries() -> Catalog:
    """Return the cards of a set, each with a unique name."""
    files = {}
    number = iter(range(1000))
    for name, data in pack_files(SET).items():
        lines = data.decode().splitlines()
        if name != "pack.toml":
            lines = [f'name = "Canary{next(number):03}x"' if line.startswith("name = ") else line for line in lines]
        files[name] = "\n".join(lines).encode()
    return load([files])


class CanaryTable(OfflineTable):
    """A table with canaries in all hidden zones, whose players ask for forecasts and veiled states: every wire frame is
    searched."""

    forecasts = veiled = True

    def __init__(self, seed: int, **config: Any) -> None:
        self.catalog = canaries()
        self.numbers = {definition.name.encode(): definition.no for definition in self.catalog.cards}
        self.known: dict[int, set[int]] = {}
        self.shown: dict[int, set[int]] = {}
        self.searched = self.found_own = 0
        self._folders: dict[bytes, Folder] = {}
        self._seed = seed
        super().__init__(None, seats=4, pace="book", packs=PACKS, **config)

    def seed(self, number: int) -> bytes:
        return b"aviary %d" % self._seed

    def deal(self, seats: int, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        state, events = new_game(self.catalog, seats, Options(), seed)
        return RulesGame(self.catalog, state), events

    def sent(self, out: list[Out]) -> None:
        if self.table.match is not None:
            self._look()
            seats = {player.address: player.seat for player in self.players}
            for one in out:
                if not isinstance(one.message, wire.Welcome):
                    self.search(codec.pack(self._folded(one)), seats.get(one.address, -1))

    def _folded(self, out: Out) -> wire.Told:
        """Return a message as its receiver has it: for a delta, the update computed from all deltas so far."""
        if not isinstance(out.message, wire.Delta):
            return out.message
        return self._folders.setdefault(out.address, Folder()).fold(out.message, 1, wire.Timers())

    def _look(self) -> None:
        """Note the cards that each seat may know by now: visible cards, its own hand, and cards that it was shown or
        promised."""
        state = self.table.match.game.state
        setting_up = state.turn.no == 0
        open_now = {*state.door_out, *state.treasure_out, *map(defn_of, state.limbo)}
        open_now |= {defn_of(joined.card) for joined in state.fight.cards} if state.fight is not None else set()
        open_now |= {monster.defn for monster in state.fight.monsters} if state.fight is not None else set()
        for no, seat in enumerate(state.seats):
            lying = {defn_of(card) for card in [*(p.card for p in seat.table), *seat.body]}
            lying |= {lasting.defn for lasting in seat.lasting}
            self.known.setdefault(no, set()).update({defn_of(card) for card in seat.hand}, lying)
            open_now |= set() if setting_up else lying
        for seat in range(-1, 4):
            accepted = [state.fight.bargain] if state.fight is not None and state.fight.bargain is not None else []
            deals = [deal for deal in (*state.offers, *accepted) if seat in (deal.frm, deal.to)]
            promised = {card for deal in deals for card in deal.cards}
            self.shown.setdefault(seat, set()).update(promised)
            self.known.setdefault(seat, set()).update(open_now, map(defn_of, promised))

    def search(self, frame: bytes, seat: int) -> None:
        """Check that a frame has no id of a card hidden from this seat, and no name of a card it has never seen."""
        message = codec.unpack_told(frame)
        if isinstance(message, wire.Update):
            told = [one.event for one in message.events if isinstance(one.event, Shown | Peeked)]
            shown = {card for event in told if seat in (event.seat, getattr(event, "at", -1)) for card in event.cards}
            self.shown[seat] |= shown
            self.known[seat] |= {defn_of(card) for card in shown}
        state = self.table.match.game.state
        for no, other in enumerate(state.seats):
            laid = [placed.card for placed in other.table] if state.turn.no == 0 else []
            for card in [*other.hand, *laid]:
                there = msgpack.packb(card) in frame
                self.searched += 1
                if no != seat:
                    secret = not there or card in self.shown[seat]
                    assert secret, f"seat {seat} was told of {card} of seat {no}: {message}"
                else:
                    self.found_own += there
        for name in set(NAMED.findall(frame)):
            assert self.numbers[name] in self.known[seat], f"seat {seat} reads of {name.decode()}: {message}"


@pytest.mark.long(2)
@pytest.mark.parametrize("seed", range(2))
def test_no_hidden_card_is_sent_to_another_seat_in_whole_games(seed: int, tmp_path: Path) -> None:
    offline = CanaryTable(seed)
    watcher = offline.spectator()
    players = offline.sit(*NAMES)
    play_on(offline, players, seed, catalog=canaries(), curious=random.Random(seed))
    assert offline.table.stage == "over" and offline.found_own > 1000 and offline.searched > 20_000
    assert all(any(update.forecasts for update in player.received(wire.Update)) for player in players)
    assert not any(update.forecasts for update in watcher.received(wire.Update))
    for player in (*players, watcher):
        saved: list[Path] = []
        listener = Listener(player)
        found = recorder(listener, tmp_path, saved)
        listener.catch_up()
        kept = b"".join(frame for _, frame in read_recording(saved[0]).messages)
        assert not found.problem
        unknown = [card for card in canaries().cards if card.no not in offline.known[player.seat]]
        assert not any(card.name.encode() in kept for card in unknown), "a recording has a hidden card"


def test_the_search_for_canaries_finds_a_leak() -> None:
    offline = CanaryTable(1)
    kim, *_ = offline.sit(*NAMES)
    state = offline.table.match.game.state
    held = state.seats[1].hand[0]
    event = Drew(1, "door", 1, [held])
    with pytest.raises(AssertionError, match="was told of"):
        offline.search(codec.pack(wire.Update(1, 99, kim.view, [wire.NumberedEvent(99, event)])), kim.seat)
    unseen = next(card for card in canaries().cards if card.no not in offline.known[kim.seat])
    with pytest.raises(AssertionError, match="reads of"):
        offline.search(codec.pack(wire.Talk(1, "Roger", f"I hold {unseen.name}")), kim.seat)


@pytest.mark.long(2)
@pytest.mark.parametrize("seed", range(6))
def test_no_card_keeps_its_id_through_a_pile_or_a_hidden_move(seed: int) -> None:
    """An id is never used twice, and every card that leaves a pile or a hidden zone gets a new one."""
    table = RandomTable(catalog_of(BLENDS_AND_PAIRS[seed % len(BLENDS_AND_PAIRS)]), 3 + seed % 4, seed)
    ever: set[int] = set()
    before: dict[int, str] = {}
    shuffles = 0
    for _ in range(MOMENTS):
        now = {card: zone for zone, card, _ in invariants.zones(table.state)}
        assert not (set(now) - set(before)) & ever, "an id was used again"
        for card in set(now) & set(before):
            hidden = {zone for zone in (now[card], before[card]) if zone.startswith("hand")}
            assert len(hidden) < 2 or now[card] == before[card], f"{card} changed hands under its old id"
            assert not hidden or now[card] == before[card], f"{card} kept its id from {before[card]} to {now[card]}"
        ever |= set(now)
        before = now
        if table.state.winners:
            break
        shuffles += any(type(event).__name__ == "Shuffled" for event in table.act())
    assert len(ever) > 100 and (shuffles or seed)
