"""The line of clients that show short words: each is handed over to the host when it is its turn.

The front reads the call, one message of fixed length, and nothing more: the exchange itself is done by a process of the
host (netcode/short_words/process.py), which gets the socket. Addresses take turns, so an address with a thousand
connections delays another one by a moment only.
"""

import logging
import socket
from collections import Counter
from collections.abc import Callable

from netcode.front.settings import Settings
from netcode.front.turnstile import Turnstile
from netcode.short_words.frames import BUSY

LOG = logging.getLogger("kickdoor.front")


class WordsCaller:
    """A client that waits for its turn. call: what it sent; over: it no longer waits."""

    def __init__(self, sock: socket.socket, address: str, call: bytes, line: "WordsLine") -> None:
        self.sock, self.address, self.call, self.over = sock, address, call, False
        self._line = line

    def let_in(self, now: float) -> None:
        """It is its turn."""
        self._line.hand_over(self)


class WordsLine:
    """Those who wait. hand(sock, call): hands a client over to the host, which gets a copy of the socket; raises
    OSError if the host takes nobody now."""

    def __init__(self, settings: Settings, hand: Callable[[socket.socket, bytes], None]) -> None:
        self._settings, self._hand = settings, hand
        self._turnstile = Turnstile(settings.words)
        self._waiting: dict[WordsCaller, None] = {}
        self._counts = Counter[str]()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, sock: socket.socket, address: str, call: bytes) -> None:
        """Let a client wait; tell it to come again if too many do."""
        if (
            len(self._waiting) >= self._settings.words_waiting
            or self._counts[address] >= self._settings.address_words_waiting
        ):
            _refuse(sock)
            return
        caller = WordsCaller(sock, address, call, self)
        self._waiting[caller] = None
        self._counts[address] += 1
        self._turnstile.add(caller)

    def hand_over(self, caller: WordsCaller) -> None:
        """Hand a client over to the host."""
        self._forget(caller)
        try:
            self._hand(caller.sock, caller.call)
        except OSError as problem:
            LOG.debug("a client with short words could not be handed over: %s", problem)
            _refuse(caller.sock)
        else:
            caller.sock.close()

    def close(self) -> None:
        """Send everybody away."""
        self._turnstile.close()
        for caller in list(self._waiting):
            self._forget(caller)
            _refuse(caller.sock)

    def _forget(self, caller: WordsCaller) -> None:
        del self._waiting[caller]
        caller.over = True
        self._counts[caller.address] -= 1
        if not self._counts[caller.address]:
            del self._counts[caller.address]


def _refuse(sock: socket.socket) -> None:
    try:
        sock.send(BUSY, socket.MSG_DONTWAIT)
    except OSError as problem:
        LOG.debug("a client with short words was gone: %s", problem)
    sock.close()
