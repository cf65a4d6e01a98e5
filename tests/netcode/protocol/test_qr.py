"""Join strings as QR codes: the right squares, on every terminal, within 80 by 24."""

import segno

from netcode.protocol.credentials import Join
from netcode.protocol.qr import BORDER, for_terminal, half_blocks, squares

SHORT = str(Join("192.168.100.100", 17788, "a1b2c3", b"k" * 32, b"t" * 16))
LONG = str(Join("2001:db8:85a3:1234:5678:8a2e:370:7334", 17788, "a1b2c3", b"k" * 32, b"t" * 16))


def test_the_code_fits_a_small_terminal_whatever_the_address() -> None:
    for text in (SHORT, LONG):
        rows = half_blocks(text)
        assert len(rows) <= 23 and {len(row) for row in rows} <= set(range(30, 47))


def test_half_blocks_are_the_squares_two_by_two() -> None:
    rows = half_blocks(SHORT)
    tops = [[sign in "▀█" for sign in row] for row in rows]
    lows = [[sign in "▄█" for sign in row] for row in rows]
    drawn = [row for pair in zip(tops, lows) for row in pair][: len(squares(SHORT))]
    assert drawn == squares(SHORT)


def test_the_squares_follow_the_standard_with_a_light_border() -> None:
    code = segno.make(SHORT, error="l", micro=False, boost_error=False)
    inner = [row[BORDER:-BORDER] for row in squares(SHORT)[BORDER:-BORDER]]
    assert inner == [[bool(square) for square in row] for row in code.matrix]
    assert not any(squares(SHORT)[0]) and not any(row[0] for row in squares(SHORT))


def test_every_row_sets_and_resets_its_colours() -> None:
    for line in for_terminal(SHORT, "utf-8").splitlines():
        assert line.startswith("\x1b[0;30;47m") and line.endswith("\x1b[0m")


def test_without_half_blocks_each_square_is_two_coloured_blanks() -> None:
    text = for_terminal(SHORT, "ascii")
    assert text.isascii() and len(text.splitlines()) == len(squares(SHORT))
    dark = text.splitlines()[BORDER].count("\x1b[0;37;40m  ")
    assert dark == sum(squares(SHORT)[BORDER])
