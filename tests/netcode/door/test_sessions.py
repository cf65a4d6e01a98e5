"""Sessions of guests: their terminals, how they end, and that none holds another up."""

import os
import signal
import sys
from pathlib import Path

import pytest

from netcode.door.relay import PIECE_BYTES, WAITING_BYTES
from netcode.door.session import RESET
from netcode.door.sessions import DoorFull
from tests.netcode.door.channel import KeptChannel, eventually, open_door

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the door needs Linux")
PROGRAM = "tests.netcode.door.scripted"


async def test_a_guest_types_and_reads_and_gets_the_exit_code(tmp_path: Path) -> None:
    async with open_door(tmp_path, PROGRAM) as door:
        session, channel = await door.guest()
        await channel.until_text("ready")
        session.typed(b"hello")
        await channel.until_text("hello")
        session.typed(b"q")
        assert await session.over == 0 == channel.code
        assert "\x1b[?1049l" not in channel.text, "a terminal that was left in order is not reset"
        assert not len(door.sessions)


async def test_the_process_of_a_guest_has_its_terminal_and_nothing_of_the_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_SECRET", "of the door")
    async with open_door(tmp_path, PROGRAM) as door:
        texts = []
        for _ in range(2):
            session, channel = await door.guest(what="facts")
            assert await session.over == 5 == channel.code
            texts.append(channel.text)
        assert "open=[0, 1, 2] tty=True" in texts[0] and "leader=True sys=utf-8" in texts[0]
        assert f"cwd={session.guest.folder} env=['HOME', 'TERM', 'TMPDIR']" in texts[1]
        assert texts[0].split()[0] != texts[1].split()[0], "both have the same random numbers"


async def test_a_guest_without_a_terminal_gets_pipes(tmp_path: Path) -> None:
    async with open_door(tmp_path, PROGRAM) as door:
        session, channel = await door.guest(size=None)
        await channel.until_text("ready")
        session.typed(b"a line\n")
        await channel.until_text("a line\n")
        session.end_input()
        assert await session.over == 0
        session, channel = await door.guest(what="raise", size=None)
        await session.over
        assert RESET not in channel.read and "ended unexpectedly (an internal error)" in channel.text


async def test_a_slow_reader_stops_its_own_process_and_not_its_neighbour(tmp_path: Path) -> None:
    async with open_door(tmp_path, PROGRAM) as door:
        slow = KeptChannel(frozen=True)
        flooding, _ = await door.guest(slow, what="flood")
        quick_session, quick = await door.guest()
        await eventually(lambda: slow.unsent() >= WAITING_BYTES)
        await quick.until_text("ready")
        for at in range(50):
            quick_session.typed(f"<{at}>".encode())
            await quick.until_text(f"<{at}>")
        assert slow.most_buffered <= WAITING_BYTES + PIECE_BYTES
        slow.thaw()
        had = len(slow.read)
        await slow.until(lambda: len(slow.read) > had + 4 * WAITING_BYTES)
        slow.frozen = True
        flooding.hang_up()
        await flooding.over


async def test_a_paste_of_megabytes_waits_at_the_guests_own_end(tmp_path: Path) -> None:
    async with open_door(tmp_path, PROGRAM) as door:
        session, channel = await door.guest(what="deaf")
        await channel.until_text("ready")
        sent = 0
        while sent < 2_000_000:
            if channel.paused:
                (Path(session.guest.folder) / "read").touch()
                await channel.until(lambda: not channel.paused)
            session.typed(b"p" * 20_000)
            sent += 20_000
            assert len(session._relay._typed) <= WAITING_BYTES + 20_000
        await channel.until_text("read 2000000")
        assert channel.pauses and await session.over == 0


async def test_a_storm_of_sizes_costs_two_changes_and_the_last_one_counts(tmp_path: Path) -> None:
    async with open_door(tmp_path, PROGRAM) as door:
        session, channel = await door.guest(what="sizes")
        await channel.until_text("[80x24 after 1]")
        for at in range(5_000):
            session.resize(100 + at % 50, 30)
        session.resize(70, 20)
        await channel.until_text("[70x20")
        assert int(channel.text.rpartition("after ")[2][:-1]) <= 4
        session.resize(10**9, -5)
        await channel.until_text("[1000x1 ")


@pytest.mark.parametrize(("what", "how"), [("crash", "signal 11"), ("raise", "an internal error")])
async def test_after_a_crash_the_terminal_is_reset_with_one_sentence(tmp_path: Path, what: str, how: str) -> None:
    async with open_door(tmp_path, PROGRAM) as door:
        neighbour, quiet = await door.guest()
        await quiet.until_text("ready")
        session, channel = await door.guest(what=what)
        assert await session.over == {"crash": 128 + signal.SIGSEGV, "raise": 70}[what] == channel.code
        last = channel.read.rpartition(RESET)[2].decode()
        assert last == (
            f"Your screen has ended unexpectedly ({how}). Your seat is kept. Come back with: ssh -p 2222 127.0.0.1\r\n"
        )
        neighbour.typed(b"still here")
        await quiet.until_text("still here")


async def test_a_line_that_goes_ends_the_process_in_order_or_kills_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("netcode.door.session.HANG_UP_S", 0.2)
    async with open_door(tmp_path, PROGRAM) as door:
        polite, channel = await door.guest(what="polite")
        stubborn, other = await door.guest(what="stubborn")
        await channel.until_text("ready")
        await other.until_text("ready")
        polite.hang_up()
        stubborn.hang_up()
        stubborn.hang_up()
        assert await stubborn.over == 128 + signal.SIGKILL
        assert await polite.over in (3, 128 + signal.SIGKILL)
        assert channel.code is other.code is None, "there is nobody to tell"


async def test_a_stopped_client_is_ended(tmp_path: Path) -> None:
    async with open_door(tmp_path, PROGRAM) as door:
        session, channel = await door.guest()
        await channel.until_text("ready")
        os.kill(session.pid, signal.SIGSTOP)
        assert await session.over == 128 + signal.SIGKILL == channel.code
        assert "Your seat is kept" in channel.text


@pytest.mark.parametrize("what", ["fill", "folders"])
async def test_whoever_fills_the_disk_is_ended_while_they_are_in(tmp_path: Path, what: str) -> None:
    """Their neighbour, who has files too, plays on."""
    async with open_door(tmp_path, PROGRAM) as door:
        neighbour, quiet = await door.guest()
        (Path(neighbour.guest.folder) / "game.replay").write_bytes(bytes(1 << 20))
        session, channel = await door.guest(what=what)
        assert await session.over in (128 + signal.SIGHUP, 128 + signal.SIGKILL)
        assert "Your folder at this door holds too much" in channel.text
        await quiet.until_text("ready")
        neighbour.typed(b"still here")
        await quiet.until_text("still here")


async def test_who_comes_in_again_ends_their_older_session_first(tmp_path: Path) -> None:
    """This is also true if the older client ignores signals and its line is frozen."""
    async with open_door(tmp_path, PROGRAM) as door:
        frozen = KeptChannel()
        older, _ = await door.guest(frozen, what="stubborn", identity="a" * 32)
        await frozen.until_text("ready")
        frozen.frozen = True
        newer, channel = await door.guest(identity="a" * 32)
        assert older.left.done() and not os.path.exists(f"/proc/{older.pid}")
        await channel.until_text("ready")
        assert door.sessions.of("a" * 32) is newer
        await older.over
        assert b"from another place" in frozen.buffered and len(door.sessions) == 1


async def test_the_number_of_guests_is_bounded(tmp_path: Path) -> None:
    async with open_door(tmp_path, PROGRAM, most=2) as door:
        await door.guest(identity="a" * 32)
        second, _ = await door.guest()
        with pytest.raises(DoorFull, match="2 guests are in already"):
            await door.guest()
        _, channel = await door.guest(identity="a" * 32)
        await channel.until_text("ready")
        second.end("The door closes.")
        await second.over
        await door.guest()


async def test_when_the_forker_dies_its_children_end_and_guests_are_told_and_may_return(tmp_path: Path) -> None:
    async with open_door(tmp_path, PROGRAM) as door:
        session, channel = await door.guest()
        await channel.until_text("ready")
        assert door.sessions._forker is not None
        door.sessions._forker.process.kill()
        await session.over
        assert "Your seat is kept. Come back with: ssh -p 2222" in channel.text and channel.code
        await eventually(lambda: not os.path.exists(f"/proc/{session.pid}"))
        _, channel = await door.guest(identity=session.guest.identity)
        await channel.until_text("ready")


async def test_all_guests_read_why_the_door_closes(tmp_path: Path) -> None:
    async with open_door(tmp_path, PROGRAM) as door:
        sessions = [await door.guest(what="polite") for _ in range(3)]
        for _, channel in sessions:
            await channel.until_text("ready")
        await door.sessions.close("The door closes for the night.")
        for session, channel in sessions:
            assert session.over.done() and "The door closes for the night.\r\n" in channel.text
        with pytest.raises(DoorFull):
            await door.guest()


async def test_connections_of_a_guest_arrive_with_its_label_up_to_a_rate(tmp_path: Path) -> None:
    async with open_door(tmp_path, PROGRAM, confined=True) as door:
        session, channel = await door.guest(what="call")
        await channel.until(lambda: channel.text.count("called") >= 8 or session.left.done())
        await eventually(lambda: len(door.handed) >= 8)
        assert {label for _, label in door.handed} == {session.guest.label}
        assert len(door.handed) < 12, "the rest waits"
