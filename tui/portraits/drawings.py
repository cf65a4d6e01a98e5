"""The drawings that portraits are made of, read from creatures.txt and things.txt.

A drawing has a large form of 16 by 16 pixels, a small one of 8 by 8 (drawn, not shrunk) and an emblem of 5 by 3
characters for terminals without colour. A row of half the width is mirrored: it is the left half.
"""

from functools import cache
from itertools import groupby
from pathlib import Path

from msgspec import Struct

LARGE, SMALL = 16, 8
"""Pixels along each side of the two forms."""
EMBLEM = (5, 3)
"""Columns and rows of an emblem."""
LETTERS = ".#+oaekwmg"
"""What a pixel can be: ground, four colours of the palette, then fixed colours (palettes.py)."""
FILES = ("creatures.txt", "things.txt")


class Drawing(Struct, frozen=True):
    """One drawing. large, small: rows of letters. emblem: rows of characters. creature: whether it has a face of its
    own, so that a monster may be drawn with it."""

    name: str
    creature: bool
    large: tuple[str, ...]
    small: tuple[str, ...]
    emblem: tuple[str, ...]


@cache
def drawings() -> dict[str, Drawing]:
    """Return every drawing by name, in the order of the files."""
    found: dict[str, Drawing] = {}
    for name in FILES:
        text = Path(__file__).with_name(name).read_text(encoding="utf-8")
        for drawing in parse(text, name, creature=name == FILES[0]):
            found[drawing.name] = drawing
    return found


@cache
def creatures() -> tuple[str, ...]:
    """Return the names of the drawings that monsters may have."""
    return tuple(name for name, drawing in drawings().items() if drawing.creature)


def parse(text: str, place: str, creature: bool) -> list[Drawing]:
    """Return the drawings of a file. place: its name, for errors. Raise ValueError with one line for its author."""
    lines = [line.rstrip("\n") for line in text.splitlines() if not line.startswith("# ")]
    blocks = [list(block) for blank, block in groupby(lines, key=lambda line: not line.strip()) if not blank]
    found: list[Drawing] = []
    at = 0
    while at < len(blocks):
        if len(blocks[at]) != LARGE + 1 or at + 2 >= len(blocks):
            raise ValueError(f"{place}: after {blocks[at][0]!r} come {LARGE} rows, {SMALL} rows and an emblem")
        name, *rows = blocks[at]
        large, small = pixels_of(rows, LARGE, place, name), pixels_of(blocks[at + 1], SMALL, place, name)
        found.append(Drawing(name, creature, large, small, _emblem(blocks[at + 2], place, name)))
        at += 3
    return found


def pixels_of(rows: list[str], side: int, place: str, name: str) -> tuple[str, ...]:
    """Return `side` whole rows of letters; half rows are mirrored. Raise ValueError if there are fewer or others."""
    whole = tuple(row + row[::-1] if len(row) == side // 2 else row for row in (row.strip() for row in rows))
    for number, row in enumerate(whole, 1):
        if len(row) != side or set(row) - set(LETTERS):
            raise ValueError(f"{place}: {name}, row {number}: {side} or {side // 2} letters of {LETTERS!r}")
    if len(whole) != side:
        raise ValueError(f"{place}: {name}: {len(whole)} rows, a form of {side} pixels has {side}")
    return whole


def _emblem(rows: list[str], place: str, name: str) -> tuple[str, ...]:
    columns, count = EMBLEM
    if len(rows) != count or any(len(row) > columns or not row.isascii() for row in rows):
        raise ValueError(f"{place}: {name}: an emblem has {count} rows of at most {columns} ASCII characters")
    return tuple(row.ljust(columns) for row in rows)
