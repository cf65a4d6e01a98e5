"""The end of a game as an SVG picture: curves, facts, a line for each seat. Readable in any browser. Pure."""

from collections.abc import Mapping
from html import escape

from rich.cells import cell_len

from tui.scene.cells import UNICODE, clean, wrap
from tui.scene.scene import seat_colour, shape
from tui.scene.story_text import (
    Told,
    caveat,
    dice_words,
    facts,
    headline,
    how_it_ended,
    length_words,
    seat_words,
)

TOP, PLOT = 190, 400
"""The upper edge of the plot, and its height, in pixels."""
LEFT, RIGHT = 70, 630
"""The left and right edge of the plot."""
FACTS_COLUMNS = 34
SMALL, TEXT, BIG = 14, 16, 40
"""Sizes of type in pixels."""
CELL = 0.61
"""The width of a character, as a share of its size: the type is monospaced."""
DASHES = ("", "9 3", "3 3", "12 3 3 3", "6 6", "2 5")
"""The pattern of each seat's line, so that lines differ without colour too."""


def picture(told: Told, colours: Mapping[str, str]) -> str:
    """Return the picture. colours: those of a theme, by token, as #rrggbb."""
    return _Picture(told, colours).svg()


class _Picture:
    def __init__(self, told: Told, colours: Mapping[str, str]) -> None:
        self._told, self._story, self._colours = told, told.story, colours
        self._parts: list[str] = []
        label = max(cell_len(self._label(seat)) for seat in range(len(told.story.seats)))
        self._facts_x = max(870.0, RIGHT + 30 + label * TEXT * CELL)
        self._width = round(self._facts_x + FACTS_COLUMNS * TEXT * CELL) + 10

    def svg(self) -> str:
        self._head()
        self._grid()
        for seat in range(len(self._story.seats)):
            self._curve(seat)
        self._labels()
        low = max(self._facts(), TOP + PLOT + 70)
        height = self._seats(low) + 20
        title = escape(" ".join(headline(self._told)) or "The game", quote=False)
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width} {height}" width="{self._width}"'
            f' height="{height}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace">',
            f"<title>{title}</title>",
            f'<rect width="{self._width}" height="{height}" fill="{self._colours["ground"]}"/>',
            *self._parts,
            "</svg>\n",
        ])  # fmt: skip

    # ------------------------------------------------------------------------------------------------------- helpers
    def _text(
        self, x: float, y: float, text: str, colour: str = "text", size: int = TEXT, bold: bool = False,
        end: bool = False,
    ) -> None:  # fmt: skip
        weight = ' font-weight="bold"' if bold else ""
        anchor = ' text-anchor="end"' if end else ""
        words = escape(clean(text, UNICODE), quote=False)
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{self._colours[colour]}"{weight}{anchor}'
            f' xml:space="preserve">{words}</text>'
        )

    def _line(self, points: list[tuple[float, float]], colour: str, width: float, dash: str = "") -> None:
        pattern = f' stroke-dasharray="{dash}"' if dash else ""
        where = " ".join(f"{x:g},{y:g}" for x, y in points)
        stroke = f'stroke="{self._colours[colour]}" stroke-width="{width:g}"{pattern}'
        self._parts.append(f'<polyline points="{where}" fill="none" {stroke}/>')

    def _x(self, turn: int) -> float:
        first = self._story.seats[0].levels[0][0]
        return LEFT + (RIGHT - LEFT) * max(0, turn - first) / max(1, self._story.turns - first)

    def _y(self, level: int) -> float:
        goal = max(2, self._story.goal)
        return TOP + PLOT - PLOT * (max(1, min(level, goal)) - 1) / (goal - 1)

    # --------------------------------------------------------------------------------------------------------- parts
    def _head(self) -> None:
        told = self._told
        words = [word for word in (told.game, length_words(self._story), caveat(self._story)) if word]
        self._text(30, 34, "KICKDOOR", "gold", bold=True)
        self._text(140, 34, " · ".join(words), "dim")
        who, wins = headline(told)
        colour = seat_colour(self._story.winners[0]) if self._story.winners else "text"
        self._text(30, 92, f"{who} {wins}" if who else "GAME OVER", colour, BIG, bold=True)
        for row, line in enumerate(wrap(" ".join(how_it_ended(told)), 110, UNICODE)[:2]):
            self._text(30, 124 + 22 * row, line)

    def _grid(self) -> None:
        goal = self._story.goal
        for level in range(1, goal + 1):
            won = level == goal
            self._line([(LEFT, self._y(level)), (RIGHT, self._y(level))], "gold" if won else "line", 0.6, "1 4")
            self._text(LEFT - 14, self._y(level) + 5, str(level), "gold" if won else "dim", bold=won, end=True)
        every = max(5, -(-self._story.turns // 40) * 5)
        for turn in [1, *range(every, self._story.turns + 1, every)]:
            if self._x(turn) >= LEFT:
                self._text(self._x(turn), TOP + PLOT + 28, str(turn), "dim", SMALL)
        self._text(LEFT, TOP + PLOT + 48, "Level by turn", "dim", SMALL)
        point = self._story.turning
        if point is not None:
            x = self._x(point.turn)
            self._line([(x, TOP - 14), (x, TOP + PLOT)], "gold", 1.5, "4 4")
            self._text(x, TOP + PLOT + 48, "turning point", "gold", SMALL, bold=True, end=x > (LEFT + RIGHT) / 2)

    def _curve(self, seat: int) -> None:
        steps = self._story.seats[seat].levels
        points = [(self._x(steps[0][0]), self._y(steps[0][1]))]
        for turn, level in steps[1:]:
            points += [(self._x(turn), points[-1][1]), (self._x(turn), self._y(level))]
        points.append((float(RIGHT), points[-1][1]))
        off = 2.5 * (seat - (len(self._story.seats) - 1) / 2)  # lines at the same Level stay apart
        heavy = seat == self._told.me or (self._told.me < 0 and seat in self._story.winners)
        moved = [(x, y + off) for x, y in points]
        self._line(moved, seat_colour(seat), 4 if heavy else 2.2, DASHES[seat % len(DASHES)] if not heavy else "")

    def _labels(self) -> None:
        """Write the names at the ends of the lines, moved apart where they would overlap."""
        order = sorted(range(len(self._story.seats)), key=lambda seat: (-self._story.seats[seat].level, seat))
        low = 0.0
        for seat in order:
            level = self._story.seats[seat].level
            low = max(low + 20, self._y(level) + 6)
            self._text(RIGHT + 10, low, self._label(seat), seat_colour(seat), TEXT, bold=seat in self._story.winners)

    def _label(self, seat: int) -> str:
        return f"{shape(seat)} {self._told.name(seat)} {self._story.seats[seat].level}"

    def _facts(self) -> float:
        """Write the facts at the right; return the lower edge."""
        y = float(TOP - 10)
        for fact in facts(self._told):
            self._text(self._facts_x, y, fact.title, "gold", bold=True)
            name = f"{shape(fact.seat)} {self._told.name(fact.seat)}"
            self._text(self._facts_x, y + 21, name, seat_colour(fact.seat), bold=True)
            y += 42
            for line in wrap(fact.text, FACTS_COLUMNS, UNICODE):
                self._text(self._facts_x, y, line)
                y += 20
            y += 14
        dice = dice_words(self._story)
        if dice:
            self._text(self._facts_x, y, "Dice", "gold", bold=True)
            faces = "  ".join(f"{face}×{times}" for face, times in enumerate(self._story.faces, 1))
            self._text(self._facts_x, y + 21, faces)
            self._text(self._facts_x, y + 41, dice)
            y += 60
        return y

    def _seats(self, y: float) -> float:
        """Write a line for each seat; return the lower edge."""
        self._line([(30, y), (self._width - 30, y)], "line", 1)
        for seat, seen in enumerate(self._story.seats):
            y += 28
            self._text(30, y, f"{shape(seat)} {self._told.name(seat)}", seat_colour(seat), bold=True)
            self._text(330, y, f"level {seen.level}", bold=seat in self._story.winners)
            self._text(440, y, ", ".join(seat_words(seen)), "dim")
        return y
