"""Styled lines of text, fitted to a width in terminal cells, and the two glyph sets. Imports no Textual.

A line is a tuple of spans; a span is (text, style). What a style can be is in tui/widgets/pane.py; ""
is plain. It may be followed by `|` and the key that a click on the span presses. All widths are terminal cells.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct
from rich.cells import cell_len, chop_cells, set_cell_size

Span = tuple[str, str]
Line = tuple[Span, ...]


class Glyphs(Struct, frozen=True):
    """The characters the screen is drawn with. `mark` shows that something was cut off."""

    ascii: bool
    rule: str
    double: str
    bar: str
    mark: str
    full: str
    empty: str
    arrow: str
    dot: str


UNICODE = Glyphs(False, "─", "═", "│", "…", "█", "░", "→", "·")
ASCII = Glyphs(True, "-", "=", "|", "~", "#", ".", ">", ".")

_ASCII = {"…": "~", "→": ">", "—": "-", "–": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "·": ".", "×": "x", "−": "-"}


def clean(text: str, glyphs: Glyphs) -> str:
    """Return the text without control and zero-width characters; with the ASCII glyphs, in ASCII only."""
    if text.isascii() and text.isprintable():
        return text
    return _cleaned(text, glyphs.ascii)


@lru_cache(maxsize=4096)
def _cleaned(text: str, ascii_only: bool) -> str:
    if ascii_only:
        text = unicodedata.normalize("NFKD", "".join(_ASCII.get(sign, sign) for sign in text))
        kept = (sign for sign in text if not unicodedata.combining(sign))
        return "".join(sign if sign.isascii() and sign.isprintable() else "?" for sign in kept if not _invisible(sign))
    return "".join(sign for sign in text if not _invisible(sign))


def _invisible(sign: str) -> bool:
    return unicodedata.category(sign)[0] == "C" or (cell_len(sign) == 0 and sign != "")


def shorten(text: str, width: int, glyphs: Glyphs) -> str:
    """Return the text in at most `width` cells; a longer text is cut and ends in the mark."""
    text = clean(text, glyphs)
    if (text.isascii() and len(text) <= width) or cell_len(text) <= width:
        return text
    if width <= 0:
        return ""
    return set_cell_size(text, width - 1).rstrip() + glyphs.mark


def apart(text: str, others: Iterable[str], width: int, glyphs: Glyphs) -> str:
    """Return the text in at most `width` cells. Where another text would look the same, the mark stands in the middle
    of both, before their ends."""
    short = shorten(text, width, glyphs)
    if not short or short == clean(text, glyphs):
        return short
    if all(shorten(other, width, glyphs) != short for other in others if other != text):
        return short
    text, kept = clean(text, glyphs), width // 2
    end = next(text[at:] for at in range(len(text) + 1) if cell_len(text[at:]) <= kept)
    return f"{set_cell_size(text, width - 1 - cell_len(end)).rstrip()}{glyphs.mark}{end}"


def whole_words(text: str, width: int, glyphs: Glyphs) -> str:
    """Return the text with each word that is wider than a line cut and marked, so that none breaks over two lines."""
    return " ".join(shorten(word, width, glyphs) for word in clean(text, glyphs).split())


def fit(text: str, width: int, glyphs: Glyphs) -> str:
    """Return the text in exactly `width` cells: shortened, or padded with blanks."""
    text = shorten(text, width, glyphs)
    return text + " " * (width - cell_len(text))


def plain(line: Line) -> str:
    """Return the text of a line, without styles."""
    return "".join(text for text, _ in line)


def length(line: Line) -> int:
    """Return the width of a line in cells."""
    return sum(cell_len(text) for text, _ in line)


def clip(line: Line, width: int, glyphs: Glyphs) -> Line:
    """Return the line in exactly `width` cells: cut with a mark, or padded with blanks."""
    spans = tuple((clean(text, glyphs), style) for text, style in line)
    total = length(spans)
    if total <= width:
        return (*spans, (" " * (width - total), "")) if total < width else spans
    cut: list[Span] = []
    left = width
    for text, style in spans:
        size = cell_len(text)
        if size < left:
            cut.append((text, style))
            left -= size
            continue
        short = set_cell_size(text, left - 1).rstrip() + glyphs.mark
        cut.append((short + " " * (left - cell_len(short)), style))
        break
    return tuple(cut)


def spread(left: Line, right: Line, width: int, glyphs: Glyphs) -> Line:
    """Return one line of `width` cells with text on the left and on the right; the left text is cut if needed."""
    right = tuple((clean(text, glyphs), style) for text, style in right)
    room = width - length(right)
    if room < 8:
        return clip((*left, (" ", ""), *right), width, glyphs)
    return (*clip(left, room, glyphs), *right)


def block(lines: list[Line], width: int, height: int, glyphs: Glyphs) -> list[Line]:
    """Return exactly `height` lines of exactly `width` cells; if lines are left out, the last line says how many."""
    if len(lines) > height:
        hidden = len(lines) - height + 1
        lines = [*lines[: height - 1], ((f"{glyphs.mark} {hidden} more lines", "dim"),)]
    blank: Line = ()
    return [clip(line, width, glyphs) for line in lines + [blank] * (height - len(lines))]


def rule(title: str, right: str, width: int, glyphs: Glyphs, style: str = "head", double: bool = False) -> Line:
    """Return a horizontal rule with a title on the left and words on the right: the heading of a region."""
    sign = glyphs.double if double else glyphs.rule
    tail = f" {clean(right, glyphs)} {sign}" if right else ""
    room = width - cell_len(tail) - 4
    if room < 8:
        tail, room = "", width - 4
    head = f"{sign * 2} {shorten(title, room, glyphs)} " if title else ""
    return ((head + sign * max(0, width - cell_len(head) - cell_len(tail)) + tail, style),)


def wrap(text: str, width: int, glyphs: Glyphs, indent: str = "") -> list[str]:
    """Return the text in lines of at most `width` cells, broken between words; later lines begin with `indent`. A
    number stays with its percent sign."""
    lines: list[str] = []
    line = ""
    for word in _words(clean(text, glyphs)):
        for piece in _pieces(word, max(1, width - len(indent))):
            start = indent if lines or line else ""
            if not line:
                line = start + piece if lines else piece
            elif cell_len(line) + 1 + cell_len(piece) <= width:
                line += " " + piece
            else:
                lines.append(line)
                line = indent + piece
    return [*lines, line] if line else lines


def _words(text: str) -> list[str]:
    """Return the parts that no line break may split: words, and numbers with their percent sign."""
    if " %" not in text:
        return text.split()
    return [word.replace(_KEPT, " ") for word in re.sub(r"(?<=\d) %", f"{_KEPT}%", text).split()]


_KEPT = "\0"
"""Stands for a blank at which no line is broken; cleaned text has none."""


def _pieces(word: str, width: int) -> list[str]:
    return [word] if cell_len(word) <= width else chop_cells(word, width)


def flow(parts: Iterable[Line], width: int, rows: int, glyphs: Glyphs, gap: str = "   ") -> tuple[list[Line], int]:
    """Put parts side by side, in order, in at most `rows` lines. Return the lines and how many parts fitted."""
    lines: list[list[Span]] = [[]]
    used = taken = 0
    for part in parts:
        size = length(part)
        need = size + (len(gap) if lines[-1] else 0)
        if used + need > width and lines[-1]:
            if len(lines) == rows:
                break
            lines.append([])
            used, need = 0, size
        if lines[-1]:
            lines[-1].append((gap, ""))
        lines[-1].extend(part)
        used += need
        taken += 1
    return [tuple(line) for line in lines], taken


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 Treasure`, `3 Treasures`. many: the plural, if it is not `one` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
