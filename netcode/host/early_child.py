"""The process that a command will need: started before anything else is loaded, so that both load at the same time.

It waits for its configuration meanwhile. A command that turns out not to need it drops it. This module is imported
first of all, so it imports little.
"""

import subprocess
from collections.abc import Sequence
from contextlib import suppress

from netcode.front.link import Link, is_available, make_link
from netcode.sandbox.python import start_service

HOST, PRIVATE_HOST = "netcode.host.supervised_host", "netcode.host.main"
"""The modules that serve for `kickdoor host` and `kickdoor play`."""
WITHOUT = {"-h", "--help", "--no-front", "--no-journal", "--no-restart", "--repair", "--resume"}
"""Options with which `host` and `play` need no child, or another one."""


class EarlyChild:
    """A process that waits for its configuration. link: what it has inherited, if it is to serve behind a front."""

    def __init__(self, process: "subprocess.Popen[bytes]", link: Link | None = None) -> None:
        self._process: subprocess.Popen[bytes] | None = process
        self._link = link

    def take(self) -> "subprocess.Popen[bytes] | None":
        """Return the process, which is the caller's from now on; None if it was taken before."""
        process, self._process = self._process, None
        return process

    def take_link(self) -> Link | None:
        """Return both ends of the link, which are the caller's from now on."""
        link, self._link = self._link, None
        return link

    def drop(self) -> None:
        """End what nobody has taken."""
        if (process := self.take()) is not None:
            process.kill()
            process.communicate()
        for end in self.take_link() or ():
            end.close()


def start_early(arguments: Sequence[str]) -> EarlyChild | None:
    """Start what the command of these arguments will need. None: it needs nothing, or the system refuses now, which
    whoever needs it will be told."""
    command = arguments[0] if arguments else ""
    if WITHOUT.isdisjoint(arguments):
        with suppress(OSError):
            if command == "host" and is_available():
                link = make_link()
                return EarlyChild(start_service(HOST, pass_fds=[link[1].fileno()]), link)
            if command == "play":
                return EarlyChild(start_private_host())
    return None


def start_private_host() -> "subprocess.Popen[bytes]":
    """Start the host of a solo game, which logs to a file of its own. Raises OSError."""
    from netcode.host.logs import SOLO_LOG, log_file

    with log_file(SOLO_LOG) as log:
        return start_service(PRIVATE_HOST, stderr=log)
