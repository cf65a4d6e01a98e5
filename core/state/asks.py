"""Kinds of asks that other modules distinguish by their options or by how they are answered."""

import re

OF_SEATS = frozenset({"seat", "larger share", "give to", "first"})
"""The options are seats."""
BY_ACTION = frozenset({"ready", "kick", "trouble", "fight", "roll", "end", "hold"})
"""The answer is an action of its own (Done, Kick, ...), never Answer."""


def kind_alone(kind: str) -> str:
    """Return the kind of an ask without the seat that it is for: "give for" for "give for 2"."""
    return _FOR_SEAT.sub(" for", kind)


def seat_of_kind(kind: str) -> int:
    """Return the seat that the kind of an ask names, as in "give for 2"; -1 if it names none."""
    found = _FOR_SEAT.search(kind)
    return int(found[1]) if found else -1


_FOR_SEAT = re.compile(r" for (\d+)$")
