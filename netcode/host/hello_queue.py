"""Queues the hellos of clients without a seat: network addresses take turns, in a bounded share of the loop's time.

A hello takes longer than an action, since the newcomer gets the whole view and everybody is told. The queue pauses
after each hello, so that a player waits for one hello at most, however many arrive. Clients that return to a seat do
not wait here. No sockets.
"""

import asyncio
import time
from collections.abc import Callable

from msgspec.structs import replace

from netcode.host.fair_queue import QueuedMessage
from netcode.protocol import limits

PAUSE = 3.0
"""The pause after a hello, as a multiple of the time that the hello took."""


class HelloQueue:
    """The hellos that wait. handle(item, where): handles one; is_open(route): whether its connection is still open.

    A hello gets a new stamp when it is handled, so that a table never sees time run backwards. Create it inside a
    running loop."""

    def __init__(self, handle: Callable[[QueuedMessage, str], None], is_open: Callable[[bytes], bool]) -> None:
        self._handle, self._is_open = handle, is_open
        self._loop = asyncio.get_running_loop()
        self._lines: dict[str, dict[bytes, QueuedMessage]] = {}
        """By network address, in the order of their turns: the newest hello of each connection, the oldest first."""
        self._timer: asyncio.TimerHandle | None = None
        self._next_at = 0.0

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def put(self, item: QueuedMessage, where: str) -> None:
        """Add a hello from this network address; it replaces one of the same connection. If too many wait, the oldest
        hello of the address that has the most is dropped: its client says hello again."""
        line = self._lines.setdefault(where, {})
        line[item.address] = item
        if len(self) > limits.WAITING_HELLOS:
            longest = max(self._lines, key=lambda one: len(self._lines[one]))
            del self._lines[longest][next(iter(self._lines[longest]))]
        if self._timer is None:
            self._timer = self._loop.call_at(self._next_at, self._turn)

    def close(self) -> None:
        """Let nobody in any more."""
        self._lines.clear()
        if self._timer is not None:
            self._timer.cancel()

    def next(self) -> tuple[QueuedMessage, str] | None:
        """Take out the next hello. Returns it and its network address, None if no hello waits."""
        while self._lines:
            where, line = next(iter(self._lines.items()))
            del self._lines[where]
            item = line.pop(next(iter(line))) if line else None
            if line:
                self._lines[where] = line
            if item is not None and self._is_open(item.address):
                return item, where
        return None

    def _turn(self) -> None:
        """Handle one hello, and reschedule if others wait."""
        self._timer = None
        began, found = self._loop.time(), self.next()
        if found is None:
            return
        item, where = found
        try:
            self._handle(replace(item, stamp=time.monotonic_ns()), where)
        finally:
            now = self._loop.time()
            self._next_at = now + PAUSE * (now - began)
            if self._lines:
                self._timer = self._loop.call_at(self._next_at, self._turn)
