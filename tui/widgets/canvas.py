"""A canvas: a rectangle of cells to draw boxes, text, portraits and large numbers on, in any order. Pure.

Everything is cut at the edges; what is drawn later covers what was drawn before. Styles are those of tui/widgets/pane.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from msgspec import Struct
from rich.cells import cell_len

from tui.portraits.drawings import EMBLEM
from tui.portraits.palettes import Colour
from tui.portraits.pixels import HALF_BLOCK, Look, Portrait, cells, doubled, pixels
from tui.scene.cells import Glyphs, Line, clean, shorten
from tui.widgets import digits


class Frame(Struct, frozen=True):
    """The characters of a border: corners from the top left clockwise, then the horizontal and the vertical line."""

    corners: str
    across: str
    down: str


ROUND, HEAVY, PLAIN = Frame("╭╮╯╰", "─", "│"), Frame("┏┓┛┗", "━", "┃"), Frame("++++", "-", "|")
_SIGN, _STYLE = itemgetter(0), itemgetter(1)
"""The parts of a cell."""
FACE_SIZES = {"small": (8, 4), "large": (16, 8), "double": (32, 16)}
"""Columns and rows of a portrait."""


class Canvas:
    """A rectangle of cells."""

    def __init__(self, width: int, height: int, glyphs: Glyphs) -> None:
        self.width, self.height, self.glyphs = width, height, glyphs
        self._rows: list[list[tuple[str, str]]] = [[(" ", "")] * width for _ in range(height)]

    def lines(self) -> list[Line]:
        """Return what was drawn as exactly `height` lines of `width` cells."""
        return [
            tuple([("".join(map(_SIGN, run)), style) for style, run in groupby(row, key=_STYLE)]) for row in self._rows
        ]

    # ------------------------------------------------------------------------------------------------------- text
    def put(self, x: int, y: int, text: str, style: str = "", room: int = -1) -> int:
        """Write a text; return the column after it. room: cells at most (-1: up to the right edge); a longer text is
        cut and ends in the mark."""
        room = self.width - x if room < 0 else min(room, self.width - x)
        text = shorten(text, room, self.glyphs)
        if 0 <= y < self.height:
            self._write(x, y, text, style)
        return x + cell_len(text)

    def _write(self, x: int, y: int, text: str, style: str) -> None:
        row = self._rows[y]
        if x >= 0 and (text.isascii() or _is_single(text)):
            text = text[: max(0, self.width - x)]
            if text:
                self._clear(x, y, len(text))
                row[x : x + len(text)] = [(sign, style) for sign in text]
            return
        for sign in text:
            size = cell_len(sign)
            if size == 0:  # a combining character belongs to the cell before it
                if 0 < x <= self.width and row[x - 1][0]:
                    row[x - 1] = (row[x - 1][0] + sign, row[x - 1][1])
                continue
            if 0 <= x <= self.width - size:
                self._clear(x, y, size)
                row[x] = (sign, style)
                for more in range(1, size):
                    row[x + more] = ("", style)
            x += size

    def _clear(self, x: int, y: int, size: int) -> None:
        """Blank the other half of a wide character that is partly overwritten."""
        row = self._rows[y]
        if x > 0 and row[x][0] == "":
            row[x - 1] = (" ", row[x - 1][1])
        if x + size < self.width and row[x + size][0] == "":
            row[x + size] = (" ", row[x + size][1])

    def spans(self, x: int, y: int, spans: Iterable[tuple[str, str]], room: int = -1) -> int:
        """Write spans one after the other; return the column after them. room: cells at most for all of them."""
        end = self.width if room < 0 else min(self.width, x + room)
        for text, style in spans:
            if x >= end:
                break
            x = self.put(x, y, text, style, end - x)
        return x

    def right(self, end: int, y: int, text: str, style: str = "") -> int:
        """Write a text that ends before the column `end`; return the column at which it begins."""
        start = end - cell_len(clean(text, self.glyphs))
        self.put(start, y, text, style)
        return start

    def centre(self, x: int, width: int, y: int, text: str, style: str = "") -> None:
        """Write a text in the middle of `width` cells."""
        text = shorten(text, width, self.glyphs)
        self.put(x + (width - cell_len(text)) // 2, y, text, style)

    def fill(self, x: int, y: int, width: int, height: int, style: str, sign: str = " ") -> None:
        """Fill a rectangle with a sign."""
        for row in range(max(0, y), min(self.height, y + height)):
            self._write(max(0, x), row, sign * (min(self.width, x + width) - max(0, x)), style)

    def paste(self, x: int, y: int, lines: Iterable[Line], room: int = -1) -> None:
        """Write lines one below the other."""
        for row, line in enumerate(lines, y):
            self.spans(x, row, line, room)

    # ------------------------------------------------------------------------------------------------------ borders
    def box(
        self, x: int, y: int, width: int, height: int, style: str = "line", title: Line = (), subtitle: Line = (),
        heavy: bool = False,
    ) -> None:  # fmt: skip
        """Draw a border. title: on the upper edge at the left. subtitle: on the lower edge at the right."""
        frame = PLAIN if self.glyphs.ascii else HEAVY if heavy else ROUND
        corners, middle = frame.corners, frame.across * (width - 2)
        self.put(x, y, corners[0] + middle + corners[1], style)
        self.put(x, y + height - 1, corners[3] + middle + corners[2], style)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, frame.down, style)
            self.put(x + width - 1, row, frame.down, style)
        if title:
            end = self.spans(x + 2, y, ((" ", style), *title), width - 5)
            self.put(end, y, " ", style)
        if subtitle:
            size = min(width - 6, sum(cell_len(clean(text, self.glyphs)) for text, _ in subtitle))
            start = x + width - 3 - size
            self.put(start - 1, y + height - 1, " ", style)
            end = self.spans(start, y + height - 1, subtitle, size)
            self.put(end, y + height - 1, " ", style)

    def bar(self, x: int, y: int, width: int, share: float, left: str, right: str) -> None:
        """Draw a bar of two parts. share: of the left one, 0 to 1. left, right: their styles; their signs tell them
        apart where there are no colours."""
        cut = min(width, max(0, round(width * share)))
        signs = ("#", "-") if self.glyphs.ascii else ("█", "▒")
        self.fill(x, y, cut, 1, left, signs[0])
        self.fill(x + cut, y, width - cut, 1, right, signs[1])

    # ----------------------------------------------------------------------------------------------------- pictures
    def digits(self, x: int, y: int, text: str, style: str, height: int = digits.SMALL) -> int:
        """Draw a number several rows high; return the column after it."""
        for row, line in enumerate(digits.rows(text, height, self.glyphs.ascii), y):
            self.put(x, row, line, style)
        return x + digits.width(text, height)

    def face(self, x: int, y: int, portrait: Portrait, size: str = "large", look: Look = Look.FULL) -> None:
        """Draw a portrait. size: small, large or double. An emblem is centred in its place."""
        width, height = FACE_SIZES[size]
        if self.glyphs.ascii or look == Look.EMBLEM:
            top = y + (height - EMBLEM[1]) // 2
            for row, text in enumerate(portrait.drawing.emblem, top):
                self.centre(x, width, row, text, "dim")
            return
        for row, line in enumerate(_face(portrait, size, look == Look.PLAIN), y):
            if 0 <= row < self.height:
                room = max(0, min(width, self.width - x))
                self._rows[row][x : x + room] = line[:room]


@lru_cache(maxsize=4096)
def _is_single(text: str) -> bool:
    """Return whether each character of a text has one cell for itself."""
    return all(cell_len(sign) == 1 for sign in text)


@lru_cache(maxsize=512)
def _face(portrait: Portrait, size: str, plain: bool) -> tuple[list[tuple[str, str]], ...]:
    """Return the cells of a portrait, row by row."""
    picture = pixels(portrait, size == "small", plain)
    if size == "double":
        picture = doubled(picture)
    return tuple([(HALF_BLOCK, f"{_hex(upper)} on {_hex(lower)}") for upper, lower in line] for line in cells(picture))


def _hex(colour: Colour) -> str:
    red, green, blue = colour
    return f"#{red:02x}{green:02x}{blue:02x}"
