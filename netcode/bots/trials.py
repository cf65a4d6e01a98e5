"""The outcome of an action by the rules: it is carried out on a copy of the game as its seat knows it.

Anything hidden or random raises Unknowable there (core/knowledge/known.py); then there is no answer, so none depends on
it. """

from collections.abc import Sequence

from msgspec import Struct

from core.engine import Runaway, submit
from core.language.catalog import Catalog
from core.moves.timeouts import default_picks
from core.queries.carried import CarriedReads
from core.queries.rewards import match_point, treasures_due
from core.queries.strength import figures, totals, winning
from core.state.actions import Action, Answer, Legal, Refusal
from core.state.model import Combat, State, TurnFrame, Window, decode
from core.state.reader import Reader
from core.state.rng import Unknowable
from core.state.veiled import Veiled

_PLAIN = frozenset((Combat, TurnFrame, Window))
"""The frames on which a trial begins and ends: no card text runs."""
ASKS_MOST = 8
"""The most asks that a trial answers."""


class GameStanding(Struct, frozen=True):
    """The standing of a game. fights: there is an undecided fight; otherwise all fields about fights are 0 or false.
    mine: I am one of the heroes. lead: the strength of the heroes minus that of the monsters. winning: the heroes would
    win. match_point: that would end the game. treasures: due for the kill. levels: by seat. gear: my strength beyond my
    Level; 0 in a fight, where no Item is sold."""

    fights: bool
    mine: bool
    lead: int
    winning: bool
    match_point: bool
    treasures: int
    levels: tuple[int, ...]
    gear: int


class Trials:
    """Tries actions of one seat in one game. catalog: one whose unseen cards cannot be read (core/knowledge/known.py).
    carried: seat reads of earlier trials. rows: the legal rows of the seat's view; whole actions among them are not
    checked again."""

    def __init__(
        self, catalog: Catalog, veiled: Veiled, carried: CarriedReads, rows: Sequence[Legal] = ()
    ) -> None:  # fmt: skip
        self._catalog, self._seat, self._data, self._carried = catalog, veiled.seat, veiled.data, carried
        self._rows = list(rows)

    def now(self) -> GameStanding | None:
        """Return how the game stands; None if that cannot be known."""
        state = decode(self._data)
        self._carried.copy_to(Reader(self._catalog, state))
        try:
            return self._standing(state)
        except Unknowable:
            return None

    def after(self, action: Action, option: bool = False) -> GameStanding | None:
        """Return how the game stands after an action; None if that cannot be known or the action is refused. option:
        the first choice that the action's text lets me make."""
        state = decode(self._data)
        if not _is_plain(state):
            return None
        reader = Reader(self._catalog, state)
        self._carried.copy_to(reader)
        reader.reads.rows[self._seat] = self._rows
        reader.reads.settled = not state.dirty  # the game was waiting for this action, so nothing else was due
        try:
            if not self._do(state, action) or not (self._choose(state, option) and _is_plain(state)):
                return None
            return self._standing(state)
        except (Runaway, Unknowable):
            return None

    def _do(self, state: State, action: Action) -> bool:
        return not isinstance(submit(self._catalog, state, self._seat, action), Refusal)

    def _choose(self, state: State, option: bool) -> bool:
        """Answer what my action asks me, one ask after another; return False if an answer is refused."""
        for _ in range(ASKS_MOST):
            answer = self._answer(state, option)
            if answer is None:
                return True
            if not self._do(state, answer):
                return False
        return True

    def _answer(self, state: State, option: bool) -> Answer | None:
        """Return my answer to the first ask for me that a trial can answer: my own seat, the first option, and about
        cards that my action makes me give up what the host would answer for a silent seat."""
        plain = _is_plain(state)
        for ask in state.stack[-1].asks if state.stack else ():
            if ask.seat != self._seat:
                continue
            if ask.kind == "seat" and self._seat in ask.options:
                return Answer(ask.id, (self._seat,))
            if ask.kind == "option" and option:
                return Answer(ask.id, (ask.options[0],))
            if not plain and (ask.kind == "give to" or self._are_mine(state, ask.options)):
                return Answer(ask.id, tuple(default_picks(Reader(self._catalog, state), ask)))
        return None

    def _are_mine(self, state: State, options: Sequence[int]) -> bool:
        """Return whether these are cards of mine, in hand or in play."""
        seat = state.seats[self._seat]
        mine = {*seat.hand, *[placed.card for placed in seat.table]}
        return bool(options) and mine.issuperset(options)

    def _standing(self, state: State) -> GameStanding:
        levels = tuple([seat.level for seat in state.seats])
        fight, reader = state.fight, Reader(self._catalog, state)
        if fight is None or fight.stage != "fight" or not fight.monsters:
            gear = figures(reader, self._seat)[0] - levels[self._seat]
            return GameStanding(False, False, 0, False, False, 0, levels, gear)
        heroes, foes = totals(reader)
        wins = winning(reader)
        ends = wins and match_point(reader)
        mine = self._seat in (fight.seat, fight.helper)
        return GameStanding(True, mine, heroes - foes, wins, ends, treasures_due(reader), levels, 0)


def _is_plain(state: State) -> bool:
    return _PLAIN.issuperset(map(type, state.stack))
