"""`kickdoor simulate`: play whole games between bots, on one core or several, and sum up the results."""

import time
from collections.abc import Callable

from msgspec import Struct

from core.state.model import Options
from netcode.bots.factory import check_player
from netcode.bots.levels import DEFAULT_LEVEL
from netcode.bots.search import numbers
from netcode.processes.workers import completed
from netcode.protocol import limits
from netcode.simulation.game import GameResult
from netcode.simulation.plan import TURN_CAP, GamePlan, game_seed, load_catalog, pack_hashes, play_planned
from netcode.simulation.sums import SimResult, summed

Progress = Callable[[int, int], None]
"""Called with the number of games played so far and the total."""


class SimConfig(Struct, frozen=True, kw_only=True):
    """The games to play. sets: ids or folders; seats: fewest and most in a game; bots: specifications by seat
    (factory.make_player), repeated from the start if there are fewer than seats; budget: rollouts that a player may
    spend on a decision (default: as at a quiet table); seed: the same gives the same games, whatever `jobs`; jobs:
    processes; turn_cap: turns after which a game counts as not finished."""

    sets: tuple[str, ...] = ("munchkins-and-mazes",)
    seats: tuple[int, int] = (4, 4)
    games: int = 100
    seed: int = 0
    bots: tuple[str, ...] = (DEFAULT_LEVEL,)
    budget: int = numbers().budget
    jobs: int = 1
    options: Options = Options()
    turn_cap: int = TURN_CAP


def seats_of(config: SimConfig, index: int) -> list[str]:
    """Return the specification of the player in each seat of game number `index`."""
    lo, hi = config.seats
    count = lo + index % (hi - lo + 1)
    return [config.bots[seat % len(config.bots)] for seat in range(count)]


def run(config: SimConfig, progress: Progress = lambda played, games: None) -> SimResult:
    """Play all games; an interrupt (Ctrl+C) after the first one returns the sums of those played. Raises ValueError for
    impossible numbers or players, PackError for a set or too few cards, WorkerLost."""
    check(config)
    began = time.perf_counter()
    catalog, packs = load_catalog(config.sets, config.seats[1]), pack_hashes(config.sets)
    games: list[GameResult] = []
    plans = (plan_of(config, index, packs) for index in range(config.games))
    try:
        for game in completed(play_planned, plans, min(config.jobs, config.games)):
            games.append(game)
            progress(len(games), config.games)
    except KeyboardInterrupt:
        if not games:
            raise
    games.sort(key=lambda game: game.index)
    return summed(catalog, games, asked=config.games, seed=config.seed, seconds=time.perf_counter() - began)


def plan_of(config: SimConfig, index: int, packs: tuple[str, ...]) -> GamePlan:
    """Return game number `index`. packs: the hashes of its sets."""
    return GamePlan(
        index=index, sets=config.sets, packs=packs, bots=tuple(seats_of(config, index)),
        seed=game_seed(config.seed, index), budget=config.budget, options=config.options, turn_cap=config.turn_cap,
    )  # fmt: skip


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
