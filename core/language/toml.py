"""Parse TOML that strangers wrote: a plain table within limits, or the line and the mistake.

`tomllib` takes quadratic time for a dotted key of many parts, and fails with a bare ValueError for a number of many
digits. Both are refused here, before and after it runs.
"""

import re
from typing import Any

LINE_CHARS = 4000
"""Characters of a line: the longest of our own files has 621."""
KEY_PARTS = 16
"""Parts of a dotted key."""
DEPTH_LIMIT = 32
"""Tables and lists within each other. An effect six levels deep, with its condition, takes about 20."""
_NUMBERS = range(-(2**63), 2**63)
"""The whole numbers of TOML."""
_QUOTED = r"""(?:"(?:[^"\\]|\\.)*+"|'[^']*+')"""
_PART = rf"(?:[\w-]++|{_QUOTED})"
_DOTTED = re.compile(rf"{_PART}(?:\s*+\.\s*+{_PART})*+")
"""Dotted keys, and single words and texts. The quantifiers are possessive, so a search takes linear time."""
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


class TomlError(ValueError):
    """A text that is not TOML within the limits. message: what is wrong; line: where, from 1 (0: unknown)."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"{message} (at line {line})" if line else message)
        self.message, self.line = message, line


def parse(text: str) -> dict[str, Any]:
    """Return the table of a TOML text. Raise TomlError if it is not TOML or exceeds a limit."""
    import tomllib  # cards that come from the cache need no TOML

    _check_lines(text)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else text.count("\n") + 1 if place else 0
        raise TomlError(f"not TOML: {str(error)[: place.start()] if place else error}", line) from None
    except RecursionError:
        raise TomlError("nested too deeply") from None
    except ValueError as error:  # a number or a date that Python cannot hold
        raise TomlError(f"not TOML: {error}") from None
    _check_values(table)
    return table


def _check_lines(text: str) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LINE_CHARS:
            raise TomlError(f"a line has {len(line)} characters: at most {LINE_CHARS}", number)
        if line.count(".") >= KEY_PARTS and any(_parts(key) > KEY_PARTS for key in _DOTTED.findall(line)):
            raise TomlError(f"a dotted key has more than {KEY_PARTS} parts", number)


def _parts(key: str) -> int:
    return re.sub(_QUOTED, "", key).count(".") + 1


def _check_values(table: dict[str, Any]) -> None:
    """Raise TomlError if values are nested too deeply or a number has more than 64 bits. Without recursion, so that
    nothing after it can run out of stack."""
    level: list[Any] = [table]
    for _ in range(DEPTH_LIMIT):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                inner.extend(value.values())
            elif isinstance(value, list):
                inner.extend(value)
            elif isinstance(value, int) and value not in _NUMBERS:
                raise TomlError("a number has more than 64 bits")
        level = inner
    if level:
        raise TomlError(f"nested more than {DEPTH_LIMIT} deep")
