"""A welcome and a view of a seat at a table of three, honest or with one value changed."""

from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.msgpack import decode, encode

import cards
from core.language.catalog import Catalog, load
from core.state.views import View
from core.view import view
from netcode.protocol import wire
from tests.core.random_table import RandomTable
from tests.netcode.protocol.evil_messages import deflated, packed

PACKS = [wire.PackInfo("munchkins-and-mazes", "0" * 32)]


def honest_view() -> Any:
    """Return a view of a seat of three, as msgpack holds it."""
    return decode(encode(view(catalog(), RandomTable(catalog(), 3, 1).state, 0)), strict=False)


@cache
def catalog() -> Catalog:
    """Return the catalog of one set."""
    return load([cards.pack_files("munchkins-and-mazes")])


def welcome(seat: int = 0, **more: Any) -> wire.Welcome:
    """Return the welcome of a seat at a table of three."""
    info = {"table": "t", "seats": [wire.SeatInfo("Kim", "here") for _ in range(3)], "packs": PACKS, **more}
    return wire.Welcome(wire.WIRE, b"s" * 16, seat, b"t" * 16, 1, 2000, wire.TableInfo(**info))


def delta(seen: Any, **more: Any) -> wire.Delta:
    """Return a whole delta with this view of seat 0, as msgpack holds it."""
    you = at("you")
    public, own = [*seen[:you], None, *seen[you + 1 :]], [seen[you], None, None, None, None]
    return wire.Delta(1, deflated(packed(public)), deflated(packed(own)), whole=True, **more)


def at(name: str, kind: type[Struct] = View) -> int:
    """Return the place of a field in a type that is an array on the wire."""
    return list(kind.__struct_fields__).index(name)


def changed(where: str, value: Any) -> Any:
    """Return an honest view with another value there, like `seats.0.3`."""
    seen = honest_view()
    *path, last = [int(step) if step.isdigit() else at(step) for step in where.split(".")]
    inner = seen
    for step in path:
        inner = inner[step]
    inner[last] = value
    return seen


CARDS = len(catalog().cards)
UNKNOWN = (2000 * 16) * 4096 + CARDS
"""The id of a card that no pack has."""
