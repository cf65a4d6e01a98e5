"""A card as it is printed: portrait with figures, and its text in sections. At the table, more follows below. Pure."""

from collections.abc import Iterable

from msgspec import Struct

from core.language.definition import Def
from core.language.schema import Card
from tui.portraits.pixels import Look, Portrait
from tui.scene.card_text import added_abilities, facts, figure, kind_word, time_of
from tui.scene.cells import Glyphs, Line, count, shorten, wrap
from tui.scene.lexicon import Names
from tui.widgets import digits
from tui.widgets.canvas import FACE_SIZES, Canvas
from tui.widgets.cards.face import kind_colour

BAD_STUFF = "Bad Stuff:"
"""The words that begin the Bad Stuff in the text of a monster."""
Part = tuple[str, str, str]
"""A heading, a text, and its style."""


class Printed(Struct, frozen=True):
    """A card with its face. names: what its set calls things; home: the set's name; special_any_time: a switch of the
    first set in play."""

    definition: Def
    names: Names
    home: str
    portrait: Portrait
    special_any_time: bool = False

    @property
    def card(self) -> Card:
        """The card itself."""
        return self.definition.card


def draw_side(
    canvas: Canvas, printed: Printed, size: str, x: int, y: int, bottom: int, look: Look = Look.FULL
) -> None:  # fmt: skip
    """Draw the portrait, and below it the number and the other figures, as far as there are rows above `bottom`."""
    card, colour = printed.card, kind_colour(printed.card)
    columns, rows = FACE_SIZES[size]
    canvas.face(x, y, printed.portrait, size, look)
    number, word = figure(card)
    y += 1 + rows
    if y + 3 > bottom:
        return
    if number:
        wide = digits.width(number, digits.SMALL)
        beside = wide + 1 + len(word) if word else wide
        below = beside > columns
        end = canvas.digits(x + max(0, (columns - (wide if below else beside)) // 2), y, number, f"bold {colour}")
        if not below:
            canvas.put(end + 1, y + 1, word, "dim")
        elif y + 3 < bottom:
            canvas.centre(x, columns, y + 3, word, "dim")
        y += 5 if below else 4
    tags = [printed.names.tags.get(tag, tag.capitalize()) for tag in card.tags]
    pays = [(count(card.treasures, "Treasure"), "gold")] if card.kind == "monster" else []
    for text, style in (*pays, *((tag, "curse") for tag in tags)):
        if y < bottom:
            canvas.centre(x, columns, y, text, style)
        y += 1


def heading(printed: Printed, width: int, glyphs: Glyphs) -> list[Line]:
    """Return the name, and below it the kind and the set."""
    kind = kind_word(printed.card, printed.names)
    lines: list[Line] = [((text, "bold"),) for text in wrap(printed.card.name, width, glyphs)]
    home = shorten(printed.home, width - len(kind) - 2, glyphs)
    return [*lines, ((kind, f"bold {kind_colour(printed.card)}"), (f"  {home}", "dim"))]


def parts(printed: Printed) -> list[Part]:
    """Return what is printed, in sections: figures, text, abilities, Bad Stuff, when it is played."""
    definition, card = printed.definition, printed.card
    own, _, bad = card.text.partition(BAD_STUFF)
    figures = facts(card, printed.names)
    time = time_of(definition, printed.special_any_time)
    return [
        ("", f"{figures[:1].upper()}{figures[1:]}.", "dim"), ("", own.strip(), ""),
        *(("", text, "") for text in added_abilities(definition)),
        (BAD_STUFF.rstrip(":"), bad.strip(), ""),
        ("When it is played", f"{time[:1].upper()}{time[1:]}." if time else "", ""),
    ]  # fmt: skip


def written(found: Iterable[Part], width: int, glyphs: Glyphs) -> list[Line]:
    """Return sections as lines, a blank line before each; those without a text are left out."""
    lines: list[Line] = []
    for title, text, style in found:
        if text:
            head = ((title, "bold foe" if title in BAD_STUFF else "bold gold"),)
            lines += [(), head] if title else [()]
            lines += [((line, style),) for line in wrap(text, width, glyphs)]
    return lines
