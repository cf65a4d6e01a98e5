"""Landlock: which files this process may read and write until it ends (kernel 5.13 and later).

Later kernels can limit more. What this kernel cannot limit is left out; other means refuse it as well: a network of its
own, the seccomp filter. See landlock(7) for the numbers.
"""

import ctypes
import os
from collections.abc import Iterable

from netcode.door.confinement.kernel import syscall

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_BENEATH, _PORT = 1, 2

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _REMOVE_DIR, _REMOVE_FILE = (1 << bit for bit in range(6))
_MAKE_DIR, _MAKE_REGULAR = 1 << 7, 1 << 8
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_READ = _READ_FILE | _READ_DIR
_WRITE = _READ | _WRITE_FILE | _TRUNCATE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REGULAR | _REFER
_OF_FILES = _READ_FILE | _WRITE_FILE | _TRUNCATE
"""The rights that apply to files that are not folders."""
_CONNECT = 2
_SCOPES = 3
"""The process may not connect to abstract sockets of others, nor send them signals."""


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


class _Port(ctypes.Structure):
    _fields_ = [("allowed", ctypes.c_uint64), ("port", ctypes.c_uint64)]


def version() -> int:
    """Return the version of Landlock that this kernel has; 0 if it has none or does not use it."""
    try:
        return syscall(_CREATE_RULESET, None, 0, _VERSION)
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str], port: int) -> None:
    """Let this process read files below these paths, write below those, and connect to this TCP port. Paths that are
    not there are left out. It must have set no_new_privs. Raises OSError."""
    abi = version()
    handled = _handled_files(abi)
    ruleset = _Ruleset(handled, 3 if abi >= 4 else 0, _SCOPES if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    rules = syscall(_CREATE_RULESET, ruleset, size, 0)
    try:
        for paths, allowed in ((readable, _READ), (writable, _WRITE)):
            for path in paths:
                _allow_beneath(rules, path, allowed & handled)
        if abi >= 4:
            syscall(_ADD_RULE, rules, _PORT, _Port(_CONNECT, port), 0)
        syscall(_RESTRICT_SELF, rules, 0)
    finally:
        os.close(rules)


def _handled_files(abi: int) -> int:
    """Return the rights that this version knows: 13 in the first, one more in the second, third and fifth."""
    return (1 << 13 + (abi >= 2) + (abi >= 3) + (abi >= 5)) - 1


def _allow_beneath(rules: int, path: str, allowed: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        mask = -1 if os.path.isdir(path) else _OF_FILES
        syscall(_ADD_RULE, rules, _BENEATH, _Beneath(allowed & mask, parent), 0)
    finally:
        os.close(parent)
