"""`kickdoor lab report`: one self-contained page with a picture of each figure."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from netcode.lab.ladder import Ladder, Schedule, as_table, ladder_of, run, standings
from netcode.lab.records import PlayedGame, read_games, read_run
from netcode.lab.report import BLUNDERS, page, write_report
from netcode.processes.workers import completed

GAMES = 40
HEADINGS = ["Elo", "Win shares", "Levels", "Length of games", "Cards: win lift", "Identities"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ladder")
    ladder = Ladder(players=("easy", "normal"), seed=2)
    run(ladder, GAMES, folder, lambda work, plans: completed(work, plans, 1), lambda done, total: None)
    return folder


def headings(text: str) -> list[str]:
    return re.findall(r"<h2>(.*?)</h2>", text)


@pytest.mark.long(0)
def test_the_page_has_a_picture_of_each_figure_and_asks_nobody(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    write_report(folder, out)
    text = out.read_text("utf-8")
    assert headings(text) == HEADINGS
    pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(pictures) == len(HEADINGS)
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        assert root[0].tag.endswith("title") and root[0].text
    assert "<script" not in text and "@import" not in text and not re.search(r"(?:src|href)=|url\(", text)
    assert re.findall(r"https?://[^\s\"<]+", text.replace("http://www.w3.org/2000/svg", "")) == []


@pytest.mark.long(0)
def test_the_figures_of_the_page_are_those_of_the_games(folder: Path) -> None:
    text = page(read_run(folder), read_games(folder))
    games = read_games(folder)
    won = sum(games[no].bots[seat] == "easy" for no in games for seat in games[no].winners)
    assert f"{100 * won / GAMES:.1f} % of {GAMES}" in text and f"{GAMES} games at tables of 4" in text
    longest = max(-(-game.turns // 4) for game in games.values())
    assert f">{longest}</text>" in text


@pytest.mark.long(0)
def test_names_of_players_are_words_and_no_markup(folder: Path) -> None:
    evil = "x:<b>&"
    games = {
        no: replace(game, bots=tuple(evil if name == "easy" else name for name in game.bots))
        for no, game in read_games(folder).items()
    }
    text = page(replace(read_run(folder), players=(evil, "normal")), games)
    assert "<b>" not in text and "x:&lt;b&gt;&amp;" in text


def failed(folder: Path, *numbers: int) -> dict[int, PlayedGame]:
    """Return the games of a folder, changed so that these were cut short because a player failed."""
    games = read_games(folder)
    for no in numbers:
        what = (f"seat 1 ({games[no].bots[1]}): it ended with code {no % 7}",)
        games[no] = replace(games[no], why="a player has ended", winners=(), misplays={1: 1}, refused=what)
    return games


@pytest.mark.long(0)
def test_games_that_did_not_end_and_failures_are_listed(folder: Path) -> None:
    text = page(read_run(folder), failed(folder, *range(30)))
    assert headings(text) == ["Not finished", "Failures of players, and refused actions", *HEADINGS]
    assert f"{GAMES} games at tables of 4, {GAMES - 30} played to their end" in text
    assert "<li>game 0 (a player has ended, turn " in text and "<li>and 10 more</li>" in text
    assert re.search(r"(easy|normal) \d+, (easy|normal) \d+; among them:", text)
    assert re.search(r"<li>\d times, first in game 0: seat 1 \(\w+\): it ended with code 0</li>", text)
    assert text.count("<li>") == 21 + 2 * 7, "of each kind of failure, one"


@pytest.mark.long(0)
def test_figures_that_rest_on_no_game_are_left_out(folder: Path) -> None:
    text = page(read_run(folder), failed(folder, *range(GAMES)))
    assert headings(text) == ["Not finished", "Failures of players, and refused actions"]
    assert f"{GAMES} games at tables of 4, 0 played to their end" in text and "0.0 %" not in text and "+0" not in text
    assert "<p>1 game at tables" in page(read_run(folder), {0: failed(folder, 0)[0]})
    three = replace(read_run(folder), players=("easy", "normal", "hard"), gauntlet=True)
    games = {2 * no: replace(game, game=2 * no) for no, game in read_games(folder).items()}
    text = page(three, games)
    assert "Without a finished game: hard." in text and "Without a finished game: easy - hard." in text
    assert text.count(" of 0") == 0
    table = as_table(standings(Schedule(ladder_of(three), three.packs), games, 2 * GAMES), lone=False)
    assert [line.split() for line in table.splitlines() if line.startswith(("hard", "easy - hard"))] == [
        ["hard", "-", "-", "0", "0"], ["easy", "-", "hard", "0", "-"],
    ]  # fmt: skip


@pytest.mark.long(0)
def test_blunders_are_shown_if_they_were_counted(folder: Path, tmp_path: Path) -> None:
    whole = tmp_path / "with"
    whole.mkdir()
    for file in folder.iterdir():
        (whole / file.name).write_bytes(file.read_bytes())
    (whole / BLUNDERS).write_text('{"name": "own goal", "value": 0.25, "unit": "in a game"}\n')
    write_report(whole, whole / "report.html")
    text = (whole / "report.html").read_text("utf-8")
    assert headings(text) == [*HEADINGS, "Blunders"] and "own goal" in text and "0.250" in text
    (whole / BLUNDERS).write_text("eleven\n")
    with pytest.raises(ValueError, match=r"is not what `python -m tests.bench blunders` prints"):
        write_report(whole, whole / "report.html")


def test_a_folder_without_games_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"holds no games of kickdoor ladder: there is no ladder.json"):
        write_report(tmp_path, tmp_path / "report.html")
