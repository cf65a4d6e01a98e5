"""A first bot, as a process of its own: python first_bot.py 'kickdoor://…' (the join string of a table)."""

import asyncio
import random
import sys

from core.state.actions import Action, Counter, Give, Hold, Offer, Pass, Unequip, Withdraw
from netcode.client.client import Client, ClientError


def choose(possible: list[Action], asked: bool) -> Action | None:
    """Return what to do now, None to wait: it passes while a window is open, and acts when it is asked something."""
    wanted = [one for one in possible if not isinstance(one, Counter | Give | Hold | Offer | Unequip | Withdraw)]
    passes = [one for one in wanted if isinstance(one, Pass)]
    return random.choice(passes or wanted) if passes or (asked and wanted) else None


async def play(join: str) -> None:
    bot = Client(join, "Robin", role="bot", level="First bot, by Kim")
    await bot.join()
    async for view in bot.views():
        if action := choose(bot.choices(most=4), asked=bool(view.you.asks)):
            print((await bot.do(action, timeout=None)).why or action)
    print(bot.reason)


try:
    asyncio.run(play(sys.argv[1]))
except ClientError as problem:
    print(problem)
