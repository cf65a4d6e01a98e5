"""A real host process and real clients over TCP on loopback: joining, being refused, returning, racing."""

import asyncio
import contextlib
import os
import signal
import socket
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.state.actions import Answer, Done, Flee, Kick, Pass, Play
from core.state.model import DEFN_MASK
from netcode.client.client import Client, ClientError
from netcode.protocol import wire
from netcode.protocol.credentials import new_pair, parse_join
from netcode.protocol.pack_files import built_in_pack
from tests.netcode.offline_table import FIGHT
from tests.netcode.raw_client import RawClient, hello
from tests.netcode.running_host import running_host, seated, shown, start_process, you


async def test_three_sit_down_and_everybody_sees_their_own_hand_only() -> None:
    async with running_host() as host, seated(host, "Kim", "Roger", "Ross") as clients:
        hands = []
        for number, client in enumerate(clients):
            assert client.seat == number
            assert client.view is not None and client.view.you is not None
            assert [len(client.view.you.hand)] + [seat.hand for seat in client.view.seats] == [8, 8, 8, 8]
            hands.append(set(client.view.you.hand))
            told = [told.event for told in client.events if type(told.event).__name__ == "Drew"]
            assert all(event.cards == [] for event in told if event.seat != number)
        assert not hands[0] & hands[1] | hands[1] & hands[2] | hands[0] & hands[2]
        assert clients[0].info is not None
        assert [seat.name for seat in clients[0].info.seats] == ["Kim", "Roger", "Ross"]


async def test_a_key_held_down_sends_the_host_the_newest_preference_only() -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as clients:
        kim = clients[0]
        heard: list[object] = []
        kim.subscribe(heard.append)
        for number in range(301):
            kim.set(speed=("fast", "slow")[number % 2])
        kim.set(speed="slow")
        await kim.wait_for(lambda one: one.info is not None and one.info.speed == "slow")
        assert not [message for message in heard if isinstance(message, wire.Error)]
        assert kim.stage == "synced"


async def test_a_key_without_a_meaning_of_its_own_brings_an_absent_player_back() -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as clients:
        kim, roger, _ = clients
        owner = next(client for client in clients if client.info is not None and client.info.owner == client.seat)
        absent = roger if owner is kim else kim
        owner.admin("bot", absent.seat)
        await absent.wait_for(lambda one: one.info is not None and one.info.seats[absent.seat].state == "away")
        absent.set()
        await absent.wait_for(lambda one: one.info is not None and one.info.seats[absent.seat].state == "here")


async def test_a_pending_action_fails_when_the_client_is_closed() -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as clients:
        waiting = asyncio.ensure_future(clients[0].do(Done()))
        await asyncio.sleep(0)  # let it be sent
        await clients[0].close()
        with pytest.raises(ClientError, match="you left the table"):
            await waiting


async def test_everybody_sees_an_action_and_its_answer_comes_after_the_view() -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as clients:
        for client in clients:
            assert await client.do(Done()) == wire.Ack(1, "applied")
        await clients[0].wait_for(lambda one: one.view.top == "turn")
        turn = shown(clients[0]).turn
        mover = clients[turn]
        assert isinstance(await mover.do(Kick()), wire.Ack)
        assert mover.view is not None and mover.view.window is not None
        for client in clients:
            await client.wait_for(lambda one: one.view.window is not None)
        other = clients[turn - 1]
        refusal = await other.why(Kick())
        assert refusal is not None and refusal.text
        answer = await other.do(Kick())
        assert isinstance(answer, wire.Refused) and answer.refusal.clause == refusal.clause
        assert await other.why(Pass(shown(other).window.id)) is None


async def test_talk_reaches_everybody_and_is_clean() -> None:
    async with running_host() as host, seated(host, "Kim", "Roger", "Ross") as clients:
        heard: asyncio.Queue[wire.Talk] = asyncio.Queue()
        clients[2].subscribe(lambda m: heard.put_nowait(m) if isinstance(m, wire.Talk) else None)
        clients[0].say("hi \x1b[31mthere")
        talk = await asyncio.wait_for(heard.get(), 5)
        assert (talk.seat, talk.name, talk.text) == (0, "Kim", "hi (31mthere")


async def test_a_full_table_says_so_and_a_wrong_token_gets_the_same_answer_as_another_table() -> None:
    async with running_host() as host, seated(host, "Kim", "Roger", "Ross"):
        with pytest.raises(ClientError, match="taken") as full:
            await host.client("Late").join()
        assert full.value.code == "table_full"
        target = parse_join(host.join)
        for change, code in (({"token": b"x" * 16}, "bad_token"), ({"table": "other"}, "bad_token")):
            wrong = replace(target, **change)
            with pytest.raises(ClientError) as error:
                await Client(wrong, "Wrong", keep=False).join()
            assert error.value.code == code
            assert "\n" not in error.value.text


async def test_without_the_right_server_key_a_host_sends_no_message() -> None:
    async with running_host() as host:
        target = parse_join(host.join)
        wrong = replace(target, key=new_pair().public)
        with pytest.raises(ClientError, match=r"key|lost|nobody") as error:
            await Client(wrong, "Eve", keep=False).join(timeout=2)
        assert str(target.port) in error.value.text
        with socket.create_connection((target.host, target.port), 2) as plain:
            plain.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(60))
            plain.settimeout(5)
            got = b""
            with contextlib.suppress(ConnectionResetError):  # a reset is no answer either
                while chunk := plain.recv(4096):
                    got += chunk
            assert len(got) <= 200


async def test_an_unreachable_host_gets_one_clear_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    target = parse_join("kickdoor://127.0.0.1:1/t#" + "A" * 43 + "." + "A" * 22)
    with pytest.raises(ClientError, match=f"nobody answers at 127.0.0.1:{port}"):
        await Client(replace(target, port=port), "Kim", keep=False).join(timeout=1.5)


async def test_a_session_is_useless_to_another_connection() -> None:
    async with running_host() as host, seated(host, "Kim", "Roger", "Ross") as clients:
        kim = clients[0]
        assert kim.welcome is not None
        with RawClient(host.watch, new_pair()) as raw:
            raw.send(wire.Act(kim.welcome.s, 99, Done()))
            assert (await raw.answer(wire.Error)).code == "unknown_session"
            raw.send(hello(host.join, token=kim.welcome.token))
            assert (await raw.answer(wire.Error)).code == "bad_token"
        assert isinstance(await kim.do(Done()), wire.Ack)


async def test_noise_gets_an_error_and_changes_nothing() -> None:
    async with running_host() as host, seated(host, "Kim", "Roger", "Ross") as clients:
        with RawClient(host.join, new_pair()) as raw:
            for noise in (b"", b"\xc1", b"\x91" * 3000, os.urandom(200)):
                raw.send(noise)
                assert (await raw.answer(wire.Error)).code in ("bad_frame", "bad_schema")
            raw.send(hello(host.join, lo=7, hi=9))
            assert (await raw.answer(wire.Error)).code == "bad_version"
            raw.socket.send_multipart([b"a", b"b", b"c"])
        assert isinstance(await clients[0].do(Done()), wire.Ack)


async def test_a_lost_connection_returns_to_its_seat_by_itself() -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as clients:
        kim, roger, _ = clients
        hand = you(kim).hand
        first = kim.welcome
        kim.drop()
        assert kim.stage == "offline"
        n = kim.act(Done())
        await kim.wait_for(lambda one: one.stage == "synced")
        assert kim.seat == 0 and you(kim).hand == hand
        assert kim.welcome is not None and first is not None and kim.welcome.s == first.s
        assert kim.welcome.token != first.token
        await kim.wait_for(lambda one: not one.busy)
        await roger.wait_for(lambda one: [deciding.seat for deciding in one.view.deciding] == [1, 2])
        assert n == 1


async def test_joining_again_from_the_same_data_folder_leads_to_the_same_seat(tmp_path: Path) -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross", home=tmp_path) as clients:
        kim, roger, _ = clients
        hand = you(kim).hand
        assert isinstance(await kim.do(Done()), wire.Ack)
        await kim.close()
        back = host.client("Kim", tmp_path)
        await back.join()
        assert back.seat == 0 and you(back).hand == hand
        answer = await back.do(Answer(5))
        assert isinstance(answer, wire.Refused) and answer.n == 2, "numbers go on where the session stood"
        second = host.client("Roger", tmp_path)
        joining = asyncio.ensure_future(second.join())  # Roger's place is in use, and this one has another key
        await roger.wait_for(lambda one: bool(one.knocks))
        assert [(one.name, one.seat, one.here) for one in roger.knocks] == [("Roger", roger.seat, True)]
        third = host.client("Ann", tmp_path)
        with pytest.raises(ClientError, match="taken"):
            await third.join()
        joining.cancel()
        await second.close()
        await back.close()
        assert roger.stage == "synced"


async def test_joining_twice_with_one_seat_ends_the_older_session(tmp_path: Path) -> None:
    async with running_host() as host, seated(host, "Kim", "Roger", "Ross") as clients:
        kim = clients[0]
        assert kim.welcome is not None
        with RawClient(host.join, kim._saved_seat.pair) as copy:
            copy.send(hello(host.join, "Kim", token=kim.welcome.token))
            assert (await copy.answer(wire.Welcome)).seat == 0
            assert "elsewhere" in await asyncio.wait_for(kim.wait_closed(), 5)
            assert kim.code == "superseded"


async def test_an_action_sent_twice_is_done_once() -> None:
    async with running_host(pace="relaxed") as host:
        with RawClient(host.join, new_pair()) as raw:
            raw.send(hello(host.join, "Raw"))
            welcome = await raw.answer(wire.Welcome)
            raw.send(wire.Set(welcome.s, ready=True))
            async with seated(host, "Kim", "Roger"):
                act = wire.Act(welcome.s, 1, Done())
                raw.send(act)
                raw.send(act)
                assert (await raw.answer(wire.Ack)).status == "applied"
                assert (await raw.answer(wire.Ack)).status == "dup"


async def test_in_a_race_the_slower_player_is_told_who_was_faster_and_keeps_the_card(tmp_path: Path) -> None:
    file = tmp_path / "race.toml"
    file.write_text(FIGHT.replace('hand = ["Advantaged"]', 'hand = ["Advantaged", "Wandering Monster"]'))
    async with running_host(pace="quick", scenario=str(file)) as host, seated(host, "Kim", "Roger", "Ross") as clients:
        kim, roger, ross = clients
        assert isinstance(await kim.do(Kick()), wire.Ack)
        await kim.wait_for(lambda one: one.view.fight is not None)
        assert isinstance(await kim.do(Flee()), wire.Ack)
        await roger.wait_for(lambda one: one.view.window is not None and one.view.window.kind == "lost")
        seen, monster = shown(roger).rev, shown(roger).fight.monsters[0].id
        names = {card & DEFN_MASK: card for card in you(roger).hand}
        advantaged = next(iter(names.values()))
        glitter = you(kim).hand[0]
        fast, slow = await asyncio.gather(
            roger.do(Play(advantaged, target=monster, seen=seen)),
            kim.do(Play(glitter, side="heroes", seen=seen, anyway=False)),
        )
        answers = sorted((fast, slow), key=lambda answer: type(answer).__name__)
        assert isinstance(answers[0], wire.Ack)
        refused = answers[1]
        assert isinstance(refused, wire.Refused)
        assert refused.refusal.clause == "changed" and refused.by >= 0 and 0 <= refused.ms < 1000
        loser, card = (kim, glitter) if refused is slow else (roger, advantaged)
        assert card in you(loser).hand
        assert ross.view is not None


async def test_a_scenario_may_set_a_winning_level_that_option_does_not_offer(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text(FIGHT.replace("steps = []", "steps = []\noptions = { win-level = 7 }"))
    async with running_host(scenario=str(file)) as host, seated(host, "Kim", "Roger", "Ross") as clients:
        assert {shown(client).win_level for client in clients} == {7}
        info = clients[0].info
        assert info is not None and info.options == ["win-level=7"]


async def test_a_pass_sends_nothing_to_the_others() -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as clients:
        for client in clients:
            await client.do(Done())
        await clients[0].wait_for(lambda one: one.view.top == "turn")
        turn = shown(clients[0]).turn
        mover, passer, third = clients[turn], clients[turn - 1], clients[turn - 2]
        await mover.do(Kick())
        for client in clients:
            await client.wait_for(lambda one: one.view.window is not None)
        seqs = [mover._seq, third._seq]
        heard: list[Any] = []
        for client in (mover, third):
            client.subscribe(lambda m: heard.append(m) if not isinstance(m, wire.Pong) else None)
        assert isinstance(await passer.do(Pass(shown(passer).window.id)), wire.Ack)
        await mover.why(Kick())  # all earlier messages have been answered
        await third.why(Kick())
        assert [type(message) for message in heard] == [wire.Reason, wire.Reason]
        assert seqs == [mover._seq, third._seq]


async def test_a_spectator_sees_what_everybody_may_see() -> None:
    async with running_host() as host:
        watcher = host.client("Wes", join=host.watch, role="watch")
        await watcher.join()
        assert watcher.seat == -1 and watcher.view is None
        async with seated(host, "Kim", "Roger", "Ross"):
            await watcher.wait_for(lambda one: one.view is not None)
            assert watcher.view is not None and watcher.view.you is None
            with pytest.raises(ClientError, match="watch"):
                await host.client("Wes", join=host.watch).join()
        await watcher.close()


async def test_a_client_fetches_the_packs_it_does_not_have(tmp_path: Path) -> None:
    folder = tmp_path / "home-made"
    folder.mkdir()
    for name, data in built_in_pack("munchkins-and-mazes").items():
        (folder / name).write_bytes(data)
    async with running_host(sets=[str(folder)]) as host:
        kim = host.client("Kim")
        await kim.join()
        assert kim.info is not None and not kim.info.packs[0].built_in
        assert await kim.packs() == [built_in_pack("munchkins-and-mazes")]
        await kim.close()


async def test_the_bearer_of_the_owner_string_may_fill_the_table_with_bots() -> None:
    async with running_host() as host:
        roger = host.client("Roger")
        await roger.join()
        boss = host.client("Boss", join=host.owner)
        await boss.join()
        assert boss.info is not None and boss.info.owner == boss.seat == 1
        boss.admin("start")
        await roger.wait_for(lambda one: one.view is not None)
        assert [seat.state for seat in roger.info.seats] == ["here", "here", "bot"]
        await boss.close()
        await roger.close()


async def test_a_host_that_is_told_to_stop_tells_its_clients() -> None:
    async with running_host(bots=1) as host, seated(host, "Kim", "Roger") as clients:
        code, errors = await asyncio.to_thread(host.stop, signal.SIGTERM)
        assert (code, errors) == (0, "")
        assert "kept no journal" in await asyncio.wait_for(clients[0].wait_closed(), 5)


@pytest.mark.long(4)
@pytest.mark.parametrize(("config", "says"), [
    ({"bind": "nowhere.example"}, "is not an address"),
    ({"bind": "192.0.2.77"}, "no address 192.0.2.77"),
    ({"seats": 9}, "3 to 6"),
    ({"bots": 7}, "do not fit"),
    ({"sets": ["no-such-pack"]}, "no card pack 'no-such-pack'"),
    ({"options": ["cheese"]}, "unknown option 'cheese'"),
    ({"memory_mb": 3}, "too little"),
    ({"bot_level": "divine"}, "unknown level"),
])  # fmt: skip
async def test_an_impossible_configuration_is_refused_in_one_line(config: dict[str, Any], says: str) -> None:
    process = start_process(**config)
    out, errors = await asyncio.to_thread(process.communicate, None, 15)
    assert (process.returncode, out) == (2, "")
    assert errors.count("\n") == 1 and says in errors and "Traceback" not in errors


async def test_a_port_in_use_is_reported_in_one_line() -> None:
    async with running_host() as host:
        process = start_process(port=parse_join(host.join).port)
        _, errors = await asyncio.to_thread(process.communicate, None, 15)
        assert process.returncode == 2
        assert "is in use" in errors and errors.count("\n") == 1


async def test_a_host_on_all_addresses_prints_a_string_for_each() -> None:
    async with running_host(bind="0.0.0.0") as host:
        assert host.join == host.joins[0]
        assert "127.0.0.1" in [parse_join(join).host for join in host.joins]
        assert len({parse_join(join).port for join in host.joins}) == 1
        client = host.client("Kim", join=host.joins[-1])
        await client.join()
        await client.close()


async def test_disconnecting_does_not_wait() -> None:
    async with running_host() as host:
        client = host.client("Ann")
        await client.join()
        closing = threading.Thread(target=asyncio.run, args=(client.close(),), daemon=True)
        closing.start()
        await asyncio.to_thread(closing.join, 5)
        assert not closing.is_alive(), "the context is still waiting for a socket"
