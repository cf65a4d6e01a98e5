"""The process that a command will need: started before anything else is loaded, so that both load at the same time.

It waits for its configuration meanwhile. A command that turns out not to need it drops it. On Linux it is a copy of
this process as soon as that has loaded what both need. This module is imported first of all, so it imports little.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from netcode.processes.service import loading

if TYPE_CHECKING:
    import subprocess

    from netcode.front.link import Link
    from netcode.processes.forked import Service

HOST, PRIVATE_HOST = "netcode.host.supervised_host", "netcode.host.main"
"""The modules that serve for `kickdoor host` and `kickdoor play`."""
WITHOUT = {"-h", "--help", "--no-front", "--no-journal", "--no-restart", "--repair", "--resume"}
"""Options with which `host` and `play` need no child, or another one."""


class EarlyChild:
    """A process that waits for its configuration. link: what it has inherited, if it is to serve behind a front."""

    def __init__(self, process: "Service", link: "Link | None" = None) -> None:
        self._process: Service | None = process
        self._link = link

    def take(self) -> "Service | None":
        """Return the process, which is the caller's from now on; None if it was taken before."""
        process, self._process = self._process, None
        return process

    def take_link(self) -> "Link | None":
        """Return both ends of the link, which are the caller's from now on."""
        link, self._link = self._link, None
        return link

    def drop(self) -> None:
        """End what nobody has taken."""
        if (process := self.take()) is not None:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
            process.wait()
        for end in self.take_link() or ():
            end.close()


def start_early(arguments: Sequence[str]) -> EarlyChild | None:
    """Start what the command of these arguments will need. None: it needs nothing, or the system refuses now, which
    whoever needs it will be told."""
    command = arguments[0] if arguments else ""
    if command not in ("host", "play") or not WITHOUT.isdisjoint(arguments):
        return None
    with loading():  # what this process needs too, and the front
        import asyncio  # noqa: F401

        import netcode.host.config  # noqa: F401
        from netcode.front.link import is_available, make_link
        from netcode.host.logs import SOLO_LOG, log_file
    with suppress(OSError):
        if command == "play":
            with log_file(SOLO_LOG) as log:
                return EarlyChild(_start(PRIVATE_HOST, stderr=log))
        if is_available():
            link = make_link()
            return EarlyChild(_start(HOST, pass_fds=[link[1].fileno()]), link)
    return None


def _start(module: str, stderr: IO[bytes] | None = None, pass_fds: Sequence[int] = ()) -> "Service":
    """Start a service, as a copy of this process if that is possible. Raises OSError."""
    from netcode.processes.forked import can_fork, fork_service
    from netcode.processes.start import start_service

    if can_fork():
        return fork_service(module, stderr=stderr, pass_fds=pass_fds)
    return start_service(module, stderr=stderr, pass_fds=pass_fds)


def start_private_host() -> "subprocess.Popen[bytes]":
    """Start the host of a solo game, which logs to a file of its own. Raises OSError."""
    from netcode.host.logs import SOLO_LOG, log_file
    from netcode.processes.start import start_service

    with log_file(SOLO_LOG) as log:
        return start_service(PRIVATE_HOST, stderr=log)
