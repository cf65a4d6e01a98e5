"""Chooses the portrait of each card of a set: by the pack's own table, the words of its id, its tags, its slot, its
kind.

The choice depends on nothing but the pack, so a card looks the same on every machine. No two monsters of a set have the
same drawing in the same colours: the later one by id takes the next palette, then the next drawing.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b

from core.language.definition import Def
from core.language.manifest import PackHead
from core.language.manifest import Portraits as Wishes
from tui.portraits.drawings import Drawing, creatures, drawings
from tui.portraits.palettes import GROUNDS, ONE_SHOT_GROUND, PALETTES, Palette, rgb
from tui.portraits.pixels import Portrait
from tui.portraits.words import COVERS, CREATURES, THINGS

OF_SLOT = {
    "head": "helm", "armor": "armor", "feet": "boots", "1-hand": "sword", "2-hands": "axe", "vehicle": "car",
}  # fmt: skip
"""The drawing of an Item for which no word chooses one, by slot."""
OF_KIND = {
    "enhancer": "boost", "wandering": "door", "curse": "curse", "identity": "crest", "double": "crest", "item": "bag",
    "level": "star", "cheat": "hand", "hireling": "face", "special": "scroll", "ally": "paw", "upgrade": "wand",
    "seal": "seal",
}  # fmt: skip
"""The drawing of any other card for which no word chooses one, by kind."""
_CREATURES = ("monster", "ally", "hireling")
"""Kinds of card that are persons or animals: words may choose a creature for them."""


def portraits_of(head: PackHead, cards: Iterable[Def]) -> dict[str, Portrait]:
    """Return the portrait of each card of a pack, by full id."""
    palettes = _palettes(head.portraits)
    found: dict[str, Portrait] = {}
    taken: set[tuple[str, int]] = set()
    for definition in sorted(cards, key=lambda definition: definition.full_id):
        number = _hash(definition.full_id)
        drawing, colours = drawing_of(definition, head.portraits), number % len(palettes)
        if definition.kind == "monster":
            drawing, colours = _free(drawing, colours, len(palettes), taken)
            taken.add((drawing.name, colours))
        found[definition.full_id] = Portrait(drawing, palettes[colours], rgb(_ground(definition)))
    return found


def drawing_of(definition: Def, wishes: Wishes) -> Drawing:
    """Return the drawing of a card. A monster for which no word chooses one gets one by the hash of its id."""
    known = drawings()
    card = definition.card
    named = known.get(wishes.cards.get(card.id, ""))
    if named is not None:
        return named
    somebody = definition.kind in _CREATURES
    words = [*reversed(card.id.split("-")), *card.tags]
    for table in (wishes.words, CREATURES if somebody else THINGS):
        for word in words:
            drawing = known.get(table.get(word, ""))
            if drawing is not None and drawing.creature == somebody and _fits(definition, drawing):
                return drawing
    if definition.kind == "monster":
        names = creatures()
        return known[names[_hash(definition.full_id, "drawing") % len(names)]]
    return known[OF_SLOT.get(definition.slot, "") or ("flask" if card.one_shot else OF_KIND[definition.kind])]


_WORN = {
    "head": ("helm", "hat"), "armor": ("armor", "cloak"), "feet": ("boots",), "vehicle": ("car", "wheel"),
}  # fmt: skip
"""Items for these slots have one of these drawings, whatever their words are."""


def _fits(definition: Def, drawing: Drawing) -> bool:
    if definition.kind not in ("item", *_CREATURES):
        return False
    worn = _WORN.get(definition.slot)
    return drawing.name in worn if worn else True


def _free(drawing: Drawing, colours: int, palettes: int, taken: set[tuple[str, int]]) -> tuple[Drawing, int]:
    """Return this drawing and these colours, or the next pair that no monster of the set has yet."""
    names = creatures()
    first = names.index(drawing.name) if drawing.name in names else 0
    ordered: Sequence[Drawing] = [drawing, *(drawings()[name] for name in (*names[first + 1 :], *names[:first]))]
    for candidate in ordered:
        for step in range(palettes):
            if (candidate.name, (colours + step) % palettes) not in taken:
                return candidate, (colours + step) % palettes
    return drawing, colours  # more monsters than drawings and palettes together


def _palettes(wishes: Wishes) -> tuple[Palette, ...]:
    own = tuple(Palette(*(int(colour, 16) for colour in colours)) for colours in wishes.palettes)
    return own or PALETTES


def _ground(definition: Def) -> int:
    return ONE_SHOT_GROUND if definition.card.one_shot else GROUNDS[definition.kind]


def _hash(*parts: str) -> int:
    return int.from_bytes(blake2b("\0".join(parts).encode(), digest_size=8).digest(), "big")


def cover_of(head: PackHead) -> Portrait:
    """Return the portrait that stands for a whole set: by the words of its id, else by the hash of it."""
    named = next((COVERS[word] for word in reversed(head.id.split("-")) if word in COVERS), "")
    name, _, family = named.partition(" ")
    names, palettes = creatures(), _palettes(head.portraits)
    drawing = drawings().get(name) or drawings()[names[_hash(head.id) % len(names)]]
    return Portrait(drawing, palettes[int(family or 0) % len(palettes)], rgb(GROUNDS["monster"]))
