"""A game with separate programs as players, at a host of its own on loopback, over the protocol (docs/protocol.md).

The other players are clients in this process. After the game the host reveals it, and it is replayed from its actions,
so that its record is like all others.
"""

import asyncio
import json
import random
import time
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any, TypeVar

import msgspec

from core.language.catalog import Catalog
from core.replay import rerun
from core.state.actions import Pass
from netcode.bots.factory import title_of, wants_veiled
from netcode.client.bot_runner import BotPlayer
from netcode.client.client import Client, ClientError
from netcode.host.config import HostConfig
from netcode.lab.commands import is_command, words_of
from netcode.processes.start import child_env, service_command
from netcode.protocol import limits
from netcode.protocol.clean_text import clean
from netcode.protocol.revealed_game import RevealedGame, from_bytes
from netcode.protocol.table_options import parse_options, spell_options
from netcode.simulation.game import GameResult
from netcode.simulation.plan import GamePlan, Watcher, tables

SEATED_S, STILL_S, GAME_S, REVEALED_S = 30, 120, 900, 30
"""How long (s) a player may take to sit down, a game may stand still or last, and the host may take to reveal it."""
ENDED_S = 1.0
"""A program that exits without an error may have heard the end of the game this many seconds before us."""
SAID_BYTES = 2000
"""How much of a command's output is kept, for the error text if it fails."""

T = TypeVar("T")


class Failed(Exception):
    """A game cannot continue. faults: by seat, what its command has done wrong."""

    def __init__(self, why: str, faults: dict[int, str]) -> None:
        super().__init__(why)
        self.faults = faults


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
        commands: dict[int, _Command] = {}
        try:
            for seat, spec in enumerate(plan.bots):
                if is_command(spec):
                    commands[seat] = await _Command.started(stack, words_of(spec, strings["join"]))
                else:
                    _sit_down(stack, strings["join"], spec, seat, plan)
                await _while_all_play(commands, watcher, _seated(watcher, seat, commands.get(seat)))
            await _while_all_play(commands, watcher, _revealed(watcher, commands))
            revealed = from_bytes(await asyncio.wait_for(watcher.revealed_game(_opened(watcher)), REVEALED_S))
        except Failed as problem:
            return _unfinished(plan, watcher, str(problem), problem.faults, time.monotonic() - began)
        except (TimeoutError, ClientError) as problem:
            return _unfinished(plan, watcher, f"{type(problem).__name__}: {problem}", {}, time.monotonic() - began)
    return _result(catalog, plan, revealed, time.monotonic() - began)


class _Command:
    """A player's program. over: its exit code, once it has ended by itself."""

    def __init__(self, process: Process) -> None:
        self.over = asyncio.ensure_future(process.wait())
        self._process, self._said = process, b""
        self._reading = asyncio.ensure_future(self._read())

    @classmethod
    async def started(cls, stack: AsyncExitStack, words: list[str]) -> "_Command":
        """Start a program, which is killed when the stack ends."""
        process = await asyncio.create_subprocess_exec(*words, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT)
        command = cls(process)
        stack.push_async_callback(command._end)
        return command

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while more := await self._process.stdout.read(SAID_BYTES):
            self._said = (self._said + more)[-SAID_BYTES:]

    async def _end(self) -> None:
        await _end(self._process)
        self._reading.cancel()

    async def failure(self, what: str) -> str:
        """Return what went wrong, with the last line that it printed."""
        await asyncio.wait({self._reading}, timeout=0.2)  # a pipe that is still open may never end
        lines = [clean(line, limits.TEXT_CHARS) for line in self._said.decode(errors="replace").splitlines()]
        last = next(filter(None, reversed(lines)), "")
        return f"{what}: {last}" if last else what


async def _while_all_play(commands: dict[int, _Command], watcher: Client, what: Coroutine[Any, Any, T]) -> T:
    """Wait for this awaitable and return its result. Raises Failed if a command ends first, and the awaitable's
    errors."""
    waiting = asyncio.ensure_future(what)
    try:
        await asyncio.wait({waiting, *(one.over for one in commands.values())}, return_when=asyncio.FIRST_COMPLETED)
        gone = {seat: one for seat, one in commands.items() if one.over.done()}
        if gone and not any(one.over.result() for one in gone.values()):
            await asyncio.wait({waiting}, timeout=ENDED_S)
        if gone and not waiting.done() and not _won(watcher):
            codes = {seat: f"it ended with code {one.over.result()}" for seat, one in gone.items()}
            raise Failed("a player has ended", {seat: await gone[seat].failure(code) for seat, code in codes.items()})
        return await waiting
    finally:
        waiting.cancel()


async def _seated(watcher: Client, seat: int, command: _Command | None) -> None:
    """Wait until this seat is taken. Raises TimeoutError, and Failed if a command is to blame."""
    try:
        await watcher.wait_for(partial(_taken, seat=seat), SEATED_S)
    except TimeoutError:
        if command is None:
            raise
        said = await command.failure(f"it did not sit down within {SEATED_S} s")
        raise Failed("a player did not come", {seat: said}) from None


async def _revealed(watcher: Client, commands: dict[int, _Command]) -> None:
    """Wait until the game is revealed. Raises TimeoutError, and Failed if the game stands still: our own players answer
    at once, so it is waiting for commands."""
    async with asyncio.timeout(GAME_S):
        while not _opened(watcher):
            try:
                await watcher.wait_for(partial(_moved, since=_rev(watcher)), STILL_S)
            except TimeoutError:
                asked = {one.seat for one in watcher.view.deciding} if watcher.view is not None else set()
                silent = [seat for seat in commands if seat in asked] or [*commands]
                faults = {seat: await commands[seat].failure(f"it has done nothing for {STILL_S} s") for seat in silent}
                raise Failed("the game stood still", faults) from None


def _rev(watcher: Client) -> int:
    return watcher.view.rev if watcher.view is not None else 0


def _moved(watcher: Client, since: int) -> bool:
    return _opened(watcher) > 0 or _rev(watcher) != since


def _won(watcher: Client) -> bool:
    return watcher.view is not None and bool(watcher.view.winners)


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
        host.stdin.write(msgspec.json.encode(config) + b"\n")  # it stays open: the host ends when it is closed
        answer: dict[str, Any] = json.loads(await host.stdout.readline() or b'{"error": "the host does not start"}')
        if "error" in answer:
            raise ValueError(str(answer["error"]))
        yield answer
    finally:
        await _end(host)


def _sit_down(stack: AsyncExitStack, join: str, spec: str, seat: int, plan: GamePlan) -> None:
    """Let a player that is no command take its seat."""
    client = Client(
        join, f"Player {seat}", role="bot", level=title_of(spec), keep=False, veiled=wants_veiled(spec)
    )  # fmt: skip
    stack.push_async_callback(client.close)
    rng = random.Random(f"{plan.seed}:{seat}")
    playing = asyncio.ensure_future(_AtOnce(client, spec, rng, {}, budget=plan.budget).play())
    stack.callback(playing.cancel)


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


def _unfinished(plan: GamePlan, watcher: Client, why: str, faults: dict[int, str], seconds: float) -> GameResult:
    """Return a game that did not end. faults: by seat, of commands that have failed."""
    turn = watcher.view.turn_no if watcher.view is not None else 0
    return GameResult(
        index=plan.index, seats=len(plan.bots), why=why.rstrip(": "), turns=turn, seconds=seconds, bots=list(plan.bots),
        refused=[f"seat {seat} ({plan.bots[seat]}): {fault}" for seat, fault in faults.items()],
        misplays=dict.fromkeys(faults, 1),
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
