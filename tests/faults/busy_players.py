"""Six players who act without pause, legally and at random, and note which of their actions were acknowledged."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from typing import Any

from core.moves.legal import suggest
from core.state.actions import Action, Pass
from netcode.client.client import Client, ClientError
from netcode.protocol import wire

NAMES = ("Kim", "Roger", "Ross", "Ann", "Bo", "Cleo")
PACE_S = 0.12
"""Pause between two acts of one player (s): the host allows ten a second in the long run."""


class Player:
    """One client. sent, acknowledged: its actions, by number; newest: the revision of the last view."""

    def __init__(self, client: Client, seed: int) -> None:
        self.client = client
        self.acknowledged: dict[int, Action] = {}
        self.newest = 0
        self.sent: dict[int, Action] = {}
        self._rng = random.Random(seed)
        client.subscribe(self._heard)

    def _heard(self, message: Any) -> None:
        if isinstance(message, wire.Update) and message.view is not None:
            self.newest = message.view.rev
        elif isinstance(message, wire.Ack) and message.status != "queued":
            self.acknowledged[message.n] = self.sent[message.n]

    def choose(self) -> Action | None:
        """Return a random legal action, None if there is none; in a window mostly a pass, and never an offer."""
        view = self.client.view
        if view is None or view.you is None:
            return None
        rows = [row for row in view.you.legal if not type(row.action).__name__.startswith("Offer")]
        passes = [row for row in rows if isinstance(row.action, Pass)]
        if passes and self._rng.random() < 0.7:
            return passes[0].action
        found = suggest(self._rng.choice(rows), 4) if rows else []
        return self._rng.choice(found) if found else None

    async def play(self, on: asyncio.Event) -> None:
        """Act as long as `on` is set, until cancelled."""
        while True:
            await on.wait()
            if self.client.info is not None and self.client.info.stage == "over":
                self.client.set(ready=True)
            elif self.client.stage == "synced" and not self.client.busy and (action := self.choose()) is not None:
                if self.client.view is not None and getattr(action, "seen", 0) == -1:
                    action = type(action)(**{**_fields(action), "seen": self.client.view.rev})
                with contextlib.suppress(ClientError):
                    self.sent[self.client.act(action)] = action
            await asyncio.sleep(PACE_S * self._rng.uniform(0.8, 1.2))


def _fields(action: Any) -> dict[str, Any]:
    return {name: getattr(action, name) for name in action.__struct_fields__}


async def sit_down(join: str, seats: int = 6) -> list[Player]:
    """Seat this many players and make them ready; with six of them wait until the game has begun."""
    players = [Player(Client(join, NAMES[seat], keep=False), seat) for seat in range(seats)]
    for player in players:
        await player.client.join()
        player.client.set(ready=True)
    for player in players if seats == 6 else []:
        await player.client.wait_for(lambda one: one.view is not None)
    return players


@contextlib.asynccontextmanager
async def at_play(join: str, seats: int = 6) -> AsyncIterator[tuple[list[Player], asyncio.Event]]:
    """Seat this many players, who play while the event is set (as it is at first), and close them at the end."""
    on = asyncio.Event()
    on.set()
    players = await sit_down(join, seats)
    tasks = [asyncio.ensure_future(player.play(on)) for player in players]
    try:
        yield players, on
    finally:
        for task in tasks:
            task.cancel()
        for player in players:
            await player.client.close()
