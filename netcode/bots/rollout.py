"""Continue an imagined game with bots that do not wait for people or clocks."""

import random
from collections.abc import Iterator, Sequence

from core.engine import submit
from core.language.catalog import Catalog
from core.state.actions import Action, AnyAction, Close, Default, Pass, Refusal
from core.state.model import State, Window
from core.view import Showing
from netcode.bots.brain import Brain
from netcode.bots.card_values import CardValues
from netcode.bots.lazy_observation import LazyObservation


class Rollout:
    """One game that is continued action by action. levels: the levels of its bots, by seat. Create it before the first
    action that it follows: play_turn ends with the turn in which it was created."""

    def __init__(
        self, catalog: Catalog, values: CardValues, levels: Sequence[str], state: State, rng: random.Random
    ) -> None:
        self.catalog, self.state, self.rng = catalog, state, rng
        self.bots = [Brain(catalog, level, rng, values) for level in levels]
        self.showing: Showing | None = None
        self._turn = state.turn.no

    def play_turn(self, most: int) -> int:
        """Play to the end of the turn or of the game, but at most this many actions. Return how many it took."""
        state = self.state
        for taken in range(most):
            if state.winners or state.turn.no != self._turn or not self.step():
                return taken
        return most

    def step(self) -> bool:
        """Let somebody, or the host, take one action. Return False if nobody can do anything."""
        top = self.state.stack[-1]
        if isinstance(top, Window):
            return self._speak_up(top)
        if any(self._decides(seat, hurry) for hurry in (False, True) for seat in self._order()):
            return True
        return any(self._submit(-1, Default(seat=ask.seat, ask=ask.id)) for ask in list(top.asks))

    def _speak_up(self, top: Window) -> bool:
        """Let the first seat that wants to use this window do so; if nobody does, close it."""
        silent = [no for no, seat in enumerate(self.state.seats) if no not in top.passed and not seat.dead]
        for seat in self._mixed(silent):
            action = self._decision(seat, hurry=True)
            if action is not None and not isinstance(action, Pass) and self._submit(seat, action):
                return True
        return self._submit(-1, Close(window=top.id)) or any(self._submit(no, Pass(top.id)) for no in silent)

    def _order(self) -> Iterator[int]:
        """Yield the seats that the game waits for: first those with an offer to answer; then, in random order, those
        that are asked and, in a fight, the others."""
        top, seats = self.state.stack[-1], range(len(self.state.seats))
        offered = {offer.to for offer in self.state.offers if offer.to >= 0}
        asked = {ask.seat for ask in top.asks} - offered
        yield from sorted(offered)
        yield from self._mixed(sorted(asked))
        if self.state.fight is not None:
            yield from self._mixed([no for no in seats if no not in offered and no not in asked])

    def _mixed(self, seats: list[int]) -> list[int]:
        return self.rng.sample(seats, len(seats)) if len(seats) > 1 else seats

    def _decides(self, seat: int, hurry: bool) -> bool:
        if self.state.seats[seat].dead:
            return False
        action = self._decision(seat, hurry)
        return action is not None and self._submit(seat, action)

    def _decision(self, seat: int, hurry: bool) -> Action | None:
        if self.showing is None:
            self.showing = Showing(self.catalog, self.state)
        return self.bots[seat].decide(LazyObservation(self.catalog, self.state, self.showing, seat, hurry=hurry))

    def _submit(self, seat: int, action: AnyAction) -> bool:
        answer = submit(self.catalog, self.state, seat, action)
        if isinstance(answer, Refusal):
            return False
        if answer or not isinstance(action, Pass):
            self.showing = None
        return True
