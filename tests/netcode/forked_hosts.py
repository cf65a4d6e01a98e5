"""Hosts that are forked from one process that has imported the program. Starting Python and importing the program takes
two thirds of the processor time of a short-lived host, and the tests start hundreds of hosts.

The process runs `python -m tests.netcode.forked_hosts FD`; it ends when the other end of FD is closed.
"""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cache
from typing import IO, Any

ORDER_BYTES = 1 << 16
"""The longest order: an environment and a configuration."""
FORKS = sys.platform == "linux"
"""Whether hosts can be forked; elsewhere each is a program of its own."""
DECIDES_AT_THE_START = ("PYTHON", "LANG", "LC_")
"""The beginnings of variables that Python reads when it starts."""


# ---------------------------------------------------------------------------------------------- the side of the tests
class ForkedHost:
    """A forked process, with the part of the interface of `subprocess.Popen` that tests use."""

    def __init__(self, order: dict[str, Any]) -> None:
        """order: what `_begin` reads. Raises OSError if the process that forks has ended."""
        pipes = [os.pipe() for _ in range(3)]
        try:
            self.pid = _forker().fork(order, [into for _, into in pipes])
        finally:
            for _, into in pipes:
                os.close(into)
        self.args = "forked host"
        self.stdin = None
        self.stdout, self.stderr = (os.fdopen(out, encoding="utf-8") for out, _ in pipes[:2])
        self._status = os.fdopen(pipes[2][0], "rb", buffering=0)
        self.returncode: int | None = None
        self._lock = threading.Lock()
        self._readers: list[_Reader] = []

    def poll(self) -> int | None:
        """Return the exit code, or minus the signal that ended it; None if it still runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended and return its exit code. timeout: s. Raises subprocess.TimeoutExpired."""
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return code

    def _ended(self, timeout: float | None) -> int | None:
        with self._lock:
            if self.returncode is None:
                waiting = select.poll()
                waiting.register(self._status, select.POLLIN)
                if waiting.poll(None if timeout is None else timeout * 1000):
                    self.returncode = os.waitstatus_to_exitcode(int(self._status.read(16)))
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def communicate(self, input: None = None, timeout: float | None = None) -> tuple[str, str]:
        """Wait until it has ended. Returns what it wrote to standard output and standard error. timeout: s. Raises
        subprocess.TimeoutExpired."""
        by = time.monotonic() + timeout if timeout is not None else None
        self._readers = self._readers or [_Reader(self.stdout), _Reader(self.stderr)]
        for reader in self._readers:
            reader.join(None if by is None else max(0.0, by - time.monotonic()))
            if reader.is_alive():
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
        self.wait(None if by is None else max(0.0, by - time.monotonic()))
        return self._readers[0].text, self._readers[1].text


class _Reader(threading.Thread):
    """Reads a pipe to its end, and closes it."""

    def __init__(self, pipe: IO[str]) -> None:
        super().__init__(daemon=True)
        self.text, self._pipe = "", pipe
        self.start()

    def run(self) -> None:
        """Read, unless a test has closed the pipe."""
        if not self._pipe.closed:
            with self._pipe:
                self.text = self._pipe.read()


class _Forker:
    """The process that forks hosts, seen from the tests."""

    def __init__(self) -> None:
        self._line, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        self.environment = settled_at_the_start(os.environ)
        with other:
            command = [sys.executable, "-m", __name__, str(other.fileno())]
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[other.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )  # fmt: skip
        atexit.register(self._end)

    def _end(self) -> None:
        self._line.close()
        self._process.wait()

    def fork(self, order: dict[str, Any], pipes: list[int]) -> int:
        """Fork a host and return its process id. pipes: for standard output, standard error and how it ended."""
        with self._lock:
            socket.send_fds(self._line, [json.dumps(order).encode()], pipes)
            answer = self._line.recv(16)
        if not answer:
            raise ConnectionError("the process that forks hosts has ended")
        return int(answer)


@cache
def _forker() -> _Forker:
    return _Forker()


def settled_at_the_start(environment: Any) -> dict[str, str]:
    """Return the variables that Python reads when it starts."""
    return {name: value for name, value in environment.items() if name.startswith(DECIDES_AT_THE_START)}


def can_fork() -> bool:
    """Return whether a host that is forked now behaves as one that is started."""
    return FORKS and settled_at_the_start(os.environ) == _forker().environment


# ------------------------------------------------------------------------------------------- the process that forks
def _serve(line: socket.socket) -> dict[str, Any] | None:
    """Fork a host for each order. In the forked host, return its order; in this process, return None when the tests
    have ended."""
    wakes, waker = socket.socketpair()
    wakes.setblocking(False)
    waker.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
    tell: dict[int, int] = {}
    waiting = select.poll()
    waiting.register(line, select.POLLIN)
    waiting.register(wakes, select.POLLIN)
    while True:
        for ready, _ in waiting.poll():
            if ready == wakes.fileno():
                wakes.recv(4096)
                _bury(tell)
                continue
            data, pipes, _, _ = socket.recv_fds(line, ORDER_BYTES, 3)
            if not data:
                return None
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for other in (line, wakes, waker):
                    other.close()
                for status in (*tell.values(), pipes[2]):
                    os.close(status)
                os.dup2(pipes[0], 1)
                os.dup2(pipes[1], 2)
                for pipe in pipes[:2]:
                    os.close(pipe)
                order: dict[str, Any] = json.loads(data)
                return order
            for pipe in pipes[:2]:
                os.close(pipe)
            tell[pid] = pipes[2]
            line.send(b"%d" % pid)


def _bury(tell: dict[int, int]) -> None:
    """Tell the tests how hosts have ended."""
    while tell:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        there = tell.pop(pid)
        with suppress(BrokenPipeError):  # nobody asks any more
            os.write(there, b"%d" % status)
        os.close(there)


def main() -> int:
    """Import what a host of the first set imports, then fork hosts. In a forked host, return the exit code of the
    host."""
    from netcode.host.config import HostConfig  # the tests' side does not need the host
    from netcode.host.main import run_host
    from netcode.protocol.pack_files import load_packs
    from netcode.table.rules_adapter import Rules

    Rules(load_packs(["munchkins-and-mazes"]))
    order = _serve(socket.socket(fileno=int(sys.argv[1])))
    if order is None:
        return 0
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    return run_host(HostConfig(**order["config"]))


if __name__ == "__main__":
    sys.exit(main())
