"""Who has the processor first, when attackers and those who are attacked share the machine of a benchmark.

An attacker on another machine would take no processor from a host, so what is measured comes first: at real-time
priority if the system allows it. Else attackers step back. Linux divides a processor among sessions before it looks at
the processes of each (sched(7), autogroup), and front and host have sessions of their own: a nice value counts only
beside what runs in the same session, that of the session beside the others.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

STRANGER = 10
"""The nice value of what stands for another machine: a tenth of an equal share, so that it still runs on a busy one."""
FIRST, SECOND = 2, 1
"""Real-time priorities: of what is measured, and of an attacker that is to be as fast as it can on a busy machine. They
are the lowest two, above all that has none."""


@contextlib.contextmanager
def coming_first() -> Iterator[None]:
    """Put this process before all others, and what it starts in the block, if the system allows it."""
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
    """Put this process before all but what is measured, if the system allows it; else let it step back."""
    try:
        _schedule("SCHED_RR", SECOND)
    except PermissionError:
        step_back()


def _schedule(policy: str, priority: int) -> None:
    """Give this thread a scheduling policy, where the system has such. Raises PermissionError."""
    if hasattr(os, "sched_setscheduler"):
        os.sched_setscheduler(0, getattr(os, policy), os.sched_param(priority))


def step_back() -> None:
    """Begin a session without real-time priority; if what is measured has none either, let this process and what it
    starts have the processor after others."""
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
    """Return whether this process comes first, as whoever started it."""
    return hasattr(os, "sched_getscheduler") and os.sched_getscheduler(0) == os.SCHED_RR


def step_back_with_session(pid: int) -> None:
    """Let the session of a process have the processor after others, where the system divides it by sessions."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(STRANGER))
