"""Worker processes: a pool of them does equal pieces of work on all cores. Each ends with its parent process."""

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import TypeVar

from netcode.processes.streams import guard_streams

Item = TypeVar("Item")
Done = TypeVar("Done")
AHEAD = 4
"""How many pieces each process gets in advance, so that none has to wait."""


class WorkerLost(Exception):
    """A worker process ended before its work was done; the text is one line for people."""


def worker_pool(processes: int, begin: Callable[[], object] = bool) -> ProcessPoolExecutor:
    """Return a pool of this many processes. Each is a new Python, started when it is first needed. begin: what each of
    them does first.

    If one process ends, the whole pool is broken: it raises BrokenProcessPool, and has to be replaced.
    """
    return ProcessPoolExecutor(processes, get_context("spawn"), _begin, (begin,))


def kill_workers(pool: ProcessPoolExecutor, wait: bool = True) -> None:
    """End the processes of a pool now, whatever they do. wait: return when they have ended."""
    for process in list((pool._processes or {}).values()):  # from Python 3.14 on: pool.kill_workers()
        process.kill()
    pool.shutdown(wait, cancel_futures=True)


def completed(work: Callable[[Item], Done], items: Iterable[Item], jobs: int) -> Iterator[Done]:
    """Yield the result of `work` for each item, in order of completion. jobs: processes; with one, this process does
    the work. Stopping early ends the processes at once. Raises what `work` raises, and WorkerLost."""
    if jobs <= 1:
        yield from map(work, items)
        return
    waiting = iter(items)
    with worker_pool(jobs) as pool:
        try:
            pending = {pool.submit(work, item) for item in islice(waiting, AHEAD * jobs)}
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                pending |= {pool.submit(work, item) for item in islice(waiting, len(done))}
                for future in done:
                    yield future.result()
        except BrokenProcessPool:
            raise WorkerLost("a worker process was ended from outside; is there enough memory?") from None
        except BaseException:
            kill_workers(pool)
            raise


def _begin(first: Callable[[], object]) -> None:
    """Ignore Ctrl+C, which a terminal sends to the parent process too, and end when the parent ends."""
    guard_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    first()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None, "this is no worker process"
    parent.join()
    os._exit(1)
