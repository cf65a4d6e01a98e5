"""A bot as a client: how its mistakes are handled."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import pytest

from core.language.catalog import Catalog
from core.state.actions import Action, Done
from core.state.events import AnyEvent
from netcode.bots.player import Observation, Player
from netcode.client import bot_runner
from netcode.client.bot_runner import BotPlayer
from tests.netcode.running_host import running_host, until
from tests.patience import PATIENCE_S
from tests.tui.command_line import kickdoor


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
        await kim.wait_for(lambda one: one.view.top != "setup", PATIENCE_S)
        await kim.close()
        playing.cancel()
        await guest.close()


class Unready(Player):
    """Cannot be made."""

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        raise OSError("there are no weights")

    def decide(self, observation: Observation, budget: int) -> Action | None: ...


class Divided(Player):
    """Fails whatever it is asked."""

    wants_events = True

    def __init__(self, catalog: Catalog, rng: random.Random) -> None: ...

    def observe(self, events: Sequence[AnyEvent]) -> None:
        raise ValueError("I do not listen")

    def decide(self, observation: Observation, budget: int) -> Action | None:
        return None

    @property
    def waiting(self) -> bool:
        return bool(1 / 0)


async def test_somebody_elses_class_that_cannot_be_made_says_so_and_leaves() -> None:
    async with running_host(seats=3, pace="relaxed") as host:
        kim = host.client("Kim")
        await kim.join()
        done = await asyncio.to_thread(kickdoor, "bot", host.join, "--bot", f"{__name__}:Unready", "--name", "Ada")
        assert done.returncode == 1 and done.stdout == ""
        (line,) = done.stderr.splitlines()
        assert "Unready cannot be made: OSError: there are no weights (test_bot_runner.py, line " in line
        await kim.wait_for(lambda one: one.info is not None and [s.name for s in one.info.seats].count("Ada") == 0)
        await kim.close()


async def test_mistakes_of_somebody_elses_class_are_one_line_each(caplog: pytest.LogCaptureFixture) -> None:
    async with running_host(bots=1, pace="relaxed", speed="fast") as host:
        guest, kim = host.client("Ada", role="bot", level="Divided"), host.client("Kim")
        playing = asyncio.ensure_future(BotPlayer(guest, f"{__name__}:Divided", random.Random(1), {}).play())
        await kim.join()
        kim.set(ready=True)
        await until(lambda: "observe: ValueError: I do not listen" in caplog.text)
        await until(lambda: "waiting: ZeroDivisionError" in caplog.text)
        assert "Traceback" not in caplog.text and not playing.done()
        await kim.close()
        playing.cancel()
        await guest.close()
