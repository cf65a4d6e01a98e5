"""The seccomp filter of a guest's process: the kernel asks this small program about each system call.

The library that builds such filters (libseccomp) is not there on every system, and needs its Python binding; the
program here is a list of comparisons (see seccomp(2) and bpf(4)).
"""

import ctypes
import errno
import os
import platform
import socket
import struct
from dataclasses import dataclass

from netcode.door.confinement.kernel import prctl
from netcode.door.confinement.system_calls import DENIED, EXAMINED, IGNORED, MACHINES, NEWEST

_LOAD, _EQUAL, _ABOVE, _AND, _SKIP, _RETURN = 0x20, 0x15, 0x25, 0x54, 0x05, 0x06
"""Instructions of BPF; all but the first work on what was loaded last."""
_NUMBER_AT, _MACHINE_AT, _ARGUMENTS_AT = 0, 4, 16
"""The offsets of what the kernel asks about (struct seccomp_data)."""
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_SET_SECCOMP, _GET_SECCOMP, _FILTER = 22, 21, 2
_ALL_BITS = 0xFFFFFFFF

_NEW_NAMESPACES, _CLONE_THREAD = 0x7E020080, 0x10000
_SHARED_AND_ANONYMOUS = 0x21
_TERMINAL_CALLS = (0x5412, 0x541C, 0x541D, 0x5423, 0x8901, 0x8902)
"""TIOCSTI, TIOCLINUX, TIOCCONS, TIOCSETD, FIOSETOWN, SIOCSPGRP."""
_SIGNAL_OWNER = (8, 10, 15)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX: files that send signals to other processes."""
_KEPT_SETTINGS = (1, 4, 28, 0x59616D61)
"""PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECUREBITS, PR_SET_PTRACER."""

Instruction = tuple[int, int, int, int]
"""Its code; how many instructions to skip if the comparison holds; how many if it does not; its operand."""


@dataclass(frozen=True)
class Condition:
    """Compares the lower half of an argument of a call: it must be one of `values`, or none of them (if not `allowed`).
    bits: the bits that are compared."""

    argument: int
    values: tuple[int, ...]
    allowed: bool = True
    bits: int = _ALL_BITS

    def program(self) -> list[Instruction]:
        """Return instructions that refuse the call unless the condition holds."""
        most = len(self.values)
        compared = [(_EQUAL, most - at, 0, value & _ALL_BITS) for at, value in enumerate(self.values)]
        return [
            (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * self.argument), (_AND, 0, 0, self.bits), *compared,
            *([] if self.allowed else [(_SKIP, 0, 0, 1)]), (_RETURN, 0, 0, _ERROR | errno.EPERM),
        ]  # fmt: skip


def conditions(pid: int) -> dict[str, list[Condition]]:
    """Return the conditions for each call of EXAMINED (clone3 has none), for the process with this id."""
    return {
        "clone": [Condition(0, (_CLONE_THREAD,), bits=_CLONE_THREAD | _NEW_NAMESPACES)],
        "socket": [
            Condition(0, (socket.AF_INET, socket.AF_INET6)), Condition(1, (socket.SOCK_STREAM,), bits=0xF),
            Condition(2, (0, socket.IPPROTO_TCP)),
        ],
        "socketpair": [Condition(0, (socket.AF_UNIX,))],
        "ioctl": [Condition(1, _TERMINAL_CALLS, allowed=False)],
        "kill": [Condition(0, (pid,))],
        "tgkill": [Condition(0, (pid,))],
        "prlimit64": [Condition(0, (0, pid))],
        "prctl": [Condition(0, _KEPT_SETTINGS, allowed=False)],
        "fcntl": [Condition(1, _SIGNAL_OWNER, allowed=False)],
        "mmap": [Condition(3, (_SHARED_AND_ANONYMOUS,), allowed=False, bits=_SHARED_AND_ANONYMOUS)],
    }  # fmt: skip


def program(machine: str, pid: int) -> list[Instruction]:
    """Return the filter for the process with this id on this machine (a key of MACHINES)."""
    place, name = MACHINES[machine]
    found: list[Instruction] = [
        (_LOAD, 0, 0, _MACHINE_AT), (_EQUAL, 1, 0, name), (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT), (_ABOVE, 0, 1, NEWEST), (_RETURN, 0, 0, _ERROR | errno.ENOSYS),
        (_EQUAL, 0, 1, EXAMINED["clone3"][place] or 0), (_RETURN, 0, 0, _ERROR | errno.ENOSYS),
    ]  # fmt: skip
    for calls, error in ((DENIED, errno.EPERM), (IGNORED, 0)):
        for numbers in calls.values():
            if (number := numbers[place]) is not None:
                found += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | error)]
    for call, wanted in conditions(pid).items():
        body = [instruction for one in wanted for instruction in one.program()]
        found += [(_EQUAL, 0, len(body) + 1, EXAMINED[call][place] or 0), *body, (_RETURN, 0, 0, _ALLOW)]
    return [*found, (_RETURN, 0, 0, _ALLOW)]


def missing() -> str:
    """Return why there can be no filter, as one sentence; nothing if there can be one."""
    if platform.machine() not in MACHINES:
        return f"there is no table of system calls for this machine ({platform.machine()})"
    try:
        prctl(_GET_SECCOMP, 0)
    except OSError as problem:
        return f"the kernel has no filter for system calls, seccomp ({problem.strerror})"
    return ""


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def restrict() -> None:
    """Let this process make only the calls that a client needs. It must have set no_new_privs. Raises OSError."""
    if why := missing():
        raise OSError(errno.ENOSYS, why)
    instructions = program(platform.machine(), os.getpid())
    packed = b"".join(struct.pack("=HBBI", *one) for one in instructions)
    kept = ctypes.create_string_buffer(packed, len(packed))
    prctl(_SET_SECCOMP, _FILTER, _Program(len(instructions), ctypes.addressof(kept)))
