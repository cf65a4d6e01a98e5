"""Hostile words on every way out of a process, for test_doors.py."""

import asyncio
import gc
import logging
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from netcode.protocol.credentials import Join
from tests.netcode.words.hostile import FORGING

WORDS = FORGING.replace("\0", "")
"""An argument of a command cannot have a NUL."""
JOIN = str(Join("127.0.0.1", 9, "t", bytes(32), bytes(16)))
WRONG = [
    [WORDS], ["host", WORDS], ["play", "--pace", WORDS], ["scenario", WORDS], ["cards", "check", WORDS],
    ["replay", "--verify", WORDS], ["join", WORDS], ["cards", "show", WORDS, "--json"], ["bot", "x", "--bot", WORDS],
    ["simulate", "--set", WORDS], ["career", "--export", f"/{WORDS}"],
]  # fmt: skip
"""Arguments that no command takes."""
__all__ = ["JOIN", "WRONG", "Line", "Sockets", "beside", "run", "serve", "sys", "throw"]


class Line:
    """A standard input with one line."""

    @property
    def buffer(self) -> "Line":
        return self

    def readline(self) -> bytes:
        return b"{}\n"


class Sockets:
    """The module of sockets, for a front that has none."""

    socket = staticmethod(lambda fileno: None)


class Unraisable:
    def __del__(self) -> None:
        raise OSError(2, "no such file", FORGING)


def throw() -> None:
    """Throw everything that can be thrown without a loop."""
    for log in (logging.getLogger("kickdoor.words"), logging.getLogger("somebody.else"), logging.getLogger()):
        log.error("record: %s", FORGING)
        try:
            raise _wild()
        except OSError:
            log.exception("record: %s", FORGING)
    log.error(*("too few arguments %s %s", FORGING))
    warnings.warn(FORGING, stacklevel=1)
    print(FORGING)
    print(FORGING, file=sys.stderr)
    Unraisable()
    gc.collect()
    thread = threading.Thread(target=_fail, name=FORGING)
    thread.start()
    thread.join()


def _wild() -> OSError:
    error = OSError(FORGING)
    error.filename = FORGING
    error.add_note(FORGING)
    return error


def _fail() -> None:
    raise _wild()


async def beside(*_: Any) -> str:
    """Do the same, and fail in a callback and in a task."""
    throw()
    loop = asyncio.get_running_loop()
    loop.call_soon(_fail)
    loop.call_exception_handler({"message": FORGING})
    task = loop.create_task(_failing())
    await asyncio.sleep(0.01)
    del task
    gc.collect()
    raise _wild()


async def _failing() -> None:
    raise _wild()


def run(main: Callable[[], None], words: list[str]) -> None:
    """Run the command line with these words."""
    sys.argv[:] = ["kickdoor", *words]
    with suppress(SystemExit):
        main()


def serve(module: Any) -> None:
    """Run a module as a service."""
    from netcode.processes import service

    service.run(module.__name__)
