"""The tools that pack authors run by hand: python -m tests.scenarios and python -m tests.mutation."""

from pathlib import Path

import pytest

from core.authoring.template import new_pack
from tests import mutation, scenarios

SCENARIO_FILE = "scenarios/first.toml"


def written(folder: Path, **changes: tuple[str, str]) -> Path:
    """Write a new pack into a folder, with some words of its scenario file replaced; return the folder."""
    files = new_pack("My Set")
    for old, new in changes.values():
        assert old in files[SCENARIO_FILE].decode()
        files[SCENARIO_FILE] = files[SCENARIO_FILE].replace(old.encode(), new.encode(), 1)
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def test_a_word_that_no_scenario_has_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = str(written(tmp_path))
    assert scenarios.main(["--set", pack, "-k", "bucket"]) == 0
    assert capsys.readouterr().out == "1 scenarios, 0 failures\n"
    assert scenarios.main(["--set", pack, "-k", "bukcet"]) == 2
    assert "no scenario has 'bukcet' in its name or proofs" in capsys.readouterr().err


def test_files_without_scenarios_are_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios.main([str(tmp_path)]) == 2
    assert "no scenario files" in capsys.readouterr().err
    assert scenarios.main([str(tmp_path / "gone.toml")]) == 2
    assert "gone.toml cannot be read" in capsys.readouterr().err


def test_a_scenario_that_fails_unmutated_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = str(written(tmp_path, wrong=("heroes = 4", "heroes = 5")))
    assert mutation.main(["--set", pack, "--card", "bucket-of-sand"]) == 1
    said = capsys.readouterr().out
    assert "my-set:bucket-of-sand: a scenario fails before anything is mutated" in said
    assert "first.toml: A bucket of sand turns the fight" in said
    assert "expected: heroes = 5" in said
    assert "found:    heroes = 4" in said


def test_a_card_that_no_scenario_proves_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = str(written(tmp_path))
    assert mutation.main(["--set", pack, "--card", "mop"]) == 1
    assert 'my-set:mop: no scenario proves it (proves = ["my-set:mop"])' in capsys.readouterr().out


def test_the_mutation_test_names_what_no_scenario_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = str(written(tmp_path))
    assert mutation.main(["--set", pack, "--card", "bucket-of-sand"]) == 1
    said = capsys.readouterr().out
    assert "my-set:bucket-of-sand (1 scenario): value = 200 -> 0\n" in said
    assert "play[0].by" not in said
    assert mutation.main(["--set", pack, "--card", "buckets"]) == 2
    assert "no card 'buckets'" in capsys.readouterr().err


def test_the_mutation_test_plays_a_pack_of_ones_own_beside_a_built_in_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = str(written(tmp_path, both=('sets = ["my-set"]', 'sets = ["munchkins-and-mazes", "my-set"]')))
    assert mutation.main(["--set", pack, "--card", "bucket-of-sand"]) == 1
    assert "my-set:bucket-of-sand (1 scenario): value = 200 -> 0\n" in capsys.readouterr().out


def test_a_pack_that_cannot_be_read_is_reported_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = str(written(tmp_path / "pack", wrong=("doors =", "door =")))
    assert mutation.main(["--set", pack]) == 2
    assert "unknown field `door`" in capsys.readouterr().err
    assert mutation.main(["--set", str(tmp_path)]) == 2
    assert "pack.toml is missing" in capsys.readouterr().err
