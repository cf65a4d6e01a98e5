"""Menus beside the game: leaving the table, undo votes. Pure. Those of the owner are in owner_menus.py."""

from core.state.views import View
from core.text.log import action_words
from netcode.protocol.wire import TableInfo, UndoInfo, VoteInfo
from tui.config.surroundings import here
from tui.menus.entries import Entry, Leave, Menu, ShowCode, UndoVote
from tui.scene.scene import Scene


def leaving(scene: Scene) -> Leave | None:
    """Return how to leave a table without a question, since its game is over; None: `quit_menu` asks first. A solo
    player has nothing to return to."""
    return Leave(give_up=scene.solo) if scene.view.winners else None


def quit_menu(solo: bool, watching: bool = False) -> Menu:
    """Return the question to ask before leaving a running game. watching: whether a spectator leaves."""
    if watching:
        return Menu("Stop spectating?", (Entry("leave", "leave; the game goes on", Leave()),))
    title = "The game is kept. Leave the table?" if solo else "Your seat is kept. Leave the table?"
    return Menu(
        title,
        (
            Entry("leave", "leave, the seat stays yours", Leave()),
            Entry("give-up", "give the seat up to a bot", Leave(give_up=True), danger="Give your seat up for good?"),
            *((_CODE,) if not solo and here().own_machine else ()),
        ),
    )


_CODE = Entry("code", "go on at another machine: show a code", ShowCode())


def farewell(how: str, solo: bool, watch: str = "", plain: bool = False) -> str:
    """Return the line for the shell after leaving. how: left, gone (gave the seat up) or over.

    watch: the watch string of somebody who spectated, "" for a player. plain: they play by lines, and will again.
    """
    lines = " --plain" if plain else ""
    if watch:
        return f"You stopped spectating. To spectate again: {here().back(watch, plain)}"
    if how == "left" and solo:
        return f"The game is kept. To resume: kickdoor play --resume{lines}"
    if how == "left":
        back = f"Your seat is kept while the table is open. To return: {here().back(plain=plain)}"
        return f"{back}\n{here().code_words}".rstrip()
    if how == "over":
        return "The game is over. To watch it again: Replays in the menu."
    return "You gave your seat up; a bot plays on."


def closing_words(info: TableInfo | None, view: View | None) -> str:
    """Return the line for the shell after a table has closed: who won there, if anybody did."""
    winners = view.winners if view is not None else []
    names = [info.seats[seat].name for seat in winners if seat < len(info.seats)] if info is not None else []
    return f"The table is closed: {' and '.join(names)} won." if names else "The table is closed."


# ---------------------------------------------------------------------------------------------------------------- undo
def undo_menu(scene: Scene) -> Menu:
    """Return the question to ask before the table votes on an undo; it names the act."""
    undo = scene.undo
    what = f'Take back "{_done(scene, undo)}"?' if undo is not None else "Take back what was done last?"
    return Menu(f"{what} All players must agree.", (Entry("ask", "ask them", UndoVote(0, yes=True)),))


def _done(scene: Scene, what: UndoInfo | VoteInfo) -> str:
    mine = what.seat == scene.me
    return f"{'you' if mine else scene.name(what.seat)} {action_words(what.what, you=mine)}"


def vote_menu(scene: Scene) -> Menu | None:
    """Return the open undo vote as a menu: this player's answer, or who has yet to answer; None if there is no vote."""
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
    done = _done(scene, vote)
    left = f" ({-(-vote.left_ms // 1000)} s)"
    if scene.me in vote.waiting:
        return f"{scene.name(vote.by)} asks to take this back: {done}{left}. Do you agree?"
    names = ", ".join(scene.name(seat) for seat in vote.waiting)
    who = "You ask" if scene.me == vote.by else f"{scene.name(vote.by)} asks"
    return f"{who} to take this back: {done}. Waiting for {names}{left}."
