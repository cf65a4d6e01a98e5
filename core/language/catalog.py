"""The catalog: all cards of the packs in a game, loaded from the bytes of their files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar
from unicodedata import category

import msgspec

from core.language import schema as v
from core.language.definition import Def
from core.language.errors import PackError
from core.language.manifest import CardFile, PackHead, Switches
from core.language.pack_limits import CARDS_LIMIT, FILE_LIMIT
from core.language.toml import TomlError, parse

_T = TypeVar("_T")
UNSEEN = "a text contains the invisible character U+%04X, which does not belong on a card"


@dataclass(slots=True)
class Catalog:
    """All cards of the packs in a game, in a fixed order. The first pack decides where the books differ
    (blend.differences).

    limits: how many identities of each kind a player may have. ranked: the kinds that are limited by Rank instead.
    sexes: whether players have a sex. joining: the tags of monsters that join one another's fights from the hand.
    nobody: the word for a player without an identity of a kind ("human"), mapped to that kind ("race"). tag_names: the
    names of tags.
    """

    packs: tuple[PackHead, ...]
    cards: tuple[Def, ...]
    switches: Switches
    limits: dict[str, int]
    ranked: frozenset[str]
    sexes: bool
    joining: frozenset[str]
    nobody: dict[str, str]
    tag_names: dict[str, str]
    by_id: dict[str, Def] = field(default_factory=dict)
    upgrades: bool = False
    """Whether there are Item Enhancers."""
    by_name: dict[str, list[Def]] = field(init=False, repr=False, compare=False, default_factory=dict)
    """The cards with a printed name or full id."""
    fitting: dict[tuple[object, ...], frozenset[int]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """The definitions that fit each kind of card a selector has asked for (core/queries/conditions.py)."""

    def __post_init__(self) -> None:
        self.upgrades = any(definition.kind == "upgrade" for definition in self.cards)
        self.by_id = {definition.full_id: definition for definition in self.cards}
        for definition in self.cards:
            for name in (definition.card.name, definition.full_id):
                self.by_name.setdefault(name, []).append(definition)

    def named(self, name: str) -> Def:
        """Return the card with this printed name or full id. Raise KeyError if there is none or more than one."""
        found = self.by_name.get(name, [])
        if len(found) != 1:
            raise KeyError(f"{name!r}: {len(found)} cards of that name")
        return found[0]

    def with_card(self, no: int, card: v.Card) -> "Catalog":
        """Return this catalog with `card` in place of definition number `no`."""
        cards = list(self.cards)
        cards[no] = Def(no, cards[no].set_id, card)
        return replace(self, cards=tuple(cards), by_id={})

    def pile(self, deck: str) -> list[int]:
        """Return all cards of a deck (door, treasure or seal), copies included, as numbers of definitions."""
        return [d.no for d in self.cards if d.deck == deck for _ in range(d.card.copies)]


# -------------------------------------------------------------------------------------------------------- decoding
class ParsedPack(msgspec.Struct, frozen=True):
    """A pack as typed data: pack.toml and the cards in the order of its files."""

    head: PackHead
    cards: tuple[v.Card, ...]


def load(packs: list[dict[str, bytes]]) -> Catalog:
    """Return the catalog of these packs, each a map of file names to bytes. Raise PackError if one cannot be read.

    Only for packs that are known to pass the check. Packs of strangers go through
    `core.authoring.untrusted.parse_untrusted_pack`, which refuses whatever `kickdoor cards check` reports.
    """
    return build([parse_pack(files) for files in packs])


def parse_pack(files: dict[str, bytes]) -> ParsedPack:
    """Read the files of a pack. Raise PackError if one cannot be read."""
    return ParsedPack(read_head(files), tuple(read_cards(files)))


def build(packs: Sequence[ParsedPack]) -> Catalog:
    """Return the catalog of these packs. Raise PackError if they cannot be played together."""
    heads: list[PackHead] = []
    definitions: list[Def] = []
    for pack in packs:
        if any(other.id == pack.head.id for other in heads):
            raise PackError(f"pack.toml: the pack {pack.head.id!r} is named twice")
        heads.append(pack.head)
        definitions += [Def(no, pack.head.id, card) for no, card in enumerate(pack.cards, len(definitions))]
    if len(definitions) > CARDS_LIMIT:
        raise PackError(f"{len(definitions)} different cards: a table can hold {CARDS_LIMIT}")
    return _catalog(tuple(heads), tuple(definitions))


def _catalog(heads: tuple[PackHead, ...], definitions: tuple[Def, ...]) -> Catalog:
    kinds = [kind for head in heads for kind in head.identities]
    tags = [tag for head in heads for tag in head.tags]
    limits: dict[str, int] = {}
    for kind in kinds:
        limits.setdefault(kind.id, kind.limit)
    return Catalog(
        packs=heads,
        cards=definitions,
        switches=heads[0].switches,
        limits=limits,
        ranked=frozenset(kind.id for kind in kinds if kind.ranked),
        sexes=any(head.switches.sex for head in heads),
        joining=frozenset(tag.id for tag in tags if tag.joins),
        nobody={word.replace(" ", "-"): kind for head in heads for kind, word in head.words.no_identity.items()},
        tag_names={tag.id: tag.name for tag in tags},
    )


def read_head(files: dict[str, bytes]) -> PackHead:
    """Read the pack.toml of a pack. Raise PackError if it cannot be read."""
    if "pack.toml" not in files:
        raise PackError("pack.toml is missing: every pack needs one (kickdoor cards new DIR writes one)")
    return _decode("pack.toml", files["pack.toml"], PackHead)


def read_cards(files: dict[str, bytes]) -> Iterator[v.Card]:
    """Yield the cards of a pack, file by file in the order of their names. Raise PackError if one cannot be read."""
    for name in sorted(files):
        if name != "pack.toml":
            yield from _decode(name, files[name], CardFile).card


def _decode(name: str, data: bytes, kind: type[_T]) -> _T:
    if len(data) > FILE_LIMIT:
        raise PackError(f"{name}: larger than {FILE_LIMIT // 1024} KB")
    try:
        table = parse(data.decode())
        character = next(unseen(table), "")
        if character:
            raise PackError(f"{name}: {UNSEEN % ord(character)}")
        return msgspec.convert(table, kind)
    except (UnicodeDecodeError, TomlError, msgspec.ValidationError) as error:
        raise PackError(f"{name}: {error}") from error


def unseen(value: object) -> Iterator[str]:
    """Yield every character in the texts of a TOML value that cannot be seen (control, bidirectional, invisible or
    unassigned): such a character could control a terminal, or make one text look like another."""
    if isinstance(value, str):
        if not value.isprintable():
            yield from (char for char in value if char != "\n" and category(char)[0] == "C")
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from unseen(key)
            yield from unseen(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from unseen(inner)
