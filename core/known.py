"""A game as one seat knows it: a state and a catalog without anything that this seat may not know.

The state is built field by field, as a view is. What is hidden has a stand-in: a card of a deck or of another hand has
the number of a definition that cannot be read, and there is no seed. So the rules run on it as on the true state, until
something hidden or random would decide: then Unknowable is raised (core/state/rng.py). Nothing has to be trusted not to
look, because there is nothing to see.
"""

from collections.abc import Iterator
from copy import copy
from typing import Any

from msgspec.structs import replace

from core.language.catalog import Catalog
from core.language.definition import Def
from core.language.limits import CARDS_LIMIT
from core.state.model import (
    AnyFrame,
    Backout,
    Bargain,
    Combat,
    Excess,
    Fight,
    Program,
    Seat,
    State,
    Throw,
    TurnFrame,
    Window,
    card_id,
)  # fmt: skip
from core.state.rng import Unknowable

_PUBLIC_FRAMES = (Combat, Excess, Backout, Throw)
"""Frames that hold nothing hidden, besides the options of asks."""


# ---------------------------------------------------------------------------------------------------------- the cards
class _Unseen:
    """The definition of a card that the seat does not see. fate: what a forecast says if it is looked at."""

    def __init__(self, fate: str) -> None:
        self.__dict__["_fate"] = fate

    def __getattr__(self, name: str) -> Any:
        raise Unknowable(self._fate)


class _Cards(tuple[Def, ...]):
    """All definitions, and behind them those of unseen cards, which a loop over all of them leaves out."""

    def __iter__(self) -> Iterator[Def]:
        return iter(self[: len(self) - 2])


class _Kind(frozenset[int]):
    """The definitions of some kind of card. Of an unseen card it is not known whether it is of that kind."""

    unseen = CARDS_LIMIT

    def __contains__(self, defn: object) -> bool:
        if isinstance(defn, int) and defn >= self.unseen:
            raise Unknowable("hidden")
        return super().__contains__(defn)


class _Fitting(dict[tuple[object, ...], frozenset[int]]):
    """The definitions by the kind that a selector asks for (Catalog.fitting). Unseen cards fit where any card does."""

    def __init__(self, unseen: int) -> None:
        self._unseen = unseen

    def __setitem__(self, kind: tuple[object, ...], found: frozenset[int]) -> None:
        if any(field is not None for field in kind):
            known = _Kind(found)
            known.unseen = self._unseen
            super().__setitem__(kind, known)
        else:
            super().__setitem__(kind, found | {self._unseen, self._unseen + 1})


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
def known_state(cat: Catalog, state: State, seat: int) -> State | None:
    """Return what a seat knows of a state, for `known_catalog`. It shares parts with the state: encode it before it is
    changed. None while this cannot be told apart from what others know: first cards are laid out, hands are shown,
    a text asks several questions, or rewards are shared.
    """
    if state.turn.no == 0:
        return None
    stack = [_frame(frame, seat) for frame in state.stack]
    in_deck = len(cat.cards)
    return None if None in stack else State(
        format=state.format,
        seed=b"",
        draws=0,
        options=state.options,
        seats=[_seat(state, no, player, seat, in_deck + 1) for no, player in enumerate(state.seats)],
        door=[in_deck] * len(state.door),
        door_out=state.door_out,
        treasure=[in_deck] * len(state.treasure),
        treasure_out=state.treasure_out,
        turn=state.turn,
        fight=_fight(state.fight),
        stack=stack,  # type: ignore[arg-type]
        offers=[_offer(offer, seat) for offer in state.offers],
        limbo=state.limbo,
        pending=state.pending,
        winners=state.winners,
        why_won=state.why_won,
        serial=state.serial,
        offer_no=state.offer_no,
        window_no=state.window_no,
        fight_no=state.fight_no,
        rev=state.rev,
        spent=state.spent,
        dirty=state.dirty,
        seals=[in_deck] * len(state.seals),
        seals_open=state.seals_open,
    )  # fmt: skip


def _seat(state: State, no: int, player: Seat, seat: int, unseen: int) -> Seat:
    """Return what a seat knows of a player: all of itself, of another one what lies open and the number of cards."""
    own = no == seat
    hand = player.hand if own else _unseen_hand(state, no, player, seat, unseen)
    return Seat(
        level=player.level, hand=hand, table=player.table, lasting=player.lasting, fresh=player.fresh if own else [],
        body=player.body, dead=player.dead, bare=player.bare, sex=player.sex,
        serial=player.serial if own else len(hand) + 1, asked=player.asked if own else 0,
        moves=player.moves if own else 0, gained=player.gained, sealed=player.sealed,
    )  # fmt: skip


def _unseen_hand(state: State, no: int, player: Seat, seat: int, unseen: int) -> list[int]:
    """Return stand-ins for the cards in another hand; those promised to this seat in an open offer it knows."""
    promised = [card for offer in state.offers if offer.frm == no and offer.to == seat for card in offer.cards]
    promised = list(dict.fromkeys(promised))
    return promised + [card_id(place, no + 1, unseen) for place in range(1, len(player.hand) - len(promised) + 1)]


def _offer(offer: Bargain, seat: int) -> Bargain:
    """Return an open offer; promised hand cards are known to its two seats alone."""
    return offer if seat in (offer.frm, offer.to) else replace(offer, cards=[])


def _fight(fight: Fight | None) -> Fight | None:
    """Return the combat without the hand cards that are promised to the helper."""
    if fight is None or fight.bargain is None:
        return fight
    return replace(fight, bargain=replace(fight.bargain, cards=[]))


def _frame(frame: AnyFrame, seat: int) -> AnyFrame | None:
    """Return what a seat knows of a running procedure; None if that cannot be told apart from what others know.

    Whether another seat has answered in secret is left out. That a text has asked before (answers with numbers below 0)
    everybody knows, but not what was answered.
    """
    if min(frame.answers, default=0) < 0:
        return None
    asks = [ask for ask in frame.asks if ask.seat == seat]
    match frame:
        case Window():
            return replace(frame, asks=asks, answers={}, passed=[no for no in frame.passed if no in (seat, frame.seat)])
        case TurnFrame():
            return replace(frame, asks=asks, answers={}, drawn=frame.drawn if frame.seat == seat else [])
        case Program():
            hidden = frame.seen or (frame.brought and frame.you != seat)
            return None if hidden else replace(frame, asks=asks, answers={})
        case _:
            return replace(frame, asks=asks, answers={}) if isinstance(frame, _PUBLIC_FRAMES) else None
