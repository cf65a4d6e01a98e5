"""The tables that `kickdoor join` and the menu offer without a string: first those where this player has a seat."""

import shlex
import time

from msgspec import Struct

from netcode.client.connection import ClientError
from netcode.client.saved_seats import KnownSeat, forget, known_seats
from netcode.client.seat_code import ask_for_code, spaced
from netcode.protocol.credentials import parse_join
from netcode.protocol.printing import say
from tui.app.start_host import TableAddress

OFFERED = 9
"""The most tables that are offered, the newest first: as many as there are digits to choose one."""
NO_SEAT = "no table with a seat of yours is known here: sit down first"
OVER = ("bad_token", "no_such_table")
"""Codes of a host that no longer has the table or the seat."""


class OfferedTable(Struct):
    """A table to go to. title: what it is; hint: where it is, and since when."""

    address: TableAddress
    title: str
    hint: str


def offered_tables(name: str = "") -> list[OfferedTable]:
    """Return the tables to go to without a string, at most OFFERED. name: only seats of this name."""
    return [_own(known) for known in known_seats(name=name)[:OFFERED]]


def _own(known: KnownSeat) -> OfferedTable:
    address = TableAddress(str(known.join), seat=known.name)
    return OfferedTable(address, seat_words(known), _hint(known))


def seat_words(known: KnownSeat) -> str:
    """Return a seat in words: `back to Ben's table, seat Cyd, turn 14`."""
    whose = f"{known.owner}'s table" if known.owner else "your table"
    if known.stage == "over":
        when = "after a game"
    elif known.turn:
        when = f"turn {known.turn}"
    else:
        when = "first cards" if known.stage in ("playing", "paused") else "waiting room"
    return f"back to {whose}, seat {known.seat}, {when}"


def _hint(known: KnownSeat) -> str:
    where = f"{known.join.host}:{known.join.port}"
    ago = f"{where}, left {ago_words(time.time() - known.when)}"
    return f"{where}; you sit there in another terminal" if known.here else ago


def ago_words(seconds: float) -> str:
    """Return how long ago something was: `a moment ago`, `5 minutes ago`, `3 days ago`."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        number = int(seconds // size)
        if number > 0:
            return f"{number} {unit}{'' if number == 1 else 's'} ago"
    return "a moment ago"


def show_code(name: str = "") -> int:
    """`kickdoor seat`: print a code for the seat that this player has now, or had last. name: of the seat. Return the
    exit code."""
    seats = sorted(known_seats(name=name), key=lambda known: (not known.here, -known.when))
    if not seats:
        say(f"kickdoor seat: {NO_SEAT}", err=True)
        return 1
    seat = seats[0]
    try:
        answer = ask_for_code(seat)
    except ClientError as problem:
        say(f"kickdoor seat: {problem}", err=True)
        return 1
    say(f"{seat_words(seat).removeprefix('back to ').capitalize()}. On the other machine, once within 10 minutes:")
    say(f"  kickdoor join {shlex.quote(str(seat.join))} --code {spaced(answer.code)}")
    return 0


def gone_words(address: TableAddress, code: str, text: str) -> str:
    """Return what to say when a table cannot be reached, and stop offering a seat that no longer exists. code, text: of
    the host or the client."""
    if address.code and code == "bad_token":
        return "this code leads to no seat here: it was used, or its ten minutes are over, or it is of another table"
    if not address.seat or code not in OVER:
        return text
    join = parse_join(address.string)
    for known in known_seats(name=address.seat):
        if (known.join.key, known.join.table) == (join.key, join.table) and not known.here:
            forget(known)
    return f"that table is over, or its owner has made a new string: {join.host}:{join.port} has no seat for you there"
