"""A broken data file of bots gives one line with the file, the place and the remedy, in every program that reads it."""

import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from netcode.bots import lines, personalities, replies, search, tuning
from netcode.bots.data_files import FOLDER, BrokenData, read_data
from netcode.bots.evaluation import FEATURES, FILE, read_weights
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]
WITH_DATA = """
import sys
from pathlib import Path
from netcode.bots import data_files
data_files.FOLDER = Path(sys.argv.pop(1))
from tui.cli.main import main
main()
"""
"""Runs kickdoor with the folder of data files that its first argument names."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a copy of the data files, to be broken."""
    return Path(shutil.copytree(FOLDER, tmp_path / "data"))


def kickdoor(data: Path, *args: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", WITH_DATA, str(data), *args], cwd=ROOT, capture_output=True, text=True,
        timeout=PATIENCE_S,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def refused(data: Path, *args: str) -> str:
    """Return the line with which a command refuses to run."""
    done = kickdoor(data, *args)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    return done.stderr


SIMULATE = ("simulate", "--bot", "hard", "--games", "1")


@pytest.mark.long(5)
@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        (FILE, None, "", "there is no table [weights]: `kickdoor lab fit` writes it anew"),
        (FILE, "\ngold = ", "\ngolf = ", "[weights] has no 'gold': `kickdoor lab fit` writes it anew"),
        (FILE, "\ngold = ", "\ngold = nan #", "[weights] gold must be a number, not nan: `kickdoor lab fit`"),
        (FILE, "[weights]", "[weights]\nluck = 1", "[weights] 'luck' is unknown: a feature is one of level, "),
        (FILE, None, "a = 1\nqwerty", "not TOML: Expected '=' after a key in a key/value pair (at line 2): `kickdoor"),
        ("search.toml", "rivals =", "#", "Object missing required field `rivals`: mend it, or install kickdoor again"),
        ("search.toml", None, "a = 1\nqwerty", "(at line 2): mend it, or install kickdoor again"),
        ("tuning.toml", None, "qwerty", "(at line 1): mend it, or install kickdoor again"),
        ("tuning.toml", "carried = 0.3", "", "Object missing required field `carried` - at `$.gear`: mend it"),
    ],
)
def test_a_broken_file_is_one_line_of_the_simulation(
    data: Path, name: str, old: str | None, new: str, words: str
) -> None:
    whole = (data / name).read_text("utf-8")
    assert old is None or old in whole
    (data / name).write_text(new if old is None else whole.replace(old, new, 1), "utf-8")
    line = refused(data, *SIMULATE)
    assert f"{data / name}: " in line and words in line


@pytest.mark.long(3)
@pytest.mark.parametrize("name", [FILE, "search.toml", "tuning.toml"])
def test_a_missing_file_is_one_line_of_the_simulation(data: Path, name: str) -> None:
    (data / name).unlink()
    assert f"{data / name}: there is no such file: " in refused(data, *SIMULATE)


@pytest.mark.long(0)
def test_a_ladder_refuses_before_it_makes_its_folder(data: Path, tmp_path: Path) -> None:
    (data / FILE).write_bytes(b"gold = \xff")
    out = tmp_path / "out"
    line = refused(data, "ladder", "--players", "hard,normal", "--games", "1", "--out", str(out))
    assert f"{data / FILE}: not TOML: byte 7 is no UTF-8: `kickdoor lab fit` writes it anew" in line
    assert not out.exists()
    (data / FILE).unlink()
    assert kickdoor(data, "simulate", "--bot", "easy", "--games", "1").returncode == 0, "who needs it not plays on"


def test_a_broken_personality_is_one_line_too(data: Path) -> None:
    (data / personalities.FILE).write_text("[gilda]\n", "utf-8")
    line = refused(data, "simulate", "--bot", "normal/gilda", "--games", "1")
    assert f"{data / personalities.FILE}: [gilda] has no 'name': mend it, or install kickdoor again" in line


def test_every_file_is_read_this_way(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readers = {
        FILE: read_weights, "tuning.toml": tuning.read, personalities.FILE: personalities.read,
        search.FILE: search.read_numbers, replies.FILE: replies.read,
    }  # fmt: skip
    monkeypatch.setattr("netcode.bots.data_files.FOLDER", data)
    for path in data.iterdir():
        path.write_text("[a\n", "utf-8")
        read = readers.get(path.name) or partial(lines.read, name=path.name)
        with pytest.raises(BrokenData, match=r"not TOML: .* \(at line 1\): ") as problem:
            read_data(path.name, read)
        assert str(problem.value).startswith(f"{path}: ")


def test_whole_numbers_are_weights_too() -> None:
    assert read_weights("[weights]\n" + "\n".join(f"{name} = 1" for name in FEATURES)) == (1.0,) * len(FEATURES)
