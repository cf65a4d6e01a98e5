"""`kickdoor cards gallery`: every card of the sets with its face on one page, in the terminal or as an SVG picture."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from textwrap import wrap

from rich.color import Color
from rich.console import Console
from rich.segment import Segment
from rich.style import Style

from core.language.catalog import Catalog
from core.language.definition import Def
from tui.portraits.choose import portraits_of
from tui.portraits.drawings import EMBLEM, LARGE, SMALL
from tui.portraits.palettes import Colour
from tui.portraits.pixels import FEW_COLOURS, HALF_BLOCK, Cell, Pixels, Portrait, cells, pixels

GAP = 2
"""Columns between two portraits."""
NAME_ROWS = 2
SVG_COLUMNS = 12
DOT = 4
"""The side of a pixel in an SVG picture, in its units."""
LETTER, LINE = 6.2, 12
"""Width of a letter and height of a line of a name in an SVG picture."""
GROUND, TEXT = "#14100d", "#f4ebdc"

Shown = tuple[Def, Portrait]


def gallery(catalog: Catalog, kind: str | None = None) -> list[tuple[str, list[Shown]]]:
    """Return the cards of each set with their portraits: (name of the set, cards in the order of the pack)."""
    found = []
    for head in catalog.packs:
        cards = [definition for definition in catalog.cards if definition.set_id == head.id]
        portraits = portraits_of(head, cards)
        shown = [(card, portraits[card.full_id]) for card in cards if kind in (None, card.kind)]
        if shown:
            found.append((head.name, shown))
    return found


# ---------------------------------------------------------------------------------------------------- in a terminal
def print_gallery(console: Console, pages: list[tuple[str, list[Shown]]], small: bool = False) -> None:
    """Print portraits, as many side by side as fit; without colours, print their emblems."""
    plain = console.color_system is None or console.no_color
    width = EMBLEM[0] if plain else SMALL if small else LARGE
    column = max(width, 14)
    per_line = max(1, (console.width + GAP) // (column + GAP))
    for name, shown in pages:
        console.print(f"\n{name}: {len(shown)} cards", highlight=False, style=None if plain else "bold")
        for at in range(0, len(shown), per_line):
            for row in _rows(console, shown[at : at + per_line], column, small, plain):
                console.print(row, end="")


class _Row:
    """A row of segments that rich prints as they are."""

    def __init__(self, segments: list[Segment]) -> None:
        self.segments = segments

    def __rich_console__(self, console: Console, options: object) -> Iterator[Segment]:
        yield from self.segments
        yield Segment.line()


def _rows(console: Console, shown: Sequence[Shown], column: int, small: bool, plain: bool) -> Iterator[_Row]:
    few = console.color_system in FEW_COLOURS
    columns = [_emblem(portrait) if plain else _blocks(portrait, small, few) for _, portrait in shown]
    for number in range(len(columns[0])):
        line: list[Segment] = []
        for pieces in columns:
            row = pieces[number]
            line += [*row, Segment(" " * (column + GAP - sum(len(piece.text) for piece in row)))]
        yield _Row(line)
    names = [_name_rows(card.name, column) for card, _ in shown]
    for number in range(NAME_ROWS):
        yield _Row([Segment(name[number].ljust(column + GAP)) for name in names])


def _name_rows(name: str, width: int) -> list[str]:
    rows = wrap(name, width)
    if len(rows) > NAME_ROWS:
        rows[NAME_ROWS - 1] = rows[NAME_ROWS - 1][: width - 1] + "…"
    return [*rows, "", ""][:NAME_ROWS]


def _emblem(portrait: Portrait) -> list[list[Segment]]:
    return [[Segment(row)] for row in portrait.drawing.emblem]


def _blocks(portrait: Portrait, small: bool, few: bool) -> list[list[Segment]]:
    return [
        [Segment(HALF_BLOCK * len(list(run)), _style(cell)) for cell, run in groupby(row)]
        for row in cells(pixels(portrait, small, few))
    ]


def _style(cell: Cell) -> Style:
    upper, lower = cell
    return Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower))


# ----------------------------------------------------------------------------------------------------------- as SVG
def svg(pages: list[tuple[str, list[Shown]]]) -> str:
    """Return a picture of all sets, one below the other."""
    step_x, step_y = LARGE * DOT + 12, LARGE * DOT + 8 + NAME_ROWS * LINE
    out: list[str] = []
    y = 12
    for name, shown in pages:
        out.append(f'<text x="12" y="{y + 16}" font-size="16" font-weight="bold">{escape(name)}</text>')
        y += 30
        for at, (card, portrait) in enumerate(shown):
            left, top = 12 + at % SVG_COLUMNS * step_x, y + at // SVG_COLUMNS * step_y
            out += [f'<g transform="translate({left} {top})">', *_rects(pixels(portrait))]
            letters = int(LARGE * DOT / LETTER) + 1
            for number, row in enumerate(_name_rows(card.name, letters)):
                out.append(f'<text y="{LARGE * DOT + (number + 1) * LINE}" font-size="10">{escape(row)}</text>')
            out.append("</g>")
        y += -(-len(shown) // SVG_COLUMNS) * step_y + 12
    wide = 12 + SVG_COLUMNS * step_x
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {y}" font-family="monospace" fill="{TEXT}"'
        f' shape-rendering="crispEdges"><rect width="{wide}" height="{y}" fill="{GROUND}"/>'
    )
    return "\n".join([head, *out, "</svg>", ""])


def _rects(picture: Pixels) -> Iterator[str]:
    """Yield one path for each colour, made of a rectangle for each run of pixels."""
    paths: dict[Colour, list[str]] = {}
    for y, row in enumerate(picture):
        x = 0
        for colour, run in groupby(row):
            length = len(list(run))
            paths.setdefault(colour, []).append(f"M{x * DOT} {y * DOT}h{length * DOT}v{DOT}h-{length * DOT}z")
            x += length
    for colour, path in paths.items():
        yield f'<path fill="#{colour[0]:02x}{colour[1]:02x}{colour[2]:02x}" d="{"".join(path)}"/>'
