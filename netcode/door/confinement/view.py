"""The files that a guest's process sees: a tree of its own with the program, read-only, and the guest's folder.

So it cannot name any other file. The program itself may be installed in somebody's private home folder."""

import ctypes
import os
import sys
import sysconfig
from collections.abc import Iterable

from netcode.door.confinement.kernel import AT_FDCWD, call, syscall
from netcode.processes.start import root_folder

SYSTEM = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store", "/usr/share/terminfo",
    "/usr/share/zoneinfo", "/etc/terminfo", "/etc/localtime", "/etc/ld.so.cache", "/dev/null", "/dev/urandom",
)  # fmt: skip
"""What Python and its libraries read while they run. Paths that do not exist here are left out."""
OUR_PACKAGES = ("core", "cards", "netcode", "tui")
WRITTEN_DEVICES = ("/dev/null",)
_PLACE = "/proc"
"""The folder in which the tree is built. No file that a guest sees lies there."""
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_PROGRAMS = 1, 2, 4, 8
"""MOUNT_ATTR_..."""
_MS_BIND, _MS_REC, _MS_PRIVATE, _MNT_DETACH = 0x1000, 0x4000, 0x40000, 2
_AT_RECURSIVE = 0x8000
_MOUNT_SETATTR = 442
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "namespace")]


def program_files() -> list[str]:
    """Return the paths of everything that a client reads: this Python, its packages, ours, and those of the system.

    Other folders in which Python looks for modules are left out: one of them may be somebody's home."""
    root = root_folder()
    python = [sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    packages = [one for one in sys.path if os.path.basename(one) in ("site-packages", "dist-packages")]
    ours = [os.path.join(root, name) for name in OUR_PACKAGES]
    wanted = {*python, *packages, *ours, os.path.join(sys.base_prefix, "lib"), *SYSTEM}
    return _outermost(os.path.abspath(one) for one in wanted if os.path.exists(one))


def enter(files: Iterable[str], folder: str) -> None:
    """From now on, show this process only these files (read-only) and this folder. The process needs a mount namespace
    of its own and the right to mount. Raises OSError."""
    call("mount", b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
    call("mount", b"tmpfs", _PLACE.encode(), b"tmpfs", 0, b"size=256k,nr_inodes=1024,mode=755")
    mask = os.umask(0o022)  # every user may pass the folders above each path
    for path in files:
        devices = 0 if path.startswith("/dev/") else _NO_DEVICES
        _show(path, _READ_ONLY | _NO_SUID | devices)
    _show(folder, _NO_SUID | _NO_DEVICES | _NO_PROGRAMS)
    os.umask(mask)
    os.chdir(_PLACE)
    syscall(_PIVOT_ROOT[os.uname().machine], b".", b".")
    call("umount2", b".", _MNT_DETACH)
    os.chdir("/")
    _set_attributes("/", _READ_ONLY | _NO_SUID | _NO_DEVICES, 0)
    os.chdir(folder)


def _show(path: str, attributes: int) -> None:
    target = _PLACE + path
    if os.path.isdir(path):
        os.makedirs(target, 0o755, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    call("mount", os.fsencode(path), os.fsencode(target), None, _MS_BIND | _MS_REC, None)
    _set_attributes(target, attributes, _AT_RECURSIVE)


def _set_attributes(path: str, attributes: int, how: int) -> None:
    wanted = _Attributes(attributes, 0, 0, 0)
    syscall(_MOUNT_SETATTR, AT_FDCWD, os.fsencode(path), how, wanted, ctypes.sizeof(wanted))


def _outermost(paths: Iterable[str]) -> list[str]:
    """Return those of these paths that lie in none of the others, in order."""
    found: list[str] = []
    for path in sorted(set(paths)):
        if not found or not path.startswith(found[-1] + os.sep):
            found.append(path)
    return found
