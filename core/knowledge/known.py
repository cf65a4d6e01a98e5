"""Let the rules run on a game as one seat knows it (core/knowledge/veil.py), with a catalog whose stand-ins cannot be
read.

A card of a deck or of another hand has the number of a definition that raises Unknowable when it is looked at, and so
does a number drawn without a seed (core/state/rng.py). So the rules run as on the true state, until something hidden or
random would decide. No code has to be trusted not to look at hidden cards, because the state does not have them.
"""

from collections.abc import Iterator
from copy import copy
from typing import Any

from core.knowledge.seen import Seen
from core.knowledge.veil import veil
from core.language.catalog import Catalog
from core.language.definition import Def
from core.language.pack_limits import CARDS_LIMIT
from core.state.model import AnyFrame, Backout, Combat, Excess, Program, State, Throw, TurnFrame, Window
from core.state.rng import Unknowable
from core.state.veiled import Veiled

_PLAIN_FRAMES = (Window, TurnFrame, Combat, Excess, Backout, Throw)
"""Frames on which the rules can run although the knowledge of other seats is blanked."""


# ---------------------------------------------------------------------------------------------------------- the cards
class _Unseen:
    """The definition of a card that the seat does not see. fate: what a forecast says if it is looked at."""

    def __init__(self, fate: str) -> None:
        self.__dict__["_fate"] = fate

    def __getattr__(self, name: str) -> Any:
        raise Unknowable(self._fate)


class _Cards(tuple[Def, ...]):
    """All definitions, followed by those of unseen cards, which iteration leaves out."""

    def __iter__(self) -> Iterator[Def]:
        return iter(self[: len(self) - 2])


class _Kind(frozenset[int]):
    """The definitions of some kind of card. Asking whether an unseen card is of that kind raises Unknowable."""

    unseen = CARDS_LIMIT

    def __contains__(self, defn: object) -> bool:
        if isinstance(defn, int) and defn >= self.unseen:
            raise Unknowable("hidden")
        return super().__contains__(defn)


class _Fitting(dict[tuple[object, ...], frozenset[int]]):
    """The definitions by the kind that a selector asks for (Catalog.fitting)."""

    def __init__(self, unseen: int) -> None:
        self._unseen = unseen

    def __setitem__(self, kind: tuple[object, ...], found: frozenset[int]) -> None:
        known = _Kind(found)
        known.unseen = self._unseen
        super().__setitem__(kind, known)


def known_catalog(cat: Catalog) -> Catalog | None:
    """Return the catalog for states that `known_state` returns; None if it is too full for the numbers of unseen
    cards."""
    unseen = len(cat.cards)
    if unseen + 2 > CARDS_LIMIT:
        return None
    known = copy(cat)
    known.cards = _Cards((*cat.cards, _Unseen("chance"), _Unseen("hidden")))  # type: ignore[arg-type]
    known.fitting = _Fitting(unseen)
    return known


# ---------------------------------------------------------------------------------------------------------- the state
def known_state(cat: Catalog, state: State, seat: int, seen: Seen | None = None) -> Veiled | None:
    """Return what a seat knows of a state, for `known_catalog`. None while the rules need the knowledge of other seats:
    first cards are laid out, hands are shown, a text asks several questions, or rewards are shared.

    seen: what it has learned of hidden cards; None: only what it sees now.
    """
    if state.turn.no == 0 or not all(_runs(frame, seat) for frame in state.stack):
        return None
    return veil(cat, state, seat, seen)


def _runs(frame: AnyFrame, seat: int) -> bool:
    """Return whether the rules can continue a procedure with what this seat knows of it. A text that has asked before
    has answers with numbers below 0."""
    if min(frame.answers, default=0) < 0:
        return False
    if isinstance(frame, Program):
        return not frame.seen and (not frame.brought or frame.you == seat)
    return isinstance(frame, _PLAIN_FRAMES)
