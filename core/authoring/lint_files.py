"""Read the TOML files of a pack for the lint: their tables, the lines they begin on, and whatever is not TOML."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from msgspec import Struct

from core.language.catalog import UNSEEN, unseen
from core.language.toml import TomlError, parse
from core.scenario.schema import ROWS_LIMIT

TABLE_LINES = 1000
"""How many lines of a table are searched for the line of a key."""


class Problem(Struct, frozen=True):
    """One mistake in a pack: its file and line (0: no particular line), card and key; the hint says what to do. advice:
    it is not a mistake but something to look at."""

    file: str
    card: str
    key: str
    message: str
    hint: str = ""
    line: int = 0
    advice: bool = False

    def __str__(self) -> str:
        file = f"{self.file}:{self.line}" if self.line else self.file
        place = ", ".join(part for part in (file, self.card, self.key) if part)
        return f"{'advice: ' if self.advice else ''}{place}: {self.message}{f' ({self.hint})' if self.hint else ''}"


@dataclass
class Row:
    """One table of a file: as TOML gives it, and the line of its header (0: unknown)."""

    line: int
    table: Any


@dataclass
class Source:
    """One file of a pack. whole: every table in it could be read."""

    name: str
    text: str
    rows: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    whole: bool = True

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the file."""
        return self.text.splitlines()

    def problem(self, row: Row, card: str, key: str, message: str, hint: str = "") -> Problem:
        """Return a problem of a table in this file, with the line of its key."""
        return Problem(self.name, card, key, message, hint, _key_line(self.lines, row.line, key))


def read_source(name: str, data: bytes, header: str = "") -> Source:
    """Read one file; its tables are those under [[header]], or the file itself if there is no header."""
    try:
        source = Source(name, data.decode())
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return Source(name, "", problems=[Problem(name, "", "", f"not UTF-8 text: {error}", line=line)], whole=False)
    lines = _header_lines(source.lines, header) if header else [1]
    table = _parse(source, source.text)
    if table is not None:
        _take(source, table, header, lines)
    elif header:
        for first, text in _pieces(source.lines, lines[:ROWS_LIMIT]):
            part = _parse(source, text, first)
            if part is not None:
                _take(source, part, header, [first])
        source.problems = list(dict.fromkeys(source.problems))
    return source


def _take(source: Source, table: dict[str, Any], header: str, lines: list[int]) -> None:
    """Add the tables of a parsed file, or of a piece of it."""
    for character in sorted({*unseen(table)}):
        message = UNSEEN % ord(character)
        source.problems.append(Problem(source.name, "", "", message, "remove it"))
    if not header:
        source.rows.append(Row(1, table))
        return
    for key in sorted(set(table) - {header}):
        hint = f"a file like this has [[{header}]] tables only"
        source.problems.append(source.problem(Row(1, {}), "", key, f"unknown key {key!r}", hint))
    rows = table.get(header, [])
    if not isinstance(rows, list):
        hint = f"write [[{header}]] with two brackets"
        source.problems.append(Problem(source.name, "", header, "is not a list of tables", hint))
        source.whole = False
        return
    if len(rows) > ROWS_LIMIT:
        source.problems.append(Problem(source.name, "", header, f"more than {ROWS_LIMIT} of them in one file"))
        source.whole = False
    for at, row in enumerate(rows[:ROWS_LIMIT]):
        source.rows.append(Row(lines[at] if at < len(lines) else 0, row))


def _parse(source: Source, text: str, first: int = 1) -> dict[str, Any] | None:
    """Return the table of a file or of a piece of it, None if it cannot be read. first: the line it begins on."""
    try:
        return parse(text)
    except TomlError as error:
        line = error.line + first - 1 if error.line else 0
        source.problems.append(Problem(source.name, "", "", error.message, _toml_hint(error.message), line))
    source.whole = False
    return None


def _toml_hint(error: str) -> str:
    if "inline" in error.lower() or "Unclosed array" in error or "Invalid initial character" in error:
        return "an inline table { ... } must be on one line, and every [ and { must be closed"
    return ""


# -------------------------------------------------------------------------------------------------------------- lines
def _header_lines(lines: list[str], header: str) -> list[int]:
    """Return the numbers of the lines with this [[header]]."""
    return [number for number, line in enumerate(lines, 1) if re.match(rf"\s*\[\[\s*{header}\s*\]\]", line)]


def _pieces(whole: list[str], lines: list[int]) -> Iterator[tuple[int, str]]:
    """Yield (first line, text) of each table."""
    for first, after in zip(lines, [*lines, len(whole) + 1][1:], strict=True):
        yield first, "\n".join(whole[first - 1 : after - 1])


def _key_line(lines: list[str], start: int, key: str) -> int:
    """Return the line of the outermost part of a key within the table whose header is on line `start`; `start` if it is
    not found."""
    outer = re.match(r"[A-Za-z_]+", key)
    if not start or not outer:
        return start
    header = re.match(r"\s*(\[\[\s*\w+\s*\]\])", lines[start - 1]) if start <= len(lines) else None
    first = start if header else start - 1
    for number in range(first, min(first + TABLE_LINES, len(lines))):
        if header and lines[number].strip().startswith(header.group(1)):
            break
        if re.match(rf"\s*(\[+[a-z_.]*\b)?{re.escape(outer.group())}\b", lines[number]):
            return number + 1
    return start
