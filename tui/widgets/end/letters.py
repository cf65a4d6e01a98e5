"""The large letters of the banner, drawn in half blocks, four rows high. Pure."""

ROWS = 4
_FONT = """
A .####. ##..## ##..## ###### ##..## ##..## ##..## ##..##
E ###### ##.... ##.... #####. ##.... ##.... ##.... ######
G .#####. ##..... ##..... ##.#### ##..##. ##..##. ##..##. .#####.
I #### .##. .##. .##. .##. .##. .##. ####
M ##...## ###.### ####### ##.#.## ##...## ##...## ##...## ##...##
N ##..## ###.## ###### ###### ##.### ##..## ##..## ##..##
O .####. ##..## ##..## ##..## ##..## ##..## ##..## .####.
R #####. ##..## ##..## #####. ####.. ##.##. ##..## ##..##
S .##### ##.... ##.... .####. ....## ....## ....## #####.
U ##..## ##..## ##..## ##..## ##..## ##..## ##..## .####.
V ##..## ##..## ##..## ##..## ##..## ##..## .####. ..##..
W ##...## ##...## ##...## ##...## ##.#.## ####### ###.### ##...##
Y ##..## ##..## ##..## .####. ..##.. ..##.. ..##.. ..##..
"""
_LETTERS = {line[0]: line[2:].split() for line in _FONT.strip().splitlines()}
_GAP = ["...."] * (2 * ROWS)


def large(text: str, ascii_only: bool = False) -> tuple[str, ...]:
    """Return a text of these letters and blanks as rows of characters."""
    letters = [_GAP if sign == " " else _LETTERS[sign] for sign in text]
    pixels = [".".join(parts) for parts in zip(*letters)]
    signs = {"##": "#", "#.": '"', ".#": ".", "..": " "} if ascii_only else {"##": "█", "#.": "▀", ".#": "▄", "..": " "}
    return tuple(
        "".join(signs[up + down] for up, down in zip(upper, lower)) for upper, lower in zip(pixels[::2], pixels[1::2])
    )
