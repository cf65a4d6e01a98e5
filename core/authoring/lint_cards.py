"""Find what is wrong with the printed side of a card: its words, figures that its kind does not have, unknown names."""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from core.authoring.decode import Decoded
from core.language import schema as v
from core.language.definition import DEFAULT_TARGET, counts_counters
from core.language.manifest import PackHead
from core.language.tree import child_texts, effects_within, walk

Found = tuple[str, str, str]
"""(key, message, hint)"""


class Names(NamedTuple):
    """The names that a pack defines; None where they are not known because a part of the pack could not be read.

    has: identities, and the words for a player without one (human). kinds, ranked: kinds of identity, and those with
    Ranks. sexes: whether players have a sex.
    """

    has: frozenset[str] | None
    kinds: frozenset[str] | None
    tags: frozenset[str] | None
    ranked: frozenset[str] | None
    sexes: bool | None

    @classmethod
    def of(cls, read: Decoded[PackHead] | None, cards: list[v.Card], whole: bool) -> "Names":
        """Return the names of a pack. whole: the kind, id and name_key of every card could be read."""
        head = read.value if read is not None else None
        if read is None or head is None:
            return cls(None, None, None, None, None)
        identities = {card.name_key or card.id for card in cards if card.kind == "identity"}
        nobody = {word.replace(" ", "-") for word in head.words.no_identity.values()}
        ranked = frozenset(kind.id for kind in head.identities if kind.ranked)
        kinds, tags = frozenset(kind.id for kind in head.identities), frozenset(tag.id for tag in head.tags)
        return cls(
            frozenset(identities | nobody) if whole and not read.lost_at("words") else None,
            None if _lost_ids(read, "identities") else kinds,
            None if _lost_ids(read, "tags") else tags,
            None if _lost_ids(read, "identities") else ranked,
            None if read.lost_at("switches") else head.switches.sex,
        )


def _lost_ids(read: Decoded[PackHead], key: str) -> bool:
    """Return whether an id in this list of pack.toml could not be read."""
    return any(re.fullmatch(rf"{key}(\[\d+\](\.id|\.ranked)?)?", lost) for lost in read.lost)


def card_problems(card: v.Card, names: Names, read: Decoded[v.Card]) -> Iterator[Found]:
    """Yield every mistake in the keys that one card has, except in its texts (see lint_effects.py)."""
    yield from _printed(card)
    if not read.lost_at("kind"):
        yield from _figures(card)
    yield from _names(card, names)
    yield from _hands(card)


def missing_problems(card: v.Card) -> Iterator[Found]:
    """Yield every missing key of a card. Use it only if all keys of the card could be read."""
    if not card.text and any((card.mods, card.foes, card.abilities, *child_texts(card).values())):
        yield "text", "is empty, but the card does something", "kickdoor cards show says what its effects do"
    for wanted in _NEEDS.get(card.kind, ()):
        if not any(_given(card, name) for name in wanted):
            message = f"is missing: a card of kind {card.kind!r} needs {' or '.join(wanted)}"
            yield wanted[0], message, _WHY.get(wanted[0], "")
    yield from _counters(card)
    if card.kind == "monster" and card.treasures < 1:
        yield "treasures", "a monster is worth at least one Treasure", "treasures = 1"
    if card.kind != "item":
        return
    if card.one_shot and not card.play:
        yield "play", "a one-shot does something when it is played", ""
    does = card.bonus, card.mods, card.abilities, card.play, card.turn_start, card.won
    if not card.one_shot and not any(does):
        yield "bonus", "this Item does nothing", ""


def _counters(card: v.Card) -> Iterator[Found]:
    """Yield counters that mean nothing on their card, and uses of counters that no effect puts on the card."""
    put = next((key for key, node in walk(card) if isinstance(node, v.Counter)), "")
    read = next((key for key, node in walk(card) if counts_counters(node)), "")
    if put and not read:
        yield put, "no effect of this card depends on its counters", "an amount: { counters = true }"
    if read and not put:
        yield read, "nothing puts counters on this card", 'won = [{ do = "counter" }]'


FILTERS = tuple(name for name in v.Cards.__struct_fields__ if name not in ("of", "zone", "pick", "by", "count"))
"""The fields of a selector that say what kind of card it selects."""


def _hands(card: v.Card) -> Iterator[Found]:
    """Yield selectors that ask for a kind of card in a hand. Cards in a hand may only be counted: otherwise a question
    to its owner would reveal what the hand holds."""
    for key, node in walk(card):
        if isinstance(node, v.Cards) and node.zone == "hand":
            for name in FILTERS:
                if getattr(node, name) is not None:
                    yield f"{key}.{name}", "would reveal what is in a hand", "cards in a hand may only be counted"


# ------------------------------------------------------------------------------------------------------ printed side
def _printed(card: v.Card) -> Iterator[Found]:
    for key, text in (("name", card.name), ("text", card.text)):
        wrong = next((char for char in text if not char.isprintable() or _wide(char)), None)
        if wrong is not None:
            what = "is two columns wide" if _wide(wrong) else "cannot be printed"
            yield key, f"the character {wrong!r} {what}", "cards are drawn with one column for each letter"
        if text != text.strip() or "  " in text:
            yield key, "has extra spaces", "no spaces at either end, none doubled"


def _wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in ("W", "F") or unicodedata.combining(char) > 0


# ----------------------------------------------------------------------------------------------------------- figures
_COMMON = {"id", "name", "kind", "text", "copies", "deck"}
_TEXTUAL = {"when", "target", "if_", "play"}
_KEYS: dict[str, set[str]] = {
    "monster": {"level", "treasures", "levels", "tags", "mods", "enter", "bad", "escaped", "killed"},
    "enhancer": {"treasures", "bonus", "gives_tag", "partner", "mods", *_TEXTUAL},
    "wandering": {*_TEXTUAL},
    "curse": {*_TEXTUAL},
    "identity": {"identity", "name_key", "rank", "if_"},
    "double": {"serves"},
    "item": {
        "bonus", "value", "slot", "big", "one_shot", "only", "unless", "tags", "for_ally", *_TEXTUAL,
    },
    "level": {*_TEXTUAL},
    "cheat": {*_TEXTUAL},
    "hireling": {"bonus", *_TEXTUAL},
    "special": {"bonus", "only", "unless", *_TEXTUAL},
    "ally": {"bonus", "free", *_TEXTUAL},
    "upgrade": {"bonus", "value", *_TEXTUAL},
    "seal": {"mods", "foes", "play"},
}  # fmt: skip
for _kind in v.LASTING_KINDS:
    _KEYS[_kind] |= {"mods", "abilities", "turn_start", "won"}
"""The keys that mean something for each kind of card."""
_NEEDS = {
    "monster": (("level",), ("bad",)),
    "curse": (("play",),),
    "identity": (("identity",),),
    "double": (("serves",),),
    "item": (("value",),),
    "level": (("play",),),
    "enhancer": (("bonus", "treasures", "gives_tag", "partner", "play", "mods"),),
    "special": (("play", "mods", "abilities", "turn_start", "won"),),
    "upgrade": (("bonus", "mods", "abilities", "turn_start", "won"),),
    "seal": (("play", "mods", "foes"),),
}
_WHY = {
    "level": "a monster has a Level from 1 to 20",
    "bad": "what a monster does to the player it catches",
    "value": "an Item has a value in Gold Pieces; No Value is value = 0",
    "identity": "which kind of identity: class, race, ...",
    "serves": "the kind of identity it allows two of",
}


def _figures(card: v.Card) -> Iterator[Found]:
    allowed = _COMMON | _KEYS[card.kind]
    defaults = v.Card(id="x", name="x", kind=card.kind)
    for name, key in zip(card.__struct_fields__, card.__struct_encode_fields__, strict=True):
        if name not in allowed and getattr(card, name) != getattr(defaults, name):
            yield key, f"means nothing on a card of kind {card.kind!r}", "remove it, or change the kind"
    yield from _played(card)
    if card.kind == "item":
        yield from _item(card)
    if (card.deck == "seal") != (card.kind == "seal") and card.deck is not None:
        yield "deck", f"a card of kind {card.kind!r} does not belong there", "the Seal deck holds all Seals, only Seals"


def _played(card: v.Card) -> Iterator[Found]:
    """Yield targets and times of a card that are impossible for its kind."""
    wanted = DEFAULT_TARGET.get(card.kind)
    if card.kind != "level" and wanted is not None and card.target not in (None, wanted):
        yield "target", f"a card of kind {card.kind!r} is played on {wanted!r}", "remove it"
    if card.kind in ("wandering", "enhancer") and card.when not in (None, *_IN_COMBAT):
        yield "when", f"a card of kind {card.kind!r} goes into a combat", f"one of {', '.join(_IN_COMBAT)}"


_IN_COMBAT = ("combat", "own-combat")


def undoing_problems(target: v.Target | None, when: v.When, ops: tuple[v.Op, ...], key: str) -> Iterator[Found]:
    """Yield what is wrong with a card or ability that names the card played last. key: the key of the table."""
    if target != "played":
        return
    if when not in _IN_COMBAT:
        yield f"{key}when", "a card is played into a combat and named there", f"one of {', '.join(_IN_COMBAT)}"
    if not any(isinstance(op, v.UndoPlayed) for op in effects_within(ops)):
        yield f"{key}target", "the card played last is named, and no effect undoes it", '{ do = "undo_played" }'


def _given(card: v.Card, name: str) -> bool:
    value = getattr(card, name)
    return value is not None and value != () and value is not False and (value != 0 or name == "value")


def _item(card: v.Card) -> Iterator[Found]:
    if card.one_shot and card.slot not in (None, "none"):
        yield "slot", "a one-shot is played, not worn", "remove the slot"
    if card.one_shot and card.for_ally:
        yield "for_ally", "a one-shot is played, not carried", "remove it"
    if card.one_shot and card.won:
        yield "won", "a one-shot takes no effect while it lies in play", "remove it"
    if card.one_shot and card.bonus:
        yield "bonus", "a one-shot gives its bonus when played", 'play = [{ do = "bonus", by = 5 }]'


# ------------------------------------------------------------------------------------------------- names of the pack
_ROOMS = ("head", "armor", "feet", "hands", "big", "hand", "vehicle", "ally")


def _names(card: v.Card, names: Names) -> Iterator[Found]:
    yield from _own_names(card, names)
    for key, node in walk(card):
        if isinstance(node, v.If) and _unknown(node.has, names.has):
            yield f"{key}.has", f"no identity is called {node.has!r}", f"one of {_list(names.has)}"
        identity = getattr(node, "identity", None) if key else None
        for word in ("tag", "tagged"):
            tag = getattr(node, word, None)
            if _unknown(tag, names.tags):
                yield f"{key}.{word}", f"no tag is called {tag!r}", _TAGS
        if _unknown(identity, names.kinds):
            yield f"{key}.identity", f"no kind of identity is called {identity!r}", f"one of {_list(names.kinds)}"
        speaks_of_sex = isinstance(node, v.SwapSex) or (isinstance(node, v.If) and node.sex is not None)
        if names.sexes is False and speaks_of_sex:
            yield key, "nobody has a sex in this set", "sex = true under [switches] of pack.toml"
        if isinstance(node, v.Capacity) and node.what not in _ROOMS and _unknown(node.what, names.kinds):
            rooms = ", ".join((*_ROOMS, *sorted(names.kinds or ())))
            yield f"{key}.what", f"nothing called {node.what!r} has a limit", f"one of {rooms}"


_TAGS = "tags are listed in pack.toml ([[tags]])"


def _unknown(name: str | None, known: frozenset[str] | None) -> bool:
    """Return whether a name is given and the pack does not define it; False if the names of the pack are not known."""
    return name is not None and known is not None and name not in known


def _own_names(card: v.Card, names: Names) -> Iterator[Found]:
    for tag in card.tags:
        if _unknown(tag, names.tags):
            yield "tags", f"no tag is called {tag!r}", _TAGS
    if _unknown(card.gives_tag, names.tags):
        yield "gives_tag", f"no tag is called {card.gives_tag!r}", _TAGS
    ranked = names.ranked is not None and card.identity in names.ranked
    if names.kinds is not None and card.identity in names.kinds and (card.rank is not None) != ranked:
        hint = "Ranks are for kinds of identity with ranked = true in pack.toml, and each of theirs has one"
        yield "rank", "is missing" if card.rank is None else f"{card.identity} has no Ranks", hint
    for key in ("identity", "serves"):
        kind = getattr(card, key)
        if _unknown(kind, names.kinds):
            yield key, f"no kind of identity is called {kind!r}", f"one of {_list(names.kinds)}"


def _list(words: frozenset[str] | None) -> str:
    return ", ".join(sorted(words or ())) or "none: pack.toml has no [[identities]]"
