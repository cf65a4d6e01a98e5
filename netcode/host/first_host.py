"""The first host process of a supervisor: it loads its modules while the supervisor still loads its own.

Loading takes most of the time until a host prints its strings, and a second core is usually idle meanwhile. The process
waits for its configuration, which the supervisor sends once it has checked the options. This module imports little, so
that the process starts early.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from netcode.front.channel import Channel, is_available, make_channel
from netcode.processes.start import start_service
from netcode.processes.streams import open_standard_streams

HOST = "netcode.host.supervised_host"


def start_host(channel: int | None) -> "subprocess.Popen[bytes]":
    """Start a host process, which waits for its configuration. channel: the descriptor of its end of the channel to a
    front, None without one. Raises OSError."""
    return start_service(HOST, pass_fds=() if channel is None else (channel,))


class FirstHost:
    """A host process that nobody has configured yet. channel: the one it inherits, None without a front."""

    def __init__(self, front: bool) -> None:
        """front: whether a front is wanted. Raises OSError."""
        self.channel: Channel | None = make_channel() if front and is_available() else None
        self._process: subprocess.Popen[bytes] | None = start_host(
            self.channel[1].fileno() if self.channel is not None else None
        )

    def take(self) -> "subprocess.Popen[bytes] | None":
        """Return the process, which then belongs to the caller; None if it was taken before."""
        process, self._process = self._process, None
        return process

    def close(self) -> None:
        """End the process if nobody took it. It has done nothing but load."""
        process = self.take()
        if process is not None:
            process.kill()
            process.communicate()


@contextmanager
def first_host(front: bool) -> Iterator[FirstHost | None]:
    """Start a host process and end it in the end, if nobody took it; yield None if the system cannot start it now."""
    open_standard_streams()
    try:
        first = FirstHost(front)
    except OSError:
        yield None  # the supervisor tries it again, and reports it
        return
    try:
        yield first
    finally:
        first.close()
