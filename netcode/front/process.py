"""The process of the front. Its arguments, LISTENER, CHANNEL and perhaps GUESTS, are inherited descriptors.

It reads its settings from the first line of standard input, and ends in order when that is closed. Once a second it
writes an empty line to standard output, so that its parent sees that its loop runs.
"""

import asyncio
import json
import logging
import os
import signal
import socket
import sys

from netcode.front.front import Front
from netcode.front.settings import Settings, from_json

LOG = logging.getLogger("kickdoor.front")
OPEN_FILES = 4096
"""How many files and sockets the process may have open, if the system lets it."""
OWN_FILES = 96
"""Descriptors that are kept for other things than clients."""
HEARTBEAT_S = 1.0
"""How often the front shows that it runs."""
PATIENCE_S = 1.0
"""How long a front that ends waits for the host to close its connections."""


def main() -> int:
    """Relay until standard input is closed. Returns the exit code."""
    logging.basicConfig(level=logging.WARNING, format="kickdoor front: %(message)s", stream=sys.stderr)
    settings = from_json(sys.stdin.buffer.readline())
    listener, channel, *guests = (socket.socket(fileno=int(number)) for number in sys.argv[1:4])
    try:
        asyncio.run(_relay(settings, listener, channel, guests[0] if guests else None))
    except KeyboardInterrupt:
        LOG.info("interrupted")
    return 0


async def _relay(
    settings: Settings, listener: socket.socket, channel: socket.socket, guests: socket.socket | None
) -> None:
    loop = asyncio.get_running_loop()
    front, ordered_to_end = Front(settings, channel, *_room(), guests=guests), asyncio.Event()
    listener.setblocking(False)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ordered_to_end.set)
    loop.add_signal_handler(signal.SIGUSR1, lambda: LOG.warning("%s", json.dumps(front.figures())))
    loop.add_reader(0, ordered_to_end.set)
    await front.open(listener)
    os.set_blocking(1, False)
    _heartbeat(loop)
    await ordered_to_end.wait()
    loop.remove_reader(0)
    await front.close(PATIENCE_S)


def _heartbeat(loop: asyncio.AbstractEventLoop) -> None:
    """Show that the loop runs, and reschedule."""
    loop.call_later(HEARTBEAT_S, _heartbeat, loop)
    try:
        os.write(1, b"\n")
    except BlockingIOError:
        LOG.debug("nobody has read the heartbeats for hours")
    except OSError as problem:
        LOG.debug("the parent is gone: %s", problem)  # standard input says so too


def _room() -> tuple[int, int]:
    """Allow many connections. Return how many clients there may be, which take two descriptors each, and how many
    connections at the door, which take one each. The door gets a quarter of the descriptors."""
    import resource  # POSIX only

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    files = OPEN_FILES if soft == resource.RLIM_INFINITY else min(soft, OPEN_FILES)
    door = max(1, (files - OWN_FILES) // 4)
    return max(1, (files - OWN_FILES - door) // 2), door
