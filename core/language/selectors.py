"""The parts that verbs and modifiers share (who, which cards, how much, if), and the word lists of the card language.

Who-words have one meaning each:
    you      the player of the card, or the owner of the card in play
    victim   the target of a curse or level card, or the runner that a monster caught
    me       the seat of this `each`
    chosen   the seat that a `choose_seat` picked
    fighter, helper, side (both)       the heroes of the current combat
    others   every living seat but you          all      every living seat
    left, right   the victim's living neighbours       highest, lowest  by Level, ties included
    turn     the seat whose turn it is
"""

from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct

Who = Literal[
    "you", "victim", "me", "chosen", "fighter", "helper", "side",
    "others", "all", "left", "right", "highest", "lowest", "turn",
]  # fmt: skip
Slot = Literal["head", "armor", "feet", "1-hand", "2-hands", "vehicle", "none"]
Kind = Literal[
    "monster", "enhancer", "wandering", "curse", "identity", "double",
    "item", "level", "cheat", "hireling", "special", "ally", "upgrade", "seal",
]  # fmt: skip
When = Literal["any", "combat", "own-combat", "own-turn", "peace", "running", "prepare"]
"""When the player of a card may play it. any: at every moment; combat: in any combat; own-combat: as fighter or helper;
own-turn: in the player's own turn, outside combat; peace: while the player is not in combat; running: after a lost
fight, while the player must still run away; prepare: in the player's own turn, before the door is opened."""
Target = Literal["none", "seat", "side", "monster", "hero", "own-item", "item", "bring", "curse", "played"]
"""The target that the player of a card names. seat: any player; side: the heroes or the monsters; monster: one in the
combat; hero: fighter or helper; own-item, item: an Item in play, the player's own or another's; bring: a monster from
the player's hand; curse: a lasting curse on any player; played: the card that another player has just played into the
combat."""
Until = Literal["combat", "next-combat", "turn", "next-turn", "roll", "level", "forever"]
Small = Annotated[int, Meta(ge=-99, le=99)]
Count = Annotated[int, Meta(ge=1, le=99)]
"""How many cards, levels or monsters: the engine loops over it or divides by it, so it is never 0 or negative."""
PEEK_MOST = 10
"""At most this many cards of a deck are looked at: all of them are shown in one question."""
Text = Annotated[str, Meta(min_length=1, max_length=400)]
Slug = Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=48)]


class Data(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True, kw_only=True):
    """The base of every piece of the language: frozen, without unknown keys."""


class Cards(Data, kw_only=True, frozen=True, dict=True):
    """A selector of cards: whose they are, where, of what kind, how many, and who picks them.

    this: true selects only the card whose text is running, false every other card. tag: of an Item. worth: at least
    this many Gold Pieces. pick: best is the highest bonus, dearest the highest value. by: who picks (None: the owner).
    """

    of: Who = "victim"
    zone: Literal["hand", "equipped", "carried", "items", "play", "identities", "curses"] = "items"
    slot: Slot | None = None
    kind: Kind | None = None
    identity: Slug | None = None
    one_shot: bool | None = None
    big: bool | None = None
    tag: Slug | None = None
    worth: Annotated[int, Meta(ge=0, le=5000)] | None = None
    this: bool | None = None
    pick: Literal["choose", "random", "best", "dearest", "all"] = "choose"
    by: Who | None = None
    count: "Count | Amount" = 1

    @cached_property
    def asked(self) -> tuple[object, ...] | None:
        """The kind of card that it selects: slot, kind, identity, one-shot, big, tag; None for any card. The worth of
        an Item also depends on the cards attached to it."""
        kind = (self.slot, self.kind, self.identity, self.one_shot, self.big, self.tag)
        return None if kind.count(None) == len(kind) else kind

    @cached_property
    def means_identities(self) -> bool:
        """Whether it selects identities and nothing else."""
        return self.zone == "identities" or self.identity is not None or self.kind == "identity"


class Amount(Data, kw_only=True, frozen=True):
    """A number that depends on the game: (base + all that is counted) x times, limited to least and most.

    saved: a number saved by a die, or `paid`. margin: by how much the fight was lost or won. monsters: in the combat.
    seals: open ones. having: the living seats that meet a condition, each as `me`. counters: on the card whose text or
    modifier this is. tagged: the monsters in the combat with this tag.
    """

    base: Small = 0
    count: Cards | None = None
    level_of: Who | None = None
    saved: Slug | None = None
    margin: bool = False
    monsters: bool = False
    seals: bool = False
    having: "If | None" = None
    counters: bool = False
    tagged: Slug | None = None
    times: Small = 1
    least: Small | None = None
    most: Small | None = None


class If(Data, kw_only=True, frozen=True, dict=True):
    """A condition: everything it names must hold. A `who` of several seats means at least one of them.

    at_least: goes with cards or saved; at_most: with saved. leads: nobody alive has a higher Level. winning: whether
    the heroes win the combat at this moment; for texts only, not for modifiers. counters_at_least: on the card whose
    text or modifier this is. drawback: whether it is a disadvantage of the identity that it asks for; None:
    drawbacks.py derives this from its use.
    """

    who: Who | None = None
    has: Slug | None = None
    sex: Literal["male", "female"] | None = None
    level_at_least: Small | None = None
    level_at_most: Small | None = None
    wears: Slot | None = None
    cards: Cards | None = None
    at_least: Count = 1
    tag: Slug | None = None
    alone: bool | None = None
    fighting: bool | None = None
    own_turn: bool | None = None
    leads: bool | None = None
    winning: bool | None = None
    monsters_at_least: Count | None = None
    seals_at_least: Count | None = None
    counters_at_least: Count | None = None
    saved: Slug | None = None
    at_most: Count | None = None
    all: "tuple[If, ...]" = ()
    any: "tuple[If, ...]" = ()
    none: "tuple[If, ...]" = ()
    drawback: bool | None = None

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The names of the fields that say what must hold; nested conditions (all, any, none) are not included."""
        return tuple([name for name in _TESTED if getattr(self, name) is not None])

    @cached_property
    def names_identity(self) -> bool:
        """Whether it asks for an identity itself; nested conditions are not included."""
        cards = self.cards
        return self.has is not None or (cards is not None and cards.means_identities)

    @cached_property
    def about_identity(self) -> bool:
        """Whether it asks for an identity, nested conditions included."""
        return self.names_identity or any(part.about_identity for part in (*self.all, *self.any, *self.none))


_TESTED = tuple([
    name
    for name in If.__struct_fields__
    if name not in ("who", "at_least", "at_most", "all", "any", "none", "drawback")
])
