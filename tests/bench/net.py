"""Measure the time from an action to the last of six deltas, over loopback, with three real hosts: bare, with a
journal, and as players start it (with journal, front and supervisor). One of the six clients decodes, the others only
count. In the same run, in turn with the hosts, it measures the same fan-out of equal bytes with bare pyzmq (a ROUTER in
a process of its own, six DEALERs in this one, CURVE on both)."""

import asyncio
import itertools
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import zmq

from core.state.actions import Action
from netcode.client.client import Client
from tests.bench.figures import line, spread
from tests.bench.item_turners import advance, item_turn, start_game
from tests.bench.processes import exact_cpu_ms, family, host_process, memory_mib

SEATS = 6
ACTIONS, CHUNK = 400, 20
"""Actions with each host and with bare sockets, and how many of them before the next one's turn."""
PAUSE_S = 0.02
"""Pause between two actions, with a host and with bare sockets."""
ANSWER_MS = 5000
"""How long the host may take for one action."""
SEAT_PAUSE_S = 0.11
"""Pause between two actions of one seat: a host allows ten actions a second in the long run."""
PLAIN, JOURNAL = "action to the last of six deltas", "the same with the journal"
DEFAULT = "the same with journal, front and supervisor"
MARKS = {PLAIN: "2 times the bare one", JOURNAL: "2.6 times the bare one", DEFAULT: ""}


def main(actions: int = ACTIONS) -> None:
    """Measure three hosts, and bare sockets with frames of the same size, all in turn."""
    with ExitStack() as stack:
        folder, other = (stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(2))
        tables = [
            Table(PLAIN, "--no-front"),
            Table(JOURNAL, "--no-front", "--data", folder),
            Table(DEFAULT, "--restart", "--data", other),
        ]
        for table in tables:
            stack.enter_context(table.running())
        bare = asyncio.run(_in_turn(tables, stack, actions))
    beside = spread(bare)
    for table in tables:
        times = spread(table.times)
        line(table.name, times["p50"], "ms", MARKS[table.name],
             times_bare=round(times["p50"] / beside["p50"], 2), p99_times_bare=round(times["p99"] / beside["p99"], 2),
             **times, bytes=spread(table.sizes), host_cpu_ms=table.cpu_ms, host_rss_mib=table.rss_mib,
             start_ms=table.start_ms)  # fmt: skip
    line("bare fan-out of equal bytes", beside["p50"], "ms", "", bytes=tables[0].size, **beside)


async def _in_turn(tables: Sequence["Table"], stack: ExitStack, actions: int) -> list[float]:
    """Take the same number of actions at each table and with bare sockets; return the times of these, ms."""
    try:
        for table in tables:
            await table.begin()
            await table.measure(CHUNK)  # measures the size of a delta
            table.forget()
        bare = stack.enter_context(bare_fan_out(tables[0].size))
        times: list[float] = []
        while len(times) < actions:
            for table in tables:
                await table.measure(min(CHUNK, actions))
            times += [next(bare) for _ in range(min(CHUNK, actions))]
        return times
    finally:
        for table in tables:
            await table.close()


# ------------------------------------------------------------------------------------------------------ the real host
class Seat(Client):
    """A client that notes the size of each delta. acted: when it acted last (time.perf_counter). The clients of a table
    share a ZeroMQ context, as the bare sockets do."""

    def __init__(self, join: str, no: int, context: Any) -> None:
        super().__init__(join, f"P{no}", keep=False, context=context)
        self.acted = 0.0
        self.sizes: list[float] = []

    @property
    def socket(self) -> Any:
        """Its DEALER, to be read without the loop."""
        assert self._transport is not None
        return self._transport._sock

    def read(self, frames: Sequence[bytes]) -> None:
        """Take in frames that were received without the loop, and let the loop receive again."""
        for frame in frames:
            self._received(frame)
        assert self._transport is not None
        self._transport._reader.again()

    def _received(self, frame: bytes) -> None:
        if is_delta(frame):
            self.sizes.append(float(len(frame)))
        super()._received(frame)


def is_delta(frame: bytes) -> bool:
    """Return whether a wire frame is a delta, without reading it."""
    return b"\xa5delta" in frame[:10]


def seats_of(join: str) -> list[Seat]:
    """Return the clients of a table of six."""
    context: Any = zmq.Context()
    return [Seat(join, no, context) for no in range(SEATS)]


class Table:
    """A separate host with a table of six, and its clients. times: of each action, ms."""

    def __init__(self, name: str, *options: str) -> None:
        self.name, self._options = name, options
        self.times: list[float] = []
        self._seats: list[Seat] = []
        self._cpu_ms = self.start_ms = self.rss_mib = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Start the host."""
        began = time.perf_counter()
        with host_process(*self._options, seats=SEATS) as (host, strings):
            self.start_ms = round((time.perf_counter() - began) * 1000)
            self._pids, self._join = family(host.pid), strings["join"]
            yield

    async def begin(self) -> None:
        """Seat the clients, and begin the game."""
        self._seats = seats_of(self._join)
        await start_game(self._seats)
        for seat in self._seats:
            seat.sizes.clear()

    async def measure(self, actions: int) -> None:
        """Take this many actions that all clients see."""
        for _ in range(actions):
            actor, action = await next_action(self._seats, len(self.times))
            before = self._spent_ms()
            self.times.append(timed(self._seats, actor, action))
            await asyncio.sleep(PAUSE_S)  # the host still works after the last message
            self._cpu_ms += self._spent_ms() - before
        self.rss_mib = round(sum(map(memory_mib, self._pids)), 1)

    def _spent_ms(self) -> float:
        return sum(map(exact_cpu_ms, self._pids))

    @property
    def sizes(self) -> list[float]:
        """The bytes of each delta."""
        return [size for seat in self._seats for size in seat.sizes]

    @property
    def size(self) -> int:
        """The bytes of a delta, on average."""
        return round(sum(self.sizes) / len(self.sizes))

    @property
    def cpu_ms(self) -> float:
        """The CPU that all processes of the host take for an action."""
        return round(self._cpu_ms / len(self.times), 3)

    def forget(self) -> None:
        """Begin to count anew."""
        self.times.clear()
        self._cpu_ms = 0.0

    async def close(self) -> None:
        """Let the clients leave."""
        for seat in self._seats:
            await seat.close()


async def one_action(seats: Sequence[Seat], number: int) -> float:
    """Take one action that all clients see; return the milliseconds until the last of them has the delta."""
    return timed(seats, *await next_action(seats, number))


async def next_action(seats: Sequence[Seat], number: int) -> tuple[Seat, Action]:
    """Wait until a player may turn an Item again; return the client and the action."""
    while True:
        for offset in range(len(seats)):
            seat = seats[(number + offset) % len(seats)]
            action = item_turn(seat)
            if action is not None:
                await asyncio.sleep(max(PAUSE_S, seat.acted + SEAT_PAUSE_S - time.perf_counter()))
                return seat, action
        await advance(seats)


def timed(seats: Sequence[Seat], actor: Seat, action: Action) -> float:
    """Take this action; return the milliseconds until the last of them has the delta. The sockets are read like bare
    ones, and only the actor reads its delta at once."""
    kept: dict[Seat, list[bytes]] = {seat: [] for seat in seats}
    waiting, by_socket, poller = set(seats), {seat.socket: seat for seat in seats}, zmq.Poller()
    for socket in by_socket:
        poller.register(socket, zmq.POLLIN)
    began = actor.acted = time.perf_counter()
    actor.act(action)
    while waiting:
        ready = poller.poll(ANSWER_MS)
        assert ready, "the host does not answer"
        for socket, _ in ready:
            seat, frame = by_socket[socket], socket.recv()
            if seat is actor:
                seat.read([frame])
            else:
                kept[seat].append(frame)
            if is_delta(frame):
                waiting.discard(seat)
    took = (time.perf_counter() - began) * 1000
    for seat, frames in kept.items():
        seat.read(frames)
    return took


# -------------------------------------------------------------------------------------------------------- bare sockets
_SERVER = """
import sys, zmq
size, seats = int(sys.argv[1]), int(sys.argv[2])
sock = zmq.Context().socket(zmq.ROUTER)
public, secret = zmq.curve_keypair()
sock.curve_server, sock.curve_publickey, sock.curve_secretkey = True, public, secret
port = sock.bind_to_random_port("tcp://127.0.0.1")
print(port, public.decode(), flush=True)
payload, peers = bytes(size), []
while len(peers) < seats:
    peers.append(sock.recv_multipart()[0])
print("all here", flush=True)
while True:
    sock.recv_multipart()
    for peer in peers:
        sock.send_multipart([peer, payload])
"""


@contextmanager
def bare_fan_out(size: int) -> Iterator[Iterator[float]]:
    """Yield an iterator: each step sends a message of 60 bytes, and gives the milliseconds until the last of six
    answers of this size is there."""
    server = subprocess.Popen([sys.executable, "-c", _SERVER, str(size), str(SEATS)], stdout=subprocess.PIPE)
    context: Any = zmq.Context()
    try:
        assert server.stdout is not None
        port, key = server.stdout.readline().split()
        socks = [_dealer(context, int(port), key) for _ in range(SEATS)]
        for sock in socks:
            sock.send(b"hello")
        assert server.stdout.readline() == b"all here\n"
        yield (_round(socks, number) for number in itertools.count())
    finally:
        server.kill()
        server.communicate()
        context.destroy(linger=0)


def _dealer(context: Any, port: int, key: bytes) -> Any:
    sock = context.socket(zmq.DEALER)
    sock.curve_serverkey = key
    sock.curve_publickey, sock.curve_secretkey = zmq.curve_keypair()
    sock.connect(f"tcp://127.0.0.1:{port}")
    return sock


def _round(socks: list[Any], number: int) -> float:
    time.sleep(PAUSE_S)
    began = time.perf_counter()
    socks[number % len(socks)].send(bytes(60))
    waiting = {sock.FD: sock for sock in socks}
    poller = zmq.Poller()
    for sock in socks:
        poller.register(sock, zmq.POLLIN)
    while waiting:
        for sock, _ in poller.poll():
            sock.recv()
            poller.unregister(sock)
            waiting.pop(sock.FD)
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
