"""Pasted text is text for a field and never keys, also from a terminal that does not say what is pasted.

A terminal with bracketed paste marks what is pasted. Others (a Linux console, `screen`, a terminal in a terminal) send
it as if it were typed. Nobody types so much at once: many different characters that come in one piece are a paste.
"""

from textual.widgets import Input

from netcode.protocol.credentials import SCHEME, JoinError, parse_join

BEGIN, END = "\x1b[200~", "\x1b[201~"
"""What a terminal with bracketed paste puts around a paste."""
LEAST, DIFFERENT = 24, 8
"""A piece of at least LEAST characters, of which at least DIFFERENT differ, is a paste. A held key sends equal ones,
and nobody types so much while a slow link stands still."""
GOES_ON_S = 0.05
"""Within this time after a piece of a paste the next piece belongs to it too, however short it is."""
_ENDS = "\r\n\t"


class Pastes:
    """Marks the pastes in what a terminal sends."""

    def __init__(self) -> None:
        self._marked = False
        """Whether the terminal is within a paste that it has marked itself."""
        self._before = ""
        self._pasted_at = -GOES_ON_S

    def marked(self, data: str, now: float) -> str:
        """Return a piece of what the terminal sends, with marks around it if it is an unmarked paste. now: seconds."""
        before, seen = self._before, self._before + data
        self._before = seen[-len(BEGIN) + 1 :]
        began, ended = seen.rfind(BEGIN), seen.rfind(END)
        if began >= 0 or ended >= 0:
            self._marked = began > ended
            return data
        if self._marked or "\x1b" in before or not self._is_pasted(data, now):
            return data
        self._pasted_at = now
        return f"{BEGIN}{data}{END}"

    def _is_pasted(self, data: str, now: float) -> bool:
        if not all(sign.isprintable() or sign in _ENDS for sign in data) or not data.strip():
            return False
        if now - self._pasted_at < GOES_ON_S:
            return True
        return len(data.strip()) >= LEAST and len(set(data)) >= DIFFERENT


def one_line(text: str) -> str:
    """Return pasted text in one line: its lines with blanks between them, but a join string whole."""
    lines = [line.strip() for line in text.splitlines()]
    joined = " ".join(line for line in lines if line)
    if len(lines) < 2 or SCHEME.partition(":")[0] not in text.lower():
        return joined
    try:
        meant = parse_join(text)
    except JoinError:
        return "".join(lines)
    for found in (joined, "".join(lines)):
        try:
            if parse_join(found) == meant:
                return found
        except JoinError:
            continue
    return str(meant)


def room_in(field: Input) -> int:
    """Return how many more characters a field takes, in place of those that are selected."""
    start, end = sorted(field.selection)
    return max(0, (field.max_length or len(field.value) + 8192) - len(field.value) + end - start)
