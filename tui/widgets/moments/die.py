"""A die, large: 9 rows of 18 cells, with pips up to six and the number above that. Pure."""

from math import gcd

from tui.widgets import digits
from tui.widgets.canvas import Canvas

COLUMNS, ROWS = 18, 9
"""Cells of a die; the places of its pips fit this size. A die with more rows would not fit at 80x24."""
_PIPS = {
    1: ((8, 8),), 2: ((3, 3), (13, 13)), 3: ((3, 3), (8, 8), (13, 13)), 4: ((3, 3), (3, 13), (13, 3), (13, 13)),
    5: ((3, 3), (3, 13), (8, 8), (13, 3), (13, 13)), 6: ((3, 3), (3, 8), (3, 13), (13, 3), (13, 8), (13, 13)),
}  # fmt: skip
"""Where the middle of each pip is, as (column, row) in pixels of one column and half a row."""
_PIP = {(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


def draw_die(canvas: Canvas, x: int, y: int, number: int, sides: int = 6) -> None:
    """Draw a die that shows this number."""
    if canvas.glyphs.ascii:
        _plain(canvas, x, y, number, sides)
        return
    dots = {(px + dx, py + dy) for px, py in _PIPS.get(number, ()) for dx, dy in _PIP} if sides <= 6 else set()
    for row in range(ROWS):
        for column in range(COLUMNS):
            up, down = (_pixel(column, 2 * row + half, dots) for half in (0, 1))
            if up or down:
                _cell(canvas, x + column, y + row, up, down)
    if sides > 6:
        _number(canvas, x, y, number, "bold ground on text")


def _pixel(column: int, row: int, dots: set[tuple[int, int]]) -> str:
    """Return the colour of a pixel: that of the die, of a pip, of the shadow on the right and below, or none."""
    inside = 0 <= column < COLUMNS - 1 and 0 <= row < 2 * ROWS - 1
    corner = (column in (0, COLUMNS - 2)) and (row in (0, 2 * ROWS - 2))
    if inside and not corner:
        return "ground" if (column, row) in dots else "text"
    shadow = column > 0 and row > 0 and (column, row) != (COLUMNS - 1, 2 * ROWS - 1)
    return "line" if shadow and (column == COLUMNS - 1 or row == 2 * ROWS - 1) else ""


def _cell(canvas: Canvas, x: int, y: int, up: str, down: str) -> None:
    if up == down:
        canvas.put(x, y, "█", up)
    elif up:
        canvas.put(x, y, "▀", f"{up} on {down}" if down else up)
    else:
        canvas.put(x, y, "▄", down)


def _number(canvas: Canvas, x: int, y: int, number: int, style: str) -> None:
    text = str(number)
    wide = digits.width(text, digits.LARGE)
    canvas.digits(x + (COLUMNS - 1 - wide) // 2, y + 2, text, style, digits.LARGE)


def _plain(canvas: Canvas, x: int, y: int, number: int, sides: int) -> None:
    """Draw the die with letters: a box with pips, or with the number."""
    canvas.box(x, y, COLUMNS - 1, ROWS, "text")
    if sides > 6:
        _number(canvas, x, y, number, "bold")
        return
    for column, row in _PIPS.get(number, ()):
        canvas.put(x + column, y + row // 2, "O", "bold")


FACES_AT = (0.0, 0.09, 0.2, 0.34, 0.52, 0.74)
"""The shares of the roll at which the die turns: six faces, ever slower."""


def face_at(number: int, sides: int, at: float) -> int:
    """Return what a die that will stop at this number shows now. at: the share of the roll that is over."""
    turns = sum(1 for moment in FACES_AT if moment <= at)
    left = 0 if at >= 1 else len(FACES_AT) + 1 - turns
    stride = next(step for step in range(sides // 2 + 1, 2 * sides) if gcd(step, sides) == 1)  # visits every face
    return (number - 1 + left * stride) % sides + 1
