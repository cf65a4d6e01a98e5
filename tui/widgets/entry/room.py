"""The waiting room: seats with faces, what is still missing, how others join, what the game will be. Pure."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct, field
from rich.cells import chop_cells

from netcode.protocol.table_options import options_text
from netcode.protocol.wire import SeatInfo, TableInfo
from tui.config.keymap import USUAL_NAMES
from tui.portraits.pixels import Look
from tui.scene import bots
from tui.scene.cells import Glyphs, Line, clean, clip, count, fit, rule, wrap
from tui.scene.faces import player
from tui.scene.scene import seat_colour, shape, unready
from tui.scene.table_news import command_of
from tui.widgets import digits
from tui.widgets.canvas import FACE_SIZES, Canvas

SEAT_WIDTH, SEAT_ROWS = 25, 6
"""The box of a seat."""


class Room(Struct, frozen=True):
    """What the waiting room shows. packs: the names of the sets; invitation: join strings; me: -1 for a spectator."""

    info: TableInfo
    me: int
    muted: Collection[int]
    packs: str
    invitation: Sequence[str]
    glyphs: Glyphs
    look: Look = Look.FULL
    names: Mapping[str, str] = field(default_factory=lambda: USUAL_NAMES)
    """How the key of each binding is written."""
    words: str = ""
    """What others type to sit down by short words."""
    code: str = ""
    """How a guest without a key comes back."""


# -------------------------------------------------------------------------------------------------------------- words
def seat_state(seat: SeatInfo) -> str:
    """Return what a seat is doing, in words."""
    return {
        "open": "free", "here": "ready" if seat.ready else "not ready yet", "bot": f"bot, {bots.kind(seat)}",
        "lost": f"offline {seat.lost_ms // 1000}s", "away": "away, a bot sits in", "gone": "gone, a bot plays",
    }.get(seat.state, seat.state)  # fmt: skip


def seat_name(room: Room, at: int) -> str:
    """Return who sits there, with what marks them."""
    seat = room.info.seats[at]
    owner = " (acts for the owner)" if room.info.acting else " (owner)"
    who = " (you)" if at == room.me else owner if at == room.info.owner else ""
    return f"{shape(at, room.glyphs.ascii)} {seat.name or 'free seat'}{who}"


def more_of(room: Room, at: int) -> str:
    """Return what else there is to say about a seat."""
    seat = room.info.seats[at]
    muted = "muted" if seat.muted or at in room.muted else ""
    return ", ".join(word for word in (muted, f"{seat.wins} won" if seat.wins else "") if word)


def lacking(info: TableInfo, me: int) -> tuple[int, list[str]]:
    """Return in words how many players the game waits for, and for what; the reader's own seat (me) comes last."""
    free = sum(1 for seat in info.seats if seat.state == "open")
    waiting = unready(info)
    words = [f"{count(free, 'free seat')}"] if free else []
    for seat in [info.seats[at] for at in waiting if at != me]:
        words.append(f"{seat.name} is {'offline' if seat.state == 'lost' else 'not ready'}")
    words += ["you are not ready"] if me in waiting else []
    return free + len(waiting), words


def spectators_text(info: TableInfo) -> str:
    """Return how many spectators there are, and how much later they see everything."""
    late = f"delayed by {info.watch_delay} s" if info.watch_delay else ""
    many = count(info.watchers, "spectator") if info.watchers else ""
    return ", ".join(words for words in (many, late) if words)


def deal_words(info: TableInfo) -> str:
    """Return whether the deal can be proved, and how many players have contributed to it."""
    if info.deal is None:
        return f"Deal: not provable ({'a seed was given' if info.seed_shown else 'a fixed setup'})."
    players = [at for at, seat in enumerate(info.seats) if seat.state in ("here", "lost", "away")]
    having = sum(1 for at in players if at in info.deal.hashes)
    drawn = f"{having} of {len(players)} have drawn" if players else "nobody has drawn"
    return f"Deal: provable, {drawn}."


# ------------------------------------------------------------------------------------------------------------ drawing
def draw(room: Room, width: int, height: int) -> list[Line]:
    """Draw the seats and how others join: with faces where there is room, else as a list."""
    across = max(1, min(3, (width - 2) // SEAT_WIDTH))
    down = -(-len(room.info.seats) // across)
    strings = _strings(room, width - 4)
    below = len(strings) + 1 if strings else 0
    rows = down * SEAT_ROWS
    above = digits.LARGE + 3
    if width < 50 or height < rows + below + above:
        return _as_list(room, width, height)
    canvas = Canvas(width, height, room.glyphs)
    _lacking(canvas, room)
    for at in range(len(room.info.seats)):
        _seat(canvas, room, at, 2 + at % across * SEAT_WIDTH, above + at // across * SEAT_ROWS)
    canvas.paste(2, above + rows + 1, strings, width - 2)
    return canvas.lines()


def _lacking(canvas: Canvas, room: Room) -> None:
    """Draw how many are still missing, in large digits."""
    number, words = lacking(room.info, room.me)
    canvas.spans(2, 0, (("KICKDOOR", "bold gold"), (f"  waiting room   {room.packs}".rstrip(), "dim")))
    end = canvas.digits(2, 2, str(number), "gold" if number else "hero", digits.LARGE)
    head = "Nothing is missing." if not number else "to wait for:"
    canvas.put(end + 2, 2, head, "bold")
    for row, text in enumerate(wrap(", ".join(words), canvas.width - end - 4, room.glyphs)[: digits.LARGE - 1], 3):
        canvas.put(end + 2, row, text, "dim")


def _seat(canvas: Canvas, room: Room, at: int, x: int, y: int) -> None:
    seat, width = room.info.seats[at], SEAT_WIDTH - 1
    colour = "line" if seat.state == "open" else seat_colour(at)
    canvas.box(x, y, width, SEAT_ROWS, colour, ((seat_name(room, at), f"bold {colour}" if seat.name else "dim"),))
    if seat.state == "open":
        canvas.centre(x + 1, width - 2, y + 2, "free", "dim")
        if 0 <= room.me == room.info.owner:
            key = room.names["room.bot"]
            canvas.centre(x + 1, width - 2, y + 3, f"{key} puts a bot in", f"gold|{key}")
        return
    canvas.face(x + 1, y + 1, player(at), "small", room.look)
    left = x + FACE_SIZES["small"][0] + 2
    here = width - FACE_SIZES["small"][0] - 3
    owner = "owner" if at == room.info.owner else ""
    sign = "+" if room.glyphs.ascii else "✓"
    good = seat.ready or seat.state == "bot"
    state = f"{sign} {seat_state(seat)}" if good else seat_state(seat)
    words = [(owner, "dim"), *((text, "hero" if good else "oneshot") for text in wrap(state, here, room.glyphs)),
             (more_of(room, at), "dim")]  # fmt: skip
    for row, (text, style) in enumerate([pair for pair in words if pair[0]][: SEAT_ROWS - 2], y + 1):
        canvas.put(left, row, text, style, here)


def _ways(room: Room, width: int) -> list[list[str]]:
    """Return the lines of each string by which others come."""
    return [chop_cells(clean(command_of(text), room.glyphs), max(1, width)) for text in room.invitation]


def _strings(room: Room, width: int) -> list[Line]:
    if not room.invitation:
        return []
    copy, code = room.names["room.copy"], room.names["room.qr"]
    head: Line = (("Others sit down with", "bold"), (f"   {copy} copies it, {code} shows a QR code", "dim"))
    words = wrap(room.words, width, room.glyphs) if room.words else []
    back: list[Line] = [((line, "bold"),) for line in wrap(room.code, width, room.glyphs)] if room.code else []
    ways = [line for way in _ways(room, width) for line in way]
    return [head, *(((line, "gold"),) for line in (*words, *ways)), *back]


def _as_list(room: Room, width: int, height: int) -> list[Line]:
    """List the room. Where lines are few, those about the game give way to the seats, and the further strings to the
    first, which is always whole: somebody may have to type it."""
    glyphs, seats = room.glyphs, _seat_rows(room, width)
    ways = _ways(room, width - 4)
    few = height < len(seats) + 2 + len(_game_rows(room, width)) + sum(map(len, ways))
    below = _string_rows(room, ways, height - len(seats) - 3, width) if ways else []
    by_words: list[Line] = [((f"  {line}", "gold"),) for line in wrap(room.words, width - 4, glyphs)] if below else []
    below[1:1] = by_words if len(by_words) + len(below) + len(seats) < height else []
    below += [((f"  {line}", "bold"),) for line in wrap(room.code, width - 4, glyphs)] if room.code else []
    title = room.packs if few and room.packs else "Waiting room"
    words = _game_rows(room, width, cards=title != room.packs)[: max(0, height - len(below) - len(seats) - 1)]
    lines = [rule(title, f"pace {room.info.pace}", width, glyphs), *words, *seats]
    lines = [*lines[: max(0, height - len(below))], *below]
    return [clip(line, width, glyphs) for line in (lines + [()] * height)[:height]]


def _game_rows(room: Room, width: int, cards: bool = True) -> list[Line]:
    """Return what the game will be. cards: with the sets in play."""
    texts = game_words(room)[0 if cards else 1 :]
    return [((f"   {line}", "dim"),) for text in texts for line in wrap(text, width - 5, room.glyphs)]


def _seat_rows(room: Room, width: int) -> list[Line]:
    info, glyphs = room.info, room.glyphs
    lines: list[Line] = [rule("Seats", spectators_text(info), width, glyphs)]
    for at, seat in enumerate(info.seats):
        style = "good" if seat.ready or seat.state == "bot" else "warn"
        name = fit(seat_name(room, at), 32, glyphs)
        owning = "the table is yours" if at == room.me == info.owner else ""
        more = ", ".join(word for word in (owning, more_of(room, at)) if word)
        lines.append(((f"   {name}", f"bold {seat_colour(at)}" if seat.name else "dim"), (seat_state(seat), style),
                      (f", {more}" if more else "", "dim")))  # fmt: skip
    return lines


def _string_rows(room: Room, ways: list[list[str]], height: int, width: int) -> list[Line]:
    """Return the first string whole, and as many of the others as there are lines for."""
    shown = 1
    while shown < len(ways) and sum(map(len, ways[: shown + 1])) <= height:
        shown += 1
    title = "Others sit down with" + (f" ({shown} of {len(ways)} addresses)" if shown < len(ways) else "")
    copy, code = room.names["room.copy"], room.names["room.qr"]
    head = rule(title, f"{copy} = copy, {code} = QR code", width, room.glyphs)
    return [head, *(((f"  {line}", "gold"),) for way in ways[:shown] for line in way)]


def game_words(room: Room) -> list[str]:
    """Return what the game will be, a sentence for each thing."""
    info = room.info
    agreed = f"Agreed: {options_text(info.options)}" if info.options else ""
    own = [f"{seat.name} {who}." for seat in info.seats if (who := bots.character(seat))]
    host = f"The owner of {info.machine[:24] or 'the host machine'} could see every hand."
    words = (f"Cards: {room.packs}", agreed, f"{host} {deal_words(info)}", " ".join(own))
    return [text for text in words if text]


def draw_game(room: Room, width: int, height: int) -> list[Line]:
    """Draw what the game will be, in a box."""
    canvas = Canvas(width, height, room.glyphs)
    canvas.box(0, 0, width, height, "line", (("The game", "bold gold"),))
    watching = spectators_text(room.info) or "no spectators"
    pace = f"Pace: {room.info.pace}"
    row = 1
    for text in (*game_words(room), pace, f"{watching[0].upper()}{watching[1:]}."):
        for line in wrap(text, width - 4, room.glyphs):
            if row < height - 1:
                canvas.put(2, row, line)
            row += 1
        row += 1
    return canvas.lines()
