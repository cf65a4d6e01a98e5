"""What the scenes of the stage share: its inner space, persons, rows of text, strips, groups of faces. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from rich.cells import cell_len
from textual.geometry import Region

from core.state.views import FightView
from tui.portraits.pixels import Portrait
from tui.scene.cells import Line, Span, clean, length, wrap
from tui.scene.clock import Clock
from tui.scene.scene import SHAPES, Scene, seat_colour, shape
from tui.scene.situation import awaited
from tui.widgets.canvas import FACE_SIZES, Canvas

HALF = {"double": "large", "large": "small"}
"""The next smaller size of a face."""
CLOCK_CELLS = 8
BEGUN = 24
"""With this many cells left after whole sentences, the beginning of the next one is shown."""
_WORD = re.compile(rf"(?:[{SHAPES}] )?\S+(?: %\S*)?")
"""A word; a number stays with its percent sign, a name with the shape of its seat."""


class Room(Struct, frozen=True):
    """The inside of the stage on a canvas. x, y: its corner; face: the size of the faces that fit, "" for none."""

    canvas: Canvas
    scene: Scene
    clock: Clock
    x: int
    y: int
    width: int
    height: int

    @property
    def face(self) -> str:
        """Return the largest size of a face that fits beside the rest."""
        if self.width >= 100 and self.height >= 27:
            return "double"
        if self.width >= 56 and self.height >= 16:
            return "large"
        return "small" if self.height >= 7 else ""

    @property
    def end(self) -> int:
        """Return the column after the last one."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """Return the row after the last one."""
        return self.y + self.height

    def below(self, rows: int) -> "Room":
        """Return the room without its first rows."""
        return Room(self.canvas, self.scene, self.clock, self.x, self.y + rows, self.width, self.height - rows)

    def without_last(self, rows: int) -> "Room":
        """Return the room without its last rows."""
        return Room(self.canvas, self.scene, self.clock, self.x, self.y, self.width, self.height - rows)

    def beside(self, columns: int) -> "Room":
        """Return the room without its first columns."""
        return Room(
            self.canvas, self.scene, self.clock, self.x + columns, self.y, self.width - columns, self.height
        )  # fmt: skip

    def part(self, columns: int, rows: int) -> "Room":
        """Return the first columns and rows of the room."""
        return Room(self.canvas, self.scene, self.clock, self.x, self.y, columns, rows)

    def pane(self, name: str, draw: Callable[["Room"], None]) -> "Part":
        """Return this room as a part of the stage. draw: draws it into a room of this size."""
        return Part(name, self.x, self.y, self.width, self.height, draw)


class Part(Struct, frozen=True):
    """A rectangle of the stage that is painted by itself, because it changes apart from what is beside it: the
    toolkit writes a row that has changed from the left edge of its widget."""

    name: str
    x: int
    y: int
    width: int
    height: int
    draw: Callable[[Room], None]

    @property
    def region(self) -> Region:
        """Return the rectangle."""
        return Region(self.x, self.y, self.width, self.height)


# ------------------------------------------------------------------------------------------------------------ persons
def person(scene: Scene, seat: int, upper: bool = False) -> Span:
    """Return shape and name of a player, in the seat's colour. upper: in capitals."""
    name = "You" if seat == scene.me else scene.name(seat)
    return f"{shape(seat, scene.glyphs.ascii)} {name.upper() if upper else name}", f"bold {seat_colour(seat)}"


def mark(scene: Scene, seat: int) -> Span:
    """Return the shape of a player, in the seat's colour."""
    return shape(seat, scene.glyphs.ascii), f"bold {seat_colour(seat)}"


def people(scene: Scene, seats: Iterable[int]) -> Line:
    """Return players, separated by blanks."""
    spans: list[Span] = []
    for seat in seats:
        spans += [("  ", "")] if spans else []
        spans.append(person(scene, seat))
    return tuple(spans)


# --------------------------------------------------------------------------------------------------------------- sums
def counted(scene: Scene, fight: FightView) -> tuple[Span, Span]:
    """Return both sums with their styles: bold, or a number on its way to a new sum."""
    ours, theirs = scene.moving.heroes, scene.moving.foes
    return (
        (str(fight.heroes), "bold hero") if ours is None else (str(ours), "hero"),
        (str(fight.foes), "bold foe") if theirs is None else (str(theirs), "foe"),
    )


# --------------------------------------------------------------------------------------------------------------- text
def size(line: Line, scene: Scene) -> int:
    """Return the width of a line in cells, as it will be drawn."""
    return sum(cell_len(clean(text, scene.glyphs)) for text, _ in line)


def fitting(variants: Sequence[Line], width: int, scene: Scene) -> Line:
    """Return the first of these lines that fits, else the last."""
    return next((line for line in variants if size(line, scene) <= width), variants[-1])


def flowed(spans: Line, width: int, scene: Scene, indent: int = 0) -> list[Line]:
    """Return styled text in lines of `width` cells, broken between words; later lines begin with `indent` blanks. What
    follows a word without a blank stays with it."""
    lines: list[list[Span]] = [[]]
    used, stuck = 0, False
    for text, style in spans:
        text = clean(text, scene.glyphs)
        if not text:
            continue
        words = _WORD.findall(text)
        for at, word in enumerate(words):
            for piece in [word] if cell_len(word) <= width - indent else wrap(word, width - indent, scene.glyphs):
                joined = at == 0 and stuck and not text[:1].isspace()
                blank = 0 if not lines[-1] or used == 0 or joined else 1
                if used and used + blank + cell_len(piece) > width:
                    before = [lines[-1].pop()] if joined and len(lines[-1]) > 2 else []
                    lines.append([(" " * indent, "")] if indent else [])
                    lines[-1] += [(text.lstrip(), style) for text, style in before]
                    used, blank = length(tuple(lines[-1])), 0
                lines[-1].append((" " * blank + piece, style))
                used += blank + cell_len(piece)
        stuck = not text[-1:].isspace()
    return [tuple(line) for line in lines if line]


def rows_of(lines: list[Line], rows: int, width: int, scene: Scene, opens: str = "", more: int = 0) -> list[Line]:
    """Return at most `rows` of these lines; if some are left out, the last one ends in the mark, and in the key that
    shows all of it. opens: the binding of that key, "" for none. more: how many other things that key shows; the
    last line says so."""
    if len(lines) <= rows:
        return lines
    if rows <= 0:
        return []
    kept = lines[:rows]
    sign, shown = scene.glyphs.mark, further(scene, more, opens)
    cells = len(sign) + length(shown)
    last = list(kept[-1])
    while last and length(tuple(last)) + cells > width:
        text, style = last.pop()
        text = text[: -max(1, length((*last, (text, style))) + cells - width)].rstrip()
        if text:
            last.append((text, style))
    kept[-1] = (*last, (sign, last[-1][1] if last else "dim"), *shown)
    return kept


def further(scene: Scene, more: int, opens: str) -> Line:
    """Return the key that shows the rest, and how many things that is: ` r 3 more`, or ` r all`. opens: its binding, ""
    for none; more: 0: not known."""
    key = scene.key_names.get(opens, "")
    if not key:
        return ()
    return ((" ", ""), (key, f"gold|{key}"), (f" {more} more" if more else " all", f"dim|{key}"))


def whole(items: Sequence[Span], rows: int, width: int, scene: Scene, opens: str) -> int:
    """Return how many of these sentences fit whole into so many rows. If there are others, the last row must have room
    for the words that count them. opens: the binding of the key in these words."""
    if len(flowed(tuple(items), width, scene)) <= rows:
        return len(items)
    ending = len(scene.glyphs.mark) + length(further(scene, len(items), opens))
    for number in range(len(items) - 1, 0, -1):
        lines = flowed(tuple(items[:number]), width, scene)
        if len(lines) < rows or (len(lines) == rows and length(lines[-1]) + ending <= width):
            return number
    return 0


def listed_rows(items: Sequence[Span], rows: int, width: int, scene: Scene, opens: str) -> list[Line]:
    """Return sentences one after the other in so many rows; the last one says how many are left out, and which key
    shows them. A sentence of which hardly anything would fit is left out."""
    kept = whole(items, rows, width, scene, opens)
    left = len(items) - kept
    lines = flowed(tuple(items), width, scene)
    if left and kept:
        told = flowed(tuple(items[:kept]), width, scene)
        ends = ((scene.glyphs.mark, items[kept - 1][1]), *further(scene, left, opens))
        free = (rows - len(told)) * width + width - length(told[-1])
        if free - length(ends) < BEGUN and length(told[-1]) + length(ends) <= width:
            return [*told[:-1], (*told[-1], *ends)]
    return rows_of(lines, rows, width, scene, opens, left)


def write(room: Room, y: int, spans: Line, rows: int = 1, opens: str = "") -> int:
    """Write styled text into at most `rows` rows of the room, with a mark if it is cut; return the row after it. opens:
    the binding of the key that shows the whole text."""
    scene = room.scene
    lines = rows_of(flowed(spans, room.width, scene), min(rows, room.bottom - y), room.width, scene, opens)
    for line in lines:
        room.canvas.spans(room.x, y, line, room.width)
        y += 1
    return y


def strip(room: Room, y: int, variants: Sequence[str], style: str) -> None:
    """Fill a row with a verdict in its middle: the first of these texts that fits. style: as `on-band on band`."""
    room.canvas.fill(room.x, y, room.width, 1, style)
    text = next((text for text in variants if cell_len(clean(text, room.scene.glyphs)) <= room.width), variants[-1])
    room.canvas.centre(room.x, room.width, y, text, f"bold {style}")


# --------------------------------------------------------------------------------------------------- clock, last row
def clock_line(scene: Scene, clock: Clock) -> Line:
    """Return the clock as a bar and words; empty if there is none."""
    if not clock.words:
        return ()
    if clock.full <= 0:
        return ((clock.words, "oneshot"),)
    cells = max(0, min(CLOCK_CELLS, -(-clock.left * CLOCK_CELLS // clock.full)))
    tone = "bold foe" if clock.left < 2000 else "gold"
    return (
        (scene.glyphs.full * cells, tone), (scene.glyphs.empty * (CLOCK_CELLS - cells), "dim"),
        (f" {clock.words:>5}", f"bold {tone}"),
    )  # fmt: skip


def last_row(room: Room, left: Sequence[Line]) -> None:
    """Write the last row: who may speak, in the first of these forms that fits, and the clock on the right."""
    canvas, scene = room.canvas, room.scene
    right = clock_line(scene, room.clock)
    end = room.end - size(right, scene)
    y = room.bottom - 1
    canvas.spans(end, y, right)
    free = end - room.x - (2 if right else 0)
    line = fitting(left, free, scene) if left else ()
    if size(line, scene) <= free:
        canvas.spans(room.x, y, line)


def speaking(scene: Scene) -> list[Line]:
    """Return who may speak or act, the longest form first. It never tells whether another seat has passed."""
    view = scene.view
    window = view.window
    if window is None:
        waits = awaited(scene)
        if not waits:
            return [()]
        line: Line = (("waits for ", "dim"), *people(scene, waits))
        return [line, (("waits for ", "dim"), *(mark(scene, seat) for seat in waits))]
    if window.holder >= 0:
        return [(person(scene, window.holder), (" holds the table" if window.holder != scene.me else " hold it", ""))]
    if scene.me < 0:
        return [(("everybody may still speak", ""),)]
    others = "the others may still speak"
    if window.passed:
        return [(("you have passed; ", "dim"), (others, "")), ((others, ""),)]
    you = person(scene, scene.me)
    return [
        (you, (" may speak; ", ""), (others, "")), (you, (" and the others may speak", "")), (you, (" may speak", "")),
    ]  # fmt: skip


# -------------------------------------------------------------------------------------------------------------- faces
def crowd(room: Room, x: int, y: int, faces: Sequence[Portrait], face: str, numbers: Sequence[int] = ()) -> None:
    """Draw one face, or several smaller ones, in the place of one. numbers: below each of two."""
    canvas, pixel = room.canvas, room.scene.pixels
    if not faces or not face:
        return
    if len(faces) == 1 or face not in HALF:
        canvas.face(x, y, faces[0], face, pixel)
        return
    half = HALF[face]
    width, height = FACE_SIZES[half]
    if len(faces) == 2:
        top = y + height // 2 - 1
        for at, portrait in enumerate(faces):
            canvas.face(x + at * width, top, portrait, half, pixel)
            if numbers:
                canvas.centre(x + at * width, width, top + height, str(numbers[at]), "bold")
        return
    for at, portrait in enumerate(faces[:4]):
        left = x + (at % 2) * width + (width // 2 if at == 2 and len(faces) == 3 else 0)
        canvas.face(left, y + (at // 2) * height, portrait, half, pixel)
