"""A paste is text for a field and never keys, whether the terminal marks it or not."""

from typing import Any

import pytest
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.widgets import Input

from netcode.protocol.credentials import Join, parse_join
from tests.tui import samples
from tests.tui.app_pilot import shown, table
from tui.app.app import NO_FIELD
from tui.app.menu_rows import join_rows
from tui.app.pasting import BEGIN, END, Pastes, one_line
from tui.config.settings import Settings
from tui.scene.cells import UNICODE
from tui.screens.forms import FormScreen

JOIN = str(Join("192.168.178.24", 7788, "ab12cd", bytes(range(100, 132)), bytes(range(200, 216))))
LINE = f"kickdoor join '{JOIN}'"
TALK = "First we kick open the door,\nthen we see what is behind it.\n\n  q s y n\n"


def typed(app: App[Any], text: str) -> None:
    """Let the terminal send this in one piece."""
    for message in XTermParser().feed(text):
        app.post_message(message)


@pytest.mark.parametrize(("pieces", "pasted"), [
    ((LINE,), [LINE]),
    ((LINE[:70], LINE[70:], "\r"), [LINE[:70], LINE[70:]]),
    ((TALK,), [TALK]),
    (("q",), []),
    (("hello there\r",), []),
    (("j" * 200,), []),
    (("jk" * 100,), []),
    (("\x1b[A\x1b[B" * 20,), []),
    ((f"{BEGIN}{LINE[:50]}", LINE[50:], f"{LINE}{END}", "q"), []),
    ((LINE + "\x03",), []),
])  # fmt: skip
def test_many_different_characters_in_one_piece_are_a_paste(pieces: tuple[str, ...], pasted: list[str]) -> None:
    pastes, now = Pastes(), 100.0
    found = [piece for piece in pieces if pastes.marked(piece, now) != piece]
    assert found == pasted
    assert pastes.marked("q", now + 1) == "q", "what is typed later is keys"


def test_the_pieces_of_a_long_paste_belong_together() -> None:
    pastes = Pastes()
    assert pastes.marked(LINE, 100.0) == f"{BEGIN}{LINE}{END}"
    assert pastes.marked("s", 100.01) == f"{BEGIN}s{END}"
    assert pastes.marked("\r", 100.02) == "\r", "ENTER may follow at once"


def test_a_paste_becomes_one_line_and_a_join_string_stays_whole() -> None:
    assert one_line(TALK) == "First we kick open the door, then we see what is behind it. q s y n"
    for at in range(3, len(LINE)):
        pasted = f"  {LINE[:at]}\r\n  {LINE[at:]}\r\n"
        assert str(parse_join(one_line(pasted))) == JOIN, at
        assert "\n" not in one_line(pasted)


@pytest.mark.parametrize("marks", [(BEGIN, END), ("", "")])
async def test_a_pasted_string_is_in_the_field_whole_whatever_its_length(marks: tuple[str, str]) -> None:
    screen = FormScreen("Join", join_rows(Settings()), UNICODE, problem="The token is cut off.", at="string")
    async with shown(screen) as (press, results):
        assert "The token is cut off." in await press()
        typed(screen.app, f"{marks[0]}{LINE[:60]}\r\n  {LINE[60:]}\r\n{marks[1]}")
        await press("left")
        field = screen.app.focused
        assert isinstance(field, Input) and str(parse_join(field.value)) == JOIN
        assert not results


async def test_lines_pasted_into_talk_are_neither_keys_nor_lost() -> None:
    async with table(samples.your_turn()) as pilot:
        typed(pilot.app, TALK)
        await pilot.settle()
        assert not pilot.client.acts and not pilot.client.sets and pilot.app.screen is pilot.screen
        assert NO_FIELD[:18] in pilot.text()
        await pilot.keys("t")
        typed(pilot.app, TALK)
        await pilot.settle()
        field = pilot.app.focused
        assert isinstance(field, Input) and field.value == one_line(TALK)
        typed(pilot.app, f"{BEGIN}{'long ' * 100}{END}")
        await pilot.settle()
        assert len(field.value) == field.max_length
        assert not pilot.client.acts
