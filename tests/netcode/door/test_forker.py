"""The process that forks the guests' program: what it is told cannot harm those who play."""

import array
import os
import signal
import socket
import sys
from pathlib import Path

import msgspec
import pytest

from netcode.door.forking.running import RunningForker
from netcode.door.messages import MESSAGE_BYTES, Signal, Start
from netcode.door.sessions import Sessions
from tests.netcode.door.channel import eventually, open_door

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the door needs Linux")
PROGRAM = "tests.netcode.door.scripted"


def forker_of(sessions: Sessions) -> RunningForker:
    assert sessions._forker is not None
    return sessions._forker


def descriptors_of(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def sent(forker: RunningForker, data: bytes, descriptors: int = 0) -> None:
    """Send a datagram with copies of a descriptor."""
    with open(os.devnull) as file:
        rights = array.array("i", [file.fileno()] * descriptors)
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)] if descriptors else []
        forker._channel.sendmsg([data], ancillary)


async def test_what_cannot_be_read_harms_nobody_and_keeps_no_descriptor(tmp_path: Path) -> None:
    async with open_door(tmp_path, PROGRAM) as door:
        session, channel = await door.guest()
        await channel.until_text("ready")
        forker = forker_of(door.sessions)
        had = descriptors_of(forker.process.pid)
        pack = msgspec.msgpack.encode
        start = Start(900, "a" * 32, "ann", str(tmp_path), "", {})
        messages = [
            b"\xc1", b"garbage" * 100, os.urandom(1000), pack({"type": "start"}), pack({"type": "unknown"}),
            pack(Signal(session.number, 999)), pack(Signal(4711, signal.SIGKILL)), pack(Signal(session.number, -1)),
            pack(start), pack(msgspec.structs.replace(start, session=session.number)), b"x" * (2 * MESSAGE_BYTES),
            pack({"type": "signal", "session": "one", "number": 9}),
        ]  # fmt: skip
        for data in messages:
            for descriptors in (0, 1, 3, 20):
                sent(forker, data, descriptors)
        again, other = await door.guest()
        await other.until_text("ready")
        session.typed(b"still here")
        await channel.until_text("still here")
        await eventually(lambda: descriptors_of(forker.process.pid) == had)
        assert again.pid != session.pid and forker.process.poll() is None


async def test_a_fork_that_fails_is_one_guests_bad_luck(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with open_door(tmp_path, "tests.netcode.door.unforkable") as door:
        session, channel = await door.guest()
        await session.over
        assert "The door cannot open a screen for you now; its log says why." in channel.text
        assert "the system forks no process: Resource temporarily unavailable" in caplog.text
        _, other = await door.guest()
        await other.until_text("ready")


async def test_clients_end_in_order_when_the_door_is_killed(tmp_path: Path) -> None:
    """The forker notices that its channel is closed."""
    async with open_door(tmp_path, PROGRAM) as door:
        polite, channel = await door.guest(what="polite")
        stopped, other = await door.guest(what="polite")
        await channel.until_text("ready")
        await other.until_text("ready")
        forker = forker_of(door.sessions)
        forker._close()
        await eventually(lambda: forker.process.poll() is not None)
        assert forker.process.poll() == 0
        await eventually(lambda: not any(os.path.exists(f"/proc/{one.pid}") for one in (polite, stopped)))
        for one in (polite, stopped):
            one.ended(0)


async def test_a_program_that_cannot_be_loaded_is_started_again_and_said_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_door(tmp_path, "tests.netcode.door.not_there") as door:
        session, channel = await door.guest()
        assert await session.over == 128 + signal.SIGKILL
        assert "Come back with" in channel.text
        await eventually(lambda: caplog.text.count("another one is started") >= 2)
