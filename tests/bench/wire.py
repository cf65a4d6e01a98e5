"""Bytes of the wire: whole games of six at a table without sockets, bots in every seat, each set and all four together.

It counts every byte of every message to the six clients from the first turn on, except heartbeats, by kind. The same
games every time, so the figures are the same on every machine."""

from collections import Counter

import cards
from core.engine import new_game
from core.state.events import AnyEvent
from core.state.model import Options
from netcode.protocol import codec, wire
from netcode.table.rules_adapter import RunningGame
from netcode.table.rules_game import RulesGame
from netcode.table.session import Out
from tests.bench.figures import line
from tests.blends import BLENDS, catalog_of
from tests.netcode.offline_table import OfflineTable
from tests.netcode.recorded_games import play_on

SEATS = 6
NAMES = ("Kim", "Roger", "Ross", "Ann", "Ben", "Cem")


class CountingTable(OfflineTable):
    """An offline table that counts what it sends. sizes: bytes by kind of message; deltas: the size of each."""

    def __init__(self, sets: tuple[str, ...], seats: int = SEATS) -> None:
        self.catalog = catalog_of(sets)
        self.sizes: Counter[str] = Counter()
        self.deltas: list[int] = []
        self.whole = 0
        super().__init__(None, seats=seats, pace="book")

    def deal(self, seats: int, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        state, events = new_game(self.catalog, seats, Options(), seed)
        return RulesGame(self.catalog, state), events

    def sent(self, out: list[Out]) -> None:
        for one in out:
            if not isinstance(one.message, wire.Pong):
                size = len(codec.pack(one.message))
                self.sizes[type(one.message).__name__] += size
                if isinstance(one.message, wire.Delta):
                    self.deltas.append(size)
                    self.whole += one.message.whole


def counted(sets: tuple[str, ...], seed: int = 1) -> CountingTable:
    """Return the table after a whole game of these sets; its counts begin when the players are seated."""
    offline = CountingTable(sets)
    players = offline.sit(*NAMES)
    offline.sizes.clear()
    offline.deltas.clear()
    offline.whole = 0
    play_on(offline, players, seed, catalog=offline.catalog)
    return offline


def main() -> None:
    """Print the bytes for each client and action of a game of each set, and of all four together."""
    means = []
    for sets in BLENDS:
        offline = counted(sets)
        assert offline.table.match is not None
        actions = offline.table.match.seq
        means.append(sum(offline.sizes.values()) / actions / SEATS)
        line(
            "bytes for each client and action, " + ("all four sets" if sets == cards.BUILT_IN else sets[0]),
            means[-1], "bytes", "220", actions=actions, deltas=len(offline.deltas), whole=offline.whole,
            a_delta=round(sum(offline.deltas) / len(offline.deltas)), longest_delta=max(offline.deltas),
            by_kind={kind: round(size / actions / SEATS, 1) for kind, size in offline.sizes.most_common()},
        )  # fmt: skip
    line("bytes for each client and action, mean of these games", sum(means) / len(means), "bytes", "220")


if __name__ == "__main__":
    main()
