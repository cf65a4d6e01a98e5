"""A game of the real rules, as a table runs it. Importing this loads all rules, so a host does it once it serves."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from core.engine import Runaway, new_game
from core.knowledge.forecast import Forecaster
from core.knowledge.veil import veil
from core.language.catalog import Catalog
from core.language.errors import PackError
from core.moves import legal
from core.procedures.setup import too_few
from core.state.actions import AnyAction, Pass, Refusal
from core.state.events import AnyEvent
from core.state.forecasts import Forecast
from core.state.model import Options, State, decode, encode
from core.state.views import View
from core.text.foes import foes_of
from core.text.log import log_line
from core.undo import Mark, Reversible
from core.view import Showing
from netcode.protocol import limits

if TYPE_CHECKING:
    from core.scenario.schema import Scenario  # only a table laid out by a scenario needs it

LOG = logging.getLogger("kickdoor.game")
_PACKER = msgspec.msgpack.Encoder()


class RulesGame:
    """A RunningGame (rules_adapter.py) of the real rules. number: how many actions there have been."""

    def __init__(self, catalog: Catalog, state: State, number: int = 0) -> None:
        self._catalog = catalog
        self._game = Reversible(catalog, state, number)
        self._forecaster: Forecaster | None = None
        self._showing: Showing | None = None
        """The views of the present state; None if nobody has looked since it changed."""
        self._views: dict[int, View] = {}
        """The views of seats that have been made from it."""

    @property
    def state(self) -> State:
        """The true state, hidden things included."""
        return self._game.state

    @property
    def rev(self) -> int:
        """See RunningGame."""
        return self.state.rev

    def submit(self, seat: int, action: AnyAction) -> Refusal | list[AnyEvent]:
        """See RunningGame. An internal error refuses the action and leaves the game as it was."""
        showing, self._showing = self._showing, None
        try:
            result = self._game.submit(seat, action)
        except Runaway as problem:
            LOG.warning("an action is refused: %s", problem)
            self._game.state = decode(self._game.before)
            return Refusal("internal", f"Nothing has changed. A card pack has a mistake: {problem}.")
        except Exception:
            before = self._game.before
            LOG.exception("seat %d could not do a %s", seat, type(action).__name__)
            self._game.state = decode(before)
            return Refusal("internal", "An internal error: nothing has changed; the host has logged it.")
        if isinstance(result, Refusal):
            self._showing = showing
        elif isinstance(action, Pass) and not result:  # only its own seat sees it
            self._showing = showing
            self._views.pop(seat, None)
        return result

    def last(self) -> Mark | None:
        """See RunningGame."""
        return self._game.marks.last

    def remember(self, keep: bool) -> None:
        """See RunningGame."""
        self._game.remember(keep)

    def last_choice(self, seat: int) -> int:
        """See RunningGame."""
        return self._game.history.last_choice(self._catalog, seat) if self._game.history is not None else 0

    def has_acted(self, seat: int) -> bool:
        """See RunningGame."""
        return self._game.history is not None and self._game.history.has_acted(seat)

    def check(self, seat: int, action: AnyAction) -> Refusal | None:
        """See RunningGame."""
        return legal.check(self._catalog, self.state, seat, action)

    def views(self, seats: int) -> tuple[View, list[View]]:
        """See RunningGame."""
        if self._showing is None:
            self._showing, self._views = Showing(self._catalog, self.state), {}
        for seat in range(seats):
            if seat not in self._views:
                self._views[seat] = self._showing.view(seat)
        return self._showing.view(-1), [self._views[seat] for seat in range(seats)]

    def forecasts(self, seat: int, view: View) -> list[Forecast]:
        """See RunningGame. An internal error leaves the options without a forecast."""
        if view.you is None:
            return []
        self._forecaster = self._forecaster or Forecaster(self._catalog)
        try:
            return self._forecaster.forecasts(self.state, seat, view.you.legal, self._game.seen[seat])
        except Exception:
            LOG.exception("there is no forecast for seat %d", seat)
            return []

    def words(self, seat: int, before: View, events: Sequence[AnyEvent], names: Sequence[str]) -> int:
        """See RunningGame."""
        foes, found = foes_of(before), 0
        for event in events:
            found += len((log_line(event, self._catalog, names, seat, foes) or "").split())
            foes.follow(event)
        return found

    def veiled(self, seat: int) -> bytes:
        """See RunningGame. An internal error leaves the seat without a veiled state."""
        try:
            data = _PACKER.encode(veil(self._catalog, self.state, seat, self._game.seen[seat]))
        except Exception:
            LOG.exception("the game cannot be veiled for seat %d", seat)
            return b""
        return data if len(data) <= limits.PART_OF_VIEW_BYTES else b""

    def save(self) -> bytes:
        """See RunningGame."""
        return encode(self.state)


def deal(catalog: Catalog, seats: int, options: Options, seed: bytes) -> tuple[RulesGame, list[AnyEvent]]:
    """Return a new game and the events of its deal."""
    state, events = new_game(catalog, seats, options, seed)
    return RulesGame(catalog, state), events


def check_deal(catalog: Catalog, seats: int) -> None:
    """Raise PackError if the decks have too few cards for the deal (setup.deal)."""
    if problem := too_few(catalog, seats):
        raise PackError(problem)


def begin_scenario(catalog: Catalog, scenario: "Scenario", seed: bytes) -> tuple[RulesGame, list[AnyEvent]]:
    """Return a game in the position of a scenario. Raises ValueError if these cards cannot set it up."""
    from core.scenario.cast import Cast, begin  # only a table laid out by a scenario needs it
    from core.scenario.schema import ScenarioError  # only a table laid out by a scenario needs it

    try:
        state, events = begin(Cast(catalog, scenario), seed)
    except (ScenarioError, Runaway) as problem:
        raise ValueError(str(problem)) from None
    return RulesGame(catalog, state), events


def restored(catalog: Catalog, saved: bytes, number: int) -> RulesGame:
    """Return a saved game that has had this many actions. Raises msgspec.MsgspecError for invalid data."""
    return RulesGame(catalog, decode(saved), number)
