"""Requests of a table's owner (wire.Admin): one short function each, which returns the reason of a refusal, or "".

No owner can hold up the table: every player may end a pause that has lasted too long, and call the default for a seat
that has used up its time at a pace without clocks.
"""

from collections.abc import Callable

import msgspec

from netcode.protocol import limits, wire
from netcode.protocol.paces import PACES_TEXT, Pace
from netcode.table.admission import BANNED, SENT_AWAY, duration_text, guests
from netcode.table.lifecycle import TableLifecycle
from netcode.table.ownership import ACTING, ONLY_THE_OWNER
from netcode.table.seat import Seat
from netcode.table.session import Session

NOT_YOURS_TO_GIVE = "only the player of that seat can say so while they are connected, else only the table's owner"


def administer(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    """Carry out a request of the owner, or of the player who acts for them. now: ms. Return the reason of a refusal
    (one line for people), or ""."""
    if lifecycle.seating.acting and request.what not in ACTING:
        return ONLY_THE_OWNER
    return _REQUESTS[request.what](lifecycle, request, now)


def forbidden(lifecycle: TableLifecycle, session: Session, request: wire.Admin) -> str:
    """Return why this session may not make a request (one line for people), or "" if it may."""
    knock = lifecycle.seating.admission.find(request.number) if request.what in ("admit", "refuse") else None
    if knock is not None and knock.seat >= 0:
        judges = lifecycle.seating.plays(session) and lifecycle.seating.judge_of(knock.seat) == session.seat
        return "" if judges else NOT_YOURS_TO_GIVE
    if lifecycle.seating.owns(session):
        return ""
    match, only = lifecycle.match, "only the table's owner can do that"
    if match is None or not lifecycle.seating.plays(session):
        return only
    if request.what == "resume" and lifecycle.stage == "paused" and lifecycle.pauses.free_at >= 0:
        left = lifecycle.pauses.free_at - match.now
        return "" if left <= 0 else f"{only}; anybody can in {-(-left // 1000)} s"
    if request.what == "default" and lifecycle.stage == "playing":
        return "" if match.clocks.is_overdue(request.seat, match.clock()) else f"{only} before a seat's time is used up"
    return only


# ----------------------------------------------------------------------------------------------------------- the match
def _pace(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    try:
        lifecycle.set_pace(msgspec.convert(request.value, Pace))
    except msgspec.ValidationError:
        return f"the pace is {PACES_TEXT}"
    return ""


def _pause(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    """Pause the match, or resume it."""
    pause = request.what == "pause"
    if lifecycle.match is None or lifecycle.stage != ("playing" if pause else "paused"):
        return "no game is on" if pause else "the game is not paused"
    if lifecycle.undo_voting.vote is not None:
        return "the table is voting on an undo: that comes first"
    if pause:
        return lifecycle.pause(now)
    lifecycle.resume(now)
    return ""


def _default(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    if lifecycle.playing is None:
        return "no game is on"
    return lifecycle.playing.call_default(request.seat)


def _start(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    """Put bots on all free seats and make everybody ready."""
    if lifecycle.on:
        return "a game is on already"
    for number, seat in enumerate(lifecycle.seating.seats):
        if seat.state == "open":
            lifecycle.seating.seat_bot(number)
        lifecycle.seating.seats[number].ready = True
    lifecycle.seating.changed = True
    return ""


# ---------------------------------------------------------------------------------------------------------- the people
def _seat(lifecycle: TableLifecycle, number: int) -> Seat:
    seats = lifecycle.seating.seats
    return seats[number] if 0 <= number < len(seats) else Seat()


def _bot(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    """Put a bot on a free seat, or let one play for a player until that player presses a key."""
    seat = _seat(lifecycle, request.seat)
    if seat.state == "open" and request.seat in range(len(lifecycle.seating.seats)):
        lifecycle.seating.seat_bot(request.seat)
    elif lifecycle.on and seat.state in ("here", "lost"):
        lifecycle.seating.away(request.seat)
    else:
        return "name a free seat for the bot, or in a game the seat of a player"
    return ""


def _hand_over(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    player = _seat(lifecycle, request.seat).player
    if player is None or _seat(lifecycle, request.seat).state != "here":
        return "name a player who is here: the table can be handed over to nobody else"
    lifecycle.seating.make_owner(player)
    return ""


def _send_away(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    """Kick or ban the player of a seat (-1: all spectators).

    A kicked player stays out for a time. A ban also closes the table to newcomers until the owner opens it again: a
    banned person who has a join string could return with another key. A guest of an SSH door is kept out by who they
    are, too.
    """
    seating, ban = lifecycle.seating, request.what == "ban"
    gone = _keys(lifecycle, request.seat)
    if isinstance(gone, str):
        return gone
    if ban and not gone:
        return "a bot cannot be banned"
    if forbidden := _protected(lifecycle, request.seat, gone, ban):
        return forbidden
    gone += guests(session.where for session in seating.sessions() if session.key in gone)
    reason, text = "kicked", f"{SENT_AWAY}: you may come again in {duration_text(request.pause_s * 1000)}"
    if ban:
        reason, text = "banned", BANNED
        seating.admission.ban(gone)
    else:
        seating.admission.pause(gone, now + request.pause_s * 1000)
    if request.seat >= 0:
        seating.kick(request.seat, lifecycle.on, text, reason)
    for session in list(seating.spectators) if request.seat < 0 else []:
        seating.remove_spectator(session)
        seating.dismiss(session, reason, text)
    seating.changed = True
    return ""


def _protected(lifecycle: TableLifecycle, number: int, keys: list[str], ban: bool) -> str:
    """Return why these people cannot be sent away, or ""."""
    ownership = lifecycle.seating.ownership
    if 0 <= number == ownership.owner(lifecycle.seating.seats):
        return "nobody can send the table's owner away"
    if ban and any(key in ownership.founders for key in keys):
        return "they have the owner string, with which they always come back: kick them instead"
    return ""


def _keys(lifecycle: TableLifecycle, number: int) -> list[str] | str:
    """Return the client keys of the people to send away (a bot of the host has none), or why nobody can be sent
    away."""
    if number < 0:
        return [session.key for session in lifecycle.seating.spectators] or "there are no spectators"
    seat = _seat(lifecycle, number)
    if seat.player is not None:
        return [seat.player.key]
    return "nobody sits there" if seat.state == "open" or lifecycle.on else []


def _mute(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    """Mute the talk of a seat, or of all spectators, for everybody; or let them talk again."""
    seating, mute = lifecycle.seating, request.what == "mute"
    voice = seating.voice(request.seat) if 0 <= request.seat < len(seating.seats) else ""
    if request.seat < 0:
        seating.spectators_muted = mute
    elif not voice:
        return "nobody sits there who could talk"
    else:
        others = [key for key in seating.muted if key != voice]
        seating.muted = [*others, voice][-limits.BANS :] if mute else others
    seating.changed = True
    return ""


# ------------------------------------------------------------------------------------------------------ who comes in
def _invite(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    """Open the table to newcomers, or close it to them."""
    lifecycle.seating.admission.set_inviting(request.what == "open")
    lifecycle.seating.changed = True
    return ""


def _knock(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    """Let newcomers in one by one, or freely."""
    lifecycle.seating.admission.set_knocking(request.what == "knock")
    lifecycle.seating.changed = True
    return ""


def _answer_knock(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    """Let somebody who knocks in, or turn them away."""
    seating = lifecycle.seating
    knock = seating.admission.find(request.number)
    if knock is None:
        return "they do not knock any more"
    if request.what == "refuse":
        seating.admission.refuse(knock, now + request.pause_s * 1000, now)
    elif knock.role != "watch" and knock.seat < 0 and not seating.has_room(lifecycle.on):
        return "every seat is taken: free one, then let them in"
    else:
        seating.admission.accept(knock)
    seating.changed = True
    return ""


def _renew(lifecycle: TableLifecycle, request: wire.Admin, now: int) -> str:
    """Make a new join or watch string, or new short words; the old ones no longer admit newcomers."""
    admission = lifecycle.seating.admission
    if request.value == "words":
        if not admission.words:
            return "this table has no short words: its host runs without a front, or all numbers are taken"
        admission.renew_words()
    elif request.value in ("join", "watch"):
        admission.renew(request.value)
    else:
        return "name the string to renew: join or watch, or words (the short words)"
    lifecycle.seating.changed = True
    return ""


_REQUESTS: dict[str, Callable[[TableLifecycle, wire.Admin, int], str]] = {
    "pace": _pace, "pause": _pause, "resume": _pause, "default": _default, "start": _start, "bot": _bot,
    "kick": _send_away, "ban": _send_away, "owner": _hand_over, "open": _invite, "close": _invite, "knock": _knock,
    "no_knock": _knock, "admit": _answer_knock, "refuse": _answer_knock, "renew": _renew, "mute": _mute,
    "unmute": _mute,
}  # fmt: skip
