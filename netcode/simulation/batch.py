"""`kickdoor simulate`: play whole games between bots, on one core or several, and sum up how they went."""

import gc
import random
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from statistics import median

from msgspec import Struct, field

from core.language.catalog import Catalog
from core.state.events import AnyEvent, Moved, SealOpened, TurnBegan
from core.state.model import Options, State, defn_of
from netcode.bots.card_values import CardValues
from netcode.bots.levels import DEFAULT_LEVEL
from netcode.bots.makers import check_player
from netcode.protocol import limits
from netcode.protocol.pack_files import catalog_of, load_packs
from netcode.simulation.game import GameResult, SimulatedGame

TURN_CAP = 2_000
"""Far more turns than any game takes."""
CHUNK = 8
"""Games that a worker process takes at a time."""


class SimConfig(Struct, frozen=True, kw_only=True):
    """What to play. sets: ids or folders; seats: fewest and most in a game; bots: specifications by seat
    (makers.make_player), repeated from the start if there are fewer than seats; budget: rollouts that a player may
    spend on a decision; seed: the same gives the same games, whatever `jobs`; jobs: processes;
    turn_cap: turns after which a game counts as not finished."""

    sets: tuple[str, ...] = ("munchkins-and-mazes",)
    seats: tuple[int, int] = (4, 4)
    games: int = 100
    seed: int = 0
    bots: tuple[str, ...] = (DEFAULT_LEVEL,)
    budget: int = 0
    jobs: int = 1
    options: Options = Options()
    turn_cap: int = TURN_CAP


class Spread(Struct):
    """Sum, median and 95th percentile of a figure over all games."""

    total: int
    median: float
    p95: float


class SimResult(Struct):
    """How the games went. Wins count each winner of a shared victory; wins_by_order is by place after the first
    player; levels are the mean Level at the start of each round; unfinished names the games that a limit stopped."""

    games: int
    finished: int
    games_per_second: float
    decisions_per_second: float
    turns: Spread
    decisions: Spread
    rounds: Spread
    passes: int
    wins_by_seat: dict[str, int]
    wins_by_order: dict[str, int]
    wins_by_bot: dict[str, int]
    seats_by_bot: dict[str, int]
    shared_wins: int
    seconds: float
    seed: int
    refused: int
    """Actions that were refused, and failures of players."""
    refused_by_bot: dict[str, int]
    refusals: list[str]
    unfinished: list[str]
    levels: list[float] = field(default_factory=list)
    cards_played: dict[str, int] = field(default_factory=dict)
    lift: dict[str, list[float]] = field(default_factory=dict)
    """By card: seats that played it (pooled over all games), and the share of them that won, as a multiple of the share
    of all seats that won."""
    identities: dict[str, list[int]] = field(default_factory=dict)
    """By identity: winners who had it at the end, all seats that had it at the end."""
    per_turn: dict[str, float] = field(default_factory=dict)
    """By identity: its wins per turn in play, as a multiple of the mean of its kind (all Classes, all Races, ...)."""

    @property
    def exit_code(self) -> int:
        """0 if every game finished, no action was refused and no player failed, else 1."""
        return 0 if self.finished == self.games and not self.refused else 1


def load_catalog(sets: tuple[str, ...]) -> Catalog:
    """Load the catalog of these sets (ids or folders). Raises PackError."""
    return catalog_of([(pack.set_id, pack.files) for pack in load_packs(sets)])


# ------------------------------------------------------------------------------------------------------- one game
class _Watcher:
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


def seats_of(config: SimConfig, index: int) -> list[str]:
    """Return the specification of the player in each seat of game number `index`."""
    lo, hi = config.seats
    count = lo + index % (hi - lo + 1)
    return [config.bots[seat % len(config.bots)] for seat in range(count)]


def game_seed(seed: int, index: int) -> int:
    """Return the seed of game number `index`, whichever process plays it."""
    return random.Random(f"kickdoor {seed} {index}").getrandbits(62)


@contextmanager
def no_collecting() -> Iterator[None]:
    """Turn the garbage collector off: games create no reference cycles, and it takes a tenth of their time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def play_one(catalog: Catalog, values: CardValues, config: SimConfig, index: int) -> GameResult:
    """Play game number `index`; many in a row are faster within `no_collecting`."""
    bots = seats_of(config, index)
    watcher = _Watcher(len(bots))
    began = time.perf_counter()
    seed = game_seed(config.seed, index)
    game = SimulatedGame(catalog, bots, seed, values=values, options=config.options, watch=watcher,
                         budget=config.budget)  # fmt: skip
    why = game.play(config.turn_cap)
    state = game.state
    return GameResult(
        index=index,
        seats=len(bots),
        why=why,
        turns=state.turn.no,
        decisions=game.decisions,
        passes=game.passes,
        seconds=time.perf_counter() - began,
        winners=list(state.winners),
        first=watcher.first,
        bots=list(bots),
        refused=game.refused,
        misplays=dict(game.misplays),
        levels=watcher.levels,
        played=dict(watcher.played),
        players={no: sorted(seats) for no, seats in watcher.players.items()},
        held={no: turns for no, turns in watcher.held.items() if catalog.cards[no].card.identity is not None},
        identities=[_identities(catalog, state, seat) for seat in range(len(bots))],
    )


def _identities(catalog: Catalog, state: State, seat: int) -> list[int]:
    table = (defn_of(placed.card) for placed in state.seats[seat].table)
    return sorted({no for no in table if catalog.cards[no].card.identity is not None})


_worker: tuple[Catalog, CardValues, SimConfig] | None = None


def _start_worker(config: SimConfig) -> None:
    global _worker
    gc.disable()  # as no_collecting does, for the life of this process
    catalog = load_catalog(config.sets)
    _worker = (catalog, CardValues(catalog), config)


def _work(index: int) -> GameResult:
    assert _worker is not None, "the worker process was not started with a configuration"
    catalog, values, config = _worker
    return play_one(catalog, values, config, index)


# ------------------------------------------------------------------------------------------------------ many games
def run(config: SimConfig) -> SimResult:
    """Play all games. Raises ValueError for impossible numbers or players, PackError for a set."""
    check(config)
    began = time.perf_counter()
    catalog = load_catalog(config.sets)
    jobs = min(config.jobs, config.games)
    if jobs <= 1:
        values = CardValues(catalog)
        with no_collecting():
            games = [play_one(catalog, values, config, index) for index in range(config.games)]
    else:
        start = partial(_start_worker, config)
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=start) as pool:
            games = list(pool.map(_work, range(config.games), chunksize=CHUNK))
    return summed(catalog, config, games, time.perf_counter() - began)


def check(config: SimConfig) -> None:
    """Raise ValueError, with one line for people, if these numbers are impossible or there is no such player."""
    lo, hi = config.seats
    if not limits.SEATS_MIN <= lo <= hi <= limits.SEATS_MAX:
        raise ValueError(f"--seats {lo}..{hi}: a table has {limits.SEATS_MIN} to {limits.SEATS_MAX} seats")
    if config.games < 1:
        raise ValueError(f"--games {config.games}: play at least one")
    if config.jobs < 1:
        raise ValueError(f"--jobs {config.jobs}: at least one process is needed")
    if not config.bots:
        raise ValueError("--bot: name at least one player")
    if config.budget < 0:
        raise ValueError(f"--budget {config.budget}: a number of rollouts, 0 for none")
    for spec in config.bots:
        check_player(spec)


def _spread(figures: list[int]) -> Spread:
    ordered = sorted(figures)
    return Spread(sum(ordered), float(median(ordered)), float(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]))


def summed(catalog: Catalog, config: SimConfig, games: list[GameResult], seconds: float) -> SimResult:
    """Return the sums over all games. seconds: how long they took together."""
    ended = [game for game in games if game.why == "ended"]
    by_seat, by_order, by_bot, seats_by_bot = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    refused = Counter[str]()
    for game in games:
        seats_by_bot.update(game.bots)
        for seat, times in game.misplays.items():
            refused[game.bots[seat]] += times
        for seat in game.winners:
            by_seat[str(seat)] += 1
            by_order[str((seat - game.first) % game.seats)] += 1
            by_bot[game.bots[seat]] += 1
    decisions = sum(game.decisions for game in games)
    return SimResult(
        games=len(games),
        finished=len(ended),
        games_per_second=len(games) / seconds,
        decisions_per_second=decisions / seconds,
        turns=_spread([game.turns for game in games]),
        decisions=_spread([game.decisions for game in games]),
        rounds=_spread([-(-game.turns // game.seats) for game in games]),
        passes=sum(game.passes for game in games),
        wins_by_seat=dict(sorted(by_seat.items())),
        wins_by_order=dict(sorted(by_order.items())),
        wins_by_bot=dict(sorted(by_bot.items())),
        seats_by_bot=dict(sorted(seats_by_bot.items())),
        shared_wins=sum(len(game.winners) > 1 for game in games),
        seconds=seconds,
        seed=config.seed,
        refused=refused.total(),
        refused_by_bot=dict(refused.most_common()),
        refusals=[f"game {game.index}: {text}" for game in games for text in game.refused][:20],
        unfinished=[f"game {game.index} ({game.why}, turn {game.turns})" for game in games if game.why != "ended"][:50],
        levels=_levels(games),
        cards_played=_played(catalog, games),
        lift=_lift(catalog, ended),
        identities=_identity_wins(catalog, ended),
        per_turn=_per_turn(catalog, ended),
    )


def _levels(games: list[GameResult]) -> list[float]:
    """Return the mean Level of all seats at the start of each round, over the games that got so far."""
    out: list[float] = []
    for number in range(max((len(game.levels) for game in games), default=0)):
        levels = [level for game in games if number < len(game.levels) for level in game.levels[number]]
        out.append(round(sum(levels) / len(levels), 2))
    return out


def _played(catalog: Catalog, games: list[GameResult]) -> dict[str, int]:
    """Return how often each card was played, by full id, the most played first; cards never played have 0."""
    counts = Counter(dict.fromkeys(range(len(catalog.cards)), 0))
    for game in games:
        counts.update(game.played)
    return {catalog.cards[no].full_id: times for no, times in counts.most_common()}


def _lift(catalog: Catalog, games: list[GameResult]) -> dict[str, list[float]]:
    """Return for each card the seats that played it, and how much more often they won than all seats, the best first.

    It is no proof of strength: who wins has played more cards, so the mean over all cards is above 1.
    """
    seats, winners = sum(game.seats for game in games), sum(len(game.winners) for game in games)
    played, won = Counter[int](), Counter[int]()
    for game in games:
        for no, who in game.players.items():
            played[no] += len(who)
            won[no] += len(set(who).intersection(game.winners))
    lifts = {no: won[no] / times * seats / winners for no, times in played.items()} if winners else {}
    best = sorted(lifts, key=lambda no: -lifts[no])
    return {catalog.cards[no].full_id: [played[no], round(lifts[no], 2)] for no in best}


def _per_turn(catalog: Catalog, games: list[GameResult]) -> dict[str, float]:
    """Return the wins of each identity per turn in play, as a multiple of the mean of its kind."""
    won, held = Counter[str](), Counter[str]()
    kinds: dict[str, str] = {}
    for game in games:
        for no, turns in game.held.items():
            held[catalog.cards[no].card.name] += turns
            kinds[catalog.cards[no].card.name] = catalog.cards[no].card.identity or ""
        for seat in game.winners:
            won.update(catalog.cards[no].card.name for no in game.identities[seat])
    out: dict[str, float] = {}
    for name, kind in sorted(kinds.items()):
        family = [other for other in kinds if kinds[other] == kind]
        mean = sum(won[other] for other in family) / sum(held[other] for other in family)
        out[name] = round(won[name] / held[name] / mean, 2) if mean else 0.0
    return out


def _identity_wins(catalog: Catalog, games: list[GameResult]) -> dict[str, list[int]]:
    """Return for each identity the winners, and all seats, that had it at the end."""
    won, had = Counter[str](), Counter[str]()
    for game in games:
        for seat, identities in enumerate(game.identities):
            for no in identities:
                had[catalog.cards[no].card.name] += 1
                won[catalog.cards[no].card.name] += seat in game.winners
    return {name: [won[name], had[name]] for name in sorted(had)}
