"""The sources of lessons and puzzles, and the records of those that were played."""

from pathlib import Path

import pytest

from core.authoring.template import new_pack
from core.scenario.guide import Guide
from netcode.protocol.pack_catalog import catalog_of
from netcode.protocol.pack_files import load_packs
from tests.core.scenario.small_puzzle import PUZZLE
from tui.cli.library import library_of
from tui.lessons import library, progress
from tui.lessons.library import LessonError


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("KICKDOOR_CONFIG", str(tmp_path / "settings.toml"))
    return tmp_path / "data"


def test_the_first_game_is_five_scenes_and_all_can_be_laid_out() -> None:
    scenes = library.lessons()
    assert len(scenes) == 5
    assert all(isinstance(library.lay_out(scene), Guide) for scene in scenes)


def test_a_puzzle_is_named_by_number_name_or_beginning() -> None:
    found, wrong = library.puzzles()
    assert wrong == []
    assert library.puzzle_named("2") == found[1]
    assert library.puzzle_named("stop the") == library.puzzle_named("Stop the Level 9")
    with pytest.raises(LessonError, match="there is no puzzle 'chess'; there are Stop the Level 9"):
        library.puzzle_named("chess")


def own_pack(home: Path, puzzle: str) -> None:
    """Write a pack with one puzzle into the player's folder of packs."""
    folder = home / "packs" / "kitchen"
    for name, data in new_pack("Kitchen").items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "puzzles").mkdir()
    (folder / "puzzles" / "one.toml").write_text(puzzle)


def test_a_pack_of_ones_own_brings_puzzles(home: Path) -> None:
    own_pack(home, PUZZLE.replace('name = "Two weapons"', 'name = "Two weapons"\nsets = ["munchkins-and-mazes"]'))
    found, wrong = library.puzzles()
    assert wrong == [] and (found[-1].pack, found[-1].name) == ("kitchen", "Two weapons")
    assert library.lay_out(found[-1]).word.text == "Win this fight."


def test_cards_uses_searches_lessons_and_puzzles_too(home: Path) -> None:
    own_pack(home, PUZZLE.replace('name = "Two weapons"', 'name = "Two weapons"\nsets = ["munchkins-and-mazes"]'))
    packs = ("munchkins-and-mazes", str(home / "packs" / "kitchen"))
    found = library_of(packs, catalog_of([(pack.set_id, pack.files) for pack in load_packs(packs)])).scenarios
    assert "cards/munchkins-and-mazes/lessons/first-game.toml" in found
    assert str(home / "packs" / "kitchen" / "puzzles" / "one.toml") in found


def test_a_broken_puzzle_of_ones_own_is_one_line_and_the_others_stay(home: Path) -> None:
    own_pack(home, PUZZLE.replace("goal", "gaol"))
    found, wrong = library.puzzles()
    assert len(found) == 6
    assert len(wrong) == 1 and "one.toml" in wrong[0] and "gaol" in wrong[0]


def test_cards_that_are_not_there_are_one_line(home: Path) -> None:
    own_pack(home, PUZZLE)
    found, _ = library.puzzles()
    with pytest.raises(LessonError, match=r"Two weapons cannot be played: .*no card is called"):
        library.lay_out(found[-1])


def test_what_is_solved_is_kept_for_its_owner_only(home: Path) -> None:
    assert progress.load().puzzles == []
    assert progress.done("puzzles", "a/b") == "" == progress.done("puzzles", "a/b")
    assert progress.load().puzzles == ["a/b"]
    assert (home / progress.NAME).stat().st_mode & 0o077 == 0


def test_a_damaged_file_of_progress_counts_as_none(home: Path) -> None:
    home.mkdir()
    (home / progress.NAME).write_text("{")
    assert progress.load() == progress.Progress()


def test_who_has_settings_recordings_or_a_game_is_not_new(home: Path, tmp_path: Path) -> None:
    assert progress.is_new_player()
    (tmp_path / "settings.toml").write_text("")
    assert not progress.is_new_player()
    (tmp_path / "settings.toml").unlink()
    (home / "replays").mkdir(parents=True)
    assert not progress.is_new_player()
    (home / "replays").rmdir()
    progress.note_offer()
    assert not progress.is_new_player()
