"""Slices of play for engine.py: `python tests/bench/engine_slices.py PACKS.zip`, in the tree of any version.

Each line of standard input names a kind of play and a number of decisions, or of whole games for `bots`; the answer is
a JSON line with the decisions taken, the games ended and the CPU seconds they took. The same lines deal the same games
in every version.
"""

import json
import random
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from core.engine import new_game, submit
from core.language.catalog import Catalog, load
from core.moves.legal import legal
from core.state.actions import Close, Legal, Pass, Refusal
from core.state.model import Options, Window
from netcode.bots.card_values import CardValues
from netcode.bots.picks import at_random
from netcode.simulation.game import SimulatedGame

SETS = ("munchkins-and-mazes", "axe-cop", "apocalypse", "warhammer-40k")
SEATS = 4
TURNS = 2000
"""Turns after which a game is given up."""
QUIET_MOVES = 150
"""Plies without a capture or a pawn move after which a game of chess is drawn."""


def packs(file: str) -> dict[str, dict[str, bytes]]:
    """Return the files of each pack in a zip archive, by the name of its folder."""
    found: dict[str, dict[str, bytes]] = {}
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            path = PurePosixPath(name)
            found.setdefault(path.parent.name, {})[path.name] = archive.read(name)
    return found


class RandomPlay:
    """Random play: a random seat takes a random row of its `legal`."""

    def __init__(self, catalog: Catalog, seats: int, seed: int) -> None:
        self.catalog = catalog
        self.seats = seats
        self.rng = random.Random(seed)
        self.games = 0
        self.deal()

    def deal(self) -> None:
        """Begin a new game."""
        key = self.rng.getrandbits(64).to_bytes(16, "big")
        self.state, _ = new_game(self.catalog, self.seats, Options(), key)

    def rows(self) -> tuple[int, list[Legal]]:
        """A seat that can do something, and its legal rows. Three times out of four it is a seat for which the game
        waits."""
        state = self.state
        top = state.stack[-1]
        first: Sequence[int] = range(self.seats)
        if self.rng.random() >= 0.25:
            waiting = isinstance(top, Window)
            first = [no for no in first if no not in top.passed] if waiting else [ask.seat for ask in top.asks]
        seat = first[int(self.rng.random() * len(first))] if first else 0
        rows = legal(self.catalog, state, seat)
        for other in range(self.seats):
            if rows:
                break
            seat, rows = other, legal(self.catalog, state, other)
        return seat, rows

    def step(self) -> bool:
        """Take one decision; return whether it was a pass."""
        seat, rows = self.rows()
        action = at_random(rows[int(self.rng.random() * len(rows))], self.rng)
        answer = submit(self.catalog, self.state, seat, action)
        if isinstance(answer, Refusal):
            raise RuntimeError(f"a legal action was refused: {action}: {answer}")
        if self.state.winners or self.state.turn.no > TURNS:
            self.games += 1
            self.deal()
        return isinstance(action, Pass)

    def close(self) -> None:
        """Close the open window, as the host's clock does, if there is one."""
        top = self.state.stack[-1]
        if isinstance(top, Window):
            submit(self.catalog, self.state, -1, Close(window=top.id))


# ---------------------------------------------------------------------------------- endless play, decision by decision
def random_decisions(catalogs: list[Catalog]) -> Iterator[bool]:
    """Play random games of the first set; yield after each decision whether a game ended."""
    play = RandomPlay(catalogs[0], SEATS, 1)
    while True:
        games = play.games
        play.step()
        yield play.games > games


def normal_bots(catalogs: list[Catalog]) -> Iterator[bool]:
    """Play games of four normal bots, one set after the other; yield after each decision whether a game ended."""
    values = [CardValues(catalog) for catalog in catalogs]
    seed = 0
    while True:
        at = seed % len(catalogs)
        game = SimulatedGame(catalogs[at], ["normal"] * SEATS, seed, values=values[at])
        seed += 1
        over = False
        while not over:
            game.step()
            over = bool(game.state.winners) or game.state.turn.no >= TURNS
            yield over


def chess_plies(catalogs: list[Catalog]) -> Iterator[bool]:
    """Play random games of python-chess to their end; yield after each ply whether a game ended. Needs the extra
    `bench`.

    The list of moves also shows whether the game is over; `Board.is_game_over` would compute it again.
    """
    import chess  # the other benchmarks do without it, and it has to be built when it is installed

    draw = random.Random(1).random
    board = chess.Board()
    while True:
        moves = list(board.legal_moves)
        if moves and board.halfmove_clock < QUIET_MOVES and not board.is_insufficient_material():
            board.push(moves[int(draw() * len(moves))])
            yield False
        else:
            board = chess.Board()
            yield True


KINDS: dict[str, Callable[[list[Catalog]], Iterator[bool]]] = {
    "random": random_decisions, "bots": normal_bots, "chess": chess_plies,
}  # fmt: skip


def main() -> None:
    """Answer each line until there are no more."""
    there = packs(sys.argv[1])
    catalogs = [load([there[name]]) for name in SETS]
    plays = {name: play(catalogs) for name, play in KINDS.items()}
    for line in sys.stdin:
        kind, count = line.split()
        decisions, games, began = 0, 0, time.process_time()
        while (games if kind == "bots" else decisions) < int(count):
            games += next(plays[kind])
            decisions += 1
        seconds = time.process_time() - began
        print(json.dumps({"decisions": decisions, "games": games, "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
