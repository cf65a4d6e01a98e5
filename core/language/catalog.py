"""From the bytes of packs to definitions: decoding, what is known of a card from its data, and all of them together."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from unicodedata import category

import msgspec

from core.language import schema as v
from core.language.compiler import PARTS, Compiler, Ins
from core.language.dependencies import reaches
from core.language.manifest import CardFile, PackHead, Switches
from core.language.tree import walk

_T = TypeVar("_T")
_DEFAULT_WHEN: dict[str, v.When] = {
    "curse": "any", "level": "any", "hireling": "any", "ally": "any", "enhancer": "combat", "wandering": "combat",
}  # fmt: skip
_DEFAULT_TARGET: dict[str, v.Target] = {
    "curse": "seat", "level": "seat", "enhancer": "monster", "wandering": "bring", "cheat": "own-item",
    "upgrade": "own-item",
}  # fmt: skip
PLAIN_TARGETS = ("none", "seat", "side", "hero", "monster")
"""What is listed to be aimed at (see aims.aims) needs no second look for these, but for what the card demands."""
_SACRIFICE = v.Ability(
    text="Sacrifice: after a lost fight, before your first roll, this Ally and all it carries are lost and you escape.",
    when="running",
    do=(v.Sacrifice(),),
)
"""What every Ally can do (self.ally-sacrifice)."""
FILE_LIMIT = 512 * 1024
FILES_LIMIT = 24
PACK_LIMIT = 2 * 1024 * 1024
"""How large a file and a pack may be, in bytes, and how many files a pack may have, its scenarios not counted."""
UNSEEN = "a text holds the invisible sign U+%04X, which does not belong on a card"


class PackError(ValueError):
    """A pack that cannot be played: says file, place and what is wrong."""


@dataclass(slots=True)
class Power:
    """An ability of a card, by its number. sacrifices, brings: whether it gives the card up, needs a monster from hand;
    sure: it may be aimed at all that is listed, as what it demands is not about that, nor how often it may be used."""

    number: int
    ability: v.Ability
    sacrifices: bool
    brings: bool
    sure: bool


@dataclass(slots=True)
class Def:
    """A card as the engine uses it: its printed side and its compiled text."""

    no: int
    set_id: str
    card: v.Card
    deck: str
    kind: str
    name: str
    ident: str
    abilities: tuple[v.Ability, ...]
    powers: tuple[Power, ...]
    parts: tuple[tuple[Ins, ...], ...]
    lingers: tuple[v.Linger, ...]
    strength: tuple[v.Strength, ...]
    flee: tuple[v.Flee, ...]
    by_type: dict[type, tuple[v.Mod, ...]]
    linger_types: tuple[dict[type, tuple[v.Mod, ...]], ...]
    foes: tuple[v.Mod, ...]
    slot: str
    hands: int
    is_item: bool
    small_item: bool
    lies_still: bool
    when: v.When
    gate: str
    free: bool
    target: v.Target
    brings: bool
    adds: bool
    plain: bool
    demands: bool
    roomy: bool
    names_this: bool
    reach: tuple[int, int]

    @property
    def full_id(self) -> str:
        """set:slug, the name of a card everywhere outside of a game."""
        return f"{self.set_id}:{self.card.id}"

    def part(self, name: str) -> int:
        """The number of a part, -1 if the card has no such text."""
        at = PARTS.index(name)
        return at if self.parts[at] else -1


@dataclass(slots=True)
class Catalog:
    """All cards of the sets in play, in a fixed order; the first set decides where books differ (blend.differences)."""

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
    far: bool = False
    """Whether a card's say in what its seat may have can hang on something beyond that seat (see reach.py)."""
    kept: dict[bytes | int, Any] = field(init=False, repr=False, compare=False, default_factory=dict)
    """What was read of seats and of the table, see recall.py."""
    fitting: dict[int, tuple[v.Cards, frozenset[int]]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """The definitions that selectors mean, see query.py."""

    def __post_init__(self) -> None:
        self.upgrades = any(definition.kind == "upgrade" for definition in self.cards)
        self.far = any(definition.reach[0] for definition in self.cards)
        self.by_id = {definition.full_id: definition for definition in self.cards}

    def named(self, name: str) -> Def:
        """The card with this printed name or full id. Raises KeyError if there is none or more than one."""
        if name in self.by_id:
            return self.by_id[name]
        found = [definition for definition in self.cards if definition.name == name]
        if len(found) != 1:
            raise KeyError(f"{name!r}: {len(found)} cards of that name")
        return found[0]

    def with_card(self, no: int, card: v.Card) -> "Catalog":
        """The same catalog with one definition changed."""
        cards = list(self.cards)
        cards[no] = define(no, cards[no].set_id, card)
        return replace(self, cards=tuple(cards), by_id={})

    def pile(self, deck: str) -> list[int]:
        """Every copy of every card of a deck, by definition."""
        return [d.no for d in self.cards if d.deck == deck for _ in range(d.card.copies)]


# -------------------------------------------------------------------------------------------------------- decoding
def load(packs: list[dict[str, bytes]]) -> Catalog:
    """The catalog of these packs (each a map of file names to bytes). Raises PackError."""
    heads: list[PackHead] = []
    definitions: list[Def] = []
    for files in packs:
        head = read_head(files)
        if any(other.id == head.id for other in heads):
            raise PackError(f"pack.toml: the pack {head.id!r} is named twice")
        heads.append(head)
        for card in read_cards(files):
            definitions.append(define(len(definitions), head.id, card))
    if len(definitions) > 4096:
        raise PackError(f"{len(definitions)} different cards: a table can hold 4096")
    return _catalog(tuple(heads), tuple(definitions))


def _catalog(heads: tuple[PackHead, ...], definitions: tuple[Def, ...]) -> Catalog:
    limits: dict[str, int] = {}
    ranked: list[str] = []
    nobody: dict[str, str] = {}
    tags: dict[str, str] = {}
    joining: list[str] = []
    for head in heads:
        for kind in head.identities:
            limits.setdefault(kind.id, kind.limit)
            if kind.ranked:
                ranked.append(kind.id)
        for kind_id, word in head.words.no_identity.items():
            nobody[word.replace(" ", "-")] = kind_id
        for tag in head.tags:
            tags[tag.id] = tag.name
            if tag.joins:
                joining.append(tag.id)
    sexes = any(head.switches.sex for head in heads)
    return Catalog(
        heads, definitions, heads[0].switches, limits, frozenset(ranked), sexes, frozenset(joining), nobody, tags
    )


def read_head(files: dict[str, bytes]) -> PackHead:
    """pack.toml of a pack. Raises PackError."""
    if "pack.toml" not in files:
        raise PackError("pack.toml is missing: every pack needs one (kickdoor cards new DIR writes one)")
    return _decode("pack.toml", files["pack.toml"], PackHead)


def read_cards(files: dict[str, bytes]) -> Iterator[v.Card]:
    """The cards of a pack, file by file in the order of their names. Raises PackError."""
    for name in sorted(files):
        if name != "pack.toml":
            yield from _decode(name, files[name], CardFile).card


def _decode(name: str, data: bytes, kind: type[_T]) -> _T:
    if len(data) > FILE_LIMIT:
        raise PackError(f"{name}: larger than {FILE_LIMIT // 1024} KB")
    try:
        table = tomllib.loads(data.decode())
        sign = next(unseen(table), "")
        if sign:
            raise PackError(f"{name}: {UNSEEN % ord(sign)}")
        return msgspec.convert(table, kind)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError) as error:
        raise PackError(f"{name}: {error}") from error


def unseen(value: object) -> Iterator[str]:
    """Every sign in the texts of a TOML value that is none to be read (control, bidi, invisible, unassigned): orders to
    a terminal, or what makes a text look like another."""
    if isinstance(value, str):
        if not value.isprintable():
            yield from (sign for sign in value if sign != "\n" and category(sign)[0] == "C")
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from unseen(key)
            yield from unseen(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from unseen(inner)


# ------------------------------------------------------------------------------------------------------- compiling
def define(no: int, set_id: str, card: v.Card) -> Def:
    """A definition of a card: number, deck, compiled text."""
    compiler = Compiler()
    parts = [compiler.part(getattr(card, name)) for name in PARTS]
    abilities = (*card.abilities, _SACRIFICE) if card.kind == "ally" else card.abilities
    parts += [compiler.part(ability.do) for ability in abilities]
    slot = card.slot or "none"
    when = card.when or ("combat" if card.one_shot else _DEFAULT_WHEN.get(card.kind, "own-turn"))
    return Def(
        no=no,
        set_id=set_id,
        card=card,
        deck=card.deck or deck_of(card.kind),
        kind=card.kind,
        name=card.name,
        ident=card.name_key or (card.id if card.kind == "identity" else ""),
        abilities=abilities,
        powers=tuple(_power(number, ability) for number, ability in enumerate(abilities)),
        parts=tuple(parts),
        lingers=tuple(compiler.lingers),
        strength=tuple(mod for mod in card.mods if isinstance(mod, v.Strength)),
        flee=tuple(mod for mod in card.mods if isinstance(mod, v.Flee)),
        by_type=_by_type(card.mods),
        foes=card.foes,
        linger_types=tuple(_by_type(linger.mods) for linger in compiler.lingers),
        slot=slot,
        hands={"1-hand": 1, "2-hands": 2}.get(slot, 0),
        is_item=card.kind == "item" and card.value is not None,
        small_item=card.kind == "item" and card.value is not None and not card.big and slot != "vehicle",
        lies_still=card.kind not in ("item", "upgrade"),
        when=when,
        gate=_gate(card, when),
        free=card.only is None and card.unless is None,
        target=_target(card),
        brings=card.kind == "wandering" or brings(card.play),
        adds=_adds(card),
        plain=_plain(card),
        demands=card.if_ is not None or card.kind == "level",
        roomy=_roomy(card),
        names_this=any(isinstance(piece, v.Cards) and piece.this is not None for _, piece in walk(card)),
        reach=reaches(card, compiler.lingers),
    )


def _gate(card: v.Card, when: v.When) -> str:
    """For which moment a card waits in the hand, in a word that many cards share (see timing.gate_clause)."""
    if card.kind == "special" and card.when is None:
        return "special"
    if card.kind in ("identity", "double"):
        return "identity"
    return card.kind if card.kind == "monster" else when


def _plain(card: v.Card) -> bool:
    """Whether playing it depends on nothing but its moment, on whom or what it can be aimed at all, and what it demands
    there."""
    if card.kind in ("monster", "cheat") or card.gives_tag is not None or brings(card.play):
        return False
    return _target(card) in PLAIN_TARGETS


def _power(number: int, ability: v.Ability) -> Power:
    here = ability.if_ is None or ability.target in ("none", "side")
    sure = here and ability.per != "victim" and ability.target in PLAIN_TARGETS
    sacrifices = any(isinstance(op, v.Sacrifice) for op in ability.do)
    return Power(number, ability, sacrifices, brings(ability.do), sure)


def _adds(card: v.Card) -> bool:
    """Whether a card brings a monster into a fight."""
    return card.kind == "wandering" or any(isinstance(op, v.AddMonster) for op in card.play)


def _roomy(card: v.Card) -> bool:
    """Whether there is always room for it: it counts against no limit, and nothing in a combat can shut it out."""
    counted = card.one_shot or card.kind not in ("curse", "level", "special", "hireling", "cheat", "upgrade")
    return not counted and not _adds(card)


def _target(card: v.Card) -> v.Target:
    return card.target or _DEFAULT_TARGET.get(card.kind, "none")


def brings(ops: tuple[v.Op, ...]) -> bool:
    """Whether a text needs a monster from the hand of its player."""
    return any(isinstance(op, v.SwapMonster) or (isinstance(op, v.AddMonster) and op.what == "brought") for op in ops)


def deck_of(kind: str) -> str:
    """The deck in which cards of this kind lie unless they say otherwise."""
    if kind == "seal":
        return "seal"
    return "door" if kind in v.DOOR_KINDS else "treasure"


def _by_type(mods: tuple[v.Mod, ...]) -> dict[type, tuple[v.Mod, ...]]:
    """Modifiers by their type, so that looking for one type costs nothing on most cards."""
    out: dict[type, tuple[v.Mod, ...]] = {}
    for mod in mods:
        out[type(mod)] = (*out.get(type(mod), ()), mod)
    return out
