"""What the sets in play call things, and whether they have Allies, Vehicles and Hirelings. Pure.

Where the words of two sets differ, a card is described in the words of its own set, and the table in those of the first
set.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from core.language.catalog import Catalog
from core.language.definition import Def
from core.language.manifest import PackHead
from core.text.card_phrases import Phrases

_PHASES = {
    "kick": "Kick Open The Door", "trouble": "Look For Trouble", "loot": "Loot The Room", "charity": "Charity",
}  # fmt: skip


class Names(Struct, frozen=True):
    """What one set calls its tags and kinds of identity (by id) and its Curses."""

    tags: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    curse: str = "Curse"


class Lexicon:
    """The words of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._heads: dict[str, PackHead] = {head.id: head for head in catalog.packs}
        self._names: dict[str, Names] = {}

    @property
    def first(self) -> PackHead:
        """Return the first set: its words are used where the books differ."""
        return self.catalog.packs[0]

    def names(self, set_id: str) -> Names:
        """Return the names that a set uses; those of the first set if the catalog has no such set."""
        found = self._names.get(set_id)
        if found is None:
            head = self._heads.get(set_id, self.first)
            kinds = {kind.id: kind.name for kind in head.identities}
            found = self._names[set_id] = Names(self.catalog.tag_names, kinds, head.words.curse)
        return found

    def of(self, definition: Def) -> Names:
        """Return the names that the set of this card uses."""
        return self.names(definition.set_id)

    def phrases(self, definition: Def) -> Phrases:
        """Return the phrases for a text of this card, in the words of its set."""
        return Phrases(self._heads.get(definition.set_id))

    def curse(self, definitions: Iterable[Def] = ()) -> str:
        """Return the word for a Curse: that of these cards if they agree, else that of the first set."""
        words = {self.of(definition).curse for definition in definitions}
        return words.pop() if len(words) == 1 else self.first.words.curse

    def curses(self, number: int, definitions: Iterable[Def] = ()) -> str:
        """Return a number of Curses in words: `1 curse`, `2 disasters`."""
        word = self.curse(definitions).lower()
        return f"{number} {word}{'' if number == 1 else 's'}"

    def phase(self, name: str) -> str:
        """Return what a phase is called. name: kick, trouble, loot or charity."""
        return self.first.words.phases.get(name, _PHASES[name])

    def kind(self, identity: str) -> str:
        """Return what a kind of identity is called. identity: its id."""
        names = {kind.id: kind.name for head in reversed(self.catalog.packs) for kind in head.identities}
        return names.get(identity, identity.capitalize())

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of identity in play, without repeats: Class, Race, Power, Army."""
        return list(dict.fromkeys(kind.name for head in self.catalog.packs for kind in head.identities))

    # --------------------------------------------------------------------------------------- what the sets have
    @property
    def allies(self) -> bool:
        """Return whether a set in play has Allies."""
        return any(definition.kind == "ally" for definition in self.catalog.cards)

    @property
    def vehicles(self) -> bool:
        """Return whether a set in play has Vehicles."""
        return any(definition.slot == "vehicle" for definition in self.catalog.cards)

    @property
    def hirelings(self) -> bool:
        """Return whether a set in play has Hirelings."""
        return any(definition.kind == "hireling" for definition in self.catalog.cards)
