"""Copying a string of a table: to the clipboard, which not every terminal allows, and to a file."""

from typing import Any

from textual.app import App

from netcode.protocol.string_files import keep_copied, short
from tui.config.surroundings import here
from tui.scene.table_news import command_of


def copied(app: App[Any], string: str, command: str = "join") -> str:
    """Copy a string; return the sentence that says where it is. command: what it is for."""
    app.copy_to_clipboard(string)
    if not here().own_machine:
        return "Copied, if your terminal allows it."
    try:
        path = keep_copied(command_of(string, command))
    except OSError:
        return "Copied, if your terminal allows it."
    return f"Copied, if your terminal allows it; it is in {short(path)} too."
