"""The pixels of a portrait, and these pixels as terminal cells: two pixels, one above the other, in each cell."""

from enum import IntEnum
from functools import lru_cache

from msgspec import Struct

from tui.portraits.drawings import Drawing
from tui.portraits.palettes import DARKER, FLOOR, LIGHTER, Colour, Palette, lit

Pixels = tuple[tuple[Colour, ...], ...]
"""Rows of colours, the top row first."""
Cell = tuple[Colour, Colour]
"""The upper and the lower pixel of a terminal cell."""
HALF_BLOCK = "▀"
UNSHADED = "ekm"
"""Eyes are the brightest pixels and holes the darkest: light does not change them."""
BLACK: Colour = (0, 0, 0)


class Look(IntEnum):
    """How portraits are drawn: as emblems of characters, in full colours, or in the plain colours of the palettes on
    black, for terminals of sixteen colours."""

    EMBLEM = 0
    FULL = 1
    PLAIN = 2


FEW_COLOURS = ("standard", "windows")
"""Colour systems with sixteen colours, as rich calls them; the Linux console has one, and half blocks."""


def look_for(colours: str | None, wanted: bool = True) -> Look:
    """Return how portraits are drawn in a terminal. colours: its colour system as rich calls it, None: no colours.
    wanted: whether the player wants portraits and the link is fast enough."""
    if not wanted or colours is None:
        return Look.EMBLEM
    return Look.PLAIN if colours in FEW_COLOURS else Look.FULL


class Portrait(Struct, frozen=True):
    """A drawing in the colours of a card. ground: the colour behind it."""

    drawing: Drawing
    palette: Palette
    ground: Colour


@lru_cache(maxsize=2048)
def pixels(portrait: Portrait, small: bool = False, plain: bool = False) -> Pixels:
    """Return the pixels of the large or the small form. plain: without light, on black, for terminals of 16 colours."""
    rows = portrait.drawing.small if small else portrait.drawing.large
    side = len(rows)
    out = []
    for y, row in enumerate(rows):
        line = []
        for x, letter in enumerate(row):
            if letter == ".":
                floor = y >= side * 13 // 16
                line.append(BLACK if plain else lit(portrait.ground, FLOOR - 1) if floor else portrait.ground)
            else:
                colour = portrait.palette.colour(letter)
                line.append(colour if plain or letter in UNSHADED else lit(colour, _light(rows, x, y)))
        out.append(tuple(line))
    return tuple(out)


def _light(rows: tuple[str, ...], x: int, y: int) -> float:
    """Return how much a pixel is lit: the edges at the top and at the left are lighter, those at the right and below
    darker, and the right half lies in a soft shade."""
    if _ground(rows, x + 1, y) or _ground(rows, x, y + 1):
        return -DARKER
    if _ground(rows, x - 1, y) or _ground(rows, x, y - 1):
        return LIGHTER
    return -DARKER / 3 if x >= len(rows) * 5 // 8 else 0.0


def _ground(rows: tuple[str, ...], x: int, y: int) -> bool:
    if y >= len(rows):
        return False  # a drawing at the lower edge continues below it
    return not (0 <= x < len(rows) and y >= 0) or rows[y][x] == "."


def doubled(picture: Pixels) -> Pixels:
    """Return the pixels at double size."""
    wide = [tuple(colour for colour in row for _ in range(2)) for row in picture]
    return tuple(row for row in wide for _ in range(2))


def cells(picture: Pixels) -> tuple[tuple[Cell, ...], ...]:
    """Return rows of cells; each cell is the half block in the colour of the upper pixel on that of the lower one."""
    return tuple(tuple(zip(upper, lower)) for upper, lower in zip(picture[::2], picture[1::2], strict=True))
