"""A moment as a box over the table: a picture at the left, beside it what happened, below it what followed. Pure.

What a kind of moment shows is in bodies.py and running.py. Where there is little room, the picture is left out first;
verdicts, numbers and keys never are.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct
from rich.cells import cell_len

from tui.portraits.pixels import Portrait
from tui.scene import faces
from tui.scene.cells import Line, fit, length, wrap
from tui.scene.moments import Change, Moment
from tui.scene.scene import Scene, seat_colour, shape
from tui.widgets.canvas import FACE_SIZES, Canvas

SIDE = 3
"""Cells between the border and what it holds."""
WIDE, BROAD = 84, 100
"""The most columns of a box, and of one in a window of at least 160 columns."""
GAP, LEAST = 3, 26
"""Cells between the picture and the words, and the fewest for the words."""
EARLY = "just appeared: press again"
FRAME = 5
"""Rows of the border, the blank ones and the keys."""


class Picture(Struct, frozen=True):
    """What is drawn at the left."""

    columns: int
    rows: int
    paint: Callable[[Canvas, int, int], None]


class Motion(Struct, frozen=True):
    """The animation of a moment. ms: its duration. paint: draws over the picture what is seen after a share of that
    time, 0 to 1. hides: all words but the first line wait until it is over."""

    ms: int
    paint: Callable[[Canvas, int, int, Picture, float], None]
    hides: bool = False


class Body(Struct, frozen=True):
    """What a moment shows. pictures: the largest first. beside: the lines beside the picture, for a width. below: those
    below it. strip: the outcome and whether it is good. motion: the animation of the picture."""

    title: str
    beside: Callable[[int], list[Line]]
    pictures: tuple[Picture, ...] = ()
    below: Callable[[int], list[Line]] = lambda width: []
    strip: tuple[str, bool] | None = None
    colour: str = "line"
    heavy: bool = False
    subtitle: str = ""
    motion: Motion | None = None


class Keys(Struct, frozen=True):
    """The keys that the foot names. reads: whether the moment has a card to read. more: how many moments wait. early:
    whether a key came before the moment could be seen. hints: whether there are hints for this player."""

    reads: bool
    more: int = 0
    passes: bool = False
    early: bool = False
    hints: bool = False


class _Plan(Struct, frozen=True):
    """The lines of a box. words: beside the picture, the outcome included. rows: of the whole box. top: the row of the
    box on which the picture and the words begin."""

    picture: Picture | None
    words: list[Line]
    below: list[Line]
    rows: int
    top: int = 2


def place(scene: Scene, body: Body, width: int, height: int) -> tuple[int, int]:
    """Return the columns and rows of the box in a window of this size; the question below the table stays in sight."""
    columns = min(width - 2, BROAD if width >= 160 else WIDE)
    most = height - 2 - (7 if height >= 40 else 4)
    return columns, min(most, _plan(scene, body, columns, most).rows)


def _plan(scene: Scene, body: Body, width: int, most: int) -> _Plan:
    """Return the lines of a box of at most this many rows, with the largest picture that leaves room for everything. If
    none does, blank lines are left out, and then the ends of texts."""
    room = width - 2 * SIDE
    below = body.below(room)
    pictures = [one for one in body.pictures if room - one.columns - GAP >= LEAST]
    for picture in pictures:
        words = _words(scene, body, room - picture.columns - GAP)
        rows = max(picture.rows, len(words)) + _under(below) + FRAME
        if rows <= most:
            return _Plan(picture, words, below, rows)
    spare = most - FRAME + 1  # no blank row above
    kept = min(len(below), max(2, spare - 1 - len(_tight(_words(scene, body, room)))))
    if kept < len(below):
        below = [*below[: kept - 1], _more(scene, len(below) - kept + 1)]
    spare -= _under(below)
    small = next((one for one in pictures if one.rows <= spare), None)
    words = _words(scene, body, room - (small.columns + GAP if small else 0), spare)
    rows = max(small.rows if small else 0, len(words)) + _under(below) + FRAME - 1
    return _Plan(small, words, below, rows, top=1)


def _under(below: list[Line]) -> int:
    return len(below) + 1 if below else 0


def _words(scene: Scene, body: Body, width: int, rows: int = 0) -> list[Line]:
    """Return the lines beside the picture, the outcome as the last. rows: the most of them; 0: all."""
    words = body.beside(width)
    end: list[Line] = []
    if body.strip is not None:
        text, good = body.strip
        colour = "good" if good else "band"
        blanks = (width - cell_len(text) - 4) // 2
        shown = fit(" " * blanks + _signed(scene, text, good), width, scene.glyphs)
        end = [(), ((shown, f"bold on-{colour} on {colour}"),)]
    if rows and len(words) + len(end) > rows:
        words, end = _tight(words), end[-1:]
    if rows and len(words) + len(end) > rows:
        words = [*words[: max(0, rows - len(end) - 1)], ((scene.glyphs.mark, "dim"),)]
    return words + end


def _tight(lines: list[Line]) -> list[Line]:
    """Return lines without the blank ones and the rules among them."""
    return [line for line in lines if any(style != "line" for _, style in line)]


def draw(scene: Scene, body: Body, keys: Keys, width: int, height: int, at: float = 1.0) -> list[Line]:
    """Draw a moment in a box of this size. at: the share of its motion that is over."""
    canvas = Canvas(width, height, scene.glyphs)
    subtitle = ((body.subtitle, "gold"),) if body.subtitle else ()
    canvas.box(0, 0, width, height, body.colour, ((body.title, f"bold {body.colour}"),), subtitle, body.heavy)
    plan = _plan(scene, body, width, height)
    left, top, room = SIDE, plan.top, width - 2 * SIDE
    moving = body.motion if at < 1 and plan.picture is not None else None
    if plan.picture is not None:
        plan.picture.paint(canvas, left, top)
        if moving is not None:
            moving.paint(canvas, left, top, plan.picture, at)
        left += plan.picture.columns + GAP
    hidden = moving is not None and moving.hides
    canvas.paste(left, top, plan.words[:1] if hidden else plan.words, width - SIDE - left)
    if not hidden:
        canvas.paste(SIDE, height - 3 - len(plan.below), plan.below, room)
    _foot(canvas, scene.key_names, keys, width, height - 2)
    return canvas.lines()


def _signed(scene: Scene, text: str, good: bool) -> str:
    signs = ("ok", "!!") if scene.glyphs.ascii else ("✓", "✗")
    return f"{signs[0] if good else signs[1]} {text}"


def _more(scene: Scene, number: int) -> Line:
    return ((f"{scene.glyphs.mark} {number} more in the log", "dim"),)


def _foot(canvas: Canvas, names: Mapping[str, str], keys: Keys, width: int, row: int) -> None:
    """Name the keys."""
    idents = [("moment.close", "go on")] + ([("moment.read", "the whole card")] if keys.reads else [])
    idents += [("table.rules", "rules")] + ([("table.hint", "hint")] if keys.hints else [])
    found = [(names[ident], words) for ident, words in idents]
    last = f"{keys.more} more" if keys.more else "closes by itself" if keys.passes else ""
    last = EARLY if keys.early else last
    x, free = SIDE, width - 2 * SIDE - len(last)
    for key, words in found:
        if x + len(f"{key} {words}") <= SIDE + free:
            x = canvas.spans(x, row, ((key, f"bold gold|{key}"), (f" {words}   ", f"dim|{key}")))
    canvas.right(width - SIDE, row, last, "bold gold" if keys.early else "dim")


# ---------------------------------------------------------------------------------------------------------- pictures
def portraits(scene: Scene, card: int, sizes: tuple[str, ...] = ("double", "large", "small")) -> tuple[Picture, ...]:
    """Return the portrait of a card in several sizes."""
    return _pictures(scene, scene.portrait(card), sizes)


def _pictures(scene: Scene, portrait: Portrait, sizes: tuple[str, ...]) -> tuple[Picture, ...]:
    def painter(size: str) -> Callable[[Canvas, int, int], None]:
        return lambda canvas, x, y: canvas.face(x, y, portrait, size, scene.pixels)

    return tuple(Picture(*FACE_SIZES[size], painter(size)) for size in sizes)


def players(scene: Scene, seat: int) -> tuple[Picture, ...]:
    """Return the face of a player in two sizes."""
    return _pictures(scene, faces.player(seat), ("large", "small"))


# ------------------------------------------------------------------------------------------------------------- words
def texts(scene: Scene, text: str, width: int, style: str = "", rows: int = 0) -> list[Line]:
    """Return a text as lines. rows: the most of them, the last one with a mark if there is more; 0: all."""
    found = wrap(text, width, scene.glyphs)
    if rows and len(found) > rows:
        found = [*found[: rows - 1], f"{found[rows - 1][: width - 2]} {scene.glyphs.mark}"]
    return [((line, style),) for line in found]


def who(scene: Scene, seat: int) -> Line:
    """Return shape and name of a seat, in its colour."""
    return ((scene.marked(seat), f"bold {seat_colour(seat)}"),)


def changed(scene: Scene, moment: Moment, width: int) -> list[Line]:
    """Return what followed, a line or more for each consequence."""
    return [line for change in moment.changes for line in _change(scene, change, width)]


def _change(scene: Scene, change: Change, width: int) -> list[Line]:
    sign = (f"{shape(change.seat, scene.glyphs.ascii)} ", seat_colour(change.seat)) if change.seat >= 0 else ("  ", "")
    style = {True: "hero", False: "foe", None: ""}[change.good]
    if change.levels is not None:
        old, new = change.levels
        start = (*who(scene, change.seat), (" level ", "dim"), (f"{old} {scene.glyphs.arrow} ", ""))
        line: Line = (*start, (str(new), f"bold {style}"))
        if length(line) <= width:
            return [line]
    lines = wrap(change.text, width - 2, scene.glyphs)
    return [((sign if at == 0 else ("  ", "")), (text, style)) for at, text in enumerate(lines)]
