"""A frame in fewer bytes: of the colours and attributes of text, only what changes is sent. Pure.

The toolkit ends each piece of text with a reset and begins the next one with its whole style, some forty bytes. Most
pieces have the ground of the one before.
"""

import re
from functools import lru_cache

from rich.color import Color, ColorSystem

_STYLE = re.compile(r"\x1b\[([0-9;]*)m")
_MOVE = re.compile(r"(?:\x1b\[\d*(?:;\d*)?H)*")
"""What moves the cursor only, and so may stand between two pieces of text in any style."""
RESET = "\x1b[0m"

Style = tuple[frozenset[str], str, str]
"""Attributes, colour of the text, colour of the ground; "" for the terminal's own."""
PLAIN: Style = (frozenset(), "", "")


def thrifty(data: str, coarse: bool = False) -> str:
    """Return the same output in fewer bytes. It begins and ends without a style, as each output of the toolkit does.

    coarse: with the nearest of 256 colours instead of true ones, which takes half the bytes.
    """
    parts = _STYLE.split(data)
    if len(parts) < 4:
        return data
    out = [parts[0]]
    now = wanted = PLAIN
    for params, text in zip(parts[1::2], parts[2::2]):
        wanted = _after(wanted, params)
        if not text:
            continue
        if wanted != now and _MOVE.fullmatch(text) is None:
            out.append(_change(now, wanted, coarse))
            now = wanted
        out.append(text)
    if now != wanted:
        out.append(_change(now, wanted, coarse))
    return "".join(out)


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
"""What ends an attribute. 22 ends two of them."""


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
    number = Color.from_rgb(*map(int, true.split(";"))).downgrade(ColorSystem.EIGHT_BIT).number
    return f"{side};5;{number}"
