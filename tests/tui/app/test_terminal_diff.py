"""Output in fewer bytes looks the same: in an emulated terminal, for made-up output and for real frames."""

import random

import pyte
import pytest
from pyte.screens import Char
from rich.console import Console
from rich.style import Style
from textual.color import Color

from tests.tui import samples
from tests.tui.app_pilot import TablePilot, table
from tui.app.terminal_diff import RESET, Mirror, nearest
from tui.config.palette import tokens
from tui.portraits.pixels import Look

SLOW_FRAME = 15_000
"""The most bytes of a full frame at 120 by 40 on a slow link."""


def cells(data: str, columns: int = 120, rows: int = 40) -> list[tuple[object, ...]]:
    """Return every cell of a terminal that was sent this output, with its style."""
    screen = pyte.Screen(columns, rows)
    pyte.Stream(screen).feed(data)
    return [visible(screen.buffer[y][x]) for y in range(rows) for x in range(columns)]


def made_up(seed: int, wide: bool = False) -> str:
    """Return output as the toolkit writes it, with random styles. wide: with wide and combining characters."""
    rng = random.Random(seed)
    console = Console(color_system="truecolor", force_terminal=True, _environ={})
    texts = ["one", "  ", "│", "─┐", " ", "one two", *(["漢字", "e\u0301a", "字"] if wide else [])]
    out = ""
    for row in range(12):
        out += f"\x1b[{row + 1};{rng.randint(1, 9)}H"
        for _ in range(rng.randint(1, 9)):
            words = [word for word in ("bold", "dim", "italic", "underline", "reverse") if rng.random() < 0.3]
            ground = rng.choice(["", "on #102030", "on #403020", "on red"])
            style = Style.parse(" ".join([*words, rng.choice(["#ff0000", "green", "#abcdef", ""]), ground]).strip())
            out += style.render(rng.choice(texts), color_system=console._color_system)
    return out


def visible(cell: Char) -> Char:
    """Return a cell as it looks: the text colour of a blank is invisible."""
    if cell.data != " " or cell.underscore or cell.reverse or cell.strikethrough:
        return cell
    return cell._replace(fg="default", bold=False, italics=False)


@pytest.mark.long(2)
@pytest.mark.parametrize("seed", range(40))
def test_any_output_looks_the_same(seed: int) -> None:
    data = made_up(seed)
    short = Mirror().reduced(data)
    assert cells(short) == cells(data) and len(short) <= len(data)
    assert short.endswith(RESET) or not data.endswith(RESET)


@pytest.mark.long(4)
@pytest.mark.parametrize("wide", [False, True], ids=["narrow", "wide"])
@pytest.mark.parametrize("seed", range(12))
def test_output_upon_output_looks_the_same(seed: int, wide: bool) -> None:
    outputs = [made_up(100 * seed + at, wide) for at in range(6)]
    mirror, short = Mirror(), ""
    for number, data in enumerate(outputs, 1):
        short += mirror.reduced(data)
        assert cells(short) == cells("".join(outputs[:number]))
        assert mirror.reduced(data) == ""


def test_output_that_is_no_frame_stays_as_it_is() -> None:
    for data in ("", "\x1b[?2026$p", "\x1b[?25l\x1b[2;3Hplain", "\x1b]52;c;aGk=\x07", "\x1b[2J"):
        assert Mirror().reduced(data) == data


def test_only_what_changes_is_sent() -> None:
    red, ground = "38;2;1;2;3", "48;2;9;9;9"
    data = f"\x1b[1;1H\x1b[1;{red};{ground}mA{RESET}\x1b[{red};{ground}mB{RESET}\n\x1b[2;1H\x1b[{ground}mC{RESET}"
    mirror = Mirror()
    assert mirror.reduced(data) == f"\x1b[1;1H\x1b[1;{red};{ground}mA\x1b[22mB\x1b[2;1H\x1b[39mC{RESET}"
    assert mirror.reduced(data.replace("B", "b")) == f"\x1b[1;2H\x1b[{red};{ground}mb{RESET}"
    assert mirror.reduced(data.replace("B", "b")) == ""
    assert Mirror().reduced(data, coarse=True).count(";2;") == 0


def test_cells_that_stand_there_are_passed_over() -> None:
    mirror = Mirror()
    mirror.reduced("\x1b[3;1Habcdefghijklmnopqrst")
    assert mirror.reduced("\x1b[3;1HaBcdefghijklmnopqrsT") == "\x1b[3;2HB\x1b[17CT"
    assert mirror.reduced("\x1b[3;1HaBcDefghijklmnopqrsT") == "\x1b[3;4HD"
    assert mirror.reduced("\x1b[3;1HaxcxefghijklmnopqrsT") == "\x1b[3;2Hxcx"  # a move would cost more


@pytest.mark.parametrize(
    ("between", "known"), [("\x07", True), ("\x1b[?25l", True), ("\x1b[?1049h", False), ("\x1b[2J", False)]
)
def test_what_clears_the_terminal_is_noticed(between: str, known: bool) -> None:
    mirror = Mirror()
    mirror.reduced("\x1b[1;1Htext")
    assert mirror.reduced(between) == between
    assert (mirror.reduced("\x1b[1;1Htext") == "") == known


async def test_a_key_repaints_what_another_program_has_written_over() -> None:
    async with table(samples.idle(), (120, 40)) as pilot:
        mirror = pilot.app.link.mirror
        mirror.reduced("\x1b[1;1Htext")
        await pilot.keys("tab")
        assert mirror.reduced("\x1b[1;1Htext") == ""
        await pilot.keys("ctrl+l")
        assert mirror.reduced("\x1b[1;1Htext") != ""


async def test_a_resized_terminal_is_painted_anew() -> None:
    async with table(samples.idle(), (120, 40)) as pilot:
        mirror = pilot.app.link.mirror
        mirror.reduced("\x1b[1;1Htext")
        await pilot.textual.resize_terminal(100, 30)
        await pilot.settle()
        assert mirror.reduced("\x1b[1;1Htext") != ""


def frame(pilot: TablePilot) -> str:
    """Return a full frame as the toolkit writes it."""
    console = Console(color_system="truecolor", force_terminal=True, _environ={})
    return str(pilot.app.screen._compositor.render_update(full=True).render_segments(console))


@pytest.mark.long(2)
@pytest.mark.parametrize("state", ["idle", "crowded", "first-cards", "own-combat", "looting"])
async def test_a_frame_looks_the_same_and_is_small_on_a_slow_link(state: str) -> None:
    async with table(samples.SITUATIONS[state](), (120, 40)) as pilot:
        data = frame(pilot)
        short = Mirror().reduced(data)
        assert cells(short) == cells(data) and len(short.encode()) < 0.75 * len(data.encode())
        pilot.screen.session.pixels = Look.EMBLEM
        pilot.screen.redraw()
        await pilot.settle()
        assert len(Mirror().reduced(frame(pilot), coarse=True).encode()) <= SLOW_FRAME


def test_of_256_colours_the_nearest_is_taken() -> None:
    assert nearest(255, 255, 255) == 231 and nearest(0, 0, 0) == 16 and nearest(255, 0, 0) == 196
    assert nearest(8, 8, 8) == 232 and nearest(238, 238, 238) == 255
    assert nearest(95, 135, 175) == 67 and nearest(20, 35, 63) == 17 and nearest(74, 26, 28) == 52


@pytest.mark.parametrize("theme", ["tavern", "parchment"])
def test_the_grounds_of_a_theme_stay_apart_in_256_colours(theme: str) -> None:
    colours = {name: Color.parse(colour) for name, colour in tokens(theme).items()}
    grounds = {name: nearest(*colours[name].rgb) for name in ("ground", "panel", "raised", "tile2")}
    assert len(set(grounds.values())) >= 3 and grounds["ground"] != grounds["raised"]
    if theme == "tavern":
        assert all(number >= 232 for number in grounds.values()), "browns are dark greys, not red"
