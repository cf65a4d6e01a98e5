"""The end of a game: it opens over the table and in replays, draws at every size, and its keys do what they say."""

import asyncio
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from rich.cells import cell_len
from textual.command import CommandPalette

from core.state.views import View
from netcode.protocol import wire
from netcode.recording.recorder import Finished
from netcode.recording.story import FightTold
from tests.tui import samples
from tests.tui.app_pilot import settled, table
from tests.tui.story_samples import GAME, NAMES, finish, header, sample_story, sample_told
from tui.config.palette import tokens
from tui.scene.cells import ASCII, UNICODE, Line, length, plain
from tui.scene.story_text import Told, facts, headline, how_it_ended, mattered, summary
from tui.screens.end import EndScreen
from tui.screens.save_file import SaveFileScreen, picture_path, save_file
from tui.widgets.end.draw import draw_end
from tui.widgets.end.picture import picture

SIZES = ((60, 20), (80, 23), (80, 24), (100, 30), (120, 40), (160, 50), (200, 60))


# ----------------------------------------------------------------------------------------------------------- drawing
@pytest.mark.long(6)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("seats", [3, 4, 6])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_size_is_filled_exactly_and_nothing_is_lost(size: tuple[int, int], seats: int, glyphs: object) -> None:
    assert glyphs in (UNICODE, ASCII)
    told = sample_told(me=0, seats=seats)
    width, height = size
    shown: list[Line] = []
    scroll, below = 0, 1
    while below:
        lines, below = draw_end(told, UNICODE if glyphs is UNICODE else ASCII, width, height, scroll)
        assert len(lines) == height
        assert {length(line) for line in lines} == {width}
        shown += lines
        scroll += 3
    text = " ".join(" ".join(plain(line).split()) for line in shown)
    for seat in range(seats):
        assert told.name(seat) in text
        assert f"killed {told.story.seats[seat].kills}" in text
    for fact in [*facts(told), *mattered(told)]:
        assert fact.title in text
    assert "turning point" in text and "Dice" in text
    if glyphs is ASCII:
        assert text.isascii()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_wide_and_combining_names_keep_the_columns(size: tuple[int, int]) -> None:
    names = ["Ångström e\u0301e\u0301e\u0301", "名前が二十文字ある人です", "a" * 20, "B", "ヨウコ", "x\u200by"]
    lines, _ = draw_end(sample_told(me=-1, names=names), UNICODE, *size)
    assert {sum(cell_len(text) for text, _ in line) for line in lines} == {size[0]}
    text = "\n".join(map(plain, lines))
    assert "名前が二十文字ある人です" in text and "a" * 20 in text


def test_a_story_without_an_end_or_a_beginning_says_so() -> None:
    late = msgspec.structs.replace(sample_story(), first=12, winners=[], final=None, turning=None, stab=None, why="")
    text = "\n".join(plain(line) for line in draw_end(Told(late, NAMES, -1, GAME), UNICODE, 120, 40)[0])
    assert "Seen from turn 12 on" in text and "Nobody has won" in text
    assert "Turning point" not in text and "turning point" not in text


def test_the_words_of_the_end() -> None:
    told = sample_told(me=4)
    assert headline(told) == ("You", "WIN")
    assert headline(sample_told(me=0)) == ("Eve", "WINS")
    assert how_it_ended(told) == ["Level 10 in turn 35 by beating Mummy's Boy, 19:14."]
    assert [(fact.title, f"{told.name(fact.seat)} {fact.text}") for fact in mattered(told)] == [
        ("Cid's chance to win", "Cid 17:15 against Glampire, won, turn 12: 31 to 48 %"),
        ("Cid's chance to win", "Cid suffered Bad Hat Day, turn 20: 48 to 39 %"),
        ("Cid's chance to win", "You came to Level 8, turn 27: 52 to 40 %"),
    ]
    words = {fact.title: f"{told.name(fact.seat)} {fact.text}" for fact in facts(told)}
    assert words == {
        "Turning point": "You kept Cid from winning with Deluxe Reprint, turn 29",
        "Biggest fight": "Cid 31:28 against Wyrm of the Shared Hoard and Glampire with Bo, won, turn 22",
        "Most betrayals": "You struck at others 7 times, 3 times at friends",
        "Best stab": "You with Deluxe Reprint against Cid at match point, 10 points, turn 29",
        "Luckiest legs": "Bo got away 3 of 4 times",
        "Best merchant": "Bo sold Items for 3 Levels",
    }
    assert "Turning point: You kept Cid" in " ".join(summary(told))
    together = msgspec.structs.replace(sample_story(), winners=[1, 4])
    assert headline(Told(together, NAMES, 1)) == ("You and Eve", "WIN")


# ---------------------------------------------------------------------------------------------------------- the picture
@pytest.mark.parametrize("theme", ["tavern", "parchment", "contrast"])
def test_the_picture_is_svg_with_a_curve_for_each_seat(theme: str) -> None:
    names = ["<b>&", "Bo", "Cid\x1b[31m", "名前が二十文字ある人です", "Eve", "Fox"]
    root = ElementTree.fromstring(picture(sample_told(me=-1, names=names), tokens(theme)))
    colours = tokens(theme)
    lines = [one for one in root if one.tag.endswith("polyline")]
    for number in range(1, 7):
        assert any(line.get("stroke") == colours[f"seat{number}"] for line in lines)
    texts = [one.text or "" for one in root if one.tag.endswith("text")]
    assert any("<b>&" in text for text in texts) and not any("\x1b" in text for text in texts)
    for words in ("Turning point", "turning point", "Best stab", "Dice", "Eve WINS"):
        assert any(words in text for text in texts)
    assert float(root.get("width", "0")) >= max(float(one.get("x", "0")) for one in root if one.tag.endswith("text"))


def _svg(path: Path) -> str:
    return "<svg/>"


def test_a_picture_is_saved_and_never_over_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    usual = picture_path(header())
    assert usual.parent == tmp_path / "pictures" and usual.suffix == ".svg"
    assert save_file(_svg, str(usual), usual) == (usual, "")
    assert usual.stat().st_mode & 0o077 == 0 and usual.read_text() == "<svg/>" and picture_path(header()) != usual
    assert "exists already" in save_file(_svg, str(usual), usual)[1]
    assert "cannot be written" in save_file(_svg, str(tmp_path / "no" / "such.svg"), usual)[1]
    assert save_file(_svg, str(tmp_path / "mine"), usual)[0] == tmp_path / "mine.svg"
    assert save_file(_svg, "  ", usual) == (None, "Type the name of a file.")
    assert "cannot be written" in save_file(_svg, "a\0b", usual)[1]


# ---------------------------------------------------------------------------------------------------------- the screen
def over_view() -> View:
    """Return a view of a game that is over."""
    return samples.SITUATIONS["over"]()


@pytest.mark.long(2)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_end_opens_by_itself_once_and_again_with_a_key(size: tuple[int, int]) -> None:
    async with table(over_view(), size) as pilot:
        session = pilot.screen.session
        screen = await finish(pilot)
        assert "one Level away" not in pilot.text() and "Level 10 in turn 35" in " ".join(pilot.text().split())
        assert "y play again" in pilot.text() and "ESC the table" in pilot.text()
        await pilot.keys("escape")
        assert pilot.app.screen is pilot.screen
        session.changed()
        await settled(pilot.textual, 6)
        assert pilot.app.screen is pilot.screen, "it opens by itself only once"
        await pilot.keys("E")
        assert isinstance(pilot.app.screen, EndScreen) and pilot.app.screen is not screen


async def test_keys_meant_for_the_table_do_nothing_at_first() -> None:
    async with table(over_view(), (120, 40)) as pilot:
        screen = await finish(pilot)
        screen.opened_at = asyncio.get_running_loop().time() + 60  # keys stay dead for the whole test
        screen.scroll = 3
        for key in ("y", "escape", "O", "r", "s", "space", "up"):
            await pilot.keys(key)
        assert screen.scroll == 3
        assert pilot.app.screen is screen and pilot.client.sets == []


async def test_play_again_makes_ready_and_the_next_game_closes_the_screen() -> None:
    async with table(over_view(), (120, 40)) as pilot:
        await finish(pilot)
        await pilot.keys("y")
        assert {"ready": True} in pilot.client.sets
        info = msgspec.structs.replace(pilot.client.info, game=pilot.client.info.game + 1, stage="playing")
        pilot.client.tell(wire.Info(info))
        pilot.client.tell(wire.Update(1, 2, samples.SITUATIONS["idle"](), whole=True))
        await settled(pilot.textual, 6)
        assert pilot.app.screen is pilot.screen


async def test_all_keys_fit_into_a_row_of_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    every = [("y", "play again"), ("r", "replay"), ("s", "save as picture"), ("O", "reveal hands"), ("PgDn", "more"),
             ("ESC", "the table"), ("^Q", "leave")]  # fmt: skip
    async with table(over_view(), (80, 24)) as pilot:
        await finish(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, EndScreen)
        monkeypatch.setattr(screen, "keys_shown", lambda: [(name, words, name) for name, words in every])
        line = plain(screen._keys_line(80)).rstrip()
        assert len(line) <= 80 and all(f"{name} " in line for name, _ in every) and line.endswith("^Q leave")


async def test_it_says_for_whom_the_next_game_waits() -> None:
    async with table(over_view(), (120, 40)) as pilot:
        await finish(pilot)
        info = pilot.client.info
        info.seats[samples.ME].ready = True
        pilot.client.tell(wire.Info(info))
        await settled(pilot.textual, 6)
        assert "You are ready for another game; it waits for" in pilot.text()


async def test_s_asks_where_saves_and_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    async with table(over_view(), (120, 40)) as pilot:
        await finish(pilot)
        await pilot.keys("s")
        assert isinstance(pilot.app.screen, SaveFileScreen)
        await pilot.keys("enter")
        await settled(pilot.textual, 6)
        (saved,) = (tmp_path / "pictures").iterdir()
        assert ElementTree.parse(saved).getroot().tag.endswith("svg")
        assert "The picture is saved:" in pilot.text()
        await pilot.keys("s", "escape")
        assert isinstance(pilot.app.screen, EndScreen)


@pytest.mark.parametrize(("solo", "how"), [(True, "gone"), (False, "left")])
async def test_leaving_a_finished_game_asks_nothing(solo: bool, how: str) -> None:
    async with table(over_view(), (120, 40), info=samples.info(solo=solo)) as pilot:
        ended: list[str | None] = []
        pilot.screen.dismiss = ended.append
        await finish(pilot)
        await pilot.keys("ctrl+q")
        await settled(pilot.textual, 6)
        assert ended == [how]


async def test_spectators_have_the_end_without_the_keys_of_players() -> None:
    async with table(over_view(), (120, 40), seat=-1) as pilot:
        story = sample_story()
        session, info = pilot.screen.session, pilot.client.info
        session.finished = Finished("k", msgspec.structs.replace(header(-1, story), game=info.game), info, story)
        session.changed()
        await settled(pilot.textual, 6)
        screen = pilot.app.screen
        assert isinstance(screen, EndScreen)
        screen.opened_at -= 1
        assert "play again" not in pilot.text() and "save as picture" in pilot.text()
        await pilot.keys("y", "O")
        assert pilot.client.sets == []


async def test_it_does_not_open_while_somebody_types() -> None:
    async with table(over_view(), (120, 40)) as pilot:
        await pilot.keys("t")
        story, info = sample_story(), pilot.client.info
        session = pilot.screen.session
        session.finished = Finished("k", msgspec.structs.replace(header(story=story), game=info.game), info, story)
        session.changed()
        await settled(pilot.textual, 6)
        assert pilot.app.screen is pilot.screen
        await pilot.keys("escape")
        session.changed()
        await settled(pilot.textual, 6)
        assert isinstance(pilot.app.screen, EndScreen)


@pytest.mark.long(2)
@pytest.mark.parametrize("key", ["v", "l"])
async def test_it_waits_until_what_lies_over_the_table_is_closed(key: str) -> None:
    async with table(over_view(), (120, 40)) as pilot:
        await pilot.keys(key)
        over = pilot.app.screen
        assert over is not pilot.screen
        story, info = sample_story(), pilot.client.info
        session = pilot.screen.session
        session.finished = Finished("k", msgspec.structs.replace(header(story=story), game=info.game), info, story)
        session.changed()
        await settled(pilot.textual, 6)
        assert pilot.app.screen is over
        await pilot.keys("escape")
        await settled(pilot.textual, 6)
        assert isinstance(pilot.app.screen, EndScreen)


async def test_every_key_shown_is_bound_and_small_windows_scroll() -> None:
    async with table(over_view(), (60, 20)) as pilot:
        screen = await finish(pilot)
        bound = {name for binding in EndScreen.BINDINGS for name in binding.key.split(",")}
        assert {key for _, _, key in screen.keys_shown()} <= bound
        assert screen.below > 0 and "PgDn more" in pilot.text()
        while screen.below:
            await pilot.keys("pagedown")
        assert "Fox" in pilot.text() and "PgUp back up" in pilot.text()
        await pilot.keys("pageup")
        assert screen.below > 0


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_in_120_by_40_everything_is_seen_at_once(seats: int) -> None:
    told = sample_told(me=0, seats=seats)
    lines, below = draw_end(told, UNICODE, 120, 38)  # two rows are for the note and the keys
    text = "\n".join(map(plain, lines))
    assert below == 0 and "Dice" in text
    for seen in told.story.seats:
        assert f"killed {seen.kills}" in text and f"cursed {seen.cursed}" in text


def test_in_120_by_40_long_names_take_wider_facts() -> None:
    told = sample_told(me=-1, seats=3, names=["Bot Ann", "Hush", "Roxy"])
    foes = ["Thing Behind the Screen", "Toll-Bridge Troll"]
    hush = FightTold(46, 1, 24, 23, foes, "killed")
    told.story.biggest, told.story.mattered[1].seat = hush, 1
    told.story.mattered[0].fight, told.story.mattered[1].kind = hush, "level"
    text = "\n".join(map(plain, draw_end(told, UNICODE, 120, 38)[0]))
    assert draw_end(told, UNICODE, 120, 38)[1] == 0 and "Level by turn" in text and "Dice" in text


async def test_whatever_lies_over_the_end_closes_with_it_when_the_next_game_begins() -> None:
    async with table(over_view(), (120, 40)) as pilot:
        await finish(pilot)
        await pilot.keys("ctrl+p")
        assert isinstance(pilot.app.screen, CommandPalette)
        info, view = pilot.client.info, samples.your_turn()
        pilot.client.tell(wire.Info(msgspec.structs.replace(info, stage="playing", game=info.game + 1)))
        pilot.client.tell(wire.Update(1, 1, view, [], pilot.client.timers))
        await settled(pilot.textual, 6)
        assert pilot.app.screen is pilot.screen and "YOUR TURN" in pilot.text().upper()
