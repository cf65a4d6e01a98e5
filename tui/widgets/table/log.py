"""The log and the talk as lines: by turn, each line with the shape of its seat, amounts in a column on the right, and a
mark on lines that touch the reader. Pure."""

from collections.abc import Sequence

from rich.cells import cell_len

from tui.scene.cells import Line, Span, clean, shorten, wrap
from tui.scene.scene import LogLine, Scene, seat_colour, shape

NAMES = 34
"""From this width on a line names its seat; narrower lines have only the shape."""


# ------------------------------------------------------------------------------------------------------------- one line
def lines_of(scene: Scene, entry: LogLine, width: int) -> list[Line]:
    """Return an entry wrapped to the width; the first of its lines has the amount."""
    if entry.kind == "turn":
        return [heading(scene, turn_words(scene, entry), width)]
    if entry.kind == "talk":
        return talk_lines(scene, entry, width)
    text = entry.text.replace(entry.said, "", 1) if entry.said else entry.text
    if entry.who and width < NAMES:
        rest = text.removeprefix(entry.who).strip()
        text = text if rest.startswith("are ") else rest  # "are male" alone is no sentence
    style = "oneshot" if entry.kind == "note" else "bold" if entry.yours else ""
    sign: Span = ("  ", "")
    if entry.seat >= 0:
        sign = f"{shape(entry.seat, scene.glyphs.ascii)} ", seat_colour(entry.seat)
    bar: Span = ("!" if scene.glyphs.ascii else "▌", "gold") if entry.yours else (" ", "")
    tail = len(entry.amount) + 1 if entry.amount else 0
    texts = wrap(text, max(8, width - 3 - tail), scene.glyphs, "  ")
    found: list[Line] = []
    for at, part in enumerate(texts or [""]):
        start: tuple[Span, ...] = (bar, sign) if at == 0 else (bar, ("  ", ""))
        if at == 0 and entry.amount:
            blanks = " " * (width - 3 - cell_len(part) - len(entry.amount))
            found.append((*start, (part, style), (blanks, ""), (entry.amount, f"bold {entry.style}")))
        else:
            found.append((*start, (part, style)))
    return found


def talk_lines(scene: Scene, entry: LogLine, width: int) -> list[Line]:
    """Return what somebody said: shape and name in the colour of the seat, then the words."""
    who, _, words = entry.text.partition(":") if entry.who else ("", "", entry.text)
    who = "You" if entry.seat == scene.me and entry.seat >= 0 else clean(entry.who.removesuffix(":"), scene.glyphs)
    name = f"{shape(entry.seat, scene.glyphs.ascii)} {who}" if who else ""
    colour = f"bold {seat_colour(entry.seat)}"
    texts = wrap(f"{name} {words.strip()}" if name else words, width - 1, scene.glyphs, "  ")
    found: list[Line] = []
    for at, part in enumerate(texts):
        if at == 0 and name and part.startswith(name):
            found.append(((" ", ""), (name, colour), (part[len(name) :], "")))
        else:
            found.append(((" ", ""), (part, "")))
    return found


def turn_words(scene: Scene, entry: LogLine) -> str:
    """Return the heading of a turn: `Turn 29 · Cyril`."""
    turn, _, rest = entry.text.partition(": ")
    if entry.seat == scene.me and entry.seat >= 0 and entry.who:
        rest = f"You{rest.removeprefix(entry.who)}"
    return f"{turn} {scene.glyphs.dot} {rest}" if rest else turn


def heading(scene: Scene, words: str, width: int) -> Line:
    """Return a rule with words on the left."""
    sign = scene.glyphs.rule
    words = shorten(words, max(1, width - 5), scene.glyphs)
    return (" ", ""), (f"{sign} ", "line"), (words, "dim"), (f" {sign * max(0, width - 4 - cell_len(words))}", "line")


# -------------------------------------------------------------------------------------------------------------- by turn
def in_order(scene: Scene, entries: Sequence[LogLine], width: int) -> list[Line]:
    """Return entries in order of time."""
    return [line for entry in entries for line in lines_of(scene, entry, width)]


def newest(scene: Scene, entries: Sequence[LogLine], width: int, rows: int) -> list[Line]:
    """Return the last lines of the log in order of time, as many as there are rows; if their turn began earlier, its
    heading stands on top, and no entry is cut at its beginning."""
    found: list[Line] = []
    at = len(entries)
    while at > 0:
        more = lines_of(scene, entries[at - 1], width)
        if len(found) + len(more) > rows:
            break
        found = more + found
        at -= 1
    if at > 0 and rows > 2 and entries[at : at + 1] and entries[at].kind != "turn":
        return _under_heading(scene, entries, at, width, rows)
    return found


def _under_heading(scene: Scene, entries: Sequence[LogLine], at: int, width: int, rows: int) -> list[Line]:
    """Return the last lines below the heading of the turn in which they begin. at: the first entry that fitted."""
    head = next((entry for entry in reversed(entries[:at]) if entry.kind == "turn"), None)
    if head is None:
        return in_order(scene, entries[at:], width)
    lines = in_order(scene, entries[at:], width)
    while at < len(entries) and len(lines) >= rows:
        lines = lines[len(lines_of(scene, entries[at], width)) :]
        at += 1
    if entries[at : at + 1] and entries[at].kind == "turn":
        return lines
    return [*lines_of(scene, head, width), *lines]


def events_of(log: Sequence[LogLine]) -> list[LogLine]:
    """Return the log without talk."""
    return [entry for entry in log if entry.kind != "talk"]


def since_last_turn(scene: Scene) -> tuple[LogLine, ...]:
    """Return the log since the end of the player's last finished turn, or since their last act if that was before it;
    all of this game, if there is no such turn."""
    log = scene.log[scene.earlier :]
    turns = [at for at, entry in enumerate(log) if entry.kind == "turn"]
    for ended, begun in zip(reversed(turns[1:]), reversed(turns[:-1]), strict=True):
        if log[begun].seat == scene.me:
            return log[min(ended, max(0, len(log) - scene.unread)) :]
    return log
