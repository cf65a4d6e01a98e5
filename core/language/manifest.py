"""pack.toml as types: identities, tags, switches, words and counts of a pack; and the shape of its files of cards."""

from typing import Annotated, Literal

from msgspec import Meta

from core.language.schema import Card
from core.language.selectors import Data, Slug

CardCount = Annotated[int, Meta(ge=0, le=40000)]
Hex = Annotated[str, Meta(pattern=r"^[0-9a-f]{6}$")]
"""A colour: red, green and blue, two hexadecimal digits each."""


class IdentityKind(Data, kw_only=True, frozen=True):
    """A kind of identity: class, race, ...

    limit: how many of it a player may have. ranked: Ranks limit it instead: their sum may not exceed the Level.
    """

    id: Slug
    name: str
    limit: Annotated[int, Meta(ge=0, le=9)] = 1
    ranked: bool = False


class TagRule(Data, kw_only=True, frozen=True):
    """A tag of monsters or Items. joins: monsters with it may join one another's fights from the hand."""

    id: Slug
    name: str
    joins: bool = False


class Switches(Data, kw_only=True, frozen=True):
    """The differences between the books (core/authoring/rules.toml), one switch each; the first pack of a game decides.

    nonlethal_treasure: a monster that leaves without being killed still gives its Treasure. last_removed_open: players
    may respond when the last monster is removed. equip: when Items may be equipped. special_any_time: special Treasures
    may be played at any time. who_first_by_die: the higher roller decides who runs first. sex: players have a sex.
    """

    nonlethal_treasure: bool = False
    last_removed_open: bool = False
    equip: Literal["any-time", "turn-start"] = "any-time"
    special_any_time: bool = False
    who_first_by_die: bool = False
    sex: bool = False


class Words(Data, kw_only=True, frozen=True):
    """The words of a set. no_identity: for a player without an identity, by kind. phases: names of the phases of a
    turn."""

    curse: str = "Curse"
    no_identity: dict[str, str] = {}
    phases: dict[str, str] = {}


class Counts(Data, kw_only=True, frozen=True):
    """The number of cards in each deck, copies included."""

    door: CardCount
    treasure: CardCount
    seal: CardCount = 0


class Portraits(Data, kw_only=True, frozen=True):
    """How a client draws the cards of a set; the rules never read it.

    words: the drawing for a word of a card's id or for a tag. cards: the drawing of single cards of this set, by id; it
    takes precedence over words. palettes: of five colours each: main, second, light, accent,
    eyes. A client ignores the name of a drawing that it does not know.
    """

    words: Annotated[dict[Slug, Slug], Meta(max_length=400)] = {}
    cards: Annotated[dict[Slug, Slug], Meta(max_length=400)] = {}
    palettes: Annotated[tuple[tuple[Hex, Hex, Hex, Hex, Hex], ...], Meta(max_length=8)] = ()


class PackHead(Data, kw_only=True, frozen=True):
    """pack.toml. vocabulary: the version of the card language. book: which rule book the set follows."""

    id: Slug
    name: str
    version: str
    vocabulary: Literal[1]
    authors: tuple[str, ...]
    licence: str
    book: Annotated[str, Meta(pattern=r"^[a-z0-9]+$")]
    counts: Counts
    identities: tuple[IdentityKind, ...] = ()
    tags: tuple[TagRule, ...] = ()
    switches: Switches = Switches()
    words: Words = Words()
    portraits: Portraits = Portraits()


class CardFile(Data, kw_only=True, frozen=True):
    """A file of cards: a list of [[card]]."""

    card: tuple[Card, ...]
