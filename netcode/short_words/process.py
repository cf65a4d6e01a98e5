"""The process that owns the exchanges of short words. Its argument is the inherited end of a pair of local sockets.

Each datagram there is a `Caller`, with the socket of a client that the front has accepted. The process ends when its
standard input is closed. It writes an empty line each second, and a `Tried` as JSON for each try. A wrong try is
written before the client learns that it was wrong, so that no crash makes tries free.

A client whose words another host of the club has is connected to that one, which looks at them and counts the try.
"""

import asyncio
import logging
import os
import secrets
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from netcode.reporting import log_to_stderr
from netcode.short_words import frames
from netcode.short_words.exchange import ExchangeError, HostSide
from netcode.short_words.messages import Address, Caller, Tried
from netcode.short_words.word_list import TRIES

LOG = logging.getLogger("kickdoor.short_words")
AT_ONCE = 64
"""Exchanges at the same time; further clients are told to come again. The front lets fewer through, even if each takes
as long as it may (limits.WORDS)."""
PATIENCE_S = 5.0
"""How long a client may take to prove that it knows the words (s)."""
PASSING_S, CONNECT_S = 10.0, 2.0
"""How long an exchange with another host of the club may take, and connecting to one of its addresses (s)."""
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
            if len(self._tasks) > AT_ONCE:
                last = frames.BUSY
            elif caller.elsewhere is not None:
                last = await self._pass_on(sock, caller.call, caller.elsewhere)
            else:
                async with asyncio.timeout(PATIENCE_S):
                    last = await self._exchange(sock, caller)
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

    async def _pass_on(self, sock: socket.socket, call: bytes, places: Sequence[Address]) -> bytes:
        """Let the host at one of these addresses look at the words. Return its last answer; BUSY if it has none, since
        its tables are soon at another host."""
        try:
            async with asyncio.timeout(PASSING_S):
                reader, writer = await _connected(places)
                try:
                    writer.write(frames.passed_on(call))
                    first = await _answer(reader, frames.MESSAGE)
                    if not first.startswith(frames.GO):
                        return first
                    await self._loop.sock_sendall(sock, first)
                    writer.write(await self._read(sock, frames.PROOF))
                    return await _answer(reader, frames.PROOF + frames.BOX)
                finally:
                    writer.transport.abort()
        except (OSError, EOFError, ValueError) as problem:
            LOG.debug("another host has not answered: %s", problem)
            return frames.BUSY

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


async def _connected(places: Sequence[Address]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first of these addresses that answers. Raises OSError."""
    for place in places:
        with suppress(OSError):
            async with asyncio.timeout(CONNECT_S):
                return await asyncio.open_connection(*place)
    raise OSError("nobody answers at its addresses")


async def _answer(reader: asyncio.StreamReader, size: int) -> bytes:
    """Return an answer of another host, with what follows GO. Raises OSError, EOFError, ValueError."""
    word = await reader.readexactly(1)
    if word not in frames.ANSWERS:
        raise ValueError("this is no answer of a host")
    return word + await reader.readexactly(size) if word == frames.GO else word


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
