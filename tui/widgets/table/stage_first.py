"""First cards on the stage: your place at the table as a figure with slots, and what is in them. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from tui.scene.arrival import why_carried
from tui.scene.cells import Line, shorten, whole_words, wrap
from tui.scene.faces import player
from tui.scene.gear import carried
from tui.scene.scene import Scene
from tui.widgets.canvas import FACE_SIZES, Canvas
from tui.widgets.table.stage_parts import Room, crowd, last_row, person, speaking, write

SLOTS = {"head": "head", "armor": "armor", "feet": "feet"}
HANDS = ("1-hand", "2-hands")
SLOT_CELLS, SLOT_ROWS = 18, 5


class Slot(Struct, frozen=True):
    """A place on the figure and the cards in it."""

    name: str
    cards: tuple[int, ...]


def slots(scene: Scene, seat: int) -> tuple[list[Slot], list[Slot]]:
    """Return the slots on the left and on the right of the figure: what is worn; identities, hands and the rest."""
    table = [(placed.card, scene.definition(placed.card)) for placed in scene.seat(seat).table]
    left = [
        Slot(name, tuple(card for card, defn in table if defn.slot == slot and defn.is_item))
        for slot, name in SLOTS.items()
    ]
    if scene.lexicon.vehicles:
        left.append(Slot("Vehicle", tuple(card for card, defn in table if defn.slot == "vehicle")))
    kinds = list(dict.fromkeys(kind.id for head in scene.catalog.packs for kind in head.identities))
    right = [
        Slot(scene.lexicon.kind(kind), tuple(card for card, defn in table if defn.card.identity == kind))
        for kind in kinds
    ]
    right.append(Slot("hands", tuple(card for card, defn in table if defn.slot in HANDS)))
    taken = {card for slot in (*left, *right) for card in slot.cards}
    rest = tuple(card for card, _ in table if card not in taken)
    return left, [*right, Slot("other cards", rest)] if rest or scene.lexicon.allies else right


def draw(room: Room) -> None:
    """Draw the figure with its slots; for a spectator, who gets ready."""
    scene = room.scene
    if scene.me < 0:
        _watched(room)
    elif room.width >= 2 * SLOT_CELLS + 18 and room.height >= 13:
        _figure(room)
    else:
        _listed(room)
    last_row(room, speaking(scene))


def _watched(room: Room) -> None:
    scene = room.scene
    seats = range(len(scene.view.seats))
    write(room, room.y, (("Everybody plays first cards, hidden from the others.", "bold"),), 2)
    if room.face and room.height >= 11:
        for at, seat in enumerate(seats):
            if (at + 1) * 9 <= room.width:
                room.canvas.face(room.x + at * 9, room.y + 3, player(seat), "small", scene.pixels)


def _figure(room: Room) -> None:
    canvas, scene = room.canvas, room.scene
    left, right = slots(scene, scene.me)
    canvas.centre(room.x, room.width, room.y, "your place at the table", "dim")
    high = room.height - 2
    wide = SLOT_CELLS if room.width < 90 else 34
    for x, places in ((room.x, left), (room.end - wide, right)):
        rows = max(3, min(SLOT_ROWS if room.width < 90 else 6, high // len(places)))
        shown = places if rows * len(places) <= high else places[: high // rows]
        for at, slot in enumerate(shown):
            _slot(room, x, room.y + 1 + at * rows, wide, rows, slot)
    face = "double" if room.width >= 110 and room.height >= 24 else "large"
    columns, rows = FACE_SIZES[face]
    x = room.x + (room.width - columns) // 2
    crowd(room, x, room.y + 2, [player(scene.me)], face)
    y = room.y + 3 + rows
    middle = room.beside(wide + 1).part(room.width - 2 * wide - 2, room.height)
    _centred(middle, y, (person(scene, scene.me), (f"  level {scene.seat(scene.me).level}", "")))
    _centred(middle, y + 2, (("strength ", "dim"), (str(scene.seat(scene.me).strength), "bold hero")))


def _centred(room: Room, y: int, line: Line) -> None:
    text = "".join(text for text, _ in line)
    x = room.x + max(0, (room.width - len(text)) // 2)
    if y < room.bottom - 1:
        room.canvas.spans(x, y, line, room.end - x)


def _slot(room: Room, x: int, y: int, wide: int, rows: int, slot: Slot) -> None:
    """Draw a slot: its name on the border, and in it its cards (a single one with its face), or that it is empty."""
    canvas, scene = room.canvas, room.scene
    full = bool(slot.cards)
    canvas.box(x, y, wide, rows, "gold" if full else "line", ((slot.name, "bold gold" if full else "dim"),))
    inner = rows - 2
    if not full:
        canvas.centre(x + 1, wide - 2, y + 1 + inner // 2, "empty", "dim")
        return
    start, room_left = x + 2, wide - 4
    text = _words(scene, slot.cards[0])
    whole = len(wrap(text, wide - 11, scene.glyphs)) <= inner and whole_words(text, wide - 11, scene.glyphs) == text
    if inner >= 3 and len(slot.cards) == 1 and whole:
        picture = Canvas(8, inner, scene.glyphs)
        picture.face(0, 0, scene.portrait(slot.cards[0]), "small", scene.pixels)
        canvas.paste(x + 1, y + 1, picture.lines(), 8)
        start, room_left = x + 10, wide - 11
    for at, text in enumerate(_rows(scene, slot.cards, room_left, inner)):
        canvas.put(start, y + 1 + at, text, "", room_left)


def _rows(scene: Scene, cards: tuple[int, ...], width: int, rows: int) -> list[str]:
    """Return the cards of a slot in rows: names are wrapped if all cards fit so, else cut; what follows a name is never
    cut. If there are too many cards, the last row counts the rest."""
    shown = cards if len(cards) <= rows else cards[: rows - 1]
    spare, found = rows - len(cards), list[str]()
    for card in shown:
        name, tail = _parts(scene, card)
        name = whole_words(name, width, scene.glyphs)
        lines = wrap(f"{name} {tail}".rstrip(), width, scene.glyphs)
        most = 1 + max(0, min(spare, len(lines) - 1))
        spare -= most - 1
        if len(lines) > most:
            rest = f" {tail}" if tail else ""
            left = " ".join(lines[most - 1 :]).removesuffix(rest)
            lines[most - 1 :] = [shorten(left, width - len(rest), scene.glyphs) + rest]
        found += lines
    return found if shown == cards else [*found, f"{len(cards) - len(shown)} more"]


def _words(scene: Scene, card: int, why: bool = False) -> str:
    return " ".join(part for part in _parts(scene, card, why) if part)


def _parts(scene: Scene, card: int, why: bool = False) -> tuple[str, str]:
    """Return a card's name and its bonus; of an Item that is carried, the bonus does not count. why: with the reason
    for that."""
    placed = next((piece.placed for piece in carried(scene, scene.me) if piece.card == card), None)
    if placed is not None:
        return scene.title(card), f"(carried: {why_carried(scene, scene.me, placed)})" if why else "(carried)"
    bonus = scene.card(card).bonus
    return scene.title(card), f"{bonus:+d}" if bonus else ""


def _listed(room: Room) -> None:
    """Write a row for each slot, in two columns if there is room."""
    scene = room.scene
    left, right = slots(scene, scene.me)
    text = room.without_last(1)
    y = write(text, text.y, (person(scene, scene.me), ("  your place at the table, strength ", "dim"),
                             (str(scene.seat(scene.me).strength), "bold hero")), 2)  # fmt: skip
    if room.face:
        room.canvas.face(room.x, y, player(scene.me), "small", scene.pixels)
        text = text.beside(10)
    places = [*left, *right]
    columns = 1 if len(places) <= text.bottom - y else 2
    rows = min(-(-len(places) // columns), max(1, text.bottom - y))
    places = _fullest(places, columns * rows)
    wide = text.width // columns
    for at, slot in enumerate(places):
        row, x = y + at % rows, text.x + (at // rows) * wide
        if row < text.bottom:
            end = room.canvas.put(x, row, f"{slot.name} ", "dim", wide)
            names = _in_one_line(scene, slot.cards, x + wide - 1 - end)
            room.canvas.put(end, row, names or "empty", "bold gold" if names else "dim", max(0, x + wide - 1 - end))


def _fullest(places: Sequence[Slot], most: int) -> list[Slot]:
    """Return at most this many slots. If not all fit, those with cards come first, and the last one holds the cards of
    all others."""
    if len(places) <= most:
        return list(places)
    found = [slot for slot in places if slot.cards] + [slot for slot in places if not slot.cards]
    hidden = [card for slot in found[most - 1 :] for card in slot.cards]
    return [*found[: most - 1], Slot("others", tuple(hidden))] if len(hidden) > len(found[most - 1].cards) \
        else found[:most]  # fmt: skip


def _in_one_line(scene: Scene, cards: Sequence[int], width: int) -> str:
    """Return the cards of a slot in a line. Titles are cut before what is said of them."""
    for why in (True, False):
        names = ", ".join(_words(scene, card, why) for card in cards)
        if len(names) <= width or not cards:
            return names
    if len(cards) > 1:
        rest = f", {len(cards) - 1} more"
        return _in_one_line(scene, cards[:1], width - len(rest)) + rest
    note = _words(scene, cards[0]).removeprefix(scene.title(cards[0]))
    return shorten(scene.title(cards[0]), width - len(note), scene.glyphs) + note
