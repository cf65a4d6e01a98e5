"""`kickdoor host --restart`: a host that is started again when it breaks down, by a parent that does nothing else.

What a library does to a process nobody can catch (docs/trust.md: endless messages, a heartbeat in a flood that breaks
off), but with a journal all it costs is the time to start. A host that ends by itself, or is told to, stays ended.
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
from contextlib import ExitStack
from dataclasses import replace
from tempfile import TemporaryDirectory

import msgspec

from netcode.host.bot_supervisor import child_env
from netcode.host.main import ConfigError, HostConfig, address_of, run_host

LOG = logging.getLogger("kickdoor.supervisor")
BROKEN = 70
"""Exit code of a host that ended by a fault of ours (EX_SOFTWARE)."""
BY_ITSELF = (0, 1, 2)
"""Exit codes of `run_host`: it has said why."""
OFTEN, OFTEN_S, PAUSE_S = 3, 60.0, 1.0
"""A host that breaks down more than so often within so many seconds gets a pause before each start."""


def run_supervised(config: HostConfig) -> int:
    """Serve as `run_host` does, but in a child that is started again at the same port whenever it breaks down; without
    config.data its journal lasts as long as we do. Returns the exit code of the last one."""
    with ExitStack() as stack:
        try:
            config = replace(
                config,
                port=config.port or _free_port(config.bind),
                data=config.data or stack.enter_context(TemporaryDirectory(prefix="kickdoor-")),
            )
        except (ConfigError, OSError) as problem:
            print(f"kickdoor host: {problem}", file=sys.stderr)
            return 2
        return Supervisor(config).run()


def _free_port(bind: str) -> int:
    """A port that is free now: the host shall be found there again."""
    address = address_of(bind)
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])


class Supervisor:
    """One host after another. Signals to stop, and the question how busy it is, are passed on to the one that runs."""

    def __init__(self, config: HostConfig) -> None:
        self.config = config
        self.told = threading.Event()
        self.child: subprocess.Popen[bytes] | None = None
        self.broke: deque[float] = deque(maxlen=OFTEN)

    def run(self) -> int:
        """Until one of them ends by itself or is told to stop."""
        logging.basicConfig(level=logging.WARNING, format="kickdoor host: %(message)s", stream=sys.stderr)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        if hasattr(signal, "SIGUSR1"):
            signal.signal(signal.SIGUSR1, self._pass_on)
        while True:
            code = self._serve()
            if self.told.is_set() or code in BY_ITSELF:
                return code if code in BY_ITSELF else 0
            how = f"signal {-code}" if code < 0 else f"code {code}"
            LOG.warning("it broke down (%s) and is started again; its tables go on", how)
            self._rest()
            if self.told.is_set():
                return 0

    def _serve(self) -> int:
        """One host, until it ends: its exit code. As long as its standard input is open, it knows that we live."""
        command = [sys.executable, "-m", "netcode.host.supervisor"]
        told = None if not self.broke or not self.config.json else subprocess.DEVNULL  # scripts read one line
        self.child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=told, env=child_env(), start_new_session=True
        )
        assert self.child.stdin is not None
        try:
            self.child.stdin.write(msgspec.json.encode(self.config) + b"\n")
            self.child.stdin.flush()
        except OSError as problem:
            LOG.debug("the host ended before it was told anything: %s", problem)
        if self.told.is_set():
            self.child.terminate()
        return self.child.wait()

    def _rest(self) -> None:
        now = time.monotonic()
        if len(self.broke) == OFTEN and now - self.broke[0] < OFTEN_S:
            self.told.wait(PAUSE_S)
        self.broke.append(now)

    def _stop(self, number: int, frame: object) -> None:
        self.told.set()
        if self.child is not None and self.child.poll() is None:
            self.child.terminate()

    def _pass_on(self, number: int, frame: object) -> None:
        if self.child is not None and self.child.poll() is None:
            self.child.send_signal(number)


# ------------------------------------------------------------------------------------------------------- the child
def main() -> int:
    """Entry of the child: its configuration is the first line of standard input; when that ends, so does it."""
    config = msgspec.json.decode(sys.stdin.buffer.readline(), type=HostConfig)
    threading.Thread(target=_outlive_nobody, name="parent", daemon=True).start()
    try:
        return run_host(config)
    except Exception:
        traceback.print_exc()
        return BROKEN


def _outlive_nobody() -> None:
    while os.read(0, 1):  # not sys.stdin: a thread that waits in it keeps Python from ending
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
