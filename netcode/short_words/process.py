"""The process that owns the exchanges of short words. Its argument is the inherited end of a pair of local sockets.

Each datagram there is a `Caller`, with the socket of a client that the front has accepted. The process ends when its
standard input is closed. It writes an empty line each second, and a `Tried` as JSON for each try. A wrong try is
written before the client learns that it was wrong, so that no crash makes tries free.
"""

import asyncio
import logging
import os
import secrets
import socket
import sys
from contextlib import suppress

import msgspec

from netcode.reporting import log_to_stderr
from netcode.short_words import frames
from netcode.short_words.exchange import ExchangeError, HostSide
from netcode.short_words.messages import Caller, Tried
from netcode.short_words.word_list import TRIES

LOG = logging.getLogger("kickdoor.short_words")
AT_ONCE = 64
"""Exchanges at the same time; further clients are told to come again. The front lets fewer through, even if each takes
as long as it may (limits.WORDS)."""
PATIENCE_S = 5.0
"""How long a client may take to prove that it knows the words (s)."""
SLOT_S = 0.1
"""The host's message is sent this long after the call was taken (s), so that its time reveals nothing about the words:
the arithmetic of the library takes some 20 ms, but not always the same time."""
KEPT = 1024
"""Words whose tries are remembered here; the host remembers those of its tables as well."""
DATAGRAM_BYTES = 2048
HEARTBEAT_S = 1.0


_callers = msgspec.msgpack.Decoder(Caller)


class Exchanges:
    """All exchanges of a host. end: of the pair of sockets; tell(line): writes to the host."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._loop = asyncio.get_running_loop()
        self._wrong: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        end.setblocking(False)
        self._loop.add_reader(end, self._take)

    def tell(self, line: bytes) -> None:
        """Tell the host. A host that is gone ends this process anyway."""
        with suppress(OSError):
            os.write(1, line + b"\n")

    def _take(self) -> None:
        """Begin the exchange with one client that the host has handed over."""
        try:
            data, descriptors, _, _ = socket.recv_fds(self._end, DATAGRAM_BYTES, 1)
        except (BlockingIOError, InterruptedError):
            return
        for sock in [socket.socket(fileno=number) for number in descriptors]:
            sock.setblocking(False)
            task = self._loop.create_task(self._serve(sock, _callers.decode(data)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, sock: socket.socket, caller: Caller) -> None:
        """Answer one client, once, whatever it does."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                busy = len(self._tasks) > AT_ONCE
                last = frames.BUSY if busy else await self._exchange(sock, caller)
                await self._loop.sock_sendall(sock, last)
        except (OSError, TimeoutError, ExchangeError, ValueError) as problem:
            LOG.debug("an exchange has ended early: %s", problem)
        finally:
            sock.close()

    async def _exchange(self, sock: socket.socket, caller: Caller) -> bytes:
        """Return the last answer. Raises OSError, TimeoutError, ExchangeError, ValueError."""
        began = self._loop.time()
        side = HostSide(caller.words or secrets.token_hex(16), caller.call)
        await asyncio.sleep(began + SLOT_S - self._loop.time())
        if self._rest(caller):
            return frames.RESTING
        await self._loop.sock_sendall(sock, frames.GO + side.message)
        proof = await self._read(sock, frames.PROOF)
        if self._rest(caller):  # others have been wrong meanwhile: this one is not even looked at
            return frames.RESTING
        right = side.is_proved(proof) and caller.way is not None
        self._note(caller, right)
        return frames.GO + side.answer(caller.way) if right and caller.way is not None else frames.WRONG

    async def _read(self, sock: socket.socket, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = await self._loop.sock_recv(sock, size - len(data))
            if not more:
                raise OSError("the client has left")
            data += more
        return data

    def _rest(self, caller: Caller) -> bool:
        return max(caller.wrong, self._wrong.get(caller.words, 0)) >= TRIES

    def _note(self, caller: Caller, right: bool) -> None:
        if caller.way is None:
            return  # nobody can guess words that do not exist
        if not right:
            self._wrong[caller.words] = max(caller.wrong, self._wrong.pop(caller.words, 0)) + 1
            while len(self._wrong) > KEPT:
                del self._wrong[next(iter(self._wrong))]
        self.tell(msgspec.json.encode(Tried(caller.way.table, caller.words, right)))


def main() -> int:
    """Serve until standard input is closed. Returns the exit code."""
    log_to_stderr("kickdoor short words: %(message)s")
    with socket.socket(fileno=int(sys.argv[1])) as end:
        asyncio.run(_serve(end))
    return 0


async def _serve(end: socket.socket) -> None:
    loop, ordered_to_end = asyncio.get_running_loop(), asyncio.Event()
    exchanges = Exchanges(end)
    loop.add_reader(0, ordered_to_end.set)
    while not ordered_to_end.is_set():
        exchanges.tell(b"")
        with suppress(TimeoutError):
            async with asyncio.timeout(HEARTBEAT_S):
                await ordered_to_end.wait()
    loop.remove_reader(0)
