"""Searches in separate processes: the same verdicts, never late, and a bot that acts when its time is over."""

import asyncio
import os
import random
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future
from multiprocessing import active_children
from typing import Any

import pytest

from core.knowledge.seen import nothing_seen
from core.knowledge.veil import veil
from core.state.actions import Action
from core.view import view
from netcode.bots.factory import make_player
from netcode.bots.player import Observation
from netcode.bots.search import Question, Search, Searcher, Verdict, numbers
from netcode.bots.thinking import LEAST_S
from netcode.client import bot_runner
from netcode.client.bot_runner import BotPlayer
from netcode.client.thinker import Done
from netcode.client.thinkers import SEARCH_S, Thinkers
from netcode.protocol import wire
from netcode.simulation.game import SimulatedGame
from tests.blends import catalog_of, values_of
from tests.netcode.client.scripted_client import ScriptedClient

CATALOG = catalog_of(("munchkins-and-mazes",))
AWHILE_S = 60.0


def observations(seed: int = 4, every: int = 5) -> Iterator[Observation]:
    """Yield the observations of the asked seats in a game of bots."""
    game = SimulatedGame(CATALOG, ["normal"] * 3, seed)
    while not game.state.winners:
        for _ in range(every):
            if not game.state.winners:
                game.step()
        for ask in game.state.stack[-1].asks if game.state.stack else []:
            seen = nothing_seen(CATALOG, game.state, ask.seat)
            yield Observation(view(CATALOG, game.state, ask.seat), veil(CATALOG, game.state, ask.seat, seen))


def questions(budget: int) -> Iterator[Question]:
    player = make_player("hard", CATALOG, random.Random(2))
    assert isinstance(player, Searcher)
    found = (player.consider(observation, budget)[1] for observation in observations())
    return (question for question in found if question is not None)


async def test_another_process_finds_what_this_one_would() -> None:
    search, loop = Search(CATALOG, values_of(CATALOG)), asyncio.get_running_loop()
    thinkers = Thinkers(1)
    try:
        for question, _ in zip(questions(8), range(6)):
            verdict = await thinkers.answer("maze", CATALOG, question, 8, by=loop.time() + AWHILE_S)
            assert verdict == search.answer(question, 8)
    finally:
        await thinkers.close()


async def test_a_verdict_that_would_be_late_is_not_waited_for() -> None:
    loop, question = asyncio.get_running_loop(), next(questions(30))
    thinkers = Thinkers(1)
    try:
        soon = loop.time() + 0.01
        async with asyncio.timeout(AWHILE_S):
            assert await thinkers.answer("maze", CATALOG, question, 30, by=soon) is None, "it has to be started"
        assert await thinkers.answer("maze", CATALOG, question, 8, by=loop.time() + AWHILE_S) is not None
    finally:
        await thinkers.close()


async def test_a_process_that_dies_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("netcode.client.thinkers.RETRY_S", 0.0)
    loop, question = asyncio.get_running_loop(), next(questions(8))
    thinkers = Thinkers(1)
    try:
        before = await thinkers.answer("maze", CATALOG, question, 8, by=loop.time() + AWHILE_S)
        assert before is not None
        (worker,) = active_children()
        worker.kill()
        worker.join()
        again = None
        while again is None:  # whoever asks at that moment has no verdict
            again = await thinkers.answer("maze", CATALOG, question, 8, by=loop.time() + AWHILE_S)
        assert again == before
    finally:
        await thinkers.close()
    assert active_children() == []


@pytest.mark.long(0)
async def test_a_process_that_does_not_run_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("netcode.client.thinkers.RETRY_S", 0.0)
    monkeypatch.setattr("netcode.client.thinkers.FROZEN_S", 0.1)
    loop, question = asyncio.get_running_loop(), next(questions(8))
    thinkers = Thinkers(1)
    try:
        assert await thinkers.answer("maze", CATALOG, question, 8, by=loop.time() + AWHILE_S) is not None
        (worker,) = active_children()
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGSTOP)
        assert await thinkers.answer("maze", CATALOG, question, 8, by=loop.time() + 0.05) is None
        async with asyncio.timeout(AWHILE_S):
            while worker.is_alive():
                await asyncio.sleep(0.01)
                thinkers.budget()  # as a bot asks before each question
        assert await thinkers.answer("maze", CATALOG, question, 8, by=loop.time() + AWHILE_S) is not None
    finally:
        await thinkers.close()


def test_searches_are_shorter_where_they_are_slow_or_many_wait() -> None:
    thinkers = Thinkers(2)
    quick = thinkers.budget()
    assert 0 < quick <= numbers().budget
    thinkers._asked = {Future(): time.monotonic() for _ in range(4)}
    assert thinkers.budget() <= quick / 2
    for future in thinkers._asked:
        future.set_result(Done(Verdict(0, steps=1), 5.0))
    assert thinkers.budget() == 0, "then it plays without a search"


class Told(Thinkers):
    """Answers after some seconds, or not in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(1)
        self.seconds, self.asked = seconds, 0

    async def answer(self, table: str, catalog: Any, question: Question, budget: int, by: float) -> Verdict | None:
        self.asked += 1
        await asyncio.sleep(min(self.seconds, by - asyncio.get_running_loop().time()))
        return Verdict(1) if self.seconds < bot_runner.SEARCH_S else None


async def test_the_time_of_a_decision_is_the_same_whatever_was_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot acts when its time is over, whether the verdict comes at once, late or never, or there is nothing to
    search; a verdict counts if it came in time."""
    monkeypatch.setattr(bot_runner, "SEARCH_S", 0.15)
    player = make_player("hard", CATALOG, random.Random(2))
    assert isinstance(player, Searcher)
    seen = [(one, player.consider(one, 30)[1]) for one in observations()]
    searched = next(one for one, question in seen if question is not None)
    idle = next(one for one, question in seen if question is None)
    for observation, thinkers, asked in (
        (searched, Told(0.0), 1), (searched, Told(100 * AWHILE_S), 1), (idle, Told(0.0), 0),
    ):  # fmt: skip
        client: Any = ScriptedClient(observation.view)
        client.info, client.veiled = wire.TableInfo("t", [wire.SeatInfo("Kim", "here")], "playing"), observation.veiled
        bot = BotPlayer(client, "hard", random.Random(5), {}, thinkers)
        mind = make_player("hard", CATALOG, random.Random(2))
        began = time.monotonic()
        async with asyncio.timeout(AWHILE_S):  # long before the late verdict
            action = await bot._decide(mind, CATALOG)
        assert time.monotonic() - began >= 0.14, "not before its time"
        assert thinkers.asked == asked
        choice, question = make_player("hard", CATALOG, random.Random(2)).consider(  # type: ignore[attr-defined]
            observation, thinkers.budget()
        )
        expected: Action | None = question.found[1] if question is not None and not thinkers.seconds else choice
        assert action == expected


async def test_in_a_view_that_changed_meanwhile_it_does_what_it_would_without_a_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bot_runner, "SEARCH_S", 0.05)
    first, second = [one for one, _ in zip(observations(), range(2))]
    client: Any = ScriptedClient(first.view)
    client.info, client.veiled = wire.TableInfo("t", [wire.SeatInfo("Kim", "here")], "playing"), first.veiled
    client.stage = "synced"
    bot = BotPlayer(client, "hard", random.Random(5), {}, Told(0.0))
    deciding = asyncio.ensure_future(bot._decide(make_player("hard", CATALOG, random.Random(2)), CATALOG))
    await asyncio.sleep(0.01)
    client.view = second.view
    assert await deciding == make_player("normal", CATALOG, random.Random(2)).decide(Observation(second.view), 0)


def test_a_search_is_over_before_a_bot_acts() -> None:
    assert SEARCH_S < bot_runner.SEARCH_S < LEAST_S
