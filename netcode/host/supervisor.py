"""The supervisor of `kickdoor host`: a parent process that starts its host again when it crashes or hangs.

No process can catch a crash inside a library (docs/trust.md: endless messages, floods that end abruptly). With a
journal such a crash costs no more than the time to start. A host that ends by itself, or is told to, is not started
again.
"""

import logging
import math
import queue
import signal
import socket
import time
from collections import deque
from typing import Any

import msgspec
from msgspec.structs import replace

from netcode.host import exit_codes
from netcode.host.addresses import BindError, address_of
from netcode.host.config import ConfigError, HostConfig
from netcode.host.early_child import HOST, EarlyChild
from netcode.host.front_process import FrontProcess, fronted
from netcode.processes.child import ChildEvent, ChildProcess, Watchdog
from netcode.processes.forked import Service
from netcode.processes.start import start_service
from netcode.reporting import complain, handle_ending, log_to_stderr, open_standard_streams, say

LOG = logging.getLogger("kickdoor.supervisor")
FINAL = (exit_codes.ENDED, exit_codes.JOURNAL_FAILED, exit_codes.NOT_STARTED)
"""Exit codes of a host that has said why it ended."""
ENDED_EARLY = (exit_codes.BUSY, -signal.SIGTERM)
"""Codes of a host that was told to stop before it served."""
TICK_S = 1.0
"""How often a host has to show that it is alive."""
MISSED_BEATS = 15
"""Beats that a serving host may miss in a row before it is killed: on a slow machine its loop is seconds late, never
this long, and its players have read after five seconds that it does not answer."""
MISSED_AT_START = 120
"""The same before it serves: it says that it is alive after each table that it restores."""
SPARE_S = 10.0
"""How long after a host has begun to serve the next one is started, as a spare that waits for its configuration:
loading the program takes most of the time of a restart. The spare costs 30 MB of memory."""
OFTEN, OFTEN_S, PAUSE_S = 3, 60.0, 1.0
"""A host that crashes more than OFTEN times within OFTEN_S pauses for PAUSE_S before each start."""
LONGEST_PAUSE_S = 30.0
"""A host that crashes before it serves pauses for twice as long each time, and for no longer than this."""
TRIES = 5
"""A host that has never served is started this often."""
BUSY_AT_FIRST_S, BUSY_S, BUSY_PAUSE_S = 3.0, 60.0, 0.5
"""How long a port or a journal that is in use is tried: at the first start (an old host may be ending), and after a
crash; and the pause between two tries."""


def run_supervised(config: HostConfig, early: EarlyChild | None = None) -> int:
    """Serve as `run_host` does, but in a child process that is started again at the same port when it crashes or hangs.

    config.data: the folder of the journal, without which a restart would restore nothing. early: the first child, if it
    has been started. Returns the exit code."""
    open_standard_streams()
    link = early.take_link() if early is not None else None
    try:
        with fronted(config, BUSY_AT_FIRST_S, link, copied=early is not None) as (behind_front, front):
            port = behind_front.port or _free_port(config.bind)
            first = early.take() if early is not None else None
            return Supervisor(replace(behind_front, port=port), front, first).run()
    except (BindError, ConfigError, OSError) as problem:
        complain(f"kickdoor host: {problem}")
        return exit_codes.NOT_STARTED


def _free_port(bind: str) -> int:
    """Return a port that is free now; every child gets the same one, so that clients find the host again."""
    address = address_of(bind)
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])


class Supervisor:
    """Runs one host after another. All that happens comes through one queue: what children write, that they have ended,
    and that this process was told to stop. front: what runs before the hosts, if anything does; first: the
    first host, if it waits already."""

    def __init__(
        self, config: HostConfig, front: FrontProcess | None = None, first: Service | None = None
    ) -> None:
        self.config, self._front = config, front
        self.events: queue.SimpleQueue[ChildEvent] = queue.SimpleQueue()
        self.host: ChildProcess | None = None
        self._stopping = False
        self._served = self._serving = False
        """Whether any host has printed its strings, and whether the present one has."""
        self._unserved = 0
        """How many hosts in a row have crashed before they served."""
        self._crashes: deque[float] = deque(maxlen=OFTEN)
        self._busy, self._busy_since = "", 0.0
        self._spare = ChildProcess("host", first, self.events) if first is not None else None
        self._spare_due = math.inf

    def run(self) -> int:
        """Run hosts until one ends by itself or is told to stop. Returns its exit code."""
        log_to_stderr("kickdoor host: %(message)s")
        handle_ending(self._stop)
        if hasattr(signal, "SIGUSR1"):
            signal.signal(signal.SIGUSR1, self._pass_on)
        try:
            return self._run_hosts()
        finally:
            if self._spare is not None:
                self._spare.kill()
                self._spare.wait()

    def _run_hosts(self) -> int:
        """Run one host after another; return the exit code."""
        while True:
            code = self._run_host()
            if self._stopping:
                return exit_codes.ENDED if code in ENDED_EARLY else code if code in FINAL else exit_codes.CRASHED
            if code in FINAL:
                return code
            if code == exit_codes.BUSY:
                if not self._tries_again():
                    complain(f"kickdoor host: {self._busy}")
                    return exit_codes.NOT_STARTED
            elif not self._restarts(code):
                return exit_codes.CRASHED
            if self._stopping:
                return exit_codes.ENDED

    # -------------------------------------------------------------------------------------------------------- one host
    def _run_host(self) -> int:
        """Run one host until it ends, killing it if it hangs; return its exit code."""
        host = self._spare if self._spare is not None and self._spare.runs else self._new_child()
        host.begin(msgspec.json.encode(self.config))
        self.host, self._serving, self._spare, self._spare_due = host, False, None, math.inf
        dog, told, killed = Watchdog(TICK_S, MISSED_AT_START), False, False
        while True:
            if self._stopping and not told:
                host.stop()
                told = True
            event = self._next(dog.wait_s())
            if time.monotonic() > self._spare_due:
                self._spare, self._spare_due = self._new_child(), math.inf
            if event is None:
                dog.tick()
                if dog.hangs and not killed:
                    LOG.warning("the host does not react any more (for %d s) and is killed", dog.patience)
                    host.kill()
                    killed = True
            elif event.child is host and event.ended:
                return host.wait()
            elif event.child is host:
                self._hear(event.message, dog)
            elif event.child is self._spare and event.child is not None:
                event.child.wait()
                self._spare, self._spare_due = None, time.monotonic() + SPARE_S

    def _new_child(self) -> ChildProcess:
        """Return a host that has loaded all but its configuration."""
        link = () if self.config.link is None else (self.config.link,)
        return ChildProcess("host", start_service(HOST, pass_fds=link), self.events)

    def _next(self, wait_s: float) -> ChildEvent | None:
        """Return what happens next, None if nothing does within this time."""
        try:
            return self.events.get(timeout=wait_s)
        except queue.Empty:
            return None

    def _hear(self, message: dict[str, Any], dog: Watchdog) -> None:
        """Handle what the host says (netcode.host.supervised_host). Its strings are printed once: they stay the
        same."""
        dog.heartbeat()
        if "busy" in message:
            self._busy = str(message["busy"])
        if "print" in message:
            if not self._served:
                say(str(message["print"]), drawn=True)
            self._served = self._serving = True
            self._unserved, self._busy_since = 0, 0.0
            self._spare_due = time.monotonic() + SPARE_S
            self.config = replace(self.config, new=False)
            dog.patience = MISSED_BEATS

    # ------------------------------------------------------------------------------------------------------- restarting
    def _restarts(self, code: int) -> bool:
        """Say that the host crashed, and wait until it may be started again. Returns False if it never works."""
        how = f"signal {-code}" if code < 0 else f"code {code}"
        now = time.monotonic()
        pause = PAUSE_S if len(self._crashes) == OFTEN and now - self._crashes[0] < OFTEN_S else 0.0
        self._crashes.append(now)
        if not self._serving:
            self._unserved += 1
            pause = min(LONGEST_PAUSE_S, PAUSE_S * 2 ** (self._unserved - 1))
        if not self._served and self._unserved >= TRIES:
            LOG.error("the host crashed (%s) %d times before it could serve: it is not started again", how, TRIES)
            return False
        LOG.warning("the host crashed (%s) and is started again; its tables are restored", how)
        self._wait(pause)
        return True

    def _tries_again(self) -> bool:
        """Wait a moment because the port or the journal is in use. Returns False if it has been for too long."""
        now, patience = time.monotonic(), BUSY_S if self._served else BUSY_AT_FIRST_S
        if not self._busy_since:
            self._busy_since = now
            if self._served:
                LOG.warning("%s (trying again for %d s)", self._busy, patience)
        self._wait(BUSY_PAUSE_S)
        return now - self._busy_since < patience

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._stopping and (left := until - time.monotonic()) > 0:
            self._next(left)

    # --------------------------------------------------------------------------------------------------------- signals
    def _stop(self, number: int, frame: object) -> None:
        self._stopping = True
        self.events.put(ChildEvent(None))  # wakes up whoever waits for the queue

    def _pass_on(self, number: int, frame: object) -> None:
        if self.host is not None:
            self.host.signal(number)
        if self._front is not None:
            self._front.signal(number)
