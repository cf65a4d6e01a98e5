"""The career in the app and on the command line."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from textual.widgets import DataTable, Input

from netcode.recording.career import PlayedGame, career_path, count_game
from netcode.recording.career_figures import exported
from tests.tui.app_pilot import screen_lines, settled
from tui.app.app import KickdoorApp
from tui.app.menu_rows import menu_rows
from tui.cli.main import cli
from tui.config.settings import Settings
from tui.screens.career import CareerScreen


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a data folder of this test."""
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    return tmp_path


def played() -> None:
    """Count a few games."""
    for number in range(3):
        played = PlayedGame(
            f"game{number}", number, ["maze"], 3, 0, ["normal"], number != 1, 30, 10, rolls=2, pips=9,
            killers=["Glampire"],
        )  # fmt: skip
        count_game(career_path(), played)


async def shown(size: tuple[int, int], ascii_only: bool = False) -> str:
    """Return the text of the screen."""
    app = KickdoorApp(Settings(ascii=ascii_only, bell=False))
    async with app.run_test(size=size) as textual:
        await app.push_screen(CareerScreen(app.glyphs))
        await settled(textual)
        await settled(textual)
        lines = screen_lines(app)
        assert app.screen.query_one(DataTable).has_focus
        app.simulate_key("escape")
        await settled(textual)
        assert not isinstance(app.screen, CareerScreen)
        return "\n".join(lines)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_the_screen_shows_the_figures(size: tuple[int, int]) -> None:
    played()
    text = await shown(size)
    assert "2 of 3 (67 %)" in text and "best streak" in text and "s save as a file" in text


async def test_in_ascii_it_is_ascii() -> None:
    played()
    assert (await shown((80, 24), ascii_only=True)).isascii()


async def test_an_empty_and_a_damaged_career_say_so(home: Path) -> None:
    assert "No game has been counted yet" in await shown((80, 24))
    career_path().write_text("{")
    assert "could not be read and begins anew" in " ".join((await shown((80, 24))).split())
    assert list(home.glob("career-damaged-*.json"))


async def test_a_key_saves_the_games_as_json_or_csv_and_says_where(home: Path) -> None:
    played()
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test(size=(120, 40), notifications=True) as textual:
        await app.push_screen(CareerScreen(app.glyphs))
        for name in ("", "mine.csv"):
            app.simulate_key("s")
            await settled(textual)
            line = app.screen.query_one(Input)
            line.value = str(home / name) if name else line.value
            app.simulate_key("enter")
            await settled(textual, 6)
            assert isinstance(app.screen, CareerScreen) and "3 games saved:" in "\n".join(screen_lines(app))
    (saved,) = (home / "career").iterdir()
    assert len(json.loads(saved.read_text())["games"]) == 3 and saved.stat().st_mode & 0o077 == 0
    rows = list(csv.DictReader((home / "mine.csv").read_text().splitlines()))
    assert [row["won"] for row in rows] == ["true", "false", "true"] and rows[0]["killers"] == "Glampire"


def test_no_cell_of_a_spreadsheet_is_a_formula() -> None:
    game = PlayedGame("game", 1, ["maze"], 3, 0, ["normal"], True, 30, 10, killers=["=HYPERLINK(1)", "Rat"])
    (row,) = csv.DictReader(exported([game], ".csv").splitlines())
    assert row["killers"] == "'=HYPERLINK(1); Rat"


def test_the_menu_has_it() -> None:
    assert "career" in [row.name for row in menu_rows(Settings())]


def test_the_command_prints_and_exports(home: Path) -> None:
    run = CliRunner()
    assert "No game has been counted yet" in run.invoke(cli, ["career"]).output
    played()
    text = run.invoke(cli, ["career"]).output
    assert "2 of 3 (67 %)" in text and "Glampire" in text and "4.50, 1.00 above a fair die" in text
    target = home / "out.json"
    assert "3 games are in" in run.invoke(cli, ["career", "--export", str(target)]).output
    assert len(json.loads(target.read_text())["games"]) == 3 and target.stat().st_mode & 0o077 == 0
    again = run.invoke(cli, ["career", "--export", str(target)])
    assert again.exit_code == 2 and "exists already: name another file, or add --force" in again.output
    assert run.invoke(cli, ["career", "--export", str(target), "--force"]).exit_code == 0
    assert run.invoke(cli, ["career", "--export", str(home / "out.csv")]).exit_code == 0
    assert (home / "out.csv").read_text().startswith("game,ended,sets")
    assert len(json.loads(run.invoke(cli, ["career", "--json"]).output)["games"]) == 3
    nowhere = run.invoke(cli, ["career", "--export", str(home / "no" / "such")])
    assert nowhere.exit_code == 1 and "cannot be written" in nowhere.output
