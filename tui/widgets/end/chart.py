"""Level curves: a line of box-drawing steps for each seat, labelled at its end, and the turning point. Pure."""

from msgspec import Struct
from rich.cells import cell_len

from netcode.recording.story import Story
from tui.scene.cells import clean
from tui.scene.scene import seat_colour, shape
from tui.scene.story_text import Told
from tui.widgets.canvas import Canvas

LEFT = 5
"""Columns of the Levels at the left."""
AFTER = 2
"""Columns of the lines after the last turn."""
MARK = "turning point"
TICK_EVERY = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
TICK_GAP = 6
"""The least columns between two numbers of the axis."""
_LIGHT, _HEAVY, _PLAIN = "─│╭╮╰╯", "━┃┏┓┗┛", "-|++++"
"""The signs of a line: across, down, then the corners top left, top right, bottom left, bottom right."""


class _Plot(Struct, frozen=True):
    """The mapping from turns and Levels to cells. first: the turn at the left edge; x, y: the upper left corner of the
    lines."""

    x: int
    y: int
    width: int
    rows: int
    first: int
    last: int
    goal: int

    def column(self, turn: int) -> int:
        """Return the column, from the left edge of the lines, in which a turn ends."""
        span = max(1, self.last - self.first)
        return (max(0, turn - self.first) * (self.width - 1 - AFTER)) // span

    def row(self, level: int) -> int:
        """Return the row of a Level on the canvas."""
        span = max(1, self.goal - 1)
        return self.y + (self.rows - 1) - round((max(1, min(level, self.goal)) - 1) * (self.rows - 1) / span)


def label_width(told: Told, ascii_only: bool = False) -> int:
    """Return the columns that the labels at the right take."""
    return max(cell_len(_label(told, seat, ascii_only)) for seat in range(len(told.story.seats))) + 1


def _label(told: Told, seat: int, ascii_only: bool) -> str:
    return f"{shape(seat, ascii_only)} {told.name(seat)} {told.story.seats[seat].level}"


def rows_for(goal: int, room: int) -> int:
    """Return how many rows of this room the lines should take: several, one, or less than one for each Level."""
    for each in (4, 3, 2, 1):
        rows = each * (goal - 1) + 1
        if rows <= room:
            return rows
    return max(2, room)


def draw_chart(canvas: Canvas, told: Told, x: int, y: int, width: int, height: int) -> int:
    """Draw the curves into this rectangle; return the row below them. Its last two rows are the axis."""
    story = told.story
    room = label_width(told, canvas.glyphs.ascii)
    columns = max(4, width - LEFT - room - 1)
    first = story.seats[0].levels[0][0]
    plot = _Plot(x + LEFT, y, columns, rows_for(story.goal, height - 2), first, max(first + 1, story.turns), story.goal)
    _draw_grid(canvas, plot, x)
    _draw_turning_point(canvas, plot, story)
    lines = _line_rows(plot, story)
    _draw_lines(canvas, plot, story, told.me, lines)
    _draw_mark(canvas, plot, story, lines)
    _draw_labels(canvas, plot, told)
    _draw_axis(canvas, plot)
    return plot.y + plot.rows + 2


def _draw_grid(canvas: Canvas, plot: _Plot, x: int) -> None:
    """Draw a dotted line for each Level, with its number; the winning one in gold."""
    dots = "." if canvas.glyphs.ascii else "┈"
    done: set[int] = set()
    for level in range(plot.goal, 0, -1):
        row = plot.row(level)
        if row not in done:
            done.add(row)
            won = level == plot.goal
            canvas.fill(plot.x, row, plot.width, 1, "gold" if won else "line", dots)
            canvas.right(x + LEFT - 1, row, str(level), "bold gold" if won else "dim")


def _draw_turning_point(canvas: Canvas, plot: _Plot, story: Story) -> None:
    if story.turning is not None:
        column = plot.x + plot.column(story.turning.turn)
        canvas.fill(column, plot.y, 1, plot.rows, "gold", ":" if canvas.glyphs.ascii else "┊")


def _draw_mark(canvas: Canvas, plot: _Plot, story: Story, lines: list[list[int]]) -> None:
    """Write beside the dotted line what it means, in the lowest row that no other line crosses."""
    if story.turning is None:
        return
    column, size = plot.column(story.turning.turn), len(MARK) + 1
    sides = [start for start in (column + 1, column - size) if start >= 0 and start + size <= plot.width]
    for row in range(plot.y + plot.rows - 1, plot.y - 1, -1):
        for start in sides:
            if all(_is_free(line, start, size, row) for line in lines):
                canvas.put(plot.x + start, row, f" {MARK}" if start > column else f"{MARK} ", "bold gold")
                return


def _is_free(line: list[int], start: int, size: int, row: int) -> bool:
    """Return whether a line neither runs nor steps through these cells."""
    around = line[max(0, start - 1) : start + size + 1]
    return not min(around) <= row <= max(around)


# ----------------------------------------------------------------------------------------------------------- the lines
def _line_rows(plot: _Plot, story: Story) -> list[list[int]]:
    """Return the row of each seat's line in each column."""
    return [[plot.row(level) for level in _levels(story, seat, plot)] for seat in range(len(story.seats))]


def _levels(story: Story, seat: int, plot: _Plot) -> list[int]:
    """Return the Level of a seat in each column."""
    found = [story.seats[seat].levels[0][1]] * plot.width
    for turn, level in story.seats[seat].levels[1:]:
        column = plot.column(turn)
        found[column:] = [level] * (plot.width - column)
    return found


def _draw_lines(canvas: Canvas, plot: _Plot, story: Story, me: int, rows: list[list[int]]) -> None:
    """Draw the lines: flat stretches first, where seats that share a row take turns; then the steps over them, the
    winner's last.

    One's own line, or for spectators the winners', is heavy. rows: of each seat's line, by column."""
    heavy = {me} if me >= 0 else set(story.winners)
    order = sorted(range(len(rows)), key=lambda seat: (seat in heavy, seat in story.winners, seat))
    for column in range(plot.width):
        together: dict[int, list[int]] = {}
        for seat in order:
            together.setdefault(rows[seat][column], []).append(seat)
        for row, seats in together.items():
            seat = seats[(column // 2) % len(seats)]
            _sign(canvas, plot, column, row, seat, 0, seat in heavy)
    for seat in order:
        for column in range(1, plot.width):
            before, after = rows[seat][column - 1], rows[seat][column]
            if before != after:
                _step(canvas, plot, column, before, after, seat, seat in heavy)


def _step(canvas: Canvas, plot: _Plot, column: int, before: int, after: int, seat: int, heavy: bool) -> None:
    """Draw one step up or down. before, after: rows."""
    up = after < before
    _sign(canvas, plot, column, before, seat, 5 if up else 3, heavy)
    _sign(canvas, plot, column, after, seat, 2 if up else 4, heavy)
    for row in range(min(before, after) + 1, max(before, after)):
        _sign(canvas, plot, column, row, seat, 1, heavy)


def _sign(canvas: Canvas, plot: _Plot, column: int, row: int, seat: int, which: int, heavy: bool) -> None:
    signs = _PLAIN if canvas.glyphs.ascii else _HEAVY if heavy else _LIGHT
    canvas.put(plot.x + column, row, signs[which], f"bold {seat_colour(seat)}" if heavy else seat_colour(seat))


# ---------------------------------------------------------------------------------------------------- labels and axis
def _draw_labels(canvas: Canvas, plot: _Plot, told: Told) -> None:
    """Write each seat's name at the end of its line, or as near as there is room."""
    story, taken = told.story, set[int]()
    order = sorted(range(len(story.seats)), key=lambda seat: (-story.seats[seat].level, seat))
    for number, seat in enumerate(order):
        left = len(order) - number
        row = _free_row(plot, taken, plot.row(story.seats[seat].level), left)
        taken.add(row)
        won = "bold " if seat in story.winners or seat == told.me else ""
        label = clean(_label(told, seat, canvas.glyphs.ascii), canvas.glyphs)
        canvas.put(plot.x + plot.width + 1, row, label, won + seat_colour(seat))


def _free_row(plot: _Plot, taken: set[int], wanted: int, left: int) -> int:
    """Return the free row nearest to the wanted one. left: how many labels still need one."""
    lowest = plot.y + plot.rows - 1
    rows = [row for row in range(plot.y, max(lowest, plot.y + len(taken) + left - 1) + 1) if row not in taken]
    return min(rows, key=lambda row: (abs(row - wanted), -row))


def _draw_axis(canvas: Canvas, plot: _Plot) -> None:
    """Draw the axis of turns below the lines, and its numbers."""
    row = plot.y + plot.rows
    ascii_only = canvas.glyphs.ascii
    canvas.put(plot.x - 1, row, ("+" if ascii_only else "└") + ("-" if ascii_only else "─") * plot.width, "line")
    begins = max(1, plot.first)
    for turn in _ticks(plot, begins):
        column = plot.x + plot.column(turn)
        canvas.put(column, row, "+" if ascii_only else "┴", "line")
        words = f"turn {turn}" if turn == begins else str(turn)
        canvas.put(column, row + 1, words, "dim")


def _ticks(plot: _Plot, begins: int) -> list[int]:
    """Return the turns to name: the first, then round ones with room between them."""
    each = plot.width / max(1, plot.last - plot.first)
    every = next((every for every in TICK_EVERY if every * each >= TICK_GAP), TICK_EVERY[-1])
    rest = [turn for turn in range(every, plot.last + 1, every) if plot.column(turn) - plot.column(begins) >= 9]
    return [begins, *(turn for turn in rest if plot.column(turn) <= plot.width - len(str(turn)))]
