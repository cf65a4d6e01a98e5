"""The level track: a tile for each Level, the seats' chips on it, the winning Level in gold. One or two lines."""

import dataclasses
from collections.abc import Mapping

from msgspec.structs import replace
from rich.cells import cell_len

from tui.scene.cells import Line, clean
from tui.scene.scene import Scene, seat_colour, shape
from tui.scene.situation import you_or
from tui.widgets.canvas import Canvas
from tui.widgets.pane import Pane

LEAST = 6
"""The least cells of a tile; if there are too many Levels for it, the track shows those round the seats."""


class Track(Pane):
    """Shows the level track."""

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        self.show(lambda width, height: draw(scene, width, height))


def draw(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw the track, chips on their way between two tiles."""
    lines = _standing(scene, width, height)
    chips = {seat: way for seat, way in scene.moving.chips.items() if len(scene.moving.chips) < len(scene.view.seats)}
    before = _with_levels(scene, {seat: level for seat, (level, _) in chips.items()})
    if height < 2 or not chips or shown(scene, width) != shown(before, width):
        return lines
    others = replace(scene.view, seats=[seat for seat in scene.view.seats if seat.seat not in chips])
    canvas = Canvas(width, height, scene.glyphs)
    canvas.paste(0, 0, _standing(dataclasses.replace(scene, view=others), width, height))
    start = _standing(before, width, height)
    for seat, (_, share) in chips.items():
        x, y, text, style = _chip_at(lines, seat)
        come = _chip_at(start, seat)[0]
        canvas.put(round(come + (x - come) * min(1.0, share)), y, text, style)
    return canvas.lines()


def _with_levels(scene: Scene, levels: Mapping[int, int]) -> Scene:
    """Return a scene with other Levels."""
    seats = [replace(seat, level=levels.get(seat.seat, seat.level)) for seat in scene.view.seats]
    return dataclasses.replace(scene, view=replace(scene.view, seats=seats))


def _chip_at(lines: list[Line], seat: int) -> tuple[int, int, str, str]:
    """Return the column and the row of a seat's chip, its text and its style."""
    for y, line in enumerate(lines):
        x = 0
        for text, style in line:
            if style.endswith(f"|seat:{seat}"):
                return x, y, text, style
            x += cell_len(text)
    return 0, 0, "", ""


def _standing(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw the track with every chip on its tile."""
    canvas = Canvas(width, height, scene.glyphs)
    at = _places(scene)
    if height < 2:
        _row(canvas, scene, at)
        return canvas.lines()
    levels = shown(scene, width)
    for number, level in enumerate(levels):
        left, right = number * width // len(levels), (number + 1) * width // len(levels)
        _tile(canvas, scene, level, left, right - left, at.get(level, []), level > 1 and level == levels[0])
    return canvas.lines()


def _places(scene: Scene) -> dict[int, list[int]]:
    """Return who is on which Level."""
    at: dict[int, list[int]] = {}
    for seat in scene.view.seats:
        at.setdefault(max(1, min(seat.level, scene.view.win_level)), []).append(seat.seat)
    return at


def shown(scene: Scene, width: int) -> list[int]:
    """Return the Levels that get a tile: all, or those round the seats and the winning one."""
    goal, places = scene.view.win_level, _places(scene)
    room = max(2, width // LEAST)
    low, high = min(places), max(places)
    every = list(range(1, goal + 1))
    if goal <= room or min(high, goal - 1) - low + 2 > room:
        return every
    first = max(1, min(low, goal - room + 1))
    return [*range(first, first + room - 1), goal]


def _tile(canvas: Canvas, scene: Scene, level: int, x: int, width: int, seats: list[int], cut: bool) -> None:
    """Draw a tile. cut: Levels are left out before it."""
    won = level == scene.view.win_level
    ground = "on-gold on gold" if won else f"{'text' if seats else 'dim'} on {'tile2' if level % 2 == 0 else 'tile'}"
    canvas.fill(x, 0, width, 2, ground)
    pad = 1 if width > 5 else 0
    words = f"{level} wins" if won and width >= 8 else f"{scene.glyphs.mark if cut else ''}{level}"
    end = canvas.put(x + pad, 0, words, f"bold {ground}" if seats or won else ground)
    if won and 4 <= width < 8 and not seats:
        canvas.put(x + pad, 1, "wins", f"bold {ground}")
    chips = _chips(scene, seats, width)
    room = width // max(1, len(seats))
    for number, (chip, seat) in enumerate(zip(chips, seats, strict=True)):
        style = f"bold ground on {seat_colour(seat)}|seat:{seat}"
        if room:
            canvas.put(x + number * room, 1, chip, style)
        elif number < width:
            canvas.put(x + number, 1, chip, style)
        elif end + number - width < x + width:
            canvas.put(end + number - width, 0, chip, style)


def _chips(scene: Scene, seats: list[int], width: int) -> list[str]:
    """Return the chips of the seats on a tile: shapes with names, with initials, or alone."""
    room = width // max(1, len(seats))
    signs = [shape(seat, scene.glyphs.ascii) for seat in seats]
    names = [clean(you_or(scene, seat), scene.glyphs) for seat in seats]
    if all(cell_len(name) + 4 <= room for name in names):
        return [f" {sign} {name} " for sign, name in zip(signs, names)]
    if all(cell_len(name) + 3 <= room for name in names):
        return [f"{sign} {name}" for sign, name in zip(signs, names)]
    if room >= 3:
        return [f"{sign}{name[:1]}" if cell_len(name[:1]) < 2 else sign for sign, name in zip(signs, names)]
    return signs


def _row(canvas: Canvas, scene: Scene, at: dict[int, list[int]]) -> None:
    """Draw the track in one row: the Levels on which seats stand, and the winning one."""
    goal = f"{scene.view.win_level} wins"
    end = canvas.right(canvas.width - 1, 0, f" {goal} ", "bold on-gold on gold")
    parts = [[(level, _row_chips(scene, at[level], long)) for level in sorted(at)] for long in (2, 1, 0)]
    room = end - 9
    fits = (row for row in parts if sum(len(str(level)) + 3 + cell_len("".join(chips)) for level, chips in row) <= room)
    x = canvas.put(1, 0, "Level", "dim")
    for level, chips in next(fits, parts[-1]):
        x = canvas.put(x + 2, 0, f"{level} ", "text" if level < scene.view.win_level else "gold")
        for chip, seat in zip(chips, at[level], strict=True):
            x = canvas.put(x, 0, chip, f"bold {seat_colour(seat)}|seat:{seat}")


def _row_chips(scene: Scene, seats: list[int], long: int) -> list[str]:
    """Return the chips of a Level in one row. long: 2 with names, 1 with initials, 0 shapes alone."""
    names = [clean(you_or(scene, seat), scene.glyphs) for seat in seats]
    ends = {2: [f" {name} " for name in names], 1: [name[:1] for name in names], 0: [""] * len(seats)}[long]
    return [shape(seat, scene.glyphs.ascii) + end for seat, end in zip(seats, ends, strict=True)]
