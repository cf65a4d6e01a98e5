"""Join strings pasted into a real terminal that does not say what is pasted."""

import sys
from pathlib import Path

import pytest

from netcode.protocol.credentials import Join

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX pseudo terminal")

if sys.platform != "win32":
    from tests.tui.pty_terminal import Terminal

NOBODY = str(Join("127.0.0.1", 9, "PUB", bytes(range(100, 132)), bytes(range(200, 216))))
LINE = f"kickdoor join '{NOBODY}'"
NOBODY_ANSWERS = "obody answers at 127.0.0.1:9"


@pytest.mark.long(0)
def test_a_string_pasted_into_the_menu_stays_and_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    program = Terminal(home=tmp_path)
    try:
        program.until("Play against bots")
        program.press("j")
        program.until("Join string")
        program.press(f"  {LINE[:77]}\n  {LINE[77:-4]}\n")
        program.until(LINE[:40])
        program.press("\x13")
        shown = program.until("the token in this join string is cut off: 22 characters expected, found 19")
        assert NOBODY[-12:-3] in shown and "Join a table" in shown, shown
        program.press("\x1b[F")  # the key End: typing would replace the selection
        program.press(NOBODY[-3:])
        program.until(NOBODY[-12:])
        program.press("\x13")
        shown = program.until(NOBODY_ANSWERS)
        assert NOBODY[-12:] in shown and "Join a table" in shown, shown
    finally:
        program.close()


@pytest.mark.long(2)
@pytest.mark.parametrize("plain", [(), ("--plain",)])
def test_a_string_broken_over_lines_is_read_from_a_pipe_that_stays_open(plain: tuple[str, ...], tmp_path: Path) -> None:
    pasted = f"  {LINE[:77]}\r\n  {LINE[77:]}\r\n"
    command = [sys.executable, "-m", "tui", "join", "-", *plain]
    code = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen({command!r}, stdin=subprocess.PIPE)\n"
        f"child.stdin.write({pasted!r}.encode()); child.stdin.flush()\n"
        "sys.exit(child.wait())\n"
    )
    program = Terminal(home=tmp_path, code=code)
    try:
        assert program.wait(30) == 1
        assert b"kickdoor: nobody answers at 127.0.0.1:9" in program.bytes and b"Traceback" not in program.bytes
    finally:
        program.close()
