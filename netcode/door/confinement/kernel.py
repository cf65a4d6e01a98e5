"""Calls of the Linux kernel that Python has no functions for."""

import ctypes
import os
import sys

AT_FDCWD = -100
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None

Argument = int | bytes | ctypes.Array[ctypes.c_char] | ctypes.Structure | None


class Refused(OSError):
    """The kernel refused one step of the confinement. The text is one sentence that names the step."""


def call(name: str, *arguments: Argument) -> int:
    """Call a function of the C library that returns -1 on an error. Raises OSError."""
    if _LIBC is None:
        raise OSError("this system is not Linux")
    result: int = getattr(_LIBC, name)(*map(_passed, arguments))
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def syscall(number: int, *arguments: Argument) -> int:
    """Make a system call by its number. Raises OSError."""
    return call("syscall", number, *arguments)


def prctl(option: int, value: int, more: Argument = 0) -> int:
    """Make the system call prctl. Raises OSError."""
    return call("prctl", option, value, more, 0, 0)


def _passed(argument: Argument) -> object:
    """Return an argument as ctypes takes it: numbers have the size of a register."""
    if isinstance(argument, int):
        return ctypes.c_long(argument)
    return ctypes.byref(argument) if isinstance(argument, ctypes.Structure) else argument
