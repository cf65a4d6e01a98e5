"""Whole games at an offline table: bots decide for every seat, and the messages to each seat are kept or recorded."""

import random
from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import cards
from core.language.catalog import Catalog
from core.state.actions import Action, Discard, Give, Play, Sell, Trouble
from core.state.views import View
from netcode.bots.brain import Brain
from netcode.bots.picks import at_random
from netcode.bots.player import Observation
from netcode.client.state_machine import Message
from netcode.protocol import wire
from netcode.protocol.credentials import Join
from netcode.protocol.pack_files import built_in_hash
from netcode.recording.chronicle import Chronicle
from netcode.recording.recorder import Finished, Recorder
from netcode.recording.story import Story
from tests.blends import values_of
from tests.netcode.offline_table import OfflineTable, Player, rules

SET = "munchkins-and-mazes"
PACKS = (wire.PackInfo(SET, built_in_hash(SET)),)
FILES = [cards.pack_files(SET)]
NOON = datetime(2026, 11, 20, 12, 0).timestamp()
ACTS = 6000
"""More than any game takes."""


class SeededTable(OfflineTable):
    """A table whose deals follow from its own seed."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(None, pace="book", packs=PACKS)

    def seed(self, number: int) -> bytes:
        """Return the seed of every deal."""
        return b"s%d" % self.number


def decided(brain: Brain, view: View) -> Action | None:
    """Return the action of a bot that does not wait for answers to its offers."""
    action = brain.decide(Observation(view))
    return brain.decide(Observation(view, hurry=True)) if action is None and brain.waiting else action


def play_on(
    offline: OfflineTable,
    players: list[Player],
    seed: int,
    acts: int = ACTS,
    catalog: Catalog | None = None,
    curious: random.Random | None = None,
) -> None:
    """Let bots of this seed play for these players until the game is over or `acts` actions were accepted. curious: if
    given, players now and then ask why something is forbidden, or act at random."""
    catalog = catalog or rules().catalog
    values = values_of(catalog)
    brains = {one.seat: Brain(catalog, "normal", random.Random(f"{seed} {one.seat}"), values) for one in players}
    while acts > 0 and offline.table.stage == "playing":
        acted = 0
        for player in players:
            view = player.view
            if view.you is None or not (view.you.legal or view.you.asks):
                continue
            action = decided(brains[player.seat], view)
            if curious is not None:
                ask_about_hidden_card(offline, player, curious)
                action = at_random(curious.choice(view.you.legal), curious) if _goes_random(view, curious) else action
            if action is not None and offline.table.stage == "playing":
                acted += isinstance(player.act(action), wire.Ack)
        acts -= acted
        offline.wait(100 if acted else 1000)
    assert acts > 0 or offline.table.stage == "playing"


def _goes_random(view: View, rng: random.Random) -> bool:
    return view.you is not None and bool(view.you.legal) and rng.random() < 0.15


def ask_about_hidden_card(offline: OfflineTable, player: Player, rng: random.Random) -> None:
    """Now and then ask why a card that is hidden somewhere cannot be used."""
    assert offline.table.match is not None
    hidden = [card for view in offline.table.match.broadcaster.views if view.you is not None for card in view.you.hand]
    if rng.random() < 0.2 and hidden:
        card = rng.choice(hidden)
        uses: list[Action] = [
            Play(card), Trouble(card), Sell((card,)), Give((card,), rng.randrange(3)), Discard(card),
        ]  # fmt: skip
        player.send(wire.Why(player.session.s, 1, rng.choice(uses)))


def take_part(offline: OfflineTable, players: list[Player]) -> None:
    """Send the clients' messages for a fair deal, until it is complete."""
    for _ in range(4):
        for player in players:
            info = offline.table.info()
            part = player.deal_commitment.answer(info.deal, player.seat, player.session.s, offline.now / 1000)
            if part is not None:
                player.send(part)


class Listener:
    """A stand-in client for a Recorder, fed with the messages to a player at an offline table."""

    def __init__(self, player: Player, name: str = "") -> None:
        self.player, self.seat, self.name = player, player.seat, name or player.name
        self.target = Join("127.0.0.1", 7788, "t", b"k" * 32, b"j" * 16)
        self.info: wire.TableInfo | None = None
        self.code = "offline"
        self.deal_commitment = player.deal_commitment
        self._callbacks: list[Callable[[Message], None]] = []
        self._heard = 0
        self.before: wire.Update | None = None
        """Messages from before the first subscription."""

    def so_far(self) -> wire.Update | None:
        """As Client.so_far."""
        return self.before

    def subscribe(self, callback: Callable[[Message], None]) -> Callable[[], None]:
        """As Client.subscribe."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback) if callback in self._callbacks else None

    async def revealed_game(self, game: int) -> bytes:
        """As Client.revealed_game."""
        data, size = b"", 1
        while len(data) < size:
            self.player.send(wire.GetGame(self.player.session.s, game, len(data)))
            part = self.player.received(wire.GamePart)[-1]
            assert isinstance(part, wire.GamePart) and part.offset == len(data)
            data, size = data + part.data, part.size
        return data

    def catch_up(self) -> None:
        """Take the player's new messages since the last call."""
        heard, self._heard = self.player.inbox[self._heard :], len(self.player.inbox)
        for message in heard:
            self.tell(message)

    def tell(self, message: Any) -> None:
        """Take this message."""
        if isinstance(message, wire.Info | wire.Welcome):
            self.info = message.info
        for callback in list(self._callbacks):
            callback(message)


def recorder(
    listener: Listener, folder: Path, saved: list[Path], ends: list[Finished] | None = None
) -> Recorder:
    """A recorder of this listener's messages; it puts finished files into `saved` and finished games into `ends`."""
    client: Any = listener
    finished = ends if ends is not None else []
    return Recorder(client, FILES, rules().catalog, folder, saved.append, finished.append, lambda: NOON)


@cache
def finished_game(table: type[OfflineTable] = OfflineTable, **config: Any) -> tuple[Player, ...]:
    """The players of a whole game of three, and a spectator, with all messages to them."""
    offline = table(None, pace="book", packs=PACKS, **config)
    players = offline.sit("Kim", "Roger", "Ross")
    take_part(offline, players)
    spectator = offline.hello("Wes", token=b"w" * 16, role="watch")
    assert isinstance(spectator, Player)
    play_on(offline, players, 7)
    assert offline.table.stage == "over"
    return (*players, spectator)


def recorded(player: Player, folder: Path) -> Path:
    """The recording of all messages to this player."""
    saved: list[Path] = []
    listener = Listener(player)
    recorder(listener, folder, saved)
    listener.catch_up()
    (path,) = saved
    return path


def told(player: Player, first: int = 0) -> Story:
    """Return the story of a player's messages, from message number `first` on."""
    chronicle = Chronicle(rules().catalog, player.seat)
    for message in player.inbox[first:]:
        if isinstance(message, wire.Update):
            chronicle.heard(message, 0)
    story = chronicle.story()
    assert story is not None
    return story
