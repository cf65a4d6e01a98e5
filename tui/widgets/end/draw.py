"""The end of a game on one screen: banner, curves, facts, a line for each seat. Pure."""

from rich.cells import cell_len

from tui.portraits.pixels import Look
from tui.scene.cells import Glyphs, Line, Span, clean, flow, length, wrap
from tui.scene.faces import player
from tui.scene.scene import seat_colour, shape
from tui.scene.story_text import (
    Fact,
    Told,
    caveat,
    dice_words,
    facts,
    headline,
    how_it_ended,
    length_words,
    mattered,
    seat_words,
)
from tui.widgets import digits
from tui.widgets.canvas import FACE_SIZES, Canvas
from tui.widgets.end.chart import draw_chart
from tui.widgets.end.letters import ROWS, large

WIDE, TALL = 100, 34
"""From this many columns the facts stand beside the curves; from this many rows the banner has large letters."""
FACTS = (36, 44, 52)
"""Columns of the facts beside the curves; the wider ones where the facts are too long for the narrower."""
SEAT_COLUMNS, CLOSE_COLUMNS = 28, 24
"""The least columns of a seat in the last rows, and of one below the curves."""
CHART_LEAST, CHART_MOST = 12, 40
"""Rows of the curves, axis included."""
CHART_COLUMNS = 64
"""The least columns left beside the facts."""
_BARS = "▁▂▃▄▅▆▇█"


def draw_end(
    told: Told, glyphs: Glyphs, width: int, height: int, scroll: int = 0, look: Look = Look.FULL
) -> tuple[list[Line], int]:
    """Draw the end of a game. scroll: how many rows are scrolled away. look: of portraits.

    Return the lines, and how many rows there are below them."""
    roomy = height >= TALL and width >= WIDE
    head = _large_head(told, glyphs, width, look) if roomy else _small_head(told, glyphs, width)
    room = max(0, height - len(head))
    body = _wide_body(told, glyphs, width, room) if width >= WIDE else _narrow_body(told, glyphs, width, room)
    scroll = max(0, min(scroll, len(body) - room))
    shown = body[scroll : scroll + room]
    blank: list[Line] = [((" " * width, ""),)] * (room - len(shown))
    return (head + shown + blank)[:height], max(0, len(body) - room - scroll)


# ---------------------------------------------------------------------------------------------------------- the banner
def _title(told: Told, glyphs: Glyphs) -> list[Span]:
    parts = [told.game] if told.game else []
    parts.append(length_words(told.story))
    missing = caveat(told.story)
    return [("KICKDOOR", "bold gold"), (f"  {f' {glyphs.dot} '.join(parts)}", "dim"), (f"  {missing}", "warn")]


def _small_head(told: Told, glyphs: Glyphs, width: int) -> list[Line]:
    """Draw the first row, and who won in one to three rows."""
    who, wins = headline(told)
    start = f"{who} {wins.lower()}." if who else ""
    rows = wrap(" ".join([start, *how_it_ended(told)]), width - 4, glyphs)[:3]
    canvas = Canvas(width, 1 + len(rows), glyphs)
    canvas.spans(1, 0, _title(told, glyphs), width - 2)
    canvas.fill(0, 1, width, len(rows), "text on raised")
    signs = [shape(seat, glyphs.ascii) for seat in told.story.winners[:1]]
    for sign in signs:
        canvas.put(1, 1, sign, f"bold {seat_colour(told.story.winners[0])} on raised")
    for y, row in enumerate(rows, 1):
        canvas.put(3, y, row, f"{'bold gold' if y == 1 and signs else 'text'} on raised")
    return canvas.lines()


def _large_head(told: Told, glyphs: Glyphs, width: int, look: Look) -> list[Line]:
    """Draw the first row and the banner: the winner's face, large letters, how it ended, the Level."""
    face = FACE_SIZES["large"]
    canvas = Canvas(width, 2 + face[1], glyphs)
    canvas.spans(1, 0, _title(told, glyphs), width - 2)
    canvas.fill(0, 2, width, face[1] - 2, "text on raised")
    x, end = 4, width - 3
    for seat in told.story.winners[:1]:
        canvas.face(x, 1, player(seat), "large", look)
        x += face[0] + 3
    if told.story.winners and told.story.why != "the seventh Seal":
        level = str(told.story.goal)
        end -= digits.width(level, digits.LARGE)
        canvas.digits(end, 3, level, "bold gold on raised", digits.LARGE)
    x = _draw_headline(canvas, told, x)
    rows: list[str] = []
    for sentence in how_it_ended(told):
        rows += wrap(sentence, max(10, end - x - 5), glyphs)
    for y, row in enumerate(rows[: face[1] - 2], 2 if len(rows) > ROWS else 3):
        canvas.put(x + 3, y, row, "text on raised")
    return canvas.lines()


def _draw_headline(canvas: Canvas, told: Told, x: int) -> int:
    """Draw who won in large letters, the name above them if it is not `You`; return the column after them."""
    who, wins = headline(told)
    words = f"YOU {wins}" if who == "You" else wins or "GAME OVER"
    y, end = 3, x
    if who and who != "You":
        name = f"{shape(told.story.winners[0], canvas.glyphs.ascii)} {who}"
        end = canvas.put(x, 2, name, f"bold {seat_colour(told.story.winners[0])} on raised")
    for row, line in enumerate(large(words, canvas.glyphs.ascii), y):
        end = max(end, canvas.put(x, row, line, "bold gold on raised"))
    return end


# ------------------------------------------------------------------------------------------------------------ the body
def _wide_body(told: Told, glyphs: Glyphs, width: int, room: int) -> list[Line]:
    """Draw the facts beside the curves, and the seats below both, or below the curves alone where they fit there."""
    seats, columns = _seat_blocks(told, glyphs, width), FACTS[0]
    beside = _fact_lines(told, glyphs, columns, room - len(seats) - 1)
    below = max(CHART_LEAST + 1, len(beside)) + 1 + len(seats) <= room
    left = width - columns - 3
    if not below:
        widths = [least for least in FACTS if width - least >= CHART_COLUMNS]
        fitting = (least for least in widths if len(_fact_lines(told, glyphs, least, room)) <= room)
        columns = next(fitting, widths[-1])
        left = width - columns - 3
        seats, beside = _seat_blocks(told, glyphs, left, CLOSE_COLUMNS), _fact_lines(told, glyphs, columns, room)
    rows = max(CHART_LEAST + 1, min(CHART_MOST, room - len(seats) - 1))
    canvas = Canvas(width, max(rows, len(beside)) + 1 if below else max(rows + 1 + len(seats), len(beside)), glyphs)
    canvas.put(2, 0, "Level by turn", "bold")
    draw_chart(canvas, told, 1, 1, left - 1, rows - 1)
    canvas.paste(width - columns - 1, 0, beside, columns)
    if below:
        return [*canvas.lines(), *seats]
    canvas.paste(0, rows + 1, seats, left)
    return canvas.lines()


def _narrow_body(told: Told, glyphs: Glyphs, width: int, room: int) -> list[Line]:
    """Draw the curves, then the facts, then a line for each seat."""
    rows = max(CHART_LEAST, min(CHART_MOST, room - 2 * len(told.story.seats)))
    canvas = Canvas(width, rows, glyphs)
    used = draw_chart(canvas, told, 0, 0, width - 1, rows)
    lines = canvas.lines()[:used]
    for fact in [*facts(told), *mattered(told)]:
        lines += _hanging((_fact_title(fact), *_fact_who(told, fact, glyphs), (fact.text, "")), width, glyphs)
    dice = _dice(told, glyphs)
    if dice:
        lines += _hanging((("Dice  ", "bold gold"), *dice), width, glyphs)
    for seat, seen in enumerate(told.story.seats):
        name: Span = (f"{_called(told, seat, glyphs)} ", f"bold {seat_colour(seat)}")
        lines += _hanging((name, (", ".join(seat_words(seen)), "dim")), width, glyphs)
    return lines


def _hanging(spans: Line, width: int, glyphs: Glyphs) -> list[Line]:
    """Return a paragraph of two or more spans. Only its last span is broken; its later lines are indented."""
    *first, (text, style) = ((clean(text, glyphs), style) for text, style in spans)
    start: Line = (" ", ""), *first
    at = length(start)
    rows = wrap("x" * (at - 3) + " " + text, width - 3, glyphs, "   ") if text else [""]
    found: list[Line] = []
    for number, row in enumerate(rows):
        found.append((*start, (row[max(0, at - 2) :], style)) if not number else ((" " + row, style),))
    return [(*line, (" " * max(0, width - length(line)), "")) for line in found]


def _called(told: Told, seat: int, glyphs: Glyphs) -> str:
    return f"{shape(seat, glyphs.ascii)} {told.name(seat)}"


def _fact_title(fact: Fact) -> Span:
    return f"{fact.title}  ", "bold gold"


def _fact_who(told: Told, fact: Fact, glyphs: Glyphs) -> list[Span]:
    return [(f"{_called(told, fact.seat, glyphs)} ", f"bold {seat_colour(fact.seat)}")] if fact.seat >= 0 else []


def _fact_lines(told: Told, glyphs: Glyphs, width: int, room: int) -> list[Line]:
    """Return the facts one below the other, each under its title; without blank lines where there is little room."""
    blocks: list[list[Line]] = []
    title = ""
    for fact in [*facts(told), *mattered(told)]:
        said = _hanging((*_fact_who(told, fact, glyphs), (fact.text, "")), width, glyphs)
        if fact.title == title:
            blocks[-1] += said
        else:
            blocks.append([(_fact_title(fact),), *said])
        title = fact.title
    dice = _dice(told, glyphs)
    if dice:
        blocks.append([(("Dice", "bold gold"),), *_hanging(((" ", ""), *dice), width, glyphs)])
    airy = sum(map(len, blocks)) + len(blocks) <= room
    lines: list[Line] = []
    for block in blocks:
        lines += [*block, ()] if airy else block
    return lines


def _dice(told: Told, glyphs: Glyphs) -> list[Span]:
    """Return a bar for each number of the die and how many rolls there were; nothing if there were none."""
    faces = told.story.faces
    if not any(faces):
        return []
    most = max(faces)
    spans: list[Span] = []
    for face, times in enumerate(faces, 1):
        bar = f"x{times}" if glyphs.ascii else _BARS[times * (len(_BARS) - 1) // most] if times else " "
        spans += [(f"{face} ", "dim"), (f"{bar} ", "gold")]
    return [*spans, (f" {dice_words(told.story)}", "")]


# ----------------------------------------------------------------------------------------------------------- the seats
def _seat_blocks(told: Told, glyphs: Glyphs, width: int, least: int = SEAT_COLUMNS) -> list[Line]:
    """Return a rule, then a block for each seat, several side by side: name, Level, a bar, what it did. least: the
    fewest columns of each."""
    seats = told.story.seats
    names = [clean(_called(told, seat, glyphs), glyphs) for seat in range(len(seats))]
    across = max(1, min(len(seats), (width - 2) // max(least, *(cell_len(name) + 2 for name in names))))
    columns = (width - 2) // across
    room = columns - 2
    phrases = [[((words, "dim"),) for words in seat_words(seen)] for seen in seats]
    words = [flow(spans, room, len(spans), glyphs, "  ")[0] for spans in phrases]
    rows = 3 + max(map(len, words))
    canvas = Canvas(width, rows * -(-len(seats) // across), glyphs)
    canvas.fill(1, 0, width - 2, 1, "line", glyphs.rule)
    for seat, seen in enumerate(seats):
        x, y = 1 + (seat % across) * columns, 1 + rows * (seat // across)
        colour = seat_colour(seat)
        canvas.put(x, y, names[seat], f"bold {colour}")
        goal = max(1, told.story.goal)
        bar = min(room - 9, 2 * goal)
        filled = round(min(seen.level, goal) * bar / goal)
        canvas.put(x, y + 1, glyphs.full * filled, colour)
        canvas.put(x + filled, y + 1, glyphs.empty * (bar - filled), "line")
        canvas.put(x + bar + 1, y + 1, f"level {seen.level}", "bold" if seat in told.story.winners else "dim")
        canvas.paste(x, y + 2, words[seat])
    return canvas.lines()
