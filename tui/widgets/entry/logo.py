"""The name of the game in large letters, with a gradient and a shadow. Pure."""

from collections.abc import Mapping, Sequence

from textual.color import Color, ColorParseError

from tui.scene.cells import Glyphs, Line
from tui.widgets.canvas import Canvas

_FONT = """
K #...# #..#. #.#.. ##... #.#.. #..#. #...#
I ### .#. .#. .#. .#. .#. ###
C .#### ##... #.... #.... #.... ##... .####
D ####. #..## #...# #...# #...# #..## ####.
O .###. ##.## #...# #...# #...# ##.## .###.
R ####. #...# #..## ####. #.#.. #..#. #...#
"""
_LETTERS = {line[0]: line[2:].split() for line in _FONT.strip().splitlines()}
NAME = "KICKDOOR"
_PIXELS = [".".join(parts) for parts in zip(*(_LETTERS[letter] for letter in NAME))]
_WIDE = len(_PIXELS[0])
LARGE = (2 * _WIDE + 2, len(_PIXELS) + 1)
"""Columns and rows with two cells for each pixel, and a shadow."""
SMALL = (_WIDE, (len(_PIXELS) + 1) // 2)
"""Columns and rows with half a cell for each pixel."""
_STOPS = ("gold", "oneshot", "foe")


def logo(width: int, height: int, glyphs: Glyphs, colours: Sequence[str]) -> list[Line]:
    """Draw the name as large as there is room for, in the middle. colours: one for each row of pixels, as styles."""
    canvas = Canvas(width, height, glyphs)
    if width >= LARGE[0] and height >= LARGE[1]:
        _large(canvas, (width - LARGE[0]) // 2, colours)
    elif width >= SMALL[0] and height >= SMALL[1]:
        _small(canvas, (width - SMALL[0]) // 2, colours)
    else:
        canvas.centre(0, width, height // 2, NAME, f"bold {colours[0]}")
    return canvas.lines()


def _large(canvas: Canvas, left: int, colours: Sequence[str]) -> None:
    full = "#" if canvas.glyphs.ascii else "█"
    for dx, dy, style in ((1, 1, "line"), (0, 0, "")):
        if style and canvas.glyphs.ascii:
            continue
        for y, row in enumerate(_PIXELS):
            for x, pixel in enumerate(row):
                if pixel == "#":
                    canvas.put(left + 2 * x + dx, y + dy, full * 2, style or colours[y])


def _small(canvas: Canvas, left: int, colours: Sequence[str]) -> None:
    signs = ("#", "'", ".") if canvas.glyphs.ascii else ("█", "▀", "▄")
    below = ["." * _WIDE]
    for y in range(0, len(_PIXELS), 2):
        lower = [*_PIXELS, *below][y + 1]
        for x, (up, down) in enumerate(zip(_PIXELS[y], lower)):
            if up == down == "#":
                canvas.put(left + x, y // 2, signs[0], colours[y])
            elif "#" in (up, down):
                canvas.put(left + x, y // 2, signs[1 if up == "#" else 2], colours[y if up == "#" else y + 1])


def gradient(variables: Mapping[str, str]) -> list[str]:
    """Return a style for each row of pixels: from gold to red, in the colours of the theme. variables: of the theme."""
    rows = len(_PIXELS)
    try:
        stops = [Color.parse(variables[f"kd-{name}"]) for name in _STOPS]
    except ColorParseError:
        stops = []
    if stops and stops[-1].ansi is None:
        stops[-1] = stops[-1].blend(Color.parse(variables["kd-band"]), 0.4)
    if not stops or any(stop.ansi is not None for stop in stops):  # the terminal's own colours cannot be mixed
        return [_STOPS[min(row * len(_STOPS) // rows, len(_STOPS) - 1)] for row in range(rows)]
    found = []
    for row in range(rows):
        place = row / (rows - 1) * (len(stops) - 1)
        at = min(int(place), len(stops) - 2)
        found.append(stops[at].blend(stops[at + 1], place - at).hex6.lower())
    return found
