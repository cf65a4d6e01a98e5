"""The level track: a tile for each Level, every seat on it at every size, the winning Level named."""

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from core.state.views import View
from tests.tui import samples
from tui.scene.cells import ASCII, UNICODE, Glyphs, plain
from tui.scene.scene import SHAPES, Scene, shape
from tui.widgets.table import track

WIDTHS = (60, 80, 91, 100, 120, 160, 200)


def levels(*found: int, goal: int = 10) -> View:
    """Return a view with seats on these Levels."""
    view = samples.idle()
    view.win_level = goal
    view.seats = view.seats[: len(found)]
    for seat, level in zip(view.seats, found, strict=True):
        seat.level = level
    return view


def rows(scene: Scene, width: int, height: int = 2) -> list[str]:
    """Return the track as text."""
    lines = [plain(line) for line in track.draw(scene, width, height)]
    assert len(lines) == height and all(cell_len(line) == width for line in lines)
    return lines


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize(
    "view",
    [
        levels(1, 1, 1, 1, 1, 1), levels(1, 1, 1, 1, 1, 1, goal=20), levels(1, 19, 7, 7, 7, 7, goal=20),
        levels(19, 20, 18, goal=20), levels(5, 9, 10), levels(3, 3, 4, 4, 20, 1, goal=20),
    ],
)  # fmt: skip
def test_every_seat_is_on_the_track(view: View, glyphs: Glyphs, width: int) -> None:
    scene = samples.scene(view, glyphs)
    for height in (1, 2):
        lines = rows(scene, width, height)
        shown = "".join(lines)
        assert all(shape(seat.seat, glyphs.ascii) in shown for seat in view.seats), lines
        assert str(view.win_level) in shown and glyphs.ascii <= shown.isascii()
        if height == 1 or (width >= 80 and max(seat.level for seat in view.seats) < view.win_level):
            assert "wins" in shown


def test_chips_have_whole_names_or_shapes_alone() -> None:
    view = levels(5, 5, 9)
    assert "★" not in "".join(rows(samples.scene(view), 120)), "a star would be a seat"
    for width in (120, 200):
        people = rows(samples.scene(view), width)[1]
        assert all(name in people for name in ("● You", "■ Bo", "◆ Cid")), width
    crowd = rows(samples.scene(levels(4, 4, 4, 4, 4, 5)), 80)[1]
    assert SHAPES[:5] in crowd and "▼ Fox" in crowd, "a chip that would leave its tile sends the widest group to shapes"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("found", [(1, 1, 1, 1), (1, 3, 3, 3), (1, 1, 2, 3), (9, 9, 9), (8, 9, 9, 9)])
def test_no_chip_stands_below_the_number_of_another_level(found: tuple[int, ...], width: int) -> None:
    """Formerly, four players at Level 1 stood below 1, 2, 3 and 4, and a reader took that for their Levels."""
    numbers, people = rows(samples.scene(levels(*found)), width)
    at = [int(numbers[: x + 1].split()[-1]) for x, cell in enumerate(people) if cell in SHAPES]
    assert sorted(at) == sorted(found), (numbers, people)


@pytest.mark.parametrize("width", WIDTHS)
def test_names_are_never_cut_and_chips_stay_at_their_tiles(width: int) -> None:
    wide = "名前名前名前名前"
    for found in ((1, 1, 1, 1), (9, 9, 9, 9, 9, 9), (1, 2, 3, 4, 5, 6), (4, 4, 5), (9, 10, 9)):
        for names in (("Ann", "Wilhelmina Twenty", wide, "Dee", "Cyril", "Bea"), ("Al",) * 6):
            info = samples.info()
            for seat, name in zip(info.seats, names, strict=True):
                seat.name = name
            scene = samples.scene(levels(*found), info=info)
            people = rows(scene, width)[1].replace("wins", "")
            for number in range(len(found)):
                sign = shape(number, False)
                after = people[people.index(sign) + 1 :].lstrip(" ")
                name = "You" if number == samples.ME else names[number]
                assert after.startswith(name) or not after[:1].isalpha(), (found, people)


def test_all_levels_of_a_long_game_are_shown_where_there_is_room() -> None:
    scene = samples.scene(levels(2, 5, 3, goal=20))
    numbers = rows(scene, 120)[0].split()
    assert numbers == [str(number) for number in range(1, 21)]
    narrow = rows(scene, 80)
    assert narrow[0].split()[0] == "…2" and narrow[0].split()[-1] == "20" and "wins" in narrow[1]


def test_a_seat_stands_below_its_level() -> None:
    view = levels(5, 7, 12, goal=20)
    for width in (80, 120, 200):
        numbers, people = rows(samples.scene(view), width)
        assert abs(numbers.index("12") - people.index("◆")) <= 1


def test_a_click_on_a_chip_opens_the_seat() -> None:
    spans = track.draw(samples.scene(levels(5, 7, 9)), 120, 2)[1]
    assert {style.partition("|")[2] for text, style in spans if "◆" in text} == {"seat:2"}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("height", [1, 2])
def test_levels_that_have_changed_are_marked_mine_first(width: int, height: int) -> None:
    scene = samples.scene(levels(5, 4, 9))
    changed = replace(scene, climbed={samples.ME: 1, 1: -2})
    before, after = ("\n".join(rows(one, width, height)) for one in (scene, changed))
    assert "You +1" in after or "●+1" in after
    assert "-2" in after or width < 80
    assert all(name in after for name in ("You", "Bo", "Cid") if name in before), "a mark takes no name away"


def test_where_there_is_no_room_for_all_marks_mine_stays() -> None:
    scene = samples.scene(levels(4, 4, 4, 4, 4, 4))
    before = "".join(rows(scene, 60))
    found = "".join(rows(replace(scene, climbed=dict.fromkeys(range(6), 1)), 60))
    assert all(f"{sign} {name}" in found for sign, name in zip(SHAPES, ("You", "Bo"))) == ("You" in before)
    assert found.count("+1") in (1, 6)


def test_seats_of_one_level_that_have_changed_alike_share_a_mark() -> None:
    """"●+1◆▲" was read as one Level for me alone, though all three had gained it."""
    scene = samples.scene(levels(2, 3, 2, 2))
    alike = rows(replace(scene, climbed={0: 1, 1: 2, 2: 1, 3: 1}), 80)[1]
    assert f"{shape(0, False)}{shape(2, False)}{shape(3, False)} +1" in alike and "+2" in alike, alike
    some = rows(replace(scene, climbed={0: 1, 2: 1}), 80)[1]
    assert "+1" in some and some.count("+1") in (0, 2), some


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("height", [1, 2])
def test_either_all_who_have_gained_are_marked_or_nobody(width: int, height: int) -> None:
    for found in ((5, 5, 5, 9), (4, 4, 4, 4, 4, 4), (2, 3, 2, 2)):
        changes = {seat: 1 + seat % 2 for seat in range(len(found))}
        shown = "".join(rows(replace(samples.scene(levels(*found)), climbed=changes), width, height))
        assert shown.count("+") in (0, len(changes)), shown


def test_a_mark_of_one_seat_on_a_crowded_tile_is_not_taken_for_the_mark_of_all() -> None:
    scene = samples.scene(levels(3, 3, 2, 3))
    assert "●■ ▲+2" in rows(replace(scene, climbed={3: 2}), 80)[1]
    assert "●+1 ■▲" in rows(replace(scene, climbed={0: 1}), 80)[1]
