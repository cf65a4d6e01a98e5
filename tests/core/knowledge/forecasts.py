"""Conditions of every forecast: carrying the option out gives exactly that result, and no hidden card decides it."""

import random

from msgspec.structs import replace

from core.engine import submit
from core.knowledge.forecast import CHOICES_IN_A_ROW, OPTIONS, Forecaster
from core.knowledge.seen import Seen
from core.language.catalog import Catalog
from core.moves.legal import fill
from core.queries.flight import away
from core.scenario.steps import covering
from core.state import actions as a
from core.state.actions import AnyAction, Legal, Refusal
from core.state.events import AnyEvent, StageSet
from core.state.forecasts import Forecast
from core.state.model import Combat, State, Window, clone
from core.state.views import View
from core.view import view

PASSES = 40
"""At most this many passes and rolls decide a fight that was forecast."""


class ForecastCheck:
    """Checks forecasts of the games of one catalog."""

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        self._catalog, self._rng = catalog, rng
        self._forecaster = Forecaster(catalog)
        self.seen: Seen | None = None
        """The knowledge of the seat, which a forecast should use."""
        self.checked: dict[type, int] = {}
        """How many known outcomes were carried out, by the kind of action."""
        self.rolled = 0
        """How many options that one die decides were carried out with each of its numbers."""

    def of(self, state: State, seat: int) -> tuple[View, list[Forecast]]:
        """Return what a seat sees, and its forecasts."""
        seen = view(self._catalog, state, seat)
        return seen, self._forecaster.forecasts(state, seat, seen.you.legal, self.seen)

    def those_of(self, action: AnyAction, seen: View, found: list[Forecast]) -> list[Forecast]:
        """Return those of these forecasts that belong to the row that lists this action, one for each price; none if no
        row lists it."""
        rows = [at for at, row in enumerate(seen.you.legal) if covering([row], action)]
        return [forecast for forecast in found if any(at in forecast.rows for at in rows)]

    def same_in(self, state: State, world: State, seat: int) -> None:
        """Check that a seat gets the same forecasts in another world that it could be in."""
        (_, one), (_, two) = self.of(state, seat), self.of(world, seat)
        assert one == two, f"forecasts tell seat {seat} of hidden cards: {one} / {two}"

    def comes_true(
        self, state: State, seat: int, most: int = 4, known: tuple[View, list[Forecast]] | None = None
    ) -> None:
        """Carry out some options of a seat whose outcome is known: it must be exactly the one that was forecast.

        known: what the seat sees and its forecasts, if somebody has asked for them already.
        """
        seen, found = known or self.of(state, seat)
        rows = list(dict.fromkeys((row, told.pays) for told in found for row in told.rows))
        legal = seen.you.legal
        rows = [one for one in rows if not isinstance(legal[one[0]].action, a.Offer) or self._rng.random() < 0.1]
        for row, pays in self._rng.sample(rows, min(most, len(rows))):
            possible = [replace(told, rows=[]) for told in found if row in told.rows and told.pays == pays]
            if len(possible) == 1 and possible[0].sides:
                self._comes_true_on_each_number(state, seat, legal[row], possible[0])
            if not any(told.fate in ("chance", "hidden") for told in possible):
                game = clone(state)
                game.dice = []  # a scenario names no die for rolls that happen only here
                self._comes_true(game, seat, legal[row], possible)

    def _comes_true_on_each_number(self, state: State, seat: int, row: Legal, told: Forecast) -> None:
        """Carry an option out with each number of the die that decides it: the heroes must win with exactly the
        forecast numbers."""
        for number in range(1, told.sides + 1):
            game = clone(state)
            game.dice = [number]
            self._take(game, seat, self._paid(game, seat, row, told.pays))
            found = self._standing(game, told.pays, seat)
            if found.fate == "choice":  # this seat chooses first, and then the die is rolled
                return
            assert (found.fate, found.wins) == ("sums", number in told.wins_on), f"{told}: {number} came to {found}"
        self.rolled += 1

    def _comes_true(self, state: State, seat: int, row: Legal, possible: list[Forecast]) -> None:
        pays = possible[0].pays
        few = len([card for card in row.pick.among if card in state.seats[seat].hand] if row.pick else ()) < pays
        if few and any(told.fate == "choice" for told in possible):  # there are too many ways to pay
            return
        action = self._paid(state, seat, row, pays)
        self._take(state, seat, action)
        if isinstance(action, a.Offer):
            if action.to < 0:
                return
            self._take(state, action.to, a.Accept(state.offers[-1].no))
        for _ in range(CHOICES_IN_A_ROW):
            top = state.stack[-1] if state.stack else None
            asks = [ask for ask in top.asks if ask.seat == seat and ask.lo == ask.hi == 1] if top is not None else []
            if asks and len(asks[0].options) <= OPTIONS and not isinstance(top, Combat | Window):
                self._take(state, seat, a.Answer(asks[0].id, (self._rng.choice(asks[0].options),)))
        found = self._standing(state, pays, seat)
        assert found in possible, f"seat {seat} was told of {action}: {possible}; it came to {found}"
        self.checked[type(action)] = self.checked.get(type(action), 0) + 1
        if found.fate == "sums":
            won = self._decided(state)
            assert won == found.wins, f"seat {seat} was told {found} of {action}, and the fight was won: {won}"

    def _standing(self, state: State, pays: int, seat: int) -> Forecast:
        """Return the forecast that would have been right."""
        now = view(self._catalog, state, -1).fight
        settled = not state.stack or isinstance(state.stack[-1], Combat | Window)
        if now is None or now.stage != "fight" or (not now.monsters and settled):
            return Forecast([], "over", pays)
        if not settled:
            return Forecast([], "choice", pays)
        runner = seat if seat in (now.seat, now.helper) else now.seat
        return Forecast(
            [], "sums", pays, now.seat, now.helper, now.heroes, now.foes, now.winning, now.win_level,
            now.treasures, now.match_point, away([one for one in now.flights if one.seat == runner]),
        )  # fmt: skip

    def _paid(self, state: State, seat: int, row: Legal, pays: int) -> AnyAction:
        """Return the action of a row, paid with any cards of the hand, because the choice must make no difference; if
        these are too few, with any cards that can pay."""
        if row.pick is None:
            return row.action
        brought = getattr(row.action, "brought", 0)
        cards = [card for card in row.pick.among if card in state.seats[seat].hand and card != brought]
        every = [card for card in row.pick.among if card != brought]
        return fill(row, tuple(self._rng.sample(cards if len(cards) >= pays else every, pays)))

    def _take(self, state: State, seat: int, action: AnyAction) -> list[AnyEvent]:
        answer = submit(self._catalog, state, seat, action)
        assert not isinstance(answer, Refusal), f"seat {seat} may not {action}, as was forecast: {answer}"
        return answer

    def _decided(self, state: State) -> bool:
        """Let the fighter claim or give up, and everybody pass; return whether the fight is won."""
        for _ in range(PASSES):
            fight, top = state.fight, state.stack[-1]
            if fight is None or fight.stage != "fight":
                break
            if isinstance(top, Window):
                waiting = [no for no, player in enumerate(state.seats) if not player.dead and no not in top.passed]
                events = self._take(state, waiting[0], a.Pass(top.id))
            else:
                winning = view(self._catalog, state, -1).fight.winning
                events = self._take(state, fight.seat, a.Claim() if winning else a.Flee())
            stages = [event.stage for event in events if isinstance(event, StageSet)]
            if stages:
                return stages[0] == "won"
        raise AssertionError("the fight was not decided")

