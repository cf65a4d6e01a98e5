"""The join string of a command, from its argument or from standard input: others read command lines, but no pipes."""

import os
import select
import sys

import click

from netcode.protocol.pasted import CHARS, has_more
from netcode.short_words.word_list import with_address

PASTED_S = 0.5
"""The lines of a paste come within this time, one after the other."""


def given_string(text: str) -> str:
    """Return a join or watch string, or the text with it. `-` reads it from standard input: as many lines as it is
    broken into, and no more, since answers may follow."""
    if text != "-":
        return text
    at_terminal = os.isatty(0)
    _ask("join string: ", at_terminal)
    text = read_line()
    while has_more(text) and not _only_words(text) and not (at_terminal and not text.strip()):
        if at_terminal and not _more_is_there():
            _ask("the rest of it: ", at_terminal)
        line = read_line()
        if not line or (at_terminal and not line.strip()):
            break
        text += line
    if at_terminal:
        _drop_the_rest()
    return text.strip()


def _only_words(text: str) -> bool:
    """Whether these are short words, and not the first line of what a host prints, behind which the string follows."""
    return "kickdoor" not in text and with_address(text) is not None


def _ask(words: str, at_terminal: bool) -> None:
    if at_terminal:
        click.echo(words, nl=False, err=True)


def read_line() -> str:
    """Return a line of standard input with its end, and leave the others; "" at its end."""
    line = b""
    while len(line) < CHARS and not line.endswith(b"\n"):
        sign = os.read(0, 1)
        if not sign:
            break
        line += sign
    return line.decode("utf-8", "replace")


def _more_is_there() -> bool:
    """Whether another line of a paste comes at once."""
    return os.name != "posix" or bool(select.select([0], [], [], PASTED_S)[0])


def _drop_the_rest() -> None:
    """Forget what was pasted behind the string: it is no key for the screen that follows."""
    if sys.platform != "win32":
        import termios  # Windows has none

        termios.tcflush(0, termios.TCIFLUSH)
