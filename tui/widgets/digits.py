"""Numbers of several rows, drawn in half blocks: three rows for cards, four and eight for fights. Pure."""

from functools import lru_cache

SMALL, LARGE, MEDIUM, DOUBLE = 3, 4, 6, 8
"""The heights in rows. MEDIUM is SMALL doubled, DOUBLE is LARGE doubled."""

_SMALL = """
0 .##. #..# #..# #..# #..# .##.
1 .#. ##. .#. .#. .#. ###
2 ###. ...# ..#. .#.. #... ####
3 ###. ...# .##. ...# ...# ###.
4 #..# #..# #### ...# ...# ...#
5 #### #... ###. ...# ...# ###.
6 .##. #... ###. #..# #..# .##.
7 #### ...# ..#. ..#. .#.. .#..
8 .##. #..# .##. #..# #..# .##.
9 .##. #..# #..# .### ...# .##.
+ ... ... .#. ### .#. ...
- ... ... ... ### ... ...
: . . # . # .
? ##. ..# .#. .#. ... .#.
L #... #... #... #... #... ####
R ###. #..# #..# ###. #.#. #..#
"""
_LARGE = """
0 .####. ###### ##..## ##..## ##..## ##..## ###### .####.
1 ..##.. ####.. ####.. ..##.. ..##.. ..##.. ###### ######
2 #####. ###### ....## .##### #####. ##.... ###### ######
3 #####. ###### ....## .####. .####. ....## ###### #####.
4 ##..## ##..## ##..## ###### ###### ....## ....## ....##
5 ###### ###### ##.... #####. .##### ....## ###### #####.
6 .##### ###### ##.... #####. ###### ##..## ###### .####.
7 ###### ###### ....## ...##. ..##.. ..##.. ..##.. ..##..
8 .####. ###### ##..## .####. .####. ##..## ###### .####.
9 .####. ###### ##..## ###### .##### ....## ###### #####.
+ ...... ..##.. ..##.. ###### ###### ..##.. ..##.. ......
- ...... ...... ...... ###### ###### ...... ...... ......
: .. .. ## .. .. ## .. ..
? #####. ###### ....## ..###. ..##.. ...... ..##.. ..##..
L ##.... ##.... ##.... ##.... ##.... ##.... ###### ######
R #####. ###### ##..## #####. #####. ##.##. ##..## ##..##
"""


@lru_cache
def _font(text: str) -> dict[str, list[str]]:
    return {line[0]: line[2:].split() for line in text.strip().splitlines()}


@lru_cache(maxsize=512)
def rows(text: str, height: int, ascii_only: bool = False) -> tuple[str, ...]:
    """Return a number as rows of characters. text: digits and the signs + - : ? L R. height: one of those above."""
    font = _font(_SMALL if height in (SMALL, MEDIUM) else _LARGE)
    glyphs = [font[sign] for sign in text if sign in font]
    pixels = ["." .join(parts) for parts in zip(*glyphs)]
    if height in (MEDIUM, DOUBLE):
        pixels = [line for row in pixels for line in (2 * ["".join(2 * dot for dot in row)])]
    signs = {"##": "#", "#.": "'", ".#": ".", "..": " "} if ascii_only else {"##": "█", "#.": "▀", ".#": "▄", "..": " "}
    return tuple(
        "".join(signs[up + down] for up, down in zip(upper, lower)) for upper, lower in zip(pixels[::2], pixels[1::2])
    )


def width(text: str, height: int) -> int:
    """Return how many cells a number takes in one row."""
    return len(rows(text, height)[0]) if text else 0
