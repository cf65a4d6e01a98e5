"""Runs a Python of ours as a user without rights, where the tests run as root."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from netcode.door.confinement.kernel import call
from netcode.processes.start import child_env

NOBODY = 65534
_NEW_USER, _NEW_MOUNTS, _BIND, _RECURSIVE, _PRIVATE = 0x10000000, 0x20000, 0x1000, 0x4000, 0x40000


def run_as(user: int | None, module: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a module as this user (None: as the user of the tests). Python may be in a folder that is closed to this
    user: mounts of the new process open a way to it."""
    return _run(None if user is None else lambda: _become(user), module, *arguments)


def within_no_user_namespaces(module: str) -> "subprocess.CompletedProcess[str]":
    """Run a module where no user namespace can be made."""
    return _run(_forbid_user_namespaces, module)


def _run(before: Callable[[], None] | None, module: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False, env=child_env(),
        timeout=120, preexec_fn=before, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def _forbid_user_namespaces() -> None:
    user = os.geteuid()
    call("unshare", _NEW_USER)
    for name, line in (("self/uid_map", f"{user} {user} 1"), ("sys/user/max_user_namespaces", "0")):
        Path("/proc", name).write_text(line)


def _become(user: int) -> None:
    call("unshare", _NEW_MOUNTS)
    call("mount", b"none", b"/", None, _RECURSIVE | _PRIVATE, None)
    _open_way([Path(one) for one in {sys.base_prefix, sys.prefix, *sys.path} if os.path.isdir(one)])
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _open_way(paths: list[Path]) -> None:
    """Let everybody reach these folders: put them into an empty folder in place of their first closed parent."""
    closed = {path: parent for path in paths if (parent := _closed_parent(path)) is not None}
    held = {path: os.open(path, os.O_PATH) for path in closed}
    for parent in set(closed.values()):
        call("mount", b"none", bytes(parent), b"tmpfs", 0, b"mode=755")
    for path in sorted(held):
        path.mkdir(parents=True, exist_ok=True)
        call("mount", f"/proc/self/fd/{held[path]}".encode(), bytes(path), None, _BIND | _RECURSIVE, None)
        os.close(held[path])


def _closed_parent(path: Path) -> Path | None:
    return next((one for one in reversed(path.parents) if not one.stat().st_mode & stat.S_IXOTH), None)
