"""The process of the announcer. It reads what to announce from the first line of standard input and from each line
after it, and ends when that is closed; the network is told that the host has gone.

Once a second it writes an empty line to standard output, so that its parent sees that its loop runs.
"""

import asyncio
import logging
import os
import signal
import sys

import msgspec

from netcode.announcer.announcer import Announcer, Order
from netcode.reporting import log_faults_of_loop, log_to_stderr

LOG = logging.getLogger("kickdoor.announcer")
HEARTBEAT_S = 1.0
NICENESS = 5
"""How much less the system favours this process: a flood of packets must not take the host's processor."""
MEMORY_BYTES = 192 * 1024 * 1024
"""Data that the process may have (Linux). It has 30 MB; the records of others are bounded by zeroconf."""
LINE_BYTES = 4096


def main() -> int:
    """Announce until standard input is closed. Returns the exit code."""
    log_to_stderr("kickdoor host: %(message)s")
    first = sys.stdin.buffer.readline(LINE_BYTES)
    if not first:
        return 0  # its parent is gone
    _limit_process()
    asyncio.run(_announce(msgspec.json.decode(first, type=Order)))
    return 0


async def _announce(order: Order) -> None:
    loop = asyncio.get_running_loop()
    log_faults_of_loop(loop)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)  # the host says when: by closing standard input
    announcer = Announcer(order)
    orders = asyncio.StreamReader(LINE_BYTES)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    _heartbeat(loop)
    work = asyncio.create_task(announcer.run())
    work.add_done_callback(lambda _: orders.feed_eof())  # after an internal error: the host starts another process
    while line := await orders.readline():
        announcer.change(msgspec.json.decode(line, type=Order))
    announcer.stop()
    await work


def _heartbeat(loop: asyncio.AbstractEventLoop) -> None:
    """Show that the loop runs, and reschedule."""
    loop.call_later(HEARTBEAT_S, _heartbeat, loop)
    try:
        os.write(1, b"\n")
    except OSError as problem:
        LOG.debug("the parent is gone: %s", problem)  # standard input says so too


def _limit_process() -> None:
    """Let everything else run first, and limit the memory."""
    if sys.platform == "win32":
        return
    import resource  # POSIX only

    os.nice(NICENESS)
    if sys.platform == "linux":
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MEMORY_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
