"""One planned game: everything that determines it, so that any process on any machine plays the same game."""

import gc
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from msgspec import Struct

import cards
from core.language.catalog import Catalog
from core.language.errors import PackError
from core.procedures.setup import too_few
from core.state.events import AnyEvent, Moved, SealOpened, TurnBegan
from core.state.model import Options, State, defn_of
from netcode.bots.card_values import CardValues
from netcode.protocol.pack_catalog import catalog_of
from netcode.protocol.pack_files import load_packs
from netcode.simulation.game import GameResult, SimulatedGame

TURN_CAP = 2_000
"""Far more turns than any game takes."""
EVERY_MIX: tuple[tuple[str, ...], ...] = (*((name,) for name in cards.BUILT_IN), cards.BUILT_IN)
"""The built-in sets one by one, and all of them together."""
CATALOGS_KEPT = 8


class GamePlan(Struct, frozen=True, kw_only=True):
    """A game to play. index: its number among many; sets: ids or folders; packs: the hash of each set where the game
    was planned; bots: the specification of the player in each seat (factory.make_player); budget: rollouts that a
    player may spend on a decision; turn_cap: turns after which the game counts as not finished."""

    index: int
    sets: tuple[str, ...]
    packs: tuple[str, ...]
    bots: tuple[str, ...]
    seed: int
    budget: int = 0
    options: Options = Options()
    turn_cap: int = TURN_CAP


def load_catalog(sets: tuple[str, ...], seats: int = 0) -> Catalog:
    """Load the catalog of these sets (ids or folders). Raises PackError, also if it has too few cards for the deal to
    this many seats."""
    catalog = tables(sets, pack_hashes(sets))[0]
    if problem := too_few(catalog, seats):
        raise PackError(problem)
    return catalog


def pack_hashes(sets: tuple[str, ...]) -> tuple[str, ...]:
    """Return the hash of each set's files. Raises PackError."""
    return tuple(pack.hash for pack in load_packs(sets))


@lru_cache(CATALOGS_KEPT)
def tables(sets: tuple[str, ...], packs: tuple[str, ...]) -> tuple[Catalog, CardValues]:
    """Return the catalog of these sets and what bots may share of it. Raises PackError; ValueError, with one line for
    people, if their hashes are not `packs`."""
    here = load_packs(sets)
    for pack, wanted in zip(here, packs, strict=True):
        if pack.hash != wanted:
            raise ValueError(f"the card set {pack.set_id} differs from the one that the games were planned with")
    catalog = catalog_of([(pack.set_id, pack.files) for pack in here])
    return catalog, CardValues(catalog)


def play_planned(plan: GamePlan) -> GameResult:
    """Play this game. Raises ValueError (PackError is one), with one line for people, for its sets or players."""
    catalog, values = tables(plan.sets, plan.packs)
    watcher = Watcher(len(plan.bots))
    began = time.perf_counter()
    with no_collecting():
        game = SimulatedGame(
            catalog, plan.bots, plan.seed, values=values, options=plan.options, watch=watcher, budget=plan.budget
        )
        why = game.play(plan.turn_cap)
    result = watcher.result(
        catalog, plan, game.state, why, decisions=game.decisions, passes=game.passes,
        seconds=time.perf_counter() - began,
    )  # fmt: skip
    result.refused, result.repeated = game.failures.sentences, game.failures.repeated
    result.misplays = dict(game.misplays)
    return result


class Watcher:
    """Notes the first player, levels by round, cards played, and for how many turns each card was in play."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.first = 0
        """The seat of the first player."""
        self.turns = 0
        self.levels: list[list[int]] = []
        self.played: Counter[int] = Counter()
        self.players: dict[int, set[int]] = {}
        """By definition, the seats that have played it."""
        self.held: Counter[int] = Counter()

    def __call__(self, state: State, seat: int, action: object, events: list[AnyEvent]) -> None:
        for event in events:
            if isinstance(event, Moved):
                if event.frm == "hand" and event.to in ("table", "fight", "limbo"):
                    self.played[defn_of(event.new)] += 1
                    self.players.setdefault(defn_of(event.new), set()).add(event.at)
            elif isinstance(event, SealOpened):
                self.played[event.defn] += 1
            elif isinstance(event, TurnBegan):
                if self.turns == 0:
                    self.first = event.seat
                if self.turns % self.seats == 0:
                    self.levels.append([seat.level for seat in state.seats])
                self.turns += 1
                self.held.update(defn_of(entry.card) for seat in state.seats for entry in seat.table)

    def result(
        self, catalog: Catalog, plan: GamePlan, state: State, why: str, *, decisions: int, passes: int, seconds: float
    ) -> GameResult:
        """Return how the game went, except for refusals. state: the final one."""
        cards = catalog.cards
        return GameResult(
            index=plan.index,
            seats=self.seats,
            why=why,
            turns=state.turn.no,
            decisions=decisions,
            passes=passes,
            seconds=seconds,
            winners=list(state.winners),
            first=self.first,
            bots=list(plan.bots),
            levels=self.levels,
            played=dict(self.played),
            players={no: sorted(seats) for no, seats in self.players.items()},
            held={no: turns for no, turns in self.held.items() if cards[no].card.identity is not None},
            identities=[_identities(catalog, state, seat) for seat in range(self.seats)],
        )


def game_seed(seed: int, index: int) -> int:
    """Return the seed of game number `index`, which is the same in all processes."""
    return random.Random(f"kickdoor {seed} {index}").getrandbits(62)


@contextmanager
def no_collecting() -> Iterator[None]:
    """Turn the garbage collector off: games create no reference cycles, and the collector takes a tenth of their
    time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _identities(catalog: Catalog, state: State, seat: int) -> list[int]:
    table = (defn_of(placed.card) for placed in state.seats[seat].table)
    return sorted({no for no in table if catalog.cards[no].card.identity is not None})
