"""The seats: a box each where there is room, a panel of a few rows each beside a narrow stage, a line each in one
column. Whether a seat has passed is never shown."""

from msgspec import Struct
from textual import events

from tui.scene.cells import Line, Span, length, shorten
from tui.scene.faces import player as face_of
from tui.scene.gear import countered, identities, identity, identity_in
from tui.scene.scene import Scene
from tui.scene.situation import acting, curses, doing, order, player, presence
from tui.widgets.canvas import FACE_SIZES, Canvas
from tui.widgets.table.belongings import curse_words, flowed, lists, sign
from tui.widgets.table.scene_pane import ScenePane

PANEL_WIDTH = 28
"""From this width on seats have boxes, if each gets three rows; a narrower box needs five."""
NAME_WIDTH = 8
"""The cells for shape and name beside the figures in the narrowest panel; a longer name has a row for itself."""
LINE_WIDTH = 56
"""From this width on a seat without a box is one line with words."""
FULL_ROWS = 6
"""The rows of a box with a portrait, or with two rows of gear. The topmost seats get them first."""
FACE_WIDTH = 40
"""From this width on a box has a portrait, if it has the rows."""


EVERY_CARD = "every card"
"""What the key of the seats shows, which the panel has no room for."""
WHO_CELLS = 8
"""The least cells of what a seat is, after what it does."""
HELD_CELLS = 11
"""The cells for cards with counters beside the identities, which are cut to make room."""
LIST_WIDTH = 26
"""From this width on each piece of gear has a line, if there are rows for all."""


class Place(Struct, frozen=True):
    """Where a seat is drawn: from which row on, and how many rows."""

    seat: int
    y: int
    rows: int


class Seats(ScenePane):
    """Shows the seats. A click anywhere on a seat opens it."""

    places: tuple[Place, ...] = ()

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        around = scene.around
        self.show(lambda width, height: self._arranged(around, width, height), around)

    def _arranged(self, scene: Scene, width: int, height: int) -> list[Line]:
        self.places = tuple(places(scene, width, height))
        return draw(scene, width, height)

    def on_click(self, event: events.Click) -> None:
        """Open the seat that was clicked. The spans of its box do not handle the click again."""
        event.prevent_default()
        for place in self.places:
            if place.y <= event.y < place.y + place.rows:
                self.offer(f"seat:{place.seat}")


# ------------------------------------------------------------------------------------------------------------ the form
def boxed(scene: Scene, width: int, height: int) -> bool:
    """Return whether each seat gets a box."""
    rows = height // len(scene.view.seats)
    return width >= 24 and rows >= (3 if width >= PANEL_WIDTH else 5)


def places(scene: Scene, width: int, height: int) -> list[Place]:
    """Return where each seat is drawn, from the top."""
    seats = order(scene)
    count = len(seats)
    if boxed(scene, width, height):
        rows, top = [height // count] * count, 0
        for spare in range(height % count):
            rows[0 if rows[0] < FULL_ROWS else spare % count] += 1
    elif width >= LINE_WIDTH or height < count + 3:
        rows, top = [1] * count, 0
    else:
        rows, top = _panel_rows(scene, seats, height - 3), 2
    found = []
    for seat, number in zip(seats, rows, strict=True):
        found.append(Place(seat, top, number))
        top += number
    return found


def _panel_rows(scene: Scene, seats: list[int], room: int) -> list[int]:
    """Return the rows of each seat in the panel. Spare rows go first to the seats with most to show."""
    rows = [1] * len(seats)
    def need(at: int) -> tuple[bool, bool, bool, bool, int]:
        seat = seats[at]
        away, wide = presence(scene, seat)[2] not in ("", "dim"), length((player(scene, seat),)) > NAME_WIDTH
        return not away, not wide, seat != acting(scene), not curses(scene, seat), at

    spare = room - len(seats)
    while spare > 0 and max(rows) < 4:
        for at in sorted(range(len(seats)), key=need)[:spare]:
            rows[at] += 1
            spare -= 1
    return rows


def draw(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw all seats."""
    canvas = Canvas(width, height, scene.glyphs)
    where = places(scene, width, height)
    if boxed(scene, width, height):
        for place in where:
            _box(canvas, scene, place)
    elif where[0].y:
        _panel(canvas, scene, where)
    else:
        for place in where:
            _line(canvas, scene, place.seat, place.y)
    return canvas.lines()


# --------------------------------------------------------------------------------------------------------------- words
def _states(scene: Scene, seat: int, brief: bool = False) -> list[Span]:
    """Return what a seat does and where its person is, each with its style, the most urgent first."""
    does, style = doing(scene, seat)
    long, short, tone = presence(scene, seat)
    if scene.solo and long == "bot":
        long = short = ""  # all others are bots: saying so tells nothing, and takes room
    found = [(does, style), (short if brief else long, tone)]
    if tone == "bold foe":
        found.reverse()
    return [state for state in found if state[0]]


def _pointed(scene: Scene, seat: int) -> Span:
    """Return the mark of the seat that acts."""
    return (" > " if scene.glyphs.ascii else " ▸ ", "gold") if seat == acting(scene) else (" ", "")


def _between(states: list[Span], sign: str) -> list[Span]:
    return [span for at, state in enumerate(states) for span in (((sign, "dim"), state) if at else (state,))]


def _title(scene: Scene, seat: int, room: int) -> tuple[Line, list[Span]]:
    """Return name and states as far as they fit in `room` cells, and the states that do not. The name comes first."""
    name, mark = player(scene, seat), _pointed(scene, seat)
    for brief in (False, True):
        states = _states(scene, seat, brief)
        line = (name, mark, *_between(states, ", "))
        if not states:
            line = (name, mark) if mark[0].strip() else (name,)
        if length(line) <= room:
            return line, []
    for kept in (1, 0):
        line = (name, mark, *states[:kept])
        if length(line) <= room:
            return line, states[kept:]
    return (name,), states


# --------------------------------------------------------------------------------------------------------------- boxes
def _box(canvas: Canvas, scene: Scene, place: Place) -> None:
    """Draw the box of a seat."""
    seat, view, acts = place.seat, scene.seat(place.seat), place.seat == acting(scene) and not scene.view.winners
    width, inner = canvas.width, place.rows - 2
    title, left_over = _title(scene, seat, width - 6)
    canvas.box(0, place.y, width, place.rows, "gold" if acts else "line", title, heavy=acts)
    x, y, end = 2, place.y + 1, width - 2
    if width >= FACE_WIDTH and inner >= FACE_SIZES["small"][1]:
        canvas.face(x, y, face_of(seat), "small", scene.pixels)
        x += FACE_SIZES["small"][0] + 2
    room = end - x
    if inner == 1:
        _figures(canvas, scene, seat, x, y, end)
        space = width - 8 - _curse_room(scene, seat)
        beside = max(HELD_CELLS, space - 3 - length(((identity(scene, seat), ""),)))
        held = "" if left_over else countered(scene, seat, beside)
        who = identity_in(scene, seat, space - (len(held) + 3 if held else 0))
        _edge(canvas, scene, place, [(who, "dim")], left_over or ([(held, "gold")] if held else []))
        return
    figures = (("str ", "dim"), (str(view.strength), "bold"))
    size = length(figures)
    level = length(_level(scene, seat, room))
    beside = 0 if level + 1 + size <= room else 1
    canvas.spans(x, y, _level(scene, seat, room))
    canvas.spans(end - size, y + beside, figures)
    space = room - (size + 1) * beside
    who = identity_in(scene, seat, space)
    sexed = f"{who}, {view.sex}" if view.sex else who
    canvas.put(x, y + 1, sexed if len(sexed) <= space else who)
    if view.sex and len(sexed) > space:
        left_over = [*left_over, (view.sex, "dim")]
    _belongings(canvas, scene, seat, x, y + 2, end, inner - 2)
    hidden = inner - 2 < len(curses(scene, seat)) or room < LIST_WIDTH
    _edge(canvas, scene, place, [(f"hand {view.hand}", "dim")], left_over, hidden)


def _belongings(canvas: Canvas, scene: Scene, seat: int, x: int, y: int, end: int, rows: int) -> None:
    """Draw gear and Curses: a line each with amounts on the right where there is room, else side by side."""
    if rows <= 0:
        return
    if end - x >= LIST_WIDTH:
        lines = lists(scene, seat, end - x, rows)
    else:
        lines = flowed(scene, seat, end - x, rows)
    canvas.paste(x, y, lines, end - x)


def _figures(canvas: Canvas, scene: Scene, seat: int, x: int, y: int, end: int) -> None:
    """Draw Level, strength and hand in one row."""
    view = scene.seat(seat)
    canvas.spans(x, y, (("level ", "dim"), (str(view.level), "bold")))
    canvas.centre(x, end - x, y, f"str {view.strength}", "bold")
    canvas.right(end, y, f"hand {view.hand}", "dim")


def _edge(
    canvas: Canvas, scene: Scene, place: Place, right: list[Span], left: list[Span], counted: bool = True
) -> None:  # fmt: skip
    """Draw what stands on the lower edge of a box. counted: with the number of Curses."""
    y, bad = place.y + place.rows - 1, curse_words(scene, place.seat) if counted else ""
    if bad:
        right = [(bad, "curse"), (f" {scene.glyphs.dot} ", "dim"), *right]
    start = canvas.width - 3 - length(tuple(right))
    canvas.put(start - 1, y, " ")
    canvas.put(canvas.spans(start, y, right), y, " ")
    if left and length(tuple(_between(left, ", "))) + 6 <= start:
        canvas.put(2, y, " ")
        canvas.put(canvas.spans(3, y, _between(left, ", ")), y, " ")


def _curse_room(scene: Scene, seat: int) -> int:
    words = curse_words(scene, seat)
    return len(words) + 3 if words else 0


def _level(scene: Scene, seat: int, room: int) -> Line:
    """Return the Level in words and as pips, one for each Level of a short game."""
    goal, level = scene.view.win_level, scene.seat(seat).level
    words: Line = (("level ", "dim"), (str(level), "bold"))
    if goal + length(words) + 1 > room:
        return (*words, (f" of {goal}", "dim"))
    full, empty = ("#", ".") if scene.glyphs.ascii else ("▰", "▱")
    gap = "  " if goal + length(words) + 2 <= room else " "
    colour = player(scene, seat)[1].removeprefix("bold ")
    return (*words, (gap, ""), (full * min(level, goal), colour), (empty * (goal - level), "dim"))


# ----------------------------------------------------------------------------------------------------- panel and lines
def _panel(canvas: Canvas, scene: Scene, where: list[Place]) -> None:
    """Draw all seats in one box, with the figures in columns."""
    end = canvas.width - 2
    canvas.box(0, 0, canvas.width, canvas.height, "line", (("Table", "dim"),))
    canvas.right(end, 1, "lv str hand", "dim")
    for place in where:
        _row(canvas, scene, place, end)
    if any(view.table for view in scene.view.seats):  # more than fits here
        key = scene.key_names["table.others"]
        words: Line = ((" ", ""), (key, f"gold|{key}"), (f" {EVERY_CARD} ", f"dim|{key}"))
        canvas.spans(canvas.width - 2 - length(words), canvas.height - 1, words)


def _row(canvas: Canvas, scene: Scene, place: Place, end: int) -> None:
    """Draw a seat of the panel: name and figures, below them what it is, and what it has."""
    seat, view = place.seat, scene.seat(place.seat)
    acts = seat == acting(scene)
    figures = f"{view.level} {view.strength:>3} {view.hand:>4}"
    name, style = player(scene, seat)
    mark = (">" if scene.glyphs.ascii else "▸") if acts else ""
    room = end - len(figures) - 3 - len(mark)
    below = int(place.rows > 1 and length(((name, ""),)) > room)
    x = canvas.put(2, place.y, name, style, end - 4 if below else room)
    canvas.put(x + int(length(((name, ""),)) < room), place.y, mark, "gold")
    start = canvas.right(end, place.y + below, figures, "bold" if acts else "")
    first = start - 1 if below else end
    rows: list[list[Span]] = []
    states = [state for state in _states(scene, seat, True) if not (acts and state[1] == "text")]
    if place.rows == 1:
        if states and states[0][1] == "bold foe":
            canvas.put(max(2, start - 2), place.y, "!", "bold foe")
        return
    shares = bool(states) and place.rows == 2
    beside: Line = tuple(_between(states, ", ")) if shares else ((identity_in(scene, seat, first - 5), ""),)
    rest: Line = ((_struck(scene, seat, first - 5 - length(beside)), "curse"),) if curses(scene, seat) else ()
    space = first - 4 - length(rest) - (1 if rest else 0)
    if states and place.rows == 2:
        said = [*_between(states, ", "), (" ", ""), *rest]
        free = first - 5 - length(tuple(said))
        who = identity_in(scene, seat, free) if free >= WHO_CELLS and any(identities(scene, seat)) else ""
        rows.append([*_between(states, ", "), *([(", ", "dim"), (who, "dim")] if who else []), (" ", ""), *rest])
    else:
        does = doing(scene, seat)[0] if acts and not states else ""
        who, *more = _who_rows(scene, seat, space, end - 4, place.rows - 1 - bool(states))
        both = f"{does}, {who}" if does else who
        rows.append([(both if length(((both, ""),)) <= space else who, "dim"), (" ", ""), *rest])
        rows += [[(one, "dim")] for one in more]
        if states:
            rows.append(_between(states, ", "))
    for row, spans in enumerate(rows[: place.rows - 1], place.y + 1):
        canvas.spans(4, row, spans, (end if row > place.y + 1 else first) - 4)
    left = place.rows - 1 - len(rows)
    if left > 0:
        canvas.paste(4, place.y + 1 + len(rows), flowed(scene, seat, end - 4, left, cursed=False), end - 4)


def _struck(scene: Scene, seat: int, room: int) -> str:
    """Return the words for the Curses on a seat if they fit in so many cells, otherwise their sign."""
    words = curse_words(scene, seat)
    return words if length(((words, ""),)) <= room else sign(scene)


def _who_rows(scene: Scene, seat: int, space: int, second: int, rows: int) -> list[str]:
    """Return what a seat is, in up to two rows of `space` and `second` cells. Classes and Races come before gear, which
    can be read with a key."""
    names, powers = identities(scene, seat)
    every = [*names, *powers]
    whole = identity_in(scene, seat, space)
    if rows < 2 or len(every) < 2 or whole.endswith(every[-1]) or powers:
        return [whole]
    for at in range(len(every) - 1, 0, -1):
        first, rest = " ".join(every[:at]), " ".join(every[at:])
        if length(((first, ""),)) <= space:
            return [first, shorten(rest, second, scene.glyphs)]
    return [whole]


def _line(canvas: Canvas, scene: Scene, seat: int, y: int) -> None:
    """Draw a seat in one line: name, figures, what it is and does, gear as far as there is room."""
    view, end = scene.seat(seat), canvas.width - 1
    names = [length((player(scene, one.seat),)) for one in scene.view.seats]
    most = max(length(tuple(_states(scene, one.seat, True)[:1])) for one in scene.view.seats)
    column = min(max(names), max(8, canvas.width - 33 - most))
    name, style = player(scene, seat)
    canvas.put(1, y, name, style, column)
    x = column + 1
    canvas.put(x, y, *_pointed(scene, seat))
    x += 3
    for word, number, size in (("level", view.level, 2), ("str", view.strength, 3), ("hand", view.hand, 2)):
        x = canvas.spans(x, y, ((f"{word} ", "dim"), (f"{number:<{size}} ", "bold" if word != "hand" else "")))
    states = [state for state in _states(scene, seat, end - x < 50) if state[1] != "text"]
    tail = _between(states, ", ")
    bad = curse_words(scene, seat)
    if bad:
        left = end - x - length(tuple(tail)) - length(((bad, ""),)) - 2
        short = bad if left >= WHO_CELLS else bad.split()[0]
        tail = [*tail, (" " if tail else "", ""), (short, "curse")]
    size = length(tuple(tail))
    canvas.spans(end - size, y, tail)
    room = end - x - size - (1 if size else 0)
    if room >= 6:
        who = identity_in(scene, seat, room if room < 40 else max(20, room // 2))
        x = canvas.put(x, y, who, "dim", room)
        left = end - x - size - 3
        if left >= 8:
            canvas.paste(x + 2, y, flowed(scene, seat, left, 1, cursed=False), left)


