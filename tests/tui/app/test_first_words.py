"""The first words stand on the terminal before the toolkit is loaded, and the app goes on from them."""

import os
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from netcode.processes.start import child_env
from tests.tui.pty_terminal import Terminal
from tui.app.first_words import ALTERNATE, BACK, CONNECTING, HIDDEN, STARTING

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere the toolkit writes the first words")
NOBODY = f"kickdoor://127.0.0.1:9/PUB#{'A' * 43}.{'B' * 22}"
LOADING = """
import sys, time
from importlib.abc import MetaPathFinder

class Meets(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "tui.app.navigation":
            {what}

def wait(seconds):
    for _ in range(10 * seconds):
        time.sleep(0.1)  # a signal that comes just before a sleep does not end it

sys.meta_path.insert(0, Meets())
sys.argv = ["kickdoor", "watch", "{string}"]
import tui.__main__
tui.__main__.main()
"""


INTERRUPTED = """
import signal
import tui.app.first_words as words

written = words._write

def write(text):
    written(text)
    if text != words.BACK:
        signal.raise_signal(signal.SIGINT)

words._write = write
"""


@contextmanager
def loading(what: str, home: Path, before: str = "") -> Iterator[Terminal]:
    """Yield a terminal whose program does this instead of loading the app at once; its first words are there. before:
    what it does first of all."""
    program = Terminal(code=before + LOADING.format(what=what, string=NOBODY), home=home)
    try:
        program.until(CONNECTING)
        yield program
    finally:
        program.close()


def shows_keys(program: Terminal) -> bool:
    """Return whether the terminal shows what is typed and waits for whole lines, as in a shell."""
    flags = termios.tcgetattr(program.fd)[3]
    return bool(flags & termios.ECHO and flags & termios.ICANON)


def test_they_stand_there_before_the_app_is_loaded_and_keys_do_not_show(tmp_path: Path) -> None:
    with loading("wait(60)", tmp_path) as program:
        assert program.screen.display[1].rstrip() == f"  {CONNECTING}"
        assert program.screen.display[2].rstrip() == "  ^Q leaves."
        assert program.screen.cursor.hidden
        program.press("abc\r")
        program.read(0.2)
        assert "abc" not in program.text() and not shows_keys(program)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_meanwhile_ends_the_program_and_gives_the_terminal_back(number: int, tmp_path: Path) -> None:
    with loading("wait(60)", tmp_path) as program:
        os.kill(program.pid, number)
        assert program.wait() == -number
        assert program.bytes.endswith(BACK.encode()) and shows_keys(program)


def test_ctrl_c_meanwhile_ends_it_quietly(tmp_path: Path) -> None:
    with loading("wait(60)", tmp_path) as program:
        program.press("\x03")
        assert program.wait() == 1
        assert program.bytes.rstrip().endswith(BACK.encode()) and shows_keys(program)


def test_ctrl_c_just_when_they_are_written_gives_the_terminal_back_too(tmp_path: Path) -> None:
    """Before anybody has them who would remove them."""
    with loading("pass", tmp_path, INTERRUPTED) as program:
        assert program.wait() == 1
        assert program.bytes.rstrip().endswith(BACK.encode()) and shows_keys(program)


def test_an_app_that_cannot_be_loaded_gives_the_terminal_back(tmp_path: Path) -> None:
    with loading("wait(1); raise RuntimeError('damaged')", tmp_path) as program:
        assert program.wait() == 1
        assert BACK.encode() in program.bytes and shows_keys(program)
        assert program.bytes.rstrip().endswith(b"RuntimeError: damaged")


def test_a_key_that_is_pressed_meanwhile_reaches_the_app(tmp_path: Path) -> None:
    with loading("time.sleep(0.5)", tmp_path) as program:
        program.press("\x11")
        assert program.wait() == 0
        assert b"nobody answers" not in program.bytes
        assert program.bytes.count(BACK[:8].encode()) == 1 and shows_keys(program)


@pytest.mark.parametrize(
    "environment",
    [{"COLORTERM": "truecolor"}, {}, {"COLORTERM": "truecolor", "KICKDOOR_THEME": "parchment"}],
    ids=["true colours", "256 colours", "another theme"],
)
def test_the_app_writes_none_of_their_cells_again(environment: dict[str, Any], tmp_path: Path) -> None:
    program = Terminal("play", "--bots", "2", "--level", "easy", home=tmp_path, size=(100, 30), **environment)
    try:
        program.until("YOUR FIRST CARDS", 30)
        assert program.bytes.startswith(f"{ALTERNATE}{HIDDEN}".encode())
        assert program.bytes.count(STARTING.encode()) == 1
        assert program.bytes.count(ALTERNATE.encode()) == 1
    finally:
        program.close()


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "xterm"}, {"KICKDOOR_THEME": "nord"}])
def test_without_colours_of_ours_they_have_those_of_the_terminal(environment: dict[str, Any], tmp_path: Path) -> None:
    program = Terminal("watch", NOBODY, home=tmp_path, **environment)
    try:
        program.until(CONNECTING)
        assert b"\x1b[38" not in program.bytes and b"\x1b[48" not in program.bytes
        assert program.wait(30) in (1, 2)
    finally:
        program.close()


LATER = ("core.engine", "core.execute", "core.veil", "core.moves.legal", "netcode.bots.evaluation", "tui.app.main_menu",
         "tui.screens.end", "tui.screens.forms", "tui.screens.waiting_room", "ssl")  # fmt: skip
"""What the screen of a solo game loads when it needs it, or never."""
PROGRAM = """
import sys
from netcode.processes.service import without_tls
with without_tls():
    import tui.app.navigation
    import tui.app.play_session
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""


def test_the_first_table_loads_neither_the_rules_nor_other_screens() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *LATER], env=child_env(), capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == ([], ""), "these make every start of a game longer"
