"""Run a task of tasks.py in a child process with limits; what comes back is validated typed data or one sentence."""

import os
import subprocess
import sys
from pathlib import Path
from typing import TypeVar

import msgspec

from netcode.sandbox.child import AT, CPU_S, Reply

T = TypeVar("T")
WALL_S = 60.0
"""How long the child may take in all, on a busy machine too."""
RESULT_BYTES = 32 * 1024 * 1024
"""The longest result that is accepted: the packs of a table take about a tenth of it."""


class SandboxError(ValueError):
    """The task has no result. The text is one sentence: where, and what is wrong."""


def module_command(module: str) -> list[str]:
    """Return the command that runs a module of ours in a new Python process.

    The folder in which the user happens to be is not searched for modules, because a downloaded folder of cards must
    not be able to run as code. Use it with `module_environment`.
    """
    return [sys.executable, "-P", "-m", module]


def module_environment() -> dict[str, str]:
    """Return the environment for `module_command`: the program is found where this process has it."""
    root = str(Path(__file__).resolve().parents[2])
    given = os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in (root, given) if part)}


def run_limited(task: str, data: object, returns: type[T]) -> T:
    """Return the result of a task of tasks.py. returns: its type, by which it is validated.

    Takes some 100 ms, and at most WALL_S: call it in a thread where others wait. Raises SandboxError if the data cannot
    be used or takes more time or memory than it may.
    """
    work = module_command("netcode.sandbox.child")
    try:
        done = subprocess.run(
            [*work, task], input=msgspec.msgpack.encode(data), capture_output=True, timeout=WALL_S, check=False,
            env=module_environment(),
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        raise SandboxError(f"{_place(late.stderr or b'')}reading it takes more than {WALL_S:.0f} s") from None
    except OSError as problem:
        raise SandboxError(f"the process that reads it cannot be started: {problem.strerror}") from None
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
    import signal

    if code in (-getattr(signal, "SIGXCPU", 0), -getattr(signal, "SIGKILL", 0)):
        return f"reading it takes more than {CPU_S} s of processor time"
    return f"it cannot be read: the process that reads it ended with code {code}"
