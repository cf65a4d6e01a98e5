"""How much a guest's process may use of the machine."""

import os
import resource
from contextlib import suppress

THREADS = 48
"""Threads of one guest: a client has about five."""
FILES = 128
"""Open descriptors: a client has about twenty."""
FILE_BYTES = 16 * 1024 * 1024
"""The longest file that a guest can write: a recording of a long game has one megabyte."""
DATA_BYTES = 256 * 1024 * 1024
"""How much memory (data) a guest's process may add to what it has at the start."""
SPACE_BYTES = 1536 * 1024 * 1024
"""How much address space it may add: each thread reserves a lot and uses little."""
NICENESS = 5
"""Added to the niceness of a guest's process, so that host and listener go first."""
_KILLED_FIRST = "500"
"""What the kernel adds to the score (of 1,000) by which it chooses a process to kill when memory is short."""


def limit(alone: bool) -> None:
    """Limit this process. alone: whether it has a user of its own, whose processes can be counted. Raises OSError."""
    space, data = _used()
    limits = [
        (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, FILE_BYTES), (resource.RLIMIT_NOFILE, FILES),
        (resource.RLIMIT_DATA, data + DATA_BYTES), (resource.RLIMIT_AS, space + SPACE_BYTES),
        (resource.RLIMIT_MEMLOCK, 0), (resource.RLIMIT_MSGQUEUE, 0),
    ]  # fmt: skip
    if alone:
        limits.append((resource.RLIMIT_NPROC, THREADS))
    for what, most in limits:
        hard = resource.getrlimit(what)[1]
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (allowed, allowed))


def step_back() -> None:
    """Let the host and the listener go first, where the system allows it."""
    with suppress(OSError):
        os.nice(NICENESS)
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write(_KILLED_FIRST)


def _used() -> tuple[int, int]:
    """Return the bytes of address space and of data that this process has now."""
    with open("/proc/self/statm") as file:
        pages = file.read().split()
    return int(pages[0]) * resource.getpagesize(), int(pages[5]) * resource.getpagesize()
