"""Print for people and for scripts. Nothing that strangers wrote may control the terminal or begin a line of a log.

The commands print through these functions only. `codec.clean` cleans the texts of the screen and the wire.
"""

import sys
from typing import Any

from netcode.processes.streams import dangers
from netcode.processes.streams import harmless as harmless

QUOTED_CHARS = 200
"""The most characters of a stranger's text that a line quotes."""


def say(text: str, err: bool = False) -> None:
    """Print a text that may contain words of strangers: ids, names, paths, parts of their files."""
    print(harmless(text), file=sys.stderr if err else sys.stdout, flush=True)


def say_json(value: Any, indent: int = 0) -> None:
    """Print a value as JSON. indent: spaces for each level, 0 for one line."""
    import msgspec  # the command line prints its errors before it has loaded anything

    text = msgspec.json.encode(value)
    print(harmless_json((msgspec.json.format(text, indent=indent) if indent else text).decode()), flush=True)


def one_line(text: str) -> str:
    """Return this text as one harmless line, so that nobody who wrote part of it can begin a line of their own."""
    return harmless(text).replace("\n", "\ufffd")


def quoted(problem: object) -> str:
    """Return an error about a stranger's text as one short line, because the error may quote the text at any length."""
    text = one_line(str(problem)[: QUOTED_CHARS + 1])
    return text if len(text) <= QUOTED_CHARS else f"{text[: QUOTED_CHARS - 1]}…"


def harmless_json(text: str) -> str:
    """Return this JSON with such characters escaped, so that a script still reads the original text."""
    return text if text.isprintable() else text.translate({ord(char): _escaped(char) for char in dangers(text)})


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[at : at + 2], 'big'):04x}" for at in range(0, len(units), 2))
