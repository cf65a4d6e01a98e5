"""A card of the hand, drawn: key and kind, name, portrait, number, and what it would do now. Pure."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from core.language.schema import Card
from tui.portraits.pixels import Look, Portrait
from tui.scene.added import added_now
from tui.scene.card_text import added_abilities, figure, kind_word
from tui.scene.cells import Glyphs, Line, apart, shorten, whole_words, wrap
from tui.scene.fight import bonus_now
from tui.scene.outlook import Outlook
from tui.scene.scene import Scene
from tui.widgets import digits
from tui.widgets.canvas import FACE_SIZES, Canvas
from tui.widgets.cards.playability import what_now

TALL, HIGH = 9, 16
"""The rows from which on a card has a small portrait, and those from which on it has a large one and its text."""
ROOMY = 19
"""The columns from which on a card keeps a blank column inside its frame."""
NAME_ROWS = 2
ALIKE = 6
"""Names that share this many first characters may look the same when they are cut."""
TAB = "bold on-gold on gold"
COLOURS: Mapping[str, str] = {
    "item": "gold", "curse": "curse", "monster": "foe", "wandering": "foe", "enhancer": "boost", "level": "hero",
    "identity": "info", "double": "info", "ally": "race", "hireling": "race", "upgrade": "gold", "seal": "foe",
}  # fmt: skip
"""The colour of each kind of card; other kinds have `text`, one-shots `oneshot`."""


class Face(Struct, frozen=True):
    """What a card shows. key: the key that plays it. number, word: its main number, and what that is. playable: whether
    it can be played now. chosen: whether the cursor is on it."""

    key: str
    kind: str
    colour: str
    name: str
    number: str
    word: str
    text: str
    portrait: Portrait
    outlook: Outlook
    playable: bool
    chosen: bool
    others: tuple[str, ...] = ()
    """The names of other cards of the hand that begin like its own."""
    dead: bool = False
    """Whether its key does nothing for a moment."""
    fresh: bool = False
    """Whether it has come into the hand since the last key."""
    because: str = ""
    """The tag of a monster in the fight that makes its bonus what it is now."""


def colour_of(scene: Scene, card: int) -> str:
    """Return the colour of a card's kind."""
    return kind_colour(scene.card(card))


def kind_colour(card: Card) -> str:
    """Return the colour of the kind of a printed card."""
    return "oneshot" if card.one_shot else COLOURS.get(card.kind, "text")


def face_of(scene: Scene, card: int, key: str, chosen: bool = False) -> Face:
    """Return what a card of the hand shows. key: the key that plays it."""
    printed, definition = scene.card(card), scene.definition(card)
    playable, outlook = what_now(scene, card)
    (usual, tag), now = bonus_now(scene, card), added_now(scene, card)
    number, word = (f"{now:+d}", tag) if tag or now != usual else figure(printed)
    texts = [printed.text, *added_abilities(definition)]
    return Face(
        key, kind_word(printed, scene.lexicon.of(definition)), colour_of(scene, card), printed.name, number, word,
        " ".join(filter(None, texts)), scene.portrait(card), replace(outlook, forecast=None), playable, chosen,
        _alike(scene, printed.name), bool(key) and card in scene.dead_keys, card in scene.fresh, tag,
    )  # fmt: skip


def _alike(scene: Scene, name: str) -> tuple[str, ...]:
    """Return the names of cards in hand that begin like this one."""
    found = {scene.title(card) for card in scene.hand()} - {name}
    return tuple(sorted(other for other in found if other[:ALIKE] == name[:ALIKE]))


@lru_cache(maxsize=256)
def draw(
    face: Face, width: int, height: int, glyphs: Glyphs, look: Look = Look.FULL, press: str = "",
    note: tuple[str, str] = ("", ""),
) -> tuple[Line, ...]:  # fmt: skip
    """Draw a card with a blank column behind it where there is room for one. press: what a click on it presses. note:
    words in its lower border, and what a click on them presses."""
    gap = 1 if height >= TALL else 0
    canvas = Canvas(width, height, glyphs)
    drawing = _Drawing(face, canvas, width - gap, look, len(note[0]) + 2 if note[0] else 0)
    drawing.draw()
    canvas.fill(width - gap, 0, gap, height, "" if look == Look.EMBLEM else "on ground")  # fewer bytes on a slow link
    lines = tuple(tuple((text, f"{style}|{press}") for text, style in line) for line in canvas.lines())
    return _with_note(lines, note, width - gap, glyphs) if note[0] else lines


def _with_note(lines: tuple[Line, ...], note: tuple[str, str], edge: int, glyphs: Glyphs) -> tuple[Line, ...]:
    """Return the lines with a note at the right end of the lower border."""
    text, press = note
    border = Canvas(sum(len(part) for part, _ in lines[-1]), 1, glyphs)
    border.paste(0, 0, lines[-1:])
    border.right(edge - 1, 0, f" {text} ", f"gold|{press}")
    return (*lines[:-1], *border.lines())


class _Drawing:
    """One card on its canvas. edge: the columns of its frame. noted: those of the note in its lower border."""

    def __init__(self, face: Face, canvas: Canvas, edge: int, look: Look, noted: int = 0) -> None:
        self.face, self.canvas, self.edge, self.look, self.noted = face, canvas, edge, look, noted
        self.left = 2 if edge >= ROOMY else 1
        self.room = edge - 2 * self.left
        self.names = names(face.name, self.room, canvas.glyphs, face.others)

    def draw(self) -> None:
        """Draw the frame, what is in it, and the upper border with the name: gold under the cursor, like the tab of a
        folder."""
        face, canvas = self.face, self.canvas
        canvas.box(0, 0, self.edge, canvas.height, face.colour if face.playable else "line")
        if face.chosen:
            canvas.fill(0, 0, self.edge, 1 + len(self.names), "" if face.dead else "on gold")
            canvas.put(0, 0, ">" if canvas.glyphs.ascii else "▸", self._tone("bold gold"))
        for row, text in enumerate(self.names, 1):
            canvas.put(self.left, row, text, self._tone("bold" if face.playable and not face.dead else "dim"))
        if canvas.height >= HIGH and self.edge >= FACE_SIZES["large"][0] + 2:
            self._large()
        elif canvas.height >= TALL:
            self._small()
        self._outlook()
        self._edge()

    def _tone(self, style: str) -> str:
        """Return the style of a text in the upper border or the name."""
        return TAB if self.face.chosen and not self.face.dead else style

    # --------------------------------------------------------------------------------------------------- upper border
    def _edge(self) -> None:
        """Write key and kind into the upper border, and the number where it is not drawn large."""
        face, canvas, inner = self.face, self.canvas, self.edge - 2
        in_border = canvas.height < TALL or canvas.height >= HIGH
        priced = face.word == "gold"  # a price alone would be read as strength
        bare = (f"{face.number}g",) if priced else (face.number,)
        labels = (number_words(face), *bare) if in_border else ("",)
        kind = f"{face.key} {face.kind}".strip()
        for label in labels:
            size = len(kind) + 2 + (len(label) + 2 if label else 0)
            if size <= inner:
                self._write_edge(kind, label)
                return
        if not labels[-1]:
            self._write_edge(shorten(kind, inner - 2, canvas.glyphs), "")
            return
        least = len(face.key) + (2 if priced else 4)
        fits = [label for label in labels if least + len(label) <= inner]
        self._write_edge(face.key, fits[0] if fits else labels[-1])
        if len(self.names) < NAME_ROWS and canvas.height < TALL:
            canvas.put(self.left, NAME_ROWS, face.kind, "dim", self.room)
        elif len(face.kind) + 2 <= inner - self.noted:
            canvas.put(1, canvas.height - 1, f" {face.kind} ", face.colour if face.playable else "dim")

    def _write_edge(self, left: str, label: str) -> None:
        canvas, colour = self.canvas, self._tone(f"bold {self.face.colour}")
        key, _, kind = left.partition(" ") if self.face.key else ("", "", left)
        blank = self._tone("")
        end = canvas.spans(1, 0, ((" ", blank), (key, self._tone(key_tone(self.face))), (" ", blank), (kind, colour)))
        if kind:
            canvas.put(end, 0, " ", blank)
        if label:
            after = " " if len(left) + len(label) + 4 <= self.edge - 2 else ""  # close to the edge if need be
            canvas.right(self.edge - 1, 0, f" {label}{after}", colour)

    # ------------------------------------------------------------------------------------------------------- contents
    def _small(self) -> None:
        """Draw the small portrait, and to its right the number, as large as fits, with its word below."""
        face, canvas = self.face, self.canvas
        size, end = FACE_SIZES["small"][0], self.edge - 1
        tone = f"bold {face.colour}" if face.playable else face.colour
        wide = digits.width(face.number, digits.SMALL)
        left = self.left if end - self.left - size >= wide else 1
        canvas.face(left, 3, face.portrait, "small", self.look)
        room = end - left - size
        if not face.number:
            return
        if wide <= room:
            canvas.digits(end - wide, 3, face.number, tone)
        else:
            canvas.right(end - 1 if room > len(face.number) + 1 else end, 4, face.number, f"bold {face.colour}")
        if len(face.word) <= room:
            canvas.right(end, 6, face.word, "dim")

    def _large(self) -> None:
        """Draw the large portrait in the middle and the text below it."""
        face, canvas = self.face, self.canvas
        columns, rows = FACE_SIZES["large"]
        canvas.face((self.edge - columns) // 2, 3, face.portrait, "large", self.look)
        top = 3 + rows
        lines = wrap(face.text, self.room, canvas.glyphs)
        kept = canvas.height - 2 - top  # a blank row stands above the outlook, unless the text needs it
        if len(lines) > kept:
            lines[kept - 1 :] = [shorten(f"{lines[kept - 1]} {lines[kept]}", self.room, canvas.glyphs)]
        for row, text in enumerate(lines, top):
            canvas.put(self.left, row, text, "" if face.playable else "dim")

    def _outlook(self) -> None:
        """Write what it would do now into the last row."""
        canvas = self.canvas
        text = outlook_words(self.face, self.room, canvas.glyphs)
        canvas.put(self.left, canvas.height - 2, text, outlook_tone(self.face))


def key_tone(face: Face) -> str:
    """Return the style of a card's key: dim while it does nothing."""
    return "dim" if face.dead else "bold gold"


def number_words(face: Face) -> str:
    """Return the number of a card with what it is: `level 14`, `300 gold`; a bonus needs no word, `+4`, but its cause
    if it is more than usual: `+4 Undead`."""
    if face.because:
        return f"{face.number} {face.because}"
    if face.number[:1] in ("+", "-", ""):
        return face.number
    return f"{face.number} gold" if face.word == "gold" else f"{face.word} {face.number}"


def outlook_words(face: Face, width: int, glyphs: Glyphs) -> str:
    """Return what a card would do now in at most `width` cells."""
    outlook = face.outlook
    text = outlook.fitted(width, glyphs)
    if not text and outlook.words:
        text = shorten(outlook.sign(glyphs) + outlook.words[-1], width, glyphs)
    return text


def outlook_tone(face: Face) -> str:
    """Return the style of what a card would do now."""
    return f"bold {face.outlook.style}" if face.outlook.verdict else "" if face.playable else "dim"


def names(name: str, width: int, glyphs: Glyphs, others: Sequence[str] = ()) -> list[str]:
    """Return a name in two rows at most; a longer one ends in the mark. Where another name would look the same, the
    mark stands before the ends of both."""
    first, *rest = wrap(whole_words(name, width, glyphs), width, glyphs) or [""]
    found = (wrap(whole_words(other, width, glyphs), width, glyphs) for other in others)
    ends = [" ".join(words) for begin, *words in found if begin == first]
    return [first, apart(" ".join(rest), ends, width, glyphs)] if rest else [first]
