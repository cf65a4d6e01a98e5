"""What the owner of a table may do: one short function for each wish, which says what forbids it, or ""."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from netcode.protocol import limits, wire
from netcode.protocol.paces import PACES_TEXT, Pace
from netcode.table.seats import BANNED, Seat

if TYPE_CHECKING:
    from netcode.table.table import Table


def administer(table: "Table", wish: wire.Admin) -> str:
    """Do what the owner wants; what forbids it (one line for people), or ""."""
    return _WISHES[wish.what](table, wish)


# ------------------------------------------------------------------------------------------------------------ the game
def _pace(table: "Table", wish: wire.Admin) -> str:
    try:
        table.pace = msgspec.convert(wish.value, Pace)
    except msgspec.ValidationError:
        return f"the pace is {PACES_TEXT}"
    table.seating.changed = True
    if table.match is not None:
        table.match.clocks.pace = table.pace
    return ""


def _pause(table: "Table", wish: wire.Admin) -> str:
    """Let the game stand still, or go on."""
    pause = wish.what == "pause"
    if table.match is None or table.stage != ("playing" if pause else "paused"):
        return "no game is on" if pause else "the game is not paused"
    if table.undo_voting.vote is not None:
        return "the table votes on a step back: that comes first"
    table.match.pause(pause)
    table.set_stage("paused" if pause else "playing")
    return ""


def _default(table: "Table", wish: wire.Admin) -> str:
    if table.playing is None:
        return "no game is on"
    return table.playing.call_default(wish.seat)


def _start(table: "Table", wish: wire.Admin) -> str:
    """Bots on all free seats, and everybody ready."""
    if table.on:
        return "a game is on already"
    for number, seat in enumerate(table.seating.seats):
        if seat.state == "open":
            table.seating.seat_bot(number)
        table.seating.seats[number].ready = True
    table.seating.changed = True
    return ""


# ---------------------------------------------------------------------------------------------------------- the people
def _seat(table: "Table", number: int) -> Seat:
    seats = table.seating.seats
    return seats[number] if 0 <= number < len(seats) else Seat()


def _bot(table: "Table", wish: wire.Admin) -> str:
    """A bot on a free seat, or one that sits in for a player until their next key."""
    seat = _seat(table, wish.seat)
    if seat.state == "open" and wish.seat in range(len(table.seating.seats)):
        table.seating.seat_bot(wish.seat)
    elif table.on and seat.state in ("here", "lost"):
        table.seating.away(wish.seat)
        if table.match is not None:
            table.match.clocks.taken_over(wish.seat)
    else:
        return "name a free seat for the bot, or in a game the seat of a player"
    return ""


def _hand_over(table: "Table", wish: wire.Admin) -> str:
    player = _seat(table, wish.seat).player
    if player is None or _seat(table, wish.seat).state != "here":
        return "name a player who is here: the table can be handed over to nobody else"
    table.seating.crown(player)
    return ""


def _send_away(table: "Table", wish: wire.Admin) -> str:
    """Send the player of a seat away (-1: all who look on). Whoever is banned does not come back; and nobody new comes
    in until the owner says so, since who has a string could return with another key."""
    seating, ban = table.seating, wish.what == "ban"
    gone = _keys(table, wish.seat)
    if isinstance(gone, str):
        return gone
    if ban and not gone:
        return "a bot cannot be banned"
    if ban:
        seating.banned = [*(key for key in seating.banned if key not in gone), *gone][-limits.BANS:]
        seating.inviting = False
    reason, text = ("banned", BANNED) if ban else ("kicked", "the table's owner sent you away")
    if wish.seat >= 0:
        seating.kick(wish.seat, table.on, text, reason)
    for session in list(seating.spectators) if wish.seat < 0 else []:
        seating.spectators.remove(session)
        seating.dismiss(session, reason, text)
    seating.changed = True
    return ""


def _keys(table: "Table", number: int) -> list[str] | str:
    """The keys of those who are to go, or why they cannot."""
    if number < 0:
        return [session.key for session in table.seating.spectators] or "nobody looks on"
    seat = _seat(table, number)
    if seat.player is not None:
        return [seat.player.key]
    return "nobody sits there" if seat.state == "open" or table.on else []


def _invite(table: "Table", wish: wire.Admin) -> str:
    """Let new people in, or nobody."""
    table.seating.inviting, table.seating.changed = wish.what == "open", True
    return ""


_WISHES: dict[str, Callable[["Table", wire.Admin], str]] = {
    "pace": _pace, "pause": _pause, "resume": _pause, "default": _default, "start": _start, "bot": _bot,
    "kick": _send_away, "ban": _send_away, "owner": _hand_over, "open": _invite, "close": _invite,
}  # fmt: skip
