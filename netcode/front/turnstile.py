"""The turnstile: limits how many newcomers finish their handshake with the host per second; addresses take turns.

Clients that get here know the host's key. Finishing a handshake and answering the hello that follows takes the host
hundreds of times longer than beginning one, and players would wait meanwhile.
"""

import asyncio
from collections import deque
from typing import Protocol

from netcode.token_bucket import TokenBucket

TURN_S = 0.01
"""The pause between two turns while clients wait (s)."""


class Waiting(Protocol):
    """A client that waits. over: it no longer waits."""

    address: str
    over: bool

    def let_in(self, now: float) -> None:
        """It is its turn."""


class Turnstile:
    """Those who wait, by address. rate: how many pass, per second and at once."""

    def __init__(self, rate: tuple[float, float]) -> None:
        self._loop = asyncio.get_running_loop()
        self._budget = TokenBucket(rate, self._loop.time())
        self._lines: dict[str, deque[Waiting]] = {}
        """By address, in the order of their turns: the clients that wait, the oldest first."""
        self._timer: asyncio.TimerHandle | None = None

    def add(self, one: Waiting) -> None:
        """Let somebody pass now if nobody waits and the rate allows it, else when it is their turn."""
        self._lines.setdefault(one.address, deque()).append(one)
        if self._timer is None:
            self._turn()

    def close(self) -> None:
        """Let nobody pass any more."""
        self._lines.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _turn(self) -> None:
        """Let as many pass as the rate allows, and reschedule if others wait."""
        now, self._timer = self._loop.time(), None
        while self._lines:
            address, line = next(iter(self._lines.items()))
            while line and line[0].over:
                line.popleft()
            if line and self._budget.take(now):
                self._timer = self._loop.call_later(TURN_S, self._turn)
                return
            del self._lines[address]
            if line:
                line.popleft().let_in(now)
            if line:
                self._lines[address] = line
