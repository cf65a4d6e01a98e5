"""What a session may wish for besides acting: ready, passes, the pace of bots, the last game laid open."""

from typing import TYPE_CHECKING

from netcode.protocol import wire
from netcode.table.session import Session

if TYPE_CHECKING:
    from netcode.table.table import Table


def wish_for(table: "Table", session: Session, wish: wire.Set) -> str:
    """Keep or do what is wished; what forbids it (one line for people), or ""."""
    if session.seat >= 0 or not table.seating.humans():
        _bots_pace(table, wish)
    return _players(table, session, wish) if table.seating.plays(session) else ""


def _bots_pace(table: "Table", wish: wire.Set) -> None:
    """How fast bots are shown: the players' to say; where there are none, theirs who look on."""
    if wish.speed is not None:
        table.speed, table.seating.changed = wish.speed, True
        if table.match is not None:
            table.match.bot_pacer.speed = wish.speed
    if table.playing is not None and wish.skip:
        table.playing.skip_pause()


def _players(table: "Table", session: Session, wish: wire.Set) -> str:
    playing, seat = table.playing, session.seat
    if wish.ready is not None and not table.on:
        table.seating.ready(seat, wish.ready)
    if playing is not None and wish.auto is not None:
        playing.pass_for(seat, wish.auto)
    if playing is not None and wish.withdraw:
        playing.withdraw(session)
    if wish.open is None:
        return ""
    return table.dealing.agree(seat, wish.open) if table.stage == "over" else "no game is over"
