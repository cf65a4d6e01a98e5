"""One whole game between bots, in process: the host's part (who is asked next, clocks, defaults) played at random.

Only the public doors of core are used, and a bot sees nothing but its view. Interrupts come at random moments from
random seats: whose view is looked at next is drawn by lot, often enough not the seat that is waited for.
"""

import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct, field

from core.engine import new_game, submit
from core.state.actions import AnyAction, Close, Default, Pass, Refusal
from core.state.events import AnyEvent
from core.state.model import Options, State, Window
from core.view import Showing
from netcode.bots.brain import Brain, Level
from netcode.bots.card_values import Worth

if TYPE_CHECKING:
    from core.language.catalog import Catalog

INTERRUPT = 0.1
"""How often a seat that nobody waits for is looked at first."""
CLOCK = {"kick": 0.5}
"""How often, at each step, the clock of an open window runs out: the beat before a door is short, the others long."""
LONG = 0.04
OVERSLEEP = 0.001
"""How often, at each step, the time for an ask runs out and its default is taken."""
LIMIT = 200_000
"""Decisions after which a game is given up, whatever its turns say."""

Watch = Callable[[State, int, AnyAction, list[AnyEvent]], None]
"""Called after each accepted action with the state, the seat (-1: the host), the action and its events."""


class Played(Struct):
    """What came of one game. why: ended, turns, decisions or stalled; order: seats by their place after the first."""

    index: int
    seats: int
    why: str
    turns: int = 0
    decisions: int = 0
    passes: int = 0
    seconds: float = 0.0
    winners: list[int] = field(default_factory=list)
    first: int = 0
    bots: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    levels: list[list[int]] = field(default_factory=list)
    """Levels of all seats at the start of each round."""
    played: dict[int, int] = field(default_factory=dict)
    """Cards played, by definition."""
    identities: list[list[int]] = field(default_factory=list)
    """Definitions of the identities each seat had at the end."""
    held: dict[int, int] = field(default_factory=dict)
    """Turns for which each identity lay in play, over all seats, by definition."""


class Table:
    """One game under way, with its bots and its host."""

    def __init__(
        self,
        catalog: "Catalog",
        bots: list[Level],
        seed: int,
        *,
        worth: Worth | None = None,
        options: Options | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.catalog = catalog
        self.rng = random.Random(seed)
        shared = worth if worth is not None else Worth(catalog)
        self.brains = [Brain(catalog, level, random.Random(f"{seed}:{no}"), shared) for no, level in enumerate(bots)]
        self.watch = watch
        key = seed.to_bytes(16, "big", signed=True)
        self.state, self.opening = new_game(catalog, len(bots), options or Options(), key)
        self.decisions = 0
        self.passes = 0
        self.refused: list[str] = []
        self.quiet: set[int] = set()
        """Seats that had nothing to do since the last accepted action."""
        self.showing: Showing | None = None
        """The table as it is shown, as long as nothing changed it: a pass that is not the last does not."""

    def play(self, turn_cap: int) -> str:
        """Play until somebody wins ("ended") or a guard trips ("turns", "decisions", "stalled")."""
        while not self.state.winners:
            if self.state.turn.no > turn_cap:
                return "turns"
            if self.decisions >= LIMIT:
                return "decisions"
            if not self.step():
                return "stalled"
        return "ended"

    def step(self) -> bool:
        """One accepted action of somebody, the host included. False: nobody can do anything."""
        if self._clocks():
            return True
        for hurry in (False, True):
            for seat in self._order():
                if self._ask(seat, hurry):
                    return True
            self.quiet.clear()
        return self._force()

    # ------------------------------------------------------------------------------------------------- bots
    def _order(self) -> Iterator[int]:
        """Seats by lot, those who are waited for first: whoever has an offer to answer, then whoever is asked; but now
        and then somebody interrupts. Who has passed or has nothing to do is left out."""
        top, lot = self.state.stack[-1], self.rng.random
        out = self.quiet.union(top.passed) if isinstance(top, Window) else self.quiet
        left = [seat for seat in range(len(self.brains)) if seat not in out]
        if not isinstance(top, Window):
            if left and lot() < INTERRUPT:
                yield left.pop(int(lot() * len(left)))
            for first in ({deal.to for deal in self.state.offers}, {ask.seat for ask in top.asks}):
                waited = [seat for seat in left if seat in first]
                left = [seat for seat in left if seat not in first]
                while waited:
                    yield waited.pop(int(lot() * len(waited)))
        while left:
            yield left.pop(int(lot() * len(left)))

    def _ask(self, seat: int, hurry: bool) -> bool:
        if self.state.seats[seat].dead:
            return False
        if self.showing is None:
            self.showing = Showing(self.catalog, self.state)
        action = self.brains[seat].decide(self.showing.view(seat), hurry)
        if action is None:
            self.quiet.add(seat)
            return False
        done = self.submit(seat, action)
        if not done:
            self.quiet.add(seat)
        return done

    def submit(self, seat: int, action: AnyAction) -> bool:
        """Hand an action in; whether it was taken. A refusal of a bot's action is kept for the report."""
        answer = submit(self.catalog, self.state, seat, action)
        if isinstance(answer, Refusal):
            if seat >= 0 and len(self.refused) < 20:
                self.refused.append(f"{answer.clause}: seat {seat} {action}: {answer.text}")
            return False
        self.decisions += 1
        self.passes += isinstance(action, Pass)
        if answer or not isinstance(action, Pass):
            self.showing = None
        self.quiet.clear()
        if self.watch is not None:
            self.watch(self.state, seat, action, answer)
        return True

    # ------------------------------------------------------------------------------------------------- host
    def _clocks(self) -> bool:
        """Now and then a clock runs out: of the open window, or of somebody's ask."""
        top = self.state.stack[-1]
        if isinstance(top, Window):
            return self.rng.random() < CLOCK.get(top.kind, LONG) and self.submit(-1, Close(window=top.id))
        if top.asks and self.rng.random() < OVERSLEEP:
            return self.submit(-1, Default(seat=top.asks[0].seat, ask=top.asks[0].id))
        return False

    def _force(self) -> bool:
        """Nobody does anything: every clock runs out at last."""
        top = self.state.stack[-1]
        if isinstance(top, Window) and self.submit(-1, Close(window=top.id)):
            return True
        return any(self.submit(-1, Default(seat=ask.seat, ask=ask.id)) for ask in list(top.asks))
