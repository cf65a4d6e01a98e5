"""Messages for the owner of a table only: the strings in force, and who knocks."""

from netcode.protocol import limits, wire
from netcode.protocol.credentials import fingerprint
from netcode.protocol.names import look_alike
from netcode.protocol.origins import origin
from netcode.table.admission import Admission
from netcode.table.seats import Seating
from netcode.table.session import Session


def owner_news(seating: Seating) -> list[tuple[Session, wire.Down]]:
    """Return the messages for each player who is, or no longer is, the owner, and count them as sent.

    The strings go only to the owner, and again after the owner was away. The knocks go to the player who decides for
    the table now. A private host has nobody to invite.
    """
    if seating.config.solo:
        return []
    news: list[tuple[Session, wire.Down]] = []
    owner, deciding = seating.ownership.owner(seating.seats), seating.owner
    for number, seat in enumerate(seating.seats):
        player = seat.player
        if player is None or player.address is None or player.role != "player":
            continue
        present = number == owner == deciding  # the client of an owner who is away forgets the strings
        strings = _strings(seating.admission) if present else None
        if strings is not None and strings != player.strings:
            news.append((player, strings))
        knocks = wire.Knocks(_knocks(seating, number, number == deciding))
        if knocks != player.knocks:
            news.append((player, knocks))
        player.strings, player.knocks = strings, knocks
    return news


def _strings(admission: Admission) -> wire.Strings:
    return wire.Strings(admission.join, admission.watch, admission.words, admission.words_rest)


def _knocks(seating: Seating, reader: int, decides: bool) -> list[wire.KnockInfo]:
    """Return the knocks that the player of a seat may answer. decides: for the table."""
    names = seating.names()
    mine = [
        knock for knock in seating.admission.knocks.values()
        if (decides if knock.seat < 0 else seating.judge_of(knock.seat) == reader)
    ]  # fmt: skip
    return [
        wire.KnockInfo(
            knock.number, knock.name, fingerprint(knock.key), knock.role == "watch",
            look_alike(knock.name, names) if knock.role != "watch" else "", origin(knock.where)[: limits.WHERE_CHARS],
            knock.seat, knock.seat >= 0 and seating.seats[knock.seat].live,
        )
        for knock in mine
    ]  # fmt: skip
