"""A frame in fewer bytes looks the same: in an emulated terminal, for made-up output and for real frames."""

import random

import pyte
import pytest
from rich.console import Console
from rich.style import Style

from tests.tui import samples
from tests.tui.app_pilot import TablePilot, table
from tui.app.thrift import RESET, thrifty
from tui.portraits.pixels import Look

SLOW_FRAME = 15_000
"""The most bytes of a full frame at 120 by 40 on a slow link."""


def cells(data: str, columns: int = 120, rows: int = 40) -> list[tuple[object, ...]]:
    """Return every cell of a terminal that was sent this output, with its style."""
    screen = pyte.Screen(columns, rows)
    pyte.Stream(screen).feed(data)
    return [screen.buffer[y][x] for y in range(rows) for x in range(columns)]


def made_up(seed: int) -> str:
    """Return output as the toolkit writes it, with random styles."""
    rng = random.Random(seed)
    console = Console(color_system="truecolor", force_terminal=True, _environ={})
    out = ""
    for row in range(12):
        out += f"\x1b[{row + 1};{rng.randint(1, 9)}H"
        for _ in range(rng.randint(1, 9)):
            words = [word for word in ("bold", "dim", "italic", "underline", "reverse") if rng.random() < 0.3]
            ground = rng.choice(["", "on #102030", "on #403020", "on red"])
            style = Style.parse(" ".join([*words, rng.choice(["#ff0000", "green", "#abcdef", ""]), ground]).strip())
            out += style.render(rng.choice(["one", "  ", "│", "─┐"]), color_system=console._color_system)
    return out


@pytest.mark.parametrize("seed", range(40))
def test_any_output_looks_the_same(seed: int) -> None:
    data = made_up(seed)
    short = thrifty(data)
    assert cells(short) == cells(data) and len(short) <= len(data)
    assert short.endswith(RESET) or not data.endswith(RESET)


def test_output_without_styles_stays_as_it_is() -> None:
    for data in ("", "\x1b[?2026$p", "\x1b[?25l\x1b[2;3Hplain", "\x1b]52;c;aGk=\x07"):
        assert thrifty(data) == data


def test_only_what_changes_is_sent() -> None:
    data = f"\x1b[1;38;2;1;2;3;48;2;9;9;9mA{RESET}\x1b[38;2;1;2;3;48;2;9;9;9mB{RESET}\x1b[2;1H\x1b[48;2;9;9;9mC{RESET}"
    assert thrifty(data) == f"\x1b[1;38;2;1;2;3;48;2;9;9;9mA\x1b[22mB\x1b[2;1H\x1b[39mC{RESET}"
    assert thrifty(data, coarse=True).count(";2;") == 0


def frame(pilot: TablePilot) -> str:
    """Return a full frame as the toolkit writes it."""
    console = Console(color_system="truecolor", force_terminal=True, _environ={})
    return str(pilot.app.screen._compositor.render_update(full=True).render_segments(console))


@pytest.mark.parametrize("state", ["idle", "crowded", "first-cards", "own-combat", "looting"])
async def test_a_frame_looks_the_same_and_is_small_on_a_slow_link(state: str) -> None:
    async with table(samples.SITUATIONS[state](), (120, 40)) as pilot:
        data = frame(pilot)
        assert cells(thrifty(data)) == cells(data) and len(thrifty(data).encode()) < 0.85 * len(data.encode())
        pilot.screen.session.pixels = Look.EMBLEM
        pilot.screen.redraw()
        await pilot.settle()
        assert len(thrifty(frame(pilot), coarse=True).encode()) <= SLOW_FRAME
