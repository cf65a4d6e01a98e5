"""The processes of a running `kickdoor host`, found by their open files and sockets, and the moment at which one
ends."""

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

LISTENING = "0A"
"""The state of a listening socket in /proc/net/tcp."""


def descendants(pid: int) -> Iterator[int]:
    """Iterate over the children of a process, their children, and so on."""
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(child) for child in listed.read_text().split()]
        except OSError:
            continue  # the process has just ended
        for child in children:
            yield child
            yield from descendants(child)


def open_files(pid: int) -> set[str]:
    """Return the open files and sockets of a process, as /proc names them; none if it has ended."""
    found = set()
    try:
        for entry in os.scandir(f"/proc/{pid}/fd"):
            found.add(os.readlink(entry.path))
    except OSError:
        pass
    return found


def listeners() -> dict[str, int]:
    """Return the port of every listening TCP socket, by its name in /proc/PID/fd."""
    found = {}
    for name in ("tcp", "tcp6"):
        with open(f"/proc/net/{name}") as lines:
            next(lines)
            for fields in map(str.split, lines):
                if fields[3] != LISTENING:
                    break  # the system names those that listen first; ten thousand others may follow
                found[f"socket:[{fields[9]}]"] = int(fields[1].rpartition(":")[2], 16)
    return found


class HostProcesses:
    """The processes below a supervisor. port: where the players connect."""

    def __init__(self, supervisor: int, port: int) -> None:
        self.supervisor, self.port = supervisor, port

    def host(self) -> int:
        """Return the process that has the journal open, 0 if there is none."""
        for pid in descendants(self.supervisor):
            if any(name.endswith(".sqlite") for name in open_files(pid)):
                return pid
        return 0

    def listen(self, pid: int) -> bool:
        """Return whether a process listens at any port."""
        return bool(open_files(pid) & listeners().keys())

    def front(self) -> int:
        """Return the process other than the host that listens at the port of the players, 0 if there is none."""
        sockets = {name for name, port in listeners().items() if port == self.port}
        for pid in descendants(self.supervisor):
            files = open_files(pid)
            if files & sockets and not any(name.endswith(".sqlite") for name in files):
                return pid
        return 0


async def end_of(pid: int) -> float:
    """Wait until a process has ended; return when (s of time.perf_counter)."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return time.perf_counter()
    try:
        loop.add_reader(descriptor, ended.set_result, None)
        await ended
        return time.perf_counter()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
