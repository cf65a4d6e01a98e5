"""The first words on the terminal, shown while the toolkit is loaded, which takes most of the start."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

STARTING, CONNECTING, LOADING = "Starting the table..", "Connecting..", "Loading the recording.."
FIRST = {"play": STARTING, "join": CONNECTING, "watch": CONNECTING, "lobby": CONNECTING, "replay": LOADING}
"""The words with which the app begins, by where it starts."""
ERASE = "\r\x1b[K"


@contextmanager
def first_words(text: str) -> Iterator[None]:
    """Show this sentence below the prompt. The app covers it with its own screen, which begins with the same sentence;
    it is erased after the app has ended."""
    terminal = sys.__stderr__
    if terminal is None or not terminal.isatty():
        yield
        return
    with _without_flow_control():  # whoever has read the words may leave
        terminal.write(text)
        terminal.flush()
        try:
            yield
        finally:
            terminal.write(ERASE)
            terminal.flush()


@contextmanager
def _without_flow_control() -> Iterator[None]:
    """Turn off the terminal's flow control, so that Ctrl+Q, with which a player leaves, reaches the app."""
    if os.name != "posix":
        yield
        return
    import termios  # POSIX only

    before, kept = termios.tcgetattr(0), termios.tcgetattr(0)
    kept[0] &= ~termios.IXON
    termios.tcsetattr(0, termios.TCSANOW, kept)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSANOW, before)
