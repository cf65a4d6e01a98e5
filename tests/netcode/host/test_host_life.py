"""A host process from start to end: its bots, the host of a solo game, restarts after a kill."""

import asyncio
import contextlib
import os
import random
import re
import signal
import stat
import sys
import threading
import time
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.moves.legal import suggest
from core.state.actions import Claim, Done, Kick, Pass
from core.state.model import Ask, Bargain
from netcode.client import bot_runner
from netcode.client.bot_runner import BotPlayer
from netcode.client.client import Client
from netcode.client.connection import ClientError
from netcode.host import exit_codes, local_host
from netcode.host.bot_supervisor import BotSupervisor
from netcode.host.config import ConfigError, HostConfig
from netcode.host.local_host import resume_local_host, start_local_host
from netcode.host.saved_games import SavedGame, SavedGameInfo, list_saved_games
from netcode.processes.start import child_env
from netcode.protocol import wire
from netcode.protocol.credentials import Join, new_pair, parse_join
from tests.faults.default_host import children_of
from tests.netcode.bots import bot_views as views
from tests.netcode.client.scripted_client import ScriptedClient
from tests.netcode.offline_table import STRONG
from tests.netcode.raw_client import RawClient, hello
from tests.netcode.running_host import alive, running_host, seated, shown, start_process, until
from tests.patience import PATIENCE_S


# ---------------------------------------------------------------------------------------------------------- bots
@pytest.mark.long(0)
async def test_bots_alone_play_a_game_to_its_end_and_the_host_ends() -> None:
    async with running_host(bots=3, seed=7) as host:
        code, errors = await asyncio.to_thread(host.ended, 60)
        assert code == 0 and re.fullmatch(r"kickdoor host: table \w+: .+ won\n", errors), errors


async def test_a_host_whose_only_table_is_lost_to_an_internal_error_does_not_end_with_success() -> None:
    failing = (
        "from netcode.table.table import Table\n"
        "def fail(*_): raise RuntimeError('a fault of the test')\n"
        "Table.message = fail"
    )
    async with running_host(first=failing) as host:
        client = host.client("Kim")
        with pytest.raises(ClientError, match="this table had to be closed"):
            await client.join()
            client.set(ready=True)
            await client.wait_for(lambda one: one.view is not None)
        await client.close()
        code, errors = await asyncio.to_thread(host.ended)
    assert code == exit_codes.CRASHED and "internal errors have closed the tables" in errors


@pytest.mark.long(0)
async def test_guest_bots_end_with_the_table(tmp_path: Path) -> None:
    async with running_host(seed=3) as host:
        program = (
            "import sys; from netcode.client.bot_runner import run_bot; sys.exit(run_bot(sys.stdin.readline(), 'easy'))"
        )
        environment = {**child_env(), "KICKDOOR_DATA": str(tmp_path)}
        bots = [
            await asyncio.create_subprocess_exec(
                sys.executable, "-c", program, env=environment, stdin=PIPE, stdout=PIPE, stderr=PIPE
            )
            for _ in range(3)
        ]
        try:
            ends = await asyncio.wait_for(asyncio.gather(*(bot.communicate(host.join.encode()) for bot in bots)), 60)
        finally:
            for bot in bots:
                if bot.returncode is None:
                    bot.kill()
        assert [(bot.returncode, errors) for bot, (_, errors) in zip(bots, ends)] == [(0, b"")] * 3
        code, told = await asyncio.to_thread(host.ended)
    assert code == 0
    results = [out.decode().splitlines()[-1] for out, _ in ends]
    winner = re.fullmatch(r"(.+) won the game in turn \d+", results[0])
    assert winner is not None and results == results[:1] * 3
    assert f": {winner[1]} won\n" in told


async def test_a_bot_that_cannot_sit_down_says_why() -> None:
    program = "import sys; from netcode.client.bot_runner import run_bot; sys.exit(run_bot(sys.argv[1], 'easy'))"
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, "kickdoor://x", env=child_env(), stderr=PIPE
    )
    _, errors = await bot.communicate()
    assert bot.returncode == 1 and errors.count(b"\n") == 1 and b"damaged" in errors


async def test_bots_that_die_are_replaced() -> None:
    async with running_host(bots=2, pace="relaxed", speed="fast") as host, seated(host, "Kim") as (kim,):
        await until(lambda: bool(children_of(host.process.pid)))
        (child,) = children_of(host.process.pid)
        os.kill(child, signal.SIGKILL)
        await until(lambda: children_of(host.process.pid) not in ([], [child]))
        await kim.do(Done())
        await kim.wait_for(lambda one: one.view.top != "setup", PATIENCE_S)


def test_a_bot_withdraws_its_waiting_action_when_the_card_asks_that_bot() -> None:
    client: Any = ScriptedClient(views.ViewBuilder().see())
    BotPlayer(client, "normal", random.Random(1), {})
    client.hear(wire.Ack(1, "queued"))
    client.hear(wire.Ticked(wire.Timers()))
    assert client.preferences == [], "nobody is asked: the action waits until the card has been read"
    assert client.view.you is not None
    client.view.you.asks.append(Ask(7, 0, "lose", [1, 2], 1, 1, 15))
    client.hear(wire.Update(1, 2, client.view))
    client.hear(wire.Update(1, 3, client.view))
    assert client.preferences == [{"withdraw": True}], "it withdraws once"
    client.hear(wire.Ack(1, "queued"))
    client.hear(wire.Ack(1, "applied"))
    assert len(client.preferences) == 2
    client.hear(wire.Update(1, 4, client.view))
    assert len(client.preferences) == 2, "it has no waiting action any more"


async def test_bots_that_keep_ending_are_started_again_after_a_pause(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("netcode.host.bot_supervisor.ENDS", 1)
    monkeypatch.setattr("netcode.host.bot_supervisor.ENDS_S", 1.2)
    monkeypatch.setattr("netcode.processes.start.sys.executable", "/bin/false")
    supervisor = BotSupervisor("127.0.0.1")
    asked: list[float] = []
    enough = asyncio.Event()

    def died() -> None:
        asked.append(time.monotonic())
        supervisor.send(target, "Ada", "easy")
        if len(asked) == 3:
            enough.set()

    target = Join("127.0.0.1", 1, "t", bytes(32), bytes(16))
    supervisor.died = died
    supervisor.send(target, "Ada", "easy")
    await asyncio.wait_for(enough.wait(), PATIENCE_S)  # the child ends, the supervisor pauses, the child ends again
    supervisor.close()
    assert asked[1] - asked[0] >= 1.1, "the supervisor did not pause"
    assert [text for text in caplog.messages if "they pause for as long" in text]


# ----------------------------------------------------------------------------------------------------- solo play
async def test_a_solo_host_plays_with_one_and_ends_when_the_player_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    solo = await asyncio.to_thread(start_local_host, HostConfig(seats=4), "Kim")
    kim = Client(solo.join, "Kim", home=tmp_path)
    await kim.join()
    await kim.wait_for(lambda one: one.view is not None)
    assert kim.info is not None and kim.info.solo
    assert [seat.state for seat in kim.info.seats] == ["here", "bot", "bot", "bot"]
    command = Path(f"/proc/{solo.process.pid}/cmdline").read_bytes()
    assert parse_join(solo.join).token.hex().encode() not in command and b"kickdoor://" not in command
    assert isinstance(await kim.do(Done()), wire.Ack)
    await kim.wait_for(lambda one: one.view.top != "setup", PATIENCE_S)
    await kim.leave()
    await until(lambda: solo.process.poll() is not None)
    assert solo.process.returncode == 0


@pytest.mark.long(0)
async def test_bots_of_a_solo_host_wait_outside_until_they_are_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game is dealt without them, and their seats look as always."""
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    solo = await asyncio.to_thread(start_local_host, HostConfig(seats=3), "Kim", bots_wait=True)
    kim = Client(solo.join, "Kim", home=tmp_path)
    await kim.join()
    await kim.wait_for(lambda one: one.view is not None)
    assert [seat.state for seat in kim.info.seats] == ["here", "bot", "bot"]
    assert isinstance(await kim.do(Done()), wire.Ack)
    assert children_of(solo.process.pid) == [], "a bot has been started"
    solo.let_bots_in()
    await kim.wait_for(lambda one: one.view.top != "setup", PATIENCE_S)
    await kim.leave()
    await until(lambda: solo.process.poll() is not None)


async def test_bots_that_nobody_lets_in_come_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("netcode.host.bot_supervisor.HELD_S", 0.1)
    supervisor, never = BotSupervisor("127.0.0.1"), threading.Event()
    supervisor.hold(never.wait)
    supervisor.send(Join("127.0.0.1", 1, "t", bytes(32), bytes(16)), "Ada", "easy")
    assert supervisor.process is None
    await until(lambda: supervisor.process is not None)
    supervisor.close()
    never.set()


@pytest.mark.long(0)
async def test_a_solo_host_waits_for_its_player_then_ends_and_the_game_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    monkeypatch.setattr(local_host, "ENDING_S", 0.1)
    solo = await asyncio.to_thread(start_local_host, HostConfig(seats=3, gone_s=4), "Kim")
    kim = Client(solo.join, "Kim", home=tmp_path)
    await kim.join()
    await kim.wait_for(lambda one: one.view is not None)
    hand = kim.view.you.hand  # the setup waits for her
    (kept,) = list_saved_games()
    assert kept.played
    await kim.close()
    (kept,) = list_saved_games()
    assert not kept.played
    still = await asyncio.to_thread(resume_local_host, kept)
    assert still.process is None and still.join == solo.join, "its host still runs"
    again = Client(still.join, "Kim", home=tmp_path)
    await again.join()
    await again.wait_for(lambda one: one.view is not None)
    assert again.seat == 0 and again.view.you.hand == hand
    await again.close()
    await until(lambda: solo.process.poll() is not None, PATIENCE_S)
    assert solo.process.returncode == 0
    (kept,) = list_saved_games()
    assert (kept.info.sets, kept.info.seats, kept.info.player) == (("munchkins-and-mazes",), 3, "Kim")
    later = await asyncio.to_thread(resume_local_host, kept)
    back = Client(later.join, "Kim", home=tmp_path)
    await back.join()
    await back.wait_for(lambda one: one.view is not None)
    assert back.seat == 0 and back.view.you.hand == hand
    await back.leave()
    await until(lambda: later.process.poll() is not None)
    assert list_saved_games() == [] and not list((tmp_path / "solo").iterdir())


@pytest.mark.long(0)
async def test_another_game_alone_has_the_same_seats_cards_options_and_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    (tmp_path / "near.toml").write_text(STRONG)
    config = HostConfig(seats=3, scenario=str(tmp_path / "near.toml"), bot_level="hard", pace="quick", speed="fast")
    solo = await asyncio.to_thread(start_local_host, config, "Kim")
    kim = Client(solo.join, "Kim", home=tmp_path)
    await kim.join()
    await kim.wait_for(lambda one: one.view is not None)
    before = kim.info
    assert isinstance(await kim.do(Kick()), wire.Ack)
    await kim.wait_for(lambda one: one.view.fight is not None, PATIENCE_S)
    assert isinstance(await kim.do(Claim()), wire.Ack)
    await kim.wait_for(lambda one: one.view.winners == [0], PATIENCE_S)
    kim.set(ready=True)
    await kim.wait_for(lambda one: one.info.game == 2 and not one.view.winners, PATIENCE_S)
    for name in ("packs", "options", "pace", "owner", "solo"):
        assert getattr(kim.info, name) == getattr(before, name)
    assert [(seat.name, seat.state, seat.bot) for seat in kim.info.seats] == [
        (seat.name, seat.state, seat.bot) for seat in before.seats
    ]
    assert kim.info.seats[0].wins == 1 and kim.view.turn_no == 1
    await kim.leave()
    await until(lambda: solo.process.poll() is not None)


@pytest.mark.long(0)
async def test_a_solo_host_that_is_killed_is_replaced_at_the_same_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    solo = await asyncio.to_thread(start_local_host, HostConfig(seats=3), "Kim")
    kim = Client(solo.join, "Kim", home=tmp_path)
    await kim.join()
    await kim.wait_for(lambda one: one.view is not None)  # the bots have joined and the game has begun
    solo.process.kill()
    await until(lambda: solo.crashed)
    again = await asyncio.to_thread(resume_local_host, solo.saved)
    assert again.join == solo.join, "the client finds it where it was"
    assert isinstance(await kim.do(Done()), wire.Ack)
    await kim.leave()
    await until(lambda: again.process.poll() is not None)


@pytest.mark.long(0)
async def test_beyond_the_limit_a_saved_game_replaces_the_oldest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    monkeypatch.setattr("netcode.host.saved_games.GAMES", 2)
    folders = []
    for _ in range(3):
        solo = await asyncio.to_thread(start_local_host, HostConfig(seats=3), "Kim")
        kim = Client(solo.join, "Kim", home=tmp_path)
        await kim.join()
        await kim.close()
        solo.process.kill()
        solo.process.wait(5)
        folders.append(solo.saved.folder)
    assert [kept.folder for kept in list_saved_games()] == folders[:0:-1]
    (folders[2] / "table.sqlite").write_bytes(b"no journal at all")
    (folders[1] / "game.json").write_bytes(b"no game at all")
    (damaged,) = list_saved_games()
    assert damaged.folder == folders[2] and folders[1].exists(), "listed, or skipped; not deleted"
    with pytest.raises(ConfigError, match=r"is damaged .* `kickdoor host --repair --data") as told:
        await asyncio.to_thread(resume_local_host, damaged)
    assert "\n" not in str(told.value)
    assert (folders[2] / "table.sqlite").read_bytes() == b"no journal at all", "it stays as it is"


def test_a_solo_host_that_cannot_start_says_why_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    with pytest.raises(ConfigError, match="no card pack 'nope'"):
        start_local_host(HostConfig(sets=("nope",)), "Kim")


# --------------------------------------------------------------------------------------------------- the journal
async def play_on(clients: list[Client], acts: int) -> None:
    """Let players do the first legal action, this many times."""
    done = 0
    async with asyncio.timeout(PATIENCE_S):
        while done < acts:
            for client in clients:
                rows = client.view.you.legal if client.view is not None and client.view.you is not None else []
                ask = bool(client.view.you.asks) if client.view is not None and client.view.you is not None else False
                rows = [row for row in rows if ask or isinstance(row.action, Pass)]
                choices = [action for row in rows for action in suggest(row)[:1]]
                if choices and isinstance(await client.do(choices[0]), wire.Ack):
                    done += 1
            await asyncio.sleep(0.01)


async def test_a_killed_host_restores_its_table_and_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with running_host(data=str(data), pace="quick") as host, seated(host, "Kim", "Roger", "Ross") as clients:
        await play_on(clients, 12)
        port, before = parse_join(host.join).port, [client.view for client in clients]
        host.process.kill()
        host.process.communicate()
        async with running_host(data=str(data), port=port) as again:
            assert again.join == host.join
            for client in clients:
                await client.wait_for(lambda one: one.stage == "synced" and one.welcome.epoch == 2, PATIENCE_S)
            for client, old in zip(clients, before):
                now = client.view
                assert now is not None and now.you is not None and old is not None and old.you is not None
                assert now.rev > old.rev or (now.rev == old.rev and now.you.hand == old.you.hand)
            await play_on(clients, 3)
    for file in data.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


@pytest.mark.long(0)
async def test_a_host_restarted_after_a_kill_has_its_bots(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    bots: dict[str, Any] = {"bots": 2, "pace": "relaxed", "speed": "fast", "seed": 7}
    async with running_host(data=data, **bots) as host, seated(host, "Kim") as (kim,):
        await kim.do(Done())
        await kim.wait_for(lambda one: one.view.top != "setup", PATIENCE_S)
        port, rev = parse_join(host.join).port, shown(kim).rev
        host.process.kill()
        host.process.communicate()
        async with running_host(data=data, port=port) as again:
            await kim.wait_for(lambda one: one.stage == "synced" and one.welcome.epoch == 2, PATIENCE_S)
            assert kim.view is not None and kim.view.rev >= rev
            assert [seat.state for seat in kim.info.seats] == ["here", "bot", "bot"]
            async with asyncio.timeout(PATIENCE_S):
                while kim.view.turn_no < 2:
                    await play_on([kim], 1)
            assert again.process.poll() is None


@pytest.mark.long(0)
async def test_two_hosts_do_not_share_a_journal(tmp_path: Path) -> None:
    async with running_host(data=str(tmp_path)):
        process = start_process(data=str(tmp_path))
        _, errors = await asyncio.to_thread(process.communicate, None, 15)
        assert process.returncode == 2 and "another host is using" in errors and errors.count("\n") == 1


async def test_the_bots_end_with_a_host_that_is_killed() -> None:
    async with running_host(bots=3, pace="relaxed") as host:
        await until(lambda: bool(children_of(host.process.pid)))
        (child,) = children_of(host.process.pid)
        host.process.kill()
        await until(lambda: not alive(child))


async def test_a_table_that_is_always_busy_still_notices_silent_players() -> None:
    async with running_host() as host, contextlib.AsyncExitStack() as cleanup:
        kim = cleanup.enter_context(RawClient(host.join, new_pair()))
        kim.send(hello(host.join, "Kim"))
        welcome = await kim.answer(wire.Welcome)
        roger = host.client("Roger")
        cleanup.push_async_callback(roger.close)
        await roger.join()

        async def chatter() -> None:
            while True:
                roger.sync()
                await asyncio.sleep(0.3)

        talking = asyncio.ensure_future(chatter())
        cleanup.callback(talking.cancel)
        await roger.wait_for(lambda one: one.info.seats[welcome.seat].state == "lost", timeout=PATIENCE_S)


async def test_the_bots_end_even_if_one_of_them_misses_its_cancellation(monkeypatch: pytest.MonkeyPatch) -> None:
    """asyncio.wait_for swallows a cancellation that arrives together with its result."""
    missed, seated_bot = 0, threading.Event()

    def lines() -> Iterator[str]:
        yield "{}\n"
        seated_bot.wait(10)

    async def ignores_one_cancellation(*_: object) -> None:
        nonlocal missed
        seated_bot.set()
        while missed < 1:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                missed += 1
        await asyncio.sleep(60)

    monkeypatch.setattr(bot_runner, "_play_seat", ignores_one_cancellation)
    monkeypatch.setattr(sys, "stdin", lines())
    await asyncio.wait_for(bot_runner._run_all(), PATIENCE_S)
    assert missed == 1


def test_a_bot_waits_longer_for_people_and_without_a_limit_for_a_person_alone_with_bots() -> None:
    kim, ada, bo = wire.SeatInfo("Kim", "here"), wire.SeatInfo("Ada", "bot", bot="hard"), wire.SeatInfo("Bo", "here")
    offers = {to: Bargain(1, 0, to, "help", to, 1, False, [], [], [], 1) for to in (1, 2)}

    def waits(seats: list[wire.SeatInfo], to: int = 1, solo: bool = False, watchers: int = 0) -> float | None:
        info = wire.TableInfo("t", seats, solo=solo, watchers=watchers)
        return bot_runner.offer_wait(info, views.ViewBuilder(offers=[offers[to]]).see())

    assert waits([ada, kim, ada, ada], solo=True) is None and waits([ada, kim, bo, ada]) == 12
    assert waits([ada, kim, ada, ada], to=2, solo=True) == 12, "a bot answers by itself"
    assert waits([ada] * 4, watchers=1) == 1 and waits([ada] * 4) == 0.1


async def test_a_bot_waits_for_somebody_alone_until_the_host_says_that_they_have_passed_its_offer_over() -> None:
    offer = Bargain(1, 0, 1, "help", 1, 1, False, [], [], [], 1)
    client: Any = ScriptedClient(views.ViewBuilder(offers=[offer]).see())
    bot, people = wire.SeatInfo("Ada", "bot", bot="hard"), wire.SeatInfo("Kim", "here")
    client.info, client.timers = wire.TableInfo("t", [bot, people, bot], solo=True), wire.Timers(waits=True)
    client.clocks = lambda: client.timers
    waiting = asyncio.ensure_future(BotPlayer(client, "normal", random.Random(1), {})._wait_for_answer(client.view))
    await asyncio.sleep(0.05)
    client.hear(wire.Ticked(client.timers))
    await asyncio.sleep(0)
    assert not waiting.done()
    client.timers = wire.Timers()
    client.hear(wire.Ticked(client.timers))
    await asyncio.wait_for(waiting, 5)


@pytest.mark.parametrize(("code", "unfinished", "crashed"), [
    (None, True, False), (1, False, True), (0, False, False), (0, True, True),
])  # fmt: skip
def test_a_solo_host_that_has_ended_before_its_game_is_to_be_started_again(
    code: int | None, unfinished: bool, crashed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_host, "is_abandoned", lambda folder: unfinished)
    process: Any = SimpleNamespace(poll=lambda: code)
    saved = SavedGame(tmp_path, SavedGameInfo((), 3, "normal", "", "Kim"), 0.0)
    assert local_host.LocalHost("", saved, process).crashed is crashed


async def test_messages_that_arrive_meanwhile_do_not_make_a_bot_act_earlier() -> None:
    client: Any = ScriptedClient(views.ViewBuilder().see())
    bot = BotPlayer(client, "normal", random.Random(1), {})
    waiting = asyncio.ensure_future(bot._wait_for_change(client.view, 30))
    for _ in range(3):
        await asyncio.sleep(0)
        client.hear(wire.Pong(1, wire.Timers()))
    assert not waiting.done(), "nothing has changed"
    client.view = views.ViewBuilder().see()
    client.hear(wire.Update(1, 2, client.view))
    await asyncio.wait_for(waiting, 5)
