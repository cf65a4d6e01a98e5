"""The rules on one core: random decisions, whole games of bots, clone, legal, view, veil, imagine. Seconds are CPU
seconds, so that a busy machine gives the same figures."""

import random
import time
from collections.abc import Callable
from functools import partial

from msgspec import msgpack

from cards import BUILT_IN, pack_files
from core.knowledge.forecast import Forecaster
from core.knowledge.imagine import Imaginer, imagine
from core.knowledge.veil import veil
from core.language.catalog import Catalog, load
from core.moves.legal import legal
from core.state.model import State, clone, encode
from core.view import Showing, view
from netcode.simulation.batch import SimConfig, run
from tests.bench.engine_slices import RandomPlay
from tests.bench.figures import line, microseconds, spread
from tests.core.knowledge.veils import WatchedTable

SECONDS = 4.0


def main(seconds: float = SECONDS, positions: int = 300) -> None:
    """Print all figures of the rules. seconds: of each kind of random play; positions: to time single calls at."""
    catalog = load([pack_files("munchkins-and-mazes")])
    states = sampled_states(catalog, 4, positions)
    random_decisions(catalog, 4, seconds)
    random_decisions(catalog, 4, seconds, passes=False)
    bots("normal", max(2, int(seconds * 4)))
    for name in BUILT_IN:
        for seats in (3, 4, 6):
            whole_games(name, seats, max(1, int(seconds * 2)))
    cloning(states)
    legal_rows(catalog, states)
    views(catalog, states)
    forecasts(catalog, states)
    veils(positions)


# ------------------------------------------------------------------------------------------------------- random play
def random_decisions(catalog: Catalog, seats: int, seconds: float, passes: bool = True) -> None:
    """Print how many decisions drawn from `legal` are accepted per second. passes=False: every window is closed at
    once."""
    play = RandomPlay(catalog, seats, 1)
    decided = passed = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        for _ in range(200):
            if not passes:
                play.close()
            passed += play.step()
            decided += 1
    took = time.process_time() - began
    name = "random decisions" if passes else "random decisions, windows closed by the clock"
    real = decided if passes else decided - passed
    line(name, real / took, "1/s", "40000" if passes else "", seats=seats, passes=passed, games=play.games,
         without_passes=round((decided - passed) / took))  # fmt: skip


def sampled_states(catalog: Catalog, seats: int, count: int) -> list[State]:
    """Positions from random games, one every seven decisions."""
    play = RandomPlay(catalog, seats, 2)
    out: list[State] = []
    while len(out) < count:
        for _ in range(7):
            play.step()
        out.append(clone(play.state))
    return out


# -------------------------------------------------------------------------------------------------------------- bots
def bots(level: str, games: int) -> None:
    """Print how many whole games of four bots of a level are played per second, their views included."""
    began = time.process_time()
    result = run(SimConfig(games=games, seed=3, bots=(level,)))
    took = time.process_time() - began
    line(f"games of four {level} bots", games / took, "1/s", "20", games=games, finished=result.finished,
         decisions_per_second=round(result.decisions.total / took), decisions=result.decisions.median,
         turns=result.turns.median)  # fmt: skip


def whole_games(name: str, seats: int, games: int) -> None:
    """Print how many whole games of normal bots with one set are played per second."""
    config = SimConfig(sets=(name,), seats=(seats, seats), games=games, seed=1)
    began = time.process_time()
    result = run(config)
    took = time.process_time() - began
    line(f"games of normal bots: {name}, {seats} seats", games / took, "1/s", "10", games=games,
         finished=result.finished, decisions=result.decisions.median)  # fmt: skip


# ------------------------------------------------------------------------------------------------------- single calls
def cloning(states: list[State]) -> None:
    """A clone, through the codec."""
    times = [microseconds(partial(clone, state), 200, 3) for state in states[::10]]
    size = sum(len(encode(state)) for state in states) / len(states)
    line("clone", sum(times) / len(times), "us", "15", bytes=round(size), **spread(times))


def legal_rows(catalog: Catalog, states: list[State]) -> None:
    """Time `legal` for each seat of each position (mean and worst) in three cases: called again; called at the next
    step, after an action without effects (a pass); called with empty caches."""
    again: list[float] = []
    next_step: list[float] = []
    first: list[float] = []
    rows = 0

    def stepped(state: State, seat: int) -> None:
        _step(state)
        legal(catalog, state, seat)

    def unseen(state: State, seat: int) -> None:
        state.reads = None  # type: ignore[misc]
        legal(catalog, state, seat)

    for state in states:
        for seat in range(len(state.seats)):
            again.append(microseconds(partial(legal, catalog, state, seat), 10, 3))
            next_step.append(microseconds(partial(stepped, state, seat), 10, 3))
            first.append(microseconds(partial(unseen, state, seat), 10, 3))
            rows = max(rows, len(legal(catalog, state, seat)))
    line("legal", sum(again) / len(again), "us", "", **spread(again))
    line("legal at the next step", sum(next_step) / len(next_step), "us", "6", most_rows=rows, **spread(next_step))
    line("legal, nothing seen before", sum(first) / len(first), "us", "18", **spread(first))


def _step(state: State) -> None:
    """Drop the cached reads that an action without effects drops."""
    if state.reads is not None:
        state.reads.rows.clear()


def views(catalog: Catalog, states: list[State]) -> None:
    """Time a seat's view at the next step, bare and packed for the wire, in three cases: one view alone; its share of
    the time of all seats' views; one view alone with empty caches."""
    pack = msgpack.Encoder().encode
    bare, shared, packed, first, sizes = [], [], [], [], []

    def stepped_view(state: State, seat: int) -> None:
        _step(state)
        view(catalog, state, seat)

    def packed_view(state: State, seat: int) -> None:
        _step(state)
        pack(view(catalog, state, seat))

    def first_view(state: State, seat: int) -> None:
        state.reads = None  # type: ignore[misc]
        pack(view(catalog, state, seat))

    def of_all(state: State) -> None:
        _step(state)
        showing = Showing(catalog, state)
        for seat in range(len(state.seats)):
            pack(showing.view(seat))

    for state in states[::3]:
        shared.append(microseconds(partial(of_all, state), 10, 3) / len(state.seats))
        for seat in range(len(state.seats)):
            bare.append(microseconds(partial(stepped_view, state, seat), 10, 3))
            packed.append(microseconds(partial(packed_view, state, seat), 10, 3))
            first.append(microseconds(partial(first_view, state, seat), 10, 3))
            sizes.append(float(len(pack(view(catalog, state, seat)))))
    line("view", sum(bare) / len(bare), "us", "", **spread(bare))
    line("view and pack, all seats at once, each", sum(shared) / len(shared), "us", "", **spread(shared))
    line("view and pack", sum(packed) / len(packed), "us", "10", bytes=spread(sizes), **spread(packed))
    line("view and pack, nothing seen before", sum(first) / len(first), "us", "", **spread(first))


def forecasts(catalog: Catalog, states: list[State]) -> None:
    """Time the forecasts of a seat's options, as a screen gets them, in each position that has any."""
    pack = msgpack.Encoder().encode
    forecaster = Forecaster(catalog)
    times, sizes, options = [], [], 0
    for state in states:
        for seat in range(len(state.seats)):
            rows = legal(catalog, state, seat)
            found = forecaster.forecasts(state, seat, rows)
            if found:
                times.append(microseconds(partial(forecaster.forecasts, state, seat, rows), 3, 3))
                sizes.append(float(len(pack(found))))
                options += sum(len(one.rows) for one in found)
    if times:
        line("forecast", sum(times) / len(times), "us", "", options=round(options / len(times), 1),
             bytes=spread(sizes), **spread(times))  # fmt: skip


def veils(positions: int) -> None:
    """Time veiling a state, imagining the first game from it, and imagining each further game; print each beside the
    time of a clone of the same state. Do this for the first set, and for all four together."""
    for sets in (BUILT_IN[:1], BUILT_IN):
        table = WatchedTable(load([pack_files(name) for name in sets]), 4, 3)
        rng = random.Random(1)
        figures: dict[str, list[float]] = {"clone": [], "veil": [], "imagine": [], "each further game imagined": []}
        sizes = []
        for at in range(positions * 7):
            if table.state.winners:
                table = WatchedTable(table.catalog, 4, 3 + at)
            table.act()
            if at % 7 == 0:
                veiled = veil(table.catalog, table.state, 1, table.seen[1])
                timed: tuple[Callable[[], object], ...] = (
                    partial(clone, table.state),
                    partial(veil, table.catalog, table.state, 1, table.seen[1]),
                    partial(imagine, table.catalog, veiled, rng),
                    partial(Imaginer(table.catalog, veiled).deal, rng),
                )
                for found, call in zip(figures.values(), timed):
                    found.append(microseconds(call, 5, 3))
                sizes.append(float(len(msgpack.encode(veiled))))
        of_clone = sum(figures["clone"])
        for name, found in figures.items():
            mark = {"veil": "100", "imagine": "300"}.get(name, "") if len(sets) == 1 else ""
            if name != "clone":
                line(name, sum(found) / len(found), "us", mark, sets=len(sets),
                     times_clone=round(sum(found) / of_clone, 1), bytes=spread(sizes), **spread(found))  # fmt: skip
