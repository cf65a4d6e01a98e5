"""What a pack says of itself (pack.toml): identities, tags, switches, words, counts; the shape of a file of cards."""

from typing import Annotated, Literal

from msgspec import Meta

from core.language.schema import Card
from core.language.selectors import Data, Slug

CardCount = Annotated[int, Meta(ge=0, le=40000)]


class IdentityKind(Data, kw_only=True, frozen=True):
    """A kind of identity the pack has: class, race, ... with its limit (or ranked: Ranks up to Level)."""

    id: Slug
    name: str
    limit: Annotated[int, Meta(ge=0, le=9)] = 1
    ranked: bool = False


class TagRule(Data, kw_only=True, frozen=True):
    """A tag of monsters, and whether monsters that carry it join one another's fights from the hand."""

    id: Slug
    name: str
    joins: bool = False


class Switches(Data, kw_only=True, frozen=True):
    """Where the books differ (see rules.toml): one switch for each difference."""

    nonlethal_treasure: bool = False
    last_removed_open: bool = False
    equip: Literal["any-time", "turn-start"] = "any-time"
    special_any_time: bool = False
    who_first_by_die: bool = False
    sex: bool = False


class Words(Data, kw_only=True, frozen=True):
    """What this set calls things."""

    curse: str = "Curse"
    no_identity: dict[str, str] = {}
    phases: dict[str, str] = {}


class Counts(Data, kw_only=True, frozen=True):
    """How many cards the set has, copies included."""

    door: CardCount
    treasure: CardCount
    seal: CardCount = 0


class PackHead(Data, kw_only=True, frozen=True):
    """pack.toml."""

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


class CardFile(Data, kw_only=True, frozen=True):
    """One file of cards: a list of [[card]]."""

    card: tuple[Card, ...]
