"""What has changed about a table apart from its game, as sentences for the log. Pure."""

from collections.abc import Iterator, Sequence

from netcode.client.seat_code import spaced
from netcode.protocol.credentials import SCHEME, parse_join
from netcode.protocol.wire import KnockInfo, SeatCode, TableInfo
from tui.scene.scene import called, people_of


def table_changes(before: TableInfo, info: TableInfo, me: int) -> Iterator[str]:
    """Yield a sentence for each change of the table. me: the seat of the reader."""
    if info.owner >= 0 and before.owner >= 0 and (info.owner, info.acting) != (before.owner, before.acting):
        yield _owner_words(info, me)
    if info.inviting != before.inviting:
        yield "New players are admitted again." if info.inviting else "No new players are admitted."
    if info.knocking != before.knocking:
        yield "Newcomers knock from now on." if info.knocking else "Newcomers come in freely again."
    if info.hints != before.hints:
        yield from _hints(before, info, me)
    if info.spectators_muted != before.spectators_muted:
        yield _muted("The spectators", info.spectators_muted)
    for seat, old in zip(info.seats, before.seats):
        if seat.muted != old.muted and seat.name == old.name:
            yield _muted(seat.name, seat.muted)


def _name(info: TableInfo, seat: int) -> str:
    return called(info.seats[seat].name, seat)


def _owner_words(info: TableInfo, me: int) -> str:
    mine, name = info.owner == me, _name(info, info.owner)
    if info.acting:
        who = "you act" if mine else f"{name} acts"
        return f"The owner is away; {who} for them{' (a)' if mine else ''}."
    return "The table is yours now (a)." if mine else f"The table is {name}'s now."


def _muted(who: str, muted: bool) -> str:
    verb = "have" if who.startswith("The ") else "has"
    return f"{who} {verb} been muted by the owner." if muted else f"{who} may talk again."


def _hints(before: TableInfo, info: TableInfo, me: int) -> Iterator[str]:
    """Yield a sentence if hints begin or end at this table, or if somebody is the first to agree to them."""
    people = people_of(info)
    agreed, were = ([seat for seat in people if seat in one.hints] for one in (info, before))
    if len(people) < 2:
        return
    if agreed == people:
        yield "All agree to hints: h gives one."
    elif were == people:
        yield "There are no more hints here until all agree again."
    elif agreed and not were:
        mine = agreed[0] == me
        who = "You have agreed" if mine else f"{_name(info, agreed[0])} agrees"
        more = "h takes it back" if mine else "h agrees too"
        yield f"{who} to hints. There are some once all people here agree; {more}."


def new_strings(before: Sequence[str], now: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each string of the table that is new: the join string, the watch string."""
    for name, old, new in zip(("join", "watch"), before, now):
        if old != new:
            yield f"There is a new {name} string (d shows it); the old one lets nobody new in."


WORDS_REST = "The short words rest: too many tries were wrong. New ones are under d"
STRINGS_WORK = "; the strings still work"


def command_of(way: str, kind: str = "join") -> str:
    """Return the command for a way to the table. way: a join or watch string, or a command already (`ssh HOST`)."""
    return f"kickdoor {kind} '{way}'" if way.startswith(SCHEME) else way


def words_line(way: str, words: str, rest: bool) -> str:
    """Return what others type to sit down by short words at the address of this way, or that the words rest; "": there
    are none. way: as for `command_of`."""
    shown = way.startswith(SCHEME)
    if rest or not words:
        return f"{WORDS_REST}{STRINGS_WORK * shown}" if rest else ""
    if not shown:
        return f"Newcomers are asked for the words: {words}"
    to = parse_join(way)
    host = f"[{to.host}]" if ":" in to.host else to.host
    return f"kickdoor join {host}:{to.port} {words}"


def words_news(before: tuple[str, bool], now: tuple[str, bool], shown: bool = True) -> Iterator[str]:
    """Yield that the short words rest, or that there are new ones. before, now: the words, and whether they rest.
    shown: whether strings are shown here."""
    if now[1] and not before[1]:
        yield f"{WORDS_REST}{STRINGS_WORK * shown}."
    if before[0] and now[0] not in ("", before[0]):
        yield "There are new short words (d shows them); the old ones let nobody in."


def code_news(message: SeatCode) -> str:
    """Return how this player goes on at another machine."""
    minutes = -(-message.left_ms // 60_000)
    return (
        f"On the other machine, once within {minutes} minutes: kickdoor join STRING --code {spaced(message.code)} "
        f"(STRING: this table's join string)"
    )


def knock_news(knock: KnockInfo) -> str:
    """Return who has begun to knock, with a warning if the name looks like another one."""
    what = " to spectate" if knock.watch else ""
    like = f" Beware: that looks like {knock.like}." if knock.like else ""
    if knock.seat >= 0:
        held = "You sit there now" if knock.here else "Nobody is connected there"
        where = f", from {knock.where}," if knock.where else ""
        return f"{knock.name} ({knock.fingerprint}){where} says that this seat is theirs: d answers. {held}."
    return f"{knock.name} ({knock.fingerprint}) knocks{what}: d answers.{like}"
