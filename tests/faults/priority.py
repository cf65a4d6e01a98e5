"""Set priorities for the processor, when attackers and the attacked processes share the machine of a benchmark.

An attacker on another machine would take no processor time from a host, so the measured processes come first: at
real-time priority if the system allows it. Otherwise the attackers lower their priority. Linux divides a processor
among sessions before it looks at the processes of each (sched(7), autogroup), and front and host have separate
sessions. So the nice value of a process counts only within its session, and the nice value of a session counts between
sessions.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

STRANGER = 10
"""The nice value of processes that stand for another machine: a tenth of an equal share, so that they still run on a
busy machine."""
FIRST, SECOND = 2, 1
"""Real-time priorities: of measured processes, and of an attacker that should be as fast as possible on a busy machine.
They are the lowest two, above all processes without one."""


@contextlib.contextmanager
def coming_first() -> Iterator[None]:
    """Put this process, and those that it starts in the block, before all others, if the system allows it."""
    try:
        _schedule("SCHED_RR", FIRST)
    except PermissionError:
        yield
        return
    try:
        yield
    finally:
        _schedule("SCHED_OTHER", 0)


def come_second() -> None:
    """Put this process before all except the measured ones, if the system allows it; else lower its priority."""
    try:
        _schedule("SCHED_RR", SECOND)
    except PermissionError:
        step_back()


def _schedule(policy: str, priority: int) -> None:
    """Give this thread a scheduling policy, where the system has such. Raises PermissionError."""
    if hasattr(os, "sched_setscheduler"):
        os.sched_setscheduler(0, getattr(os, policy), os.sched_param(priority))


def step_back() -> None:
    """Begin a session without real-time priority. If the measured processes have none either, lower the priority of
    this process and of those that it starts."""
    if is_first():
        _schedule("SCHED_OTHER", 0)
        with contextlib.suppress(PermissionError):  # a shell has begun a session with it
            os.setsid()
        return
    os.nice(STRANGER)
    with contextlib.suppress(PermissionError):
        os.setsid()
        step_back_with_session(os.getpid())


def is_first() -> bool:
    """Return whether this process comes first, as the process that started it does."""
    return hasattr(os, "sched_getscheduler") and os.sched_getscheduler(0) == os.SCHED_RR


def step_back_with_session(pid: int) -> None:
    """Lower the priority of a process's session, where the system divides the processor by sessions."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(STRANGER))
