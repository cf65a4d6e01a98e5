"""The prompt: a question in capitals with its reason, then the choices with what they lead to; the line of keys. Pure
functions draw both; panes show them."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.menus.danger import gist
from tui.menus.prompts import Prompt
from tui.scene.cells import UNICODE, Glyphs, Line, Span, clip, flow, length, plain, shorten, wrap
from tui.scene.outlook import NOTHING, Outlook
from tui.scene.scene import Scene, seat_colour, shape
from tui.widgets.canvas import Canvas
from tui.widgets.table.labels import TOLD_CELLS, ability_of, abridged

ASKS_MORE = "asks first"
GAP = 2
WIDE = 60
"""From this width on, choices stand in two columns if one is too short."""
KEY_CELLS = 6


class Row(Struct, frozen=True):
    """One choice: its key as it is written, its words, what it leads to.

    asks: whether the choice is asked once more. dead: whether its key does nothing for a moment. pinned: whether it
    stands on every page. seat: the seat that it concerns, -1 for none.
    """

    key: str
    words: str
    outlook: Outlook = NOTHING
    asks: bool = False
    dead: bool = False
    pinned: bool = False
    seat: int = -1
    rank: int = 1
    """What comes first where not all fit on a page: -1 answers an offer to the player, 0 decides the fight, 1 usual,
    2 cards, which the hand or the list shows too, 3 never urgent."""
    spare: bool = False
    """Whether the hand shows the same with the same key, so that no page is turned for it."""
    question: str = ""
    """What the choice is asked once more."""


# ----------------------------------------------------------------------------------------------------------- layout
def room(prompt: Prompt, rows: Sequence[Row], width: int, height: int, glyphs: Glyphs) -> int:
    """Return how many lines of choices fit below the question."""
    return height - _kept(prompt, rows, width, height, glyphs) if rows else 0


def said_lines(prompt: Prompt, width: int, glyphs: Glyphs) -> int:
    """Return how many lines a remark takes with the question before it; 1 if there is none."""
    return max(1, len(_texts(prompt, width, glyphs))) if prompt.said else 1


def _half(width: int) -> int:
    """Return the cells of each of two columns."""
    return (width - 2 - GAP) // 2


def laid(rows: Sequence[Row], lines: int, width: int) -> list[list[Row]]:
    """Return the choices line by line: one on each if there are enough lines, or little width. Otherwise two choices
    stand side by side where each fits whole into half of the width; a longer one stands alone. Only if there are still
    too few lines, choices in two columns lose their verdict, and then abilities their text."""
    if len(rows) <= lines or width < WIDE:
        return [[row] for row in rows]
    ways = (_paired(rows, width, cells) for cells in (_judged_cells, _cells))
    return next((found for found in ways if len(found) <= lines), None) or _paired(rows, width, _named_cells)


def _paired(rows: Sequence[Row], width: int, cells: Callable[[Row], int]) -> list[list[Row]]:
    """Return the choices line by line, two on one where both have room. cells: how much a choice needs at least."""
    half, found = _half(width), list[list[Row]]()
    for row in rows:
        open_lines = found[-1:] if row.asks else found  # a choice that asks once more does not move up
        fitting = (line for line in open_lines if len(line) == 1 and max(cells(line[0]), cells(row)) <= half)
        beside = next(fitting, None)
        if beside is None:
            found.append([row])
        else:
            beside.append(row)
    return found


def _judged_cells(row: Row) -> int:
    """Return the cells of a choice side by side with another, with its verdict in the shortest words."""
    if row.asks or not row.outlook.words:
        return _cells(row)
    words = min(map(len, row.outlook.words))
    return _cells(row) + words + GAP if row.outlook.sums else _cells(row) + GAP + words


def _cells(row: Row) -> int:
    """Return the cells of a choice side by side with another, with the shortest form of its outlook."""
    tail = len(ASKS_MORE) if row.asks else len(row.outlook.sums)
    label = length(((row.words, ""),)) + (2 if row.seat >= 0 else 0)
    return len(row.key) + 1 + label + (GAP + tail if tail else 0)


def _beside_text(row: Row, room: int) -> int:
    """Return the cells that an outlook gets beside an ability's text: what the whole text leaves, or if that is too
    little, some from its end, so that it says who wins and the text still begins; 0 for other choices."""
    ability = ability_of(row.words)
    if ability is None:
        return 0
    left = room - length(((f"{ability[1]}: {ability[2].removesuffix('.')}", ""),))
    if left >= (len(row.outlook.sums) or _tail_cells(row, -1)):
        return left
    free = min(TOLD_CELLS, room - length(((ability[1], ""),)) - TOLD_CELLS)
    told = (_tail_cells(row, at) for at in range(len(row.outlook.words)))
    return next((cells for cells in told if cells <= free), 0)


def _settled(row: Row, width: int, beside: bool) -> Row:
    """Return a choice without the text of its ability, if there is no room for that beside an outlook that says the
    same. beside: whether choices stand in two columns."""
    ability = ability_of(row.words)
    if ability is None or not row.outlook.tells:
        return row
    room = width - 2 - (len(row.key) + 1 if beside else KEY_CELLS + GAP) - GAP
    _, least, text = ability
    whole = length(((f"{least}: {text}", ""),)) + _tail_cells(row) <= room
    told = min(map(len, row.outlook.words[: row.outlook.tells]))
    return row if whole or length(((least, ""),)) + told > room else replace(row, words=least)


def _named_cells(row: Row) -> int:
    """Return the cells of a choice side by side with another, an ability with its name only."""
    parts = row.words.split(": ")
    return _cells(replace(row, words=": ".join(parts[:2])) if len(parts) > 2 else row)


def _kept(prompt: Prompt, rows: Sequence[Row], width: int, height: int, glyphs: Glyphs) -> int:
    """Return how many lines the question and its reason get: all they need where the choices fit below; otherwise a
    reason gives way to the choices, but a remark does not."""
    needed = len(_texts(prompt, width, glyphs))
    if not rows or (prompt.said and needed >= height):
        return height
    for lines in range(min(needed, height - 1), 1, -1):
        left = height - lines
        if prompt.said or len(laid(rows, left, width)) <= left:
            return lines
    return 1


def fits(prompt: Prompt, rows: Sequence[Row], width: int, height: int, glyphs: Glyphs) -> bool:
    """Return whether all choices fit below the question, on one page and with all their words."""
    lines = room(prompt, rows, width, height, glyphs)
    found = laid(rows, lines, width)
    alone, half = width - 2 - KEY_CELLS - GAP, _half(width)
    whole = (
        all(_cells(row) <= half for row in line) if len(line) > 1 else len(line[0].words) <= alone for line in found
    )
    return len(found) <= lines and all(whole)


def pages(rows: Sequence[Row], lines: int, width: int, more: bool = False) -> list[list[Row]]:
    """Return the choices in pages of this many lines. Of the choices that the hand shows too, the best always has a
    row, and the others where there is room. Pinned choices stand on each page, or on the first pages if there is no
    room for more. A row on each page tells of the next one. All others come by rank. more: whether another page has
    further digits."""
    further = [MORE] if more else []
    if lines < 1 or len(laid([*rows, *further], lines, width)) <= lines:
        return [list(rows)]
    rows = _without_spare(rows, lines, width, further)
    if len(laid([*rows, *further], lines, width)) <= lines:
        return [list(rows)]
    if lines == 1:
        return [[row] for row in sorted(rows, key=lambda row: not row.pinned)]
    pinned = [row for row in rows if row.pinned][: 2 * lines - 2]
    found: list[list[Row]] = []
    kept, chunk = pinned, list[Row]()
    for row in sorted((row for row in rows if row not in pinned), key=lambda row: row.rank):
        if chunk and len(laid([*kept, *chunk, row, MORE], lines, width)) > lines:
            found.append([one for one in rows if one in kept or one in chunk])
            kept, chunk = pinned, []
        while kept and not chunk and len(laid([*kept, row, MORE], lines, width)) > lines:
            kept = kept[:-1]
        chunk.append(row)
    found.append([one for one in rows if one in kept or one in chunk])
    dropped = [row for row in pinned if not any(row in page for page in found)]
    return [*found, dropped] if dropped else found


MORE_CELLS = 24
MORE = Row("0", "#" * MORE_CELLS)
"""The longest row that tells of the next page."""


def _without_spare(rows: Sequence[Row], lines: int, width: int, further: Sequence[Row]) -> Sequence[Row]:
    """Return the choices without those that the hand shows too, but keep the best of these, and others while there is
    room. If there is no room for both, an offer comes before the best one, and so does a choice that decides the fight
    as well and is shown nowhere else."""
    spare = sorted((row for row in rows if row.spare), key=lambda row: row.rank)
    kept = [row for row in rows if not row.spare]
    first = [row for row in kept if row.rank < 0 or (row.pinned and not row.rank)]
    for row in spare:
        wanted = [one for one in rows if one in kept or one is row]
        best = row is spare[0] and row.rank == 0
        room = not first or len(laid([*first, row, MORE], lines, width)) <= lines
        if (best and room) or len(laid([*wanted, *further], lines, width)) <= lines:
            kept = wanted
    return kept


def turned(
    found: Sequence[Sequence[Row]], page: int, more: bool, glyphs: Glyphs = UNICODE, further: str = ""
) -> list[Row]:
    """Return the choices of one of these pages, and a row that says what the next one begins with. more: whether
    another page has further digits; further: the first words on it."""
    shown = list(found[page % len(found)])
    if len(found) > 1:
        after = found[(page + 1) % len(found)]
        first = next((row for row in after if row not in shown), after[0])
        shown = [*shown, Row("0", shorten(f"more: {first.words}", MORE_CELLS, glyphs))]
    elif more:
        shown = [*shown, Row("0", shorten(f"more: {further}" if further else "more", MORE_CELLS, glyphs))]
    return shown


# ---------------------------------------------------------------------------------------------------------- drawing
def nothing(width: int, rows: int) -> list[Line]:
    """Return no lines."""
    return []


def draw(
    scene: Scene, prompt: Prompt, rows: Sequence[Row], width: int, height: int,
    below: Callable[[int, int], list[Line]] = nothing, also: Sequence[str] = (),
) -> list[Line]:  # fmt: skip
    """Draw the question and these choices. below: gives what fills the rows that are left, for their width. also: the
    keys of cards in hand that can be played too, for which there is no row."""
    glyphs = scene.glyphs
    canvas = Canvas(width, height, glyphs)
    for y in range(height):
        canvas.put(0, y, "|" if glyphs.ascii else "▌", "gold" if prompt.urgent else "line")
    texts = _texts(prompt, width, glyphs)
    if also and prompt.brief and not _also_words(also, length(((texts[0], ""),)), width, whole=True):
        prompt = replace(prompt, reason=prompt.brief, brief="")
        texts = _texts(prompt, width, glyphs)
    kept = _kept(prompt, rows, width, height, glyphs)
    if len(texts) > kept:
        back = f"  {scene.key_names['prompt.back']} what can be done" if kept == height and rows else ""
        texts[kept - 1 :] = [shorten(" ".join(texts[kept - 1 :]), width - 3 - len(back), glyphs) + back]
    question = _question(prompt)
    for y, text in enumerate(texts):
        head = text[: len(question)] if y == 0 else ""
        x = canvas.put(2, y, head, "bold gold" if prompt.urgent else "bold")
        canvas.put(x, y, text[len(head) :])
    lines = height - len(texts)
    beside, half = len(rows) > lines and width >= WIDE, _half(width)
    found = [[_settled(line[0], width, beside)] if len(line) == 1 else line for line in laid(rows, lines, width)]
    if len(found) > lines:  # one line for a choice that needs all of it, and one for the row that tells of the others
        found = [list(rows[at : at + 2]) for at in range(0, 2 * lines, 2)]
    shown = [row for line in found for row in line]
    for y, line in enumerate(found, len(texts)):
        if not beside:
            _wide(canvas, scene, line[0], shown, y, _words_cells(shown, width))
        elif len(line) == 1:
            _narrow(canvas, scene, line[0], rows, 2, y, width - 2)
        else:
            for number, row in enumerate(line):
                _narrow(canvas, scene, row, rows, 2 + number * (half + GAP), y, half)
    taken = len(texts) + len(found)
    chosen = range(min(taken, height) - 1, len(texts) - 1, -1)
    _put_also(canvas, also, chosen if prompt.said else (0, *chosen))
    for y, spans in enumerate(below(width - 3, height - taken) if taken < height else (), taken):
        canvas.spans(2, y, spans, width - 3)
    return canvas.lines()


def _question(prompt: Prompt) -> str:
    return prompt.question.upper().rstrip(".:")


def _texts(prompt: Prompt, width: int, glyphs: Glyphs) -> list[str]:
    """Return the question and the reason as lines: two blanks between them, if the question leaves room for more. If
    that takes more than one line, the reason is the brief one."""
    question = _question(prompt)
    if prompt.brief and len(f"{question}  {prompt.reason}") > width - 3:
        prompt = replace(prompt, reason=prompt.brief)
    if not question or not prompt.reason or len(question) > width - 16:
        return wrap(f"{question} {prompt.reason}", width - 3, glyphs) or [""]
    first, *others = wrap(f"{'#' * (len(question) + 1)} {prompt.reason}", width - 3, glyphs)
    return [f"{question} {first[len(question) + 1 :]}", *others]


def _words_cells(rows: Sequence[Row], width: int) -> int:
    """Return the cells for the words of the choices: outlooks are shortened before these words are cut."""
    longest = max((len(row.words) for row in rows if _tail_cells(row)), default=0)
    longest += 2 if any(row.seat >= 0 for row in rows) else 0
    free = width - 2 - KEY_CELLS - GAP - GAP
    full, least = (max((_tail_cells(row, at) for row in rows), default=0) for at in (0, -1))
    return max(min(longest, free - least), free - full) if longest > free - full else longest


def _tail_cells(row: Row, at: int = 0) -> int:
    """Return the cells for what a choice leads to. at: the index of its words, the longest first."""
    if row.asks:
        return len(ASKS_MORE)
    words = row.outlook.words[at] if row.outlook.words else ""
    return len(row.outlook.sums) + (GAP if row.outlook.sums and words else 0) + len(words)


def _wide(canvas: Canvas, scene: Scene, row: Row, rows: Sequence[Row], y: int, words: int) -> None:
    """Draw a choice over the whole width: key, words, sums and consequence below those of the others; close to the
    words where the consequence stands in place of some."""
    if row.outlook.tells and ability_of(row.words) is None:
        words = length(((row.words, ""),))
    canvas.right(2 + KEY_CELLS, y, row.key, _key_style(row))
    start = 2 + KEY_CELLS + GAP
    _label(canvas, scene, row, rows, start, y, words if _tail_cells(row) else canvas.width - start - 1)
    _tail(canvas, row, start + words + GAP, y, canvas.width - start - words - GAP)


def _narrow(canvas: Canvas, scene: Scene, row: Row, rows: Sequence[Row], x: int, y: int, width: int) -> None:
    """Draw a choice in one of two columns."""
    start = canvas.put(x, y, row.key, _key_style(row)) + 1
    label, room = length(((row.words, ""),)) + (2 if row.seat >= 0 else 0), width - (start - x) - GAP
    tail = min(_tail_cells(row), max(len(row.outlook.sums), room - label, _beside_text(row, room)))
    left = room - tail if tail > 0 else room + GAP
    end = _label(canvas, scene, row, rows, start, y, left)
    if tail > 0:
        _tail(canvas, row, end + GAP, y, tail)


def _key_style(row: Row) -> str:
    return f"{'dim' if row.dead else 'bold gold'}|{row.key}"


def _label(canvas: Canvas, scene: Scene, row: Row, rows: Sequence[Row], x: int, y: int, room: int) -> int:
    """Draw the words of a choice. rows: the choices beside it, from which it must look different."""
    end = x + room
    if row.seat >= 0:
        x = canvas.put(x, y, shape(row.seat, scene.glyphs.ascii), f"{seat_colour(row.seat)}|{row.key}") + 1
    words = abridged(row.words, end - x, scene, [one.words for one in rows])
    return canvas.put(x, y, words, f"{'dim' if row.dead else ''}|{row.key}")


def _tail(canvas: Canvas, row: Row, x: int, y: int, room: int) -> None:
    """Draw what a choice leads to, in as long words as there is room for."""
    if row.asks:
        why = gist(row.question)
        forms = [f"{ASKS_MORE}: {why}"] if why else []
        told = next((form for form in (*forms, ASKS_MORE) if len(form) <= room), "asks")
        canvas.put(x, y, told, f"dim|{row.key}")
        return
    outlook = row.outlook
    beside = room - len(outlook.sums) - GAP
    if outlook.share and len(outlook.share[-1]) <= room and all(len(words) > beside for words in outlook.words):
        outlook = replace(outlook, sums="", words=outlook.share)
    if outlook.sums:
        x = canvas.put(x, y, outlook.sums, f"bold|{row.key}") + GAP
        room -= len(outlook.sums) + GAP
    sign = outlook.sign(canvas.glyphs).strip() if outlook.sums else ""  # the verdict of sums without room for words
    words = next((words for words in outlook.words if len(words) <= room), sign if len(sign) <= room else "")
    canvas.put(x, y, words, f"{outlook.style}|{row.key}")


# ------------------------------------------------------------------------------------------------------ line of keys
def _put_also(canvas: Canvas, keys: Sequence[str], lines: Sequence[int]) -> None:
    """Write which cards can be played too at the end of the first of these lines that has room."""
    if not keys:
        return
    ends = [length(((plain(line).rstrip(), ""),)) - 2 for line in canvas.lines()]
    for y in lines:
        if words := _also_words(keys, ends[y], canvas.width):
            x = canvas.width - 1 - len(words) - len(" ".join(keys))
            canvas.put(canvas.put(x, y, words, "dim"), y, " ".join(keys), "key")
            return


def _also_words(keys: Sequence[str], taken: int, width: int, whole: bool = False) -> str:
    """Return the words before the keys of cards in a line whose text takes so many cells; "" without room for them.
    whole: whether they have to say that these are cards."""
    named = "or cards " if len(keys) > 1 else "or card "
    room = width - 3 - taken - GAP - len(" ".join(keys))
    return next((words for words in ((named,) if whole else (named, "or ")) if len(words) <= room), "")


def draw_keys(keys: Sequence[tuple[str, str]], width: int, glyphs: Glyphs) -> list[Line]:
    """Draw one line of keys with their words, as many as fit whole; the last one stands at the right end."""
    parts: list[Line] = [_key(key, words) for key, words in keys[:-1]]
    last = _key(*keys[-1])
    lines, _ = flow(parts, width - 4 - length(last), 1, glyphs, " " * GAP)
    left: list[Span] = [(" ", ""), *lines[0]]
    space = width - 1 - length(tuple(left)) - length(last)
    return [clip((*left, (" " * space, ""), *last), width, glyphs)]


def _key(key: str, words: str) -> Line:
    return ((key, f"key|{key}"), (f" {words}", f"dim|{key}"))
