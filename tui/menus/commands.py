"""What a menu entry that is no action of the game asks of the host: the same on the screen and by lines."""

from tui.menus.entries import Command, MuteTalk, OwnerRequest, ShowCode, UndoVote
from tui.menus.hint import AgreeToHints
from tui.scene.table_session import TableSession


def keeps_place(command: Command) -> bool:
    """Return whether the player's place in the menus stays: an answer to a vote interrupts what they do."""
    return isinstance(command, UndoVote) and command.vote != 0


def ask_host(session: TableSession, command: Command) -> bool:
    """Ask the host (or the session) for what a command says; return whether it is such a command. The others are for
    whatever shows the menus: leaving, showing strings."""
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
