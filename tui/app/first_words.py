"""The first words on the terminal: they stand there before the toolkit is loaded, which takes most of the start.

The app takes them over as they are: it knows each cell (thrift.py), so it writes only what it changes. Until then keys
are kept for it and not shown, and whatever ends the program gives the terminal back.
"""

import os
import shutil
import signal
import sys
from collections.abc import Mapping

from tui.app.thrift import Mirror
from tui.config.keymap import shown_keys
from tui.config.palette import OWN, tokens
from tui.config.settings import Settings
from tui.scene.cells import Glyphs, Line, clip, glyphs_for, wrap

STARTING, CONNECTING, LOADING = "Starting the table..", "Connecting..", "Loading the recording.."
FIRST = {"play": STARTING, "join": CONNECTING, "watch": CONNECTING, "lobby": CONNECTING, "replay": LOADING}
"""The words with which the app begins, by where it starts."""
ALTERNATE, HIDDEN = "\x1b[?1049h", "\x1b[?25l"
"""The terminal's second screen, and no cursor."""
BACK = "\x1b[?1049l\x1b[?25h"
ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that end the program: the first as Ctrl+C does everywhere, the others at once."""


def waiting_lines(text: str, leave: str, size: tuple[int, int], glyphs: Glyphs) -> list[Line]:
    """Return the lines of a screen with one sentence. leave: how the key that leaves is written; size: columns and
    rows."""
    width, height = size
    lines: list[Line] = [(), *(((f"  {row}", ""),) for row in wrap(text, width - 4, glyphs))]
    lines.append(((f"  {leave} leaves.", "dim"),))
    return [clip(line, width, glyphs) for line in (lines + [()] * height)[:height]]


USUAL = (signal.SIG_DFL, signal.default_int_handler)
"""How these signals are handled if nobody has ordered otherwise (nohup ignores one)."""


class FirstWords:
    """Words on the terminal. mirror: what is known of its cells; it holds all frames back until the app releases it."""

    def __init__(self, text: str, settings: Settings) -> None:
        """Write them. Raises ValueError if the player's keys cannot be used, OSError if there is no terminal."""
        import termios

        self.mirror = Mirror()
        self._size = shutil.get_terminal_size()
        glyphs = glyphs_for(settings.ascii, os.environ)
        leave = shown_keys(settings.keymap())["app.leave"]
        lines = waiting_lines(text, leave, self._size, glyphs)
        coarse, colours = _colours(settings.theme, os.environ)
        cells = self.mirror.less(_frame(lines, self._size[0], colours), coarse)
        self.mirror.held = True
        try:
            self._modes = termios.tcgetattr(0)
        except termios.error as problem:
            raise OSError(str(problem)) from None
        self._shown = True
        self._handled = {
            number: usual for name in ENDING if (usual := signal.getsignal(number := getattr(signal, name))) in USUAL
        }
        for number in self._handled:
            signal.signal(number, self._end)
        quiet = termios.tcgetattr(0)
        quiet[0] &= ~termios.IXON  # ^Q and ^Z are keys of the app
        quiet[3] &= ~(termios.ECHO | termios.ICANON)
        quiet[6][termios.VSUSP] = b"\0"
        termios.tcsetattr(0, termios.TCSANOW, quiet)
        _write(f"{ALTERNATE}{HIDDEN}{cells}")

    def hand_over(self, size: tuple[int, int]) -> None:
        """Leave the screen to the app, which shows all else. size: columns and rows as the app finds them."""
        self._let_go()
        if size != self._size:
            self.mirror.forget()

    def remove(self) -> None:
        """Give the terminal back as it was, unless the app has it."""
        if self._shown:
            _write(BACK)
            self._let_go()

    def _let_go(self) -> None:
        if not self._shown:
            return
        import termios

        self._shown = False
        termios.tcsetattr(0, termios.TCSANOW, self._modes)
        for number, usual in self._handled.items():
            signal.signal(number, usual)

    def _end(self, number: int, frame: object) -> None:
        self.remove()
        signal.raise_signal(number)


def show_first_words(text: str, settings: Settings) -> FirstWords | None:
    """Write these words on the terminal. None: not there, since this is no terminal that takes them."""
    if os.name != "posix" or not os.isatty(2):
        return None
    try:
        return FirstWords(text, settings)
    except (OSError, ValueError):
        return None  # the app says what is wrong


def _write(text: str) -> None:
    if sys.__stderr__ is not None:
        sys.__stderr__.write(text)
        sys.__stderr__.flush()


def _frame(lines: list[Line], width: int, colours: Mapping[str, str]) -> str:
    """Return lines as a frame of the toolkit. colours: the codes of styles; without them, as the terminal has them."""
    rows = []
    for y, line in enumerate(lines, 1):
        used = sum(len(text) for text, _ in line)
        spans = [*line, (" " * (width - used), "")]
        text = "".join(f"\x1b[{colours.get(style, '')}m{text}\x1b[0m" for text, style in spans if text)
        rows.append(f"\x1b[{y};1H{text}")
    return "".join(rows)


def _colours(theme: str, environment: Mapping[str, str]) -> tuple[bool, dict[str, str]]:
    """Return whether the terminal has 256 colours only, and the codes of plain and dim text on the ground of the theme.
    No codes: the terminal has fewer, or the theme is not ours, whose colours are not known yet."""
    true = environment.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit")
    coarse = environment.get("TERM", "").endswith("-256color")
    if theme not in OWN or "NO_COLOR" in environment or not (true or coarse):
        return False, {}
    found = tokens(theme)
    codes = {name: ";".join(str(int(found[name][at : at + 2], 16)) for at in (1, 3, 5)) for name in found}
    styles = {"": "text", "dim": "dim"}
    return not true, {style: f"38;2;{codes[name]};48;2;{codes['ground']}" for style, name in styles.items()}
