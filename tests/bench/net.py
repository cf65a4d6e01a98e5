"""From an action to the last of six views over loopback, with the real host. Beside it, taken in the same run: the same
fan-out of equal bytes with bare pyzmq (a ROUTER in a process of its own, six DEALERs in this one, CURVE on both)."""

import asyncio
import subprocess
import sys
import tempfile
import time
from typing import Any

import zmq

from core.state.actions import Action
from netcode.client.client import Client
from netcode.client.state_machine import Message
from netcode.protocol import codec, wire
from tests.bench.figures import line, spread
from tests.bench.item_turners import advance, item_turn, start_game
from tests.bench.processes import cpu_s, host_process, memory_mib

SEATS = 6
ACTIONS = 200
PAUSE_S = 0.02
"""Between two actions, with the host and with bare sockets."""
SEAT_PAUSE_S = 0.11
"""Between two actions of one seat: a host lets nobody act more than ten times a second for long."""


def main(actions: int = ACTIONS) -> None:
    """Measure the host without and with its journal, then bare sockets with frames of the same size."""
    plain = measured(actions, journal=False)
    with_journal = measured(actions, journal=True)
    size = round(sum(plain["bytes"]) / len(plain["bytes"]))
    bare = bare_fan_out(actions, size)
    for name, run in (("action to the last of six views", plain), ("the same with the journal", with_journal)):
        times = spread(run["ms"])
        ratio = times["p50"] / spread(bare)["p50"]
        line(name, times["p50"], "ms", "3 times the bare one", times_bare=round(ratio, 2), **times,
             bytes=spread(run["bytes"]), host_cpu_ms=run["cpu_ms"], host_rss_mib=run["rss"],
             start_ms=run["start"])  # fmt: skip
    line("bare fan-out of equal bytes", spread(bare)["p50"], "ms", "", bytes=size, **spread(bare))


# ------------------------------------------------------------------------------------------------------ the real host
class Seat:
    """A client that keeps the updates it gets. acted: when it acted last (time.perf_counter)."""

    def __init__(self, join: str, no: int) -> None:
        self.client = Client(join, f"P{no}", keep=False)
        self.acted = 0.0
        self.updates: list[wire.Update] = []
        self.client.subscribe(self._heard)

    def _heard(self, message: Message) -> None:
        if isinstance(message, wire.Update):
            self.updates.append(message)

    async def sees(self, rev: int) -> None:
        """Wait until the client has a view of this revision or a later one."""
        await self.client.wait_for(lambda c: c.view is not None and c.view.rev >= rev)


def measured(actions: int, journal: bool) -> dict[str, Any]:
    """Times (ms), sizes of updates (bytes), CPU for an action (ms), memory (MiB) and start (ms) of a host."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with host_process(*(["--data", folder] if journal else []), seats=SEATS) as (host, strings):
            started = (time.perf_counter() - began) * 1000
            return {**asyncio.run(_played(strings["join"], actions, host.pid)), "start": round(started)}


async def _played(join: str, actions: int, pid: int) -> dict[str, Any]:
    seats = [Seat(join, no) for no in range(SEATS)]
    try:
        await start_game([seat.client for seat in seats])
        for seat in seats:
            seat.updates.clear()
        cpu = cpu_s(pid)
        times = [await one_action(seats, number) for number in range(actions)]
        spent = (cpu_s(pid) - cpu) * 1000 / actions
        sizes = [float(len(codec.pack(update))) for seat in seats for update in seat.updates]
        return {"ms": times, "bytes": sizes, "cpu_ms": round(spent, 3), "rss": round(memory_mib(pid), 1)}
    finally:
        for seat in seats:
            await seat.client.close()


async def one_action(seats: list[Seat], number: int) -> float:
    """Take one action that all see; return the milliseconds until the last of them has the view."""
    while True:
        for offset in range(len(seats)):
            seat = seats[(number + offset) % len(seats)]
            action = item_turn(seat.client)
            if action is not None:
                return await _timed(seats, seat, action)
        await advance([seat.client for seat in seats])


async def _timed(seats: list[Seat], seat: Seat, action: Action) -> float:
    await asyncio.sleep(max(PAUSE_S, seat.acted + SEAT_PAUSE_S - time.perf_counter()))
    view = seat.client.view
    assert view is not None
    rev = view.rev + 1
    began = seat.acted = time.perf_counter()
    seat.client.act(action)
    await asyncio.gather(*(other.sees(rev) for other in seats))
    return (time.perf_counter() - began) * 1000


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


def bare_fan_out(actions: int, size: int) -> list[float]:
    """Milliseconds from a 60-byte message to the last of six answers of this size."""
    server = subprocess.Popen([sys.executable, "-c", _SERVER, str(size), str(SEATS)], stdout=subprocess.PIPE)
    context: Any = zmq.Context()
    try:
        assert server.stdout is not None
        port, key = server.stdout.readline().split()
        socks = [_dealer(context, int(port), key) for _ in range(SEATS)]
        for sock in socks:
            sock.send(b"hello")
        assert server.stdout.readline() == b"all here\n"
        return [_round(socks, number) for number in range(actions)]
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
