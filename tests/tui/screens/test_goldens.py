"""The screens as plain text match their goldens, at three sizes; `python -m tests.tui.goldens` rewrites them."""

import pytest
from rich.cells import cell_len

from tests.tui import goldens

PROMPT = "▌|"
"""The beginnings of the lines of the prompt."""


@pytest.mark.long(12)
@pytest.mark.parametrize("size", goldens.SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("state", goldens.STATES)
async def test_the_table_matches_its_golden(state: str, size: tuple[int, int]) -> None:
    lines = await goldens.lines(state, size)
    assert len(lines) == size[1]
    assert [line for line in lines if cell_len(line) != size[0]] == []
    rows = (len(lines) - 1 - (3 if size[1] < 40 else 6), len(lines) - 1)
    asking = lines[slice(*rows)]
    assert all(line[:1] in PROMPT for line in asking) and asking[0][2:].strip()
    assert state.endswith("why") or asking[0][2:].split("  ")[0].isupper(), "no line asks or says what is awaited"
    assert lines[-1].rstrip().endswith("? keys"), "the last line says what to press"
    if state.endswith("ascii"):
        assert all(line.isascii() for line in lines)
    assert not (wrong := goldens.difference(lines, state, size)), wrong


@pytest.mark.long(5)
@pytest.mark.parametrize("size", goldens.SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("state", [*goldens.LOBBIES, *goldens.BEFORE, *goldens.ENDS])
async def test_what_comes_before_and_after_a_game_matches_its_golden(state: str, size: tuple[int, int]) -> None:
    draw = {"lobby": goldens.lobby_lines, "before": goldens.before_lines, "end": goldens.end_lines}
    lines = await draw[state.split("-")[0]](state, size)
    assert len(lines) == size[1] and [line for line in lines if cell_len(line) != size[0]] == []
    if state.endswith("ascii"):
        assert all(line.isascii() for line in lines)
    assert not (wrong := goldens.difference(lines, state, size)), wrong


def test_a_difference_names_the_file_the_line_and_the_command() -> None:
    size = (80, 24)
    lines = goldens.path("idle", size).read_text("utf-8").splitlines()
    assert goldens.difference(lines, "idle", size) == ""
    wrong = goldens.difference([*lines[:4], "something else", *lines[5:]], "idle", size)
    assert wrong.startswith("idle.80x24.txt, line 5: drawn\nsomething else\ngolden\n" + lines[4])
    assert wrong.endswith("python -m tests.tui.goldens")
    assert "line 24" in goldens.difference(lines[:-1], "idle", size)
