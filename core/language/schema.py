"""The card language: the types into which the TOML of cards is decoded.

Its parts (who, which cards, how much, if) are in selectors.py, pack.toml is in manifest.py. What verbs do is in
core/effects, what conditions and modifiers mean is in core/queries. Unknown keys are refused, so a typing slip never
weakens a card.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field

from core.language.level_gain import LevelGain
from core.language.pack_limits import COPIES_LIMIT
from core.language.selectors import (
    PEEK_MOST,
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

COUNTERS_MOST = 20
"""The most counters on a card (cards.counters)."""


# ------------------------------------------------------------------------------------------- what holds while in play
class ModBase(Data, tag_field="mod", kw_only=True, frozen=True):
    """The base of all modifiers. drawback: whether it is a disadvantage; a card that allows two identities protects
    from it.

    on_players, on_monsters: whether the modifier means something on cards of players, and of monsters.
    """

    on_players: ClassVar[bool] = True
    on_monsters: ClassVar[bool] = False

    if_: If | None = field(default=None, name="if")
    drawback: bool = False


class Strength(ModBase, tag="strength", kw_only=True, frozen=True):
    """Adds to the strength of a hero (on cards of players) or of this monster (on monsters and enhancers).

    once: counts once for the side, however many heroes have it (help.shared-traits).
    """

    on_monsters: ClassVar[bool] = True

    by: Small | Amount
    once: bool = False


class Flee(ModBase, tag="flee", kw_only=True, frozen=True):
    """Adds to its owner's rolls to run away; on a monster, to the rolls against this monster."""

    on_monsters: ClassVar[bool] = True

    by: Small | Amount


class PayRoll(ModBase, tag="pay_roll", kw_only=True, frozen=True):
    """After a failed roll to run, its owner may discard up to `most` cards for `by` each."""

    by: Count = 1
    most: Count = 3


class WinsTies(ModBase, tag="wins_ties", kw_only=True, frozen=True):
    """The heroes' side wins ties."""


class Forbid(ModBase, tag="forbid", kw_only=True, frozen=True):
    """Forbids something: on a monster to everybody in this fight, on a player's card to its owner."""

    on_monsters: ClassVar[bool] = True

    what: Literal["help", "ask", "one-shots", "enhancers", "sell", "trade", "loot", "trouble", "escape", "equip"]


class Ignore(ModBase, tag="ignore", kw_only=True, frozen=True):
    """A kind of bonus that does not count: on a monster for the heroes, in a lasting effect for its seat.

    tag (with items): only Items with this tag do not count, one-shots and their abilities included (immunity to fire).
    """

    on_monsters: ClassVar[bool] = True

    what: Literal["bonuses", "items", "level", "identities", "one-shots", "head", "armor", "feet", "hands"]
    tag: Slug | None = None


class Spares(ModBase, tag="spares", kw_only=True, frozen=True):
    """This monster does not pursue runners who meet the condition: they escape without a roll."""

    on_players: ClassVar[bool] = False
    on_monsters: ClassVar[bool] = True


class Capacity(ModBase, tag="capacity", kw_only=True, frozen=True):
    """Room for more of something: a slot, hands, Big Items, cards in hand at the end of the turn, Vehicles, Allies,
    identities of a kind."""

    what: Literal["head", "armor", "feet", "hands", "big", "hand"] | Slug
    by: Small = 1


class Reward(ModBase, tag="reward", kw_only=True, frozen=True):
    """More (or fewer) levels or Treasures for killing this monster; on a player's card, Treasures for each kill as main
    fighter."""

    on_monsters: ClassVar[bool] = True

    levels: Small = 0
    treasures: Small = 0


class HelperLevels(ModBase, tag="helper_levels", kw_only=True, frozen=True):
    """Its owner gains levels as helper: for each monster killed, or once if the fight is won by `margin` or more."""

    each: bool = True
    margin: Annotated[int, Meta(ge=0, le=99)] = 0
    by: Count = 1


class SellDouble(ModBase, tag="sell_double", kw_only=True, frozen=True):
    """Once on each of its owner's turns, one Item sells for twice its value."""


class Shield(ModBase, tag="shield", kw_only=True, frozen=True):
    """Its owner may cancel a curse that strikes them. spent: this card is discarded for it."""

    spent: bool = True


class ExtraCards(ModBase, tag="extra_cards", kw_only=True, frozen=True):
    """Its owner draws more Door cards when looting the room."""

    at: Literal["loot"] = "loot"
    by: Count = 1


class TopDiscard(ModBase, tag="top_discard", kw_only=True, frozen=True):
    """When looting the room, its owner may take the top discard instead of a face-down card."""


class TwoHanded(ModBase, tag="two_handed", kw_only=True, frozen=True):
    """Its owner may use a one-hand Item with both hands, for `by` more (identity.militia)."""

    by: Count = 3


class SealDraw(ModBase, tag="seal_draw", kw_only=True, frozen=True):
    """Whenever anybody opens a Seal, its owner draws face-down cards (identity.blogger)."""

    deck: Literal["door", "treasure"] = "door"
    count: Count = 1


class SpareDeath(ModBase, tag="spare_death", kw_only=True, frozen=True):
    """Its owner loses levels instead of dying."""

    levels: Count = 1


class LootFight(ModBase, tag="loot_fight", kw_only=True, frozen=True):
    """Its owner may fight a monster drawn while looting, and loot a Door under faster play (turn.loot-fight)."""


class ThrowAgain(ModBase, tag="throw_again", kw_only=True, frozen=True):
    """After a die was rolled to run away or by card text, its owner may have it rolled again; the new number counts
    (dice.again).

    whose: the owner's own dice, or anybody's. of: which dice. per, most: how often in a turn or a combat; or spent:
    this card is discarded for it.
    """

    whose: Literal["own", "any"] = "own"
    of: Literal["run", "text", "any"] = "any"
    per: Literal["turn", "combat"] | None = None
    most: Annotated[int, Meta(ge=1, le=20)] = 1
    spent: bool = False


class RollIs(ModBase, tag="roll_is", kw_only=True, frozen=True):
    """The next six-sided die of the seat counts as this number and is not rolled."""

    value: Annotated[int, Meta(ge=1, le=6)]


Mod = (
    Strength | Flee | PayRoll | WinsTies | Forbid | Ignore | Spares | Capacity | Reward
    | HelperLevels | SellDouble | Shield | ExtraCards | TopDiscard | RollIs | TwoHanded | SealDraw | SpareDeath
    | LootFight | ThrowAgain
)  # fmt: skip


# --------------------------------------------------------------------------------------------------- what a card does
class OpBase(Data, tag_field="do", kw_only=True, frozen=True):
    """The base of all effects.

    acts_on: the target the card must have, by the value in the effect that needs it ("": the effect always does). The
    target is a Target word, or "this" for the monster whose text it is. loops: `then` runs for each of `who`, as `me`.
    names: the who-word that this effect defines for later effects. innate: cards have it without printing it.
    gives_levels: the players to whom it may give Levels, and how many (golden.level-nine).
    """

    acts_on: ClassVar[Mapping[str, str]] = {}
    loops: ClassVar[bool] = False
    names: ClassVar[str] = ""
    innate: ClassVar[bool] = False
    gives_levels: ClassVar[tuple[LevelGain, ...]] = ()

    if_: If | None = field(default=None, name="if")


class Level(OpBase, tag="level", kw_only=True, frozen=True):
    """Each of `who` gains levels, or loses them if `by` is below 0. may_win: even the winning level."""

    gives_levels: ClassVar[tuple[LevelGain, ...]] = (LevelGain(who="who", by="by", may_win="may_win"),)

    by: Small | Amount = 1
    who: Who = "victim"
    may_win: bool = False


class SetLevel(OpBase, tag="set_level", kw_only=True, frozen=True):
    """Each of `who` goes to this Level, but never below 1 or to the winning Level."""

    gives_levels: ClassVar[tuple[LevelGain, ...]] = (LevelGain(who="who", to="to"),)

    to: Small | Amount
    who: Who = "victim"


class Discard(OpBase, tag="discard", kw_only=True, frozen=True):
    """The cards are lost, all of them if there are fewer than `count`. If there are none, the `else` runs.

    kills: an Ally that is lost this way is killed, and what it carries stays. Otherwise a text that takes an Ally from
    its player also takes the Items it carries (self.ally-items).
    """

    cards: Cards
    kills: bool = False
    else_: "tuple[Op, ...]" = field(default=(), name="else")


class Take(OpBase, tag="take", kw_only=True, frozen=True):
    """Cards go to `to`, into the hand or into play. If there are none, the `else` runs."""

    cards: Cards
    to: Who = "you"
    into: Literal["hand", "play"] = "play"
    else_: "tuple[Op, ...]" = field(default=(), name="else")


class Swap(OpBase, tag="swap", kw_only=True, frozen=True):
    """One Item of each selector changes hands: their owners exchange them, into play and turned sideways.

    Items that cannot be exchanged, because of a limit or because both have the same owner, are not offered. If no
    exchange is possible, the `else` runs.
    """

    cards: Cards
    for_: Cards = field(name="for")
    else_: "tuple[Op, ...]" = field(default=(), name="else")


class Draw(OpBase, tag="draw", kw_only=True, frozen=True):
    """Each of `who` draws cards into the hand. face_up: everybody sees them."""

    deck: Literal["door", "treasure"] = "treasure"
    count: Count | Amount = 1
    who: Who = "victim"
    face_up: bool = False


class Recover(OpBase, tag="recover", kw_only=True, frozen=True):
    """`who` takes a card from a discard pile into the hand: the top card, or one they choose."""

    deck: Literal["door", "treasure", "either"] = "either"
    who: Who = "you"
    pick: Literal["top", "choose"] = "top"
    kind: Kind | None = None


class Look(OpBase, tag="look", kw_only=True, frozen=True):
    """`who` sees the hand of `at`; nobody else does."""

    at: Who = "chosen"
    who: Who = "you"


class Peek(OpBase, tag="peek", kw_only=True, frozen=True):
    """`who` alone sees the top cards of a deck. If there is no card at all, the `else` runs.

    may: what `who` may do with them: only look, put any of them under the deck, take one into the hand, or discard one
    face up. The others go back on top in their order.
    """

    deck: Literal["door", "treasure"] = "treasure"
    count: Annotated[int, Meta(ge=1, le=PEEK_MOST)] | Amount = 3
    who: Who = "you"
    may: Literal["look", "under", "take", "discard"] = "look"
    else_: "tuple[Op, ...]" = field(default=(), name="else")


class PassHands(OpBase, tag="pass_hands", kw_only=True, frozen=True):
    """Every living player's hand goes to the living neighbour on this side, face down."""

    to: Literal["left", "right"] = "left"


class ChooseSeat(OpBase, tag="choose_seat", kw_only=True, frozen=True):
    """`by` chooses one of `among`, who is `chosen` from then on. If there is nobody, the `else` runs.

    meets: a condition on each of them, as `me`.
    """

    names: ClassVar[str] = "chosen"

    among: Who = "others"
    by: Who = "you"
    meets: If | None = None
    else_: "tuple[Op, ...]" = field(default=(), name="else")


class Branch(OpBase, tag="when", kw_only=True, frozen=True):
    """Runs `then` if the condition holds, otherwise `else`."""

    then: "tuple[Op, ...]" = ()
    else_: "tuple[Op, ...]" = field(default=(), name="else")


class Choice(Data, kw_only=True, frozen=True):
    """One of the texts that a player may choose. if: when it is on offer."""

    text: Annotated[str, Meta(min_length=1, max_length=60)]
    do: "tuple[Op, ...]" = ()
    if_: If | None = field(default=None, name="if")


class Option(OpBase, tag="option", kw_only=True, frozen=True):
    """`by` chooses one of several texts, which runs."""

    of: tuple[Choice, ...]
    by: Who = "victim"


class Each(OpBase, tag="each", kw_only=True, frozen=True):
    """Runs `then` for each of `who`, in turn order from the active seat on, as `me`."""

    loops: ClassVar[bool] = True

    who: Who
    then: "tuple[Op, ...]" = ()


class Die(OpBase, tag="die", kw_only=True, frozen=True):
    """`who` rolls a die with this many sides; its number is saved under a name."""

    save: Slug
    who: Who = "you"
    sides: Literal[6, 20] = 6


class Bonus(OpBase, tag="bonus", kw_only=True, frozen=True):
    """Strength for this combat, for the side that the player named, the heroes, the monsters or this monster.

    An ability that says heroes adds to the strength of its user (or of the hero named), and leaves with that hero.
    """

    acts_on: ClassVar[Mapping[str, str]] = {"named": "side|hero", "mine": "this"}

    by: Small | Amount
    side: Literal["named", "heroes", "monsters", "mine"] = "named"


class Enhance(OpBase, tag="enhance", kw_only=True, frozen=True):
    """Changes the monster that the player named (or this monster) for the combat, and its Life Partner."""

    acts_on: ClassVar[Mapping[str, str]] = {"": "monster"}

    by: Small | Amount = 0
    treasures: Small | Amount = 0


class AddMonster(OpBase, tag="add_monster", kw_only=True, frozen=True):
    """A monster joins: the one brought from hand, a copy of the one named with what has been played on it so far
    (combat.copy), or the top Door card if it is a monster."""

    acts_on: ClassVar[Mapping[str, str]] = {"copy": "monster"}

    what: Literal["brought", "copy", "deck"] = "brought"


class RemoveMonster(OpBase, tag="remove_monster", kw_only=True, frozen=True):
    """Removes or kills the monster named, all of them, or this one. treasures: whether its Treasure is won."""

    acts_on: ClassVar[Mapping[str, str]] = {"named": "monster", "this": "this"}

    which: Literal["named", "all", "this"] = "named"
    how: Literal["removed", "killed"] = "removed"
    treasures: Literal["rules", "yes", "no"] = "rules"


class SwapMonster(OpBase, tag="swap_monster", kw_only=True, frozen=True):
    """The monster named leaves with everything on it; the one brought takes its place."""

    acts_on: ClassVar[Mapping[str, str]] = {"": "monster"}


class UndoPlayed(OpBase, tag="undo_played", kw_only=True, frozen=True):
    """The card named, which was played last into the combat, is discarded. Its bonuses are taken back, and the monster
    that it brought leaves with what lies on it (combat.undo-last)."""

    acts_on: ClassVar[Mapping[str, str]] = {"": "played"}


class EndCombat(OpBase, tag="end_combat", kw_only=True, frozen=True):
    """Ends the combat without a winner: no levels, no Treasure, nobody runs away."""


class Escape(OpBase, tag="escape", kw_only=True, frozen=True):
    """Each of `who` escapes without a roll, from all monsters or from the next one."""

    who: Who = "you"
    from_: Literal["all", "next"] = field(default="all", name="from")


class Compel(OpBase, tag="compel", kw_only=True, frozen=True):
    """`who` must help the fighter, but not in a fight that would win the game (help.compelled)."""

    who: Who = "chosen"


class Expel(OpBase, tag="expel", kw_only=True, frozen=True):
    """The helper leaves the fight, and neither runs away nor shares the Treasure."""


class HandOver(OpBase, tag="hand_over", kw_only=True, frozen=True):
    """`to` becomes the main fighter; a helper leaves the fight."""

    to: Who = "chosen"


class Kill(OpBase, tag="kill", kw_only=True, frozen=True):
    """Each of `who` dies."""

    who: Who = "victim"


class Counter(OpBase, tag="counter", kw_only=True, frozen=True):
    """Counters are put on this card, until it has `most`; if `by` is below 0 they are taken off (cards.counters)."""

    by: Small | Amount = 1
    most: Annotated[int, Meta(ge=1, le=COUNTERS_MOST)] = 5


class Linger(OpBase, tag="linger", kw_only=True, frozen=True):
    """The modifiers hold for each of `who` for as long as `until` says. A curse stays in front of its victim as a
    reminder."""

    until: Until
    mods: tuple[Mod, ...]
    who: Who = "victim"
    text: Annotated[str, Meta(max_length=80)] = ""


class Lift(OpBase, tag="lift", kw_only=True, frozen=True):
    """Ends the lasting curse that the player named, or all lasting curses on each of `who`."""

    acts_on: ClassVar[Mapping[str, str]] = {"named": "curse"}

    which: Literal["named", "all"] = "named"
    who: Who = "you"


class SwapIdentity(OpBase, tag="swap_identity", kw_only=True, frozen=True):
    """Each of `who` discards an identity of this kind and takes the topmost one in the Door discards, if any."""

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


class ExtraTurn(OpBase, tag="extra_turn", kw_only=True, frozen=True):
    """`who` has one more turn after this one; then the order goes on after the seat whose turn it was (turn.extra)."""

    who: Who = "you"


class Sacrifice(OpBase, tag="sacrifice", kw_only=True, frozen=True):
    """This Ally and all it carries are lost. Its player escapes from every monster; a main fighter decides whether the
    helper escapes too (self.ally-sacrifice). Every Ally has this effect, although it is not printed on it."""

    innate: ClassVar[bool] = True


Op = (
    Level | SetLevel | Discard | Take | Swap | Draw | Recover | Look | Peek | PassHands | ChooseSeat | Branch | Option
    | Each | Die | Bonus | Enhance | AddMonster | RemoveMonster | SwapMonster | EndCombat | Escape | Compel | Expel
    | HandOver | Kill | Linger | Lift | SwapIdentity | OpenSeal | CloseSeal | SwapSex | Sacrifice
    | Counter | UndoPlayed | ExtraTurn
)  # fmt: skip


class Cost(Data, kw_only=True, frozen=True):
    """Cards to discard for an ability, from hand or table: least to most of them.

    whole_hand: the whole hand, of `least` cards or more. kind: only cards of this kind may pay.
    """

    least: Annotated[int, Meta(ge=0, le=12)] = 1
    most: Annotated[int, Meta(ge=1, le=12)] = 1
    whole_hand: bool = False
    kind: Kind | None = None


class Ability(Data, kw_only=True, frozen=True):
    """An ability that the owner of a card in play may use. The number of cards paid is saved as `paid`.

    per, most: how often in a combat, in a turn, or on each victim in a combat.
    """

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
    copies: Annotated[int, Meta(ge=1, le=COPIES_LIMIT)] = 1
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
    # Allies (free: not counted against the limit) and the Items that an Ally may carry
    free: bool = False
    for_ally: bool = False
    # Seals: what holds for every monster while the Seal is on top; `mods` hold for every player, `play` runs at once
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
    won: tuple[Op, ...] = ()


LASTING_KINDS = ("identity", "double", "item", "hireling", "special", "ally", "upgrade")
"""Kinds of card that lie in front of a player and take effect there: they have abilities, texts for the start of a turn
and for a fight that is won, and counters."""
DOOR_KINDS = ("monster", "enhancer", "wandering", "curse", "identity", "double", "cheat")
"""Kinds whose cards lie in the Door deck unless the card says otherwise; cards of other kinds are Treasures."""
