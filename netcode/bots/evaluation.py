"""Each seat's chance to win at the beginning of a turn: a softmax over the seats of weighted features.

The weights are data (data/evaluation.toml), fitted on games of bots by `kickdoor lab fit`. Evaluated states have
complete hands: they are imagined by a seat (core/knowledge/imagine.py) or belong to a finished game. Views are
evaluated too (`outlook`); there an unseen card counts as an average card of the decks. """

from collections.abc import Sequence
from functools import cache
from math import exp, isfinite
from statistics import fmean as mean

from core.language import toml
from core.language.catalog import Catalog
from core.queries.strength import figures
from core.state.model import DEFN_MASK, State
from core.state.reader import Reader
from netcode.bots.card_values import CardValues
from netcode.bots.data_files import read_data
from netcode.bots.standing import Standing

FEATURES = (
    "level", "three_to_go", "two_to_go", "one_to_go", "gear", "gear_two_to_go", "gear_one_to_go", "run", "doors",
    "treasures", "hand_points", "level_cards", "gold", "stoppers", "identities", "lasting", "dead", "guarded", "active",
    "wait",
)  # fmt: skip
"""The features of a seat, in the order of its numbers."""
FILE = "evaluation.toml"
HUNDREDS = 0.01
TENTHS = 0.1
IN_HAND = tuple(map(FEATURES.index, ("doors", "treasures", "hand_points", "level_cards", "gold", "stoppers")))
"""The features to which a card in hand contributes."""
GUARDS_MOST = 3.0
"""Cards in the hands of others that can stop a seat count up to this number."""
TO_GO, STOPPERS, GUARDED = (FEATURES.index(name) for name in ("one_to_go", "stoppers", "guarded"))


class Evaluator:
    """Judges states of one catalog; `values` may be shared, and `weights` (one for each feature) are those of the data
    file unless given."""

    def __init__(self, catalog: Catalog, values: CardValues, weights: tuple[float, ...] | None = None) -> None:
        self.catalog, self.values = catalog, values
        self.weights = weights if weights is not None else stored_weights()
        cards = catalog.cards
        self._door = [definition.deck == "door" for definition in cards]
        self._level = [definition.kind == "level" for definition in cards]
        self._identity = [definition.card.identity is not None for definition in cards]
        self._points = [values.of[no].keep_points * TENTHS for no in range(len(cards))]
        self._gold = [values.of[no].gold * HUNDREDS for no in range(len(cards))]
        decks = [*catalog.pile("door"), *catalog.pile("treasure")]
        doors = mean([self._door[defn] for defn in decks])
        self._stops = [float(no in values.win_blockers) for no in range(len(cards))]
        held = (self._points, self._level, self._gold, self._stops)
        self._usual = (doors, 1 - doors, *(mean([number[defn] for defn in decks]) for number in held))

    def chances(self, state: State) -> list[float]:
        """Return each seat's chance to win; they sum up to 1. Winners of a game that is over share it."""
        if state.winners:
            share = 1 / len(state.winners)
            return [share if seat in state.winners else 0.0 for seat in range(len(state.seats))]
        return softmax([dot(self.weights, row) for row in self.features(state)])

    def features(self, state: State) -> list[list[float]]:
        """Return the numbers of each seat, in the order of FEATURES."""
        reader = Reader(self.catalog, state)
        return _guarded([self._features(reader, seat) for seat in range(len(state.seats))])

    def outlook(self, standings: Sequence[Standing], win_level: int) -> list[float]:
        """Return each seat's chance to win by the standings, no matter whose turn it is; they sum up to 1."""
        rows = _guarded([self._numbers(one, win_level - one.level) for one in standings])
        return softmax([dot(self.weights, row) for row in rows])

    def _features(self, reader: Reader, no: int) -> list[float]:
        state = reader.state
        seat, seats = state.seats[no], len(state.seats)
        strength, run = figures(reader, no)
        hand = [card & DEFN_MASK for card in seat.hand]
        table = [entry.card & DEFN_MASK for entry in seat.table]
        standing = Standing(seat.level, strength, run, hand, table, len(seat.lasting), seat.dead)
        numbers = self._numbers(standing, state.options.win_level - seat.level)
        numbers[-2] = float(state.turn.seat == no)
        numbers[-1] = (no - state.turn.seat) % seats / seats
        return numbers

    def _numbers(self, standing: Standing, to_go: int) -> list[float]:
        """Return the numbers of a seat; the last three, about rivals and whose turn it is, are left at 0."""
        level, strength, run, hand, table, lasting, dead, unseen = standing
        gear = float(strength - level)
        doors = sum([self._door[defn] for defn in hand])
        numbers = [
            float(level),
            float(to_go <= 3),
            float(to_go <= 2),
            float(to_go <= 1),
            gear,
            gear if to_go == 2 else 0.0,
            gear if to_go <= 1 else 0.0,
            float(run),
            float(doors),
            float(len(hand) - doors),
            sum([self._points[defn] for defn in hand]),
            float(sum([self._level[defn] for defn in hand])),
            sum([self._gold[defn] for defn in hand + table]),
            sum([self._stops[defn] for defn in hand]),
            float(sum([self._identity[defn] for defn in table])),
            float(lasting),
            float(dead),
            0.0,
            0.0,
            0.0,
        ]
        if unseen:
            for at, usual in zip(IN_HAND, self._usual):
                numbers[at] += unseen * usual
        return numbers


def _guarded(rows: list[list[float]]) -> list[list[float]]:
    """Set for each seat with one level to go how many cards in the hands of others could stop it; return all rows."""
    stoppers = sum([row[STOPPERS] for row in rows])
    for row in rows:
        row[GUARDED] = row[TO_GO] * min(GUARDS_MOST, stoppers - row[STOPPERS])
    return rows


def dot(weights: tuple[float, ...] | list[float], numbers: list[float]) -> float:
    """Return the weighted sum of these numbers."""
    return sum([weight * number for weight, number in zip(weights, numbers)])


def softmax(scores: list[float]) -> list[float]:
    """Return shares that sum up to 1, in proportion to e to the power of each score."""
    top = max(scores)
    powers = [exp(score - top) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


@cache
def stored_weights() -> tuple[float, ...]:
    """Return the weights of the data file, in the order of FEATURES. Raises BrokenData."""
    return read_data(FILE, read_weights)


def read_weights(text: str) -> tuple[float, ...]:
    """Return the weights of a TOML text, in the order of FEATURES. Raises ValueError, with one line that names the
    place, if one is missing, unknown, or no number."""
    weights = toml.parse(text).get("weights")
    if not isinstance(weights, dict):
        raise ValueError(f"{FILE}: there is no table [weights]")
    for name in (*FEATURES, *weights):
        if name not in weights:
            raise ValueError(f"{FILE}: [weights] has no {name!r}")
        if name not in FEATURES:
            raise ValueError(f"{FILE}: [weights] {name!r} is unknown: a feature is one of {', '.join(FEATURES)}")
        value = weights[name]
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise ValueError(f"{FILE}: [weights] {name} must be a number, not {value!r}")
    return tuple(float(weights[name]) for name in FEATURES)
