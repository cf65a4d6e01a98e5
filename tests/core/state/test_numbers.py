"""Seat numbers and counters are recognised by the types of their fields."""

import pytest
from msgspec import Struct

from core import view
from core.state import actions, events, model
from core.state.actions import Give, Offer, Play, Use
from core.state.asks import BY_ACTION, OF_SEATS
from core.state.model import Seat, State
from core.state.numbers import counter_fields, seat_fields

STRUCTS = [
    kind for module in (actions, events, model, view) for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Struct) and kind.__module__ == module.__name__
]  # fmt: skip


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: f"{struct.__module__}.{struct.__name__}")
def test_every_field_named_seat_is_a_seat_number(struct: type[Struct]) -> None:
    assert "seat" not in struct.__struct_fields__ or "seat" in seat_fields(struct)


def test_an_action_names_seats_in_the_fields_of_that_type() -> None:
    assert {kind: seat_fields(kind) for kind in (Play, Use, Give, Offer)} == {
        Play: ("seat",), Use: ("seat",), Give: ("to",), Offer: ("to",),
    }  # fmt: skip
    assert seat_fields(events.Moved) == ("at", "to_seat", "seat", "on_seat")


def test_the_counters_that_an_undo_does_not_turn_back_are_known() -> None:
    assert counter_fields(State) == ("serial", "offer_no", "window_no", "fight_no")
    assert counter_fields(Seat) == ("serial", "asked")


def test_an_ask_about_seats_is_answered_by_picks() -> None:
    assert not OF_SEATS & BY_ACTION
