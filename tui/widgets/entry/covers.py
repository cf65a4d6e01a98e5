"""One face for each card set, with its name and how many cards it has. Pure."""

from collections.abc import Sequence

from core.language.manifest import PackHead
from tui.portraits.choose import cover_of
from tui.portraits.pixels import Look
from tui.scene.cells import Glyphs, Line
from tui.widgets.canvas import FACE_SIZES, Canvas

COLUMNS, ROWS = 24, 11
"""The room of one cover."""


def covers(heads: Sequence[PackHead], width: int, height: int, glyphs: Glyphs, look: Look = Look.FULL) -> list[Line]:
    """Draw as many covers as fit, side by side and below each other."""
    canvas = Canvas(width, height, glyphs)
    across = max(1, width // COLUMNS)
    for at, head in enumerate(heads[: across * (height // ROWS)]):
        x, y = at % across * COLUMNS, at // across * ROWS
        canvas.face(x, y, cover_of(head), "large", look)
        rows = FACE_SIZES["large"][1]
        canvas.put(x, y + rows, head.name, "bold", COLUMNS - 1)
        canvas.put(x, y + rows + 1, f"{head.counts.door} Doors, {head.counts.treasure} Treasures", "dim", COLUMNS - 1)
    return canvas.lines()
