"""The door's log: who was here, from where, and when. It has no key, no word, no string and no talk.

    2026-11-28T04:50:00Z in 3fa9c1d2e0b14a77 192.168.1.7
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from netcode.token_bucket import TokenBucket

FILE = "door.log"
LOG_BYTES = 1 << 20
"""A log that is longer than this is renamed to `door.log.1`, and a new one begins."""
REFUSALS = (0.2, 20.0)
"""The rate of lines about strangers (per second) and the largest burst: they must not fill the disk."""
DIGITS = 16


class DoorLog:
    """Writes lines. folder: the door's. Raises OSError at the start only: a full disk ends nobody's game."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock = folder / FILE, clock
        self._refusals = TokenBucket(REFUSALS, clock())
        self._left_out = 0
        self._open()

    def _open(self) -> None:
        number = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._file = os.fdopen(number, "ab", buffering=0)

    def guest(self, event: str, identity: str, address: str) -> None:
        """Note that a guest has come in or left."""
        self._write(f"{event} {identity[:DIGITS]} {address}")

    def refused(self, why: str, address: str) -> None:
        """Note that a stranger was not let in. If there are too many, leave some out."""
        if self._refusals.take(self._clock()):
            self._left_out += 1
            return
        more = f" (and {self._left_out} more, not listed)" if self._left_out else ""
        self._left_out = 0
        self._write(f"refused {address}: {why}{more}")

    def note(self, text: str) -> None:
        """Note what the door itself does."""
        self._write(text)

    def close(self) -> None:
        """Write no more."""
        self._file.close()

    def _write(self, text: str) -> None:
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._clock()))
        with suppress(OSError, ValueError):
            if self._file.tell() > LOG_BYTES:
                self._file.close()
                os.replace(self._path, self._path.with_name(f"{FILE}.1"))
                self._open()
            self._file.write(f"{when} {text}\n".encode())
