"""What the terminal shows, cell by cell, so that a frame of the toolkit costs only the cells that it changes.

The toolkit repaints a widget from its left edge, and the whole screen when a dialog opens or closes, and it ends each
piece of text with a reset. Most of these cells are on the terminal already, and most pieces have the same background as
the one before.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, groupby
from operator import itemgetter

from rich.cells import cell_len

RESET = "\x1b[0m"
_FRAME = re.compile(r"(?:\x1b\[\d+;\d+H(?:[^\x00-\x1f\x7f]|\x1b\[[0-9;]*m)*\n?)+")
"""A frame of the toolkit: pieces of lines, each after its place."""
_TOKEN = re.compile(r"\n?\x1b\[([0-9;]*)([mH])")
_HARMLESS = re.compile(r"(?:\x07|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[(?!\?1049)[?<>=][0-9;]*\$?[a-zA-Z])*")
"""Sequences that change no cell: modes, questions, the bell, the clipboard, titles and notifications."""

Style = tuple[frozenset[str], str, str]
"""Attributes, colour of the text, colour of the background; "" for the terminal's own."""
Cell = tuple[str, Style]
"""A character with its combining characters, and its style; "" is the second half of a wide character."""
PLAIN: Style = (frozenset(), "", "")
_SEEN_IN_BLANKS = frozenset("4579")
"""Attributes that are visible in a blank: underline, strike, blink, reverse."""
_STYLE = itemgetter(1)
_UNKNOWN: Cell = ("?", (frozenset("?"), "", ""))


class Mirror:
    """The cells of one terminal as far as they are known."""

    def __init__(self) -> None:
        self._rows: dict[int, list[Cell]] = {}
        self._cursor = ""
        self.held = False
        """Whether frames are dropped; the caller that sets this repaints everything afterwards."""

    def forget(self) -> None:
        """Forget all cells, since the terminal was cleared, resized, or used by another program."""
        self._rows.clear()
        self._cursor = ""

    def reduced(self, data: str, coarse: bool = False) -> str:
        """Return the least output that leaves the terminal as this output would. It begins and ends without a style, as
        each output of the toolkit does.

        coarse: use the nearest of 256 colours instead of true colours, which takes half the bytes.
        """
        if not _FRAME.fullmatch(data):
            if not _HARMLESS.fullmatch(data):
                self.forget()
            return data
        if self.held:
            return ""
        parts = _TOKEN.split(data.rstrip("\n"))
        out = _Output(coarse)
        style, place, run = PLAIN, "", list[Cell]()
        for params, kind, text in zip(parts[1::3], parts[2::3], parts[3::3]):
            if kind == "m":
                style = _after(style, params)
            else:
                self._write(out, place, run)
                place, run = params, []
            if text:
                run += [(sign, style) if sign != " " else _blank(style) for sign in _signs(text)]
        self._write(out, place, run)
        short = out.ended()
        if not run and (short or place != self._cursor):
            short += f"\x1b[{place}H"
        self._cursor = place if not run else ""
        return short

    def _write(self, out: "_Output", place: str, run: list[Cell]) -> None:
        """Write a run of cells from a place on, except those that are there already."""
        if not run:
            return
        y, x = _place(place)
        row = self._rows.setdefault(y, [])
        end = x + len(run)
        if len(row) < end:
            row += [_UNKNOWN] * (end - len(row))
        old = row[x:end]
        if old == run:
            return
        wide = any(len(sign) != 1 for sign, _ in chain(run, old))
        if wide:
            self._halve(row, x, end)
        row[x:end] = run
        # A terminal may give wide and combining characters another width. So these are sent whole, after a move.
        for start, stop in [(0, len(run))] if wide else _changes(old, run):
            out.move(y, x + start)
            out.text(run[start:stop])
        if wide:
            out.lose_place()

    @staticmethod
    def _halve(row: list[Cell], start: int, end: int) -> None:
        """Note that a terminal blanks the remaining half of a wide character whose other half is overwritten."""
        if start and not row[start][0]:
            row[start - 1] = _UNKNOWN
        if end < len(row) and not row[end][0]:
            row[end] = _UNKNOWN


class _Output:
    """Output for the terminal: cells, moves, and only those styles that change."""

    def __init__(self, coarse: bool) -> None:
        self._parts: list[str] = []
        self._coarse = coarse
        self._style = PLAIN
        self._at = (-1, -1)

    def move(self, y: int, x: int) -> None:
        """Move to a cell; within a row by the distance, which takes fewer bytes."""
        if self._at == (y, x):
            return
        by = x - self._at[1]
        forward = y == self._at[0] and by > 0
        self._parts.append(f"\x1b[{'' if by == 1 else by}C" if forward else f"\x1b[{y + 1};{x + 1}H")
        self._at = (y, x)

    def lose_place(self) -> None:
        """Note that the place of the cursor is unknown."""
        self._at = (-1, -1)

    def text(self, cells: Sequence[Cell]) -> None:
        """Write cells. A blank keeps the parts of the style before it that are invisible in a blank."""
        for style, same in groupby(cells, key=_STYLE):
            now = self._style
            text = "".join([sign for sign, _ in same])
            if not style[0] and text.isspace():
                style = (now[0] - _SEEN_IN_BLANKS, now[1], style[2])
            if style != now:
                self._parts.append(_change(now, style, self._coarse))
                self._style = style
            self._parts.append(text)
        self._at = (self._at[0], self._at[1] + len(cells))

    def ended(self) -> str:
        """Return the output, with its last style reset."""
        if self._style != PLAIN:
            self._parts.append(RESET)
        return "".join(self._parts)


def _changes(old: list[Cell], new: list[Cell]) -> Iterator[tuple[int, int]]:
    """Return the parts of a row that differ; two parts are one if the cells between them are cheaper than a move."""
    if old[0] is old[-1] is _UNKNOWN and old.count(_UNKNOWN) == len(old):
        yield 0, len(new)
        return
    start = stop = -1
    for at, (before, cell) in enumerate(zip(old, new)):
        if before == cell:
            continue
        if start >= 0 and at > stop and not _cheap(new[stop - 1 : at]):
            yield start, stop
            start = -1
        start = at if start < 0 else start
        stop = at + 1
    yield start, stop


def _cheap(cells: list[Cell]) -> bool:
    """Return whether writing the cells after the first one again is cheaper than moving over them."""
    return len(cells) <= 4 and all(style == cells[0][1] and sign.isascii() for sign, style in cells[1:])


@lru_cache(maxsize=1024)
def _place(params: str) -> tuple[int, int]:
    """Return the row and the column that a sequence names, from 0 on."""
    y, _, x = params.partition(";")
    return int(y or 1) - 1, int(x or 1) - 1


@lru_cache(maxsize=4096)
def _signs(text: str) -> tuple[str, ...]:
    """Return a text as the contents of cells."""
    if text.isascii():
        return tuple(text)
    found: list[str] = []
    for sign in text:
        size = cell_len(sign)
        if size == 0 and found:
            found[-1 if found[-1] else -2] += sign
        else:
            found += [sign, *[""] * (size - 1)]
    return tuple(found)


@lru_cache(maxsize=4096)
def _blank(style: Style) -> Cell:
    """Return a blank with the visible part of a style."""
    return " ", style if style[0] & _SEEN_IN_BLANKS else (frozenset(), "", style[2])


@lru_cache(maxsize=4096)
def _after(style: Style, params: str) -> Style:
    """Return the style after these parameters of a sequence."""
    attributes, text, ground = style
    codes = params.split(";") if params else ["0"]
    at = 0
    while at < len(codes):
        code = codes[at] or "0"
        size = {"5": 3, "2": 5}.get(codes[at + 1] if at + 1 < len(codes) else "", 1) if code in ("38", "48") else 1
        value = ";".join(codes[at : at + size])
        number = int(code)
        if number == 0:
            attributes, text, ground = PLAIN
        elif number == 38 or 30 <= number <= 37 or 90 <= number <= 97:
            text = value
        elif number == 48 or 40 <= number <= 47 or 100 <= number <= 107:
            ground = value
        elif number == 39:
            text = ""
        elif number == 49:
            ground = ""
        else:
            attributes |= {value}
        at += size
    return attributes, text, ground


_OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "8": "28", "9": "29"}
"""The code that ends each attribute; 22 ends two."""


@lru_cache(maxsize=4096)
def _change(now: Style, wanted: Style, coarse: bool) -> str:
    """Return the sequence that leads from one style to another."""
    if wanted == PLAIN:
        return RESET
    gone, new = now[0] - wanted[0], wanted[0] - now[0]
    if gone - _OFF.keys():
        return f"{RESET}{_change(PLAIN, wanted, coarse)}"
    codes = sorted({_OFF[code] for code in gone})
    codes += sorted(wanted[0] if "22" in codes else new)
    if wanted[1] != now[1]:
        codes.append(_colour(wanted[1], coarse) or "39")
    if wanted[2] != now[2]:
        codes.append(_colour(wanted[2], coarse) or "49")
    return f"\x1b[{';'.join(codes)}m"


def _colour(code: str, coarse: bool) -> str:
    """Return the code of a colour; coarse: that of the nearest of 256 colours."""
    side, _, true = code.partition(";2;")
    if not (coarse and true):
        return code
    red, green, blue = map(int, true.split(";"))
    return f"{side};5;{nearest(red, green, blue)}"


DARK, VIVID = 96, 24
"""A colour whose largest component is below DARK and exceeds its smallest by VIVID keeps its hue, since the background
of a portrait tells the kind."""
_LEVELS = (0, 95, 135, 175, 215, 255)


@lru_cache(maxsize=4096)
def nearest(red: int, green: int, blue: int) -> int:
    """Return the number of the nearest of the 240 colours of a terminal that are the same everywhere.

    The toolkit turns dark browns red or black, so that cards and tiles would lose their background.
    """
    cube = [min(range(6), key=lambda at: abs(_LEVELS[at] - part)) for part in (red, green, blue)]
    grey = max(0, min(23, round(((red + green + blue) / 3 - 8) / 10)))
    level = 8 + 10 * grey
    far = sum((_LEVELS[at] - part) ** 2 for at, part in zip(cube, (red, green, blue)))
    most, least = max(red, green, blue), min(red, green, blue)
    keeps_hue = most < DARK and most - least >= VIVID and len(set(cube)) > 1
    if not keeps_hue and sum((level - part) ** 2 for part in (red, green, blue)) <= far:
        return 232 + grey
    return 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
