"""A game in which programs of their own play: at a host of its own on loopback, over the protocol (docs/protocol.md).

The other players are clients in this process. When the game is over the host reveals it, and it is played again from
its actions, so that its record is like all others.
"""

import asyncio
import json
import random
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import msgspec

from core.language.catalog import Catalog
from core.replay import rerun
from core.state.actions import Pass
from netcode.bots.makers import title_of, wants_veiled
from netcode.client.bot_runner import BotPlayer
from netcode.client.client import Client, ClientError
from netcode.host.config import HostConfig
from netcode.lab.commands import is_command, words_of
from netcode.protocol.revealed_game import RevealedGame, from_bytes
from netcode.protocol.table_options import parse_options, spell_options
from netcode.sandbox.python import child_env, service_command
from netcode.simulation.game import GameResult
from netcode.simulation.plan import GamePlan, Watcher, tables

SEATED_S, GAME_S, REVEALED_S = 30, 900, 30
"""Seconds that a player may take to sit down, a game to end, and the host to reveal it."""


def play_hosted(plan: GamePlan) -> GameResult:
    """Play this game. Raises ValueError, with one line for people, if its host does not start."""
    return asyncio.run(_play(plan))


async def _play(plan: GamePlan) -> GameResult:
    catalog, _ = tables(plan.sets, plan.packs)
    began = time.monotonic()
    async with AsyncExitStack() as stack:
        strings = await stack.enter_async_context(_host(plan))
        watcher = Client(strings["watch"], "Lab", role="watch", keep=False)
        stack.push_async_callback(watcher.close)
        await watcher.join()
        seats: list[Process | None] = []
        try:
            for seat, spec in enumerate(plan.bots):
                seats.append(await _sit_down(stack, strings["join"], spec, seat, plan))
                await watcher.wait_for(partial(_taken, seat=seat), SEATED_S)
            await watcher.wait_for(lambda one: _opened(one) > 0, GAME_S)
            revealed = from_bytes(await asyncio.wait_for(watcher.revealed_game(_opened(watcher)), REVEALED_S))
        except (TimeoutError, ClientError) as problem:
            return _unfinished(plan, watcher, seats, f"{type(problem).__name__}: {problem}", time.monotonic() - began)
    return _result(catalog, plan, revealed, time.monotonic() - began)


@asynccontextmanager
async def _host(plan: GamePlan) -> AsyncIterator[dict[str, str]]:
    """Run a host for one table and yield its strings."""
    config = HostConfig(
        sets=plan.sets, port=0, seats=len(plan.bots), seed=plan.seed, json=True, at_once=True,
        options=(*spell_options(plan.options), "open-hands"),
    )  # fmt: skip
    host = await asyncio.create_subprocess_exec(
        *service_command("netcode.host.main"), stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=child_env()
    )
    try:
        assert host.stdin is not None and host.stdout is not None
        host.stdin.write(msgspec.json.encode(config))
        host.stdin.close()
        answer: dict[str, Any] = json.loads(await host.stdout.readline() or b'{"error": "the host does not start"}')
        if "error" in answer:
            raise ValueError(str(answer["error"]))
        yield answer
    finally:
        await _end(host)


async def _sit_down(stack: AsyncExitStack, join: str, spec: str, seat: int, plan: GamePlan) -> Process | None:
    """Let a player take its seat; return its process if it is a command."""
    if is_command(spec):
        words = words_of(spec, join)
        process = await asyncio.create_subprocess_exec(*words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
        stack.push_async_callback(_end, process)
        return process
    client = Client(
        join, f"Player {seat}", role="bot", level=title_of(spec), keep=False, veiled=wants_veiled(spec)
    )  # fmt: skip
    stack.push_async_callback(client.close)
    rng = random.Random(f"{plan.seed}:{seat}")
    playing = asyncio.ensure_future(_AtOnce(client, spec, rng, {}, budget=plan.budget).play())
    stack.callback(playing.cancel)
    return None


class _AtOnce(BotPlayer):
    """A bot that does not wait before it decides: nobody watches but the lab."""

    async def _delay(self) -> None:
        return


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()


def _opened(watcher: Client) -> int:
    """Return the number of the revealed game, 0 if there is none yet."""
    return watcher.info.opened if watcher.info is not None else 0


def _taken(watcher: Client, seat: int) -> bool:
    return watcher.info is not None and watcher.info.seats[seat].state != "open"


def _unfinished(plan: GamePlan, watcher: Client, seats: list[Process | None], why: str, seconds: float) -> GameResult:
    """Return a game that did not end: whose command has ended failed."""
    ended = {no: one.returncode for no, one in enumerate(seats) if one is not None and one.returncode is not None}
    faults = [f"seat {no} ({plan.bots[no]}): it ended with code {code}" for no, code in ended.items()]
    turn = watcher.view.turn_no if watcher.view is not None else 0
    return GameResult(
        index=plan.index, seats=len(plan.bots), why=why.rstrip(": "), turns=turn, seconds=seconds, bots=list(plan.bots),
        refused=faults, misplays=dict.fromkeys(ended, 1),
    )  # fmt: skip


def _result(catalog: Catalog, plan: GamePlan, game: RevealedGame, seconds: float) -> GameResult:
    """Play a revealed game again; return how it went."""
    watch, steps = Watcher(game.seats), game.steps()
    states = rerun(catalog, game.seats, parse_options(game.options), game.seed, steps)
    state, _ = next(states)
    for step, (state, events) in zip(steps, states):
        watch(state, step.seat, step.action, events)
    passes = sum(isinstance(step.action, Pass) for step in steps)
    return watch.result(catalog, plan, state, "ended", decisions=len(steps), passes=passes, seconds=seconds)
