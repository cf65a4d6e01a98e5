"""Bots as clients: `kickdoor bot` plays one seat; the process that a host runs plays every seat that is named on its
standard input.

A bot sits at the table as a player does and sees only its own view. Its thinking time depends only on what everybody
sees, so that it reveals nothing about its hand. A bot that searches (netcode/bots/search.py) does so in another process
and acts when its time is over, whatever the search found and even if there was none.
"""

import asyncio
import json
import logging
import os
import random
import sys
import threading
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import zmq

from core.language.catalog import Catalog
from core.state.actions import Action
from core.state.events import AnyEvent, SteppedBack
from core.state.refusals import TOO_LATE
from core.state.views import View
from core.text.grammar import listed
from netcode.bots.brain import Brain
from netcode.bots.factory import make_player, searches, title_of, wants_veiled
from netcode.bots.guests import Misplay
from netcode.bots.personalities import personality_of
from netcode.bots.player import Observation, Player
from netcode.bots.search import Searcher
from netcode.bots.thinking import thinking_s
from netcode.client.bot_talk import BotTalk, watched
from netcode.client.client import Client, ClientError
from netcode.client.earlier_games import EarlierGames
from netcode.client.flood import BAD_HOST
from netcode.client.heard_lines import HeardLines
from netcode.client.recent import Recent
from netcode.client.state_machine import KEPT_BYTES, KEPT_EVENTS
from netcode.client.thinkers import Thinkers
from netcode.protocol import wire
from netcode.protocol.credentials import KeyPair, data_folder
from netcode.protocol.printing import say
from netcode.reporting import log_faults_of_loop, log_to_stderr

LOG = logging.getLogger("kickdoor.bot")
DELAY_FACTORS = {"slow": 1.0, "normal": 1.0, "fast": 0.3}
"""Factor of the delay at each speed of the table."""
SEARCH_S = 0.2
"""How long a searching bot studies a view before it acts, at the end of its delay: always the same time."""
RETRY_S = 1.0
"""How long a bot waits after a refusal before it tries again."""
OFFER_S, BOTS_OFFER_S = 12.0, 1.0
"""How long it waits for an answer to its offers: from people, from bots. Somebody who plays alone with bots has no time
limit: the host says when they have answered or passed over the offers."""
NICE = 5
"""Added to the nice value of the host's bots, so that they yield to the host."""
NAMES = ("Ann", "Ben", "Cem", "Dora", "Egon", "Fritz", "Gro", "Hugo", "Ines", "Jan", "Kaja", "Luz")


class BotPlayer:
    """One bot at one table, from sitting down until the table closes.

    spec: the player (factory.make_player). catalogs_known: catalogs by the hashes of their packs, shared by the bots of
    a process, as are `heard`, the lines of earlier games, and the thinkers, which search for it. budget: rollouts that
    it may spend in this process if there are no thinkers, which blocks the loop; with 0 it plays without a search.
    earlier: what it remembers of people from earlier games; None: nothing."""

    def __init__(
        self, client: Client, spec: str, rng: random.Random, catalogs_known: dict[str, Catalog],
        thinkers: Thinkers | None = None, budget: int = 0, heard: HeardLines | None = None,
        earlier: EarlierGames | None = None,
    ) -> None:  # fmt: skip
        self._earlier = earlier
        self._client, self._spec, self._rng, self._thinkers, self._budget = client, spec, rng, thinkers, budget
        self._delays = random.Random(rng.random())  # separate, because a decision's random draws must not shift a delay
        self._catalogs = catalogs_known
        self._changed = asyncio.Event()
        self._player: Player | None = None
        self._untold: Recent[AnyEvent] = Recent(KEPT_EVENTS, KEPT_BYTES)
        """Events from the host since the last decision."""
        self._queued = False
        self._complaint = logging.WARNING if ":" in spec else logging.INFO
        """The log level for refused actions, which authors of players want to see."""
        self._personality = personality_of(spec)
        self._talk = BotTalk(client, self._personality, heard) if self._personality is not None else None
        client.subscribe(self._heard)

    def _heard(self, message: Any) -> None:
        if isinstance(message, wire.Update):
            self._note(message)
            self._remember(message)
        if isinstance(message, wire.Ack | wire.Refused):
            self._queued = isinstance(message, wire.Ack) and message.status == "queued"
        if self._talk is not None:
            self._talk.heard(message)
        self._withdraw_if_asked()
        self._changed.set()

    def _note(self, update: wire.Update) -> None:
        """Note what happened. When another game begins, or after a gap or an undo, the player's memory is out of date,
        so a new player takes its place."""
        if update.whole or _undone(update):
            self._player = None
            self._untold.clear()
        self._untold.extend(numbered.event for numbered in update.events)

    def _remember(self, update: wire.Update) -> None:
        """When a game is over, keep what the people at the table have done to this bot."""
        if self._earlier is None or self._personality is None or update.view is None or not update.view.winners:
            return
        info, brain = self._client.info, _brain(self._player)
        if info is None or brain is None:
            return
        self._tell(brain)
        deeds = {info.seats[seat].name: sums for seat, sums in brain.deeds().items() if not info.seats[seat].bot}
        self._earlier.keep(self._personality.id, deeds)

    def _made(self, catalog: Catalog) -> Player:
        """Return a new player, which remembers earlier games if it may."""
        player, info = make_player(self._spec, catalog, self._rng), self._client.info
        brain = _brain(player)
        if self._earlier is not None and self._personality is not None and info is not None and brain is not None:
            known = self._earlier.of(self._personality.id)
            people = {seat: known[one.name] for seat, one in enumerate(info.seats) if not one.bot and one.name in known}
            brain.recall({seat: (deeds.hurt, deeds.helped) for seat, deeds in people.items()})
        return player

    def _withdraw_if_asked(self) -> None:
        """Withdraw our queued action if it waits for a card whose question is to us; otherwise both would wait for each
        other."""
        view = self._client.view
        if self._queued and view is not None and view.you is not None and view.you.asks:
            self._queued = False
            self._client.set(withdraw=True)

    async def play(self, seated: Callable[[], None] = lambda: None) -> str:
        """Sit down and play until the connection to the table ends; return the reason code. seated: called once it has
        its seat and can play. Raises ClientError, and ValueError, with one line for people, if the player cannot be
        made."""
        await self._client.join()
        catalog = await self._catalog()
        if ":" in self._spec:  # find out whether third-party code works before a game waits for it
            try:
                self._player = make_player(self._spec, catalog, self._rng)
            except ValueError:
                await self._client.leave()
                raise
        if self._talk is not None:
            self._talk.catalog = catalog
        seated()
        while self._client.stage != "closed":
            self._changed.clear()
            if not await self._attempt(catalog):
                await self._changed.wait()
        return self._client.code

    async def _attempt(self, catalog: Catalog) -> bool:
        """Make one decision, as `_move` does. If it fails by an internal error, the host's defaults apply, and the bot
        continues with a new player when something has changed."""
        try:
            return await self._move(catalog)
        except ClientError:
            raise
        except Misplay as problem:  # the host takes its defaults
            LOG.warning("%s: %s", self._client.name, problem)
            return False
        except Exception as problem:
            if not self._client.trusted:
                self._client.end_for(problem)
                return False
            LOG.exception("%s met an internal error in a decision", self._client.name)
            self._player = None
            return False

    async def _catalog(self) -> Catalog:
        name = self._packs
        if name not in self._catalogs:
            catalog = await self._client.catalog(await self._client.packs())
            return self._catalogs.setdefault(name, catalog)  # another bot may have been faster
        self._client.know(self._catalogs[name])
        return self._catalogs[name]

    @property
    def _packs(self) -> str:
        info = self._client.info
        return " ".join(pack.hash for pack in info.packs) if info is not None else ""

    async def _move(self, catalog: Catalog) -> bool:
        """Make one decision. Return False if there is nothing to do until something changes."""
        if not self._may_act():
            return False
        await self._delay()
        view = self._client.view
        if view is None or not self._may_act():
            return True
        if self._player is None:
            self._player = self._made(catalog)
        player = self._player
        action = await self._decide(player, catalog, patient=self._client.clocks().waits)
        view = self._client.view
        if action is None and player.waiting and view is not None:
            await self._wait_for_answer(view)
            if self._client.view is view:
                action = await self._decide(player, catalog, hurry=True)
                view = self._client.view
        if action is None:
            return self._client.view is not view
        try:
            answer = await self._client.do(action, timeout=None)  # it may wait for a person's key
        except ClientError:
            if self._client.stage == "closed":
                return True  # the table closed meanwhile; `play` returns why
            raise
        if not isinstance(answer, wire.Ack):
            late = isinstance(answer, wire.Refused) and answer.refusal.clause in TOO_LATE
            LOG.log(logging.INFO if late else self._complaint, "%s: %s was refused: %s", self._client.name, action,
                    answer.why)  # fmt: skip
            await self._wait_for_change(view)
        return True

    async def _decide(
        self, player: Player, catalog: Catalog, *, hurry: bool = False, patient: bool = False
    ) -> Action | None:  # fmt: skip
        """Return the player's action in the present view. A searching player takes exactly SEARCH_S; if the view has
        changed meanwhile, it decides on the new one without a search."""
        observation = self._observed(hurry, patient)
        if not isinstance(player, Searcher) or self._thinkers is None:
            return self._ask(player, observation)
        self._tell(player)
        by = asyncio.get_running_loop().time() + SEARCH_S
        budget = self._thinkers.budget()
        choice, question = player.consider(observation, budget)
        verdict = await self._thinkers.answer(self._packs, catalog, question, budget, by) if question else None
        await asyncio.sleep(by - asyncio.get_running_loop().time())
        if self._client.view is not observation.view:
            player.forget()
            return player.decide(self._observed(hurry, patient), 0) if self._may_act() else None
        return player.settle(question, verdict) if question is not None and verdict is not None else choice

    def _observed(self, hurry: bool, patient: bool) -> Observation:
        assert self._client.view is not None, "there is no view any more"
        return Observation(self._client.view, self._client.veiled, hurry, patient)

    def _ask(self, player: Player, observation: Observation) -> Action | None:
        self._tell(player)
        return player.decide(observation, self._budget)

    def _tell(self, player: Player) -> None:
        events = list(self._untold)
        self._untold.clear()
        if player.wants_events and events:
            player.observe(events)

    def _may_act(self) -> bool:
        info, view = self._client.info, self._client.view
        playing = info is not None and info.stage == "playing" and self._client.stage == "synced"
        return playing and view is not None and view.you is not None and bool(view.you.legal or view.you.asks)

    async def _delay(self) -> None:
        """Wait for the bot's thinking time, which depends only on what everybody sees; do not wait where nobody
        watches. The time for a search is part of it."""
        info, seat = self._client.info, self._client.seat
        delay = thinking_s(self._client.view, seat, self._personality, self._delays)
        if info is not None and watched(info):
            left = delay * DELAY_FACTORS.get(info.speed, 1.0) - (SEARCH_S if self._thinkers is not None else 0.0)
            await asyncio.sleep(max(0.0, left))

    async def _wait_for_answer(self, view: View) -> None:
        """Wait for an answer to our offers."""
        longest = offer_wait(self._client.info, view)
        if longest is not None:
            await self._wait_for_change(view, longest)
            return
        while self._client.view is view and self._client.clocks().waits and self._client.stage != "closed":
            self._changed.clear()
            await self._changed.wait()

    async def _wait_for_change(self, view: View | None, longest: float = RETRY_S) -> None:
        """Wait until the view differs from the one we decided on. longest: seconds."""
        try:
            async with asyncio.timeout(longest):
                while self._client.view is view and self._client.stage != "closed":
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            LOG.debug("nothing changed in %.1f s", longest)


def _brain(player: Player | None) -> Brain | None:
    """Return the part of a built-in player that has a character."""
    player = player.policy if isinstance(player, Searcher) else player
    return player if isinstance(player, Brain) else None


def offer_wait(info: wire.TableInfo | None, view: View) -> float | None:
    """Return how long a bot waits for an answer to its offers, in seconds; None: as long as the host says that bots
    wait for the player who is alone with them."""
    if info is None or not watched(info):
        return BOTS_OFFER_S / 10
    if all(seat.bot for seat in info.seats):
        return BOTS_OFFER_S
    me = view.you.seat if view.you is not None else -1
    asked = {offer.to for offer in view.offers if offer.frm == me and offer.to >= 0}
    return None if info.solo and not all(info.seats[seat].bot for seat in asked) else OFFER_S


def _undone(update: wire.Update) -> bool:
    return any(isinstance(numbered.event, SteppedBack) for numbered in update.events)


def run_bot(join: str, spec: str, name: str = "") -> int:
    """Run `kickdoor bot`: play one seat to the end. spec: a level of tables, or `module:Class`. Return the exit code: 0
    if the table ended or the bot left it."""
    log_to_stderr("kickdoor bot: %(message)s")
    return asyncio.run(_run_one(join, spec, name))


async def _run_one(join: str, spec: str, name: str) -> int:
    rng = random.Random()
    log_faults_of_loop(asyncio.get_running_loop())
    async with AsyncExitStack() as stack:
        try:
            title = title_of(spec)
            personality = personality_of(spec)
            named = name or (personality.name if personality is not None else f"Bot {rng.choice(NAMES)}")
            client = Client(join, named, role="bot", level=title, veiled=wants_veiled(spec))
            client.trusted = False
            stack.push_async_callback(client.close)
            thinkers = Thinkers() if searches(spec) else None
            if thinkers is not None:
                stack.push_async_callback(thinkers.close)

            def seated() -> None:
                say(f"{named} ({title}) has seat {client.seat + 1}")

            reason = await BotPlayer(client, spec, rng, {}, thinkers, heard=HeardLines(data_folder())).play(seated)
        except (ClientError, ValueError) as problem:
            say(f"kickdoor bot: {problem}", err=True)
            return 1
    if result := _result(client):
        say(result)
    if reason != "ended":
        say(f"kickdoor bot: {client.reason}", err=True)
    return 0 if reason in ("ended", "left", "superseded", "closing") else 1


def _result(client: Client) -> str:
    """Return who has won the last game, one line for people; "" if nobody has."""
    view, info = client.view, client.info
    if view is None or info is None or not view.winners:
        return ""
    return f"{listed([info.seats[seat].name for seat in view.winners])} won the game in turn {view.turn_no}"


# ----------------------------------------------------------------------------------------------- the host's own bots
async def _run_all() -> None:
    """Play every seat named on standard input (one JSON object a line) until standard input is closed."""
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    log_faults_of_loop(loop)
    threading.Thread(target=_read_lines, args=(loop, lines), daemon=True).start()
    context: zmq.Context[Any] = zmq.Context()
    known: dict[str, Catalog] = {}
    thinkers, heard = Thinkers(), HeardLines(data_folder())
    earlier = EarlierGames(data_folder())
    tasks: set[asyncio.Task[None]] = set()
    while (line := await lines.get()) is not None:
        task = asyncio.ensure_future(_play_seat(json.loads(line), context, known, thinkers, heard, earlier))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    while tasks:  # repeated: wait_for swallows a cancel that arrives together with its result
        for task in list(tasks):
            task.cancel()
        await asyncio.wait(list(tasks), timeout=0.5)
    await thinkers.close()
    context.destroy(linger=100)


def _read_lines(loop: asyncio.AbstractEventLoop, lines: "asyncio.Queue[str | None]") -> None:
    for line in sys.stdin:
        loop.call_soon_threadsafe(lines.put_nowait, line)
    loop.call_soon_threadsafe(lines.put_nowait, None)


async def _play_seat(
    seat: dict[str, Any], context: Any, known: dict[str, Catalog], thinkers: Thinkers, heard: HeardLines,
    earlier: EarlierGames,
) -> None:  # fmt: skip
    seed = None if seat["seed"] is None else f"{seat['seed']}:{seat['name']}"
    pair = KeyPair(bytes.fromhex(seat["public"]), bytes.fromhex(seat["secret"]))
    spec = seat["level"]
    client = Client(
        seat["join"], seat["name"], role="bot", level=spec, keep=False, pair=pair, context=context,
        veiled=wants_veiled(spec),
    )  # fmt: skip
    client.follows = False
    searching = thinkers if searches(spec) else None
    try:
        remembered = earlier if seat["remembers"] else None
        bot = BotPlayer(client, spec, random.Random(seed), known, searching, heard=heard, earlier=remembered)
        if await bot.play() == BAD_HOST:
            LOG.warning("%s: %s", seat["name"], client.reason)
    except ClientError as problem:  # bad_token: its table has closed, or was restored and has requested another bot
        LOG.log(logging.INFO if problem.code == "bad_token" else logging.WARNING, "%s: %s", seat["name"], problem)
    except TimeoutError:
        LOG.warning("%s: the host does not answer", seat["name"])
    finally:
        await client.close()


def main() -> None:
    """Run the host's bots (the entry point of the child process), at a lower priority than the host."""
    log_to_stderr("kickdoor bots: %(message)s")
    if hasattr(os, "nice"):
        os.nice(NICE)
    try:
        asyncio.run(_run_all())
    except KeyboardInterrupt:
        LOG.info("interrupted")
