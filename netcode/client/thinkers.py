"""Lets bots search outside the loop that serves them: in separate processes, within a given time.

    thinkers = Thinkers()
    verdict = await thinkers.answer("maze", catalog, question, budget=thinkers.budget(), by=loop.time() + 0.2)

If there is no verdict by then, the caller plays without it. The number of rollouts of a search depends on the speed of
the last searches and on how many questions wait, and never on anybody's cards.
"""

import asyncio
import logging
import os
import pickle
import time
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from core.language.catalog import Catalog
from netcode.bots.search import Question, Verdict, numbers
from netcode.client.thinker import Done, begin, think
from netcode.processes.workers import kill_workers, worker_pool

LOG = logging.getLogger("kickdoor.thinkers")
SEARCH_S = 0.1
"""The time that a search may take, in seconds of one core."""
PROCESSES = max(1, min(4, (os.cpu_count() or 2) // 2))
"""Processes that search at the same time; the others wait for one of them."""
FIRST_STEP_S = 0.00035
"""The time of a step of a rollout, until it has been measured."""
SHARE = 0.1
"""The weight of the newest search in the mean time of a step."""
RETRY_S = 10.0
"""Pause after a process has failed to start, or has ended."""
FROZEN_S = 30.0
"""If a question has no answer this long after its time, a process is frozen, and all of them are replaced."""


class Thinkers:
    """Processes that search, shared by all bots of a process. They are started when they are first needed."""

    def __init__(self, processes: int = PROCESSES) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._again_at = 0.0
        self._asked: dict[Future[Done], float] = {}
        """Questions that are being answered or are waiting, and the time by which each verdict was wanted."""
        self._step_s = FIRST_STEP_S

    def budget(self) -> int:
        """Return how many rollouts a search gets now: fewer on a slow or busy machine."""
        self._take_in()
        waiting = len(self._asked) // self._processes
        most = SEARCH_S / (1 + waiting) / (self._step_s * numbers().steps_per_rollout)
        return min(numbers().budget, int(most))

    async def answer(self, table: str, catalog: Catalog, question: Question, budget: int, by: float) -> Verdict | None:
        """Return the verdict on a question, None if there is none by this time of the loop. table names the catalog."""
        done = await self._answer(by, table, question, budget)
        if done is not None and not done.known:  # a process keeps some catalogs only
            done = await self._answer(by, table, question, budget, pickle.dumps(catalog))
        return done.verdict if done is not None else None

    async def _answer(
        self, by: float, table: str, question: Question, budget: int, catalog: bytes = b""
    ) -> Done | None:  # fmt: skip
        """Return what a process answers, None if it has not by then."""
        self._take_in()
        try:
            if self._pool is None:
                if time.monotonic() < self._again_at:
                    return None
                self._pool = worker_pool(self._processes, begin)
            future = self._pool.submit(think, by, table, question, budget, catalog)
        except (BrokenProcessPool, OSError) as problem:
            self._replace(problem)
            return None
        self._asked[future] = by
        waiting = asyncio.wrap_future(future)
        await asyncio.wait({waiting}, timeout=max(0.0, by - asyncio.get_running_loop().time()))
        waiting.cancel()  # drops a question that has not begun
        self._take_in()
        return future.result() if future.done() and not future.cancelled() and not future.exception() else None

    def _take_in(self) -> None:
        """Learn from the searches that are over, late ones too, and replace processes that have ended or do not run."""
        for future in [one for one in self._asked if one.done()]:
            if self._asked.pop(future, None) is None or future.cancelled():
                continue
            problem = future.exception()
            if isinstance(problem, BrokenProcessPool):
                self._replace(problem)
            elif problem is not None:
                LOG.error("a search failed by an internal error", exc_info=problem)
            else:
                self._measure(future.result())
        if self._asked and time.monotonic() > min(self._asked.values()) + FROZEN_S:
            self._replace("it does not run")

    def _measure(self, done: Done) -> None:
        if done.verdict is not None and done.verdict.steps:
            self._step_s += SHARE * (done.seconds / done.verdict.steps - self._step_s)

    def _replace(self, problem: object) -> None:
        """End all processes; others are started a little later."""
        LOG.warning("a process that searches for bots has ended: %s", problem)
        self._again_at = time.monotonic() + RETRY_S
        self._asked.clear()
        if self._pool is not None:
            kill_workers(self._pool, wait=False)
            self._pool = None

    async def close(self) -> None:
        """End all processes."""
        if self._pool is not None:
            await asyncio.to_thread(kill_workers, self._pool)
