"""Curves of benchmarks as one SVG: a panel for each, both axes from zero."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

COLUMNS, WIDTH, HEIGHT = 3, 300, 190
"""Panels in a row, and the size of each."""
LEFT, RIGHT, TOP, BOTTOM = 44, 16, 34, 34
"""Margins of a panel, for its words."""
INK, LINE, PAPER = "#333333", "#2a6fb0", "#ffffff"


@dataclass(frozen=True)
class Curve:
    """A curve of one figure against another. unit: of y; points: x and y, in the order of x."""

    against: str
    unit: str
    points: list[tuple[float, float]]


def drawn(curves: Sequence[Curve]) -> str:
    """Return these curves as a picture."""
    rows = -(-len(curves) // COLUMNS)
    width, height = COLUMNS * WIDTH, rows * HEIGHT
    elements = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="11" fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    for at, curve in enumerate(curves):
        place = f"{at % COLUMNS * WIDTH} {at // COLUMNS * HEIGHT}"
        elements += [f'<g transform="translate({place})">', *_panel(curve), "</g>"]
    return "\n".join([*elements, "</svg>", ""])


def _panel(curve: Curve) -> Iterator[str]:
    """Yield the elements of one panel."""
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    last, most = max(x for x, _ in curve.points), 1.1 * max(y for _, y in curve.points)
    spots = [(LEFT + wide * x / last, TOP + high * (1 - y / most)) for x, y in curve.points]
    yield f'<text x="{LEFT}" y="20" font-weight="bold">{escape(curve.unit)} against {escape(curve.against)}</text>'
    yield f'<path d="M{LEFT} {TOP}v{high}h{wide}" fill="none" stroke="{INK}"/>'
    yield f'<text x="{LEFT - 6}" y="{TOP + 8}" text-anchor="end">{most:.3g}</text>'
    yield f'<text x="{LEFT - 6}" y="{TOP + high}" text-anchor="end">0</text>'
    yield f'<text x="{LEFT + wide}" y="{TOP + high + 16}" text-anchor="end">{last:.0f}</text>'
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    yield f'<polyline points="{path}" fill="none" stroke="{LINE}" stroke-width="2"/>'
    if len(spots) <= 20:
        yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{LINE}"/>' for x, y in spots)
