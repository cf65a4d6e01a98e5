"""The answers to a client's actions: an answer comes once the view contains the effects, and a refusal says why."""

import asyncio

import pytest
from msgspec.structs import replace

from core.state.actions import Done, Kick, Play
from core.state.model import decode
from netcode.protocol import codec, limits, wire
from tests.netcode.running_host import running_host, seated


async def test_an_answer_waits_for_the_view_when_a_delta_was_lost() -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as (kim, *_):
        received, lost = kim._received, list[wire.Down]()

        def lose_the_first_delta(frame: bytes) -> None:
            message = codec.unpack_down(frame)
            if isinstance(message, wire.Delta) and not message.whole:
                lost.append(message)
                if len(lost) == 1:
                    message = replace(message, seq=message.seq + 1)  # as if one before it were missing
                    frame = codec.pack(message)
            received(frame)

        kim._transport._received = lose_the_first_delta
        before = kim.view
        answer = await kim.do(Done())
        assert lost and answer.why == "" and kim.view is not before
        assert kim.view is not None and kim.view.you is not None
        assert not any(ask.kind == "ready" for ask in kim.view.you.asks), "the view holds the act"


async def test_between_a_hello_and_its_answer_a_client_sends_nothing_else() -> None:
    """Any message of a client tells the host that the client has the token of the newest welcome. The host then drops
    the older tokens."""
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as (kim, *_):
        received, late, before = kim._received, list[bytes](), kim.welcome
        kim._transport._received = late.append
        kim._hello_at = -60.0
        kim._hello()
        assert not kim._send(wire.Ping(kim._s, 1)) and not kim._send(wire.Sync(kim._s))
        kim.sync()
        while not any(isinstance(codec.unpack_down(frame), wire.Welcome) for frame in late):
            await asyncio.sleep(0.01)
        kim._transport._received = received
        for frame in late:
            received(frame)
        assert kim.welcome is not before and kim._send(wire.Ping(kim._s, 2))
        await kim.do(Done())


async def test_an_action_says_on_which_view_it_was_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as (kim, *_):
        sent, send = list[wire.Up](), kim._send

        def record(message: wire.Up) -> bool:
            sent.append(message)
            return send(message)

        monkeypatch.setattr(kim, "_send", record)
        assert kim.view is not None
        rev = kim.view.rev
        for action in (Play(1), Play(1, seen=rev - 1)):
            await kim.do(action)
        acts = [message.action for message in sent if isinstance(message, wire.Act)]
        assert acts == [Play(1, seen=rev), Play(1, seen=rev - 1)]


async def test_a_refusal_says_why_with_the_clause() -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as (kim, *_):
        answer = await kim.do(Kick())
        assert isinstance(answer, wire.Refused)
        assert answer.why == f"{answer.refusal.text} ({answer.refusal.clause})" and answer.refusal.text
        assert kim.choices() and Kick() not in kim.choices()


async def test_an_action_that_came_too_fast_is_sent_again_as_soon_as_the_host_allows() -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as (kim, *_):
        heard = list[object]()
        kim.subscribe(heard.append)
        answers = [await kim.do(Kick()) for _ in range(24)]
        assert len(answers) > wire.Act.rate.burst
        assert all(isinstance(answer, wire.Refused) for answer in answers), answers[-1]
        assert not any(isinstance(message, wire.Error) for message in heard), "whoever acts need not know"


async def test_what_a_guest_bot_is_called_is_cleaned_and_bounded() -> None:
    async with running_host(pace="relaxed") as host:
        name = "Greedy\x1b[31m\n\u202eby Kim, the best of all"
        bots = [host.client(f"Robin{no}", role="bot", level=level) for no, level in enumerate((name, "", "hard"))]
        await asyncio.gather(*(bot.join() for bot in bots))
        await bots[0].wait_for(lambda one: one.info is not None and all(seat.bot for seat in one.info.seats))
        shown = {seat.name: seat.bot for seat in bots[0].info.seats}
        assert shown == {"Robin0": "Greedy(31m by Kim, the", "Robin1": "normal", "Robin2": "hard"}
        assert all(len(called) <= limits.BOT_CHARS for called in shown.values())
        await asyncio.gather(*(bot.close() for bot in bots))


async def test_views_brings_each_newest_view_once_and_ends_with_the_table() -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as (kim, *_):
        views = kim.views()
        first = await anext(views)
        assert first is kim.view
        refused = await kim.do(Kick())
        assert refused.why
        waiting = asyncio.ensure_future(anext(views, None))
        await asyncio.sleep(0)
        assert not waiting.done(), "a refusal changes nothing"
        await kim.do(Done())
        assert await waiting is not first
        await kim.close()
        assert not [view async for view in views if view is first]


async def test_what_a_seat_knows_is_sent_from_when_its_client_asks_for_it() -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as (kim, roger, _):
        assert kim.veiled is None
        knowledge, seen = await kim.knowledge(), kim.view
        assert knowledge is not None and knowledge.seat == kim.seat and seen is not None
        assert decode(knowledge.data).rev == seen.rev and kim.stage == "synced"
        answer = await kim.do(Done())
        assert answer.why == "" and kim.veiled is not None and kim.veiled != knowledge, "it comes with every view"
        assert await kim.knowledge() == kim.veiled
        assert roger.veiled is None, "nobody else is sent it"


async def test_a_host_that_does_not_tell_what_a_seat_knows_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_host(pace="relaxed") as host, seated(host, "Kim", "Roger", "Ross") as (kim, *_):
        monkeypatch.setattr(kim, "_hello", lambda: None)
        assert await kim.knowledge(timeout=0.3) is None
        assert (await kim.do(Done())).why == ""
