"""Draws a join string as a QR code for terminals, dark on light in any colour scheme.

Half blocks draw two rows in one line; terminals without half blocks get two cells for each square.
"""

BORDER = 2
"""Light squares around the code. The standard asks for four; phones of today read it with two."""


def squares(text: str) -> list[list[bool]]:
    """Return the rows of the code with its border; True is dark."""
    import segno  # slow, and a host draws codes only on request

    code = segno.make(text, error="l", micro=False, boost_error=False)
    return [[bool(square) for square in row] for row in code.matrix_iter(border=BORDER)]


def half_blocks(text: str) -> list[str]:
    """Return the code in half blocks, to be drawn black on white; a square is one cell wide and half a line high."""
    rows = squares(text)
    rows += [[False] * len(rows[0])] * (len(rows) % 2)
    return ["".join(_SIGNS[top, low] for top, low in zip(*pair)) for pair in zip(rows[::2], rows[1::2])]


_SIGNS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def for_terminal(text: str, encoding: str) -> str:
    """Return the code with its colours, for a terminal that shows text of this encoding."""
    light, dark, end = "\x1b[0;30;47m", "\x1b[0;37;40m", "\x1b[0m"
    try:
        "".join(_SIGNS.values()).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        rows = squares(text)
        return "\n".join("".join((dark if square else light) + "  " for square in row) + end for row in rows)
    return "\n".join(f"{light}{row}{end}" for row in half_blocks(text))
