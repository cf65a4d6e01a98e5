"""The seats: exact sizes, no important text cut, and no sign of who has passed."""

import re

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from core.state.model import Lasting
from core.state.views import View
from tests.tui import bot_games, samples, set_samples
from tests.tui.app_pilot import table
from tui.scene.cells import ASCII, UNICODE, Glyphs, plain
from tui.scene.gear import countered, identity_in, noun, worn
from tui.scene.scene import Scene, shape
from tui.scene.situation import curses
from tui.widgets.table import belongings, seats

SIZES = (
    (26, 11), (26, 21), (28, 12), (28, 18), (28, 21), (28, 27), (34, 21), (42, 21), (42, 32), (42, 48), (60, 6),
    (80, 6), (100, 4), (120, 6),
)  # fmt: skip
USUAL = ((26, 11), (28, 21), (42, 32), (60, 6))
"""The sizes at 80, 120 and 200 columns, and in one column."""


def text(scene: Scene, width: int, height: int) -> str:
    """Return the seats as text, of exactly this size."""
    lines = [plain(line) for line in seats.draw(scene, width, height)]
    assert len(lines) == height and {cell_len(line) for line in lines} == {width}
    return "\n".join(lines)


def some(number: int, view: View | None = None) -> Scene:
    """Return a scene with this many seats."""
    view = view or samples.idle()
    view.seats = view.seats[:number]
    return samples.scene(view, info=samples.info(number))


@pytest.mark.long(4)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("name", [*samples.SITUATIONS, *set_samples.SITUATIONS])
def test_names_levels_strengths_and_hands_are_whole_at_every_size(name: str, glyphs: Glyphs) -> None:
    if name in samples.SITUATIONS:
        scene = samples.scene(samples.SITUATIONS[name](), glyphs, me=-1 if name == "watching" else samples.ME)
    else:
        scene = set_samples.scene(name, glyphs=glyphs)
    for width, height in SIZES:
        if height < 6:
            continue
        shown = text(scene, width, height)
        assert glyphs.ascii <= shown.isascii()
        for view in scene.view.seats:
            words = "You" if view.seat == scene.me else scene.name(view.seat)
            assert f"{shape(view.seat, glyphs.ascii)} {words}" in shown, (width, height)
            for number in (view.level, view.strength, view.hand):
                assert re.search(rf"\b{number}\b", shown), (number, width, height)


@pytest.mark.parametrize("number", [3, 4, 5, 6])
@pytest.mark.parametrize("size", USUAL)
def test_three_to_six_seats_fill_their_place(number: int, size: tuple[int, int]) -> None:
    width, height = size[0], number if size[0] == 60 else size[1]
    shown = text(some(number), width, height)
    assert all(shape(seat) in shown for seat in range(number))
    if width in (28, 42):
        assert shown.count("╭") + shown.count("┏") == number


def test_who_acts_has_the_heavy_border_and_stands_on_top_in_a_fight() -> None:
    lines = text(samples.scene(samples.interrupt()), 28, 21).splitlines()
    assert lines[0].startswith("┏━ ■ Bo ▸ fights") and "helps" in lines[6]
    calm = text(samples.scene(samples.idle()), 28, 21).splitlines()
    assert calm[0].startswith("╭─ ● You") and any(line.startswith("┏━ ■ Bo ▸ on turn") for line in calm)
    mine = text(samples.scene(samples.your_turn()), 28, 21).splitlines()
    assert mine[0].startswith("┏━ ● You ▸ your turn")


def test_the_panel_says_what_its_columns_are() -> None:
    lines = text(some(4), 26, 11).splitlines()
    assert lines[1].split()[1:-1] == ["lv", "str", "hand"]
    assert lines[2].split()[1:-1] == ["●", "You", "3", "11", "8"] and "Elf · Wizard" in lines[3]
    assert lines[4].split()[1:4] == ["■", "Bo", "▸"]


@pytest.mark.long(8)
@pytest.mark.parametrize("number", [3, 4, 5, 6])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("name", ["Bo", "Benedik", "Benedikt", "Maximiliane", "M" * 16, "李小龍", "李" * 6])
def test_no_name_drives_the_figures_of_the_panel_away(name: str, glyphs: Glyphs, number: int) -> None:
    for level in (1, 10):
        view = samples.idle()
        for seat in view.seats:
            seat.level, seat.hand = level, 7
        scene = some(number, view)
        for at, one in enumerate(scene.info.seats[1:number], 1):
            one.name = name if at == 1 else f"{name[:-1]}{at}"
        rows = text(replace(scene, glyphs=glyphs), 26, 11).splitlines()
        assert len([row for row in rows if re.search(rf"(?<!\d){level} +\d+ +7 ", row)]) == number, rows


def test_gear_has_a_line_each_with_amounts_on_the_right_where_there_is_room() -> None:
    view = samples.idle()
    lines = text(some(3, view), 42, 32).splitlines()
    assert any(re.search(r"Pickle Spear +\+4 ", line) for line in lines)
    assert any(re.search(r"Cardboard Mail +carried ", line) for line in lines)


def test_gear_shrinks_to_nouns_and_then_to_a_number_of_cards() -> None:
    assert "Spear +4 Helm +1 Boots +1" in text(some(4), 30, 21)
    assert "Spear +4 Helm +1, 1 more" in text(some(5), 28, 21)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Turning Keys", "Keys"), ("Boots of Skipping Ahead", "Boots"), ("Sun Picking Up Gloves", "Gloves"),
        ("Dog Who Is a Doctor", "Dog"), ("Fireball, Indoors", "Fireball"), ("A Drone of Your Own", "Drone"),
        ("The Strongest Ant", "Ant"), ("Wexter", "Wexter"), ("of", "of"), ("", ""),
    ],
)  # fmt: skip
def test_the_noun_of_a_name(name: str, short: str) -> None:
    assert noun(name) == short


def test_curses_have_a_sign_a_number_and_where_there_is_room_their_sentence() -> None:
    scene = samples.scene(samples.idle())
    assert "✖ 2 curses" in text(scene, 28, 21) and "✖ 2 curses" in text(scene, 80, 6)
    assert "✖" in text(scene, 26, 11)
    wide = text(scene, 42, 56)
    assert "✖ Squeaky Shoes: " in wide and "✖ Sudden Doubt: " in wide
    styles = {style for line in seats.draw(scene, 42, 56) for words, style in line if "Squeaky" in words}
    assert styles == {"curse"}


@pytest.mark.parametrize("size", USUAL)
def test_where_people_are_is_said_at_every_size(size: tuple[int, int]) -> None:
    info = samples.info()
    info.seats[1].state, info.seats[2].state = "away", "gone"
    info.seats[4].muted = True
    shown = text(samples.scene(samples.idle(), info=info), *size)
    assert "offline 9 s" in shown
    if size[0] != 26:  # six seats have eight rows there: the ones that are away come first
        assert "away" in shown and "gone" in shown and "muted" in shown and "bot" in shown


def test_presence_is_said_of_seats_that_lay_out_their_first_cards() -> None:
    view = samples.first_cards()
    info = samples.info()
    info.seats[1].state = "away"
    shown = text(samples.scene(view, info=info), 42, 32)
    assert "plays cards" in shown and "offline 9 s" in shown and "away" in shown


def test_the_dead_and_winners_are_called_so() -> None:
    view = samples.idle()
    view.seats[2].dead = True
    assert "dead" in text(samples.scene(view), 28, 21)
    assert "wins" in text(samples.scene(samples.over()), 28, 21)


@pytest.mark.parametrize("size", SIZES)
def test_a_pass_is_never_shown(size: tuple[int, int]) -> None:
    view = samples.interrupt()
    waiting = text(samples.scene(view), *size)
    assert view.window is not None
    view.window = replace(view.window, passed=True)
    assert text(samples.scene(view), *size) == waiting and "pass" not in waiting


def test_sex_and_ranks_are_written_out() -> None:
    assert "Militia, female" in text(set_samples.scene("apo-idle"), 28, 21)
    assert "Cop · Moon · Bat Warthog, Ranks 5 of 5" in text(set_samples.scene("axe-lost"), 60, 32)


@pytest.mark.parametrize("size", USUAL)
def test_long_wide_and_combining_names(size: tuple[int, int]) -> None:
    info = samples.info()
    for seat, name in enumerate(("Maximilian the Fat", "名前名前", "Zoe\u0301 [b]x\x1b[2J"), 1):
        info.seats[seat].name = name
    if size[0] == 60:  # an absent player would take the room of the long name
        info.seats[5].state = "here"
    shown = text(samples.scene(samples.idle(), info=info), *size)
    assert "名前名前" in shown and "Maximilian the Fat" in shown
    assert ("Zoe [b" if size[0] == 26 else "[b]x") in shown, "cut with a mark at most there"


def test_a_long_game_shows_the_level_without_pips() -> None:
    shown = text(set_samples.scene("w40k-lost"), 28, 48)
    assert "level 19 of 20" in shown and "▰" not in shown


@pytest.mark.long(2)
@pytest.mark.parametrize("sets", [(set_samples.MAZES,), (set_samples.AXE, set_samples.APO, set_samples.W40K)])
def test_whole_games_are_drawn(sets: tuple[str, ...]) -> None:
    catalog = set_samples.catalog(*sets)
    for at, (seat, view) in enumerate(bot_games.views(3, 6, "easy", catalog, every=15)):
        scene = Scene(catalog, info=samples.info(6), view=view, me=seat)
        text(scene, *SIZES[at % len(SIZES)])


async def test_a_click_anywhere_on_a_seat_opens_it() -> None:
    async with table(samples.idle(), (120, 40)) as pilot:
        pane = pilot.screen.query_one(seats.Seats)
        place = next(place for place in pane.places if place.seat == 2)
        await pilot.textual.click(seats.Seats, offset=(10, place.y + 1))
        await pilot.settle()
        assert "Cid" in pilot.text() and "Hammer of Finger Nailing +4" in pilot.text()


def test_a_seat_of_the_panel_tells_one_sum_and_what_it_does() -> None:
    view = samples.own_combat()
    scene = samples.scene(view)
    shown = text(scene, 26, 20)
    assert "lv str hand" in shown and "+6" not in shown, "no third sum beside Level and strength"
    assert "fight, Elf · Wizard" in shown
    view.seats[3].table = samples.placed("Orc")
    assert "bot, Orc" in text(scene, 26, 18)


def test_what_an_item_of_its_own_does_for_a_seat_is_no_curse() -> None:
    view = samples.view()
    view.seats[5].lasting = [Lasting(0, samples.no("Pickle Spear"), 0, "fight", False)]
    shown = text(samples.scene(view), 42, 48)
    assert "Fox" in shown and "curse" not in shown and "✖" not in shown
    assert curses(samples.scene(view), 5) == []


def test_a_curse_is_a_word_beside_its_sign_where_the_row_has_room() -> None:
    scene = samples.scene(samples.idle())
    cursed = next(seat for seat, one in enumerate(scene.view.seats) if one.lasting)
    assert f"✖ {len(scene.seat(cursed).lasting)} curse" in text(scene, 70, len(scene.view.seats))


def test_a_narrow_box_keeps_counters_those_with_the_most_first() -> None:
    box, view = set_samples.SITUATIONS["axe-lost"]()
    seat = view.seats[0]
    seat.table = [replace(placed, counters=2 + at) for at, placed in enumerate(seat.table)]
    scene = Scene(box.catalog, view=view, info=samples.info(6), me=samples.ME)
    assert identity_in(scene, 0, 66) == "Cop (2 counters) Moon (3 counters) Bat… (4 counters), Ranks 5 of 5"
    assert identity_in(scene, 0, 33) == "Bat… (4 counters)…, Ranks 5 of 5"
    most = max((piece for piece in worn(scene, 0)), key=lambda piece: piece.counters)
    held = [piece for piece in worn(scene, 0) if piece.counters]
    assert identity_in(scene, 0, 20) == identity_in(scene, 0, 23) == "4 counters…, Ranks 5", "in words, even the least"
    assert identity_in(scene, 0, 19) == "Cop…, Ranks 5 of 5"
    assert countered(scene, 0, 60).startswith(most.noun) and countered(scene, 0, 3) == ""
    assert len(held) > 1 and countered(scene, 0, 11) == f"{most.counters} counters…"
    assert f"{len(held) - 1} more" in countered(scene, 0, len(most.noun) + 8)
    found = [plain(line) for line in belongings.flowed(scene, 0, len(most.noun) + 16, 1, cursed=False)]
    assert most.noun in found[0], "what has the most counters is not among those left out"
    shown = text(scene, 28, 18)
    assert f"{most.counters} counters" in shown, shown
    assert f"({most.counters} counters)" in text(scene, 42, 48), "a long name gives way to its counters"
