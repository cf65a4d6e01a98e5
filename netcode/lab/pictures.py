"""Charts for an HTML page: SVG with text, no script. Colours are classes of the page's style."""

from collections.abc import Mapping, Sequence
from html import escape

from msgspec import Struct

WIDTH, LABEL, VALUE, ROW = 760, 240, 160, 24
"""Sizes of a chart: its width, room for labels and for values at its sides, the height of a row."""
HEIGHT, LEFT, BOTTOM, KEY = 300, 46, 40, 130
"""Sizes of a chart with two axes: its height, room for their labels, and for the names of its lines."""
COLOURS = 6
"""Lines have the classes c0 to c5 of the page's style."""


class Bar(Struct, frozen=True):
    """A row of a chart: a share or a difference, its text, and its interval if it has one."""

    label: str
    value: float
    words: str
    low: float | None = None
    high: float | None = None


def bars(title: str, rows: Sequence[Bar], ends: tuple[float, float], zero: float) -> str:
    """Return rows of bars. ends: the values at the left and right edges; zero: where bars begin, marked by a line."""
    room, (least, most) = WIDTH - LABEL - VALUE, ends

    def at(value: float) -> float:
        return LABEL + room * (min(max(value, least), most) - least) / (most - least)

    height = ROW * len(rows) + 8
    parts = [_line(at(zero), 0, at(zero), height, "axis")]
    for number, row in enumerate(rows):
        top, middle = ROW * number + 4, ROW * number + 4 + ROW / 2
        left, right = sorted((at(zero), at(row.value)))
        parts.append(_text(LABEL - 8, middle, row.label, "end"))
        parts.append(f'<rect class="bar" x="{left:.1f}" y="{top + 4}" width="{right - left:.1f}" height="{ROW - 8}"/>')
        if row.low is not None and row.high is not None:
            parts.append(_line(at(row.low), middle, at(row.high), middle, "interval"))
        parts.append(_text(WIDTH - VALUE + 8, middle, row.words, "start"))
    return _picture(title, height, parts)


def curves(title: str, lines: Mapping[str, Sequence[float]], top: float, across: str) -> str:
    """Return lines of values from 1 on the left. top: the highest value; across: the label of the axis below."""
    longest = max((len(line) for line in lines.values()), default=1)
    right, below = WIDTH - KEY, HEIGHT - BOTTOM

    def at(number: int, value: float) -> tuple[float, float]:
        return LEFT + (right - LEFT) * number / max(1, longest - 1), below - (below - 10) * value / top

    parts = []
    for tenth in range(0, 11, 2):
        _, y = at(0, top * tenth / 10)
        parts += [_line(LEFT, y, right, y, "grid"), _text(LEFT - 6, y, f"{top * tenth / 10:g}", "end")]
    for number in range(0, longest, max(1, longest // 10)):
        parts.append(_text(at(number, 0)[0], below + 14, str(number + 1), "middle"))
    parts.append(_text((LEFT + right) / 2, HEIGHT - 8, across, "middle"))
    for number, (name, line) in enumerate(lines.items()):
        points = [at(*point) for point in enumerate(line)]
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="line c{number % COLOURS}" points="{way}"/>')
        if points:
            key = 20 + 20 * number
            parts.append(f'<rect class="c{number % COLOURS}" x="{right + 12}" y="{key - 5}" width="10" height="10"/>')
            parts.append(_text(right + 28, key, name, "start"))
    return _picture(title, HEIGHT, parts)


def columns(title: str, counts: Sequence[tuple[str, int]], across: str) -> str:
    """Return columns side by side, each with its label. across: the meaning of the labels."""
    most, below = max((count for _, count in counts), default=1) or 1, HEIGHT - BOTTOM
    step = (WIDTH - LEFT) / max(1, len(counts))
    parts = [_line(LEFT, below, WIDTH, below, "axis")]
    every = max(1, len(counts) // 20)
    for number, (label, count) in enumerate(counts):
        height = (below - 20) * count / most
        x = LEFT + step * number
        parts.append(
            f'<rect class="bar" x="{x + 1:.1f}" y="{below - height:.1f}" width="{max(1, step - 2):.1f}" '
            f'height="{height:.1f}"/>'
        )
        if number % every == 0:
            parts.append(_text(x + step / 2, below + 14, label, "middle"))
    parts += [_text(LEFT - 6, 20, str(most), "end"), _text((LEFT + WIDTH) / 2, HEIGHT - 8, across, "middle")]
    return _picture(title, HEIGHT, parts)


def _picture(title: str, height: float, parts: Sequence[str]) -> str:
    head = f'<svg viewBox="0 0 {WIDTH} {height}" role="img" xmlns="http://www.w3.org/2000/svg">'
    return "\n".join([head, f"<title>{escape(title)}</title>", *parts, "</svg>"])


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
