"""Runs a program in a terminal, and ends with its exit code once the terminal has shown all of its output.

Who runs first in a terminal leads its session, and when it ends, the kernel drops what the terminal has not read yet. A
shell stays; so does this, until the terminal has answered a question that it reads behind the output."""

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
    """Run the program whose command line is this one's arguments. 128 and the number of a signal: it was killed."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(number, lambda *_: None)  # the program gets them too
    code = subprocess.Popen(sys.argv[1:]).wait()
    try:
        tty.setcbreak(0)
        os.write(1, b"\x1b[6n")  # where is the cursor?
        answer = b""
        while b"R" not in answer and select.select([0], [], [], ANSWER_S)[0]:
            answer = os.read(0, 1024)
    except (OSError, termios.error):
        pass  # the terminal is gone
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
