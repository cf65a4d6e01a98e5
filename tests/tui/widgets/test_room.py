"""The waiting room, drawn: whoever has to type the join string finds all of it."""

import re

import pytest

from netcode.protocol.credentials import Join, parse_join
from tests.tui import samples
from tui.scene.cells import ASCII, UNICODE, plain
from tui.widgets.entry.room import Room, draw

LONG = "2001:db8:1234:5678:9abc:def0:1234:5678"
ROWS = 13
"""What a terminal of 80 by 24 leaves for the seats and the strings."""


def room(addresses: tuple[str, ...], seats: int, glyphs: object = UNICODE) -> Room:
    joins = tuple(str(Join(host, 7788, "ab12cd", bytes(range(32)), bytes(range(16)))) for host in addresses)
    return Room(samples.info(seats, stage="lobby"), 0, (), "Munchkins & Mazes", joins, glyphs)  # type: ignore[arg-type]


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("seats", [3, 6])
@pytest.mark.parametrize("addresses", [("192.168.178.24",), (LONG, "192.168.178.24", "127.0.0.1")])
def test_at_80_by_24_the_first_string_is_whole_and_every_seat_is_there(
    addresses: tuple[str, ...], seats: int, glyphs: object
) -> None:
    shown = room(addresses, seats, glyphs)
    for rows in (ROWS, 20, 30):
        lines = [plain(line) for line in draw(shown, 80, rows)]
        text = "\n".join(lines)
        assert len(lines) == rows and all(len(line) == 80 for line in lines)
        assert str(parse_join(text)) == shown.invitation[0], text
        assert all(seat.name in text for seat in shown.info.seats), text
        assert rows > ROWS or "could see every hand" in re.sub(r"\s+", " ", text), text
