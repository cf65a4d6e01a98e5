"""A pane: the widget that shows styled lines and repaints only the cells that have changed.

A style is words in any order: one colour for the text, `on` another, and `bold`, `reverse`, `italic` or `underline`.
A colour is a token of the theme (`gold`, `on-band`; see tui/config/palette.py) or `#rrggbb`. ALIASES are names for
usual styles. After a `|` comes the key that a click on the span presses.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.color import Color
from textual.filter import LineFilter
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tui.scene.cells import Line, Span

ALIASES = {
    "plain": "", "head": "bold info", "you": "bold gold", "turn": "bold gold", "good": "bold hero", "bad": "bold foe",
    "warn": "oneshot", "key": "bold gold", "cursor": "reverse bold", "talk": "race", "urgent": "reverse bold",
    "ok": "bold hero", "later": "dim", "no": "foe", "qr": "#000000 on #ffffff", "qr-dark": "#ffffff on #000000",
}  # fmt: skip
"""Usual styles by what they are for."""
WORDS = ("bold", "reverse", "italic", "underline")
Draw = Callable[[int, int], list[Line]]
UNFIT_VIEW_ERRORS = (LookupError, ValueError, TypeError, AttributeError)
"""What drawing raises if a view does not fit the catalog, as in a damaged recording."""


class Pane(Widget, can_focus=False):
    """Shows the lines that a function makes for a width and height; `show` sets the function."""

    class Pressed(Message):
        """A span with a key was clicked. key: what follows the `|` in its style."""

        def __init__(self, key: str) -> None:
            self.key = key
            super().__init__()

    class CardPressed(Message):
        """A card of the hand was clicked. at: its place in the hand."""

        def __init__(self, at: str) -> None:
            self.at = int(at)
            super().__init__()

    class ReadPressed(Message):
        """A card to be read was clicked."""

        def __init__(self, card: str) -> None:
            self.card = int(card)
            super().__init__()

    class SeatPressed(Message):
        """A seat was clicked."""

        def __init__(self, seat: str) -> None:
            self.seat = int(seat)
            super().__init__()

    class RulePressed(Message):
        """Something that a rule is about was clicked, see tui.scene.rulebook.asked."""

        def __init__(self, rule: str) -> None:
            self.rule = rule
            super().__init__()

    class StepPressed(Message):
        """A step of a recording was clicked."""

        def __init__(self, step: str) -> None:
            self.step = int(step)
            super().__init__()

    MARKED: ClassVar[Mapping[str, Callable[[str], Message]]] = {
        "hand": CardPressed, "card": ReadPressed, "seat": SeatPressed, "rule": RulePressed, "step": StepPressed,
    }  # fmt: skip
    """The message of a click on a span whose key is this word, a colon and a number or name. All other keys are
    pressed."""

    def __init__(self, ident: str = "", classes: str = "") -> None:
        super().__init__(id=ident or None, classes=classes)
        self.lines: list[Line] = []
        self._draw: Draw | None = None
        self._of: object = None
        self._drawn_size = Size()
        self.on_draw_error: Callable[[Exception], None] | None = None
        """Called with the error when drawing fails; None: the error is raised."""
        self._cached_styles: dict[str, Style] = {}
        self._cached_rows: dict[int, tuple[Line, int, Strip]] = {}
        """Each row that was rendered: its line, its width in cells, the strip."""
        self._last_rows: tuple[list[Line], Size, Region, tuple[Strip, ...]] = [], Size(), Region(), ()
        """What was rendered last: the lines, the size, the region, its rows."""
        self._filters: Sequence[LineFilter] = ()
        """What the cached strips were filtered with."""

    def draws(self, draw: Draw, of: object = None) -> None:
        """Draw with this function from the next time on. of: as for `show`. Unless it is the same object as before,
        what was drawn is not shown again, as when a pane comes back that was hidden."""
        if of is None or self._of is not of:
            self._drawn_size = Size()
        self._draw, self._of = draw, of

    def show(self, draw: Draw, of: object = None) -> None:
        """Draw with this function from now on. of: everything that the drawing depends on, so that an equal one is not
        drawn again; None: not known."""
        if of is None or self._of != of or self._drawn_size != self.size:
            self._of, self._draw = of, draw
            self.redraw()

    def redraw(self) -> None:
        """Draw again with the same function and repaint the cells that have changed."""
        size = self.size  # the toolkit looks for it each time
        if not size:
            self._forget()
            return
        old = self.lines
        self._fill(size)
        lines = self.lines
        changed = []
        for y, (line, before) in enumerate(zip_longest(lines, old, fillvalue=())):
            if line != before:
                left = _same_cells(before, line)
                right = _same_cells(tuple(reversed(before)), tuple(reversed(line)))
                changed.append(Region(left, y, max(1, size.width - left - right), 1))
        if changed:
            self.refresh(*changed)

    def _forget(self) -> None:
        """Forget what was drawn: a hidden pane has no size to draw for, and its old rows must not come back with it."""
        self._drawn_size = Size()
        if self.lines:
            self.lines = []
            self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Draw for the new size, unless a frame has done so already."""
        size = self.size
        if self._drawn_size != size:
            self._fill(size)

    def _fill(self, size: Size) -> None:
        """Draw for this size."""
        self._drawn_size = size
        width, height = size
        if self._draw is None or not width or not height:
            return
        try:
            self.lines = self._draw(width, height)
        except UNFIT_VIEW_ERRORS as problem:
            if self.on_draw_error is None:
                raise
            self.on_draw_error(problem)

    def notify_style_update(self) -> None:
        """Drop the cached styles and rows of the old theme."""
        self._cached_styles.clear()
        self._forget_rows()
        super().notify_style_update()

    def _forget_rows(self) -> None:
        self._cached_rows.clear()
        self._last_rows = [], Size(), Region(), ()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the rows of a region. A pane has no border and no padding, so a row is ready as soon as its line is:
        unlike other widgets it needs no frame around it each time. After a change of size all rows are drawn again, so
        that no frame shows the old ones."""
        size = self.size
        if self._drawn_size != size:
            self._fill(size)
        filters = self.app.get_line_filters()
        if filters != self._filters:
            self._filters = filters
            self._forget_rows()
        if self._last_rows[0] is self.lines and self._last_rows[1:3] == (size, crop):
            return list(self._last_rows[3])
        rows = self._rows_of(size, crop)
        self._last_rows = self.lines, size, crop, tuple(rows)
        return rows

    def _rows_of(self, size: Size, crop: Region) -> list[Strip]:
        rows = [self._row(y, size.width) for y in crop.line_range]
        return rows if crop.width == size.width else [row.crop(crop.x, crop.right) for row in rows]

    def render_line(self, y: int) -> Strip:
        """Return one row."""
        return self.render_lines(Region(0, y, self.size.width, 1))[0]

    def _row(self, y: int, width: int) -> Strip:
        line = self.lines[y] if y < len(self.lines) else ()
        cached = self._cached_rows.get(y)
        if cached is not None and (cached[0] is line or cached[0] == line) and cached[1] == width:
            return cached[2]
        segments = merged((text, self._style_of(style)) for text, style in line)
        strip = Strip(segments).adjust_cell_length(width, self._style_of(""))
        for each in self._filters:
            strip = strip.apply_filter(each, self.background_colors[1])
        self._cached_rows[y] = line, width, strip
        return strip

    def _style_of(self, style: str) -> Style:
        name = style.partition("|")[0]
        found = self._cached_styles.get(name)
        if found is None:
            ground = self._style_of("") if name else self.rich_style
            found = self._cached_styles[name] = ground + style_of(name, self.app.theme_variables)
        return found

    def on_click(self, event: events.Click) -> None:
        """Press the key of the clicked span, if it has one."""
        row = self.lines[event.y] if event.y < len(self.lines) else ()
        at = 0
        for text, style in row:
            at += Segment(text).cell_length
            if event.x < at:
                self.offer(style.partition("|")[2])
                return

    def offer(self, key: str) -> None:
        """Tell of a click on a span with this key, if it has one."""
        kind, colon, what = key.partition(":")
        if colon and kind in self.MARKED:
            self.post_message(self.MARKED[kind](what))
        elif key:
            self.post_message(self.Pressed(key))


def merged(spans: Iterable[tuple[str, Style]]) -> list[Segment]:
    """Merge spans into few segments, each of which costs some forty bytes at the terminal. Blanks take the style before
    them if they look the same in it."""
    found: list[tuple[str, Style]] = []
    for text, style in spans:
        if found:
            before, last = found[-1]
            if style == last or (text.isspace() and _blank_in(last) == _blank_in(style) != ""):
                found[-1] = before + text, last
                continue
            if before.isspace() and _blank_in(last) == _blank_in(style) != "":
                found[-1] = before + text, style
                continue
        found.append((text, style))
    return [Segment(text, style) for text, style in found]


@lru_cache(maxsize=4096)
def _blank_in(style: Style) -> str:
    """Return how a blank looks in a style; "" if it shows more than its background."""
    return "" if style.reverse or style.underline else str(style.bgcolor)


def _same_cells(old: tuple[Span, ...], new: tuple[Span, ...]) -> int:
    """Return how many cells the spans share at the beginning."""
    same = 0
    for one, other in zip(old, new):
        if one != other:
            break
        same += Segment(one[0]).cell_length
    return same


def style_of(name: str, variables: dict[str, str]) -> Style:
    """Return the style of these words. variables: the colours of the theme, by their names in style sheets."""
    colours: dict[str, Color] = {}
    attributes: dict[str, bool] = {}
    where = "color"
    for word in ALIASES.get(name, name).split():
        if word in WORDS:
            attributes[word] = True
        elif word == "on":
            where = "bgcolor"
        else:
            colours[where] = Color.parse(word if word.startswith("#") else variables[f"kd-{word}"])
            where = "color"
    return Style(**{side: colour.rich_color for side, colour in colours.items()}, **attributes)  # type: ignore[arg-type]
