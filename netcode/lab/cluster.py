"""Play games on other machines: Dask distributed sends them to its workers, and again if a worker is lost.

Every machine needs the same version of kickdoor and the same card sets, and the modules of players that are classes.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from netcode import VERSION
from netcode.lab.extras import need
from netcode.lab.records import PlayedGame, Workers
from netcode.processes.workers import AHEAD, WorkerLost
from netcode.simulation.plan import GamePlan

if TYPE_CHECKING:
    from distributed import Client  # the extra `lab`

LOCAL = "local"
"""In place of an address: a scheduler and workers on this machine, as long as the command runs."""
CONNECT_S = 10
WORKERS_S = 60
"""Seconds to wait for a scheduler, and for its first worker."""


@contextmanager
def cluster_at(address: str, jobs: int) -> Iterator[Workers]:
    """Yield a runner of games on the cluster of this scheduler: tcp://HOST:PORT, or LOCAL, which starts `jobs` worker
    processes. Raises ValueError, with one line for people, if there is none or it cannot play."""
    need("lab", "--on")
    from distributed import Client, LocalCluster  # the extra `lab`

    logging.getLogger("distributed").setLevel(logging.ERROR)
    local = None
    try:
        if address == LOCAL:
            local = LocalCluster(jobs, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR)
        with Client(local or address, timeout=CONNECT_S) as client:
            client.wait_for_workers(1, timeout=WORKERS_S)
            if max(client.nthreads().values()) > 1:
                raise ValueError(f"--on {address}: start its workers with --nthreads 1, as many as there are cores")
            yield partial(_completed, client)
    except TimeoutError:
        raise ValueError(f"--on {address}: it has no workers") from None
    except OSError:
        raise ValueError(f"--on {address}: there is no scheduler of Dask") from None
    finally:
        if local is not None:
            local.close()


def _completed(
    client: "Client", work: Callable[[GamePlan], PlayedGame], plans: Iterable[GamePlan]
) -> Iterator[PlayedGame]:
    """Yield the games in the order in which they end. Raises ValueError, with one line for people, and WorkerLost."""
    from distributed import as_completed  # the extra `lab`

    held = set()

    def hand_out(plan: GamePlan) -> Any:
        future = client.submit(_checked, VERSION, work, plan, key=f"game {plan.index} of {token}", pure=False)
        held.add(future)
        return future

    token, waiting = token_hex(8), iter(plans)
    running = as_completed([hand_out(plan) for plan in islice(waiting, AHEAD * len(client.nthreads()))])
    try:
        for future in running:
            held.discard(future)
            yield _result(future)
            running.update([hand_out(plan) for plan in islice(waiting, 1)])
    finally:
        client.cancel(list(held), force=True)


def _result(future: Any) -> PlayedGame:
    try:
        played: PlayedGame = future.result()
        return played
    except ValueError:
        raise
    except Exception as problem:  # another machine may lack anything
        what = " ".join(f"{type(problem).__name__}: {problem}".split())[:300]
        raise WorkerLost(f"a game could not be played on the cluster: {what}.") from None


def _checked(version: str, work: Callable[[GamePlan], PlayedGame], plan: GamePlan) -> PlayedGame:
    """Play a game on a worker."""
    if version != VERSION:
        raise ValueError(f"a worker of the cluster has kickdoor {VERSION}, not {version}")
    return work(plan)
