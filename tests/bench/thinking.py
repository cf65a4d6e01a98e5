"""The cost of hard bots for a table: CPU of one search, verdicts that came in time, and the lag of the loop that serves
bots.

Six seats ask at the pace of bots, in slices that take turns with slices in which nobody asks. The questions are those
that come up in games.
"""

import asyncio
import random
import time
from collections.abc import Iterator
from statistics import fmean, median

from core.knowledge.seen import nothing_seen
from core.knowledge.veil import veil
from core.view import view
from netcode.bots.card_values import CardValues
from netcode.bots.player import Observation
from netcode.bots.search import Question, Search, Searcher, numbers
from netcode.client.bot_runner import SEARCH_S
from netcode.client.thinkers import Thinkers
from netcode.simulation.game import SimulatedGame
from tests.bench.figures import line, spread
from tests.blends import BLENDS, catalog_of

SEATS, SLICES, SLICE_S, PROBE_S = 6, 8, 3.0, 0.005
PAUSE_S = (0.25, 0.75)
"""Pause between two decisions of a seat."""
CATALOG = catalog_of(BLENDS[-1])


def main(questions: int = 120) -> None:
    """Print the figures."""
    asked = [question for question, _ in zip(_questions(), range(questions))]
    search, took, steps = Search(CATALOG, CardValues(CATALOG)), list[float](), 0
    for question in asked:
        began = time.process_time()
        steps += search.answer(question, numbers().budget).steps
        took.append(1000 * (time.process_time() - began))
    ordered = sorted(took)
    line(
        "search, CPU of a decision", fmean(took), "ms", "100", p95=round(ordered[int(0.95 * len(took))], 1),
        worst=round(ordered[-1], 1), steps=round(steps / len(took), 1), us_a_step=round(1000 * sum(took) / steps),
    )  # fmt: skip
    asyncio.run(_at_a_table(asked))


def _questions() -> Iterator[Question]:
    """Yield the questions of hard bots in games of normal ones."""
    rng = random.Random(1)
    while True:
        game = SimulatedGame(CATALOG, ["normal"] * 4, rng.getrandbits(32))
        players = [Searcher(CATALOG, random.Random(no), CardValues(CATALOG)) for no in range(4)]
        while not game.state.winners and game.step() and game.state.stack:
            for ask in game.state.stack[-1].asks:
                seen = nothing_seen(CATALOG, game.state, ask.seat)
                known = Observation(view(CATALOG, game.state, ask.seat), veil(CATALOG, game.state, ask.seat, seen))
                question = players[ask.seat].consider(known, numbers().budget)[1]
                if question is not None and rng.random() < 0.1:
                    yield question


async def _at_a_table(questions: list[Question]) -> None:
    thinkers, loop, rng = Thinkers(), asyncio.get_running_loop(), random.Random(2)
    await thinkers.answer("all", CATALOG, questions[0], 4, loop.time() + 30)
    lags: dict[bool, list[float]] = {True: [], False: []}
    budgets: list[int] = []
    verdicts: list[bool] = []

    async def seat(until: float) -> None:
        while loop.time() < until:
            await asyncio.sleep(rng.uniform(*PAUSE_S) - SEARCH_S)
            budgets.append(thinkers.budget())
            by = loop.time() + SEARCH_S
            verdict = await thinkers.answer("all", CATALOG, rng.choice(questions), budgets[-1], by)
            verdicts.append(verdict is not None)
            await asyncio.sleep(by - loop.time())

    for no in range(2 * SLICES):
        until, busy = loop.time() + SLICE_S, no % 2 == 0
        seats = [asyncio.ensure_future(seat(until)) for _ in range(SEATS if busy else 0)]
        while loop.time() < until:
            due = loop.time() + PROBE_S
            await asyncio.sleep(PROBE_S)
            lags[busy].append(1000 * (loop.time() - due))
        await asyncio.gather(*seats)
    await thinkers.close()
    line("searches of six seats in time", 100 * fmean(verdicts), "%", asked=len(verdicts), budget=median(budgets))
    busy_lag, idle_lag = spread(lags[True]), spread(lags[False])
    line("lag of the loop while six seats search", busy_lag["p99"], "ms", "", **busy_lag, idle=idle_lag)
