"""Start a Python process of ours: the same program as this one, whatever folder the user is in."""

import os
import sys
from pathlib import Path


def child_command(module: str) -> list[str]:
    """Return the command that runs a module of ours; use it with `child_env`.

    -P: the folder the user is in is not searched for modules, because a downloaded folder of cards must not run as
    code.
    """
    return [sys.executable, "-P", "-m", module]


def child_env() -> dict[str, str]:
    """Return the environment in which a child process finds the same modules as this one."""
    root = str(Path(__file__).resolve().parents[2])
    path = os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{path}" if path else root}
