"""Bots as processes: `kickdoor bot` plays one seat; `python -m netcode.bots.runner` plays all seats a host names by
pipe.

A bot sits at the table as a player does and sees only its own view. It draws its delay before it looks, so that the
time it takes tells nothing of its hand.
"""

import asyncio
import json
import logging
import os
import random
import sys
import threading
from typing import Any, Literal

import zmq

from core.language import catalog as catalogs
from core.language.catalog import Catalog
from core.state.events import SteppedBack
from core.view import View
from netcode.bots.brain import Brain
from netcode.client.client import Client, ClientError
from netcode.protocol import wire

LOG = logging.getLogger("kickdoor.bot")
Level = Literal["easy", "normal", "hard"]
DELAY_S = (0.25, 0.75)
HASTE = {"slow": 1.0, "normal": 1.0, "fast": 0.3}
"""What becomes of the delay at each speed of the table."""
PATIENCE_S = 1.0
"""How long a bot waits after a refusal before it tries again."""
OFFER_S, ALONE_OFFER_S, BOTS_OFFER_S = 12.0, 60.0, 1.0
"""How long it waits for an answer to its offers: from people, from somebody who plays alone with bots, from bots."""
NICE = 5
NAMES = ("Ann", "Ben", "Cem", "Dora", "Egon", "Fritz", "Gro", "Hugo", "Ines", "Jan", "Kaja", "Luz")


class BotPlayer:
    """One bot at one table, from sitting down to the closing of the table."""

    def __init__(self, client: Client, level: Level, rng: random.Random, catalogs_known: dict[str, Catalog]) -> None:
        self._client, self._level, self._rng = client, level, rng
        self._delays = random.Random(rng.random())  # its own: how much chance a decision took must not move a delay
        self._catalogs = catalogs_known
        self._changed = asyncio.Event()
        self._brain: Brain | None = None
        self._queued = False
        client.subscribe(self._heard)

    def _heard(self, message: Any) -> None:
        if isinstance(message, wire.Update) and (message.whole or _taken_back(message)):
            self._brain = None  # another game, or the same after a gap or a step back: what is remembered is not so
        if isinstance(message, wire.Ack | wire.Refused):
            self._queued = isinstance(message, wire.Ack) and message.status == "queued"
        self._take_back_if_asked()
        self._changed.set()

    def _take_back_if_asked(self) -> None:
        """Our action waits until a card has been read, and that card asks us: answer it, instead of waiting for each
        other."""
        view = self._client.view
        if self._queued and view is not None and view.you is not None and view.you.asks:
            self._queued = False
            self._client.set(withdraw=True)

    async def play(self) -> str:
        """Sit down and play until the table lets us go; returns the reason. Raises ClientError."""
        await self._client.join()
        catalog = await self._catalog()
        while self._client.stage != "closed":
            self._changed.clear()
            if not await self._move(catalog):
                await self._changed.wait()
        return self._client.code

    async def _catalog(self) -> Catalog:
        info = self._client.info
        name = " ".join(pack.hash for pack in info.packs) if info is not None else ""
        if name not in self._catalogs:
            self._catalogs[name] = catalogs.load(await self._client.packs())
        return self._catalogs[name]

    async def _move(self, catalog: Catalog) -> bool:
        """One decision; False if there is nothing to do until something changes."""
        if not self._may_act():
            return False
        await self._think()
        view = self._client.view
        if view is None or not self._may_act():
            return True
        if self._brain is None:
            self._brain = Brain(catalog, self._level, self._rng)
        action = self._brain.decide(view)
        if action is None and self._brain.waiting and self._client.view is view:
            await self._wait_a_moment(view, patience(self._client.info, view))
            if self._client.view is view:
                action = self._brain.decide(view, hurry=True)
        if action is None:
            return self._client.view is not view
        try:
            answer = await self._client.do(action, timeout=60.0)
        except ClientError:
            if self._client.stage == "closed":
                return True  # the table has let us go meanwhile; `play` sees why
            raise
        if not isinstance(answer, wire.Ack):
            LOG.info("refused: %s: %s", action, answer)
            await self._wait_a_moment(view)
        return True

    def _may_act(self) -> bool:
        info, view = self._client.info, self._client.view
        playing = info is not None and info.stage == "playing" and self._client.stage == "synced"
        return playing and view is not None and view.you is not None and bool(view.you.legal or view.you.asks)

    async def _think(self) -> None:
        """The delay, drawn before the view is looked at; none where nobody watches."""
        delay = self._delays.uniform(*DELAY_S)
        info = self._client.info
        if info is not None and _watched(info):
            await asyncio.sleep(delay * HASTE.get(info.speed, 1.0))

    async def _wait_a_moment(self, view: View, longest: float = PATIENCE_S) -> None:
        """Until there is another view than the one on which we chose, but not for ever. longest: seconds."""
        try:
            async with asyncio.timeout(longest):
                while self._client.view is view and self._client.stage != "closed":
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            LOG.debug("nothing has changed")


def _watched(info: wire.TableInfo) -> bool:
    """A person sits at the table, or looks on."""
    return info.watchers > 0 or any(not seat.bot for seat in info.seats)


def patience(info: wire.TableInfo | None, view: View) -> float:
    """How long a bot waits for an answer to its offers, in seconds. Who plays alone with bots is not hurried."""
    if info is None or not _watched(info):
        return BOTS_OFFER_S / 10
    if all(seat.bot for seat in info.seats):
        return BOTS_OFFER_S
    me = view.you.seat if view.you is not None else -1
    asked = {deal.to for deal in view.offers if deal.frm == me and deal.to >= 0}
    return ALONE_OFFER_S if info.solo and not all(info.seats[seat].bot for seat in asked) else OFFER_S


def _taken_back(update: wire.Update) -> bool:
    return any(isinstance(told.event, SteppedBack) for told in update.events)


def run_bot(join: str, level: str, name: str = "") -> int:
    """`kickdoor bot`: play one seat to the end. Returns the exit code: 0 when the table is over and closed."""
    return asyncio.run(_run_one(join, level, name))


async def _run_one(join: str, level: str, name: str) -> int:
    rng = random.Random()
    try:
        client = Client(join, name or f"Bot {rng.choice(NAMES)}", role="bot", level=level)
        reason = await BotPlayer(client, _level(level), rng, {}).play()
    except (ClientError, ValueError) as problem:
        print(f"kickdoor bot: {problem}", file=sys.stderr)
        return 1
    await client.close()
    if reason != "ended":
        print(f"kickdoor bot: {client.reason}", file=sys.stderr)
    return 0 if reason in ("ended", "left", "superseded", "closing") else 1


def _level(level: str) -> Level:
    for known in ("easy", "normal", "hard"):
        if level == known:
            return known
    raise ValueError(f"unknown level {level!r}: easy, normal or hard")


# ----------------------------------------------------------------------------------------------- the host's own bots
async def _run_all() -> None:
    """Play every seat named on standard input (one JSON object a line) until it is closed."""
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    threading.Thread(target=_read_lines, args=(loop, lines), daemon=True).start()
    context: zmq.Context[Any] = zmq.Context()
    known: dict[str, Catalog] = {}
    tasks: set[asyncio.Task[None]] = set()
    while (line := await lines.get()) is not None:
        task = asyncio.ensure_future(_play_seat(json.loads(line), context, known))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    while tasks:  # once may not do: wait_for swallows a cancel that comes together with what it waits for
        for task in list(tasks):
            task.cancel()
        await asyncio.wait(list(tasks), timeout=0.5)
    context.destroy(linger=100)


def _read_lines(loop: asyncio.AbstractEventLoop, lines: "asyncio.Queue[str | None]") -> None:
    for line in sys.stdin:
        loop.call_soon_threadsafe(lines.put_nowait, line)
    loop.call_soon_threadsafe(lines.put_nowait, None)


async def _play_seat(wish: dict[str, Any], context: Any, known: dict[str, Catalog]) -> None:
    seed = None if wish["seed"] is None else f"{wish['seed']}:{wish['name']}"
    client = Client(wish["join"], wish["name"], role="bot", level=wish["level"], keep=False, context=context)
    try:
        await BotPlayer(client, _level(wish["level"]), random.Random(seed), known).play()
    except ClientError as problem:  # bad_token: its table is closed, or was taken up again and has asked for another
        LOG.log(logging.INFO if problem.code == "bad_token" else logging.WARNING, "%s: %s", wish["name"], problem)
    except TimeoutError:
        LOG.warning("%s: the host does not answer", wish["name"])
    finally:
        await client.close()


def main() -> None:
    """Entry of the child process. It gives way to the host, and so to people."""
    logging.basicConfig(level=logging.WARNING, format="kickdoor bots: %(message)s")
    if hasattr(os, "nice"):
        os.nice(NICE)
    try:
        asyncio.run(_run_all())
    except KeyboardInterrupt:
        LOG.info("interrupted")


if __name__ == "__main__":
    main()
