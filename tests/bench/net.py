"""From an action to the last of six views over loopback, with the real host; beside it the same fan-out of equal bytes
with bare pyzmq (a ROUTER in a process of its own, six DEALERs in this one, CURVE on both), taken in the same run."""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import zmq

from core.state import actions as a
from core.state.actions import Action
from netcode.client.client import Client
from netcode.protocol import codec, wire
from tests.bench.figures import line, spread

SEATS = 6
ACTIONS = 200
PAUSE_S = 0.02
"""Between two actions, here and at the floor."""
SEAT_PAUSE_S = 0.11
"""Between two actions of one seat: a host lets nobody act more than ten times a second for long."""
ROOT = Path(__file__).parents[2]


def main(actions: int = ACTIONS) -> None:
    """Host without and with its journal, then the floor with frames of the same size."""
    plain = asyncio.run(_measured(actions, journal=False))
    kept = asyncio.run(_measured(actions, journal=True))
    size = round(sum(plain["bytes"]) / len(plain["bytes"]))
    floor = bare(actions, size)
    for name, run in (("action to the last of six views", plain), ("the same with the journal", kept)):
        times = spread(run["ms"])
        ratio = times["p50"] / spread(floor)["p50"]
        line(name, times["p50"], "ms", "3 times the bare one", times_bare=round(ratio, 2), **times,
             bytes=spread(run["bytes"]), host_cpu_ms=run["cpu_ms"], host_rss_mib=run["rss"],
             start_ms=run["start"])  # fmt: skip
    line("bare fan-out of equal bytes", spread(floor)["p50"], "ms", "", bytes=size, **spread(floor))


# ------------------------------------------------------------------------------------------------------ the real host
class _Seat:
    """A client that counts the views it gets."""

    def __init__(self, join: str, no: int) -> None:
        self.client = Client(join, f"P{no}", keep=False)
        self.acted = 0.0
        self.updates: list[wire.Update] = []
        self.client.subscribe(self._heard)

    def _heard(self, message: Any) -> None:
        if isinstance(message, wire.Update):
            self.updates.append(message)

    async def sees(self, rev: int) -> None:
        await self.client.wait_for(lambda c: c.view is not None and c.view.rev >= rev)

    def rows(self) -> list[Action]:
        view = self.client.view
        return [row.action for row in view.you.legal if row.pick is None] if view is not None and view.you else []


async def _measured(actions: int, journal: bool) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        wishes = ["--json", "--port", "0", "--seats", str(SEATS), "--pace", "relaxed"]
        wishes += ["--data", folder] if journal else []
        command = [sys.executable, "-m", "tui", "host", *wishes]
        host = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
        try:
            assert host.stdout is not None
            joins = json.loads(host.stdout.readline())
            started = (time.perf_counter() - began) * 1000
            return {**await _played(joins["join"], actions, host.pid), "start": round(started)}
        finally:
            host.terminate()
            host.wait(10)


async def _played(join: str, actions: int, pid: int) -> dict[str, Any]:
    seats = [_Seat(join, no) for no in range(SEATS)]
    try:
        for seat in seats:
            await seat.client.join()
        for seat in seats:
            seat.client.set(ready=True)
        await asyncio.gather(*(seat.client.wait_for(lambda c: c.view is not None) for seat in seats))
        await _set_up(seats)
        for seat in seats:
            seat.updates.clear()
        cpu = _cpu(pid)
        times = [await _one(seats, number) for number in range(actions)]
        spent = (_cpu(pid) - cpu) * 1000 / actions
        sizes = [float(len(codec.pack(update))) for seat in seats for update in seat.updates]
        return {"ms": times, "bytes": sizes, "cpu_ms": round(spent, 3), "rss": round(_rss(pid), 1)}
    finally:
        for seat in seats:
            await seat.client.close()


async def _set_up(seats: list[_Seat]) -> None:
    """Everybody lays out what it can; then everybody is ready."""
    for seat in seats:
        while True:
            plays = [action for action in seat.rows() if isinstance(action, a.Play)]
            if not plays:
                break
            await seat.client.do(plays[0])
        await seat.client.do(a.Done())
    for seat in seats:
        await seat.client.wait_for(lambda c: c.view is not None and c.view.phase != "setup")


async def _one(seats: list[_Seat], number: int) -> float:
    """One action that changes what all see; milliseconds until the last of them has the view."""
    while True:
        for offset in range(len(seats)):
            seat = seats[(number + offset) % len(seats)]
            action = _visible(seat.rows())
            if action is not None:
                return await _timed(seats, seat, action)
        await _go_on(seats)


async def _timed(seats: list[_Seat], seat: _Seat, action: Action) -> float:
    await asyncio.sleep(max(PAUSE_S, seat.acted + SEAT_PAUSE_S - time.perf_counter()))
    view = seat.client.view
    assert view is not None
    rev = view.rev + 1
    began = seat.acted = time.perf_counter()
    seat.client.act(action)
    await asyncio.gather(*(other.sees(rev) for other in seats))
    return (time.perf_counter() - began) * 1000


def _visible(rows: list[Action]) -> Action | None:
    """Turning an Item, which everybody sees and nobody has to answer."""
    return next((action for action in rows if isinstance(action, (a.Equip, a.Unequip))), None)


async def _go_on(seats: list[_Seat]) -> None:
    """Nobody can turn anything more in this turn: play on, whoever may."""
    order = (a.Answer, a.Done, a.Roll, a.Claim, a.Flee, a.Pass, a.EndTurn, a.Loot, a.Trouble, a.Kick)
    for seat in seats:
        found = [action for kind in order for action in seat.rows() if isinstance(action, kind)]
        if found:
            await seat.client.do(found[0])
            return
    await asyncio.sleep(0.01)


def _cpu(pid: int) -> float:
    """CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100.0


def _rss(pid: int) -> float:
    """Resident memory of a process in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


# ----------------------------------------------------------------------------------------------------------- the floor
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
while True:
    sock.recv_multipart()
    for peer in peers:
        sock.send_multipart([peer, payload])
"""


def bare(actions: int, size: int) -> list[float]:
    """Milliseconds from a 60-byte message to the last of six answers of this size."""
    server = subprocess.Popen([sys.executable, "-c", _SERVER, str(size), str(SEATS)], stdout=subprocess.PIPE)
    context: Any = zmq.Context()
    try:
        assert server.stdout is not None
        port, key = server.stdout.readline().split()
        socks = [_dealer(context, int(port), key) for _ in range(SEATS)]
        for sock in socks:
            sock.send(b"hello")
        time.sleep(0.3)
        return [_round(socks, number) for number in range(actions)]
    finally:
        server.kill()
        server.wait(5)
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
