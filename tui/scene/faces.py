"""The portraits of the cards in play, and of the players. Pure."""

from core.language.catalog import Catalog
from core.language.definition import Def
from tui.portraits.choose import portraits_of
from tui.portraits.drawings import drawings
from tui.portraits.palettes import GROUNDS, PALETTES, Palette, rgb
from tui.portraits.pixels import Portrait

_HAIR = (0x7A4A24, 0x2E5C86, 0x1F6E57, 0x8A7A1E, 0x8A3A1F, 0x7A3A6A)
_SKIN = (0xE0AE86, 0xB9835A, 0xEBC8A6, 0x8A5A3C, 0xD49A72, 0x6E4630)
_SHIRT = (0xFFB52E, 0x6CC0FF, 0x3FD6A2, 0xF2E85C, 0xFF8A5C, 0xE8A0CF)
"""The colours of the players' faces by seat; the shirt has the colour of the seat."""


class Faces:
    """The portraits of a catalog: those of one set are made when the first of them is asked for."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._by_set: dict[str, dict[str, Portrait]] = {}

    def of(self, definition: Def) -> Portrait:
        """Return the portrait of a card."""
        found = self._by_set.get(definition.set_id)
        if found is None:
            head = next(head for head in self._catalog.packs if head.id == definition.set_id)
            cards = [one for one in self._catalog.cards if one.set_id == head.id]
            found = self._by_set[head.id] = portraits_of(head, cards)
        return found[definition.full_id]


def thing(name: str) -> Portrait:
    """Return a portrait that belongs to no card, such as `door`, by the name of its drawing."""
    return Portrait(drawings()[name], PALETTES[1], rgb(GROUNDS["item"]))


def player(seat: int) -> Portrait:
    """Return the face of the player in a seat."""
    at = seat % len(_SHIRT)
    palette = Palette(_SHIRT[at], _HAIR[at], _SKIN[at], _SHIRT[at], 0x2A1F14)
    return Portrait(drawings()["face"], palette, rgb(GROUNDS["ally"]))
