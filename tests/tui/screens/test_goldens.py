"""The screens as plain text match their goldens, at three sizes; `python -m tests.tui.goldens` rewrites them."""

import pytest
from rich.cells import cell_len

from tests.tui import goldens

ASKING = ("Press any key", "[SPACE]", "[1", "[ENTER]", "[v]", "y = play again")


@pytest.mark.parametrize("size", goldens.SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("state", goldens.STATES)
async def test_the_table_matches_its_golden(state: str, size: tuple[int, int]) -> None:
    lines = await goldens.lines(state, size)
    assert len(lines) == size[1]
    assert [line for line in lines if cell_len(line) != size[0]] == []
    assert any(sign in line for line in lines for sign in ASKING), "no line says what to press"
    if state.endswith("ascii"):
        assert all(line.isascii() for line in lines)
    assert goldens.text_of(lines) == goldens.path(state, size).read_text("utf-8")


@pytest.mark.parametrize("size", goldens.SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("state", goldens.LOBBIES)
async def test_the_lobby_matches_its_golden(state: str, size: tuple[int, int]) -> None:
    lines = await goldens.lobby_lines(state, size)
    assert len(lines) == size[1]
    assert [line for line in lines if cell_len(line) != size[0]] == []
    if state.endswith("ascii"):
        assert all(line.isascii() for line in lines)
    assert goldens.text_of(lines) == goldens.path(state, size).read_text("utf-8")


@pytest.mark.parametrize("size", goldens.SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("state", goldens.BEFORE)
async def test_the_waiting_room_matches_its_golden(state: str, size: tuple[int, int]) -> None:
    lines = await goldens.before_lines(state, size)
    assert len(lines) == size[1] and [line for line in lines if cell_len(line) != size[0]] == []
    if state.endswith("ascii"):
        assert all(line.isascii() for line in lines)
    assert goldens.text_of(lines) == goldens.path(state, size).read_text("utf-8")


@pytest.mark.parametrize("size", goldens.SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("state", goldens.ENDS)
async def test_the_end_matches_its_golden(state: str, size: tuple[int, int]) -> None:
    lines = await goldens.end_lines(state, size)
    assert len(lines) == size[1] and [line for line in lines if cell_len(line) != size[0]] == []
    if state.endswith("ascii"):
        assert all(line.isascii() for line in lines)
    assert goldens.text_of(lines) == goldens.path(state, size).read_text("utf-8")
