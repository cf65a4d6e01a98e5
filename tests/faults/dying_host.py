"""A host that is killed at a named point: python -m tests.faults.dying_host POINT NUMBER -- arguments of `kickdoor
host`.

The points are commits of `sqlite3` and messages that the host sends, which this process wraps; the program itself is
unchanged. NUMBER: the host dies when it reaches the point this many times, counted from the signal SIGUSR2.
"""

import os
import signal
import sqlite3
import sys
import time
from typing import Any
from unittest.mock import patch

import msgpack

from netcode.host.receiver import Receiver

POINTS = ("before-commit", "after-commit", "before-views", "between-views", "before-ack", "after-ack")
SEND_S = 0.02
"""Time for the last messages to leave the process (s): the test is harder if a client has read them."""


class Reaper:
    """Counts how often the chosen point is reached, and kills this process the n-th time."""

    def __init__(self, point: str, number: int) -> None:
        self.point, self.left = point, number
        self.views = 0
        self.armed = False

    def arm(self, *_: object) -> None:
        """Begin to count."""
        self.armed = True

    def at(self, point: str, linger_s: float = 0.0) -> None:
        """Count that this point is reached, and kill the process if it is time."""
        if point != self.point or not self.armed:
            return
        self.left -= 1
        if self.left <= 0:
            time.sleep(linger_s)
            os.kill(os.getpid(), signal.SIGKILL)


class _Connection(sqlite3.Connection):
    reaper: Reaper

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        """Execute a statement; a commit is a point before it and after it."""
        commits = sql == "COMMIT"
        if commits:
            self.reaper.at("before-commit")
        cursor = super().execute(sql, *values)
        if commits:
            self.reaper.views = 0
            self.reaper.at("after-commit")
        return cursor


def wrap(reaper: Reaper) -> None:
    """Wrap sqlite3 and the receiver so that they report to the reaper."""
    _Connection.reaper = reaper
    connect = sqlite3.connect

    def connected(*where: Any, **options: Any) -> sqlite3.Connection:
        return connect(*where, **{**options, "factory": _Connection})

    send = Receiver._send

    def sent(receiver: Receiver, address: bytes, frame: bytes) -> Any:
        message = msgpack.unpackb(frame, strict_map_key=False)
        kind = message["k"]
        applied = kind == "ack" and message.get("status") == "applied"
        if kind == "delta" and reaper.views == 0:
            reaper.at("before-views")
        if applied:
            reaper.at("before-ack")
        done = send(receiver, address, frame)
        if kind == "delta":
            reaper.views += 1
            if reaper.views == 3:
                reaper.at("between-views", SEND_S)
        if applied:
            reaper.at("after-ack", SEND_S)
        return done

    patch.object(sqlite3, "connect", connected).start()
    patch.object(Receiver, "_send", sent).start()


if __name__ == "__main__":
    chosen, number, arguments = sys.argv[1], int(sys.argv[2]), sys.argv[4:]
    if chosen not in POINTS:
        sys.exit(f"no point {chosen!r}: {', '.join(POINTS)}")
    reaper = Reaper(chosen, number)
    wrap(reaper)
    signal.signal(signal.SIGUSR2, reaper.arm)
    from tui.cli.main import main

    sys.argv = ["kickdoor", *arguments]
    main()
