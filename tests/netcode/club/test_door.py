"""An SSH door to all tables of a club, with the real ssh client and confined guests."""

import asyncio
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from netcode.client.client import Client
from netcode.client.lobby_client import LobbyClient
from netcode.client.route import reached, through_a_door
from netcode.host.config import HostConfig
from netcode.processes.start import child_env
from netcode.protocol.credentials import Join, parse_join
from netcode.protocol.origins import loopback_address
from netcode.short_words.word_list import renewed
from tests.e2e.hosts_and_players import ProgramRunner
from tests.e2e.plain_player import PlainPlayer
from tests.e2e.ssh_door import Door
from tests.netcode.club.club_hosts import hosts, port
from tests.netcode.running_host import RunningHost, until
from tests.patience import PATIENCE_S
from tests.tui.command_line import kickdoor

psycopg = pytest.importorskip("psycopg", reason="needs the extra club")
pytest.importorskip("asyncssh", reason="needs the extra serve")
from netcode.door.confinement.namespaces import PORT  # noqa: E402  it needs Linux
from netcode.door.hosting import ClubHosting, own_host  # noqa: E402  it needs asyncssh
from tests.netcode.club.contents import guesses, seat_acts, tables  # noqa: E402  it needs psycopg
from tests.netcode.door.opened import ssh  # noqa: E402  it needs asyncssh

pytestmark = [
    pytest.mark.skipif(shutil.which("ssh") is None, reason="needs the ssh client"),
    pytest.mark.skipif(not Path("/proc/self").exists(), reason="guests are confined on Linux only"),
]


def share_key(runner: ProgramRunner, host: Path) -> None:
    """Copy the club's key to the door of this runner. host: the folder of a host of the club."""
    keys = Path(runner.env("door")["KICKDOOR_DATA"]) / "club"
    keys.mkdir(parents=True)
    shutil.copy(host / "server.key", keys)


async def table_at(host: RunningHost, door: Door, title: str) -> Join:
    """Open a table for one person and two bots at this host; return a string of it when the door's lobby has it."""
    lobby, seen = (LobbyClient(one, "Kim", keep=False) for one in (host.lobby, str(door.opened["lobby"])))
    for one in (lobby, seen):
        await one.enter(PATIENCE_S)
    opened = parse_join((await lobby.create(["axe-cop"], title=title, seats=3, bots=2)).owner)
    assert opened.port == port(host)
    await seen.wait_for(lambda one: title in [row.title for row in one.rows], PATIENCE_S)
    for one in (lobby, seen):
        await one.close()
    return opened


async def test_a_guest_of_the_door_sits_at_a_table_of_another_host_and_plays_on_when_that_dies(
    club: str, tmp_path: Path, runner: ProgramRunner
) -> None:
    async with hosts(club, tmp_path, "b", "c") as (second, _):
        share_key(runner, tmp_path / "b")
        door = await asyncio.to_thread(Door, runner, "--club", club, "--open", "--seats", "3")
        guest = None
        try:
            opened = await table_at(second, door, "far")
            command = door.command("Ann", "-T", "-o", "BatchMode=yes")
            guest = PlainPlayer(runner.folder / "ann", "table", "far", program=command, HOME=str(runner.folder / "ann"))

            def acts() -> int:
                return len(seat_acts(club, opened.table, 0))

            await asyncio.to_thread(guest.play_until, lambda: acts() >= 2, PATIENCE_S)
            assert tables(club)[opened.table].host == "b"
            second.process.send_signal(signal.SIGKILL)
            await until(lambda: tables(club)[opened.table].host != "b")
            before = acts()
            await asyncio.to_thread(guest.play_until, lambda: acts() >= before + 2, PATIENCE_S)
            assert guest.process.poll() is None
        finally:
            if guest is not None:
                guest.close()
            await asyncio.to_thread(door.close)
        assert club not in door.log()


async def test_a_newcomer_at_the_door_comes_in_by_the_words_of_a_table_of_another_host(
    club: str, tmp_path: Path, runner: ProgramRunner
) -> None:
    async with hosts(club, tmp_path, "b", every={"front": True}) as (second,):
        share_key(runner, tmp_path / "b")
        door = await asyncio.to_thread(Door, runner, "--club", club)
        try:
            lobby = LobbyClient(str(door.opened["lobby"]), "Kim", keep=False)
            await lobby.enter(PATIENCE_S)
            table = parse_join(second.join).table
            await lobby.wait_for(lambda one: table in [row.table for row in one.rows], PATIENCE_S)
            await lobby.close()
            wrong = renewed(second.words)
            ann = await ssh(door.port, runner.folder / "ann", key=door.key("Ann"), answers=(wrong, second.words))
            seated = Client(second.watch, "Vic", role="watch", keep=False)
            await seated.join(PATIENCE_S)
            await seated.wait_for(lambda one: one.info is not None and "ann" in [s.name for s in one.info.seats])
            await until(lambda: guesses(club, table) == 1)
            assert ann.asked.count("words") == 2, "wrong ones, and the right ones"
            await seated.close()
            ann.process.terminate()
            await ann.process.wait()
            again = await ssh(door.port, runner.folder / "ann", key=door.key("Ann"), answers=(wrong,))
            await again.until("ready")
            assert again.asked == ann.asked, "a key that has sat here is asked nothing"
            again.process.terminate()
            await again.process.wait()
        finally:
            await asyncio.to_thread(door.close)
        assert not any(word in door.log() for word in second.words.split("-")[:2]), "no log has them"


async def test_a_guests_connection_reaches_hosts_of_the_club_and_nothing_else(club: str, tmp_path: Path) -> None:
    called: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        called.append(await reader.read(5))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    place = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    hosting = ClubHosting(own_host(HostConfig(seats=3, club=club, port=0), tmp_path / "door"))
    await hosting.start()
    try:
        with psycopg.connect(club) as db:
            db.execute("INSERT INTO hosts VALUES ('far', 99, 0, 'test', now(), now() + interval '1 hour')")
            db.execute("INSERT INTO public_hosts VALUES ('far', %s, 1, false)", ([place],))
        await until(lambda: hosting.strings.club == (place,))
        own = parse_join(hosting.strings.join)
        for called_at, greeted in (
            ("127.0.0.1", True), (loopback_address(f"{own.host}:{own.port}"), True), (loopback_address(place), False)
        ):  # fmt: skip
            answer = await handed(hosting, called_at)
            assert answer.startswith(b"\xff") == greeted, "only a host greets"
        assert called == [GREETING[:5]]
        for nowhere in (loopback_address("127.0.0.1:22"), loopback_address("203.0.113.9:7788"), "127.0.0.2"):
            with pytest.raises(OSError, match="no host of the club"):
                await handed(hosting, nowhere)
    finally:
        server.close()
        await hosting.end()


GREETING = b"\xff" + bytes(8) + b"\x7f\x03"


async def handed(hosting: ClubHosting, address: str) -> bytes:
    """Hand over a connection that a guest has made to this address (one inside the guest's network). Return the first
    bytes of the answer."""
    with socket.create_server((address, 0)) as listener, socket.create_connection(listener.getsockname()) as mine:
        theirs, _ = listener.accept()
        hosting.hand(theirs, "ssh-00112233aabbccdd")
        mine.setblocking(False)
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(PATIENCE_S):
            await loop.sock_sendall(mine, GREETING)
            return await loop.sock_recv(mine, 5)


def test_an_address_inside_stands_for_one_place_only() -> None:
    places = [("10.0.0.5", 7788), ("10.0.0.5", 7789), ("two.example", 7788), ("::1", 7788), ("127.0.0.1", 7788)]
    assert [reached(place) for place in places] == places
    with through_a_door(PORT):
        inside = [reached(place) for place in places]
        assert reached(("127.0.0.1", PORT)) == ("127.0.0.1", PORT), "the host behind the door"
    assert len(set(inside)) == len(places) and {port for _, port in inside} == {PORT}
    assert inside[2][0] == loopback_address("two.example:7788")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--club", "postgresql:///x", "--join", "kickdoor://x"), "--join leads to one that runs"),
        (("--host-port", "7790"), "--address and --host-port are those of a host of a club"),
        (("--club", "postgresql://ann:secret@127.0.0.1:1/x"), "--club contains a password"),
    ],
)
def test_options_that_do_not_fit_are_refused_in_one_sentence(options: tuple[str, ...], words: str) -> None:
    done = kickdoor("serve", "--port", "0", *options)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_without_the_extra_one_sentence_says_what_to_install() -> None:
    argv = "sys.argv[1:] = ['serve', '--club', 'x']"
    code = f"import sys; sys.modules['psycopg'] = None; {argv}; from tui.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code], env=child_env(), capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "pip install 'kickdoor[club]'" in done.stderr
