"""The display of an app as an SVG picture, cell by cell: one picture, or a moving one of several frames.

Blocks and half blocks are rectangles, everything else is text in a monospaced type that is set cell by cell, so that a
picture looks the same with every font. A moving picture needs no script: parts that do not change are drawn once, and
all others are shown and hidden by keyframes of CSS.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.style import Style
from textual.app import App

CELL = (8.4, 16.0)
"""The width and height of a cell, in the units of the picture."""
TYPE = 14
BASE = 12.2
"""The distance of letters from the upper edge of a cell."""
CHUNK = 20
"""A moving picture shows and hides pieces of rows of this many columns."""
MARGIN = 8
BLOCKS = {"█": (0.0, 0.0, 1.0, 1.0), "▀": (0.0, 0.0, 1.0, 0.5), "▄": (0.0, 0.5, 1.0, 0.5), "▌": (0.0, 0.0, 0.5, 1.0),
          "▐": (0.5, 0.0, 0.5, 1.0)}  # fmt: skip
"""The filled part of a block, as shares of the cell: left, top, width, height."""


@dataclass(frozen=True)
class Cell:
    """One cell. sign: "" for the second half of a wide one."""

    sign: str
    ink: str
    ground: str
    bold: bool


Row = tuple[Cell, ...]


def cells_of(app: App[Any]) -> list[Row]:
    """Return the cells that an app shows, row by row."""
    ground = _hex(app.screen.background_colors[1].rich_color, "#000000")
    rows = []
    for strip in app.screen._compositor.render_strips():
        row: list[Cell] = []
        for text, style, _ in strip:
            ink, under, bold = _look(style or Style(), ground)
            for sign in text:
                size = cell_len(sign)
                if size == 0 and row:
                    last = row[-1]
                    row[-1] = Cell(last.sign + sign, last.ink, last.ground, last.bold)
                    continue
                row.append(Cell(sign, ink, under, bold))
                row += [Cell("", ink, under, bold)] * (size - 1)
        rows.append(tuple(row))
    return rows


def _look(style: Style, ground: str) -> tuple[str, str, bool]:
    ink, under = _hex(style.color, "#ffffff"), _hex(style.bgcolor, ground)
    return (under, ink, bool(style.bold)) if style.reverse else (ink, under, bool(style.bold))


def _hex(colour: Any, otherwise: str) -> str:
    if colour is None or colour.is_default:
        return otherwise
    return str(colour.get_truecolor().hex)


# ------------------------------------------------------------------------------------------------------------- drawing
Piece = tuple[int, int, Row]
"""A piece of a row: the column and the row at which it begins, its cells."""


class _Sheet:
    """Draws pieces; colours are classes, whose rules `style` returns."""

    def __init__(self, ground: str) -> None:
        self._ground = ground
        self._names: dict[str, str] = {}

    def _name(self, colour: str) -> str:
        return self._names.setdefault(colour, f"c{len(self._names)}")

    def style(self) -> str:
        """Return the rules of the colours that were used."""
        return "".join(f".{name}{{fill:{colour}}}" for colour, name in self._names.items())

    def draw(self, pieces: Sequence[Piece]) -> str:
        """Return these pieces: the grounds, a path for each colour; the blocks on them; the letters."""
        grounds: dict[str, list[str]] = {}
        blocks: dict[str, list[str]] = {}
        for x, y, row in pieces:
            for at, many, cell in _runs(row, lambda cell: cell.ground):
                if cell.ground != self._ground:
                    grounds.setdefault(cell.ground, []).append(_rect(x + at, y, many, 1))
            for at, many, cell in _runs(row, lambda cell: (cell.sign, cell.ink) if cell.sign in BLOCKS else None):
                if cell.sign in BLOCKS and cell.ink != cell.ground:
                    blocks.setdefault(cell.ink, []).extend(_block(x + at, y, many, cell.sign))
        paths = [f'<path class="{self._name(colour)}" d="{"".join(parts)}"/>'
                 for found in (grounds, blocks) for colour, parts in found.items()]  # fmt: skip
        scaled = f'<g transform="scale({CELL[0]:g} {CELL[1]:g})" shape-rendering="crispEdges">{"".join(paths)}</g>'
        texts = "".join(text for x, y, row in pieces for text in self._texts(row, x, y))
        return (scaled if paths else "") + texts

    def _texts(self, row: Row, x: int, y: int) -> Iterator[str]:
        for at, many, cell in _runs(row, _letters):
            text = "".join(one.sign for one in row[at : at + many])
            if cell.sign in BLOCKS or not text.strip():
                continue
            start = at + len(text) - len(text.lstrip())
            text = text.strip()
            bold = ' font-weight="bold"' if cell.bold else ""
            yield (f'<text x="{(x + start) * CELL[0]:g}" y="{y * CELL[1] + BASE:g}" class="{self._name(cell.ink)}"'
                   f'{bold} textLength="{cell_len(text) * CELL[0]:g}">{escape(text)}</text>')  # fmt: skip


def _rect(x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle of cells as a part of a path."""
    return f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z"


def _block(x: int, y: int, many: int, sign: str) -> list[str]:
    """Return this many equal blocks side by side."""
    left, top, width, height = BLOCKS[sign]
    if width == 1:
        return [_rect(x, y + top, many, height)]
    return [_rect(x + step + left, y, width, height) for step in range(many)]


def _letters(cell: Cell) -> object:
    """Return the common style of the cells of one text; blanks belong to the text before them."""
    return "block" if cell.sign in BLOCKS else (cell.ink, cell.bold)


def _runs(row: Row, key: Any) -> Iterator[tuple[int, int, Cell]]:
    """Yield the place, the length and the first cell of each run of cells that share this value."""
    start = 0
    for at in range(1, len(row) + 1):
        if at == len(row) or key(row[at]) != key(row[start]):
            yield start, at - start, row[start]
            start = at


def _document(columns: int, rows: int, title: str, ground: str, style: str, body: str) -> str:
    width, height = columns * CELL[0] + 2 * MARGIN, rows * CELL[1] + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
        f' height="{height:g}" font-size="{TYPE}" xml:space="preserve"'
        f' font-family="DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace"><title>{escape(title)}</title>'
        f"<style>text{{white-space:pre}}{style}</style>"
        f'<rect width="100%" height="100%" rx="6" fill="{ground}"/>'
        f'<g transform="translate({MARGIN} {MARGIN})">{body}</g></svg>\n'
    )


def _commonest(frames: Sequence[Sequence[Row]]) -> str:
    grounds = [cell.ground for row in frames[0] for cell in row]
    return max(set(grounds), key=grounds.count)


def picture(rows: Sequence[Row], title: str) -> str:
    """Return one picture."""
    ground = _commonest([rows])
    sheet = _Sheet(ground)
    body = sheet.draw([(0, y, row) for y, row in enumerate(rows)])
    return _document(len(rows[0]), len(rows), title, ground, sheet.style(), body)


def moving(frames: Sequence[tuple[Sequence[Row], float]], title: str) -> str:
    """Return a moving picture, which begins again after its end. frames: pictures with their durations (s)."""
    ground = _commonest([rows for rows, _ in frames])
    sheet = _Sheet(ground)
    pieces: dict[Piece, list[int]] = {}
    for number, (rows, _) in enumerate(frames):
        for y, row in enumerate(rows):
            for x in range(0, len(row), CHUNK):
                pieces.setdefault((x, y, row[x : x + CHUNK]), []).append(number)
    times: dict[tuple[int, ...], str] = {tuple(range(len(frames))): ""}
    groups: dict[str, list[Piece]] = {}
    for piece, shown in pieces.items():
        groups.setdefault(times.setdefault(tuple(shown), f"k{len(times)}"), []).append(piece)
    body = "".join(f'<g class="{name}">{sheet.draw(parts)}</g>' if name else sheet.draw(parts)
                   for name, parts in groups.items())  # fmt: skip
    lasts = [seconds for _, seconds in frames]
    rules = "".join(_keyframes(name, shown, lasts) for shown, name in times.items() if name)
    rows = frames[0][0]
    return _document(len(rows[0]), len(rows), title, ground, sheet.style() + rules, body)


def _keyframes(name: str, shown: tuple[int, ...], seconds: Sequence[float]) -> str:
    """Return the rule that shows a group in these frames only."""
    total, steps, now = sum(seconds), [], 0.0
    before: bool | None = None
    for number, lasts in enumerate(seconds):
        visible = number in shown
        if visible != before:
            steps.append(f"{100 * now / total:.2f}%{{visibility:{'visible' if visible else 'hidden'}}}")
        before, now = visible, now + lasts
    return (
        f"@keyframes {name}{{{''.join(steps)}}}"
        f".{name}{{visibility:hidden;animation:{name} {total:g}s steps(1,end) infinite}}"
    )
