"""The program does not trust its environment: sizes, paths, character sets, terminals that are gone."""

import os
import sys
import time
from pathlib import Path

import click
import pytest

from tests.faults.default_host import runs
from tests.patience import PATIENCE_S
from tui.app import launch
from tui.config import settings
from tui.config.surroundings import lacks_characters

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX pseudo terminal")

if sys.platform != "win32":
    from tests.tui.pty_terminal import Terminal

OWN_SESSION = (
    "import subprocess, sys\n"
    "child = subprocess.Popen([sys.executable, '-m', 'tui'], start_new_session=True)\n"
    "open(sys.argv[-1] if len(sys.argv) > 1 else {path!r}, 'w').write(str(child.pid))\n"
    "sys.exit(child.wait())\n"
)
"""A program that takes the signals of the terminal and passes none on."""


def test_a_program_that_is_told_nothing_ends_when_its_terminal_is_gone(tmp_path: Path) -> None:
    """Otherwise it would use half a core until it is killed."""
    named = tmp_path / "pid"
    program = Terminal(home=tmp_path, code=OWN_SESSION.format(path=str(named)))
    program.until("Play against bots", PATIENCE_S)
    pid = int(named.read_text())
    assert runs(pid)
    program.close()  # kills the program in between, and closes the terminal
    end = time.monotonic() + 20
    while runs(pid):
        assert time.monotonic() < end, "it still runs"
        time.sleep(0.05)


def test_exported_sizes_and_foreign_packages_are_not_believed(tmp_path: Path) -> None:
    """The program is started like the installed command: by a script that imports `kickdoor`. The folders of PYTHONPATH
    come first on the import path."""
    for name in ("core", "cards", "netcode", "tui"):
        (tmp_path / "foreign" / name).mkdir(parents=True)
        (tmp_path / "foreign" / name / "__init__.py").write_text("raise RuntimeError('this is not ours')\n")
    root = str(Path(__file__).resolve().parents[3])
    program = Terminal(
        home=tmp_path, code="import sys; sys.argv = ['kickdoor']; from kickdoor import main; main()",
        PYTHONPATH=os.pathsep.join([str(tmp_path / "foreign"), root]), PYTHONSAFEPATH="1", COLUMNS="200", LINES="60",
    )  # fmt: skip
    try:
        shown = program.until("Play against bots")
        assert b"not ours" not in program.bytes
        assert "ENTER" in shown or "commands" in shown, "the keys at the foot of 24 rows are there"
        program.press("\xe9")  # as UTF-8; the next line sends it in ISO 8859-1
        os.write(program.fd, b"\xe9\xff")
        program.press("z")
        program.until("of 6 solved")
    finally:
        program.close()


@pytest.mark.parametrize(("environment", "lacks"), [
    ({}, False), ({"LANG": "C"}, False), ({"LANG": "de_DE.UTF-8"}, False), ({"LANG": "C.utf8"}, False),
    ({"LANG": "de_DE.ISO-8859-1"}, True), ({"LC_ALL": "ru_RU.KOI8-R", "LANG": "C.UTF-8"}, True),
    ({"LC_ALL": "C.UTF-8", "LANG": "de_DE.ISO-8859-1"}, False), ({"LC_CTYPE": "ja_JP.eucJP"}, True),
    ({"LANG": "de_DE.ISO-8859-15@euro"}, True), ({"LANG": "de_DE.ISO-8859-1", "KICKDOOR_ASCII": "0"}, False),
    ({"TERM": "linux"}, True),
])  # fmt: skip
def test_a_locale_without_utf_8_is_drawn_in_ascii(environment: dict[str, str], lacks: bool) -> None:
    assert lacks_characters(environment) == lacks


def test_without_a_home_nothing_is_put_into_a_folder_called_tilde(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "KICKDOOR_DATA", "KICKDOOR_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as for a user that the system does not know
    monkeypatch.chdir(tmp_path)
    with pytest.raises(click.UsageError, match="no home folder: set KICKDOOR_DATA"):
        launch.settings_with()
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path / "data"))
    assert launch.settings_with().name and settings.path() == tmp_path / "data" / "settings.toml"
    assert list(tmp_path.iterdir()) == []
