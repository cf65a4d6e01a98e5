"""Run a task of tasks.py in a child process with limits; what comes back is validated typed data or one sentence."""

import asyncio
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec

from netcode.processes.start import child_command, child_env
from netcode.sandbox.child import AT, CPU_S, Reply

T = TypeVar("T")
WALL_S = 60.0
"""How long the child may take in all, on a busy machine too."""
RESULT_BYTES = 32 * 1024 * 1024
"""The longest result that is accepted: the packs of a table take about a tenth of it."""


class SandboxError(ValueError):
    """The task has no result. The text is one sentence: where, and what is wrong."""


Outcome = subprocess.CompletedProcess[bytes] | subprocess.TimeoutExpired | OSError
"""How a child ended, or the error that kept it from ending or starting."""


_in_a_sandbox = False


@contextmanager
def in_a_sandbox() -> Iterator[None]:
    """Do tasks in this process: it has limits of its own, may start no other, and has nothing that is worth more than
    what it reads."""
    global _in_a_sandbox
    before, _in_a_sandbox = _in_a_sandbox, True
    try:
        yield
    finally:
        _in_a_sandbox = before


def run_limited(task: str, data: object, returns: type[T]) -> T:
    """Return the result of a task of tasks.py. returns: its type, by which it is validated.

    Takes some 200 ms, and at most WALL_S. Raises SandboxError if the data cannot be used or takes more time or memory
    than it may.
    """
    if _in_a_sandbox:
        return _done_here(task, data, returns)
    return _result(_Child().run(task, msgspec.msgpack.encode(data)), returns)


async def run_limited_beside(task: str, data: object, returns: type[T]) -> T:
    """Do as `run_limited`, without blocking the loop. If this is cancelled, the child is killed.

    Only the wait is in a thread: msgspec must not meet a type for the first time in two threads at once.
    """
    if _in_a_sandbox:
        return _done_here(task, data, returns)
    child = _Child()
    try:
        return _result(await asyncio.to_thread(child.run, task, msgspec.msgpack.encode(data)), returns)
    except asyncio.CancelledError:
        child.stop()
        raise


def _done_here(task: str, data: object, returns: type[T]) -> T:
    """Return the result of a task that is done in this process. Raises SandboxError."""
    from netcode.sandbox.tasks import Mistaken, run_task  # elsewhere only the child loads the rules for it

    files: list[str] = []
    try:
        return msgspec.msgpack.decode(run_task(task, msgspec.msgpack.encode(data), files.append), type=returns)
    except Mistaken as problem:
        raise SandboxError(str(problem)) from None
    except (MemoryError, RecursionError):
        raise SandboxError(f"{''.join(f'{file}: ' for file in files[-1:])}it is too large") from None


class _Child:
    """A child that one thread runs and another may stop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def run(self, task: str, data: bytes) -> Outcome:
        """Run the child to its end."""
        try:
            process = self._start(task)
        except OSError as problem:
            return problem
        with process:
            try:
                out, errors = process.communicate(data, timeout=WALL_S)
            except subprocess.TimeoutExpired as problem:
                process.kill()
                return subprocess.TimeoutExpired(problem.cmd, problem.timeout, stderr=process.communicate()[1])
            except BaseException as problem:
                process.kill()
                if isinstance(problem, OSError):
                    return problem
                raise
        return subprocess.CompletedProcess(process.args, process.returncode, out, errors)

    def _start(self, task: str) -> "subprocess.Popen[bytes]":
        with self._lock:
            process = self._process = subprocess.Popen(
                [*child_command("netcode.sandbox.child"), task], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, env=child_env(),
            )  # fmt: skip
            if self._stopped:
                process.kill()
        return process

    def stop(self) -> None:
        """Kill the child now, or as soon as it has started."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.kill()


def _result(done: Outcome, returns: type[T]) -> T:
    """Return what a child handed back. Raises SandboxError."""
    if isinstance(done, OSError):
        raise SandboxError(f"the process that reads it cannot be started: {done.strerror}")
    if isinstance(done, subprocess.TimeoutExpired):
        raise SandboxError(f"{_place(done.stderr or b'')}reading it takes more than {WALL_S:.0f} s")
    if done.returncode != 0:
        raise SandboxError(f"{_place(done.stderr)}{_ending(done.returncode)}")
    if len(done.stdout) > RESULT_BYTES:
        raise SandboxError(f"{_place(done.stderr)}it is too large")
    try:
        reply = msgspec.msgpack.decode(done.stdout, type=Reply)
        if reply.refused:
            raise SandboxError(reply.refused)
        return msgspec.msgpack.decode(reply.result, type=returns)
    except (msgspec.MsgspecError, RecursionError) as problem:
        raise SandboxError(f"the process that reads it gave no valid answer: {problem}") from None


def _place(errors: bytes) -> str:
    """Return the last place that a child named, as the beginning of a sentence; "" if it named none."""
    lines = errors.decode(errors="replace").splitlines()
    return next((f"{line.removeprefix(AT)[1:-1]}: " for line in reversed(lines) if line.startswith(AT)), "")


def _ending(code: int) -> str:
    """Return why a child ended without a reply. code: its exit code, or minus the signal that ended it."""
    if code in (-getattr(signal, "SIGXCPU", 0), -getattr(signal, "SIGKILL", 0)):
        return f"reading it takes more than {CPU_S} s of processor time"
    return f"it cannot be read: the process that reads it ended with code {code}"
