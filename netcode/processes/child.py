"""A child of the supervisor: how it is started, told to stop, heard, and found to hang.

The child reads one line of configuration from its standard input, then orders, one a line (STOP). When that pipe is
closed its supervisor is gone. It writes one JSON object a line to its standard output. All children put what happens to
them into one queue, so that a supervisor waits at one place for all of them.
"""

import logging
import queue
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct, field

from netcode.processes.forked import Service

LOG = logging.getLogger("kickdoor.supervisor")
STOP = b"stop\n"
"""The order to end by itself."""
LINE_BYTES = 1 << 20
"""The longest line of a child: a message for people with a QR code has a few KB."""
KILLED_S = 5.0
"""How long the system may take to end a killed child."""


class ChildEvent(Struct, frozen=True):
    """Something that happened. child: to whom (None: to the supervisor itself); message: what the child wrote;
    ended: it will write nothing more."""

    child: "ChildProcess | None"
    message: dict[str, Any] = field(default_factory=dict)
    ended: bool = False


class ChildProcess:
    """A running child, which waits for `begin`. name: for sentences; process: as `start_service` or
    `fork_service` returns it; events:
    where it tells what happens."""

    def __init__(self, name: str, process: Service, events: "queue.SimpleQueue[ChildEvent]") -> None:
        self.name, self.process, self._events = name, process, events
        threading.Thread(target=self._listen, name=f"hears the {name}", daemon=True).start()

    def begin(self, configuration: bytes) -> None:
        """Give it its configuration: one line, without its end."""
        self._order(configuration + b"\n")

    def _listen(self) -> None:
        assert self.process.stdout is not None
        while line := self.process.stdout.readline(LINE_BYTES):
            try:
                message = msgspec.json.decode(line, type=dict[str, Any])
            except msgspec.MsgspecError:
                LOG.warning("the %s wrote a line that is no message: it is ignored", self.name)
                continue
            self._events.put(ChildEvent(self, message))
        self._events.put(ChildEvent(self, ended=True))

    def _order(self, line: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        except OSError as problem:
            LOG.debug("the %s has ended before it was told something: %s", self.name, problem)

    @property
    def runs(self) -> bool:
        """Whether it has not ended yet."""
        return self.process.poll() is None

    def stop(self) -> None:
        """Tell it to end by itself."""
        self._order(STOP)

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()

    def signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.runs:
            self.process.send_signal(number)

    def wait(self) -> int:
        """Return its exit code, once it has written its last line. One that does not end then is killed."""
        try:
            code = self.process.wait(KILLED_S)
        except subprocess.TimeoutExpired:
            self.kill()
            code = self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                _close(pipe)
        return code


def _close(pipe: Any) -> None:
    try:
        pipe.close()
    except OSError as problem:
        LOG.debug("a pipe was broken already: %s", problem)


class Watchdog:
    """Finds out that a child hangs: it has missed this many heartbeats in a row.

    A heartbeat is missed only if the watcher itself was awake: when `tick` comes late, the whole machine was suspended
    or starved, and the count begins anew. clock: s."""

    def __init__(self, every_s: float, patience: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._every_s, self.patience, self._clock = every_s, patience, clock
        self._missed = 0
        self._ticked_at = clock()

    def heartbeat(self) -> None:
        """Note that the child is alive."""
        self._missed = 0

    def wait_s(self) -> float:
        """Return how long to wait until the next tick (s)."""
        return max(0.0, self._ticked_at + self._every_s - self._clock())

    def tick(self) -> None:
        """Count a missed heartbeat; every heartbeat in time takes it back. Call it when `wait_s` is 0."""
        now = self._clock()
        late = now - self._ticked_at > 2 * self._every_s
        self._missed = 0 if late else self._missed + 1
        self._ticked_at = now

    @property
    def hangs(self) -> bool:
        """Whether the child has been silent for too long."""
        return self._missed >= self.patience
