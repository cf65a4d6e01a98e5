"""The program in a real (pseudo) terminal: first frame, a game, leaving, being ended from outside."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyte
import pytest

from tests.faults.default_host import children_of, runs
from tests.patience import PATIENCE_S
from tui.app.terminal_latency import FRAME_ENDS
from tui.app.terminal_words import POP, PUSH
from tui.menus.keys import DEAD_S

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX pseudo terminal")

if sys.platform != "win32":
    from tests.tui.pty_terminal import Terminal


@contextmanager
def terminal(*args: str, **more: Any) -> "Iterator[Terminal]":
    """Run kickdoor in a terminal and end it in any case."""
    program = Terminal(*args, **more)
    try:
        yield program
    finally:
        program.close()


def titles_put_back(program: "Terminal") -> bool:
    """Return whether the title of the window was kept before the first of ours, and put back after the last one."""
    kept, first = program.bytes.index(PUSH.encode()), program.bytes.index(b"\x1b]2;")
    last, back = program.bytes.rindex(b"\x1b]2;"), program.bytes.rindex(POP.encode())
    return kept < first <= last < back and program.bytes.count(PUSH.encode()) == program.bytes.count(POP.encode())


def give_up(program: "Terminal") -> None:
    """Give up the seat in the open question about leaving; this asks for confirmation."""
    program.press("2")
    words = "GIVE YOUR SEAT UP FOR GOOD?" if program.screen.lines > 19 else "Give your seat up for good?"
    program.until(words)
    program.read(2 * DEAD_S)
    program.press("\r")


@pytest.mark.long(0)
def test_the_menu_opens_and_its_screens_close_again(tmp_path: Path) -> None:
    with terminal(home=tmp_path) as program:
        program.until("Play against bots")
        for key, words in (("z", "of 6 solved"), ("r", "Replays: 0 games"), ("d", "Cards"), ("u", "setup.players")):
            program.press(key)
            program.until(words)
            program.press("\x1b")
            program.until("Play against bots")
        program.press("\x1b")
        assert program.wait() == 0
        assert titles_put_back(program)


def screens_of(program: "Terminal", since: int) -> list[str]:
    """Return the texts that the screen shows one after the other: the text after each frame that changes it, from the
    byte `since` on."""
    screen = pyte.Screen(program.screen.columns, program.screen.lines)
    stream, found = pyte.ByteStream(screen), list[str]()
    stream.feed(program.bytes[:since])
    for frame in program.bytes[since:].split(FRAME_ENDS.encode()):
        stream.feed(frame)
        found.append("\n".join(screen.display))
    return [text for before, text in zip([None, *found], found) if text != before]


@pytest.mark.long(0)
def test_the_first_frame_of_the_cards_is_whole(tmp_path: Path) -> None:
    with terminal(home=tmp_path) as program:
        program.press("\x1b[?2026;2$y")  # the terminal draws whole frames at once
        menu = program.until("Play against bots")
        program.read(1.0)
        begun = len(program.bytes)
        program.press("d")
        last = program.until("Cardsharp Imp")
        program.read(1.0)
        seen = [text for text in screens_of(program, begun) if text != menu and "Play against bots" not in text]
        assert seen[:1] == [program.text()], f"first\n{seen[0]}\nlast\n{last}"


@pytest.mark.long(0)
def test_changed_settings_are_applied_and_saved(tmp_path: Path) -> None:
    with terminal(home=tmp_path) as program:
        program.until("Settings")
        program.press("s")
        program.until("ASCII only")
        program.press("\x1b[B\x1b[B\x1b[B\r")
        program.read(0.5)  # until the switch has moved
        program.press("\x13")
        program.until("Settings are saved")
        assert program.text().isascii()
        program.press("\x1b")
        program.wait()
    assert "ascii = true" in (tmp_path / "settings.toml").read_text()


def test_a_game_against_bots_begins_at_once_and_leaving_says_how_to_resume(tmp_path: Path) -> None:
    with terminal("play", "--bots", "2", "--level", "easy", "--seed", "5", "--name", "Ann", home=tmp_path) as program:
        program.until("Starting the table")
        program.until("YOUR FIRST CARDS")
        assert "You" in program.text()
        program.press_until("y\r", "Turn 1 ", PATIENCE_S)
        program.press_until("\x11", "LEAVE THE TABLE?")
        give_up(program)
        assert program.wait() == 0
        assert b"You gave your seat up" in program.bytes


@pytest.mark.long(0)
def test_who_has_never_played_is_offered_the_first_game_once_and_begins_with_one_key(tmp_path: Path) -> None:
    with terminal("play", home=tmp_path, new=True) as program:
        program.until("New here?")
        program.press("n")
        program.until("YOUR FIRST CARDS", PATIENCE_S)
        program.press_until("\x11", "LEAVE THE TABLE?")
        program.press("1")
        assert program.wait() == 0 and titles_put_back(program)


def test_an_unreachable_host_gives_one_sentence_and_exit_code_1(tmp_path: Path) -> None:
    key, token = "A" * 43, "B" * 22
    with terminal("join", f"kickdoor://127.0.0.1:9/PUB#{key}.{token}", home=tmp_path) as program:
        assert program.wait(30) in (1, 2)
        assert b"kickdoor: nobody answers at 127.0.0.1:9" in program.bytes and b"Traceback" not in program.bytes


@pytest.mark.long(2)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_restores_the_terminal(tmp_path: Path, number: int) -> None:
    with terminal(home=tmp_path) as program:
        program.until("Play against bots")
        os.kill(program.pid, number)
        program.wait()
        assert b"\x1b[?1049l" in program.bytes and b"\x1b[?25h" in program.bytes and titles_put_back(program)


@pytest.mark.long(0)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_at_the_table_ends_its_processes_too_and_the_game_can_be_resumed(tmp_path: Path, number: int) -> None:
    with terminal("play", "--bots", "2", "--level", "easy", home=tmp_path) as program:
        program.until("YOUR FIRST CARDS", PATIENCE_S)
        (host,) = children_of(program.pid)
        left = [host, *children_of(host)]
        os.kill(program.pid, number)
        if number == signal.SIGKILL:
            assert program.wait() == -signal.SIGKILL
        else:
            assert program.wait() == 0
            assert b"To resume: kickdoor play --resume" in program.bytes and b"internal error" not in program.bytes
    end = time.monotonic() + 10
    while any(runs(pid) for pid in left):
        assert time.monotonic() < end, "host and bots outlive the screen"
        time.sleep(0.05)
    with terminal("play", "--resume", home=tmp_path) as program:
        program.until("YOUR FIRST CARDS", PATIENCE_S)
        program.press_until("\x11", "LEAVE THE TABLE?")
        give_up(program)
        assert program.wait() == 0


def test_a_hangup_with_a_signal_to_go_on_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    """The kernel sends both when a session ends, and so does the SSH door."""
    with terminal(home=tmp_path) as program:
        program.until("Play against bots")
        os.kill(program.pid, signal.SIGHUP)
        os.kill(program.pid, signal.SIGCONT)
        assert program.wait() == 0
        assert program.bytes.count(b"\x1b[?1049h") == 1, "it began a second time"
        assert program.bytes.rindex(b"\x1b[?7h") > program.bytes.rindex(b"\x1b[?7l"), "lines do not wrap"
        assert program.bytes.rindex(b"\x1b[?2004l") > program.bytes.rindex(b"\x1b[?2004h"), "pastes are still marked"


def test_a_program_that_was_stopped_from_outside_paints_its_screen_anew(tmp_path: Path) -> None:
    with terminal(home=tmp_path) as program:
        program.until("Play against bots")
        os.kill(program.pid, signal.SIGSTOP)
        program.screen.reset()
        os.kill(program.pid, signal.SIGCONT)
        program.until("Play against bots")
        program.press("r")
        program.until("Replays: 0 games")
        assert program.bytes.count(b"\x1b[?1049h") == 1, "it began a second time"


def test_a_closed_window_ends_the_program_and_the_host_of_its_game(tmp_path: Path) -> None:
    """The kernel sends SIGHUP and SIGCONT then, and whatever is written fails."""
    with terminal(*PLAY, home=tmp_path) as program:
        program.until("YOUR FIRST CARDS", PATIENCE_S)
        (host,) = children_of(program.pid)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, program.fd)
        os.close(nothing)
        end = time.monotonic() + 10
        while runs(program.pid) or runs(host):
            assert time.monotonic() < end, "they still run"
            time.sleep(0.05)
        program.wait()


def test_ascii_and_no_color_show_the_same_words(tmp_path: Path) -> None:
    with terminal("--ascii", home=tmp_path, NO_COLOR="1", TERM="xterm") as program:
        program.until("Play against bots")
        assert program.text().isascii()


def test_a_terminal_that_is_too_small_says_what_size_is_needed(tmp_path: Path) -> None:
    with terminal("play", "--bots", "2", "--level", "easy", home=tmp_path, size=(70, 18)) as program:
        program.until("needs 60 by 20", PATIENCE_S)
        program.press("\x11")
        give_up(program)


def test_an_internal_error_is_a_sentence_without_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KICKDOOR_DATA", raising=False)
    code = (
        "import sys; sys.argv = ['kickdoor']\n"
        "from tui.widgets.entry import choices\n"
        "choices.Choices.action_cursor_down = lambda self: 1 / 0\n"
        "from tui.cli.main import main; main()\n"
    )
    with terminal(home=tmp_path, code=code) as program:
        program.until("Play against bots")
        program.press("\x1b[B")
        assert program.wait() == 1
        assert b"kickdoor stopped because of an internal error" in program.bytes and b"Traceback" not in program.bytes
        assert titles_put_back(program)
    crash = tmp_path / "data" / "kickdoor" / "crash.txt"
    assert "ZeroDivisionError: division by zero" in crash.read_text() and crash.stat().st_mode & 0o777 == 0o600


@pytest.mark.long(0)
def test_an_internal_error_of_a_worker_is_described_with_its_cause_and_without_its_text(tmp_path: Path) -> None:
    """KICKDOOR_DATA says where. The text of an exception may name cards."""
    code = (
        "import sys; sys.argv = ['kickdoor']\n"
        "from tui.app import menu_flow\n"
        "async def fail(app, name):\n"
        "    try:\n"
        "        {}['the cause']\n"
        "    except KeyError as problem:\n"
        "        raise ValueError('hand: Kneepads') from problem\n"
        "menu_flow._open = fail\n"
        "from tui.cli.main import main; main()\n"
    )
    home = tmp_path / "elsewhere"
    with terminal(home=tmp_path, code=code, KICKDOOR_DATA=str(home)) as program:
        program.until("Play against bots")
        program.press("\r")
        assert program.wait() == 1
        assert str(home / "crash.txt").encode() in program.bytes.replace(b"\r\n", b"")
    text = (home / "crash.txt").read_text()
    assert text.index("KeyError: (") < text.index("That was the cause of:") < text.index("ValueError: (")
    assert "in fail" in text and "Kneepads" not in text and "WorkerFailed" not in text


# ------------------------------------------------------------------------------------------------- Ctrl+C and Ctrl+Z
SHELL = "import os; os.environ['PS1'] = 'ready> '; os.execv('/bin/bash', ['bash', '--norc', '--noprofile', '-i'])"
PLAY = ("play", "--bots", "2", "--level", "easy")


def start(program: "Terminal", *args: str) -> None:
    """Run kickdoor from the shell in this terminal."""
    program.until("ready>")
    program.press(" ".join([sys.executable, "-m", "tui", *args]) + "\n")


def test_ctrl_c_asks_to_leave_the_table_and_leaves_the_menu(tmp_path: Path) -> None:
    with terminal(*PLAY, home=tmp_path) as program:
        program.until("YOUR FIRST CARDS", PATIENCE_S)
        program.press_until("\x03", "LEAVE THE TABLE?")
        program.press_until_gone("\x1b", "LEAVE THE TABLE?")  # or ESC and the next key would be one key with Alt
        program.press("t")
        program.until("ENTER sends")
        program.press_until("\x03", "LEAVE THE TABLE?")
        program.press_until_gone("\x1b", "LEAVE THE TABLE?")
        program.press_until("\x10", "Search")
        program.press_until("\x03", "LEAVE THE TABLE?")
        program.press("1")
        assert program.wait() == 0
    with terminal(home=tmp_path) as program:
        program.until("Play against bots")
        program.press("\x03")
        assert program.wait() == 0


@pytest.mark.long(2)
@pytest.mark.parametrize("args", [(), PLAY])
def test_ctrl_z_gives_the_terminal_back_and_fg_brings_the_same_screen(tmp_path: Path, args: tuple[str, ...]) -> None:
    words = "YOUR FIRST CARDS" if args else "Play against bots"
    with terminal(home=tmp_path, code=SHELL) as program:
        start(program, *args)
        program.until(words, PATIENCE_S)
        before = program.at_rest()
        for _ in range(2):
            begun = len(program.bytes)
            program.press("\x1a")
            program.until("Stopped")
            assert b"\x1b[?1049l" in program.bytes[begun:] and b"\x1b[?25h" in program.bytes[begun:]
            assert titles_put_back(program)
            program.press("echo mode-$(stty -a | grep -cw -- -icanon)\n")
            program.until("mode-0")
            program.screen.reset()
            aside = len(program.bytes)
            program.press("fg\n")
            program.until(words)
            assert PUSH.encode() in program.bytes[aside:] and b"kickdoor\x07" in program.bytes[aside:]
            assert program.at_rest().splitlines()[2:6] == before.splitlines()[2:6]
        program.press_until("\x11", "LEAVE THE TABLE?" if args else "ready>")
        if args:
            give_up(program)
            program.until("ready>")


@pytest.mark.long(0)
def test_ctrl_z_says_that_nothing_would_bring_it_back_where_no_shell_started_it(tmp_path: Path) -> None:
    with terminal(home=tmp_path) as program:
        program.until("Play against bots")
        program.press("\x1a")
        program.until("could bring kickdoor")
        program.press("\x03")
        assert program.wait() == 0
