"""Menus beside the game: leaving the table, the owner's menu, undo votes. Pure."""

import shlex

from core.text.log import action_words
from core.view import View
from netcode.protocol.paces import CLOCKLESS, PACES
from netcode.protocol.wire import TableInfo
from tui.menus.choices import Entry, Leave, Menu, OwnerRequest, UndoVote
from tui.scene.scene import Scene


def quit_menu(solo: bool, over: bool = False) -> Menu:
    """What Ctrl+Q asks. over: the game is over, so that a solo player has nothing to return to."""
    if solo and over:
        return Menu("Leave the table? The game is over.", (Entry("give-up", "leave", Leave(give_up=True)),))
    title = "Leave the table? The game is kept." if solo else "Leave the table? Your seat is kept."
    return Menu(
        title,
        (
            Entry("leave", "leave, the seat stays yours", Leave()),
            Entry("give-up", "give the seat up to a bot", Leave(give_up=True)),
        ),
    )


def farewell(how: str, join: str, solo: bool, name: str = "") -> str:
    """Return the line for the shell after leaving. how: left, gone (gave the seat up) or over.

    name: the player's name if `kickdoor join` needs it, since a seat is kept under the name of its player.
    """
    if how == "left" and solo:
        return "The game is kept. To resume: kickdoor play --resume"
    if how == "left" and join:
        called = f" --name {shlex.quote(name)}" if name else ""
        return f"Your seat is kept while the table is open. To return: kickdoor join {shlex.quote(join)}{called}"
    if how == "over":
        return "The game is over. To watch it again: Replays in the menu."
    if how == "gone":
        return "You gave your seat up; a bot plays on."
    return ""


def closing_words(info: TableInfo | None, view: View | None) -> str:
    """Return the line for the shell after a table has closed: who won there, if anybody did."""
    winners = view.winners if view is not None else []
    names = [info.seats[seat].name for seat in winners if seat < len(info.seats)] if info is not None else []
    return f"The table is closed: {' and '.join(names)} won." if names else "The table is closed."


# ----------------------------------------------------------------------------------------------------------- the owner
Request = tuple[str, str, int, str]
"""A request of the owner: the words for a menu, then what, seat and value (see netcode.protocol.wire.Admin)."""


def table_requests(info: TableInfo) -> list[Request]:
    """What the owner may ask of the table as a whole."""
    rows: list[Request] = []
    if info.stage in ("playing", "paused"):
        paused = info.stage == "paused"
        rows.append(("resume the game" if paused else "pause the game", "resume" if paused else "pause", -1, ""))
    rows += [(f"pace: {pace}", "pace", -1, pace) for pace in PACES if pace != info.pace]
    if info.inviting:
        rows.append(("admit no new players", "close", -1, ""))
    else:
        rows.append(("admit new players", "open", -1, ""))
    if info.watchers:
        rows.append((f"remove all spectators ({info.watchers})", "kick", -1, ""))
    return rows


def seat_requests(info: TableInfo, at: int) -> list[Request]:
    """What the owner may ask of another player's seat."""
    seat, on = info.seats[at], info.stage in ("playing", "paused")
    person = seat.state in ("here", "lost", "away")
    rows: list[Request] = []
    if seat.state == "open":
        rows.append(("put a bot in", "bot", at, ""))
    if on and seat.state in ("here", "lost"):
        rows.append(("let a bot play until the next key", "bot", at, ""))
    if seat.state == "here":
        rows.append(("make them the owner", "owner", at, ""))
    if person or (seat.state == "bot" and not on):
        rows.append(("remove; may come again", "kick", at, ""))
    if person:
        rows.append(("ban", "ban", at, ""))
    return rows


def owner_menu(scene: Scene) -> Menu:
    """The owner's menu: pause, pace, answers for inactive players, seats, admission."""
    info = scene.info
    inactive: list[Request] = [
        (f"decide for {scene.label(deciding.seat)}", "default", deciding.seat, "")
        for deciding in scene.view.deciding if deciding.seat != scene.me
    ]  # fmt: skip
    if scene.view.window is not None and not inactive:
        inactive.append(("close the window", "default", -1, ""))
    first, *rest = table_requests(info)
    entries = [_entry(request) for request in (first, *inactive)]
    for at in range(len(info.seats)):
        requests = seat_requests(info, at) if at != scene.me else []
        if requests:
            menu = Menu(f"{scene.label(at)}:", tuple(_entry(request) for request in requests))
            entries.append(Entry(f"seat{at}", f"{scene.label(at)}..", menu))
    return Menu("The table is yours:", (*entries, *(_entry(request) for request in rest)))


def player_menu(scene: Scene) -> Menu:
    """What every player may ask of the table: to end a long pause, and to decide for whoever has used up their time
    at a pace without clocks. Empty if there is nothing."""
    timers, window = scene.timers, scene.view.window
    rows: list[Request] = []
    if scene.info.stage == "paused" and timers.pause == 0:
        rows.append(("resume the game", "resume", -1, ""))
    if scene.info.pace in CLOCKLESS and scene.info.stage == "playing":
        rows += [
            (f"decide for {scene.label(deciding.seat)}", "default", deciding.seat, "")
            for deciding in scene.view.deciding if deciding.seat != scene.me and timers.banks.get(deciding.seat) == 0
        ]  # fmt: skip
        if window is not None and window.kind != "kick" and window.holder < 0 and not _at_match_point(scene):
            rows.append(("close the window", "default", -1, ""))
    return Menu("Every player can:", tuple(_entry(request) for request in rows))


def _at_match_point(scene: Scene) -> bool:
    return scene.fight is not None and scene.fight.match_point


def _entry(request: Request) -> Entry:
    words, what, seat, value = request
    return Entry(f"{what}{seat}{value}", words, OwnerRequest(what, seat, value))


HINTS = {
    "ban": "Their key is refused, and no new players are admitted until you allow it.",
    "kick": "They may come again while new players are admitted.",
    "owner": "They own the table from then on. The owner string takes it back.",
    "close": "Those who are here can always return; nobody else can join.",
    "open": "The strings admit players again; banned players stay out.",
}
"""The consequences of a request, where its words do not say them."""


# ---------------------------------------------------------------------------------------------------------------- undo
UNDO = Menu(
    "Ask the table to undo the last action? All players must agree.",
    (Entry("ask", "ask", UndoVote(0, yes=True)),),
)


def vote_menu(scene: Scene) -> Menu | None:
    """The open undo vote as a menu: this player's answer, or whom it waits for; None if there is no vote."""
    vote = scene.info.vote
    if vote is None:
        return None
    if scene.me == vote.by:
        return Menu(vote_words(scene), (Entry("no", "withdraw the request", UndoVote(vote.number, yes=False)),))
    if scene.me not in vote.waiting:
        return Menu(vote_words(scene), ())
    answers = tuple(Entry(word, words, UndoVote(vote.number, word == "yes")) for word, words in _ANSWERS)
    return Menu(vote_words(scene), answers, asked=len(answers))


_ANSWERS = (("yes", "agree"), ("no", "no, leave it as it is"))


def vote_words(scene: Scene) -> str:
    """The vote in one sentence."""
    vote = scene.info.vote
    if vote is None:
        return ""
    mine = vote.seat == scene.me
    done = f"{'you' if mine else scene.name(vote.seat)} {action_words(vote.what, you=mine)}"
    left = f" ({-(-vote.left_ms // 1000)} s)"
    if scene.me in vote.waiting:
        return f"{scene.label(vote.by)} asks to take this back: {done}{left}. Do you agree?"
    names = ", ".join(scene.name(seat) for seat in vote.waiting)
    who = "You ask" if scene.me == vote.by else f"{scene.label(vote.by)} asks"
    return f"{who} to take this back: {done}. Waiting for {names}{left}."
