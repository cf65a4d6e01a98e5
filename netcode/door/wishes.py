"""What a guest's ssh asks of the door besides a terminal: a word on the command line, and variables. No shell sees
either.

    ssh -t host watch            spectate
    ssh -t host lobby            see all tables
    ssh -t host table NAME       go to a table
    ssh host help                a page about the door
"""

import re

from netcode.protocol.clean_text import clean

COMMAND_BYTES = 200
"""The longest command line that is looked at."""
TABLE_CHARS = 40
"""The longest name of a table."""
VALUE_CHARS = 64
"""The longest value of a variable."""
VARIABLES = 16
"""Variables of one session."""
WORDS = ("join", "watch", "lobby", "help")
"""Commands of one word; without a command: `join`."""
HINT = "this door knows: watch, lobby, table NAME, help (as in: ssh -t HOST watch); nothing else can be run here"
_VARIABLE = re.compile(r"TERM|LANG|LC_[A-Z]{1,20}|COLORTERM|NO_COLOR")
_VALUE = re.compile(r"[A-Za-z0-9@._:+/=-]*")
_TERM = re.compile(r"[A-Za-z0-9._+-]{1,64}")
DUMB = "dumb"
"""The terminal of a guest who names none, or an impossible name."""


class UnknownWish(ValueError):
    """No command of the door. The text is one line for the guest."""


def read_command(text: str) -> str:
    """Return what a command line asks for: one of WORDS, or `table NAME`. Raises UnknownWish."""
    if len(text.encode(errors="replace")) > COMMAND_BYTES:
        raise UnknownWish(HINT)
    word, _, rest = text.strip().partition(" ")
    if word in WORDS and not rest.strip():
        return word
    name = clean(rest, TABLE_CHARS)
    if word == "table" and name and len(rest.strip()) <= TABLE_CHARS:
        return f"table {name}"
    raise UnknownWish(HINT)


def variable(name: bytes, value: bytes) -> tuple[str, str] | None:
    """Return a variable's name and value, None if a guest may not set it, or not to this value."""
    if len(name) > VALUE_CHARS or len(value) > VALUE_CHARS:
        return None
    try:
        key, text = name.decode("ascii"), value.decode("ascii")
    except UnicodeDecodeError:
        return None
    return (key, text) if _VARIABLE.fullmatch(key) and _VALUE.fullmatch(text) else None


def terminal_name(text: str) -> str:
    """Return the name of a terminal as its guest gives it, or `dumb`."""
    return text if _TERM.fullmatch(text) else DUMB
