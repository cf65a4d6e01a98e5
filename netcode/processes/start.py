"""Start a Python process of ours: the same program as this one, whatever folder the user is in."""

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import IO


def child_command(module: str) -> list[str]:
    """Return the command that runs a module of ours; use it with `child_env`.

    -P: the folder the user is in is not searched for modules, because a downloaded folder of cards must not run as
    code.
    """
    return [sys.executable, "-P", "-m", module]


def service_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a service of ours (service.py); use it with `child_env`."""
    return [*child_command("netcode.processes.service"), module, *arguments]


def root_folder() -> str:
    """Return the folder in which our modules are found."""
    root = os.path.realpath(__file__)
    for _ in range(3):
        root = os.path.dirname(root)
    return root


def child_env() -> dict[str, str]:
    """Return the environment in which a child process finds the same modules as this one."""
    root, path = root_folder(), os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{path}" if path else root}


def start_service(
    module: str, *arguments: str, stdout: int = subprocess.PIPE, stderr: IO[bytes] | int | None = None,
    pass_fds: Sequence[int] = (),
) -> "subprocess.Popen[bytes]":  # fmt: skip
    """Start a service of ours, which runs until its standard input, a pipe, says so or is closed. Raises
    OSError.

    It has a session of its own: Ctrl-C reaches only the process that started it, which then ends it. pass_fds:
    descriptors that it inherits (POSIX).
    """
    return subprocess.Popen(
        service_command(module, *arguments), stdin=subprocess.PIPE, stdout=stdout, stderr=stderr, env=child_env(),
        start_new_session=True, pass_fds=pass_fds,
    )  # fmt: skip
