"""Watches a service of ours: starts it, listens to it, ends it if it hangs, and starts the next one when it has ended.

The service reads its settings from the first line of its standard input, then orders, one a line. If that pipe is
closed, its watchdog is gone. Each line that it writes shows that it is alive.
"""

import logging
import math
import queue
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import IO

LOG = logging.getLogger("kickdoor.watchdog")
LINE_BYTES = 1 << 20
"""The longest line of a service: a message for people with a QR code has a few KB."""
BEAT_S = 1.0
"""How often a service shows that it is alive."""
KILLED_S = 5.0
"""How long the system may take to end a process that was killed, or has closed its output."""
STOP = b"stop\n"
"""The order to end by itself."""
NOT_STARTED = 71
"""The exit code that stands for a service that the system could not start (EX_OSERR of sysexits.h)."""

Process = subprocess.Popen[bytes]


class Heartbeats:
    """Detects that a service hangs: that it has missed this many heartbeats in a row.

    A heartbeat is missed only if the watcher itself was awake: when `tick` comes late, the whole machine was suspended
    or starved, and the count begins anew. clock: s."""

    def __init__(self, every_s: float, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._every_s, self.patience, self._clock = every_s, patience, clock
        self._missed = 0
        self._ticked_at = clock()

    def heartbeat(self) -> None:
        """Note that the service is alive."""
        self._missed = 0

    def wait_s(self) -> float:
        """Return how long to wait until the next tick (s)."""
        return max(0.0, self._ticked_at + self._every_s - self._clock())

    def tick(self) -> None:
        """Count a heartbeat as missed until `heartbeat` is called. Call it when `wait_s` is 0."""
        now = self._clock()
        late = now - self._ticked_at > 2 * self._every_s
        self._missed = 0 if late else self._missed + 1
        self._ticked_at = now

    @property
    def hangs(self) -> bool:
        """Whether the service has been silent for too long."""
        return self._missed >= self.patience


class Restarts:
    """How often a service may end: `often` times within `within_s` (s); beyond that it pauses for `pause_s` each
    time."""

    def __init__(self, often: int, within_s: float, pause_s: float) -> None:
        self._ends: deque[float] = deque(maxlen=often)
        self._within_s, self._pause_s = within_s, pause_s

    def pause(self) -> float:
        """Count an end; return how long to wait until the next start (s)."""
        now = time.monotonic()
        too_often = len(self._ends) == self._ends.maxlen and now - self._ends[0] < self._within_s
        self._ends.append(now)
        return self._pause_s if too_often else 0.0


class Watchdog:
    """Runs a service, and another one each time it ends, until `again` says no. Subclasses override what differs.

    name: what messages call the service. patience: how many heartbeats a service may miss. goodbye: the order to end by
    itself; without one its standard input is closed. end_s: how long it may then take to end before it is killed."""

    name = "the service"
    patience = math.inf
    goodbye = b""
    end_s = math.inf

    def __init__(self) -> None:
        self.process: Process | None = None
        """The present service, or the last one; None if the system did not start it."""
        self.stopping = False
        self.beats = Heartbeats(BEAT_S, self.patience)
        self._events: queue.SimpleQueue[tuple[Process | None, bytes]] = queue.SimpleQueue()
        """Lines of a service, b"" at its end; None: `stop` was called."""
        self._thread: threading.Thread | None = None

    # ------------------------------------------------------------------------------- what differs between services
    def start(self) -> Process:
        """Start a service (start.start_service). Raises OSError."""
        raise NotImplementedError

    def settings(self) -> bytes:
        """Return the first line that a service reads, with its end."""
        return b""

    def heard(self, line: bytes) -> None:
        """Handle a line that the service wrote."""

    def again(self, code: int) -> float | None:
        """Return how long to wait before the next service is started (s); None to start no other. code: the exit code
        of the last one, or minus the signal that ended it, or NOT_STARTED."""
        raise NotImplementedError

    def begun(self) -> None:
        """Note that `run` has started the first service."""

    def restarted(self) -> None:
        """Note that another service has been started."""

    # ----------------------------------------------------------------------------------------------- what all do alike
    def begin(self) -> None:
        """Start the first service, and do everything else in a thread."""
        self._spawn()
        self._thread = threading.Thread(target=self._run, name=f"watches {self.name}", daemon=True)
        self._thread.start()

    def run(self) -> int:
        """Run one service after another until `again` returns None or `stop` is called. Returns the last exit code; 0
        if it was stopped while none ran."""
        self._spawn()
        self.begun()
        return self._run()

    def tell(self, line: bytes) -> None:
        """Write a line to the service, if it still reads."""
        process = self.process
        if process is None or process.stdin is None:
            return
        try:
            process.stdin.write(line)
            process.stdin.flush()
        except (OSError, ValueError) as problem:
            LOG.debug("%s ended before it got a message: %s", self.name, problem)

    def signal(self, number: int) -> None:
        """Send the service a signal, if it still runs."""
        if self.process is not None:
            self.process.send_signal(number)

    def stop(self) -> None:
        """Tell the service to end; no other is started. A signal handler may call it."""
        self.stopping = True
        self._events.put((None, b""))

    def close(self) -> None:
        """Stop, and wait until the service has ended, if `begin` was called."""
        self.stop()
        if self._thread is not None:
            self._thread.join()

    def _spawn(self) -> None:
        self.process, self.beats = None, Heartbeats(BEAT_S, self.patience)
        try:
            process = self.start()
        except OSError as problem:
            LOG.error("%s cannot be started: %s", self.name, problem.strerror or problem)
            return
        threading.Thread(target=self._listen, args=(process,), name=f"hears {self.name}", daemon=True).start()
        self.process = process
        self.tell(self.settings())

    def _run(self) -> int:
        while True:
            code = self._watch(self.process) if self.process is not None else NOT_STARTED
            pause = None if self.stopping else self.again(code)
            if pause is None:
                return code
            until = time.monotonic() + pause
            while not self.stopping and (left := until - time.monotonic()) > 0:
                self._next(left)
            if self.stopping:
                return 0
            self._spawn()
            if self.process is not None:
                self.restarted()

    def _watch(self, process: Process) -> int:
        """Wait until a service has ended, and end it if it hangs or is to stop; return its exit code."""
        told, killed, until = False, False, math.inf
        while True:
            if self.stopping and not told:
                told, until = True, time.monotonic() + self.end_s
                self._say_goodbye(process)
            event = self._next(min(self.beats.wait_s(), max(0.0, until - time.monotonic())))
            if event is not None and event[0] is process:
                if not event[1]:
                    return _ended(process)
                self.beats.heartbeat()
                self.heard(event[1])
            elif self.beats.wait_s() <= 0:
                self.beats.tick()
            if not killed and (self.beats.hangs or time.monotonic() >= until):
                if self.beats.hangs:
                    LOG.warning("%s does not react any more (for %d s) and is killed", self.name, self.beats.patience)
                process.kill()
                killed, until = True, math.inf

    def _next(self, wait_s: float) -> tuple[Process | None, bytes] | None:
        """Return what happens next, None if nothing does within this time."""
        try:
            return self._events.get(timeout=wait_s)
        except queue.Empty:
            return None

    def _listen(self, process: Process) -> None:
        """Pass on what a service writes until its end, in a thread."""
        while process.stdout is not None and (line := process.stdout.readline(LINE_BYTES)):
            self._events.put((process, line))
        if process.stdout is None:
            process.wait()
        self._events.put((process, b""))

    def _say_goodbye(self, process: Process) -> None:
        if self.goodbye:
            self.tell(self.goodbye)
        else:
            _close(process.stdin)


def _ended(process: Process) -> int:
    """Return the exit code of a service that has written its last line. One that does not end then is killed."""
    try:
        code = process.wait(KILLED_S)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    _close(process.stdin)
    _close(process.stdout)
    return code


def _close(pipe: IO[bytes] | None) -> None:
    try:
        if pipe is not None:
            pipe.close()
    except OSError as problem:
        LOG.debug("a pipe was broken already: %s", problem)
