"""Players who play whole games, one after the other, as well as bots do, and note the host's acknowledgements with
their times.

The first of them owns the table. Between games the owner opens the seats that strangers may take, waits a moment, and
starts; during a game the owner kicks strangers who hold it up or are gone, so that others can have their seats.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import Sequence
from typing import Any

from core.language.catalog import Catalog
from core.state.actions import Action
from netcode.client.bot_runner import BotPlayer
from netcode.client.client import Client, ClientError
from netcode.protocol import wire

NAMES = ("Kim", "Roger", "Ross", "Ann")
PACE_S = 0.12
"""Pause before each action of a player (s): the host allows ten a second in the long run."""
START_S, PATIENCE_S, LOOK_S = 2.0, 6.0, 0.5
"""How long the owner waits for strangers before a game and within one, and how often the owner looks (s)."""
JOIN_S = 20.0
"""How long sitting down may take, and the beginning of the first game (s)."""
STANDSTILL_S = 120.0
"""After how long without any move a table counts as gone (s): no clock of the default pace runs that long."""


class HonestPlayer(Client):
    """A player who notes what happens.

    acknowledged: actions that the host accepted, by session and number. answered: when each action was sent, and when
    its first answer came (s of time.perf_counter). newest: game number and revision of the last view. finished: how
    many games were seen to their end. lost: why the player was sent away or could not continue, "" if neither.
    """

    def __init__(self, join: str, name: str) -> None:
        super().__init__(join, name, keep=False)
        self.acknowledged: dict[tuple[bytes, int], Action] = {}
        self.answered: list[tuple[float, float]] = []
        self.newest = (0, 0)
        self.finished, self.lost = 0, ""
        self._waiting: dict[int, tuple[bytes, Action, float]] = {}
        self._timed: set[int] = set()
        self.subscribe(self._note)

    def act(self, action: Action) -> int:
        """As Client.act."""
        at = time.perf_counter()
        n = super().act(action)
        self._waiting[n] = (self._s, self._actions._unanswered[-1][1], at)
        return n

    def _note(self, message: Any) -> None:
        match message:
            case wire.Ack() | wire.Refused() if message.n in self._waiting:
                s, action, at = self._waiting[message.n]
                if message.n not in self._timed:
                    self.answered.append((at, time.perf_counter()))
                    self._timed.add(message.n)
                if isinstance(message, wire.Refused) or message.status != "queued":
                    del self._waiting[message.n]
                    self._timed.discard(message.n)
                if isinstance(message, wire.Ack) and message.status != "queued":
                    self.acknowledged[s, message.n] = action
            case wire.Update() if message.view is not None and self.info is not None:
                self.newest = (self.info.game, message.view.rev)
            case wire.Welcome() | wire.Info():
                self._get_ready()

    async def back_after(self, welcome: wire.Welcome | None) -> None:
        """Wait until the host has let this player in again, after this welcome, and all is up to date."""
        await self._until(lambda: self.stage in ("synced", "closed") and self.welcome is not welcome)

    def _get_ready(self) -> None:
        """Say ready for the next game once the last one is over."""
        if self.info is None or self.seat < 0 or self.info.stage not in ("lobby", "over"):
            return
        if self.info.game > self.finished and self.info.stage == "over":
            self.finished = self.info.game
        if not self.info.seats[self.seat].ready:
            self.set(ready=True)


class _Mind(BotPlayer):
    """Decides as a bot does, as fast as a player who needs no time to think."""

    async def _delay(self) -> None:
        await asyncio.sleep(PACE_S * self._delays.uniform(0.8, 1.2))


class HonestTable:
    """Four honest players at one table. join, owner: its strings."""

    def __init__(self, join: str, owner: str, seed: int = 1) -> None:
        self.players = [HonestPlayer(owner if not seat else join, name) for seat, name in enumerate(NAMES)]
        known: dict[str, Catalog] = {}
        self._minds = [
            _Mind(player, "normal", random.Random(f"{seed}.{player.name}"), known) for player in self.players
        ]
        self._tasks: list[asyncio.Task[None]] = []
        self.longest_pause_s = 0.0

    async def sit_down(self) -> None:
        """Seat everybody in order and let them play; return when the first game has begun."""
        for player, mind in zip(self.players, self._minds):
            self._tasks.append(asyncio.ensure_future(_play(player, mind)))
            with contextlib.suppress(ClientError):
                await player.wait_for(lambda one: one.stage == "synced", JOIN_S)
            assert not player.lost, f"{player.name} cannot sit down: {player.lost}"
        self.players[0].set(speed="fast")
        self._tasks.append(asyncio.ensure_future(self._own()))
        for player in self.players:
            await player.wait_for(lambda one: one.view is not None, JOIN_S)

    async def close(self) -> None:
        """Stop playing and hang up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for player in self.players:
            await player.close()

    async def pause(self) -> None:
        """Let the owner pause the game; return when it is paused, or over. Raises TimeoutError."""
        owner = self.players[0]
        async with asyncio.timeout(JOIN_S):
            while owner.info is None or owner.info.stage == "playing":
                owner.admin("pause")
                await asyncio.sleep(LOOK_S)

    def problems(self) -> list[str]:
        """Return the players who cannot continue, with the reasons, and whether the game stands still."""
        found = [f"{one.name} cannot go on: {one.lost}" for one in self.players if one.lost]
        if self.longest_pause_s > STANDSTILL_S:
            found.append(f"the table stood still for {self.longest_pause_s:.0f} s")
        return found

    @property
    def games(self) -> int:
        """How many games everybody has seen to their end."""
        return min(player.finished for player in self.players)

    async def _own(self) -> None:
        """Do what a table's owner does: start games, and kick strangers who hold one up."""
        owner, moved, seen, opened = self.players[0], time.monotonic(), (0, 0), 0
        while True:
            await asyncio.sleep(LOOK_S)
            now, info = time.monotonic(), owner.info
            if info is None or owner.stage != "synced" or owner.newest != seen:
                moved, seen = now, owner.newest
            self.longest_pause_s = max(self.longest_pause_s, now - moved)
            if info is None:
                continue
            if info.stage == "playing":
                self._kick(info, ("lost", "away") if now - moved < PATIENCE_S else ("here", "lost", "away"))
            elif opened < info.game:
                opened = info.game
                self._kick(info, ("lost", "away", "bot"))
            elif now - moved > START_S:
                owner.admin("start")

    def _kick(self, info: wire.TableInfo, states: Sequence[str]) -> None:
        """Kick the strangers whose seat is in one of these states."""
        ours = {player.seat for player in self.players}
        for number, seat in enumerate(info.seats):
            if number not in ours and seat.state in states:
                self.players[0].admin("kick", number)


async def _play(player: HonestPlayer, mind: BotPlayer) -> None:
    """Play until the table ends the session; note why."""
    try:
        await mind.play()
    except TimeoutError:
        player.lost = "the host did not answer an action for a minute"
    except ClientError as problem:
        player.lost = str(problem)
    else:
        player.lost = player.reason
