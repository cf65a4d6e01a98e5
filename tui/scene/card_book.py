"""Look up every card of some sets: search, list, and the text of one card. Pure."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec import Struct

import cards
from core.language import catalog as catalogs
from core.language.catalog import Catalog
from core.language.definition import Def
from core.language.manifest import PackHead
from tui.scene.card_text import facts, figure, kind_word
from tui.scene.lexicon import Lexicon, Names


class CardEntry(Struct, frozen=True, dict=True):
    """One card. names: what its set calls things; special_any_time: a switch of the first set."""

    definition: Def
    head: PackHead
    names: Names
    special_any_time: bool = False

    @property
    def name(self) -> str:
        """The printed name."""
        return self.definition.name

    @property
    def kind(self) -> str:
        """The kind in the words of the set."""
        return kind_word(self.definition.card, self.names)

    @property
    def figure(self) -> str:
        """The main number with what it is: `level 14`, `+4 2 hands`."""
        number, word = figure(self.definition.card)
        return f"{number} {word}".strip() if number[:1] in ("+", "-", "") else f"{word} {number}"

    @cached_property
    def _text(self) -> str:
        definition = self.definition
        abilities = (ability.text for ability in definition.abilities)
        shown = (self.name, self.kind, self.figure, facts(definition.card, self.names), self.head.name)
        return " ".join((*shown, definition.deck, definition.card.text, *abilities)).lower()

    def matches(self, words: Iterable[str]) -> bool:
        """Return whether every word, in small letters, is somewhere on the card."""
        return all(word in self._text for word in words)

    def effects(self) -> list[str]:
        """Return the effects of the card in words, a line for each sentence or heading; lines that belong to one are
        indented."""
        from core.text.card_text import describe  # it loads the English of effects, which a table does without

        return describe(self.definition.card, self.head)


def built_in(sets: Sequence[str] = cards.BUILT_IN) -> Catalog:
    """Return the catalog of these built-in packs."""
    return catalogs.load([cards.pack_files(set_id) for set_id in sets])


KINDS = (
    "monster", "enhancer", "wandering", "curse", "seal", "identity", "double", "cheat", "hireling", "ally", "special",
    "item", "upgrade", "level",
)  # fmt: skip
"""The kinds of card in the order of the list."""


def entries(catalog: Catalog) -> list[CardEntry]:
    """Return every card of a catalog: monsters by level, then each kind by name."""
    lexicon = Lexicon(catalog)
    heads = {head.id: head for head in catalog.packs}
    any_time = catalog.switches.special_any_time

    def order(found: Def) -> tuple[int, int, str, str]:
        kind = KINDS.index(found.kind) if found.kind in KINDS else len(KINDS)
        return kind, found.card.level or 0, found.name, found.full_id

    ordered = sorted(catalog.cards, key=order)
    return [CardEntry(found, heads[found.set_id], lexicon.of(found), any_time) for found in ordered]


def sift(found: Sequence[CardEntry], words: Sequence[str], group: str) -> list[CardEntry]:
    """Return the cards that have all words. group: the name of a set, "" for all."""
    return [entry for entry in found if group in ("", entry.head.name) and entry.matches(words)]
