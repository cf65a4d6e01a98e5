"""The hand: a card each where there is room, otherwise a list; more cards than fit have pages."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.reactive import var

from tui.portraits.pixels import Look
from tui.scene.cells import Glyphs, Line, apart
from tui.scene.scene import Scene
from tui.widgets.canvas import Canvas
from tui.widgets.cards.face import (
    HIGH,
    TAB,
    TALL,
    Face,
    draw,
    face_of,
    key_tone,
    number_words,
    outlook_tone,
    outlook_words,
)
from tui.widgets.pane import Pane

MOST = 12
"""Cards side by side."""
CARD_ROWS = 5
"""The least rows of a card."""
CARD_COLUMNS = 13
"""The least columns of a card."""
NEW = "new"
"""The word in the border of a card that has come since the last key."""
SPECTATING, EMPTY = "You are spectating: hands stay hidden.", "Your hand is empty."

KeyOf = Callable[[int], str]
"""Returns the key of a card of the hand, by its id."""


class Hand(Horizontal):
    """Shows the hand, a page at a time."""

    scene: var[Scene | None] = var(None, init=False, always_update=True)
    _sized: Size = Size()

    def compose(self) -> ComposeResult:
        """The cards, and the list that takes their place where there is little room."""
        for _ in range(MOST):
            yield Pane(classes="card")
        yield Pane("hand-list")

    @property
    def room(self) -> Size:
        """The columns and rows of the hand; before the first layout, those that it will have."""
        height = self.styles.height
        return self.size or Size(self.app.size.width, (height and height.cells) or 0)

    @property
    def rows(self) -> int:
        """The rows of the list, 1 where cards are side by side."""
        width, height = self.room
        return height if height < CARD_ROWS or width < 6 * CARD_COLUMNS else 1

    def watch_scene(self, scene: Scene | None) -> None:
        """Show a scene."""
        if scene is not None:
            self.update(scene)

    def update(self, scene: Scene) -> None:
        """Show this scene; in a recording, where no digit does anything, with the places of the cards as their keys."""
        self._sized = self.room
        width, height = self.room
        if not width or not height:
            return
        cards = scene.hand()
        places = {card: str(at) for at, card in enumerate(cards, 1)}

        def name(card: int) -> str:
            return places[card] if scene.replay else scene.keys.get(card, "")

        listed = self.rows > 1 or not cards
        slots = columns(width, height, len(cards))
        shown = page(scene.cursor, len(cards), slots)
        for number, pane in enumerate(self.query(".card").results(Pane)):
            here = not listed and number < len(shown)
            pane.display = here
            if here:
                pane.styles.width = (number + 1) * width // slots - number * width // slots
                at = shown[number]
                face = face_of(scene, cards[at], name(cards[at]), at == scene.cursor)
                note = _note(scene, shown, cards) if at == shown[-1] else ("", "")
                note = (NEW, f"hand:{at}") if face.fresh and not note[0] else note
                card = _Card(face, scene.glyphs, scene.pixels, f"hand:{at}", note)
                pane.show(card.lines, card)
        found = self.query_one("#hand-list", Pane)
        found.display = listed
        if listed:
            found.show(lambda w, h: hand_list(scene, w, h, name))

    def on_resize(self) -> None:
        """Divide the room again: a new size may arrive after the scene that was shown for it."""
        if self.scene is not None and self._sized != self.size:
            self.update(self.scene)


def columns(width: int, height: int, cards: int) -> int:
    """Return how many cards have a place side by side; where there are few they are wider."""
    least, usual = (CARD_COLUMNS, 16) if height < TALL else (15, 20) if height < HIGH else (20, 25)
    most = max(1, min(MOST, width // least))
    return max(min(most, width // usual), min(most, cards), 1)


def page(cursor: int, total: int, room: int) -> range:
    """Return the places in the hand that are shown with the one under the cursor: on the last page too, as many as
    there is room for. room: how many are shown at once."""
    first = max(0, min(max(0, min(cursor, total - 1)) // room * room, total - room))
    return range(first, min(first + room, total))


def page_note(shown: range, total: int, ascii_only: bool, new: bool = False) -> tuple[str, str]:
    """Return how many cards other pages have, whether some of them are new, and what a click on that presses: the first
    card of the next page. Both are empty if all cards are shown. It names no places: they would look like the keys of
    the cards."""
    if len(shown) >= total:
        return "", ""
    left, right = "<>" if ascii_only else "‹›"
    return f"{left} {total - len(shown)} more{f', {NEW}' if new else ''} {right}", f"hand:{shown.stop % total}"


def _note(scene: Scene, shown: range, cards: Sequence[int]) -> tuple[str, str]:
    """Return the note about the cards of other pages."""
    new = any(card in scene.fresh for at, card in enumerate(cards) if at not in shown)
    return page_note(shown, len(cards), scene.glyphs.ascii, new)


class _Card(Struct, frozen=True):
    """Everything that a card of the hand is drawn from: see `draw`."""

    face: Face
    glyphs: Glyphs
    look: Look
    press: str
    note: tuple[str, str]

    def lines(self, width: int, height: int) -> list[Line]:
        """Draw it."""
        return list(draw(self.face, width, height, self.glyphs, self.look, self.press, self.note))


# ----------------------------------------------------------------------------------------------------------- as a list
APART = 5
"""The cells between the columns of the list, and before the first one."""
NAME_CELLS = 14
"""A name gets at least so many cells, and what the card would do is cut first."""


def hand_list(scene: Scene, width: int, height: int, key_of: KeyOf) -> list[Line]:
    """Draw the hand as a list: key, name, kind, number, and what the card would do now."""
    canvas = Canvas(width, height, scene.glyphs)
    cards = scene.hand()
    if not cards:
        canvas.put(2, min(1, height - 1), SPECTATING if scene.you is None else EMPTY, "dim")
        return canvas.lines()
    shown = page(scene.cursor, len(cards), height)
    faces = [face_of(scene, cards[at], key_of(cards[at]), at == scene.cursor) for at in shown]
    sizes = [max(map(len, texts)) for texts in zip(*((face.key, face.kind, number_words(face)) for face in faces))]
    note, press = _note(scene, shown, cards)
    most = max(width // 3 - 2, 16)
    ends = [width - len(note) - 1 if note and y == height - 1 else width for y in range(len(faces))]
    words = [outlook_words(face, most, scene.glyphs) for face in faces]
    outlook = min((end - 1 - len(text) for text, end in zip(words, ends)), default=width)
    outlook = max(outlook, min(sum(sizes) + APART + NAME_CELLS, min(ends) - 1))
    others = [scene.title(card) for card in cards]
    for y, face in enumerate(faces):
        _row(canvas, y, ends[y], outlook, face, others, sizes, f"hand:{shown[y]}")
    if note:
        canvas.put(width - len(note) - 1, height - 1, note, f"gold|{press}")
    return canvas.lines()


def _row(
    canvas: Canvas, y: int, end: int, outlook: int, face: Face, others: Sequence[str], sizes: Sequence[int], press: str
) -> None:  # fmt: skip
    """Draw one card of the list, up to the column `end`. outlook: the column where the outlook begins; the name takes
    the room before it. others: the names from which this one must differ. sizes: the cells of key, kind and number."""
    key, kind, number = sizes
    glyphs = canvas.glyphs
    room = outlook - key - kind - number - APART
    here = (">" if glyphs.ascii else "▸") if face.chosen else "+" if face.fresh else " "
    parts = (
        (0, here, "bold gold" if face.fresh else ""),
        (1, face.key.rjust(key), key_tone(face)),
        (2 + key, apart(face.name, others, room, glyphs), "bold" if face.playable and not face.dead else "dim"),
        (3 + key + room, face.kind, face.colour),
        (4 + key + room + kind, number_words(face).rjust(number), f"bold {face.colour}"),
        (outlook, outlook_words(face, end - outlook - 1, glyphs), outlook_tone(face)),
    )
    tab = face.chosen and not face.dead
    canvas.fill(0, y, end, 1, f"{'on gold' if tab else ''}|{press}")
    for x, text, style in parts:
        canvas.put(x, y, text, f"{TAB if tab else style}|{press}")
