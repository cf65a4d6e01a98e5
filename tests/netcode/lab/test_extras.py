"""Commands that need an extra say so in one sentence, with the command that installs it; all other commands work
without it."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from netcode.lab import extras
from netcode.lab.extras import LIBRARIES, need
from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[3]
ALL = sorted({name for names in LIBRARIES.values() for name in names})
OTHER_NAMES = {"scikit-learn": "sklearn"}


def without_extras(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the program as if no extra were installed: importing one of its modules fails."""
    code = (
        "import sys\n"
        "from importlib import abc, util\n"
        f"ALL = {ALL}\n"
        "find = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name.partition('.')[0] in ALL else find(name, *more)\n"
        "class Missing(abc.MetaPathFinder):\n"
        "    def find_spec(self, name, *more):\n"
        "        if name.partition('.')[0] in ALL: raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Missing())\n"
        f"sys.argv[1:] = {list(arguments)}\n"
        "from tui.cli.main import main\n"
        "main()\n"
    )
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S)


def test_the_extras_are_those_of_the_project() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for extra, libraries in LIBRARIES.items():
        names = [text.split(">=")[0] for text in listed[extra]]
        assert tuple(OTHER_NAMES.get(name, name) for name in names) == libraries


def test_a_missing_extra_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "LIBRARIES", {"lab": ("json", "no_such_library")})
    with pytest.raises(ValueError, match=r"^--on needs the extra 'lab': pip install 'kickdoor\[lab\]'"):
        need("lab", "--on")


@pytest.mark.long(0)
def test_a_plain_installation_plays_ladders_and_draws_them(tmp_path: Path) -> None:
    folder = str(tmp_path / "out")
    playing = ("ladder", "--players", "easy,random", "--games", "2", "--jobs", "1", "--out", folder)
    commands: tuple[tuple[str, ...], ...] = (playing, ("lab", "report", folder))
    for arguments in commands:
        done = without_extras(*arguments)
        assert done.returncode == 0 and done.stderr == "", done.stderr
    for arguments in ((*playing, "--on", "local"), ("lab", "parquet", folder), ("lab", "fit", "--out", folder)):
        done = without_extras(*arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
        assert "needs the extra 'lab': pip install 'kickdoor[lab]'" in done.stderr
