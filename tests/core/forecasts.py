"""What must hold for every forecast: carrying the option out comes to exactly that, and no hidden card decides it."""

import random

from core.engine import submit
from core.forecast import Forecaster
from core.language.catalog import Catalog
from core.moves.legal import fill
from core.state import actions as a
from core.state.actions import AnyAction, Legal, Refusal
from core.state.events import AnyEvent, StageSet
from core.state.forecast import Forecast
from core.state.model import State, Window, clone
from core.view import FightView, View, view

PASSES = 40
"""At most so many passes and rolls decide a fight that was forecast."""


class ForecastCheck:
    """Checks forecasts of the games of one catalog."""

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        self._catalog, self._rng = catalog, rng
        self._forecaster = Forecaster(catalog)
        self.checked: dict[type, int] = {}
        """How many known outcomes were carried out, by the kind of action."""

    def of(self, state: State, seat: int) -> tuple[View, list[Forecast]]:
        """Return what a seat sees, and its forecasts."""
        seen = view(self._catalog, state, seat)
        return seen, self._forecaster.forecasts(state, seat, seen.you.legal)

    def same_in(self, state: State, world: State, seat: int) -> None:
        """Check that a seat is told the same in another world that it could be in."""
        (_, one), (_, two) = self.of(state, seat), self.of(world, seat)
        assert one == two, f"forecasts tell seat {seat} of hidden cards: {one} / {two}"

    def comes_true(self, state: State, seat: int, most: int = 4) -> None:
        """Carry out some options of a seat whose outcome is known: it must be exactly the one that was forecast."""
        seen, found = self.of(state, seat)
        known = [forecast for forecast in found if forecast.fate in ("sums", "over")]
        rows = [(seen.you.legal[row], forecast) for forecast in known for row in forecast.rows]
        rows = [one for one in rows if not isinstance(one[0].action, a.Offer) or self._rng.random() < 0.1]
        for row, forecast in self._rng.sample(rows, min(most, len(rows))):
            self._comes_true(clone(state), seat, row, forecast)

    def _comes_true(self, state: State, seat: int, row: Legal, forecast: Forecast) -> None:
        action = self._paid(state, seat, row, forecast.pays)
        self._take(state, seat, action)
        if isinstance(action, a.Offer):
            self._take(state, action.to, a.Accept(state.offers[-1].no))
        now = view(self._catalog, state, -1).fight
        if forecast.fate == "over":
            over = now is None or not now.monsters or now.stage != "fight"
            assert over, f"seat {seat} was told that {action} ends the fight: {now}"
            return
        assert now is not None, f"seat {seat} was told {forecast} of {action}, which ended the fight"
        assert _standing(now, forecast) == forecast, f"seat {seat}: {action} came to {_standing(now, forecast)}"
        won = self._decided(state)
        assert won == forecast.wins, f"seat {seat} was told {forecast} of {action}, and the fight was won: {won}"
        self.checked[type(action)] = self.checked.get(type(action), 0) + 1

    def _paid(self, state: State, seat: int, row: Legal, pays: int) -> AnyAction:
        """Return the action of a row, paid with any cards of the hand: which of them must make no difference."""
        if row.pick is None:
            return row.action
        brought = getattr(row.action, "brought", 0)
        cards = [card for card in row.pick.among if card in state.seats[seat].hand and card != brought]
        return fill(row, tuple(self._rng.sample(cards, pays)))

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


def _standing(now: FightView, forecast: Forecast) -> Forecast:
    """Return the forecast that would have been right."""
    return Forecast(
        forecast.rows, "sums", forecast.pays, now.seat, now.helper, now.heroes, now.foes, now.winning, now.win_level,
        now.treasures, now.match_point,
    )
