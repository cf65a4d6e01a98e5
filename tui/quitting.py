"""Leaving: the question at the table, and the sentence that tells how to come back."""

from tui.choices import Command, Entry, Menu


def question(solo: bool) -> Menu:
    """What ctrl+q asks."""
    title = "Leave the table? The game waits ten minutes for you." if solo else "Leave the table? Your seat is kept."
    return Menu(
        title,
        (
            Entry("leave", "leave, the seat stays yours", Command("leave")),
            Entry("give-up", "give the seat up to a bot", Command("give-up")),
        ),
    )


def farewell(how: str, join: str, solo: bool) -> str:
    """One line for the shell after leaving. how: left, gone, over."""
    if how == "left" and join:
        wait = "for ten minutes" if solo else "as long as the table stands"
        return f"Your seat is kept {wait}. To come back: kickdoor join '{join}'"
    if how == "gone":
        return "You gave your seat up; a bot plays on in it."
    return ""
