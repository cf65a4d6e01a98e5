"""The receiving thread: order while the loop is busy, bounds, and no message left unread."""

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import zmq

from netcode.host.receiver import Receiver
from netcode.protocol import limits
from netcode.protocol.credentials import new_pair
from netcode.protocol.sockets import router
from tests.patience import PATIENCE_S

MS = 1_000_000


class ReceivingSockets:
    """A ROUTER read by a Receiver, and DEALERs that have sent it a first message."""

    def __init__(self) -> None:
        self.context = zmq.Context()
        self.sock: Any = self.context.socket(zmq.ROUTER)
        self.sock.setsockopt(zmq.LINGER, 0)
        self.port = self.sock.bind_to_random_port("tcp://127.0.0.1")
        self.got: list[tuple[bytes, int]] = []
        self.addresses: dict[bytes, bytes] = {}
        self.news = asyncio.Event()
        self.faults = 0
        """How many of the next calls of `taken` fail."""
        self.receiver = Receiver(self.sock, self._take, self._taken)

    def _take(self, frames: list[Any], stamp: int) -> None:
        self.got.append((frames[1].bytes, stamp))
        self.addresses[frames[1].bytes] = frames[0]
        self.news.set()

    def _taken(self) -> None:
        if self.faults:
            self.faults -= 1
            raise ArithmeticError("a fault of the host")

    async def dealer(self, name: bytes) -> Any:
        sock = self.context.socket(zmq.DEALER)
        sock.setsockopt(zmq.LINGER, 0)
        sock.connect(f"tcp://127.0.0.1:{self.port}")
        sock.send(name)
        await self.until(lambda: name in self.addresses)
        return sock

    async def until(self, done: Any) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not done():
                self.news.clear()
                await self.news.wait()

    def busy_until_received(self, count: int) -> None:
        """Hold the interpreter, as an action does, until the thread has received this many messages for the loop."""
        until = time.monotonic() + 20
        while len(self.receiver._waiting) < count:
            assert time.monotonic() < until, "the thread receives nothing while the loop is busy"
            sum(range(50))


@pytest.fixture
async def sockets() -> AsyncIterator[ReceivingSockets]:
    sockets = ReceivingSockets()
    with contextlib.closing(sockets.receiver):
        yield sockets
    sockets.context.destroy()


def busy(seconds: float) -> None:
    """Hold the interpreter for a while, as an action does."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        sum(range(50))


async def test_messages_get_their_own_timestamps_while_the_loop_is_busy(sockets: ReceivingSockets) -> None:
    first, second = await sockets.dealer(b"a"), await sockets.dealer(b"b")
    for number in range(10):
        quick, slow = (first, second) if number % 2 else (second, first)
        sockets.got.clear()
        quick.send(b"quick")
        sockets.busy_until_received(1)
        between = time.monotonic_ns()
        slow.send(b"slow")
        sockets.busy_until_received(2)
        assert sockets.got == [], "the loop was busy all the time"
        await sockets.until(lambda: len(sockets.got) == 2)
        assert [name for name, _ in sockets.got] == [b"quick", b"slow"]
        assert sockets.got[0][1] <= between <= sockets.got[1][1], "stamped when they came, not when the loop had time"


async def test_a_loop_that_waits_receives_without_the_thread(sockets: ReceivingSockets) -> None:
    if not sockets.receiver._loop_receives:
        pytest.skip("this system wakes up all who watch a descriptor")
    dealer = await sockets.dealer(b"a")
    before, loop_thread = _wakeups(sockets.receiver), threading.get_native_id()

    def send() -> None:
        for number in range(50):
            while not _sleeps(loop_thread) or (number and sockets.got[-1][0] != b"%d" % (number - 1)):
                time.sleep(0.001)
            dealer.send(b"%d" % number)

    sending = threading.Thread(target=send)
    sending.start()
    await sockets.until(lambda: sockets.got[-1][0] == b"49")
    sending.join()
    assert _wakeups(sockets.receiver) - before < 25


def _sleeps(thread: int) -> bool:
    """Return whether this thread of ours waits for something."""
    return Path(f"/proc/self/task/{thread}/stat").read_text().rpartition(")")[2].split()[0] == "S"


async def test_a_fault_while_messages_are_handled_makes_nobody_deaf(sockets: ReceivingSockets) -> None:
    told: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: told.append(repr(what.get("exception"))))
    dealer = await sockets.dealer(b"one")
    sockets.faults = 2
    for number in range(2, 5):
        dealer.send(b"more")
        await sockets.until(partial(_taken_by, sockets, number))
    assert [frame for frame, _ in sockets.got] == [b"one", b"more", b"more", b"more"]
    assert told == ["ArithmeticError('a fault of the host')"] * 2


def _taken_by(sockets: ReceivingSockets, number: int) -> bool:
    return len(sockets.got) >= number


def _wakeups(receiver: Receiver) -> int:
    """How often the thread has waited for something and continued."""
    status = Path(f"/proc/self/task/{receiver._thread.native_id}/status").read_text()
    return int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])


async def test_messages_that_arrive_during_a_send_are_received(
    sockets: ReceivingSockets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("netcode.host.receiver.POLL_S", 4.0)  # longer than a busy machine makes anybody wait
    dealer = await sockets.dealer(b"a")
    address = sockets.addresses[b"a"]
    found_by_poll, polled = 0, sockets.receiver._polled

    def poll() -> None:
        nonlocal found_by_poll
        before = len(sockets.receiver._waiting)
        polled()
        found_by_poll += len(sockets.receiver._waiting) > before

    monkeypatch.setattr(sockets.receiver, "_polled", poll)
    for number in range(2000):
        dealer.send(b"n%d" % number)
        assert sockets.receiver.send([(address, b"x")]) == [None]
        if number % 16 == 0:  # within the limits of the connection, and long before the poll
            await sockets.until(lambda name=b"n%d" % number: sockets.got[-1][0] == name)
            while dealer.poll(0):
                dealer.recv()
    assert found_by_poll < 12, f"only the poll found {found_by_poll} of 125"


async def test_a_busy_loop_gets_a_bounded_number_of_messages_and_all_in_order(sockets: ReceivingSockets) -> None:
    dealers = [await sockets.dealer(b"%d" % number) for number in range(4)]
    sockets.got.clear()
    each = limits.RECEIVED_MESSAGES  # four times the limit in all
    sent = 0
    while sent < each:
        for number, dealer in enumerate(dealers):
            dealer.send(b"%d:%d" % (number, sent))
        sent += 1
    busy(0.3)
    assert len(sockets.receiver._waiting) <= limits.RECEIVED_MESSAGES, "more messages wait than the limit allows"
    cpu = time.thread_time()
    await sockets.until(lambda: len(sockets.got) == 4 * each)
    assert time.thread_time() - cpu < 5
    for number in range(4):
        mine = [int(name.partition(b":")[2]) for name, _ in sockets.got if name.startswith(b"%d:" % number)]
        assert mine == list(range(each)), f"connection {number} lost its order"
    stamps = [stamp for _, stamp in sockets.got]
    assert stamps == sorted(stamps)


async def test_the_thread_does_not_spin_while_its_queue_is_full(sockets: ReceivingSockets) -> None:
    dealer = await sockets.dealer(b"a")
    for number in range(limits.RECEIVED_MESSAGES + 200):
        dealer.send(b"%d" % number)
    while len(sockets.receiver._waiting) < limits.RECEIVED_MESSAGES:
        time.sleep(0.001)  # the loop is blocked, the thread receives
    time.sleep(0.05)
    before = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - before < 0.15, "the thread spins"
    await sockets.until(lambda: len(sockets.got) == limits.RECEIVED_MESSAGES + 201)


async def test_closing_ends_the_thread_with_the_queue_full(sockets: ReceivingSockets) -> None:
    dealer = await sockets.dealer(b"a")
    for number in range(limits.RECEIVED_MESSAGES + 200):
        dealer.send(b"%d" % number)
    while len(sockets.receiver._waiting) < limits.RECEIVED_MESSAGES:
        time.sleep(0.001)
    sockets.receiver.close()
    sockets.receiver.close()
    assert not sockets.receiver._thread.is_alive()
    taken = len(sockets.got)
    await asyncio.sleep(0)
    assert len(sockets.got) == taken, "nothing is taken after closing"


def test_a_host_sends_no_zmtp_heartbeats() -> None:
    """If a heartbeat is due on a connection that broke in a flood, the process aborts (libzmq 4.3.5)."""
    context = zmq.Context()
    sock = router(context, new_pair(), ipv6=False)
    assert sock.getsockopt(zmq.HEARTBEAT_IVL) == 0
    sock.close()
    context.term()
