"""What would come of the options that a seat has in a fight: the sums after it, who would win, what that would bring.

There are no rules here: each option is carried out by `submit` on a copy of the game as the seat knows it (known.py),
and the fight of that copy is read. What the seat may not know cannot change the answer, because the copy does not hold
it; where a die, a draw, a hidden card or somebody's choice decides, the answer is that this is unknown.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from msgspec.structs import astuple

from core.engine import Runaway, submit
from core.known import known_catalog, known_state
from core.language.catalog import Catalog
from core.moves.legal import fill
from core.queries.rewards import kill_levels, match_point, treasures_due
from core.queries.strength import totals, winning
from core.state import actions as a
from core.state.actions import Action, Legal, Refusal
from core.state.forecast import Forecast
from core.state.model import Combat, State, Window, decode, encode
from core.state.reader import Reader
from core.state.rng import Unknowable

MOST = 96
"""At most this many options of a seat are carried out."""
PRICES = 4
"""At most this many different prices of one option are judged, the lowest first."""
_IN_FIGHT = (a.Play, a.Use, a.Answer, a.Accept, a.Discard)
"""Options that may change a fight, besides offers of help. All others leave it as it is."""
_FIGHT_BEGINS = "loot fight"
"""The ask whose answer may begin a fight."""


@dataclass(frozen=True)
class _Try:
    """An option to judge: its place in the list of options, and the action (None: somebody chooses first what it does).

    pays: how many cards it pays. key: equal for options that come to the same.
    """

    row: int
    action: Action | None
    key: object
    pays: int = 0


class Forecaster:
    """Makes forecasts for the games of one catalog."""

    def __init__(self, cat: Catalog) -> None:
        self._cat = cat
        self._known = known_catalog(cat)

    def forecasts(self, state: State, seat: int, legal: list[Legal]) -> list[Forecast]:
        """Return what would come of the options of a seat that may change the fight or begin one, equal outcomes
        together. legal: what it may do, as its view lists it. Options left out leave the fight as it is.

        Card text that never ends makes the rest unknown: then the list ends early.
        """
        tries = list(_tries(state, seat, legal))
        known = known_state(self._cat, state, seat) if tries and self._known is not None else None
        if known is None or self._known is None:
            return []
        data = encode(known)
        done: dict[object, Forecast | None] = {}
        for one in tries:
            if one.key not in done:
                if len(done) == MOST:
                    break
                try:
                    done[one.key] = _outcome(self._known, decode(data), seat, one)
                except Runaway:
                    break
        return _grouped((one.row, done.get(one.key)) for one in tries)


def _grouped(outcomes: Iterable[tuple[int, Forecast | None]]) -> list[Forecast]:
    """Return each outcome once, with all its rows. outcomes: rows with forecasts that name no rows yet."""
    found: dict[tuple[object, ...], Forecast] = {}
    for row, outcome in outcomes:
        if outcome is not None:
            same = found.setdefault(astuple(outcome)[1:], outcome)
            same.rows.append(row)
    return list(found.values())


# ------------------------------------------------------------------------------------------------- what is to be judged
def _tries(state: State, seat: int, legal: list[Legal]) -> Iterator[_Try]:
    """Yield the options that may change a fight, or begin one."""
    fight = state.fight
    if not state.stack or (fight is not None and fight.stage != "fight"):
        return
    asks = {ask.id for ask in state.stack[-1].asks if ask.seat == seat and ask.kind == _FIGHT_BEGINS}
    for row, option in enumerate(legal):
        action = option.action
        if fight is None:
            begins = isinstance(action, a.Trouble) or (
                isinstance(action, a.Answer) and action.ask in asks and action.picks != (0,)
            )
            if begins:
                yield _Try(row, action, row)
        elif isinstance(action, a.Offer):
            if action.terms.kind == "help":
                yield _Try(row, action if action.to >= 0 else None, ("help", action.to))
        elif isinstance(action, _IN_FIGHT):
            yield from _priced(row, option, state.seats[seat].hand)


def _priced(row: int, option: Legal, hand: list[int]) -> Iterator[_Try]:
    """Yield an option once for each price that it may have. Cards from the hand pay, because they have no part in the
    fight: which of them makes no difference. Where these are too few, what is paid decides."""
    action, pick = option.action, option.pick
    if pick is None:
        yield _Try(row, action, row)
    elif isinstance(action, a.Use) and pick.field == "pay":
        cards = tuple([card for card in pick.among if card in hand and card != action.brought])
        for count in range(pick.lo, min(pick.hi, pick.lo + PRICES - 1) + 1):
            if count > len(cards):
                yield _Try(row, None, (row, count), count)
                return
            yield _Try(row, fill(option, cards[:count]), (row, count), count)


# ------------------------------------------------------------------------------------------------------- judging it
def _outcome(cat: Catalog, state: State, seat: int, one: _Try) -> Forecast | None:
    """Carry an option out on a known state and return what comes of it, as a forecast without rows; None if that is
    refused, which only what the seat does not know can cause. Raises Runaway for card text that never ends."""
    if one.action is None:
        return Forecast([], "choice", one.pays)
    try:
        if not _done(cat, state, seat, one.action):
            return None
    except Unknowable as unknown:
        return Forecast([], "over" if _is_over(state) else unknown.args[0], one.pays)
    return Forecast([], "over", one.pays) if _is_over(state) else _standing(cat, state, one.pays)


def _done(cat: Catalog, state: State, seat: int, action: Action) -> bool:
    """Carry an action out; an offer of help is accepted. Return whether it is allowed."""
    if isinstance(submit(cat, state, seat, action), Refusal):
        return False
    if not isinstance(action, a.Offer):
        return True
    offer = next((offer.no for offer in reversed(state.offers) if offer.frm == seat), 0)
    return not isinstance(submit(cat, state, action.to, a.Accept(offer)), Refusal)


def _is_over(state: State) -> bool:
    """Return whether nothing is left to be decided by strength."""
    fight = state.fight
    return fight is None or fight.stage != "fight"


def _standing(cat: Catalog, state: State, pays: int) -> Forecast:
    """Return how the fight of a state stands."""
    fight, top = state.fight, state.stack[-1]
    assert fight is not None, "a fight that is not over"
    if not isinstance(top, Combat | Window):
        return Forecast([], "choice", pays)
    if not fight.monsters:
        return Forecast([], "over", pays)
    g = Reader(cat, state)
    heroes, foes = totals(g)
    level = min(state.seats[fight.seat].level + kill_levels(g), state.options.win_level)
    return Forecast(
        [], "sums", pays, fight.seat, fight.helper, heroes, foes, winning(g), level, treasures_due(g), match_point(g)
    )
