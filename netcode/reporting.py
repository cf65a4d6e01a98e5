"""How a process of kickdoor reports: its lines and logs, its internal errors, and the signals that end it.

Nothing hidden gets into a report. An internal error is described by where it happened and by its type, for the whole
chain of causes; the text of an exception is left out unless Python or the system wrote it, because our texts may name
cards. A report never ends a process: a host keeps serving when its terminal is closed or the reader of its pipe has
ended.
"""

import logging
import os
import re
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, TextIO

from netcode.processes.start import root_folder
from netcode.processes.streams import unguarded
from netcode.protocol.printing import harmless, one_line
from netcode.token_bucket import TokenBucket

FRAMES = 30
"""How many frames of a traceback, the innermost ones, are shown."""
CHAIN = 8
"""How many exceptions of one chain are described."""
TRACEBACKS, TRACEBACK_S = 20, 10.0
"""How many internal errors are logged in full at once, and the time after which one more may be. Somebody who can cause
them must not be able to fill the disk."""
WITHHELD = "its text is left out: it may name cards"
_PLAIN = (
    AttributeError, ImportError, IndexError, MemoryError, NameError, OSError, RecursionError, StopIteration, TypeError,
    ZeroDivisionError,
)  # fmt: skip
"""Exceptions whose texts name types, attributes, files and errors of the system, but no values (as those of sqlite)."""
_PLAIN_TEXTS = re.compile(
    r"list\.\w+\(x\): x not in list|(not enough|too many) values to unpack \(expected [\d,a-z ]+\)|"
    r"(pop from an empty|popitem\(\): \w+ is) [\w ]+|\w+\(\) arg is an empty (sequence|iterable)|"
    r"(dictionary|set|deque|OrderedDict) (changed|mutated)[\w ]*"
)
"""Texts of Python itself that name no values, for errors of any type."""
_COLOURS = re.compile(r"(\x1b\[[0-9;]*m)")
"""The sequences that begin and end the colours of a drawing."""


# ---------------------------------------------------------------------------------------------------- internal errors
def describe_fault(error: BaseException) -> str:
    """Return an internal error for a log or a crash file, in several lines: every exception of its chain, the first
    cause first, with the code that it passed through."""
    chain: list[tuple[BaseException, str]] = [(error, "")]
    while len(chain) < CHAIN:
        last = chain[-1][0]
        if last.__cause__ is not None:
            chain.append((last.__cause__, "That was the cause of:"))
        elif last.__context__ is not None and not last.__suppress_context__:
            chain.append((last.__context__, "While that was handled, there followed:"))
        else:
            break
    parts = []
    for one, leads_to in reversed(chain):
        frames = traceback.extract_tb(one.__traceback__)[-FRAMES:]
        parts.append("".join(traceback.format_list(frames)) + fault_line(one))
        if leads_to:
            parts.append(leads_to)
    return harmless("\n".join(parts))


def fault_line(error: BaseException) -> str:
    """Return the type of an exception, and its text if that names no values. An exception class of ours has the
    attribute `is_plain` if its texts name none."""
    kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    text = plain_text(error)
    inner = getattr(error, "exceptions", ())
    more = f"; of {len(inner)}: {', '.join(fault_line(one) for one in inner[:CHAIN])}" if inner else ""
    return one_line(f"{kind}: {text or f'({WITHHELD})'}{more}")


def plain_text(error: BaseException) -> str:
    """Return the text of an exception; "" if it may contain values."""
    sqlite = sys.modules.get("sqlite3")  # a screen does not need it
    kinds = _PLAIN if sqlite is None else (*_PLAIN, sqlite.Error)
    plain = isinstance(error, kinds) or getattr(error, "is_plain", False) or _PLAIN_TEXTS.fullmatch(str(error))
    return str(error) if plain else ""


def fault_place(error: BaseException) -> str:
    """Return the type of an internal error and where in our code it was raised, for a sentence."""
    root = root_folder() + os.sep
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(root)]
    where = f" in {frames[-1].filename.removeprefix(root)}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"


# ------------------------------------------------------------------------------------------------- lines and the log
def say(text: str, drawn: bool = False) -> None:
    """Print a line on standard output, if anybody reads it. drawn: the line may contain a drawing (qr.py), whose
    colours stay."""
    if not drawn or sys.stdout is None:
        _write(sys.stdout, harmless(text))
        return
    parts = _COLOURS.split(text)
    _write(unguarded(sys.stdout), "".join(part if at % 2 else harmless(part) for at, part in enumerate(parts)))


def complain(text: str) -> None:
    """Print a line on standard error, if anybody reads it."""
    _write(sys.stderr, harmless(text))


def log_to_stderr(form: str) -> None:
    """Log warnings and errors of this process on standard error, including those of its threads and of Python itself.
    form: as logging.Formatter takes it."""
    handler = _Handler()
    handler.setFormatter(_Formatter(form))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    log = logging.getLogger("kickdoor")
    threading.excepthook = lambda args: _log_uncaught(log, "a thread ended", args.exc_value)
    sys.unraisablehook = lambda args: _log_uncaught(log, "an error could not be raised", args.exc_value)
    sys.excepthook = lambda kind, error, tb: _log_uncaught(log, "the process ended", error)


def log_faults_of_loop(loop: Any) -> None:
    """Log exceptions in callbacks of this event loop, without the arguments, which may be views or messages."""
    log = logging.getLogger("kickdoor")

    def handle(loop: Any, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if error is None:
            log.error("the event loop met an error: %s", str(context.get("message", "")).partition("<")[0])
        else:
            _log_uncaught(log, "a callback of the event loop failed", error)

    loop.set_exception_handler(handle)


def _log_uncaught(log: logging.Logger, what: str, error: BaseException | None) -> None:
    if error is not None and not isinstance(error, SystemExit | KeyboardInterrupt):
        log.error("%s by an internal error", what, exc_info=error)


class _Formatter(logging.Formatter):
    """Describes exceptions as `describe_fault` does, with a limit on how many."""

    def __init__(self, form: str) -> None:
        super().__init__(form)
        self._full = TokenBucket((1 / TRACEBACK_S, TRACEBACKS), time.monotonic())
        self._left_out = 0

    def formatException(self, ei: Any) -> str:
        """Return an exception as text; only its type if there have been many."""
        if self._full.take(time.monotonic()):
            self._left_out += 1
            return fault_line(ei[1])
        missing, self._left_out = self._left_out, 0
        note = f"\n({missing} errors before this one were logged without the code they passed through)"
        return describe_fault(ei[1]) + (note if missing else "")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the message of a record as one line, so that nobody else can begin a line of a log."""
        return one_line(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as text. (The text of an exception is not kept for other handlers.)"""
        try:
            return super().format(record)
        finally:
            record.exc_text = None


class _Handler(logging.Handler):
    """Logs with `complain`."""

    def emit(self, record: logging.LogRecord) -> None:
        complain(self.format(record))


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:
        return
    try:
        print(text, file=stream, flush=True)
    except (OSError, ValueError):  # its reader is gone, or it is closed; Python would try again at exit and fail
        _send_nowhere(stream)


def _send_nowhere(stream: TextIO) -> None:
    try:
        number = stream.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


# ------------------------------------------------------------------------------------------------------------- signals
def handle_ending(handler: Callable[[int, Any], object]) -> None:
    """Call this handler for every signal that ends a host: SIGTERM, SIGINT, and SIGHUP when its terminal is closed,
    unless it was started to ignore that (nohup)."""
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and not (name == "SIGHUP" and signal.getsignal(number) == signal.SIG_IGN):
            signal.signal(number, handler)
