"""The seats: a box each where there is room, two rows or one row each in a panel, a line each in one column."""

from tui.render.board import curses, seat_state
from tui.render.gear import identity_short, shorts, squeeze
from tui.scene.cells import Line
from tui.scene.scene import Scene, seat_colour, shape
from tui.widgets.canvas import Canvas
from tui.widgets.pane import Pane

BOX_ROWS = 5
"""The least rows of a seat's box."""


class Seats(Pane):
    """Shows the seats."""

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        self.show(lambda width, height: draw(scene, width, height))


def order(scene: Scene) -> list[int]:
    """Return the seats from the top: in a fight who fights first, else you first, then in the order of the table."""
    seats = len(scene.view.seats)
    first = scene.fight.seat if scene.fight is not None else max(0, scene.me)
    return [(first + at) % seats for at in range(seats)]


def draw(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw all seats."""
    canvas = Canvas(width, height, scene.glyphs)
    seats = order(scene)
    rows = height // len(seats)
    if rows >= BOX_ROWS and width >= 24:
        for number, seat in enumerate(seats):
            _box(canvas, scene, seat, number * rows, rows)
    elif height > len(seats) + 1 and width < 60:
        _panel(canvas, scene, seats)
    else:
        for row, seat in enumerate(seats):
            _line(canvas, scene, seat, row, 0, width)
    return canvas.lines()


def _name(scene: Scene, seat: int) -> tuple[str, str]:
    words = "You" if seat == scene.me else scene.name(seat)
    return f"{shape(seat, scene.glyphs.ascii)} {words}", f"bold {seat_colour(seat)}|seat:{seat}"


def _acts(scene: Scene, seat: int) -> bool:
    return seat == (scene.fight.seat if scene.fight is not None else scene.view.turn)


def _box(canvas: Canvas, scene: Scene, seat: int, y: int, rows: int) -> None:
    view = scene.seat(seat)
    state, style = seat_state(scene, seat)
    acts = _acts(scene, seat)
    title = (_name(scene, seat), (f" {state}" if state else "", style))
    bad = curses(scene, seat)
    mark = "x" if scene.glyphs.ascii else "✖"
    subtitle = ((f"{mark} {len(bad)} " if bad else "", "curse"), (f"hand {view.hand}", "dim"))
    canvas.box(0, y, canvas.width, rows, "gold" if acts else "line", title, subtitle, heavy=acts)
    room = canvas.width - 4
    canvas.spans(2, y + 1, (("level ", "dim"), (str(view.level), "bold"), *_pips(scene, seat)), room)
    canvas.right(canvas.width - 2, y + 2, f"str {view.strength}", "bold")
    canvas.put(2, y + 2, identity_short(scene, seat, room - 8), "", room - 8)
    if rows > 4:
        canvas.put(2, y + 3, squeeze(shorts(scene, seat), room, scene), "dim", room)


def _pips(scene: Scene, seat: int) -> Line:
    goal, level = scene.view.win_level, scene.seat(seat).level
    if goal > 12:
        return ()
    full, empty = ("#", ".") if scene.glyphs.ascii else ("▰", "▱")
    return (("  ", ""), (full * min(level, goal), seat_colour(seat)), (empty * (goal - level), "dim"))


def _panel(canvas: Canvas, scene: Scene, seats: list[int]) -> None:
    canvas.box(0, 0, canvas.width, canvas.height, "line", (("Table", "dim"),))
    canvas.right(canvas.width - 2, 1, "lv str hand", "dim")
    rows = 2 if (canvas.height - 3) >= 2 * len(seats) else 1
    for number, seat in enumerate(seats):
        y = 2 + number * rows
        _line(canvas, scene, seat, y, 2, canvas.width - 2)
        news, style = seat_state(scene, seat)
        if rows == 1 and (style in ("warn", "bad") or news == "muted") and (y := canvas.height - 2) > len(seats) + 1:
            canvas.put(2, y, f"{scene.name(seat)}: {news}", style, canvas.width - 4)
        if rows == 2:
            canvas.put(4, y + 1, identity_short(scene, seat, canvas.width - 6), "dim", canvas.width - 6)


def _line(canvas: Canvas, scene: Scene, seat: int, y: int, x: int, end: int) -> None:
    view = scene.seat(seat)
    name, style = _name(scene, seat)
    figures = f"{view.level:>2}{view.strength:>4}{view.hand:>4}"
    start = canvas.right(end, y, figures) if end - x < 50 else canvas.put(x + 16, y, figures)
    canvas.put(x, y, name + (" >" if _acts(scene, seat) else ""), style, 14 if end - x >= 50 else start - x - 1)
    if end - x >= 50:
        state, tone = seat_state(scene, seat)
        after = canvas.put(start + 2, y, identity_short(scene, seat, 16), "", 16)
        canvas.right(end, y, state, tone)
        canvas.put(after + 1, y, squeeze(shorts(scene, seat), end - after - 16, scene), "dim", end - after - 16)
