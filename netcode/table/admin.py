"""Requests of a table's owner (wire.Admin): one short function each, which returns what forbids it, or ""."""

from collections.abc import Callable

import msgspec

from netcode.protocol import limits, wire
from netcode.protocol.paces import PACES_TEXT, Pace
from netcode.table.seats import BANNED, Seat
from netcode.table.stages import Stages


def administer(stages: Stages, request: wire.Admin) -> str:
    """Carry out a request of the owner. Return what forbids it (one line for people), or ""."""
    return _REQUESTS[request.what](stages, request)


# ----------------------------------------------------------------------------------------------------------- the match
def _pace(stages: Stages, request: wire.Admin) -> str:
    try:
        stages.pace = msgspec.convert(request.value, Pace)
    except msgspec.ValidationError:
        return f"the pace is {PACES_TEXT}"
    stages.seating.changed = True
    if stages.match is not None:
        stages.match.clocks.pace = stages.pace
    return ""


def _pause(stages: Stages, request: wire.Admin) -> str:
    """Pause the match, or resume it."""
    pause = request.what == "pause"
    if stages.match is None or stages.stage != ("playing" if pause else "paused"):
        return "no game is on" if pause else "the game is not paused"
    if stages.undo_voting.vote is not None:
        return "the table is voting on an undo: that comes first"
    stages.match.pause(pause)
    stages.set_stage("paused" if pause else "playing")
    return ""


def _default(stages: Stages, request: wire.Admin) -> str:
    if stages.playing is None:
        return "no game is on"
    return stages.playing.call_default(request.seat)


def _start(stages: Stages, request: wire.Admin) -> str:
    """Put bots on all free seats and make everybody ready."""
    if stages.on:
        return "a game is on already"
    for number, seat in enumerate(stages.seating.seats):
        if seat.state == "open":
            stages.seating.seat_bot(number)
        stages.seating.seats[number].ready = True
    stages.seating.changed = True
    return ""


# ---------------------------------------------------------------------------------------------------------- the people
def _seat(stages: Stages, number: int) -> Seat:
    seats = stages.seating.seats
    return seats[number] if 0 <= number < len(seats) else Seat()


def _bot(stages: Stages, request: wire.Admin) -> str:
    """Put a bot on a free seat, or let one play for a player until that player presses a key."""
    seat = _seat(stages, request.seat)
    if seat.state == "open" and request.seat in range(len(stages.seating.seats)):
        stages.seating.seat_bot(request.seat)
    elif stages.on and seat.state in ("here", "lost"):
        stages.seating.away(request.seat)
        if stages.match is not None:
            stages.match.clocks.taken_over(request.seat)
    else:
        return "name a free seat for the bot, or in a game the seat of a player"
    return ""


def _hand_over(stages: Stages, request: wire.Admin) -> str:
    player = _seat(stages, request.seat).player
    if player is None or _seat(stages, request.seat).state != "here":
        return "name a player who is here: the table can be handed over to nobody else"
    stages.seating.make_owner(player)
    return ""


def _send_away(stages: Stages, request: wire.Admin) -> str:
    """Kick or ban the player of a seat (-1: all spectators).

    A ban also closes the table to newcomers until the owner opens it again: a banned person who has a join string
    could return with another key.
    """
    seating, ban = stages.seating, request.what == "ban"
    gone = _keys(stages, request.seat)
    if isinstance(gone, str):
        return gone
    if ban and not gone:
        return "a bot cannot be banned"
    if ban:
        seating.banned = [*(key for key in seating.banned if key not in gone), *gone][-limits.BANS:]
        seating.inviting = False
    reason, text = ("banned", BANNED) if ban else ("kicked", "the table's owner sent you away")
    if request.seat >= 0:
        seating.kick(request.seat, stages.on, text, reason)
    for session in list(seating.spectators) if request.seat < 0 else []:
        seating.remove_spectator(session)
        seating.dismiss(session, reason, text)
    seating.changed = True
    return ""


def _keys(stages: Stages, number: int) -> list[str] | str:
    """Return the client keys of those to send away (a bot of the host has none), or why nobody can be sent away."""
    if number < 0:
        return [session.key for session in stages.seating.spectators] or "there are no spectators"
    seat = _seat(stages, number)
    if seat.player is not None:
        return [seat.player.key]
    return "nobody sits there" if seat.state == "open" or stages.on else []


def _invite(stages: Stages, request: wire.Admin) -> str:
    """Open the table to newcomers, or close it to them."""
    stages.seating.inviting, stages.seating.changed = request.what == "open", True
    return ""


_REQUESTS: dict[str, Callable[[Stages, wire.Admin], str]] = {
    "pace": _pace, "pause": _pause, "resume": _pause, "default": _default, "start": _start, "bot": _bot,
    "kick": _send_away, "ban": _send_away, "owner": _hand_over, "open": _invite, "close": _invite,
}  # fmt: skip
