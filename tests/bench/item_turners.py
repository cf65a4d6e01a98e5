"""Clients that turn Items: the action of benchmarks that all players see and nobody has to answer."""

import asyncio
from collections.abc import Sequence

from core.moves.legal import suggest
from core.state import actions as a
from core.state.actions import AnyAction
from netcode.client.client import Client

ADVANCING = (a.Answer, a.Done, a.Roll, a.Claim, a.Flee, a.Pass, a.EndTurn, a.Loot, a.Trouble, a.Kick)
"""Actions that advance a turn, in the order in which they are tried."""


async def start_game(clients: Sequence[Client]) -> None:
    """Sit down, begin the game, and play all first cards that can be played."""
    for client in clients:
        await client.join()
    for client in clients:
        client.set(ready=True)
    for client in clients:
        await client.wait_for(lambda one: one.view is not None)
    for client in clients:
        while plays := [action for action in legal_actions(client) if isinstance(action, a.Play)]:
            await client.do(plays[0])
        await client.do(a.Done())
    for client in clients:
        await client.wait_for(lambda one: one.view is not None and one.view.phase != "setup")


def legal_actions(client: Client) -> list[AnyAction]:
    """Return one action for each legal row of the client's view."""
    view = client.view
    return [one for row in view.you.legal for one in suggest(row, 1)] if view is not None and view.you else []


def item_turn(client: Client) -> a.Equip | a.Unequip | None:
    """Return an action that turns an Item, None if there is none."""
    return next((action for action in legal_actions(client) if isinstance(action, (a.Equip, a.Unequip))), None)


async def advance(clients: Sequence[Client]) -> None:
    """Take one action that advances the turn, or begin the next game, so that Items can be turned again."""
    for client in clients:
        if client.info is not None and client.info.stage == "over":
            client.set(ready=True)
        found = [action for kind in ADVANCING for action in legal_actions(client) if isinstance(action, kind)]
        if found:
            await client.do(found[0])
            return
    await asyncio.sleep(0.01)
