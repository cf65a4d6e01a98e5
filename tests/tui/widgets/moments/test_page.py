"""Moments as they are drawn: at every size, in ASCII, with odds that are right."""

import pytest
from rich.cells import cell_len

from tests.tui import goldens, moment_samples
from tui.scene.moments import Kind
from tui.widgets.moments.running import chance, together

SIZES = ((60, 20), (80, 24), (99, 31), (120, 40), (200, 60))


@pytest.mark.parametrize("kind", moment_samples.KINDS)
@pytest.mark.parametrize("size", goldens.SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_moment_matches_its_golden(kind: Kind, size: tuple[int, int]) -> None:
    lines = goldens.moment_lines(f"moment-{kind}", size)
    assert goldens.text_of(lines) == goldens.path(f"moment-{kind}", size).read_text("utf-8")


@pytest.mark.parametrize("kind", moment_samples.KINDS)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_moment_fits_every_window_and_names_its_key(kind: Kind, ascii_only: bool) -> None:
    for width, height in SIZES:
        lines = moment_samples.drawn(moment_samples.moment(kind), width, height, ascii_only)
        assert {cell_len(line) for line in lines} == {cell_len(lines[0])} and cell_len(lines[0]) <= width
        assert len(lines) <= height - 2 - (7 if height >= 40 else 4)
        assert "SPACE go on" in lines[-2]
        assert not ascii_only or all(line.isascii() for line in lines)


@pytest.mark.parametrize("size", SIZES)
def test_numbers_and_outcomes_are_never_cut(size: tuple[int, int]) -> None:
    text = "\n".join(moment_samples.drawn(moment_samples.moment("die"), *size))
    assert "CAUGHT" in text and "together" in text and "needed" in text
    text = "\n".join(moment_samples.drawn(moment_samples.moment("door"), *size))
    assert "12 against 8" in text and "you need +5" in text
    text = "\n".join(moment_samples.drawn(moment_samples.moment("run"), *size))
    assert text.count(" %") >= 3


def test_odds_of_several_monsters_together() -> None:
    assert [chance(need) for need in (0, 1, 2, 5, 6, 7, 9)] == [1, 1, 5 / 6, 2 / 6, 1 / 6, 0, 0]
    none, one, both = together([5, 4])
    assert (round(none, 4), round(one, 4), round(both, 4)) == (0.3333, 0.5, 0.1667)
    assert together([]) == [1.0]
    assert sum(together([2, 5, 7])) == pytest.approx(1)
