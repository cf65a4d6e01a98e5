"""Words for the terminal outside its cells: the title of its window, and desktop notifications.

The old title is pushed onto the terminal's own stack when the screen of the toolkit opens, and popped when it closes:
at the end, after a crash, and while the program is suspended.
"""

from collections.abc import Callable

from netcode.processes.streams import dangerous

PUSH, POP = "\x1b[22;2t", "\x1b[23;2t"
SCREEN_COMES, SCREEN_GOES = "\x1b[?1049h", "\x1b[?1049l"
"""What the toolkit writes around its screen."""
TITLE_MOST = 80
"""The most characters of a title."""
CALLS = "The table calls you."
"""The text of a notification: no word of it comes from a table."""
NOTICES = {"osc9": f"\x1b]9;kickdoor: {CALLS}\x07", "osc777": f"\x1b]777;notify;kickdoor;{CALLS}\x07"}
"""The notifications that terminals know, by the value of the setting."""


class TerminalWords:
    """The title and the notifications of one terminal. A title is written only if it has changed."""

    def __init__(self, write: Callable[[str], None], kind: str) -> None:
        """write: writes to the terminal. kind: its TERM; the Linux console has no title and shows what it does not
        know."""
        self._write = write
        self.able = kind != "linux"
        self._shown = self.title = ""

    def entitle(self, text: str) -> None:
        """Show this title, without characters that control a terminal."""
        self.title = "".join(sign for sign in text if sign != "\n" and not dangerous(sign))[:TITLE_MOST]
        if self.able and self.title != self._shown:
            self._shown = self.title
            self._write(f"\x1b]2;{self.title}\x07")

    def again(self) -> None:
        """Show the title again, since the terminal shows another one."""
        self._shown = ""
        self.entitle(self.title)

    def call(self, how: str) -> None:
        """Send the notification of this kind, if there is one."""
        if self.able and how in NOTICES:
            self._write(NOTICES[how])
