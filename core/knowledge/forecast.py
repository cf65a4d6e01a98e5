"""Forecasts of a seat's options in a fight: the sums afterwards, the winners, and their reward.

There are no rules here: each option is carried out by `submit` on a copy of the game as the seat knows it (known.py),
and the fight of that copy is read. Facts that the seat may not know cannot change the answer, because the copy does not
hold them. Where a draw, a hidden card or somebody's choice decides, the answer is "unknown"; where a single die
decides, it is the numbers with which the heroes would win.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

from msgspec.structs import astuple, replace

from core.engine import Runaway, submit
from core.knowledge.known import known_catalog, known_state
from core.knowledge.seen import Seen
from core.language.catalog import Catalog
from core.moves.legal import fill
from core.queries.flight import away, odds
from core.queries.rewards import kill_levels, match_point, treasures_due
from core.queries.strength import totals, winning
from core.state import actions as a
from core.state.actions import Action, Legal, Refusal
from core.state.forecasts import Forecast
from core.state.model import Ask, Combat, State, Window, decode, encode
from core.state.reader import Reader
from core.state.rng import Unknowable, UnknownRoll

MOST = 200
"""At most this many actions are carried out to judge the options of a seat."""
OPTIONS, CHOICES_IN_A_ROW = 6, 2
"""Follow the seat's own choices on the way if they have at most this many options, and at most this many in a row."""
PRICES = 4
"""At most this many different prices of one option are judged, the lowest first."""
_IN_FIGHT = (a.Play, a.Use, a.Answer, a.Accept, a.Discard)
"""Options that may change a fight, besides offers of help. All others do not change it."""
_FIGHT_GOES_ON = (Combat, Window)
"""Frames that are on top of the stack once an option has been carried out completely."""
_FIGHT_BEGINS = "loot fight"
"""The ask whose answer may begin a fight."""


@dataclass(frozen=True)
class _Try:
    """An option to judge: its place in the list of options, and the action (None: somebody first chooses what it does).

    pays: how many cards it pays. key: equal for options with the same result.
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

    def forecasts(
        self, state: State, seat: int, legal: list[Legal], seen: Seen | None = None
    ) -> list[Forecast]:
        """Return forecasts for a seat's options that may change or begin a fight, with equal outcomes grouped. legal:
        what it may do, as its view lists it; seen: what it has learned of hidden cards (None: only what it sees now).
        Options without a forecast do not change the fight.

        The list ends early if card text never ends or there are too many options; the rest is unknown then.
        """
        tries = list(_tries(state, seat, legal))
        known = known_state(self._cat, state, seat, seen) if tries and self._known is not None else None
        if known is None or self._known is None:
            return []
        judge = _Judge(self._known, known.data, seat)
        done: dict[object, list[Forecast]] = {}
        for one in tries:
            if one.key not in done:
                try:
                    done[one.key] = judge.outcomes(one)
                except Runaway:
                    break
        return _grouped((one.row, outcome) for one in tries for outcome in done.get(one.key, ()))


def _grouped(outcomes: Iterable[tuple[int, Forecast]]) -> list[Forecast]:
    """Return each outcome once, with all its rows. outcomes: a row, and a forecast that names no rows."""
    rows: dict[tuple[object, ...], list[int]] = {}
    for row, outcome in outcomes:
        found = rows.setdefault(astuple(outcome)[1:], [])
        if row not in found:
            found.append(row)
    return [Forecast(found, *outcome) for outcome, found in rows.items()]  # type: ignore[arg-type]


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
    fight and so are interchangeable. If the hand has too few, a few ways to pay are judged one by one; if there are
    many, the result depends on the payment and is unknown."""
    action, pick = option.action, option.pick
    if pick is None:
        yield _Try(row, action, row)
    elif isinstance(action, a.Use) and pick.field == "pay":
        cards = tuple([card for card in pick.among if card in hand and card != action.brought])
        for count in range(pick.lo, min(pick.hi, pick.lo + PRICES - 1) + 1):
            if count <= len(cards):
                yield _Try(row, fill(option, cards[:count]), (row, count), count)
                continue
            every = [card for card in pick.among if card != action.brought]
            if comb(len(every), count) > OPTIONS:
                yield _Try(row, None, (row, count), count)
                return
            for paid in combinations(every, count):
                yield _Try(row, fill(option, paid), (row, paid), count)


# ------------------------------------------------------------------------------------------------------- judging it
class _Judge:
    """Carries options out on copies of a game as one seat knows it, and reports the outcomes."""

    def __init__(self, cat: Catalog, data: bytes, seat: int) -> None:
        """data: the known state, encoded."""
        self._cat, self._data, self._seat = cat, data, seat
        self._left, self._unseen = MOST, len(list(cat.cards))  # a loop leaves unseen cards out (known.py)

    def outcomes(self, one: _Try) -> list[Forecast]:
        """Return the possible outcomes of an option as forecasts without rows: several if the seat itself chooses on
        the way; none if it would be refused (only something that the seat does not know can cause that) or if too much
        was judged already. Raises Runaway for card text that never ends."""
        if one.action is None:
            return [Forecast([], "choice", one.pays)]
        return list(self._after(self._data, one.action, one.pays, CHOICES_IN_A_ROW))

    def _after(self, data: bytes, action: Action, pays: int, choices: int) -> Iterator[Forecast]:
        """Yield the possible outcomes of an action. choices: how many choices of this seat are followed."""
        self._left -= 1
        if self._left < 0:
            return
        state = decode(data)
        try:
            if not self._do(state, action):
                return
        except UnknownRoll as unknown:
            yield self._rolled(data, action, pays, unknown.args[1]) if not _is_over(state) else _over(pays)
            return
        except Unknowable as unknown:
            yield self._so_far(state, pays, unknown.args[0]) if not _is_over(state) else _over(pays)
            return
        ask = self._own_choice(state) if choices else None
        if ask is None:
            yield self._standing(state, pays)
            return
        data = encode(state)
        for option in ask.options:
            yield from self._after(data, a.Answer(ask.id, (option,)), pays, choices - 1)

    def _rolled(self, data: bytes, action: Action, pays: int, sides: int) -> Forecast:
        """Return the outcome of an action that one die decides: the outcome of all numbers if it is the same, otherwise
        the numbers with which the heroes would win. If more than one die is needed, luck decides."""
        luck = Forecast([], "chance", pays)
        found: list[Forecast] = []
        for number in range(1, sides + 1):
            self._left -= 1
            state = decode(data)
            state.dice = [*state.dice, number]
            try:
                if self._left < 0 or not self._do(state, action):
                    return luck
            except Unknowable:
                return luck
            if not state.stack or self._own_choice(state) is not None:  # it may end the game, or lead to another choice
                return luck
            found.append(self._standing(state, pays))
        first = found[0]
        if any(one.fate not in ("sums", "over") for one in found):
            return luck
        if all(one == first for one in found):
            return first
        if any((one.fate, one.fighter, one.helper) != ("sums", first.fighter, first.helper) for one in found):
            return luck
        return Forecast(
            [], "chance", pays, first.fighter, first.helper, match_point=any(one.match_point for one in found),
            sides=sides, wins_on=tuple([number for number, one in enumerate(found, 1) if one.wins]),
        )  # fmt: skip

    def _so_far(self, state: State, pays: int, fate: str) -> Forecast:
        """Return how the fight stands when luck begins to decide; for other fates, a forecast with only the fate. A
        Seal that opens unseen is luck, so it does not count yet."""
        unknown = Forecast([], fate, pays)
        if fate != "chance":
            return unknown
        state = decode(encode(state))  # so that a copy keeps no partial results
        state.seals_open = [defn for defn in state.seals_open if defn < self._unseen]
        try:
            return replace(self._sums(state, pays), fate=fate)
        except Unknowable:
            return unknown

    def _do(self, state: State, action: Action) -> bool:
        """Carry an action out; an offer of help is accepted. Return whether it is allowed."""
        if isinstance(submit(self._cat, state, self._seat, action), Refusal):
            return False
        if not isinstance(action, a.Offer):
            return True
        offer = next((offer.no for offer in reversed(state.offers) if offer.frm == self._seat), 0)
        return not isinstance(submit(self._cat, state, action.to, a.Accept(offer)), Refusal)

    def _own_choice(self, state: State) -> Ask | None:
        """Return the ask that this seat must answer before the fight goes on, if it has only a few options."""
        if _is_over(state) or isinstance(state.stack[-1], _FIGHT_GOES_ON):
            return None
        for ask in state.stack[-1].asks:
            if ask.seat == self._seat and ask.lo == ask.hi == 1 and len(ask.options) <= OPTIONS:
                return ask
        return None

    def _standing(self, state: State, pays: int) -> Forecast:
        """Return how the fight of a state stands."""
        fight = state.fight
        if fight is None or _is_over(state):
            return _over(pays)
        if not isinstance(state.stack[-1], _FIGHT_GOES_ON):
            return Forecast([], "choice", pays)
        return self._sums(state, pays)

    def _sums(self, state: State, pays: int) -> Forecast:
        """Return the sums of the fight of a state and their consequences."""
        fight = state.fight
        if fight is None:
            return _over(pays)
        g = Reader(self._cat, state)
        heroes, foes = totals(g)
        runner = self._seat if self._seat in (fight.seat, fight.helper) else fight.seat
        level = min(state.seats[fight.seat].level + kill_levels(g), state.options.win_level)
        return Forecast(
            [], "sums", pays, fight.seat, fight.helper, heroes, foes, winning(g), level, treasures_due(g),
            match_point(g), away([odds(g, runner, monster) for monster in fight.monsters]),
        )  # fmt: skip


def _over(pays: int) -> Forecast:
    return Forecast([], "over", pays)


def _is_over(state: State) -> bool:
    """Return whether strength no longer decides anything: no text runs that could bring another monster."""
    fight = state.fight
    if fight is None or fight.stage != "fight":
        return True
    return not fight.monsters and isinstance(state.stack[-1], _FIGHT_GOES_ON)
