"""The supervisor of `kickdoor host`: a parent process that starts its host again when it crashes or hangs.

No process can catch a crash inside a library (docs/trust.md: endless messages, floods that end abruptly). With a
journal such a crash costs no more than the time to start. A host that ends by itself, or is told to, is not started
again.
"""

import logging
import signal
import socket
import time

import msgspec
from msgspec.structs import replace

from netcode.host import exit_codes
from netcode.host.addresses import BindError, address_of, socket_address
from netcode.host.config import ConfigError, HostConfig
from netcode.host.first_host import FirstHost, start_host
from netcode.host.front_process import FrontProcess, fronted
from netcode.processes.streams import open_standard_streams
from netcode.processes.watchdog import NOT_STARTED, STOP, Process, Restarts, Watchdog
from netcode.reporting import complain, handle_ending, log_to_stderr, say

LOG = logging.getLogger("kickdoor.supervisor")
FINAL = (exit_codes.ENDED, exit_codes.JOURNAL_FAILED, exit_codes.NOT_STARTED)
"""Exit codes of a host that has said why it ended."""
ENDED_EARLY = (exit_codes.BUSY, -signal.SIGTERM)
"""Codes of a host that was told to stop before it served."""
MISSED_BEATS = 15
"""A serving host that misses this many heartbeats in a row is killed. On a slow machine the loop may be seconds late,
but never this late; players are told after five seconds that the host does not answer."""
MISSED_AT_START = 120
"""The same for a host that does not serve yet: it sends a heartbeat after each table that it restores."""
OFTEN, OFTEN_S, PAUSE_S = 3, 60.0, 1.0
"""A host that crashes more than OFTEN times within OFTEN_S pauses for PAUSE_S before each start."""
LONGEST_PAUSE_S = 30.0
"""A host that crashes before it serves pauses for twice as long each time, and for no longer than this."""
TRIES = 5
"""A host that has never served is started this many times."""
BUSY_AT_FIRST_S, BUSY_S, BUSY_PAUSE_S = 3.0, 60.0, 0.5
"""How long to retry a port or a journal in use: at the first start (an old host may be ending), and after a crash; then
the pause between two tries."""


def run_supervised(
    config: HostConfig, first: FirstHost | None = None, kind: "type[Supervisor] | None" = None
) -> int:
    """Serve as `run_host` does, but in a child process that is started again at the same port when it crashes or hangs.

    config.data: the folder of the journal, without which a restart would restore nothing. first: a host that was
    started for the same `config.front`. kind: the supervisor to use. Returns the exit code."""
    open_standard_streams()
    try:
        with fronted(config, BUSY_AT_FIRST_S, first.channel if first is not None else None) as (behind_front, front):
            port = behind_front.port or _free_port(config.bind)
            return (kind or Supervisor)(replace(behind_front, port=port), front, first).serve()
    except (BindError, ConfigError, OSError) as problem:
        complain(f"kickdoor host: {problem}")
        return exit_codes.NOT_STARTED


def _free_port(bind: str) -> int:
    """Return a port that is free now; every child gets the same one, so that clients find the host again."""
    address = address_of(bind)
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.bind(socket_address(address, 0))
        return int(probe.getsockname()[1])


class Supervisor(Watchdog):
    """Runs one host after another. front: the front before these hosts, if there is one. first: the first host, if it
    was started already."""

    name, patience, goodbye = "the host", MISSED_AT_START, STOP

    def __init__(
        self, config: HostConfig, front: FrontProcess | None = None, first: FirstHost | None = None
    ) -> None:
        super().__init__()
        self.config, self._front, self._first = config, front, first
        self._served = self._serving = False
        """Whether any host has printed its strings, and whether the present one has."""
        self._unserved = 0
        """How many hosts in a row have crashed before they served."""
        self._restarts = Restarts(OFTEN, OFTEN_S, PAUSE_S)
        self._busy, self._busy_since = "", 0.0

    def serve(self) -> int:
        """Run hosts until one ends by itself or is told to stop. Returns its exit code."""
        log_to_stderr("kickdoor host: %(message)s")
        handle_ending(lambda *_: self.stop())
        if hasattr(signal, "SIGUSR1"):
            signal.signal(signal.SIGUSR1, self._pass_on)
        code = self.run()
        if code in FINAL:
            return code
        if self.stopping and code in ENDED_EARLY:
            return exit_codes.ENDED
        return exit_codes.NOT_STARTED if code in (exit_codes.BUSY, NOT_STARTED) else exit_codes.CRASHED

    def start(self) -> Process:
        """Start a host, or take the one that was started already."""
        self._serving = False
        first = self._first.take() if self._first is not None else None
        return first or start_host(self.config.channel)

    def begun(self) -> None:
        """Start the front: it is ready before the host, so that clients can connect already."""
        if self._front is not None:
            self._front.begin()

    def settings(self) -> bytes:
        """Return its configuration."""
        return msgspec.json.encode(self.config) + b"\n"

    def heard(self, line: bytes) -> None:
        """Handle what the host says (netcode.host.supervised_host)."""
        try:
            message = msgspec.json.decode(line, type=dict[str, object])
        except msgspec.MsgspecError:
            LOG.warning("the host wrote a line that is no message: it is ignored")
            return
        if "busy" in message:
            self._busy = str(message["busy"])
        if "print" in message:
            self.serves(str(message["print"]))
            self._served = self._serving = True
            self._unserved, self._busy_since = 0, 0.0
            self.config = replace(self.config, new=False)
            self.beats.patience = MISSED_BEATS

    def serves(self, strings: str) -> None:
        """Handle that a host serves: print its strings the first time, since they stay the same."""
        if not self._served:
            say(strings, drawn=True)

    def again(self, code: int) -> float | None:
        """Return the pause before the next host. Returns None, which starts none, if the host has said why it ended, or
        never works."""
        if code in FINAL or (code == NOT_STARTED and not self._served):
            return None
        return self._pause_as_busy() if code == exit_codes.BUSY else self._pause_after_crash(code)

    def _pause_after_crash(self, code: int) -> float | None:
        """Report a crash. Returns the pause before the next host, None if too many hosts have crashed and none has ever
        served."""
        how = f"signal {-code}" if code < 0 else f"code {code}"
        pause = self._restarts.pause()
        if not self._serving:
            self._unserved += 1
            pause = min(LONGEST_PAUSE_S, PAUSE_S * 2 ** (self._unserved - 1))
        if not self._served and self._unserved >= TRIES:
            LOG.error("the host crashed (%s) %d times before it could serve: it is not started again", how, TRIES)
            return None
        LOG.warning("the host crashed (%s) and is started again; its tables are restored", how)
        return pause

    def _pause_as_busy(self) -> float | None:
        """Report once that the port or the journal is in use. Returns the pause before the next try, None after too
        many."""
        now, patience = time.monotonic(), BUSY_S if self._served else BUSY_AT_FIRST_S
        if not self._busy_since:
            self._busy_since = now
            if self._served:
                LOG.warning("%s (trying again for %d s)", self._busy, patience)
        if now - self._busy_since < patience:
            return BUSY_PAUSE_S
        complain(f"kickdoor host: {self._busy}")
        return None

    def _pass_on(self, number: int, frame: object) -> None:
        """Pass a signal on to all processes."""
        self.signal(number)
        if self._front is not None:
            self._front.signal(number)
