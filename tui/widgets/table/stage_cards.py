"""Cards on the stage: one that is being read, and several that lie open, such as Treasures to share. Pure."""

from collections.abc import Sequence

from core.state.model import defn_of
from tui.scene.cells import Line, shorten
from tui.scene.dice import about_die
from tui.scene.scene import FIRST_CARD, Scene
from tui.widgets.canvas import FACE_SIZES
from tui.widgets.table.stage_parts import Room, flowed, person, rows_of, write

CARD_CELLS = 28
"""The least columns of a card in a group: a small face, and beside it its name and figures."""


def effective(scene: Scene) -> int:
    """Return the card whose text decides what happens now, by its id or the number of its definition: the one that
    asks somebody, the player first, else the newest in effect; -1 if there is none. Treasures to share have no effect,
    though they lie with the cards that do."""
    asking = sorted(scene.view.deciding, key=lambda deciding: deciding.seat != scene.me)
    asker = next((deciding.card for deciding in asking if deciding.card >= 0), -1)
    running = [card for card in scene.view.limbo if card not in scene.view.pool]
    return asker if asker >= 0 or not running else running[-1]


def being_read(room: Room, card: int) -> None:
    """Draw a card in effect: its face, its name, who has brought it, its target, and its text."""
    scene = room.scene
    face = "large" if room.height >= FACE_SIZES["large"][1] and room.width >= 48 else "small"
    wide, rows = FACE_SIZES[face]
    beside = room
    if room.height >= rows:
        room.canvas.face(room.x, room.y, scene.portrait(card), face, scene.pixels)
        beside = room.beside(wide + 2)
    y, cause = beside.y, cause_line(scene, card)
    if not cause or room.height >= rows:
        y = write(beside, y, named(scene, card), 2)
    if cause:
        y = write(beside, y, cause, 2)
    write(beside, y, ((_text(scene, card), ""),), room.bottom - y)


def cause_line(scene: Scene, card: int) -> Line:
    """Return how a card in effect came to be: `▲ Hush plays Bad Hat Day on you`; empty if that is not known."""
    line = scene.causes.get(defn_of(card) if card >= FIRST_CARD else card)
    if line is None:
        return ()
    if not line.who or line.seat < 0:
        return ((f"{line.text}.", "bold"),)
    return (person(scene, line.seat), (f"{line.text.removeprefix(line.who)}.", "bold"))


def in_words(scene: Scene, card: int, caused: bool = True) -> Line:
    """Return a card in effect as one text: who has brought it, and what it says. caused: whether to say who brought
    it."""
    return (*(begun(scene, card) if caused else named(scene, card)), (f" {_text(scene, card)}", ""))


def begun(scene: Scene, card: int) -> Line:
    """Return a line that says who brought a card into effect; if that is not known, that it is being read."""
    return cause_line(scene, card) or named(scene, card)


def named(scene: Scene, card: int) -> Line:
    """Return a line that says that a card is being read."""
    return (scene.title(card), "bold oneshot"), (" is being read", "dim")


def _text(scene: Scene, card: int) -> str:
    """Return the text of a card; while its die may be thrown again, only from what the number means on."""
    throw, defn = scene.view.throw, defn_of(card) if card >= FIRST_CARD else card
    if throw is not None and throw.defn == defn:
        return about_die(scene.printed(defn).text)
    return " ".join(scene.paragraphs(card)[1:]) or scene.facts(card)


def group(room: Room, cards: Sequence[int]) -> None:
    """Draw cards side by side, each with its face; as a list if there is no room for faces."""
    columns = max(1, room.width // CARD_CELLS)
    rows = -(-len(cards) // columns)
    if rows * 4 > room.height:
        _list(room, cards)
        return
    high = 5 if rows * 5 <= room.height + 1 else 4
    for at, card in enumerate(cards):
        left, top = (at % columns) * CARD_CELLS, (at // columns) * high
        _card(room.beside(left).below(top).part(min(CARD_CELLS, room.width - left), 4), card)


def _card(room: Room, card: int) -> None:
    scene = room.scene
    room.canvas.face(room.x, room.y, scene.portrait(card), "small", scene.pixels)
    beside = room.beside(10).part(room.width - 11, 4)
    y = write(beside, beside.y, ((scene.title(card), "bold"),), 2)
    write(beside, y, ((scene.facts(card), "dim"),), room.bottom - y)


def _list(room: Room, cards: Sequence[int]) -> None:
    """Write a row for each card; if there are too many, all names one after the other."""
    scene, canvas = room.scene, room.canvas
    if len(cards) <= room.height:
        for at, card in enumerate(cards):
            end = canvas.put(room.x, room.y + at, shorten(scene.title(card), room.width, scene.glyphs), "bold")
            canvas.put(end + 2, room.y + at, scene.facts(card), "dim", max(0, room.end - end - 2))
        return
    names: Line = ((", ".join(scene.title(card) for card in cards), ""),)
    for at, line in enumerate(rows_of(flowed(names, room.width, scene), room.height, room.width, scene)):
        canvas.spans(room.x, room.y + at, line, room.width)
