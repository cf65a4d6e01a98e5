"""Runs a program in a terminal, and ends with its exit code once the terminal has shown all of its output.

The first process in a terminal leads its session. When it ends, the kernel drops the output that the terminal has not
read yet. So this process outlives the program, as a shell does: it asks the terminal a question after the output, and
ends when the answer has come."""

import os
import select
import signal
import subprocess
import sys
import termios
import tty

ANSWER_S = 10.0
"""How long the terminal may take to show what it was sent."""


def main() -> int:
    """Run the program whose command line is our arguments. Return its exit code: 128 plus the signal's number if a
    signal killed it."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(number, lambda *_: None)  # the program gets them too
    code = subprocess.Popen(sys.argv[1:]).wait()
    try:
        tty.setcbreak(0)
        os.write(1, b"\x1b[6n")  # asks where the cursor is
        answer = b""
        while b"R" not in answer and select.select([0], [], [], ANSWER_S)[0]:
            answer = os.read(0, 1024)
    except (OSError, termios.error):
        pass  # the terminal is gone
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
