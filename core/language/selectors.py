"""Pieces of the card language: who, which cards, how much, if; and the words of which a card is made.

Who-words have one meaning each:
    you      who played the card, or whose card in play it is
    victim   whom the card strikes: the target of a curse or level card, the runner whom a monster caught
    me       the seat of this `each`
    chosen   the seat a `choose_seat` picked
    fighter, helper, side (both)       the heroes of the combat now on
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
"""any: at every moment; combat: in anybody's combat; own-combat: only as fighter or helper; own-turn: one's own turn
outside combat; peace: whenever one is not in combat; running: the fight is lost and one still has to run;
prepare: own turn, before the door is opened."""
Target = Literal["none", "seat", "side", "monster", "hero", "own-item", "item", "bring", "curse"]
"""What its player names on playing: seat (anybody), side (heroes or monsters), monster (one in the combat), hero
(fighter or helper), own-item / item (an Item in play, one's own / somebody else's), bring (a monster
from the own hand), curse (a lasting curse in play on anybody)."""
Until = Literal["combat", "next-combat", "turn", "next-turn", "roll", "level", "forever"]
Small = Annotated[int, Meta(ge=-99, le=99)]
Count = Annotated[int, Meta(ge=1, le=99)]
"""How many cards, levels or monsters: the engine loops over it or divides by it, so it is never 0 or negative."""
Text = Annotated[str, Meta(min_length=1, max_length=400)]
Slug = Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=48)]


class Data(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True, kw_only=True):
    """Shared options of every piece of the language."""


class Cards(Data, kw_only=True, frozen=True):
    """Which cards: whose, where, what kind, how many and who picks them.

    this: true selects only the very card whose text is running, false all others.
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


class Amount(Data, kw_only=True, frozen=True):
    """A number read off the table: (base + what is counted) x times, held between least and most.

    margin: by how much the fight was lost or won. having: how many living seats meet a condition.
    """

    base: Small = 0
    count: Cards | None = None
    level_of: Who | None = None
    saved: Slug | None = None
    margin: bool = False
    monsters: bool = False
    seals: bool = False
    having: "If | None" = None
    times: Small = 1
    least: Small | None = None
    most: Small | None = None


class If(Data, kw_only=True, frozen=True, dict=True):
    """A condition: everything it names must hold. `who` with several seats means at least one of them.

    winning (the heroes of the combat as it stands) is for texts only, not for what holds while in play.
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
    saved: Slug | None = None
    all: "tuple[If, ...]" = ()
    any: "tuple[If, ...]" = ()
    none: "tuple[If, ...]" = ()

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The fields that this condition uses and that say what must hold; its parts are not among them."""
        return tuple([name for name in _TESTED if getattr(self, name) is not None])


_TESTED = tuple([name for name in If.__struct_fields__ if name not in ("who", "at_least", "all", "any", "none")])
