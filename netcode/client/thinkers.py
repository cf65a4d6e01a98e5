"""Lets bots search beside the loop that serves all of them: in processes of their own, in a time that is known before.

    thinkers = Thinkers()
    verdict = await thinkers.answer("maze", catalog, question, budget=thinkers.budget(), by=loop.time() + 0.2)

There is a verdict by then, or there is none: whoever asks has an answer without it. How many rollouts a search gets
depends on how fast the last ones were and on how many wait, on nothing that somebody holds.
"""

import asyncio
import logging
import os
import pickle
import subprocess
from asyncio.subprocess import Process

import msgspec

from core.language.catalog import Catalog
from netcode.bots.search import Question, Verdict, numbers
from netcode.client.thinker import Done, Task, framed
from netcode.processes.start import child_command, child_env

LOG = logging.getLogger("kickdoor.thinkers")
SEARCH_S = 0.1
"""What a search may take of one core."""
PROCESSES = max(1, min(4, (os.cpu_count() or 2) // 2))
"""Processes that search at the same time; the others wait for one of them."""
FIRST_STEP_S = 0.00035
"""What a step of a rollout takes, until that has been measured."""
SHARE = 0.1
"""How much the newest search counts in the mean of what a step takes."""
RETRY_S = 10.0
"""Pause after a process could not be started, or has ended."""


class Thinker:
    """One process that searches. It is started when it is first needed, and again when it has ended."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self._process: Process | None = None
        self._told: set[str] = set()
        """Names of the catalogs that it has been told."""
        self._again_at = 0.0

    async def answer(self, task: Task, catalog: Catalog) -> Done | None:
        """Return the answer of the process, None if there is no process. To be called by one at a time."""
        loop = asyncio.get_running_loop()
        if self._process is None or self._process.returncode is not None:
            if loop.time() < self._again_at:
                return None
            self._again_at = loop.time() + RETRY_S
            self._told.clear()
            self._process = await asyncio.create_subprocess_exec(
                *child_command("netcode.client.thinker"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=child_env()
            )
        if task.table not in self._told:
            task.catalog = pickle.dumps(catalog)
            self._told.add(task.table)
        done = await self._exchange(task)
        if done.verdict is None:  # it keeps some catalogs only
            task.catalog = pickle.dumps(catalog)
            done = await self._exchange(task)
        return done

    async def _exchange(self, task: Task) -> Done:
        assert self._process is not None and self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(framed(task))
        await self._process.stdin.drain()
        size = int.from_bytes(await self._process.stdout.readexactly(4), "big")
        return msgspec.msgpack.decode(await self._process.stdout.readexactly(size), type=Done)

    async def close(self) -> None:
        """End the process."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()


class Thinkers:
    """Processes that search, shared by all bots of a process."""

    def __init__(self, processes: int = PROCESSES) -> None:
        self._thinkers = [Thinker() for _ in range(processes)]
        self._free = asyncio.Semaphore(processes)
        self._asked = 0
        """Questions that are being answered or wait for that."""
        self._step_s = FIRST_STEP_S
        self._tasks: set[asyncio.Task[Verdict | None]] = set()

    def budget(self) -> int:
        """Return how many rollouts a search gets now: fewer on a slow or busy machine."""
        waiting = self._asked // len(self._thinkers)
        most = SEARCH_S / (1 + waiting) / (self._step_s * numbers().steps_per_rollout)
        return min(numbers().budget, int(most))

    async def answer(self, table: str, catalog: Catalog, question: Question, budget: int, by: float) -> Verdict | None:
        """Return the verdict on a question, None if there is none by this time of the loop. table names the catalog."""
        loop = asyncio.get_running_loop()
        task = asyncio.ensure_future(self._answer(Task(table, question, budget), catalog, by))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        done, _ = await asyncio.wait({task}, timeout=max(0.0, by - loop.time()))
        return task.result() if done else None

    async def _answer(self, task: Task, catalog: Catalog, by: float) -> Verdict | None:
        self._asked += 1
        try:
            async with self._free:
                if asyncio.get_running_loop().time() >= by:
                    return None  # nobody waits for it any more
                thinker = next(one for one in self._thinkers if not one.lock.locked())
                async with thinker.lock:
                    return self._measured(await thinker.answer(task, catalog))
        except (OSError, EOFError) as problem:  # it has ended; IncompleteReadError is an EOFError
            LOG.warning("a process that searches for bots has ended: %s", problem)
            return None
        finally:
            self._asked -= 1

    def _measured(self, done: Done | None) -> Verdict | None:
        if done is not None and done.verdict is not None and done.verdict.steps:
            self._step_s += SHARE * (done.seconds / done.verdict.steps - self._step_s)
        return done.verdict if done is not None else None

    async def close(self) -> None:
        """End all processes."""
        for task in list(self._tasks):
            task.cancel()
        for thinker in self._thinkers:
            await thinker.close()
