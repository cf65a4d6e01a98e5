"""Confine this process: what is left is its terminal, its folder, and the way to its host.

The order matters: what needs rights comes before they are given up, and what opens files before files are closed. If
a step fails, the process must end before it reads a byte of its guest; `Refused` says so in one sentence."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socket import socket

from netcode.door.confinement import landlock, limits, namespaces, seccomp, view
from netcode.door.confinement.kernel import Refused, prctl

_SET_PDEATHSIG, _SET_NO_NEW_PRIVS = 1, 38


def confine(folder: str, parent: int, hand_out: Callable[[socket], None]) -> None:
    """Confine this process, which has one thread, until it ends.

    folder: an absolute path, the only folder that it may write to. parent: the process with which it ends. hand_out:
    called with the listening socket to which this process connects when it calls its host (at namespaces.PORT). Raises
    Refused."""
    with _step("its files"):
        files, user = view.program_files(), namespaces.own_user()
    with _step("its share of the machine"):
        limits.step_back()
    with _step("namespaces"):
        namespaces.separate()
    with _step("a network of its own"), namespaces.host_socket() as heard:
        hand_out(heard)
    with _step("its folder"):
        if user is not None:
            namespaces.give(folder, user)
    with _step("limits"):
        limits.limit(alone=True)
    with _step("a view of its own"):
        view.enter(files, folder)
    with _step("a user without rights"):
        namespaces.become(user)
    with _step("an end with its parent"):
        end_with(parent)
    with _step("no new rights"):
        forbid_new_rights()
    with _step("Landlock"):
        if not landlock.version():
            raise OSError("the kernel does not have it")
        landlock.restrict([*files, *view.SYSTEM], [folder, *view.WRITTEN_DEVICES], namespaces.PORT)
    with _step("a filter of system calls"):
        seccomp.restrict()


def restrain(folder: str, parent: int, hand_out: Callable[[socket], None]) -> int:
    """Take only the steps that work everywhere and harm nothing: set limits, forbid new rights, end with the parent.

    Return the port of 127.0.0.1 at which the process calls its host: everybody on the machine can reach it. Raises
    Refused."""
    with _step("a socket"), namespaces.listening("127.0.0.1", 0) as heard:
        port: int = heard.getsockname()[1]
        hand_out(heard)
    with _step("limits"):
        limits.step_back()
        limits.limit(alone=False)
    with _step("an end with its parent"):
        end_with(parent)
    with _step("no new rights"):
        forbid_new_rights()
    os.chdir(folder)
    return port


def end_with(parent: int) -> None:
    """Let the kernel kill this process when its parent ends. Call this after a change of user, which undoes it. Raises
    OSError."""
    prctl(_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise OSError("its parent has ended")


def forbid_new_rights() -> None:
    """Let no program that this process may run have more rights than it. Raises OSError."""
    prctl(_SET_NO_NEW_PRIVS, 1)


@contextmanager
def _step(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise Refused(f"the process of a guest cannot be confined ({name}): {problem.strerror or problem}") from None
