"""The first words stand on the terminal before the toolkit is loaded, and nothing is left of them afterwards."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from netcode.processes.start import child_env
from tests.patience import PATIENCE_S
from tests.tui.pty_terminal import Terminal
from tui.app.first_words import CONNECTING, ERASE, STARTING

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the terminals of these tests are those of POSIX")
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


@contextmanager
def loading(what: str, home: Path, string: str = NOBODY) -> Iterator[Terminal]:
    """Yield a terminal that shows the first words of a program. In place of loading the app at once, the program does
    `what`."""
    program = Terminal(code=LOADING.format(what=what, string=string), home=home)
    try:
        program.until(CONNECTING)
        yield program
    finally:
        program.close()


def test_ctrl_c_meanwhile_ends_it_quietly(tmp_path: Path) -> None:
    with loading("wait(60)", tmp_path) as program:
        program.press("\x03")
        assert program.wait() == 1
        assert program.bytes.rstrip().endswith(ERASE.encode())


@pytest.mark.long(2)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_meanwhile_ends_the_program(number: int, tmp_path: Path) -> None:
    with loading("wait(60)", tmp_path) as program:
        os.kill(program.pid, number)
        assert program.wait() == -number


def test_an_app_that_cannot_be_loaded_says_why_in_place_of_the_first_words(tmp_path: Path) -> None:
    with loading("wait(1); raise RuntimeError('damaged')", tmp_path) as program:
        assert program.wait() == 1
        assert CONNECTING not in program.text() and "RuntimeError: damaged" in program.text()


def test_a_key_that_is_pressed_meanwhile_reaches_the_app(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it never answers
        string = NOBODY.replace(":9/", f":{silent.getsockname()[1]}/")
        with loading("time.sleep(0.5)", tmp_path, string) as program:
            program.press("\x11")
            assert program.wait() == 0


@pytest.mark.long(0)
def test_nothing_is_left_of_the_first_words_when_the_game_is_over(tmp_path: Path) -> None:
    program = Terminal("play", "--bots", "2", "--level", "easy", home=tmp_path, size=(100, 30))
    try:
        program.until("YOUR FIRST CARDS", PATIENCE_S)
        assert program.bytes.startswith(STARTING.encode())
        program.press("\x11")
        program.until("LEAVE THE TABLE?")
        program.press("1")
        assert program.wait() == 0
        assert STARTING not in program.text()
    finally:
        program.close()


LATER = ("core.engine", "core.execute", "core.knowledge.veil", "core.moves.legal", "netcode.bots.evaluation",
         "tui.app.menu_rows", "tui.screens.end", "tui.screens.forms", "tui.screens.waiting_room", "zeroconf",
         "ifaddr")  # fmt: skip
"""Modules that the screen of a solo game loads only when it needs them, or never."""
PROGRAM = """
import sys
import tui.app.navigation
import tui.app.play_session
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""


def test_the_first_table_loads_neither_the_rules_nor_other_screens() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *LATER], env=child_env(), capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == ([], ""), "these make every start of a game longer"
