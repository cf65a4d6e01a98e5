"""Notices that the terminal is gone, also where no signal says so: behind a program that swallows SIGHUP, in a session
of its own, in a container. The toolkit would read from it without end, with half a core.
"""

import os
import select
import threading
import time
from collections.abc import Callable

GRACE_S = 4.0
"""How long the app may take to end in order; then the process ends."""


def watch_terminal(gone: Callable[[], object]) -> None:
    """Call back, in a thread, once the terminal of standard input is gone; if this process still runs GRACE_S
    later, end it: its seat and its saved game are kept. Do nothing if standard input is no terminal."""
    if not hasattr(select, "poll") or not os.isatty(0):
        return
    threading.Thread(target=_wait, args=(gone,), name="terminal", daemon=True).start()


def _wait(gone: Callable[[], object]) -> None:
    poller = select.poll()
    poller.register(0, 0)  # POLLHUP and POLLERR come unasked; nothing else wakes this thread
    poller.poll()
    gone()
    time.sleep(GRACE_S)
    os._exit(1)
