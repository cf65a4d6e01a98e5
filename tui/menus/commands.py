"""Requests to the host by menu entries that are not actions of the game: the same on the screen and by lines."""

from tui.menus.entries import Command, MuteTalk, OwnerRequest, ShowCode, UndoVote
from tui.menus.hint import AgreeToHints
from tui.scene.table_session import TableSession


def keeps_place(command: Command) -> bool:
    """Return whether the player keeps their place in the menus: an answer to a vote only interrupts them."""
    return isinstance(command, UndoVote) and command.vote != 0


def ask_host(session: TableSession, command: Command) -> bool:
    """Ask the host (or the session) for what a command says; return whether it is such a command. The caller handles
    the others: leaving, showing strings."""
    client = session.client
    if isinstance(command, OwnerRequest):
        client.admin(command.what, command.seat, command.value, number=command.number, pause_s=command.pause_s)
    elif isinstance(command, MuteTalk):
        session.mute(command.seat)
    elif isinstance(command, UndoVote):
        client.back(command.vote, command.yes)
    elif isinstance(command, ShowCode):
        if not client.ask_for_code():
            session.note("There is no connection to the host, which makes the code.")
    elif isinstance(command, AgreeToHints):
        client.set(hints=command.yes)
    else:
        return False
    return True
