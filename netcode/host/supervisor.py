"""The supervisor of `kickdoor host`: a parent process that starts its host again when it crashes.

No process can catch a crash inside a library (docs/trust.md: endless messages, floods that end abruptly). With a
journal such a crash costs no more than the time to start. A host that ends by itself, or is told to, is not started
again.
"""

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections import deque
from dataclasses import replace

import msgspec

from netcode.host.addresses import address_of
from netcode.host.bot_supervisor import child_env
from netcode.host.config import ConfigError, HostConfig
from netcode.host.main import run_host

LOG = logging.getLogger("kickdoor.supervisor")
CRASHED = 70
"""Exit code of a host that ended with an internal error (EX_SOFTWARE of sysexits.h)."""
ENDED = (0, 1, 2)
"""Exit codes of `run_host`: the host has said why it ended."""
OFTEN, OFTEN_S, PAUSE_S = 3, 60.0, 1.0
"""A host that crashes more than OFTEN times within OFTEN_S pauses for PAUSE_S before each start."""


def run_supervised(config: HostConfig) -> int:
    """Serve as `run_host` does, but in a child process that is started again at the same port when it crashes.

    config.data: the folder of the journal, without which a restart would restore nothing. Returns the exit code of the
    last child."""
    try:
        config = replace(config, port=config.port or _free_port(config.bind))
    except (ConfigError, OSError) as problem:
        print(f"kickdoor host: {problem}", file=sys.stderr)
        return 2
    return Supervisor(config).run()


def _free_port(bind: str) -> int:
    """Return a port that is free now; every child gets the same one, so that clients find the host again."""
    address = address_of(bind)
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])


class Supervisor:
    """Runs one host after another, and passes signals on to the one that runs."""

    def __init__(self, config: HostConfig) -> None:
        self.config = config
        self.told_to_stop = threading.Event()
        self.child: subprocess.Popen[bytes] | None = None
        self.crashes: deque[float] = deque(maxlen=OFTEN)

    def run(self) -> int:
        """Run hosts until one ends by itself or is told to stop. Returns its exit code."""
        logging.basicConfig(level=logging.WARNING, format="kickdoor host: %(message)s", stream=sys.stderr)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        if hasattr(signal, "SIGUSR1"):
            signal.signal(signal.SIGUSR1, self._pass_on)
        while True:
            code = self._run_child()
            if self.told_to_stop.is_set() or code in ENDED:
                return code if code in ENDED else 0
            how = f"signal {-code}" if code < 0 else f"code {code}"
            LOG.warning("the host crashed (%s) and is started again; its tables are restored", how)
            self.config = replace(self.config, new=False)
            self._pause()
            if self.told_to_stop.is_set():
                return 0

    def _run_child(self) -> int:
        """Run one host until it ends; return its exit code. It ends when its standard input is closed, so it never
        outlives this process."""
        command = [sys.executable, "-m", "netcode.host.supervisor"]
        restarted = self.crashes and self.config.json  # scripts read one line: that of the first host
        self.child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL if restarted else None, env=child_env(),
            start_new_session=True,
        )  # fmt: skip
        assert self.child.stdin is not None
        try:
            self.child.stdin.write(msgspec.json.encode(self.config) + b"\n")
            self.child.stdin.flush()
        except OSError as problem:
            LOG.debug("the host ended before it got its configuration: %s", problem)
        if self.told_to_stop.is_set():
            self.child.terminate()
        return self.child.wait()

    def _pause(self) -> None:
        now = time.monotonic()
        if len(self.crashes) == OFTEN and now - self.crashes[0] < OFTEN_S:
            self.told_to_stop.wait(PAUSE_S)
        self.crashes.append(now)

    def _stop(self, number: int, frame: object) -> None:
        self.told_to_stop.set()
        if self.child is not None and self.child.poll() is None:
            self.child.terminate()

    def _pass_on(self, number: int, frame: object) -> None:
        if self.child is not None and self.child.poll() is None:
            self.child.send_signal(number)


# ------------------------------------------------------------------------------------------------------- the child
def main() -> int:
    """Entry of the child: the first line of standard input is its configuration; it ends when its input is closed."""
    config = msgspec.json.decode(sys.stdin.buffer.readline(), type=HostConfig)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    try:
        return run_host(config)
    except Exception:
        traceback.print_exc()
        return CRASHED


def _end_with_parent() -> None:
    """End this process at once when the supervisor is gone. Nobody is told good-bye, since nobody has stopped the
    host: its clients try to reconnect until it is started again."""
    while os.read(0, 1):  # not sys.stdin: a thread that waits in it keeps Python from ending
        pass
    os._exit(CRASHED)


if __name__ == "__main__":
    sys.exit(main())
