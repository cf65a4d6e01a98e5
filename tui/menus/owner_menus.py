"""Menus of the table's owner: the game, the seats, who comes in; and the menu with which anybody mutes talk. Pure."""

from collections.abc import Sequence

from netcode.protocol.limits import KICK_PAUSE_S
from netcode.protocol.paces import CLOCKLESS, PACE_LIMITS, PACES, Pace
from netcode.protocol.wire import KnockInfo, TableInfo
from netcode.table.ownership import ACTING
from tui.menus.entries import Entry, Menu, MuteTalk, OwnerRequest, ShowStrings
from tui.scene import bots
from tui.scene.scene import Scene

Request = tuple[str, OwnerRequest]
"""A request of the owner: the words for a menu, and what is asked of the host."""
HOUR_S = 3600


def allowed(info: TableInfo, rows: Sequence[Request]) -> list[Request]:
    """Return the requests that whoever decides for the table may make: all for the owner, only some for a deputy."""
    if not info.acting:
        return list(rows)
    return [row for row in rows if row[1].what in ACTING]


def table_requests(info: TableInfo) -> list[Request]:
    """What the owner may ask of the table as a whole."""
    rows: list[Request] = []
    if info.stage in ("playing", "paused"):
        paused = info.stage == "paused"
        what = "resume" if paused else "pause"
        rows.append((f"{what} the game", OwnerRequest(what)))
    others = [pace for pace in PACES if pace != info.pace]
    rows += [(f"pace {pace}: {time_to_respond(pace)}", OwnerRequest("pace", value=pace)) for pace in others]
    if info.watchers:
        rows.append((f"remove all spectators ({info.watchers})", OwnerRequest("kick")))
    if info.watchers or info.spectators_muted:
        rows.append(_mute("the spectators", -1, info.spectators_muted))
    return allowed(info, rows)


def seat_requests(info: TableInfo, at: int) -> list[Request]:
    """What the owner may ask of another player's seat."""
    seat, on = info.seats[at], info.stage in ("playing", "paused")
    person = seat.state in ("here", "lost", "away")
    rows: list[Request] = []
    if seat.state == "open":
        rows.append(("put a bot in", OwnerRequest("bot", at)))
    if on and seat.state in ("here", "lost"):
        rows.append(("let a bot play until they press a key", OwnerRequest("bot", at)))
    if seat.state == "here":
        rows.append(("make them the owner", OwnerRequest("owner", at)))
    if seat.state == "bot" and not on:
        rows.append(("remove", OwnerRequest("kick", at)))
    if person:
        rows.append((f"remove for {KICK_PAUSE_S // 60} minutes", OwnerRequest("kick", at)))
        rows.append(("remove for an hour", OwnerRequest("kick", at, pause_s=HOUR_S)))
        rows.append(("ban", OwnerRequest("ban", at)))
    if person or bots.talks(seat):
        rows.append(_mute("them", at, seat.muted))
    return allowed(info, rows)


def time_to_respond(pace: Pace) -> str:
    """Return how long the others may respond at a pace, in words: `5 s to respond`."""
    limits = PACE_LIMITS[pace]
    return "wait until all have passed" if limits.window_ms is None else f"{limits.window_text} to respond"


def seat_words(name: str, requests: Sequence[Request]) -> str:
    """Return the entry that opens the requests about a seat, with their short names: `Ann: remove, ban, mute..`."""
    words = dict.fromkeys(_IN_SHORT[asked.what] for _, asked in requests)
    return f"{name}: {', '.join(words)}.."


_IN_SHORT = {"bot": "bot", "owner": "owner", "kick": "remove", "ban": "ban", "mute": "mute", "unmute": "mute"}


def consequence(info: TableInfo, asked: OwnerRequest) -> str:
    """Return the consequence of a request where its words do not say it, "" where they do."""
    if asked.what == "kick" and asked.seat >= 0 and info.seats[asked.seat].state == "bot":
        return "The seat is free again."
    return HINTS.get(asked.what, "")


def _mute(whom: str, at: int, muted: bool) -> Request:
    words = f"let {whom} talk again" if muted else f"mute {whom} for everybody"
    return words, OwnerRequest("unmute" if muted else "mute", at)


def door_requests(info: TableInfo, knocks: Sequence[KnockInfo], words: str = "") -> list[Request]:
    """What the owner may ask about who comes in: first what stops strangers, always at the same digits, then an answer
    to each knock. words: "" if the table has no short words."""
    rows: list[Request] = [("new join string", OwnerRequest("renew", value="join"))]
    if info.knocking:
        rows.append(("newcomers come in freely", OwnerRequest("no_knock")))
    else:
        rows.append(("newcomers knock first", OwnerRequest("knock")))
    if info.inviting:
        rows.append(("admit no new players", OwnerRequest("close")))
    else:
        rows.append(("admit new players", OwnerRequest("open")))
    rows += knock_requests(knocks)
    rows.append(("new watch string", OwnerRequest("renew", value="watch")))
    if words:
        rows.append(("new short words", OwnerRequest("renew", value="words")))
    return allowed(info, rows)


def knock_requests(knocks: Sequence[KnockInfo]) -> list[Request]:
    """The answers to each knock."""
    rows: list[Request] = []
    for knock in knocks:
        verb = "let in" if knock.seat < 0 else "give the seat to"
        rows.append((f"{verb} {knock_words(knock)}", OwnerRequest("admit", number=knock.number)))
        rows.append((f"refuse {knock.name}", OwnerRequest("refuse", number=knock.number)))
    return rows


def knock_menu(scene: Scene) -> Menu:
    """The menu for a player who does not decide for the table: answers to somebody who says that the player's seat is
    theirs."""
    return Menu(CLAIMS, tuple(_entry(request) for request in knock_requests(scene.knocks)))


CLAIMS = "Somebody at another machine says that your seat is theirs:"
ONLY_THE_OWNER_DECIDES = "Only the owner of the table decides who comes in."


def knock_words(knock: KnockInfo) -> str:
    """Return who knocks: `Sam 3f2a 91bc`, or `Bo, like Во! 0f3c 77aa`; the warning is never cut off."""
    watch = " as a spectator" if knock.watch else ""
    like = f", like {knock.like}!" if knock.like else ""
    where = f" from {knock.where}" if knock.where else ""
    held = f", {'connected' if knock.here else 'offline'} now" if knock.seat >= 0 else ""
    return f"{knock.name}{like} {knock.fingerprint}{watch}{where if knock.seat >= 0 else ''}{held}"


def knocking_words(knocks: Sequence[KnockInfo]) -> str:
    """Return in two words that somebody knocks, or how many do; "" if nobody does."""
    if len(knocks) == 1:
        return f"{knocks[0].name} knocks"
    return f"{len(knocks)} knock" if knocks else ""


def door_title(info: TableInfo, knocks: Sequence[KnockInfo]) -> str:
    """Return how newcomers come in now, and who knocks."""
    how = "knock first" if info.knocking else "come in freely"
    now = f"Newcomers {how}" if info.inviting else "No new players are admitted"
    return f"{now}; {knocking_words(knocks)}:" if knocks else f"{now}:"


# ------------------------------------------------------------------------------------------------ menus of the table
def owner_menu(scene: Scene) -> Menu:
    """The owner's menu: pause, answers for inactive players, seats, pace, who comes in."""
    info = scene.info
    inactive = [_for_them(scene, deciding.seat) for deciding in scene.view.deciding if deciding.seat != scene.me]
    if scene.view.window is not None and not inactive:
        inactive.append(_NO_MORE)
    first, *rest = table_requests(info)
    entries = [_entry(request) for request in (first, *inactive)]
    for at in range(len(info.seats)):
        requests = seat_requests(info, at) if at != scene.me else []
        if requests:
            menu = Menu(f"{scene.name(at)}:", tuple(_entry(request, scene.name(at)) for request in requests))
            entries.append(Entry(f"seat{at}", seat_words(scene.name(at), requests), menu))
    entries += [_entry(request) for request in rest]
    entries.append(Entry("door", "who comes in..", door_menu(scene)))
    title = "The owner is away; you act for them:" if info.acting else "The table is yours:"
    return Menu(title, tuple(entries))


def player_menu(scene: Scene) -> Menu:
    """The menu of what every player may ask of the table: to end a long pause, and to decide for whoever has used up
    their time at a pace without clocks. Empty if there is nothing."""
    timers, window = scene.timers, scene.view.window
    rows: list[Request] = []
    if scene.info.stage == "paused" and timers.pause == 0:
        rows.append(("resume the game", OwnerRequest("resume")))
    if scene.info.pace in CLOCKLESS and scene.info.stage == "playing":
        late = [one.seat for one in scene.view.deciding if one.seat != scene.me and timers.banks.get(one.seat) == 0]
        rows += [_for_them(scene, seat) for seat in late]
        match_point = scene.fight is not None and scene.fight.match_point
        if window is not None and window.kind != "kick" and window.holder < 0 and not match_point:
            rows.append(_NO_MORE)
    return Menu("Every player can:", tuple(_entry(request) for request in rows))


def _for_them(scene: Scene, seat: int) -> Request:
    """Return the request that ends the wait for a player: the host answers for somebody who does not."""
    return f"wait no longer for {scene.name(seat)}: the host answers", OwnerRequest("default", seat)


_NO_MORE: Request = ("wait no longer: whoever has not played anything passes", OwnerRequest("default"))


def door_menu(scene: Scene) -> Menu:
    """Who comes in: strings, knocks, admission."""
    entries = [_entry(request) for request in door_requests(scene.info, scene.knocks, scene.words)]
    if scene.invitation and not scene.info.acting:
        entries.append(Entry("strings", SHOW_STRINGS, ShowStrings()))
    return Menu(door_title(scene.info, scene.knocks), tuple(entries))


SHOW_STRINGS = "show the strings"


def _entry(request: Request, name: str = "") -> Entry:
    words, asked = request
    key = f"{asked.what}{asked.seat}{asked.value}{asked.number}{asked.pause_s}"
    return Entry(key, words, asked, danger=danger_of_request(asked, name))


def danger_of_request(asked: OwnerRequest, name: str) -> str:
    """Return the question to ask before the owner makes a request that they cannot take back. name: of the player in
    the seat."""
    return f"Make {name} the owner instead of you?" if asked.what == "owner" else ""


def start_question(info: TableInfo) -> str:
    """Return what is asked before a game begins with bots on free seats; "" if no seat is free."""
    free = [str(at) for at, seat in enumerate(info.seats, 1) if seat.state == "open"]
    if not free:
        return ""
    some = f"{', '.join(free[:-1])} and {free[-1]}" if len(free) > 1 else free[0]
    return f"Begin with {'bots on seats' if len(free) > 1 else 'a bot on seat'} {some}?"


START_WITH_BOTS = "begin, bots take these seats"
"""The answer to that question that begins."""
HINTS = {
    "ban": "Their key is refused, and no new players are admitted until you allow it.",
    "kick": "Their key is refused for that time; then they may come again if they have the join string.",
    "owner": "They own the table from then on. The owner string takes it back.",
    "close": "Those who are here can always return; nobody else can join.",
    "open": "The strings admit players again; banned players stay out.",
    "knock": "Whoever has a string waits until you let them in (d). Those who are here can always return.",
    "no_knock": "Whoever has a string comes in. Those who knock now come in too.",
    "renew": "The old one lets nobody new in. Those who are here can always return.",
    "admit": "Ask them which fingerprint their screen shows, if you are not sure who it is.",
    "refuse": f"They may knock again in {KICK_PAUSE_S // 60} minutes.",
    "mute": "Nobody reads what they say.",
}
"""The consequences of a request, where its words do not say them."""


# ---------------------------------------------------------------------------------------------------------- muting
def mute_menu(scene: Scene) -> Menu:
    """The menu of whose talk to hide, at this screen only."""
    rows = mute_rows(scene.info, scene.me, scene.muted)
    return Menu(MUTE_TITLE, tuple(Entry(f"mute{at}", words, MuteTalk(at)) for at, words in rows))


MUTE_TITLE = "Whose talk do you not want to read? Nobody else notices."


def mute_rows(info: TableInfo, me: int, muted: frozenset[int]) -> list[tuple[int, str]]:
    """Return in words whom a player can mute for themselves, by seat (-1: the spectators)."""
    whom = {
        at: seat.name
        for at, seat in enumerate(info.seats)
        if at != me and (seat.state in ("here", "lost", "away") or bots.talks(seat))
    }
    if info.watchers or -1 in muted:
        whom[-1] = "the spectators"
    return [(at, f"read {name} again" if at in muted else f"mute {name}") for at, name in whom.items()]
