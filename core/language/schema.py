"""The card language: what a card may say, as types that TOML is decoded into.

Its parts (who, which cards, how much, if) are in selectors.py, what a pack says about itself is in manifest.py. What
verbs do is in core/effects, what conditions and modifiers mean is in core/queries. Unknown keys are refused, so a
typing slip never weakens a card.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field

from core.language.selectors import (
    Amount,
    Cards,
    Count,
    Data,
    If,
    Kind,
    Slot,
    Slug,
    Small,
    Target,
    Text,
    Until,
    When,
    Who,
)


# ------------------------------------------------------------------------------------------- what holds while in play
class ModBase(Data, tag_field="mod", kw_only=True, frozen=True):
    """What all modifiers share. drawback: a disadvantage, from which the card that allows two identities protects.

    on_players, on_monsters: on whose cards the modifier means something.
    """

    on_players: ClassVar[bool] = True
    on_monsters: ClassVar[bool] = False

    if_: If | None = field(default=None, name="if")
    drawback: bool = False


class Strength(ModBase, tag="strength", kw_only=True, frozen=True):
    """Adds to a hero's strength (cards of players) or to this monster's (monsters, enhancers).

    once: counts a single time for the side, however many have it (help.shared-traits).
    """

    on_monsters: ClassVar[bool] = True

    by: Small | Amount
    once: bool = False


class Flee(ModBase, tag="flee", kw_only=True, frozen=True):
    """Adds to its owner's rolls to run away; on a monster: to rolls against it alone."""

    on_monsters: ClassVar[bool] = True

    by: Small | Amount


class PayRoll(ModBase, tag="pay_roll", kw_only=True, frozen=True):
    """After a failed roll to run, its owner may discard up to `most` cards for `by` each."""

    by: Count = 1
    most: Count = 3


class WinsTies(ModBase, tag="wins_ties", kw_only=True, frozen=True):
    """The heroes' side wins ties."""


class Forbid(ModBase, tag="forbid", kw_only=True, frozen=True):
    """What may not be done: on a monster by anybody in this fight, on a player's card by its owner."""

    on_monsters: ClassVar[bool] = True

    what: Literal["help", "ask", "one-shots", "enhancers", "sell", "trade", "loot", "trouble", "escape", "equip"]


class Ignore(ModBase, tag="ignore", kw_only=True, frozen=True):
    """A kind of bonus that does not count: on a monster for the heroes, on a lasting card for its owner.

    tag (with items): only what Items of this tag give, one-shots and their abilities included (immunity to fire).
    """

    on_monsters: ClassVar[bool] = True

    what: Literal["bonuses", "items", "level", "identities", "one-shots", "head", "armor", "feet", "hands"]
    tag: Slug | None = None


class Spares(ModBase, tag="spares", kw_only=True, frozen=True):
    """This monster does not pursue: whoever meets the condition escapes from it without a roll."""

    on_players: ClassVar[bool] = False
    on_monsters: ClassVar[bool] = True


class Capacity(ModBase, tag="capacity", kw_only=True, frozen=True):
    """Room for more: a slot, hands, Big Items, cards in hand at the end of a turn, identities of a kind, followers."""

    what: Literal["head", "armor", "feet", "hands", "big", "hand"] | Slug
    by: Small = 1


class Reward(ModBase, tag="reward", kw_only=True, frozen=True):
    """More (or fewer) levels or Treasures for the kill of this monster; on a player's card Treasures for each kill as
    main fighter."""

    on_monsters: ClassVar[bool] = True

    levels: Small = 0
    treasures: Small = 0


class HelperLevels(ModBase, tag="helper_levels", kw_only=True, frozen=True):
    """Its owner gains levels when helping to kill: for each monster, or once if won by `margin` or more."""

    each: bool = True
    margin: Annotated[int, Meta(ge=0, le=99)] = 0
    by: Count = 1


class SellDouble(ModBase, tag="sell_double", kw_only=True, frozen=True):
    """Once in each own turn one Item of a sale counts twice its value."""


class Shield(ModBase, tag="shield", kw_only=True, frozen=True):
    """Its owner may let a curse that would strike come to nothing; if spent, this card is discarded for it."""

    spent: bool = True


class ExtraCards(ModBase, tag="extra_cards", kw_only=True, frozen=True):
    """Its owner draws more cards at a moment: Treasures after a kill, Doors on looting the room."""

    at: Literal["loot"] = "loot"
    by: Count = 1


class TopDiscard(ModBase, tag="top_discard", kw_only=True, frozen=True):
    """On looting the room its owner may take the top discard instead of a face-down card."""


class TwoHanded(ModBase, tag="two_handed", kw_only=True, frozen=True):
    """Its owner may use a one-hand Item with both hands, for `by` more (identity.militia)."""

    by: Count = 3


class SealDraw(ModBase, tag="seal_draw", kw_only=True, frozen=True):
    """Whenever a Seal is opened, by whomever, its owner draws face-down cards (identity.blogger)."""

    deck: Literal["door", "treasure"] = "door"
    count: Count = 1


class SpareDeath(ModBase, tag="spare_death", kw_only=True, frozen=True):
    """Its owner loses levels instead of dying."""

    levels: Count = 1


class LootFight(ModBase, tag="loot_fight", kw_only=True, frozen=True):
    """Its owner may fight a monster drawn while looting, and loot a Door under faster play (turn.loot-fight)."""


class RollIs(ModBase, tag="roll_is", kw_only=True, frozen=True):
    """The next roll of whom this lies on is not thrown: it shows this number."""

    value: Annotated[int, Meta(ge=1, le=6)]


Mod = (
    Strength | Flee | PayRoll | WinsTies | Forbid | Ignore | Spares | Capacity | Reward
    | HelperLevels | SellDouble | Shield | ExtraCards | TopDiscard | RollIs | TwoHanded | SealDraw | SpareDeath
    | LootFight
)  # fmt: skip


# --------------------------------------------------------------------------------------------------- what a card does
class OpBase(Data, tag_field="do", kw_only=True, frozen=True):
    """What all effects share.

    acts_on: what must be named on playing the card (a Target word; "this": the monster whose text it is), by the word
    in the effect that asks for it; "" if the effect always asks. loops: `then` is run for each of `who`, as `me`.
    names: the who-word that means somebody from this effect on. innate: cards have it without saying so.
    """

    acts_on: ClassVar[Mapping[str, str]] = {}
    loops: ClassVar[bool] = False
    names: ClassVar[str] = ""
    innate: ClassVar[bool] = False

    if_: If | None = field(default=None, name="if")


class Level(OpBase, tag="level", kw_only=True, frozen=True):
    """Levels gained (or lost, if below 0) by each of `who`."""

    by: Small | Amount = 1
    who: Who = "victim"
    may_win: bool = False


class SetLevel(OpBase, tag="set_level", kw_only=True, frozen=True):
    """Each of `who` goes to this Level, never below 1 nor to the winning one."""

    to: Small | Amount
    who: Who = "victim"


class Discard(OpBase, tag="discard", kw_only=True, frozen=True):
    """The cards are lost; with fewer than asked for, all there are. None at all: the else."""

    cards: Cards
    else_: "tuple[Op, ...]" = field(default=(), name="else")


class Take(OpBase, tag="take", kw_only=True, frozen=True):
    """Cards change hands: to `to`, into the hand or onto the table. None to take: the else."""

    cards: Cards
    to: Who = "you"
    into: Literal["hand", "play"] = "play"
    else_: "tuple[Op, ...]" = field(default=(), name="else")


class Draw(OpBase, tag="draw", kw_only=True, frozen=True):
    """Draw cards into the hand; face up for all to see if so said."""

    deck: Literal["door", "treasure"] = "treasure"
    count: Count | Amount = 1
    who: Who = "victim"
    face_up: bool = False


class Recover(OpBase, tag="recover", kw_only=True, frozen=True):
    """Take a card from a discard pile into the hand: the top one, or one of choice."""

    deck: Literal["door", "treasure", "either"] = "either"
    who: Who = "you"
    pick: Literal["top", "choose"] = "top"
    kind: Kind | None = None


class Look(OpBase, tag="look", kw_only=True, frozen=True):
    """`who` sees a hand, secretly from the rest."""

    at: Who = "chosen"
    who: Who = "you"


class ChooseSeat(OpBase, tag="choose_seat", kw_only=True, frozen=True):
    """One of `among` (with the condition, read for each seat as `me`) becomes `chosen`. Nobody: the else."""

    names: ClassVar[str] = "chosen"

    among: Who = "others"
    by: Who = "you"
    meets: If | None = None
    else_: "tuple[Op, ...]" = field(default=(), name="else")


class Branch(OpBase, tag="when", kw_only=True, frozen=True):
    """then, if the condition holds; otherwise else."""

    then: "tuple[Op, ...]" = ()
    else_: "tuple[Op, ...]" = field(default=(), name="else")


class Choice(Data, kw_only=True, frozen=True):
    """One of the things a player may choose."""

    text: Annotated[str, Meta(min_length=1, max_length=60)]
    do: "tuple[Op, ...]" = ()
    if_: If | None = field(default=None, name="if")


class Option(OpBase, tag="option", kw_only=True, frozen=True):
    """Somebody chooses one of several texts."""

    of: tuple[Choice, ...]
    by: Who = "victim"


class Each(OpBase, tag="each", kw_only=True, frozen=True):
    """For each of `who`, from the active seat on, as `me`."""

    loops: ClassVar[bool] = True

    who: Who
    then: "tuple[Op, ...]" = ()


class Die(OpBase, tag="die", kw_only=True, frozen=True):
    """A die is rolled and its number kept under a name."""

    save: Slug
    who: Who = "you"


class Bonus(OpBase, tag="bonus", kw_only=True, frozen=True):
    """Strength for this combat: the side named on playing, the heroes, the monsters, or this monster.

    An ability that says heroes adds to the strength of its user (or of the hero named) and leaves with that hero.
    """

    acts_on: ClassVar[Mapping[str, str]] = {"named": "side|hero", "mine": "this"}

    by: Small | Amount
    side: Literal["named", "heroes", "monsters", "mine"] = "named"


class Enhance(OpBase, tag="enhance", kw_only=True, frozen=True):
    """The monster named on playing (or this monster) is changed for the combat, its Life Partner with it."""

    acts_on: ClassVar[Mapping[str, str]] = {"": "monster"}

    by: Small | Amount = 0
    treasures: Small | Amount = 0


class AddMonster(OpBase, tag="add_monster", kw_only=True, frozen=True):
    """A monster joins: the one brought from the hand, or a copy of the one named, or the next from the Door deck."""

    acts_on: ClassVar[Mapping[str, str]] = {"copy": "monster"}

    what: Literal["brought", "copy", "deck"] = "brought"


class RemoveMonster(OpBase, tag="remove_monster", kw_only=True, frozen=True):
    """The monster named (or all, or this one) is got rid of, or killed. Reward: as the rules have it, or as said."""

    acts_on: ClassVar[Mapping[str, str]] = {"named": "monster", "this": "this"}

    which: Literal["named", "all", "this"] = "named"
    how: Literal["removed", "killed"] = "removed"
    treasures: Literal["rules", "yes", "no"] = "rules"


class SwapMonster(OpBase, tag="swap_monster", kw_only=True, frozen=True):
    """The monster named leaves with everything on it; the one brought takes its place."""

    acts_on: ClassVar[Mapping[str, str]] = {"": "monster"}


class EndCombat(OpBase, tag="end_combat", kw_only=True, frozen=True):
    """The combat is over without winner: no levels, no Treasure, nobody runs."""


class Escape(OpBase, tag="escape", kw_only=True, frozen=True):
    """Each of `who` gets away without a roll: from all monsters, or from the next one."""

    who: Who = "you"
    from_: Literal["all", "next"] = field(default="all", name="from")


class Compel(OpBase, tag="compel", kw_only=True, frozen=True):
    """`who` must help the fighter; not in a fight for the win (help.compelled)."""

    who: Who = "chosen"


class Expel(OpBase, tag="expel", kw_only=True, frozen=True):
    """The helper is out of the fight: neither runs nor shares."""


class HandOver(OpBase, tag="hand_over", kw_only=True, frozen=True):
    """`who` becomes the main fighter in the fighter's place; a helper goes free."""

    to: Who = "chosen"


class Kill(OpBase, tag="kill", kw_only=True, frozen=True):
    """Each of `who` dies."""

    who: Who = "victim"


class Linger(OpBase, tag="linger", kw_only=True, frozen=True):
    """The mods hold for `who` until then; a curse stays in front of its victim as the reminder."""

    until: Until
    mods: tuple[Mod, ...]
    who: Who = "victim"
    text: Annotated[str, Meta(max_length=80)] = ""


class Lift(OpBase, tag="lift", kw_only=True, frozen=True):
    """A lasting curse ends: the one named on playing, or all on `who`."""

    acts_on: ClassVar[Mapping[str, str]] = {"named": "curse"}

    which: Literal["named", "all"] = "named"
    who: Who = "you"


class SwapIdentity(OpBase, tag="swap_identity", kw_only=True, frozen=True):
    """Each of `who` changes an identity of this kind for the first one found in the Door discards, if there is any."""

    identity: Slug
    who: Who = "victim"


class OpenSeal(OpBase, tag="open_seal", kw_only=True, frozen=True):
    """`who` opens the next Seal (seal.open)."""

    who: Who = "victim"


class CloseSeal(OpBase, tag="close_seal", kw_only=True, frozen=True):
    """The Seal on top is closed and goes under the Seal deck (seal.close)."""


class SwapSex(OpBase, tag="swap_sex", kw_only=True, frozen=True):
    """Each of `who` changes sex."""

    who: Who = "victim"


class Sacrifice(OpBase, tag="sacrifice", kw_only=True, frozen=True):
    """This Ally gives itself for its player: lost with all it carries, its player escapes from everything, and a main
    fighter says whether the helper does too (self.ally-sacrifice). Every Ally has it without saying so."""

    innate: ClassVar[bool] = True


Op = (
    Level | SetLevel | Discard | Take | Draw | Recover | Look | ChooseSeat | Branch | Option | Each | Die | Bonus
    | Enhance | AddMonster | RemoveMonster | SwapMonster | EndCombat | Escape | Compel | Expel | HandOver | Kill
    | Linger | Lift | SwapIdentity | OpenSeal | CloseSeal | SwapSex | Sacrifice
)  # fmt: skip


class Cost(Data, kw_only=True, frozen=True):
    """Cards to discard for an ability, from hand or table: least to most, or the whole hand of at least `least`;
    kind: only cards of this kind pay."""

    least: Annotated[int, Meta(ge=0, le=12)] = 1
    most: Annotated[int, Meta(ge=1, le=12)] = 1
    whole_hand: bool = False
    kind: Kind | None = None


class Ability(Data, kw_only=True, frozen=True):
    """What the owner of a card in play may do by using it. The number of cards paid is saved as `paid`."""

    text: Text
    when: When
    if_: If | None = field(default=None, name="if")
    target: Target = "none"
    cost: Cost | None = None
    per: Literal["combat", "turn", "victim", "always"] = "always"
    most: Annotated[int, Meta(ge=1, le=20)] = 1
    do: tuple[Op, ...]


class Card(Data, kw_only=True, frozen=True):
    """One card of a pack: its printed side (name, text, figures) and what it does."""

    id: Slug
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    kind: Kind
    text: Annotated[str, Meta(max_length=400)] = ""
    copies: Annotated[int, Meta(ge=1, le=20)] = 1
    deck: Literal["door", "treasure", "seal"] | None = None
    # monsters
    level: Annotated[int, Meta(ge=1, le=20)] | None = None
    treasures: Annotated[int, Meta(ge=-3, le=9)] = 0
    levels: Annotated[int, Meta(ge=0, le=3)] = 1
    tags: tuple[Slug, ...] = ()
    # enhancers and Items
    bonus: Small = 0
    gives_tag: Slug | None = None
    partner: bool = False
    # Items
    value: Annotated[int, Meta(ge=0, le=2000)] | None = None
    slot: Slot | None = None
    big: bool = False
    one_shot: bool = False
    only: If | None = None
    unless: If | None = None
    # identities, and the cards that allow two of them
    identity: Slug | None = None
    name_key: Slug | None = None
    serves: Slug | None = None
    rank: Annotated[int, Meta(ge=1, le=9)] | None = None
    # Allies (free: not counted against the limit) and the Items that can be given to them
    free: bool = False
    for_ally: bool = False
    # Seals: what holds for every monster while the Seal is on top; `mods` hold for every player, `play` strikes at once
    foes: tuple[Mod, ...] = ()
    # playing it
    when: When | None = None
    target: Target | None = None
    if_: If | None = field(default=None, name="if")
    mods: tuple[Mod, ...] = ()
    abilities: tuple[Ability, ...] = ()
    play: tuple[Op, ...] = ()
    enter: tuple[Op, ...] = ()
    bad: tuple[Op, ...] = ()
    escaped: tuple[Op, ...] = ()
    killed: tuple[Op, ...] = ()
    turn_start: tuple[Op, ...] = ()


DOOR_KINDS = ("monster", "enhancer", "wandering", "curse", "identity", "double", "cheat")
"""Kinds whose cards lie in the Door deck unless the card says otherwise; all others are Treasures."""
