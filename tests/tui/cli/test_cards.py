"""`kickdoor cards uses` and `kickdoor cards new`: the places that name a card, and the next steps of an author."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tui.cli import library
from tui.cli.main import cli

ROOT = Path(__file__).resolve().parents[3]
SPEAR = "munchkins-and-mazes:pickle-spear"
MARKS = "munchkins-and-mazes:chalk-marks"
"""A card that few scenarios name: only the files that name a card are parsed, so this is quick."""


def run(*args: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli, ["cards", *args])


def found(*args: str) -> list[dict[str, Any]]:
    done = run("uses", *args, "--json")
    assert done.exit_code == 0, done.output
    rows: list[dict[str, Any]] = json.loads(done.output)
    return rows


@pytest.mark.long(4)
@pytest.mark.parametrize("name", ["Chalk Marks", "chalk marks", "chalk-marks", MARKS])
def test_a_card_is_found_by_name_slug_and_full_id(name: str) -> None:
    (one,) = found(name)
    assert (one["card"], one["name"]) == (MARKS, "Chalk Marks")


def test_uses_lists_scenarios_tests_and_goldens_with_their_places() -> None:
    done = run("uses", SPEAR)
    assert done.exit_code == 0
    lines = [line.strip() for line in done.output.splitlines()]
    proof = next(line for line in lines if line.endswith("(proves it)"))
    file, line = proof.split("  ")[0].rsplit(":", 1)
    title = proof.split("  ")[1]
    text = (ROOT / file).read_text().splitlines()
    assert text[int(line) - 1] == "[[scenario]]"
    assert f'name = "{title}"' in text[int(line) :][:3]
    assert any(line.startswith("tests/tui/cli/test_cli.py:") and "test_cards_list_as_json" in line for line in lines)
    assert "tests/tui/goldens/idle.80x24.txt" in lines or any("tests/tui/goldens/" in line for line in lines)


def test_a_name_inside_a_longer_name_does_not_count(tmp_path: Path) -> None:
    """A mop is not a Mop of Doom: a name counts only where it is not part of a longer one."""
    pack = written(tmp_path)
    items = (pack / "items.toml").read_text()
    (pack / "items.toml").write_text(items.replace('name = "Mop"', 'name = "Bucket"'))
    (one,) = found("mop", "--set", str(pack))
    assert one["scenarios"] == []


@pytest.mark.long(0)
def test_a_name_in_two_sets_is_listed_for_both() -> None:
    cards = {str(one["card"]).partition(":")[0]: one for one in found("Wandering Monster")}
    assert len(cards) > 1
    for set_id, one in cards.items():
        files = {str(use["file"]) for use in one["scenarios"]}
        assert any(set_id in file for file in files)


def test_the_scenarios_of_a_given_pack_are_listed_too(tmp_path: Path) -> None:
    pack = written(tmp_path)
    (one,) = found("bucket-of-sand", "--set", str(pack))
    title = "A bucket of sand turns the fight"
    file = str(pack / "scenarios" / "first.toml")
    assert one["scenarios"] == [{"file": file, "line": 2, "title": title, "proves": True}]
    (puddle,) = found("Small Puddle", "--set", str(pack))
    assert puddle["scenarios"] == [{"file": file, "line": 2, "title": title, "proves": False}]


def test_an_unknown_card_is_an_error_that_suggests_a_similar_name() -> None:
    done = run("uses", "Pickle Speer")
    assert done.exit_code == 2
    assert "no card 'Pickle Speer': did you mean 'Pickle Spear'?" in done.output


def test_without_a_source_tree_only_packaged_scenarios_are_listed_and_this_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(library, "source_tree", lambda: None)
    (one,) = found(MARKS)
    assert one["scenarios"]
    assert (one["tests"], one["goldens"]) == (None, None)
    assert "Python tests and screens are not searched: they are in the source tree only" in run("uses", MARKS).output


def test_a_pack_that_cannot_be_loaded_names_the_command_that_lists_its_mistakes(tmp_path: Path) -> None:
    pack = written(tmp_path)
    (pack / "items.toml").write_text("[[card]]\nid = 3\n")
    done = run("list", "--set", str(pack))
    assert done.exit_code == 2
    assert "items.toml" in done.output
    assert "`kickdoor cards check` lists every mistake" in done.output


def test_a_scenario_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    pack = written(tmp_path)
    (pack / "scenarios" / "first.toml").write_text("bucket-of-sand")
    done = run("uses", "bucket-of-sand", "--set", str(pack))
    assert done.exit_code == 2
    assert "first.toml: not TOML" in done.output


def test_a_new_pack_names_the_next_commands_and_they_work(tmp_path: Path) -> None:
    done = run("new", str(tmp_path / "my-set"))
    assert done.exit_code == 0
    said = [line.strip().split("  ")[0] for line in done.output.splitlines()[1:]]
    folder = tmp_path / "my-set"
    assert said == [
        f"kickdoor cards check {folder}",
        f"kickdoor cards show NAME --set {folder}",
        f"kickdoor scenario {folder}",
        f"python -m tests.mutation --set {folder}",
        f"kickdoor play --set {folder}",
    ]
    assert run("check", str(folder)).exit_code == 0
    assert run("show", "Mop", "--set", str(folder)).exit_code == 0
    assert CliRunner().invoke(cli, ["scenario", str(folder)]).exit_code == 0


def written(folder: Path) -> Path:
    """A new pack in a folder."""
    assert run("new", str(folder / "my-set")).exit_code == 0
    return folder / "my-set"
