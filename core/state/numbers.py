"""Types that say what the number in a field means, and that bound numbers, texts and lists.

States, actions, events and views are read from journals, recordings and the network. msgspec checks these bounds while
it decodes, so nothing that uses a decoded value can be made to draw fifty million cards. No game of any packs comes
near them; tests/netcode/protocol/test_bounds.py names every field without a bound.
"""

from functools import cache
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct, inspect

from core.language.pack_limits import CARDS_LIMIT, COPIES_LIMIT

_T = TypeVar("_T")
SEATS_MOST = 12
"""Seats that a number can name; a game has six at most."""
SHORT_MOST = 2000
"""Entries of a list that is shown as a whole: four times what a table may show (engine.IN_SIGHT_MOST)."""
PILE_MOST = CARDS_LIMIT * COPIES_LIMIT
"""Cards of the largest packs together."""

SeatNo = Annotated[int, Meta(ge=-1, lt=SEATS_MOST, extra={"number": "seat"})]
"""A seat, counted from 0 in turn order; -1 is nobody, everybody or the host, as the field says."""
Counter = Annotated[int, Meta(ge=0, le=2**53, extra={"number": "counter"})]
"""A counter that never issues a number twice, not even after an undo (core/undo.py)."""
CardNo = Annotated[int, Meta(ge=0, le=2**53, extra={"number": "card"})]
"""The id of a card (model.card_id), or only its definition if no more may be known; 0: none, or a hidden card."""
DefnNo = Annotated[int, Meta(ge=0, lt=CARDS_LIMIT, extra={"number": "card"})]
"""The number of a definition in the catalog."""
DefnOrNone = Annotated[int, Meta(ge=-1, lt=CARDS_LIMIT, extra={"number": "card"})]
"""The same; -1: none."""
MonsterOrNext = Annotated[int, Meta(ge=-1, le=2**53, extra={"number": "card"})]
"""The id of a monster's card; 0: every monster, -1: the next one."""
CardOrUntold = Annotated[int, Meta(ge=-1, le=2**53, extra={"number": "card"})]
"""The id of a card; -1: one that was chosen in secret (veiled.UNTOLD)."""
Option = Annotated[int, Meta(ge=-1, le=2**53, extra={"number": "option"})]
"""An option of a choice: a card, a definition, a seat, or a place in a list."""
Ordinal = Annotated[int, Meta(ge=-1, le=2**53)]
"""A number that only rises, of a turn, a revision, an ask, a window, ...; -1: none."""
Sum = Annotated[int, Meta(ge=-(10**9), le=10**9)]
"""A sum or a part of one. It is shown as a number."""
Small = Annotated[int, Meta(ge=-10_000, le=10_000)]
"""A level, a die, a count of things that may be shown one by one."""
Index = Annotated[int, Meta(ge=0, le=10_000)]
"""A place in a list."""
Goal = Annotated[int, Meta(ge=1, le=20)]
"""The Level that wins the game."""
HandSize = Annotated[int, Meta(ge=0, le=1000)]
"""How many cards a hand has: nothing is drawn into a hand of a hundred (game.HAND_MOST), but six hands may become
one."""
PileSize = Annotated[int, Meta(ge=0, le=PILE_MOST)]
"""How many cards a deck or its discards have."""
Deck = Annotated[str, Meta(max_length=8, pattern=r"^(door|treasure)\Z")]
"""A deck, and its discards."""
Word = Annotated[str, Meta(max_length=60)]
"""A word of the program, or of a card's text."""
Text = Annotated[str, Meta(max_length=2400)]
"""A text for people; the code that shows it cuts it."""
Pile = Annotated[list[int], Meta(max_length=PILE_MOST, extra={"number": "pile"})]
"""The definitions in a deck. Their range is checked where a state comes from elsewhere, not for each copy."""
Short = Annotated[list[_T], Meta(max_length=SHORT_MOST)]
"""A list that may be shown as a whole."""
ShortTuple = Annotated[tuple[_T, ...], Meta(max_length=SHORT_MOST)]
"""The same, that cannot change."""
EachSeat = Annotated[list[_T], Meta(max_length=SEATS_MOST)]
"""One entry for each seat, in order."""
BySeat = Annotated[dict[SeatNo, _T], Meta(max_length=SEATS_MOST)]
"""Values by the seats that have one."""
AnswerNo = Annotated[int, Meta(ge=-SHORT_MOST, lt=SEATS_MOST, extra={"number": "seat"})]
"""The key of an answer: a seat, or, below 0, the number of an earlier question of the same effect (effects/common.py,
ask)."""
Answers = Annotated[dict[AnswerNo, Short[Option]], Meta(max_length=SHORT_MOST)]
"""The answers to the asks of a frame."""


def is_seat(kind: inspect.Type) -> bool:
    """Return whether values of this type are seat numbers."""
    return _is(kind, "seat")


@cache
def seat_fields(struct: type[Struct]) -> tuple[str, ...]:
    """Return the names of the fields of a struct that hold one seat number."""
    return _fields(struct, "seat")


@cache
def counter_fields(struct: type[Struct]) -> tuple[str, ...]:
    """Return the names of the fields of a struct that hold a counter."""
    return _fields(struct, "counter")


def _fields(struct: type[Struct], number: str) -> tuple[str, ...]:
    found = inspect.type_info(struct)
    assert isinstance(found, inspect.StructType)
    return tuple([field.name for field in found.fields if _is(field.type, number)])


def _is(kind: inspect.Type, number: str) -> bool:
    return isinstance(kind, inspect.Metadata) and (kind.extra or {}).get("number") == number


def number_in(hint: Any) -> str:
    """Return what a number of this annotated type means: seat, counter, card, option, or pile for a list of
    definitions; "" if the type does not say."""
    said = (meta.extra for meta in getattr(hint, "__metadata__", ()) if isinstance(meta, Meta) and meta.extra)
    return next((str(extra.get("number", "")) for extra in said), "")
