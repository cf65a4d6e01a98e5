"""Which address of its host a client connects to, when a name has several or the address exists on each interface."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import zmq

from netcode.client.client import ClientError
from netcode.client.route import addresses_of, first_to_answer, is_plain
from netcode.client.transport import Transport
from netcode.host.key_authenticator import KeyAuthenticator
from netcode.protocol.credentials import Join, KeyPair, new_pair, parse_join
from netcode.protocol.sockets import router
from tests.netcode.running_host import running_host
from tests.patience import PATIENCE_S

NAME = "ben.example"
ADDRESSES = {NAME: ["::1", "127.0.0.1"], "many.example": ["::1", "::2", "::3", "127.0.0.1"], "nobody.example": []}


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give names addresses of loopback."""
    resolve = socket.getaddrinfo

    def answer(host: Any, port: Any, *more: Any, **options: Any) -> Any:
        if host not in ADDRESSES:
            return resolve(host, port, *more, **options)
        if not ADDRESSES[host]:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(0, 0, 0, "", (address, port)) for address in ADDRESSES[host]]

    monkeypatch.setattr(socket, "getaddrinfo", answer)


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize("bind", ["127.0.0.1", "::1"])
async def test_a_name_leads_to_the_address_at_which_the_host_listens(bind: str) -> None:
    async with running_host(bind=bind, front=True) as host:
        join = host.join.replace("[::1]", NAME).replace("127.0.0.1", NAME)
        assert parse_join(join).host == NAME
        client = host.client("Kim", join=join)
        assert (await client.join()).seat == 0
        await client.close()


@contextmanager
def listening_host(pair: KeyPair, address: str, port: int) -> Iterator[int]:
    """Listen with a ROUTER at this address that lets everybody in. Yields the port."""
    context: Any = zmq.Context()
    gate = KeyAuthenticator(context, lambda key, where: True)
    sock = router(context, pair, ipv6=True)
    endpoint = f"tcp://[{address}]" if ":" in address else f"tcp://{address}"
    try:
        sock.bind(f"{endpoint}:{port or '*'}")
        yield int(sock.getsockopt(zmq.LAST_ENDPOINT).rstrip(b"\0").rpartition(b":")[2])
    finally:
        gate.close()
        context.destroy(linger=0)


@pytest.mark.usefixtures("names")
async def test_a_host_that_comes_back_at_another_address_of_its_name_is_found() -> None:
    pair, links = new_pair(), asyncio.Queue[bool]()

    def linked(up: bool, text: str, code: str) -> None:
        links.put_nowait(up)

    transport = None
    try:
        with listening_host(pair, "::1", 0) as port:
            target = Join(NAME, port, "t", pair.public, bytes(16))
            transport = Transport(target, new_pair(), None, lambda frame: None, linked)
            async with asyncio.timeout(PATIENCE_S):
                assert await links.get()
        with listening_host(pair, "127.0.0.1", port):
            async with asyncio.timeout(PATIENCE_S):
                while not await links.get():
                    pass
    finally:
        if transport is not None:
            transport.close(linger_ms=0)


@pytest.mark.usefixtures("names")
async def test_a_name_without_an_address_is_named() -> None:
    async with running_host() as host:
        client = host.client("Kim", join=host.join.replace("127.0.0.1", "nobody.example"))
        with pytest.raises(ClientError, match=r"the address of nobody\.example is not known here"):
            await client.join(1)


@pytest.mark.usefixtures("names")
async def test_the_addresses_of_a_name_are_tried_in_turns_of_their_families() -> None:
    assert await addresses_of("many.example") == ["::1", "127.0.0.1", "::2", "::3"]


async def test_an_address_that_says_nothing_delays_the_next_one_only_a_little() -> None:
    """Its queue of connections is full, so it answers as little as a machine behind a firewall."""
    with socket.socket() as silent, socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        silent.bind(("127.0.0.2", port))
        silent.listen(0)
        filling = [socket.socket() for _ in range(4)]
        for one in filling:
            one.setblocking(False)
            one.connect_ex(("127.0.0.2", port))
        assert await first_to_answer([(f"127.0.0.{n}", port) for n in (2, 3, 1)]) == ("127.0.0.1", port)
        assert await first_to_answer([("127.0.0.3", port)]) is None
        for one in filling:
            one.close()


@pytest.mark.parametrize(("host", "plain"), [
    ("10.0.0.1", True), ("169.254.0.1", True), ("::1", True), ("2001:db8::1", True), ("fe80::1", False),
    ("fe80::1%eth0", False), ("localhost", False),
])  # fmt: skip
def test_only_names_and_link_local_addresses_are_looked_at(host: str, plain: bool) -> None:
    assert is_plain(host) == plain


async def test_a_link_local_address_is_tried_on_each_interface_and_on_the_named_one_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "if_nameindex", lambda: [(1, "lo"), (2, "eth0"), (3, "wifi")])
    assert await addresses_of("fe80::1%wifi") == ["fe80::1%wifi", "fe80::1%eth0"]
    assert await addresses_of("fe80::1%en7") == await addresses_of("fe80::1") == ["fe80::1%eth0", "fe80::1%wifi"]
    monkeypatch.setattr(socket, "if_nameindex", lambda: [(1, "lo")])
    with pytest.raises(OSError, match="on no network"):
        await addresses_of("fe80::1%wifi")
