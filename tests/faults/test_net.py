"""Bad networks, made by the chaos proxy: nobody loses an action, and silence is noticed."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from netcode.client.client import Client
from netcode.protocol import wire
from netcode.protocol.credentials import KeyPair, new_pair
from tests.faults.busy_players import NAMES, Player
from tests.faults.chaos_proxy import Proxy, proxy_to
from tests.faults.journal_ledger import Ledger
from tests.faults.kill_runs import all_kept
from tests.netcode.raw_client import RawClient, hello
from tests.netcode.running_host import RunningHost, running_host, until
from tests.patience import PATIENCE_S


async def seated_behind(host: RunningHost, stack: AsyncExitStack, seats: int) -> tuple[list[Player], list[Proxy]]:
    """Seat players, each behind its own proxy, and wait until the game has begun."""
    players, proxies = [], []
    for seat in range(seats):
        proxy, join = await stack.enter_async_context(proxy_to(host.join, seat))
        player = Player(Client(join, NAMES[seat], keep=False), seat)
        stack.push_async_callback(player.client.close)
        await player.client.join()
        player.client.set(ready=True)
        players.append(player)
        proxies.append(proxy)
    for player in players:
        await player.client.wait_for(lambda one: one.view is not None)
    return players, proxies


async def all_agree(players: list[Player], ledger: Ledger, timeout: float = PATIENCE_S) -> None:
    """Wait until everybody sees the game of the journal; assert that no acknowledged action is missing there."""
    deadline = time.monotonic() + timeout
    ledger.read()
    while any(one.client.busy or one.client.view != ledger.view(one.client.seat) for one in players):
        assert time.monotonic() < deadline, "somebody does not see what the journal leads to"
        await asyncio.sleep(0.05)
        ledger.read()
    all_kept(players, ledger)


async def hello_whose_answer_is_lost(proxy: Proxy, join: str, pair: KeyPair, token: bytes) -> None:
    """Connect, say hello, and lose the connection when the host has answered, before any part of the answer arrives."""
    with RawClient(join, pair) as raw:
        await asyncio.to_thread(raw.send, b"noise")
        assert await raw.answer(wire.Error) is not None, "the connection is up"
        proxy.change(deaf=frozenset({"down"}))
        came = proxy.came["down"]
        await asyncio.to_thread(raw.send, hello(join, "Kim", token=token))
        await until(lambda: proxy.came["down"] > came)
        proxy.cut()
        proxy.change()


@pytest.mark.long(2)
@pytest.mark.parametrize("renewed", (False, True), ids=("", "renewed"))
async def test_however_many_welcomes_are_lost_the_next_hello_is_answered(renewed: bool) -> None:
    async with running_host() as host, proxy_to(host.join) as (proxy, through):
        join, pair = str(through), new_pair()
        owner = host.client("Roger", join=host.owner)
        await owner.join()
        with RawClient(join, pair) as raw:
            await asyncio.to_thread(raw.send, hello(join, "Kim"))
            token = (await raw.answer(wire.Welcome)).token
        if renewed:
            owner.admin("renew", value="join")
            await owner.wait_for(lambda one: bool(one.strings) and host.join not in one.strings)
        for _ in range(3):
            await hello_whose_answer_is_lost(proxy, join, pair, token)
        with RawClient(join, pair) as raw:
            await asyncio.to_thread(raw.send, hello(join, "Kim", token=token))
            answer = await raw.answer((wire.Welcome, wire.Error))
            assert isinstance(answer, wire.Welcome), answer
            await asyncio.to_thread(raw.send, wire.Leave(answer.s))
            assert await raw.answer(wire.Bye) is not None
        await owner.close()


async def test_a_newcomer_whose_welcome_is_lost_comes_back_although_the_string_was_renewed() -> None:
    async with running_host() as host, proxy_to(host.join) as (proxy, through):
        join, pair = str(through), new_pair()
        owner = host.client("Roger", join=host.owner)
        await owner.join()
        await hello_whose_answer_is_lost(proxy, join, pair, through.token)
        owner.admin("renew", value="join")
        await owner.wait_for(lambda one: bool(one.strings) and host.join not in one.strings)
        with RawClient(join, pair) as raw:
            await asyncio.to_thread(raw.send, hello(join, "Kim"))
            assert isinstance(await raw.answer((wire.Welcome, wire.Error)), wire.Welcome)
        await owner.close()


async def test_a_slow_and_uneven_network_loses_no_action_and_no_connection(tmp_path: Path) -> None:
    async with running_host(data=str(tmp_path), pace="relaxed") as host, AsyncExitStack() as stack:
        players, proxies = await seated_behind(host, stack, 3)
        for proxy in proxies:
            proxy.change(delay_s=0.04, jitter_s=0.08, rate=60_000)
        revs: list[tuple[int, int]] = []
        first = players[0].client
        first.subscribe(
            lambda m: revs.append((m.epoch, m.view.rev)) if isinstance(m, wire.Update) and m.view is not None else None
        )
        playing = asyncio.Event()
        playing.set()
        tasks = [asyncio.ensure_future(player.play(playing)) for player in players]
        await first.wait_for(lambda one: len(revs) > 15, PATIENCE_S)
        playing.clear()
        await all_agree(players, Ledger(tmp_path))
        for task in tasks:
            task.cancel()
        assert revs == sorted(revs), "no view is older than the one before"
        assert all(proxy.connections == 1 for proxy in proxies), "a slow connection is not taken for a lost one"


async def test_connections_cut_or_reset_at_any_byte_lose_nothing_and_repeat_nothing(tmp_path: Path) -> None:
    rng = random.Random(11)
    async with running_host(data=str(tmp_path), pace="relaxed") as host, AsyncExitStack() as stack:
        players, proxies = await seated_behind(host, stack, 3)
        playing = asyncio.Event()
        playing.set()
        tasks = [asyncio.ensure_future(player.play(playing)) for player in players]
        for number in range(12):
            proxy = proxies[number % 3]
            known = proxy.connections
            # the next connection is cut at that byte: in the greeting, in the welcome, in a view
            proxy.change(cut_after=rng.randint(1, 12_000), resets=number % 2 == 0)
            proxy.cut(reset=number % 2 == 1)
            async with asyncio.timeout(PATIENCE_S):
                while proxy.connections < known + 2:
                    await asyncio.sleep(0.02)
            proxy.change()
        for proxy in proxies:
            proxy.cut()  # those that have not reached their limit
        playing.clear()
        await all_agree(players, Ledger(tmp_path))
        for task in tasks:
            task.cancel()
        assert all(proxy.connections > 3 for proxy in proxies)
        assert all(len(player.acknowledged) > 3 for player in players)


async def test_half_open_connections_are_noticed_on_both_sides_and_recover() -> None:
    """Deaf in both directions, upwards, downwards: the others see that the player is offline, and the player sees it
    too."""
    async with running_host(pace="relaxed") as host, AsyncExitStack() as stack:
        players, proxies = await seated_behind(host, stack, 3)
        watcher = host.client("Wes", join=host.watch, role="watch")
        stack.push_async_callback(watcher.close)
        await watcher.join()
        began = time.monotonic()
        for proxy, deaf in zip(proxies, ({"up", "down"}, {"up"}, {"down"})):
            proxy.change(deaf=frozenset(deaf))

        async def lost(seat: int) -> float:
            await watcher.wait_for(lambda one: one.info.seats[seat].state == "lost", PATIENCE_S)
            return time.monotonic() - began

        async def offline(client: Client) -> float:
            await client.wait_for(lambda one: one.stage == "offline", PATIENCE_S)
            assert client.reason
            return time.monotonic() - began

        took = await asyncio.gather(*map(lost, (0, 1, 2)), *(offline(player.client) for player in players))
        assert min(took) > 2, "a short silence is not taken for a lost connection"
        for proxy in proxies:
            proxy.change()
        for player in players:
            await player.client.wait_for(lambda one: one.stage == "synced", PATIENCE_S)
        await watcher.wait_for(lambda one: [seat.state for seat in one.info.seats] == ["here"] * 3, PATIENCE_S)


@pytest.mark.long(2)
@pytest.mark.parametrize("what", ["nothing", "noise"])
async def test_a_server_that_is_not_a_host_is_reported_in_one_line(what: str) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if what == "noise":
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 40)
            await writer.drain()
        await reader.read()
        writer.close()

    async with running_host() as host:
        target = (await stranger(answer)).sockets[0].getsockname()[1]
        async with proxy_to(host.join) as (proxy, join):
            proxy.target = target
            client = Client(join, "Kim", keep=False)
            with pytest.raises(Exception, match=str(proxy.port)) as fault:
                await client.join(timeout=3)
            assert "\n" not in str(fault.value)


Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None] | None]


async def stranger(answer: Answer) -> asyncio.Server:
    """Start a server that speaks another protocol."""
    return await asyncio.start_server(answer, "127.0.0.1", 0)
