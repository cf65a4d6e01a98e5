"""The level track: a tile for each Level, the seats' chips on it, the winning Level in gold. One or two lines. A Level
that has changed since the last key has the change beside its chip."""

from collections.abc import Container, Mapping

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len

from tui.scene.cells import Line, clean
from tui.scene.scene import Scene, seat_colour, shape
from tui.scene.situation import you_or
from tui.widgets.canvas import Canvas
from tui.widgets.table.scene_pane import ScenePane

LEAST = 6
"""The least cells of a tile. If there are too many Levels for tiles of this size, the track shows those around the
seats."""
WORDY = 8
"""The least columns of the winning tile in which its word stands beside its number."""


class Track(ScenePane):
    """Shows the level track."""

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        around = scene.around
        self.show(lambda width, height: draw(around, width, height), around)


def draw(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw the track, chips on their way between two tiles."""
    lines = _standing(scene, width, height)
    chips = {seat: way for seat, way in scene.moving.chips.items() if len(scene.moving.chips) < len(scene.view.seats)}
    before = _with_levels(scene, {seat: level for seat, (level, _) in chips.items()})
    if height < 2 or not chips or shown(scene, width) != shown(before, width):
        return lines
    canvas = Canvas(width, height, scene.glyphs)
    there = before if max(share for _, share in chips.values()) < 0.5 else scene
    canvas.paste(0, 0, _standing(there, width, height, chips))  # the others stand where they did, then where they will
    start = _standing(before, width, height)
    for seat, (_, share) in chips.items():
        x, y, text, style = _chip_at(lines, seat)
        come = _chip_at(start, seat)[0]
        canvas.put(round(come + (x - come) * min(1.0, share)), y, text, style)
    return canvas.lines()


def _with_levels(scene: Scene, levels: Mapping[int, int]) -> Scene:
    """Return a scene with other Levels."""
    seats = [replace(seat, level=levels.get(seat.seat, seat.level)) for seat in scene.view.seats]
    return replace(scene, view=replace(scene.view, seats=seats))


def _chip_at(lines: list[Line], seat: int) -> tuple[int, int, str, str]:
    """Return the column and the row of a seat's chip, its text and its style."""
    for y, line in enumerate(lines):
        x = 0
        for text, style in line:
            if style.endswith(f"|seat:{seat}"):
                return x, y, text, style
            x += cell_len(text)
    return 0, 0, "", ""


def _standing(scene: Scene, width: int, height: int, without: Container[int] = ()) -> list[Line]:
    """Draw the track with every chip on its tile. without: seats whose chips are left out."""
    canvas = Canvas(width, height, scene.glyphs)
    at = _places(scene)
    if height < 2:
        _row(canvas, scene, at)
        return canvas.lines()
    levels = shown(scene, width)
    tiles = {level: (at * width // len(levels), (at + 1) * width // len(levels)) for at, level in enumerate(levels)}
    for level, (left, right) in tiles.items():
        _tile(canvas, scene, level, left, right - left, level in at, level > 1 and level == levels[0])
    goal, (last, right) = levels[-1], tiles[levels[-1]]
    end = last - 1 if goal not in at and right - last < WORDY else width  # "wins" stands in the row of chips
    ways = []
    for marks in marked(scene):
        groups = [_Group(*tiles[level], at[level], marks) for level in levels if level in at]
        ways.append((_placed(scene, groups, end), [group.named for group in groups]))
    placed = next(placed for placed, named in ways if named == ways[-1][1])  # a mark takes no name away
    for x, chip, seat in placed:
        if seat in without:
            continue
        canvas.put(x, 1, chip, f"bold ground on {seat_colour(seat)}|seat:{seat}" if seat >= 0 else "bold text")
    return canvas.lines()


def marked(scene: Scene) -> list[dict[int, str]]:
    """Return which seats may have a mark, and which: all whose Level has changed; where there is less room, the player
    alone, or nobody if others on the player's tile have changed too: these would look as if they had not."""
    every = {seat: f"{by:+d}" for seat, by in scene.climbed.items()}
    tile = next((seats for seats in _places(scene).values() if scene.me in seats), [])
    alone = every.keys() & set(tile) == {scene.me}
    return [every, *([{scene.me: every[scene.me]}] if alone else []), {}]


def _places(scene: Scene) -> dict[int, list[int]]:
    """Return who is on which Level."""
    at: dict[int, list[int]] = {}
    for seat in scene.view.seats:
        at.setdefault(max(1, min(seat.level, scene.view.win_level)), []).append(seat.seat)
    return at


def shown(scene: Scene, width: int) -> list[int]:
    """Return the Levels that get a tile: all, or those around the seats and the winning one."""
    goal, places = scene.view.win_level, _places(scene)
    room = max(2, width // LEAST)
    low, high = min(places), max(places)
    every = list(range(1, goal + 1))
    if goal <= room or min(high, goal - 1) - low + 2 > room:
        return every
    first = max(1, min(low, goal - room + 1))
    return [*range(first, first + room - 1), goal]


def _tile(canvas: Canvas, scene: Scene, level: int, x: int, width: int, taken: bool, cut: bool) -> None:
    """Draw a tile without chips. taken: whether somebody is on it; cut: whether Levels are left out before it."""
    won = level == scene.view.win_level
    ground = "on-gold on gold" if won else f"{'text' if taken else 'dim'} on {'tile2' if level % 2 == 0 else 'tile'}"
    canvas.fill(x, 0, width, 2, ground)
    pad = 1 if width > 5 else 0
    words = f"{level} wins" if won and width >= WORDY else f"{scene.glyphs.mark if cut else ''}{level}"
    canvas.put(x + pad, 0, words, f"bold {ground}" if taken or won else ground)
    if won and 4 <= width < WORDY and not taken:
        canvas.put(x + pad, 1, "wins", f"bold {ground}")


# --------------------------------------------------------------------------------------------------------------- chips
class _Group(Struct):
    """The chips of the seats on one tile. left, right: its columns. marks: what stands beside chips. named: 2 names
    with room around, 1 names, 0 shapes alone, with the room that the tile has: a name is never cut."""

    left: int
    right: int
    seats: list[int]
    marks: Mapping[int, str]
    named: int = 2

    def chips(self, scene: Scene) -> list[str]:
        """Return the texts of the chips."""
        signs = [shape(seat, scene.glyphs.ascii) for seat in self.seats]
        marks = [self.marks.get(seat, "") for seat in self.seats]
        if not self.named:
            if self.shared:
                marks = [""] * len(marks)
            bare = [f"{sign}{mark}" for sign, mark in zip(signs, marks, strict=True)]
            free = (self.right - self.left - 1 - sum(map(cell_len, bare)) - cell_len(self.shared)) // len(bare)
            apart = [at > 0 and bool(marks[at] or marks[at - 1]) for at in range(len(bare))]
            if free < 1 and sum(map(cell_len, bare)) + sum(apart) < self.right - self.left:
                return [f"{' ' * gap}{chip}" for gap, chip in zip(apart, bare, strict=True)]
            return [f"{' ' * (free > 0)}{chip}{' ' * (free > 1)}" for chip in bare]
        pad = " " if self.named == 2 else ""
        names = [clean(you_or(scene, seat), scene.glyphs) for seat in self.seats]
        words = [f"{name} {mark}".rstrip() for name, mark in zip(names, marks, strict=True)]
        return [f"{pad}{sign} {name}{pad}" for sign, name in zip(signs, words, strict=True)]

    @property
    def shared(self) -> str:
        """Return the mark behind the shapes of several seats that have changed alike, "" if each has its own."""
        marks = {self.marks.get(seat, "") for seat in self.seats}
        alike = not self.named and len(self.seats) > 1 and len(marks) == 1
        return f" {mark}" if alike and (mark := marks.pop()) else ""

    def width(self, scene: Scene) -> int:
        """Return the cells of all chips, with a gap between names that have no room around them."""
        chips = self.chips(scene)
        return sum(map(cell_len, chips)) + (len(chips) - 1 if self.named == 1 else 0) + cell_len(self.shared)

    def fits(self, scene: Scene, start: int) -> bool:
        """Return whether chips that begin at this column stand on their tile. The name of one alone may go beyond."""
        end = start + (self.width(scene) if len(self.seats) > 1 else 1)
        return self.left <= start and end <= self.right

    def wish(self, scene: Scene) -> int:
        """Return the column at which the chips would best begin: the first sign stands below the number."""
        return self.left + (self.right - self.left > 5 and not self.chips(scene)[0].startswith(" "))


def _placed(scene: Scene, groups: list[_Group], width: int) -> list[tuple[int, str, int]]:
    """Return column, text and seat of each chip, and seat -1 for a mark that several share. Each begins on its tile,
    and ends there if others stand beside it: a name below the number of another Level is taken for that Level. Where
    names do not fit, the widest group shows shapes alone."""
    while True:
        starts = _starts(scene, groups, width)
        out = [group for start, group in zip(starts, groups, strict=True) if not group.fits(scene, start)]
        named = [group for group in groups if group.named]
        if not out or not named:
            break
        crowded = [group for group in out if group.named and len(group.seats) > 1]
        max(crowded or named, key=lambda group: (group.named, group.width(scene))).named -= 1
    found = []
    for start, group in zip(starts, groups, strict=True):
        for chip, seat in zip(group.chips(scene), group.seats, strict=True):
            found.append((start, chip, seat))
            start += cell_len(chip) + (1 if group.named == 1 else 0)
        if group.shared:
            found.append((start, group.shared, -1))
    return found


def _starts(scene: Scene, groups: list[_Group], width: int) -> list[int]:
    """Return where each group begins: at its tile, moved as little as the others and the edge of the row demand."""
    starts: list[int] = []
    free = 0
    for group in groups:
        starts.append(max(free, group.wish(scene)))
        free = starts[-1] + group.width(scene) + 1
    end = width
    for at in reversed(range(len(groups))):
        starts[at] = min(starts[at], end - groups[at].width(scene))
        end = starts[at] - 1
    return starts


def _row(canvas: Canvas, scene: Scene, at: dict[int, list[int]]) -> None:
    """Draw the track in one row: the Levels on which seats stand, and the winning one."""
    goal = f"{scene.view.win_level} wins"
    end = canvas.right(canvas.width - 1, 0, f" {goal} ", "bold on-gold on gold")
    every = [(named, marks) for named in (True, False) for marks in marked(scene)]
    parts = [[(level, _row_chips(scene, at[level], *way)) for level in sorted(at)] for way in every]
    room = end - 9
    fits = (row for row in parts if sum(len(str(level)) + 3 + cell_len("".join(chips)) for level, chips in row) <= room)
    x = canvas.put(1, 0, "Level", "dim")
    for level, chips in next(fits, parts[-1]):
        x = canvas.put(x + 2, 0, f"{level} ", "text" if level < scene.view.win_level else "gold")
        for chip, seat in zip(chips, at[level], strict=True):
            x = canvas.put(x, 0, chip, f"bold {seat_colour(seat)}|seat:{seat}")


def _row_chips(scene: Scene, seats: list[int], named: bool, marks: Mapping[int, str]) -> list[str]:
    """Return the chips of a Level in one row: shapes with names, or alone. marks: what stands beside them."""
    names = [clean(you_or(scene, seat), scene.glyphs) for seat in seats]
    beside = [marks.get(seat, "") for seat in seats]
    ends = [f" {f'{name} {mark}'.rstrip()} " if named else mark for name, mark in zip(names, beside, strict=True)]
    return [shape(seat, scene.glyphs.ascii) + end for seat, end in zip(seats, ends, strict=True)]
