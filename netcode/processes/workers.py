"""Worker processes: they do many like pieces of work on all cores."""

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from typing import TypeVar

from netcode.processes.streams import guard_streams

Item = TypeVar("Item")
Done = TypeVar("Done")
AHEAD = 4
"""Pieces that are handed out for each process, so that none waits for the next one."""


class WorkerLost(Exception):
    """A worker process ended before its work was done; the text is one line for people."""


def completed(work: Callable[[Item], Done], items: Iterable[Item], jobs: int) -> Iterator[Done]:
    """Yield what `work` makes of each item, in the order in which it is done. jobs: processes; with one, this process
    does it. Whoever stops early ends the processes at once. Raises what `work` raises, and WorkerLost."""
    if jobs <= 1:
        yield from map(work, items)
        return
    waiting, others = iter(items), set(active_children())
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin) as pool:
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
            for process in set(active_children()) - others:
                process.terminate()
            raise


def _begin() -> None:
    """Leave Ctrl+C, which a terminal sends to all processes, to the one that handed out the work, and end with it."""
    guard_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None, "this is no worker process"
    parent.join()
    os._exit(1)
