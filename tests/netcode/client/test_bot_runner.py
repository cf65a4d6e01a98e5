"""A bot as a client: what becomes of its own mistakes."""

import asyncio
import random
from typing import Any

import pytest

from core.state.actions import Done
from netcode.client import bot_runner
from netcode.client.bot_runner import BotPlayer
from tests.netcode.running_host import running_host, until


async def test_a_bot_that_fails_in_a_decision_says_so_and_plays_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made, failed = bot_runner.make_player, list[str]()

    def fails_once(*about: Any) -> Any:
        if failed:
            return made(*about)
        failed.append("once")
        raise ZeroDivisionError("a fault of the test")

    monkeypatch.setattr(bot_runner, "make_player", fails_once)
    async with running_host(bots=1, pace="relaxed", speed="fast") as host:
        guest, kim = host.client("Ada", role="bot", level="normal"), host.client("Kim")
        playing = asyncio.ensure_future(BotPlayer(guest, "normal", random.Random(1), {}).play())
        await kim.join()
        kim.set(ready=True)
        await kim.wait_for(lambda one: one.view is not None)
        await until(lambda: "Ada met an internal error in a decision" in caplog.text)
        assert "ZeroDivisionError" in caplog.text and not playing.done()
        await kim.do(Done())
        await kim.wait_for(lambda one: one.view.top != "setup", 20)
        await kim.close()
        playing.cancel()
        await guest.close()
