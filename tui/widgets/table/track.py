"""The level track: a tile for each Level, the seats' chips on it, the winning Level in gold. One or two lines."""

from tui.scene.cells import Line
from tui.scene.scene import Scene, seat_colour, shape
from tui.widgets.canvas import Canvas
from tui.widgets.pane import Pane


class Track(Pane):
    """Shows the level track."""

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        self.show(lambda width, height: draw(scene, width, height))


def draw(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw the track."""
    canvas = Canvas(width, height, scene.glyphs)
    goal = scene.view.win_level
    at: dict[int, list[int]] = {}
    for seat in scene.view.seats:
        at.setdefault(max(1, min(seat.level, goal)), []).append(seat.seat)
    if height < 2:
        x = canvas.put(1, 0, "Level", "dim")
        for level in sorted(at):
            x = canvas.put(x + 1, 0, f"{level}:", "dim")
            for number in at[level]:
                x = canvas.put(x, 0, shape(number, scene.glyphs.ascii), f"bold {seat_colour(number)}")
        canvas.right(width - 1, 0, f"{goal} wins", "gold")
        return canvas.lines()
    for level in range(1, goal + 1):
        left, right = (level - 1) * width // goal, level * width // goal
        _tile(canvas, scene, level, left, right - left, at.get(level, []))
    return canvas.lines()


def _tile(canvas: Canvas, scene: Scene, level: int, x: int, width: int, seats: list[int]) -> None:
    won = level == scene.view.win_level
    ground = "on-gold on gold" if won else f"{'text' if seats else 'dim'} on {'tile2' if level % 2 == 0 else 'tile'}"
    canvas.fill(x, 0, width, 2, ground)
    words = f"{level} wins" if won and width >= 8 else str(level)
    canvas.put(x + 1, 0, words, f"bold {ground}" if seats or won else ground)
    room = width // max(1, len(seats))
    for number, seat in enumerate(seats):
        name = scene.name(seat) if seat != scene.me else "You"
        sign = shape(seat, scene.glyphs.ascii)
        chip = f" {sign} {name} " if room >= len(name) + 5 else f"{sign}{name[:1]}" if room >= 3 else sign
        canvas.put(x + number * room, 1, chip, f"bold ground on {seat_colour(seat)}", room)
