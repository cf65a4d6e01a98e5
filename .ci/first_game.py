"""Run the README's first command as a newcomer would, in a terminal of 80x24: decline the lesson, start a game, leave,
return, give up.

    python3 .ci/first_game.py COMMAND FOLDER

COMMAND installs the program and starts a game; a shell runs it in FOLDER. This file needs pyte, which emulates the
terminal: the program writes only the cells that differ. It exits with 1, and prints what the terminal showed last, if
anything takes too long or looks different.
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

import pyte

ROWS, COLUMNS = 24, 80
INSTALL_S, SCREEN_S, PRESSES = 420.0, 30.0, 10
"""How long the installation and each screen may take, in s; how often a key is pressed in SCREEN_S."""
ESCAPES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles and other strings for the terminal
    r"|\x1bP.*?\x1b\\"  # questions to the terminal
    r"|\x1b\[[0-9:;<=>?]*[ -/]*[@-~]"  # colours, cursor positions, modes
    r"|\x1b[@-Z\\-_=>78]"
)
TO_SHELL = "\x1b[?1049l"
"""What a program writes that gives the terminal back to the shell."""
QUIT, ENTER = "\x11", "\r"
ASKS_AGAIN = "BE READY ALL THE SAME?"
"""The question if more cards could be laid out."""


class Trouble(Exception):
    """The terminal did not show what it should; the message says what it showed."""


class Terminal:
    """A command in a pseudo-terminal, what that shows, and what the command has written."""

    def __init__(self, command: str, folder: str) -> None:
        self.raw = ""
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            os.chdir(folder)
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8")
            os.execvp("bash", ["bash", "-c", command])

    @property
    def last_words(self) -> str:
        """What has been written since the program gave the terminal back, without escape sequences."""
        return ESCAPES.sub("", self.raw.rpartition(TO_SHELL)[2]) if TO_SHELL in self.raw else ""

    @property
    def text(self) -> str:
        """What is to be read: on the screen, and after it."""
        return "\n".join([*self.screen.display, self.last_words])

    def _read(self, seconds: float) -> bool:
        """Read output for at most this long, in s. Return False once the command has closed its terminal."""
        if select.select([self.fd], [], [], seconds)[0]:
            try:
                data = os.read(self.fd, 65536)
            except OSError:  # Linux raises EIO when no process holds the other end
                return False
            self.stream.feed(data)
            self.raw += data.decode("utf-8", "replace")
            return bool(data)
        return True

    def wait_for(self, words: str, seconds: float = SCREEN_S) -> None:
        """Wait until the words are shown. Raise Trouble if they are not, within `seconds`."""
        end = time.monotonic() + seconds
        while words not in self.text:
            if time.monotonic() > end:
                raise Trouble(f"{words!r} was not shown within {seconds:.0f} s; the last was:\n{self.text[-2000:]}")
            if not self._read(0.2):
                raise Trouble(f"it ended before {words!r} was shown; the last was:\n{self.text[-2000:]}")

    def press(self, key: str, *words: str) -> str:
        """Press a key until one of the words is shown, and return it. Raise Trouble if none is shown.

        One press may not be enough: right after a question has changed, the screen ignores answers to it."""
        for _ in range(PRESSES):
            os.write(self.fd, key.encode())
            end = time.monotonic() + SCREEN_S / PRESSES
            while not any(word in self.text for word in words) and time.monotonic() < end and self._read(0.2):
                continue
            for word in words:
                if word in self.text:
                    return word
        raise Trouble(f"{key!r} did not lead to {' or '.join(words)}; the last was:\n{self.text[-2000:]}")

    def end(self) -> str:
        """Wait until the command ends, and return its last output. Raise Trouble if its exit code is not 0."""
        end = time.monotonic() + SCREEN_S
        while self._read(0.2):
            if time.monotonic() > end:
                raise Trouble(f"it did not end within {SCREEN_S:.0f} s; the last was:\n{self.text[-2000:]}")
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        if code != 0:
            raise Trouble(f"exit code {code}, not 0; the last was:\n{self.text[-2000:]}")
        return self.last_words


def leave(terminal: Terminal, choice: str, asked_again: str, words: str) -> str:
    """Press Ctrl+Q, answer its question (and confirm the answer, if it is asked again), wait for these words, and
    return the last output of the program."""
    terminal.press(QUIT, "LEAVE THE TABLE?")
    if asked_again:
        terminal.press(choice, asked_again)
        terminal.press(ENTER, words)
    else:
        terminal.press(choice, words)
    return terminal.end()


def first_game(command: str, folder: str) -> None:
    """Install, decline the lesson, start a game, play first cards, leave, return, give the seat up."""
    began = time.monotonic()
    table = Terminal(command, folder)
    table.wait_for("New here?", INSTALL_S)
    table.press("n", "FIRST CARDS")
    print(f"first command: the table was shown after {time.monotonic() - began:.0f} s", flush=True)
    if table.press("y", ASKS_AGAIN, "Turn 1 ") == ASKS_AGAIN:
        table.press(ENTER, "Turn 1 ")
    farewell = leave(table, "1", "", "To resume: ")
    _, again, options = farewell.partition("kickdoor play ")
    print("first command: left with exit code 0, told how to return", flush=True)
    returned = Terminal(f".venv/bin/{again}{options.strip()}", folder)
    returned.wait_for("Turn 1 ")
    leave(returned, "2", "GIVE YOUR SEAT UP", "You gave your seat up")
    print("first command: returned to the same table, gave the seat up, exit code 0", flush=True)


if __name__ == "__main__":
    try:
        first_game(sys.argv[1], sys.argv[2])
    except Trouble as trouble:
        sys.exit(f"first command: {trouble}")
