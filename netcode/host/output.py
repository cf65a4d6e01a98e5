"""How a host meets the shell: what it prints and logs, and the signals that end it.

A terminal may be closed, and the reader of a pipe may end, while the host serves on: from then on its output goes
nowhere.
"""

import logging
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, TextIO

from netcode.protocol.printing import harmless


def open_standard_streams() -> None:
    """Open what was closed of the descriptors 0, 1 and 2, so that no socket and no journal gets one of them and is
    written to by mistake. Call it before anything is opened."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free descriptor, which is this one


def say(text: str) -> None:
    """Print a line on standard output, if anybody reads it."""
    _write(sys.stdout, text)


def complain(text: str) -> None:
    """Print a line on standard error, if anybody reads it."""
    _write(sys.stderr, harmless(text))


def log_to_stderr(form: str) -> None:
    """Log warnings and errors on standard error. form: as logging.Formatter takes it."""
    handler = _Handler()
    handler.setFormatter(logging.Formatter(form))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


class _Handler(logging.Handler):
    """Logs with `complain`."""

    def emit(self, record: logging.LogRecord) -> None:
        complain(self.format(record))


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:
        return
    try:
        print(text, file=stream, flush=True)
    except (OSError, ValueError):  # its reader is gone, or it is closed: Python would try again at its end, and fail
        _send_nowhere(stream)


def _send_nowhere(stream: TextIO) -> None:
    try:
        number = stream.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def handle_ending(handler: Callable[[int, Any], object]) -> None:
    """Call this handler for every signal that ends a host: SIGTERM, SIGINT, and SIGHUP when its terminal is closed,
    unless it was started to ignore that (nohup)."""
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and not (name == "SIGHUP" and signal.getsignal(number) == signal.SIG_IGN):
            signal.signal(number, handler)
