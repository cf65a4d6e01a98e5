"""Start a service of ours as a copy of this process (Linux): it need not load again what is loaded here.

Only a process with a single thread may be copied, before it has opened anything that is to be its own.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, NoReturn

from netcode.processes.service import run
from netcode.processes.start import root_folder

SHORTEST_NAP_S, LONGEST_NAP_S = 0.0005, 0.05
"""How long a wait with a timeout sleeps between two looks: twice as long each time."""


def can_fork() -> bool:
    """Return whether this process can be copied: on Linux, with one thread. Libraries of macOS do not survive it."""
    return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1


class ForkedService:
    """A service that is a copy of this process: so much of `subprocess.Popen` as those need who run services."""

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self.pid, self.stdin, self.stdout = pid, stdin, stdout
        self.returncode: int | None = None
        self._lock = threading.Lock()

    def poll(self) -> int | None:
        """Return its exit code, or minus the signal that ended it; None while it runs."""
        with self._lock:
            if self.returncode is None and (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
                self.returncode = os.waitstatus_to_exitcode(ended[1])
            return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit code when it has ended. Raises subprocess.TimeoutExpired after so many seconds."""
        until, nap = None if timeout is None else time.monotonic() + timeout, SHORTEST_NAP_S
        while (code := self.poll()) is None:
            if until is None:
                with suppress(ChildProcessError):  # another thread has seen its end
                    os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
            elif (left := until - time.monotonic()) > 0:
                time.sleep(min(nap, left))
                nap = min(2 * nap, LONGEST_NAP_S)
            else:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        with self._lock:
            if self.returncode is None:
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


Service = subprocess.Popen[bytes] | ForkedService
"""A service that runs, however it was started."""


def fork_service(
    module: str, *arguments: str, stderr: IO[bytes] | None = None, pass_fds: Sequence[int] = ()
) -> ForkedService:
    """Start a service of ours as `python.start_service` does, but as a copy of this process (see `can_fork`).
    Raises OSError."""
    reads, stdin = os.pipe()
    stdout, writes = os.pipe()
    errors = 2 if stderr is None else stderr.fileno()
    pid = os.fork()
    if pid == 0:
        _become(module, arguments, (reads, writes, errors), pass_fds)
    os.close(reads)
    os.close(writes)
    return ForkedService(pid, open(stdin, "wb"), open(stdout, "rb"))


def _become(module: str, arguments: Sequence[str], streams: Sequence[int], kept: Sequence[int]) -> NoReturn:
    """Be the service: nothing of whoever called this goes on in the copy."""
    code = 1
    try:
        os.setsid()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        for number in map(int, os.listdir("/proc/self/fd")):
            if number > 2 and number not in kept:
                with suppress(OSError):  # the folder itself was one of them
                    os.close(number)
        if not sys.flags.safe_path:
            del sys.path[0]  # the folder the user is in: see python.child_command
        sys.path.insert(0, root_folder())
        sys.argv[:] = [module, *arguments]
        code = run(module)
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 0 if ending.code is None else 1
    except KeyboardInterrupt:  # Ctrl+C before it had a session of its own
        code = 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        for file in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                file.flush()
        os._exit(code)
