"""Menus beside the game: leaving the table (and how to come back), what its owner may do, a step back. Pure."""

import shlex

from core.text.log import action_words
from core.view import View
from netcode.protocol.paces import PACES
from netcode.protocol.wire import TableInfo
from tui.menus.choices import Command, Entry, Menu
from tui.scene.scene import Scene


def quit_menu(solo: bool, over: bool = False) -> Menu:
    """What ctrl+q asks. over: a game is, and nothing is left to come back to at a table for one."""
    if solo and over:
        return Menu("Leave the table? The game is over.", (Entry("give-up", "leave", Command("give-up")),))
    title = "Leave the table? The game is kept." if solo else "Leave the table? Your seat is kept."
    return Menu(
        title,
        (
            Entry("leave", "leave, the seat stays yours", Command("leave")),
            Entry("give-up", "give the seat up to a bot", Command("give-up")),
        ),
    )


def farewell(how: str, join: str, solo: bool, name: str = "") -> str:
    """One line for the shell after leaving. how: left, gone, over; name: if `kickdoor join` would not use it by itself,
    since a seat is kept under the name of its player."""
    if how == "left" and solo:
        return "The game is kept. To resume: kickdoor play --resume"
    if how == "left" and join:
        called = f" --name {shlex.quote(name)}" if name else ""
        return f"Your seat is kept as long as the table stands. To come back: kickdoor join {shlex.quote(join)}{called}"
    if how == "over":
        return "The game is over. To see it again: Replays in the menu."
    if how == "gone":
        return "You gave your seat up; a bot plays on in it."
    return ""


def closing_words(info: TableInfo | None, view: View | None) -> str:
    """One line for the shell when a table has closed: who won there, if anybody did."""
    winners = view.winners if view is not None else []
    names = [info.seats[seat].name for seat in winners if seat < len(info.seats)] if info is not None else []
    return f"The table is closed: {' and '.join(names)} won." if names else "The table is closed."


# ----------------------------------------------------------------------------------------------------------- the owner
Wish = tuple[str, str, int, str]
"""Words for a menu; and what, seat and value of the wish (see netcode.protocol.wire.Admin)."""


def table_wishes(info: TableInfo) -> list[Wish]:
    """What the owner may want of the table as a whole."""
    rows: list[Wish] = []
    if info.stage in ("playing", "paused"):
        paused = info.stage == "paused"
        rows.append(("let the game go on" if paused else "pause the game", "resume" if paused else "pause", -1, ""))
    rows += [(f"pace: {pace}", "pace", -1, pace) for pace in PACES if pace != info.pace]
    if info.inviting:
        rows.append(("let nobody new in", "close", -1, ""))
    else:
        rows.append(("let new people in again", "open", -1, ""))
    if info.watchers:
        rows.append((f"send away all who look on ({info.watchers})", "kick", -1, ""))
    return rows


def seat_wishes(info: TableInfo, at: int) -> list[Wish]:
    """What the owner may want of a seat that is not their own."""
    seat, on = info.seats[at], info.stage in ("playing", "paused")
    person = seat.state in ("here", "lost", "away")
    rows: list[Wish] = []
    if seat.state == "open":
        rows.append(("a bot sits down", "bot", at, ""))
    if on and seat.state in ("here", "lost"):
        rows.append(("a bot sits in until the next key", "bot", at, ""))
    if seat.state == "here":
        rows.append(("hand the table over", "owner", at, ""))
    if person or (seat.state == "bot" and not on):
        rows.append(("send away; may come again", "kick", at, ""))
    if person:
        rows.append(("send away for good", "ban", at, ""))
    return rows


def owner_menu(scene: Scene) -> Menu:
    """What the owner may do: pause, change the pace, decide for who is silent, see to the seats and to who comes in."""
    info = scene.info
    silent: list[Wish] = [
        (f"decide for {scene.label(deciding.seat)}", "default", deciding.seat, "")
        for deciding in scene.view.deciding if deciding.seat != scene.me
    ]  # fmt: skip
    if scene.view.window is not None and not silent:
        silent.append(("close the window", "default", -1, ""))
    first, *rest = table_wishes(info)
    entries = [_entry(wish) for wish in (first, *silent)]
    for at in range(len(info.seats)):
        wishes = seat_wishes(info, at) if at != scene.me else []
        if wishes:
            menu = Menu(f"{scene.label(at)}:", tuple(_entry(wish) for wish in wishes))
            entries.append(Entry(f"seat{at}", f"{scene.label(at)}..", menu))
    return Menu("The table is yours:", (*entries, *(_entry(wish) for wish in rest)))


def _entry(wish: Wish) -> Entry:
    words, what, seat, value = wish
    return Entry(f"{what}{seat}{value}", words, Command(f"owner:{what}:{seat}:{value}"))


HINTS = {
    "ban": "Their key is not let in again, and nobody new comes in until you say so.",
    "kick": "They may come again as long as new people are let in.",
    "owner": "They have the last word from then on. The owner string takes it back.",
    "close": "Those who are here come back in any case; the strings let nobody else in.",
    "open": "The strings let people in again; who was sent away for good stays out.",
}
"""What follows from a wish, where its words do not say it."""


# --------------------------------------------------------------------------------------------------------- a step back
BACK = Menu(
    "Ask the table to take back what was done last? All who sit here must agree.",
    (Entry("ask", "ask", Command("back:0:yes")),),
)


def vote_menu(scene: Scene) -> Menu | None:
    """What is asked of this player by a vote on a step back; None if nothing is."""
    vote = scene.info.vote
    if vote is None:
        return None
    if scene.me == vote.by:
        return Menu(vote_words(scene), (Entry("no", "leave it as it is", Command(f"back:{vote.number}:no")),))
    if scene.me not in vote.waiting:
        return Menu(vote_words(scene), ())
    answers = tuple(Entry(word, words, Command(f"back:{vote.number}:{word}")) for word, words in _ANSWERS)
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
