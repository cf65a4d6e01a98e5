"""A door's host: real processes. Guests' sockets reach its front with their labels; each process may die alone."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from netcode.client.client import Client
from netcode.door.config import DoorConfig, check
from netcode.door.host_relays import EACH
from netcode.door.hosting import Hosting, RemoteHost, own_host
from netcode.door.interfaces import HostingError, Tables
from netcode.host.addresses import public_addresses
from netcode.host.config import ConfigError, HostConfig
from netcode.protocol.credentials import Join, parse_join
from tests.netcode.running_host import running_host, until
from tests.patience import PATIENCE_S

ANN, BEN = "ssh-00112233aabbccdd", "ssh-99887766aabbccdd"


class Inside:
    """What a guest's client sees: a port of loopback, and nothing else. Each connection is handed over."""

    def __init__(self, tables: Tables, label: str) -> None:
        self._tables, self._label = tables, label
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        self.port = self._listener.getsockname()[1]
        asyncio.get_running_loop().add_reader(self._listener, self._accept)

    def _accept(self) -> None:
        sock, _ = self._listener.accept()
        with suppress(OSError):  # the host has ended, and the socket is closed
            self._tables.hand(sock, self._label)

    def client(self, name: str) -> Client:
        """Return a client that has not joined yet."""
        join = parse_join(self._tables.strings.join)
        return Client(str(Join("127.0.0.1", self.port, join.table, join.key, join.token)), name, keep=False)

    def close(self) -> None:
        """Take no more connections."""
        asyncio.get_running_loop().remove_reader(self._listener)
        self._listener.close()


@asynccontextmanager
async def guests(tables: Tables, *labels: str) -> AsyncIterator[list[Client]]:
    """Seat a guest for each label; close them at the end."""
    insides = [Inside(tables, label) for label in labels]
    clients = [inside.client(f"Guest{number}") for number, inside in enumerate(insides)]
    try:
        for client in clients:
            await client.join()
        yield clients
    finally:
        for client in clients:
            await client.close()
        for inside in insides:
            inside.close()


@asynccontextmanager
async def own(folder: Path, **config: object) -> AsyncIterator[Hosting]:
    """Run the host of a door."""
    hosting = Hosting(own_host(HostConfig(**{"seats": 3, **config}), folder))  # type: ignore[arg-type]
    await hosting.start()
    try:
        yield hosting
    finally:
        await hosting.end()


def children(pid: int) -> dict[str, int]:
    """Return the processes of a parent, by the ends of their names."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = Path(f"/proc/{name}/stat").read_text()
        except OSError:
            continue  # it has ended meanwhile
        comm, rest = stat[stat.index("(") + 1 : stat.rindex(")")], stat[stat.rindex(")") + 2 :].split()
        if int(rest[1]) == pid and rest[0] != "Z":
            found[comm.removeprefix("kickdoor ")] = int(name)
    return found


async def again(hosting: Hosting, kill: Callable[[], int]) -> None:
    """Kill a process, and see that two guests at the table come back by themselves, and that a third one can come."""
    async with guests(hosting, ANN, BEN):
        gone = kill()
        await until(lambda: _is_gone(gone), 20)
        inside = Inside(hosting, "ssh-77777777aabbccdd")
        late = inside.client("Late")
        await late.join(timeout=PATIENCE_S)
        await late.wait_for(lambda one: here(one) == 3, 60)
        await late.close()
        inside.close()


def here(client: Client) -> int:
    """Return how many players are at the table."""
    return [seat.state for seat in client.info.seats].count("here") if client.info is not None else 0


def _is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.long(3)
@pytest.mark.parametrize("which", ("host", "front", "supervisor"))
async def test_each_process_behind_the_door_may_be_killed_alone(tmp_path: Path, which: str) -> None:
    async with own(tmp_path) as hosting:

        def kill() -> int:
            pid = hosting.pid if which == "supervisor" else children(hosting.pid)[which]
            os.kill(pid, signal.SIGKILL)
            return pid

        await again(hosting, kill)
        assert not hosting.over.done()


async def test_a_host_ends_in_order_with_its_door_and_restores_its_table_at_the_next_start(tmp_path: Path) -> None:
    async with own(tmp_path) as hosting:
        first, pid = parse_join(hosting.strings.join), hosting.pid
        assert hosting.strings.words and hosting.strings.lobby
        async with guests(hosting, ANN) as (ann,):
            await hosting.end()
            await ann.wait_for(lambda one: one.stage != "synced")
    assert not os.path.exists(f"/proc/{pid}")
    async with own(tmp_path) as hosting:
        assert parse_join(hosting.strings.join).key == first.key


async def test_a_host_that_cannot_start_is_an_error_in_one_sentence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    hosting = Hosting(own_host(HostConfig(sets=("no-such-set",)), tmp_path))
    with pytest.raises(HostingError, match="was not started"):
        await hosting.start()
    assert "no-such-set" in capfd.readouterr().err


async def test_what_cannot_be_handed_over_is_closed(tmp_path: Path) -> None:
    """After the end nobody is taken, and no socket stays open."""
    async with own(tmp_path) as hosting:
        pass
    mine, theirs = socket.socketpair()
    with pytest.raises(OSError, match="takes no connection"):
        hosting.hand(theirs, ANN)
    assert mine.recv(1) == b"" and theirs.fileno() == -1
    mine.close()


# ----------------------------------------------------------------------------------------------------- a host elsewhere
async def test_guests_play_at_a_host_elsewhere() -> None:
    async with running_host(front=True) as host:
        tables = RemoteHost(host.join)
        await tables.start()
        async with guests(tables, ANN, BEN) as (_, ben):
            await ben.wait_for(lambda one: here(one) == 2)
        await tables.end()


@pytest.mark.parametrize("which", (0, -1), ids=("the first", "loopback"))
async def test_guests_of_a_host_on_this_machine_have_an_address_each(which: int) -> None:
    """So the host can count and ban guests by address; a try at words has an address made from the ssh client's. This
    is true for each of this machine's addresses that the string may name."""
    address = [one for one in public_addresses("0.0.0.0") if ":" not in one][which]
    peers: list[str] = []

    def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peers.append(writer.get_extra_info("peername")[0])

    server = await asyncio.start_server(connected, address)
    tables = RemoteHost(str(Join(address, server.sockets[0].getsockname()[1], "t", bytes(32), bytes(16))))
    mine = []
    for label in (ANN, BEN, "192.168.1.7", ANN):
        ours, theirs = socket.socketpair()
        mine.append(ours)
        tables.hand(theirs, label)
        await until(lambda: len(peers) == len(mine), PATIENCE_S)
    assert len(set(peers[:3])) == 3 and peers[3] == peers[0] and not {"127.0.0.1", address} & set(peers)
    await tables.end()
    for ours in mine:
        ours.close()
    server.close()


async def test_no_guest_has_more_than_a_few_connections_to_a_host_elsewhere() -> None:
    taken: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(lambda _, writer: taken.append(writer), "127.0.0.1", 0)
    tables = RemoteHost(str(Join("127.0.0.1", server.sockets[0].getsockname()[1], "t", bytes(32), bytes(16))))
    pairs = [socket.socketpair() for _ in range(EACH + 2)]
    for _, theirs in pairs[:EACH]:
        tables.hand(theirs, ANN)
    with pytest.raises(OSError, match="too many"):
        tables.hand(pairs[EACH][1], ANN)
    assert pairs[EACH][0].recv(1) == b"", "it is closed"
    tables.hand(pairs[EACH + 1][1], BEN)
    await until(lambda: len(taken) == EACH + 1)
    pairs[0][0].close()
    again = socket.socketpair()

    def fits() -> bool:
        with suppress(OSError):
            tables.hand(again[1].dup(), ANN)
            return True
        return False

    await until(fits)
    await tables.end()
    for ends in (*pairs, again):
        for end in ends:
            end.close()
    server.close()


@pytest.mark.parametrize("what", ("join", "watch", "lobby"))
def test_the_strings_of_a_host_elsewhere_lead_to_one_host(what: str) -> None:
    one, two = (str(Join("127.0.0.1", port, "t", bytes(32), bytes(16))) for port in (1, 2))
    good = DoorConfig("program", join=one, watch=one, lobby=one)
    check(good)
    with pytest.raises(ConfigError, match="one host"):
        check(replace(good, **{what: two}))
    with pytest.raises(ConfigError, match=f"--{what}"):
        check(replace(good, **{what: "kickdoor://nonsense"}))
    with pytest.raises(ConfigError, match="name its --join"):
        check(replace(good, join=""))


async def test_a_host_that_is_not_there_is_an_error_in_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(HostingError, match=f"port {port}, cannot be reached"):
        await RemoteHost(str(Join("127.0.0.1", port, "t", bytes(32), bytes(16)))).start()


async def test_a_relay_stops_reading_when_the_other_side_does_not_read() -> None:
    """A guest sends without end to a host that reads nothing: some buffers fill, and then nothing more is taken."""
    taken = list[asyncio.StreamReader]()
    reads = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        taken.append(reader)
        await reads.wait()
        while await reader.read(1 << 20):
            pass
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1024)
    port = server.sockets[0].getsockname()[1]
    tables = RemoteHost(str(Join("127.0.0.1", port, "t", bytes(32), bytes(16))))
    mine, theirs = socket.socketpair()
    tables.hand(theirs, ANN)
    mine.setblocking(False)
    sent, idle = 0, 0
    while idle < 50:
        try:
            sent, idle = sent + mine.send(bytes(65536)), 0
        except BlockingIOError:
            idle += 1
            await asyncio.sleep(0.005)
    assert sent < 32 << 20  # the system's buffers and ours
    reads.set()
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(mine, b"more")
    mine.shutdown(socket.SHUT_WR)
    async with asyncio.timeout(PATIENCE_S):
        assert await loop.sock_recv(mine, 1) == b""
    mine.close()
    await tables.end()
    server.close()
