"""Find out which means of confinement this system has: `python -m netcode.door.confinement.means` prints a sentence
for each that is missing.

Each is tried in a child process, since the only proof of a namespace is to have one."""

import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing

from netcode.door.confinement import landlock, namespaces, seccomp, view
from netcode.door.confinement.confine import confine
from netcode.door.confinement.kernel import Refused
from netcode.processes.start import child_command, child_env
from netcode.processes.streams import guard_streams

POSSIBLE = (
    "Without them, somebody who makes the program of a guest do what they want can read and write every file that"
    " the user of this process may, end and read its other processes, and connect to any address that it can reach.",
)
"""What a guest could do then."""
CHECK_S = 30.0
"""How long the check may take."""


def missing() -> list[str]:
    """Return one sentence for each means that this system lacks; none if guests can be confined. Any process may call
    this: a child process finds out."""
    try:
        done = subprocess.run(
            child_command("netcode.door.confinement.means"), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=CHECK_S, check=False, env=child_env(),
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as problem:
        return [f"the check of what can confine a guest has failed: {problem}"]
    found = done.stdout.splitlines()
    if done.returncode != 0 and not found:
        return [f"the check of what can confine a guest has ended with code {done.returncode}"]
    return found


def found_missing() -> list[str]:
    """Return the sentences of `missing`; the caller's process must have one thread."""
    if not sys.platform.startswith("linux"):
        return [f"only Linux has what confines a guest; this is {platform.system()}"]
    found = [] if landlock.version() else ["the kernel has no Landlock (it needs Linux 5.13, and lsm=...,landlock)"]
    if why := seccomp.missing():
        found.append(why)
    if why := _tried(namespaces.separate):
        what = "namespaces" if namespaces.own_user() is not None else "user namespaces"
        found.append(f"this process may make no {what} ({why}); root may, or see user.max_user_namespaces")
    return found or _whole()


def _whole() -> list[str]:
    """Try all means together: confine a child like a guest's process. Call this when each means has worked alone."""
    with tempfile.TemporaryDirectory() as folder:
        parent = os.getpid()
        why = _tried(lambda: _be_guest(os.path.realpath(folder), parent))
    return [why] if why else []


def _be_guest(folder: str, parent: int) -> None:
    """Be confined, and read a part of the program. Raises Refused."""
    files = [one for one in view.program_files() if one not in view.SYSTEM]
    confine(folder, parent, lambda heard: None)
    for path in files:
        try:
            os.listdir(path)
            with open(__file__, "rb") as file:
                file.read(1)
        except OSError as problem:
            raise Refused(
                f"the process of a guest, which is another user, cannot read {problem.filename}: let every user read it"
            ) from None


def _tried(what: Callable[[], object]) -> str:
    """Do this in a child process. Return why it failed, "" if it succeeded."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            what()
            os._exit(0)
        except BaseException as problem:
            reason = None if isinstance(problem, Refused) else getattr(problem, "strerror", None)
            os.write(writing, (reason or str(problem)).encode())
            os._exit(1)
    os.close(writing)
    with closing(os.fdopen(reading, "rb")) as file:
        why = file.read().decode(errors="replace")
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return why if code == 1 else "" if code == 0 else f"the check ended with code {code}"


def main() -> None:
    """Print the sentences."""
    guard_streams()
    for sentence in found_missing():
        print(sentence)


if __name__ == "__main__":
    main()
