"""The timeline of a recording."""

import pytest

from tui.scene.cells import ASCII, UNICODE, Line, plain
from tui.widgets.table.timeline import PRESS, draw_timeline, legend


def pressed(line: Line) -> list[int]:
    """Return the steps that clicks on its cells press."""
    return [int(style.partition(f"|{PRESS}")[2]) for _, style in line]


@pytest.mark.parametrize("width", [16, 40, 77, 300])
@pytest.mark.parametrize("steps", [1, 2, 17, 240, 3000])
def test_every_step_has_its_place_and_the_ends_are_the_ends(width: int, steps: int) -> None:
    places = []
    for at in sorted({0, steps // 3, steps // 2, steps - 1}):
        text = plain(draw_timeline((), (), (), steps, at, width, UNICODE))
        assert len(text) == width and text.count("●") == 1
        places.append(text.index("●"))
    assert places == sorted(places) and places[0] == 0 and places[-1] in (width - 1, 0)
    clicks = pressed(draw_timeline((), (), (), steps, 0, width, UNICODE))
    assert clicks == sorted(clicks) and clicks[0] == 0 and clicks[-1] == steps - 1


def test_a_click_leads_to_the_cell_that_was_clicked() -> None:
    width, steps = 40, 500
    clicks = pressed(draw_timeline((), (), (), steps, 0, width, UNICODE))
    for cell, step in enumerate(clicks):
        assert plain(draw_timeline((), (), (), steps, step, width, UNICODE)).index("●") == cell


def test_turns_fights_and_what_mattered_are_marked_and_the_rarer_sign_covers_the_other() -> None:
    line = plain(draw_timeline((0, 10, 20), (5, 20), (8, 20), 21, 0, 21, UNICODE))
    assert line == "●────▲──★─┼─────────★"
    assert plain(draw_timeline((0, 10, 20), (5, 20), (8,), 21, 20, 21, ASCII)) == "|====^==*=|=========O"
    assert plain(legend(ASCII, True)).isascii() and "mattered" not in plain(legend(UNICODE, False))
    assert all(word in plain(legend(UNICODE, True)) for word in ("turn", "fight", "mattered most"))
