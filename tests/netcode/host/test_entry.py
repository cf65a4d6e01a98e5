"""Admission through real sockets: each way to get in without permission is refused with its own error."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgpack
import pytest
import zmq
from zmq.utils.monitor import parse_monitor_message

from core.state.actions import Done, Kick
from netcode.client.client import Client, ClientError
from netcode.host.registry import Registry, TablePlan
from netcode.host.server import Server
from netcode.protocol import codec, wire
from netcode.protocol.credentials import Join, KeyPair, new_pair, parse_join
from netcode.protocol.sockets import MONITORED_EVENTS
from netcode.table.seats import Seating
from tests.netcode.offline_table import OfflineTable
from tests.netcode.raw_client import RawClient, hello
from tests.netcode.running_host import RunningHost, running_host, seated
from tests.patience import PATIENCE_S


@asynccontextmanager
async def sitting(host: RunningHost, pair: KeyPair | None = None) -> AsyncIterator[tuple[RawClient, wire.Welcome]]:
    """Yield a raw client at a free seat, and its welcome."""
    with RawClient(host.join, pair or new_pair()) as raw:
        raw.send(hello(host.join))
        welcome = await raw.answer(wire.Welcome)
        assert welcome is not None
        yield raw, welcome


# ------------------------------------------------------------------------------------------------------- the transport
@pytest.mark.long(3)
@pytest.mark.parametrize("how", ["no encryption", "a password", "another server key"])
async def test_without_the_servers_key_there_is_no_connection_and_no_message(how: str) -> None:
    async with running_host() as host:
        target = parse_join(host.join)
        context: Any = zmq.Context()
        sock = context.socket(zmq.DEALER)
        if how == "a password":
            sock.plain_username, sock.plain_password = b"kim", b"secret"
        if how == "another server key":
            sock.curve_publickey, sock.curve_secretkey = zmq.curve_keypair()
            sock.curve_serverkey = zmq.curve_keypair()[0]
        monitor = sock.get_monitor_socket(MONITORED_EVENTS)
        sock.connect(target.endpoint)
        sock.send(codec.pack(hello(host.join)))
        assert await asyncio.to_thread(monitor.poll, 8000), "the host should have hung up"
        first = parse_monitor_message(monitor.recv_multipart())["event"]
        assert first != zmq.EVENT_HANDSHAKE_SUCCEEDED
        assert not sock.poll(0)
        monitor.close(linger=0)
        context.destroy(linger=0)
        async with seated(host, "Kim", "Roger", "Ross"):
            pass  # clients with the key are still let in


async def long_enough(client: Client) -> float:
    """Let this client in and measure how long it takes. Return several times as many seconds: a client that is refused
    should try for this long, to hear the reason even on a busy machine."""
    began = time.monotonic()
    await client.join(30)
    return 0.5 + 5 * (time.monotonic() - began)


async def test_a_wrong_server_key_gets_one_sentence() -> None:
    async with running_host() as host:
        kim = host.client("Kim")
        seconds = await long_enough(kim)
        await kim.close()
        wrong = replace(parse_join(host.join), key=new_pair().public)
        with pytest.raises(ClientError, match="the join string is old, damaged, or of another host"):
            await Client(wrong, "Eve", keep=False).join(seconds)


async def test_recorded_traffic_reveals_nothing_and_cannot_be_replayed() -> None:
    async with running_host() as host, recording_proxy(host.join) as tap:
        near = str(replace(parse_join(host.join), port=tap.port))
        kim = host.client("Kimberley", join=near)
        welcome = await kim.join()
        kim.set(ready=True)
        kim.say("a plain word")
        assert kim.info is not None
        await kim.wait_for(lambda one: one.info.seats[0].ready)
        secrets = (b"Kimberley", b"plain word", welcome.token, welcome.s, parse_join(host.join).token)
        assert all(secret not in bytes(tap.up + tap.down) for secret in secrets)
        reader, writer = await asyncio.open_connection("127.0.0.1", parse_join(host.join).port)
        writer.write(bytes(tap.up))
        heard = b""
        with contextlib.suppress(ConnectionResetError):
            heard = await asyncio.wait_for(reader.read(), PATIENCE_S)  # until the host closes the connection
        assert b"READY" not in heard and kim.stage == "synced"
        writer.close()
        await kim.close()


class Tap:
    """The bytes of a connection, in both directions."""

    def __init__(self) -> None:
        self.up, self.down, self.port = bytearray(), bytearray(), 0


@asynccontextmanager
async def recording_proxy(join: str) -> AsyncIterator[Tap]:
    """Open a port that forwards to the host of this string and records everything."""
    tap, target = Tap(), parse_join(join)

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kept: bytearray) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(4096):
                kept += data
                writer.write(data)
                await writer.drain()
        writer.close()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reply_reader, host_writer = await asyncio.open_connection(target.host, target.port)
        await asyncio.gather(copy(reader, host_writer, tap.up), copy(reply_reader, writer, tap.down))

    server = await asyncio.start_server(forward, "127.0.0.1", 0)
    tap.port = server.sockets[0].getsockname()[1]
    try:
        yield tap
    finally:
        server.close()


@asynccontextmanager
async def host_in_this_process() -> AsyncIterator[tuple[Server, Seating, Join]]:
    """Start a host with one table in this process; yield it, the seating, and the join string."""
    registry, sets = Registry(), ("munchkins-and-mazes",)
    entry = registry.open(TablePlan(sets=sets, seats=3, pace="book"), registry.cards(sets, ()))
    pair = new_pair()
    host = Server(registry, pair)
    port = host.bind("127.0.0.1", 0)
    run = asyncio.ensure_future(host.run())
    try:
        yield host, entry.table.seating, Join("127.0.0.1", port, entry.id, pair.public, entry.record.join)
    finally:
        host.stop()
        await run


class Failing(list[str]):
    """A list of banned keys that raises when it is read."""

    def __contains__(self, key: object) -> bool:
        raise RuntimeError("the list cannot be read")


async def test_a_key_that_cannot_be_judged_is_refused_and_the_next_one_is_judged_as_usual() -> None:
    async with host_in_this_process() as (_, seating, join):
        first = Client(join, "Kim", keep=False)
        seconds = await long_enough(first)
        await first.leave()
        seating.admission.banned = Failing()
        for _ in range(3):
            with pytest.raises(ClientError, match="the join string is old, damaged, or of another host"):
                await Client(join, "Kim", keep=False).join(seconds)
        seating.admission.banned = []
        kim = Client(join, "Kim", keep=False)
        assert (await kim.join()).seat == 0
        await kim.close()


async def test_without_an_authenticator_nobody_gets_in() -> None:
    async with host_in_this_process() as (host, _, join):
        host._authenticator.close()
        with pytest.raises(ClientError):
            await Client(join, "Kim", keep=False).join(timeout=4)


# -------------------------------------------------------------------------------------------------------------- tokens
async def test_a_stolen_token_is_useless_to_another_key() -> None:
    async with running_host() as host, sitting(host) as (_, welcome):
        with RawClient(host.join, new_pair()) as thief:
            thief.send(hello(host.join, token=welcome.token))
            assert (await thief.answer(wire.Error)).code == "bad_token"
            thief.send(wire.Say(welcome.s, "it is me"))
            assert (await thief.answer(wire.Error)).code == "unknown_session"


async def test_a_token_is_replaced_at_each_welcome_and_the_old_one_ends_with_the_first_message() -> None:
    pair = new_pair()
    async with running_host() as host, sitting(host, pair) as (raw, first):
        raw.send(hello(host.join, token=first.token))
        second = await raw.answer(wire.Welcome)
        assert (second.s, second.seat) == (first.s, first.seat) and second.token != first.token
        raw.send(hello(host.join, token=first.token))  # as if the second welcome were lost
        third = await raw.answer(wire.Welcome)
        raw.send(hello(host.join, token=first.token))  # and the third one
        assert (await raw.answer(wire.Welcome)).token == third.token == second.token
        raw.send(wire.Ping(third.s, 1))
        assert await raw.answer(wire.Pong) is not None
        raw.send(hello(host.join, token=first.token))
        assert (await raw.answer(wire.Error)).code == "bad_token"


async def test_the_disk_has_no_resume_token(tmp_path: Path) -> None:
    async with running_host(data=str(tmp_path)) as host, sitting(host) as (raw, welcome):
        raw.send(wire.Set(welcome.s, ready=True))
        assert await raw.answer(wire.Info) is not None
        kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
        assert welcome.s in kept, "the session is there, so the seat is"
        assert welcome.token not in kept and welcome.token.hex().encode() not in kept


# ------------------------------------------------------------------------------------------------------------- actions
async def test_a_replayed_frame_gets_the_same_answer_and_changes_nothing() -> None:
    async with running_host(pace="relaxed") as host, sitting(host) as (raw, welcome), a_table_of_two(host):
        raw.send(wire.Set(welcome.s, ready=True))
        update = await raw.answer(wire.Update)
        while update.view is None:
            update = await raw.answer(wire.Update)
        done, kick = (codec.pack(wire.Act(welcome.s, n, act)) for n, act in ((1, Done()), (2, Kick())))
        raw.send(done)
        assert await raw.answer(wire.Ack) == wire.Ack(1, "applied")
        raw.send(kick)
        refused = await raw.answer(wire.Refused)
        raw.send(wire.Sync(welcome.s))
        before = await raw.answer(wire.Update)
        for _ in range(3):
            raw.send(done)
            assert await raw.answer(wire.Ack) == wire.Ack(1, "dup")
            raw.send(kick)
            assert await raw.answer(wire.Refused) == refused
        raw.send(codec.pack(hello(host.join, token=welcome.token)))  # the very first frame of all
        assert (await raw.answer(wire.Welcome)).s == welcome.s
        after = await raw.answer(wire.Update)
        assert (after.view, after.events) == (before.view, before.events)


@asynccontextmanager
async def a_table_of_two(host: RunningHost) -> AsyncIterator[list[Client]]:
    """Seat two more players and make them ready."""
    clients = [host.client(name) for name in ("Roger", "Ross")]
    for client in clients:
        await client.join()
        client.set(ready=True)
    try:
        yield clients
    finally:
        for client in clients:
            await client.close()


async def test_nobody_acts_for_another_seat() -> None:
    async with running_host() as host, seated(host, "Kim", "Roger", "Ross") as clients:
        kim = clients[0]
        assert kim.welcome is not None
        with RawClient(host.watch, new_pair()) as raw:
            raw.send(hello(host.watch, role="watch"))
            welcome = await raw.answer(wire.Welcome)
            assert welcome.seat == -1
            raw.send(wire.Act(kim.welcome.s, 1, Done()))
            assert (await raw.answer(wire.Error)).code == "unknown_session"
            plain = msgpack.unpackb(codec.pack(wire.Act(welcome.s, 1, Done())))
            raw.send(msgpack.packb({**plain, "seat": 0}))
            assert (await raw.answer(wire.Error)).code == "bad_schema"
            raw.send(wire.Act(welcome.s, 1, Done()))
            assert (await raw.answer(wire.Refused)).refusal.text == "You are a spectator: only players can act."
            raw.send(wire.Admin(welcome.s, "kick", 0))
            assert (await raw.answer(wire.Error)).code == "not_allowed"
        assert await kim.do(Done()) == wire.Ack(1, "applied"), "this is the first action of that session"


@pytest.mark.long(3)
@pytest.mark.parametrize(("lo", "hi", "older"), [
    (wire.WIRE + 1, wire.WIRE + 9, "the host's kickdoor"), (0, wire.OLDEST - 1, "your kickdoor"),
    (wire.WIRE + 1, wire.WIRE + 1, "the host's kickdoor"),
])  # fmt: skip
async def test_another_version_of_the_protocol_is_refused_and_says_which_side_to_update(
    lo: int, hi: int, older: str
) -> None:
    async with running_host() as host:
        with RawClient(host.join, new_pair()) as raw:
            raw.send(hello(host.join, lo=lo, hi=hi))
            error = await raw.answer(wire.Error)
            assert error.code == "bad_version"
            assert error.text.startswith(f"{older} is older than"), error.text
            assert f"{lo} to {hi}" not in error.text and f"protocol {wire.WIRE}" in error.text
            raw.send(hello(host.join, lo=0, hi=wire.WIRE + 9))
            assert (await raw.answer(wire.Welcome)).wire == wire.WIRE


# ---------------------------------------------------------------------------------------------------- kicked and banned
async def test_a_kicked_player_is_told_why_and_may_return_after_the_pause(tmp_path: Path) -> None:
    async with running_host() as host:
        owner, roger = host.client("Kim", join=host.owner), host.client("Roger", tmp_path)
        await owner.join()
        await roger.join()
        text = "the table's owner sent you away: you may come again in"
        owner.admin("kick", seat=roger.seat, pause_s=1)
        assert await asyncio.wait_for(roger.wait_closed(), PATIENCE_S) == f"{text} 1 second"
        assert roger.code == "kicked"
        await roger.close()
        async with asyncio.timeout(PATIENCE_S):
            while (again := await seated_again(host, tmp_path)) is None:
                await asyncio.sleep(0.2)
        assert again.seat == 1
        owner.admin("kick", seat=again.seat, pause_s=600)
        await asyncio.wait_for(again.wait_closed(), PATIENCE_S)
        await again.close()
        with pytest.raises(ClientError, match=text) as error:
            await host.client("Roger", tmp_path).join()
        assert error.value.code == "kicked"
        for client in (owner, again):
            await client.close()


async def seated_again(host: RunningHost, home: Path) -> Client | None:
    """Return Roger at his seat, None while the table does not let him in."""
    client = host.client("Roger", home)
    try:
        await client.join()
    except ClientError:
        return None
    return client


async def test_a_newcomer_knocks_and_a_new_string_survives_a_restart(tmp_path: Path) -> None:
    async with running_host(data=str(tmp_path / "host"), knock=True) as host:
        owner, roger = host.client("Kim", join=host.owner), host.client("Roger", tmp_path)
        timeout = await long_enough(owner)
        joining = asyncio.ensure_future(roger.join(timeout))
        await owner.wait_for(lambda one: bool(one.knocks))
        (knock,) = owner.knocks
        await roger.wait_for(lambda one: knock.fingerprint in one.reason)
        assert knock.name == "Roger" and roger.stage == "joining"
        await asyncio.sleep(timeout + 0.1)  # a knock lasts longer than that
        assert not joining.done()
        owner.admin("admit", number=knock.number)
        assert (await joining).seat == 1 and not owner.knocks
        old = host.join
        owner.admin("renew", value="join")
        await owner.wait_for(lambda one: bool(one.strings) and one.strings[0] != old)
        new = owner.strings[0]
        assert parse_join(new).key == parse_join(old).key
        for client in (owner, roger):
            await client.close()
        host.process.kill()
        host.process.wait()
    async with running_host(data=str(tmp_path / "host")) as host:
        assert parse_join(host.join).token == parse_join(new).token, "the restarted host prints the new string"
        back = host.client("Roger", tmp_path, join=str(replace(parse_join(old), port=parse_join(host.join).port)))
        assert (await back.join()).seat == 1, "who has a seat returns with the token"
        with pytest.raises(ClientError, match="no table here fits this join string"):
            await host.client("Eve", join=str(replace(parse_join(old), port=parse_join(host.join).port))).join()
        await back.close()


async def test_a_banned_player_stays_out_with_any_key_and_after_a_restart(tmp_path: Path) -> None:
    async with running_host(data=str(tmp_path / "host")) as host:
        owner, roger = host.client("Kim", join=host.owner), host.client("Roger", tmp_path)
        await owner.join()
        await roger.join()
        owner.admin("ban", seat=roger.seat)
        assert await asyncio.wait_for(roger.wait_closed(), 5) == "the table's owner sent you away for good"
        assert roger.code == "banned"
        await roger.close()
        await stays_out(host, tmp_path)
        await owner.close()
        host.process.kill()
        host.process.wait()
    async with running_host(data=str(tmp_path / "host")) as host:
        await stays_out(host, tmp_path)
        owner = host.client("Kim", join=host.owner)
        await owner.join()
        owner.admin("open")
        assert owner.info is not None
        await owner.wait_for(lambda one: one.info.inviting)
        with pytest.raises(ClientError) as error:
            await host.client("Roger", tmp_path).join()
        assert error.value.code == "banned"
        friend = host.client("Ross", tmp_path)
        assert (await friend.join()).seat >= 0
        for client in (owner, friend):
            await client.close()


async def stays_out(host: RunningHost, home: Path) -> None:
    """Roger's key is refused in the handshake; the strings do not admit another key."""
    with pytest.raises(ClientError, match="does not let you in: you were sent away for good") as error:
        await host.client("Roger", home).join()
    assert error.value.code == "banned"
    for string, role in ((host.join, "player"), (host.watch, "watch")):
        with pytest.raises(ClientError, match="the table's owner lets no new players or spectators in") as error:
            await host.client("Somebody", join=string, role=role).join()
        assert error.value.code == "not_allowed"


async def test_a_banned_key_that_is_still_connected_is_refused_at_the_hello() -> None:
    async with running_host() as host, sitting(host) as (raw, welcome):
        owner = host.client("Kim", join=host.owner)
        await owner.join()
        owner.admin("ban", seat=welcome.seat)
        assert (await raw.answer(wire.Bye)).reason == "banned"
        raw.send(hello(host.join))
        assert (await raw.answer(wire.Error)).code == "banned"
        raw.send(wire.Say(welcome.s, "still here"))
        assert (await raw.answer(wire.Error)).code == "unknown_session"
        await owner.close()


def test_the_list_of_banned_keys_is_bounded() -> None:
    offline = OfflineTable(None)
    kim, *_ = offline.sit("Kim")
    for number in range(250):
        kim.send(wire.Admin(kim.session.s, "open"))
        offline.hello("Eve", key=f"key{number}")
        kim.send(wire.Admin(kim.session.s, "ban", 1))
        offline.wait(1000)
    assert offline.table.seating.admission.banned == [f"key{number}" for number in range(50, 250)]
