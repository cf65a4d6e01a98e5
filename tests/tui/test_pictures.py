"""The pictures of the manual and the README: valid, bounded, drawn by the app; a browser renders them."""

import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pyte
import pytest

from tests.tui import moving_picture, pictures, three_terminals
from tests.tui.browser import NEEDS, browser, render
from tests.tui.svg import Cell, moving, picture

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> str:
    """Return the texts of a picture, which must be valid XML."""
    return " ".join(found.text or "" for found in ET.fromstring(svg).iter(f"{SVG}text"))


async def test_a_picture_shows_what_the_app_shows() -> None:
    svg = await pictures.draw("table-80x24")
    found = texts(svg)
    assert "YOUR TURN" in found and "Warrior" in found and "kick open the door" in found
    assert "<script" not in svg and "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert len(svg.encode()) < pictures.MOST_BYTES


def test_the_manual_shows_every_picture_and_each_is_bounded() -> None:
    manual = (ROOT / "docs/playing.md").read_text("utf-8")
    files = {path.stem: path for path in pictures.FOLDER.glob("*.svg")}
    assert set(files) == set(pictures.PICTURES)
    for name, path in files.items():
        assert f"](pictures/{name}.svg)" in manual, f"docs/playing.md does not show pictures/{name}.svg"
        assert path.stat().st_size < pictures.MOST_BYTES, name
        assert texts(path.read_text("utf-8")), name


def test_terminals_stand_beside_each_other_below_their_commands() -> None:
    screen = pyte.Screen(20, 2)
    pyte.Stream(screen).feed("\x1b[1;31mred\x1b[0;7mback\x1b[0m \x1b[38;2;1;2;3m中")
    cells = three_terminals.cells(screen)
    assert cells[0][0] == Cell("r", "#cd3131", "#000000", True) and cells[0][3].ground == "#e5e5e5"
    assert [cell.sign for cell in cells[0][8:10]] == ["中", ""] and cells[0][8].ink == "#010203"
    rows = three_terminals.side_by_side([cells] * 3, ["one", "two", "three"])
    assert {len(row) for row in rows} == {2 * 20 + three_terminals.GAP} and len(rows) == 7
    assert re.search(r"\$ one .*\$ two .*\$ three", texts(picture(rows, "")))


async def test_a_moving_picture_is_valid_and_shows_one_frame_after_the_other() -> None:
    fight = moving_picture.best_of(moving_picture.SEED)
    fight.steps = fight.steps[:3]
    frames = await moving_picture.frames(fight, (80, 24))
    svg = moving(frames, "A fight")
    assert len(frames) >= 3 and svg.count("@keyframes") >= 2
    assert "THE DOOR OPENS" in texts(svg) and "COMBAT" in texts(svg)
    assert len(svg.encode()) < sum(len(picture(rows, "").encode()) for rows, _ in frames), "what stays is drawn once"


def test_the_moving_picture_of_the_readme_is_bounded() -> None:
    assert "](docs/fight.svg)" in (ROOT / "README.md").read_text("utf-8")
    svg = moving_picture.FILE.read_text("utf-8")
    assert len(svg.encode()) < moving_picture.MOST_BYTES and svg.count("@keyframes") > 5 and texts(svg)


async def test_a_browser_renders_a_picture(tmp_path: Path) -> None:
    if not browser():
        pytest.skip(NEEDS)
    svg, png = tmp_path / "menu.svg", tmp_path / "menu.png"
    svg.write_text(await pictures.draw("menu"), "utf-8")
    render(svg, png)
    data = png.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) >= (1000, 500)
    assert len(data) > 20_000, "an empty page"
