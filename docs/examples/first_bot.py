"""A first bot, as a process of its own: python first_bot.py 'kickdoor://…' (the join string of a table)."""

import asyncio
import random
import sys

from core.state.actions import Action, Counter, Give, Hold, Offer, Pass, Unequip, Withdraw
from core.state.views import View
from netcode.client.client import Client

IDLE = (Counter, Give, Hold, Offer, Unequip, Withdraw)


def choose(bot: Client, view: View) -> Action | None:
    """Return what to do now, None to wait: it acts when it is asked something, and passes while a window is open."""
    possible = [action for action in bot.choices(most=4) if not isinstance(action, IDLE)]
    passes = [action for action in possible if isinstance(action, Pass)]
    asked = view.you is not None and view.you.asks
    return random.choice(passes or possible) if passes or (asked and possible) else None


async def play(join: str) -> None:
    bot = Client(join, "Robin", role="bot", level="First bot, by Kim")
    await bot.join()
    while bot.stage != "closed":
        view = bot.view
        action = choose(bot, view) if view is not None else None
        answer = await bot.do(action, timeout=None) if action is not None else None
        if answer is None or answer.why:
            print(answer.why if answer is not None else "waiting")
            await bot.wait_for(lambda one, old=view: one.view is not old or one.stage == "closed", timeout=None)
    print(bot.reason)


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1]))
