"""Print for people and for scripts: nothing that strangers wrote may control the terminal.

The commands print through these functions only. What the screen and the wire show is cleaned by `codec.clean`.
"""

import sys
import unicodedata
from typing import Any


def say(text: str, err: bool = False) -> None:
    """Print a text that may hold words of strangers: ids, names, paths, parts of their files."""
    print(harmless(text), file=sys.stderr if err else sys.stdout, flush=True)


def say_json(value: Any, indent: int = 0) -> None:
    """Print a value as JSON. indent: spaces for each level, 0 for one line."""
    import msgspec  # the command line prints its errors before it has loaded anything

    text = msgspec.json.encode(value)
    print(harmless_json((msgspec.json.format(text, indent=indent) if indent else text).decode()), flush=True)


def harmless(text: str) -> str:
    """Return this text with U+FFFD for every character that controls a terminal, hides, or reorders others. Line ends
    stay."""
    if text.isprintable():
        return text
    return "".join("\ufffd" if _dangerous(char) else char for char in text)


def harmless_json(text: str) -> str:
    """Return this JSON with such characters escaped, so that a script reads what was there."""
    if text.isprintable():
        return text
    return "".join(_escaped(char) if _dangerous(char) else char for char in text)


def _dangerous(char: str) -> bool:
    return char != "\n" and unicodedata.category(char) in _DANGEROUS


_DANGEROUS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Control, format (bidirectional and zero-width), surrogate, private and unassigned characters, line separators."""


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[at : at + 2], 'big'):04x}" for at in range(0, len(units), 2))
