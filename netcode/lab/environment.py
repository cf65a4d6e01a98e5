"""kickdoor as an environment for reinforcement learning: PettingZoo's AEC, one agent for each seat (extra: rl).

    from netcode.lab.environment import KickdoorEnv
    env = KickdoorEnv(seats=4)
    env.reset(seed=1)

An agent is asked whenever its seat may do something. Action 0 does nothing; the others are the entries of
`toolkit.choices` now, in its order, and the mask says how many there are. docs/lab.md describes the observation.
"""

import random
from collections.abc import Generator
from typing import Any, get_args

from core.engine import Runaway
from core.state.actions import Action
from core.state.model import defn_of
from core.state.views import View
from core.view import Showing
from netcode.bots.toolkit import choices
from netcode.lab.extras import need
from netcode.protocol import limits
from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import load_catalog

need("rl", "netcode.lab.environment")

import numpy  # noqa: E402
from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402

ACTIONS = 128
"""The size of the action space: doing nothing, and the choices."""
WAYS = 2
"""How many ways to fill in a choice of several cards are offered."""
KINDS = {kind: number for number, kind in enumerate(get_args(Action), 1)}
"""Numbers of the kinds of actions; 0 is doing nothing."""
SEAT = 12
"""Numbers in an observation for each seat..."""
TABLE = 12
"""...and of the table."""
TURNS_MOST = 500
"""Turns after which a game is truncated."""


class _AskedGame(SimulatedGame):
    """A game whose players are asked from outside."""

    def asking(self, turns_most: int) -> Generator[int, Action | None, None]:
        """Yield the seat that may act and take its action, until somebody has won or the game cannot continue."""
        while not self.state.winners and self.state.turn.no <= turns_most:
            if not self._clocks() and not (yield from self._asked()) and not self._expire_all():
                return

    def _asked(self) -> Generator[int, Action | None, bool]:
        for seat in self._order():
            if self.state.seats[seat].dead or not choices(self.seen_from(seat), 1):
                self.quiet.add(seat)
                continue
            action = yield seat
            if action is not None and self.submit(seat, action):
                return True
            self.quiet.add(seat)
        self.quiet.clear()
        return False

    def seen_from(self, seat: int) -> View:
        """Return what a seat sees."""
        if self.showing is None:
            self.showing = Showing(self.catalog, self.state)
        return self.showing.view(seat)


class KickdoorEnv(AECEnv):
    """One table. sets: ids or folders; seats: 3 to 6; turns_most: turns after which a game is truncated. The winners
    share a reward of 1 at the end, the others one of -1. Raises ValueError (PackError is one)."""

    metadata = {"name": "kickdoor_v0", "render_modes": [], "is_parallelizable": False}
    render_mode = None

    def __init__(
        self, sets: tuple[str, ...] = ("munchkins-and-mazes",), seats: int = 4, turns_most: int = TURNS_MOST
    ) -> None:
        super().__init__()
        if not limits.SEATS_MIN <= seats <= limits.SEATS_MAX:
            raise ValueError(f"{seats} seats: a table has {limits.SEATS_MIN} to {limits.SEATS_MAX}")
        self._catalog, self._turns_most = load_catalog(sets, seats), turns_most
        self._rng = random.Random()
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        cards = len(self._catalog.cards)
        size = SEAT * seats + TABLE + 2 * cards
        self._observations = spaces.Dict(
            {
                "observation": spaces.Box(-numpy.inf, numpy.inf, (size,), numpy.float32),
                "choices": spaces.Box(0, max(cards, len(KINDS)), (ACTIONS, 2), numpy.int32),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), numpy.int8),
            }
        )
        self._spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self._observations

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self._spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game. seed: the same gives the same game for the same actions."""
        if seed is not None:
            self._rng.seed(f"kickdoor {seed}")
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        bots = ["random"] * len(self.agents)  # they only fill the seats and are never asked
        self._game = _AskedGame(self._catalog, bots, self._rng.getrandbits(62))
        self._asking = self._game.asking(self._turns_most)
        self._possible: list[Action] = []
        self._go_on(None)

    def step(self, action: int | None) -> None:
        """Let the selected agent act: 0 nothing, else its choice of this number."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action <= len(self._possible):
            raise ValueError(f"{agent}: action {action}, there are 0 to {len(self._possible)}")
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._go_on(self._possible[action - 1] if action else None)
        self._accumulate_rewards()

    def _go_on(self, action: Action | None) -> None:
        """Carry out an action, and find the next agent."""
        try:
            seat = self._asking.send(action)
        except (StopIteration, Runaway):
            self._end()
            return
        self.agent_selection = self.possible_agents[seat]
        self._possible = choices(self._game.seen_from(seat), WAYS)[: ACTIONS - 1]

    def _end(self) -> None:
        winners, self._possible = self._game.state.winners, []
        if not winners:
            self.truncations = dict.fromkeys(self.agents, True)
            return
        self.terminations = dict.fromkeys(self.agents, True)
        for seat, agent in enumerate(self.possible_agents):
            won = seat in winners
            self.rewards[agent] = 1 / len(winners) if won else -1 / (len(self.agents) - len(winners))

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees. An agent that is not asked has only action 0."""
        seat = self.possible_agents.index(agent)
        seen = self._game.seen_from(seat)
        possible = self._possible if agent == self.agent_selection else []
        mask: Any = numpy.zeros(ACTIONS, numpy.int8)
        mask[: len(possible) + 1] = 1
        listed: Any = numpy.zeros((ACTIONS, 2), numpy.int32)
        for number, action in enumerate(possible, 1):
            listed[number] = KINDS[type(action)], _card_of(action)
        return {"observation": self._numbers(seen, seat), "choices": listed, "action_mask": mask}

    def _numbers(self, seen: View, seat: int) -> Any:
        cards = len(self._catalog.cards)
        count = len(self.possible_agents)
        numbers: Any = numpy.zeros(SEAT * count + TABLE + 2 * cards, numpy.float32)
        fight = seen.fight
        for place in range(count):  # the own seat first, then around the table
            one = seen.seats[(seat + place) % count]
            told = (
                one.level, one.strength, one.hand, len(one.table), one.run, one.dead, one.seat == seen.turn,
                fight is not None and one.seat == fight.seat, fight is not None and one.seat == fight.helper,
                len(one.lasting), one.seat in seen.winners, any(ask.seat == one.seat for ask in seen.deciding),
            )  # fmt: skip
            numbers[SEAT * place : SEAT * place + SEAT] = told
        start = SEAT * count
        numbers[start : start + 6] = (
            seen.turn_no, seen.win_level, seen.doors, seen.treasures, seen.window is not None, len(seen.offers)
        )  # fmt: skip
        if fight is not None:
            numbers[start + 6 : start + TABLE] = (
                1, fight.heroes, fight.foes, fight.winning, fight.levels, fight.treasures
            )  # fmt: skip
        start += TABLE
        for card in seen.you.hand if seen.you is not None else ():
            numbers[start + defn_of(card)] += 1
        for placed in seen.seats[seat].table:
            numbers[start + cards + defn_of(placed.card)] += 1
        return numbers


def _card_of(action: Action) -> int:
    """Return the number of an action's card, plus 1; 0 if it has none."""
    card = getattr(action, "card", 0) or next(iter(getattr(action, "cards", ())), 0)
    return defn_of(card) + 1 if card else 0
