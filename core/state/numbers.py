"""Types that say what the number in a field means: a seat or a counter."""

from functools import cache
from typing import Annotated

from msgspec import Meta, Struct, inspect

SeatNo = Annotated[int, Meta(extra={"number": "seat"})]
"""A seat, counted from 0 in turn order; -1 is nobody, everybody or the host, as the field says."""
Counter = Annotated[int, Meta(extra={"number": "counter"})]
"""A count that gives out numbers and never gives one out twice, not even after an undo (core/undo.py)."""


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
