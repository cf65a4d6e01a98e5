"""Lines in and out. A thread reads standard input, so that the game goes on meanwhile; printing is one event a line."""

import asyncio
import os
import stat
import sys
import threading
import time
from collections.abc import Callable
from shutil import get_terminal_size
from typing import Any, Protocol

from msgspec import Struct
from rich.cells import cell_len

from netcode.protocol import printing
from tui.scene.cells import Glyphs, clean, wrap

LINE_BYTES = 2_000
"""Longer lines are cut (characters): no answer is so long."""
AHEAD = 32
"""At most this many lines wait to be handled; then the reader pauses."""


class Typed(Struct, frozen=True):
    """A line of the player. at: when it came (loop-independent, monotonic seconds). end: there will be no more."""

    text: str
    at: float
    end: bool = False


class Typing(Protocol):
    """The source of the player's lines."""

    on_demand: bool
    """Whether lines wait until something is asked, as those of a file do: they were not written at any moment of the
    game."""

    async def next(self) -> Typed:
        """Return the next line; the last one has `end`."""


class StandardInput:
    """Lines of standard input: of a terminal, a pipe or a file."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[Typed] = asyncio.Queue()
        self._room = threading.Semaphore(AHEAD)
        try:
            self.on_demand = stat.S_ISREG(os.fstat(0).st_mode)
        except OSError:  # closed before we began
            self.on_demand = True
        threading.Thread(target=self._read, name="lines", daemon=True).start()

    async def next(self) -> Typed:
        """Return the next line; the last one has `end`."""
        typed = await self._lines.get()
        self._room.release()
        return typed

    def _read(self) -> None:
        """Read to the end. Not by sys.stdin: a thread that waits in it keeps Python from ending."""
        rest = b""
        while True:
            try:
                got = os.read(0, 4096)
            except OSError:
                got = b""
            if not got:
                break
            *lines, rest = (rest + got).split(b"\n")
            for line in lines:
                self._put(line)
            if len(rest) > LINE_BYTES:
                rest = rest[:LINE_BYTES]
        if rest:
            self._put(rest)
        self._put(b"", end=True)

    def _put(self, line: bytes, end: bool = False) -> None:
        self._room.acquire()
        text = line[:LINE_BYTES].decode("utf-8", "replace").strip()
        typed = Typed("".join(sign for sign in text if sign.isprintable()), time.monotonic(), end)
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, typed)
        except RuntimeError:  # the loop has ended
            return


class Printer:
    """Prints lines for people: one event or sentence each."""

    def __init__(self, glyphs: Glyphs) -> None:
        self.glyphs = glyphs

    def __call__(self, text: str) -> None:
        """Print one line, without anything that could control a terminal. At a terminal, a long line is broken between
        words; elsewhere, where a program may read it, it stays one line."""
        text = clean(text, self.glyphs).rstrip()
        width = max(20, get_terminal_size().columns - 1) if sys.stdout.isatty() else 0
        for line in wrap(text, width, self.glyphs) if 0 < width < cell_len(text) else [text]:
            printing.say(line)


class Desk:
    """A player's input and output: the printer, and the next line of input."""

    def __init__(self, say: Callable[[str], None], typing: Typing) -> None:
        """say: prints one line."""
        self.say, self.typing = say, typing
        self._next: asyncio.Future[Typed] | None = None
        self._ended = False

    async def wait(self, news: asyncio.Event, listen: bool, timeout: float | None) -> Typed | None:
        """Wait for a line (if listen is set), for news, or for this many seconds; return the line if one came."""
        heard = asyncio.ensure_future(news.wait())
        if listen and not self._ended and self._next is None:
            self._next = asyncio.ensure_future(self.typing.next())
        line = self._next if listen else None
        try:
            waiting: list[asyncio.Future[Any]] = [heard, line] if line is not None else [heard]
            await asyncio.wait(waiting, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            heard.cancel()
        news.clear()
        if line is None or not line.done():
            return None
        self._next, typed = None, line.result()
        self._ended = typed.end
        return typed


def spoken(ascii_only: bool) -> Glyphs:
    """Return the signs for reading aloud: words where the screen has arrows and dots. ascii_only: nothing else."""
    ascii_only = ascii_only or not _speaks_unicode()
    return Glyphs(ascii_only, "-", "=", ",", "...", "#", ".", "to", "and")


def _speaks_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
