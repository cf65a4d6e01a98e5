"""Suspend the program as a shell does with Ctrl+Z, and find out whether anything could continue it."""

import os
import signal
import subprocess

PS_S = 2.0
"""How long `ps` may take."""


def can_stop() -> bool:
    """Return whether a shell with job control started this program. Without one, nobody could continue it once it
    stops.

    The kernel says so of a process group whose leader has a parent in another group of the same session.
    """
    if os.name != "posix" or not hasattr(signal, "SIGTSTP"):
        return False
    group = os.getpgrp()
    try:
        parent = os.getppid() if group == os.getpid() else _parent_of(group)
        return parent > 0 and os.getsid(parent) == os.getsid(0) and os.getpgid(parent) != group
    except OSError:
        return False  # the parent has ended, or belongs to another session


def stop() -> None:
    """Stop every process of this group, as the terminal does; whoever continues the group continues this program."""
    os.killpg(os.getpgrp(), signal.SIGTSTP)


def _parent_of(process: int) -> int:
    """Return the id of a process' parent; 0 if there is no such process."""
    try:
        done = subprocess.run(
            ["ps", "-o", "ppid=", "-p", str(process)], capture_output=True, text=True, timeout=PS_S, check=False
        )  # fmt: skip
        return int(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return 0
