"""A host that is gone: a bot gives up after a time, a player waits."""

from contextlib import AsyncExitStack

import pytest

from netcode.protocol import limits, wire
from tests.netcode.running_host import running_host


async def test_a_bot_gives_up_a_host_that_is_gone_for_long_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_host(pace="relaxed") as host, AsyncExitStack() as stack:
        kim, bot, answered = host.client("Kim"), host.client("Robin", role="bot"), list[wire.Pong]()
        bot.subscribe(lambda message: answered.append(message) if isinstance(message, wire.Pong) else None)
        for client in (kim, bot):
            stack.push_async_callback(client.close)
            await client.join()
        monkeypatch.setattr(limits, "BOT_GIVES_UP_S", 0.4)
        await bot.wait_for(lambda _: len(answered) >= 2)  # longer than a bot waits for a host
        assert bot.stage == "synced"
        host.process.kill()
        assert await bot.wait_closed() == "the host is gone"
        assert kim.stage == "offline", "a player waits until the host is back"
