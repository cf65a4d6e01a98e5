"""A card as the engine uses it: its printed side, its compiled text, and what follows from its data."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from core.language import schema as v
from core.language.compiler import PARTS, Compiler, Ins
from core.language.dependencies import reach_of
from core.language.drawbacks import Sense, text_sense
from core.language.traits import traits_of
from core.language.tree import effects_within, pieces_within, who_fields

DEFAULT_WHEN: dict[str, v.When] = {
    "curse": "any", "level": "any", "hireling": "any", "ally": "any", "enhancer": "combat", "wandering": "combat",
}  # fmt: skip
"""When a card that does not say so may be played, by kind. Other kinds: a one-shot in a combat, any other card in its
player's own turn."""
DEFAULT_TARGET: dict[str, v.Target] = {
    "curse": "seat", "level": "seat", "enhancer": "monster", "wandering": "bring", "cheat": "own-item",
    "upgrade": "own-item",
}  # fmt: skip
"""The target of a card that does not name one, by kind. Other kinds: nothing."""
MAY_BE_NOTHING = frozenset((
    v.Level, v.Discard, v.Take, v.Swap, v.Branch, v.Each, v.Lift, v.SwapIdentity, v.Option, v.Die, v.OpenSeal,
    v.CloseSeal, v.Expel, v.Counter, v.ExtraTurn, v.ChooseSeat, v.Compel, v.Escape,
    v.HandOver,
))  # fmt: skip
"""Verbs that can have no effect, in a way that can be known beforehand (core/queries/prospects.py)."""
_JUDGED_ALONE = frozenset((v.Level, v.Discard, v.Take, v.Lift, v.SwapIdentity, v.Branch, v.Option))
"""Those of them whose outcome depends only on the seats that they name."""
_ABOUT_TABLE = frozenset((
    "alone", "monsters_at_least", "tag", "saved", "winning", "seals_at_least", "counters_at_least",
))  # fmt: skip
"""Fields of a condition that do not refer to a seat."""
UNDOABLE = (v.Bonus, v.Enhance, v.AddMonster, v.Branch)
"""Verbs of cards that can be undone while nothing has happened since (combat.undo-last)."""
PLAIN_TARGETS = ("none", "seat", "side", "hero", "monster", "played")
"""Kinds of target that allow every listed target (moves.targeting), unless the card's condition forbids it."""
SACRIFICE = v.Ability(
    text="Sacrifice: after a lost fight, before your first roll, this Ally and all it carries are lost and you escape.",
    when="running",
    do=(v.Sacrifice(),),
)
"""The ability of every Ally (self.ally-sacrifice)."""


@dataclass(slots=True)
class Power:
    """An ability of a card.

    number: its place on the card. sacrifices: whether it gives the card up. brings: whether it needs a monster from
    hand. adds: whether it brings a monster into a fight. gives_level: whether it may give a player a level. compels:
    whether it makes a player help. vain: whether it could have no effect. sure: whether it may be used on every listed
    target, because its condition, its limit of uses and its effect do not depend on the target or the fight. sense: the
    sense of its condition (drawbacks.py).
    """

    number: int
    ability: v.Ability
    sacrifices: bool
    brings: bool
    adds: bool
    gives_level: bool
    compels: bool
    vain: bool
    sure: bool
    sense: Sense


@dataclass(slots=True, eq=False)
class Def:
    """A definition: all copies of a card share one. no: its place in the catalog, the lowest 12 bits of a card's id.

    Its texts are compiled, and the fields derived from them are computed, when one of these fields is first read
    (_Unread): soon after the start only a few cards of a set are needed."""

    no: int
    set_id: str
    card: v.Card

    kind: str = field(init=False)
    name: str = field(init=False)
    deck: str = field(init=False)
    """The deck it lies in: door, treasure or seal."""
    ident: str = field(init=False)
    """The identity it gives its owner, as conditions name it; "" if it gives none."""

    abilities: tuple[v.Ability, ...] = field(init=False)
    powers: tuple[Power, ...] = field(init=False)
    parts: tuple[tuple[Ins, ...], ...] = field(init=False)
    """Its compiled texts: those of PARTS, then those of its abilities."""
    lingers: tuple[v.Linger, ...] = field(init=False)
    """The lasting effects of its texts; `Ins.code` and `Lasting.code` are places in this list."""
    linger_types: tuple[dict[type, tuple[v.Mod, ...]], ...] = field(init=False)
    """The modifiers of each lasting effect, by type."""
    names_this: bool = field(init=False)
    """Whether its texts refer to the card itself, by a selector with `this` or by its counters."""
    stays: bool = field(init=False)
    """Whether a special card stays in play in front of its player."""

    by_type: dict[type, tuple[v.Mod, ...]] = field(init=False)
    """Its modifiers by type, so that looking for one type costs nothing on most cards."""
    strength: tuple[v.Strength, ...] = field(init=False)
    flee: tuple[v.Flee, ...] = field(init=False)
    foes: tuple[v.Mod, ...] = field(init=False)
    """Its modifiers for every monster while it is the top Seal."""
    traits: int = field(init=False)
    """Its possible benefits for its seat, as bits (traits.py)."""

    slot: str = field(init=False)
    hands: int = field(init=False)
    place: str = field(init=False)
    """The limit that it counts against while it is equipped: head, armor, feet, hands, vehicle or none."""
    is_item: bool = field(init=False)
    small: bool = field(init=False)
    """Whether it does not count against the limits of Big Items and Vehicles."""
    small_item: bool = field(init=False)
    gear: bool = field(init=False)
    """Whether it is an Item that is equipped."""
    lies_still: bool = field(init=False)
    """Whether it takes effect for as long as it is in play: it can be neither turned sideways nor attached."""
    free: bool = field(init=False)
    """Whether anybody can use it."""

    when: v.When = field(init=False)
    gate: str = field(init=False)
    """When it can be played from a hand, as a key that many cards share (moves.timing.gate_clause)."""
    target: v.Target = field(init=False)
    brings: bool = field(init=False)
    """Whether playing it needs a monster from hand."""
    adds: bool = field(init=False)
    """Whether it brings a monster into a fight."""
    gives_level: bool = field(init=False)
    """Whether playing it may give somebody a level."""
    compels: bool = field(init=False)
    """Whether playing it makes somebody help."""
    vain: bool = field(init=False)
    """Whether playing it could have no effect."""
    vain_alone: bool = field(init=False)
    """Whether its victim alone decides if playing it has no effect."""
    vain_alike: bool = field(init=False)
    """Whether it has no effect on any victim if it has none on one of them."""
    demands: bool = field(init=False)
    """Whether playing it has a condition."""
    sense: Sense = field(init=False)
    """The sense of the condition of playing it (drawbacks.py)."""
    asks_victim: bool = field(init=False)
    """Whether its condition depends on nothing but the seat it is played on."""
    plain: bool = field(init=False)
    """Whether its gate, its listed targets and its condition alone decide if it can be played."""
    undoable: bool = field(init=False)
    """Whether all its effects in a combat can be undone (combat.undo-last)."""
    asks_target: bool = field(init=False)
    """Whether its condition may depend on the seat or the monster that it is played on."""
    room: Literal["", "joins", "limit", "combat"] = field(init=False)
    """The limit that can leave no room for it: the monsters of the combat that it would join, a limit of its player, a
    card in a combat; "" for none."""

    def __post_init__(self) -> None:
        self._name()
        self._classify()
        self.__class__ = _Unread

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same card at the same place, whichever of their fields are derived already."""
        if not isinstance(other, Def):
            return NotImplemented
        return (self.no, self.set_id, self.card) == (other.no, other.set_id, other.card)

    def __reduce__(self) -> tuple[type["Def"], tuple[int, str, v.Card]]:
        """Copy and pickle only the constructor's arguments: reading the other fields would derive them and change the
        type."""
        return Def, (self.no, self.set_id, self.card)

    def _name(self) -> None:
        card = self.card
        self.kind, self.name = card.kind, card.name
        self.deck = card.deck or deck_of(card.kind)
        self.ident = card.name_key or (card.id if card.kind == "identity" else "")

    def _compile(self) -> None:
        card, compiler = self.card, Compiler()
        self.abilities = (*card.abilities, SACRIFICE) if card.kind == "ally" else card.abilities
        self.powers = tuple(_power(number, ability) for number, ability in enumerate(self.abilities))
        texts = [*(getattr(card, part) for part in PARTS), *(ability.do for ability in self.abilities)]
        self.parts = tuple([compiler.compile(text) for text in texts])
        self.lingers = tuple(compiler.lingers)
        self.linger_types = tuple(_by_type(linger.mods) for linger in self.lingers)
        self.names_this = any(_means_itself(piece) for piece in pieces_within(card))
        self.stays = card.kind == "special" and special_stays(card)

    def _sort_mods(self) -> None:
        card = self.card
        self.by_type = _by_type(card.mods)
        self.strength = tuple(mod for mod in card.mods if isinstance(mod, v.Strength))
        self.flee = tuple(mod for mod in card.mods if isinstance(mod, v.Flee))
        self.foes = card.foes
        self.traits = traits_of(card, self.abilities, self.lingers)

    def _classify(self) -> None:
        card = self.card
        self.slot = card.slot or "none"
        self.hands = {"1-hand": 1, "2-hands": 2}.get(self.slot, 0)
        self.place = "hands" if self.hands else self.slot
        self.is_item = card.kind == "item" and card.value is not None
        self.small = not card.big and self.slot != "vehicle"
        self.small_item = self.is_item and self.small
        self.gear = card.kind == "item" and not card.one_shot
        self.lies_still = card.kind not in ("item", "upgrade")
        self.free = card.only is None and card.unless is None

    def _derive_playing(self) -> None:
        card = self.card
        self.when = default_when(card)
        self.gate = _gate(card, self.when)
        self.target = card.target or DEFAULT_TARGET.get(card.kind, "none")
        self.brings = card.kind == "wandering" or _brings(card.play)
        self.adds = card.kind == "wandering" or _adds(card.play)
        self.gives_level = _gives_level(card.play)
        self.compels = _compels(card.play)
        passes = card.kind in ("curse", "level", "special") or card.one_shot
        self.vain = passes and not (card.mods or self.stays or card.bonus) and _may_be_nothing(card.play)
        self.vain_alone = self.vain and _depends_on_victim(card.play)
        self.vain_alike = self.vain and not (_means_target(card.play) or _asks_unnamed(card.play))
        self.demands = card.if_ is not None or self.gives_level or self.compels
        self.sense = text_sense(card.if_, card.play, "you")
        self.asks_victim = card.if_ is not None and _asks_victim(card.if_)
        tagged = any(isinstance(piece, v.If) and piece.tag is not None for piece in pieces_within(card.if_))
        self.asks_target = tagged or _means_target(card.if_)
        has_special_rules = card.kind in ("monster", "cheat") or card.gives_tag is not None or _brings(card.play)
        self.plain = not has_special_rules and self.target in PLAIN_TARGETS
        self.undoable = _undoable(card)
        big = card.kind == "item" and not self.small and not card.one_shot
        limited = card.kind in ("identity", "double", "ally") or big
        barred = card.one_shot or card.kind == "enhancer" or self.adds
        self.room = "joins" if card.kind == "monster" else "limit" if limited else "combat" if barred else ""

    @property
    def full_id(self) -> str:
        """set:slug, the name of a card everywhere outside a game."""
        return f"{self.set_id}:{self.card.id}"

    def part(self, name: str) -> int:
        """Return the number of a part (one of PARTS); -1 if the card has no such text."""
        at = PARTS.index(name)
        return at if self.parts[at] else -1


class _Unread(Def):
    """A definition whose derived fields are not computed yet. Reading one computes them all and makes the object a
    plain `Def`, because attribute access is slower on a type with a `__getattr__`. Two threads that read at the same
    time compute the same values, and each field is set in one step."""

    __slots__ = ()

    if not TYPE_CHECKING:  # the fields of a definition are all there are

        def __getattr__(self, name: str) -> Any:
            """Compute the derived fields and return the one asked for."""
            if name not in Def.__slots__:
                raise AttributeError(f"a definition has no {name}")
            self._compile()
            self._sort_mods()
            self._derive_playing()
            self.__class__ = Def
            return getattr(self, name)


def special_stays(card: v.Card) -> bool:
    """Return whether a special card stays in play because something on it takes effect there."""
    return any((card.mods, card.abilities, card.turn_start, card.won))


def _means_itself(piece: object) -> bool:
    if isinstance(piece, v.Counter):
        return True
    if isinstance(piece, v.Cards):
        return piece.this is not None
    return counts_counters(piece)


def counts_counters(piece: object) -> bool:
    """Return whether a piece of the language is an amount or a condition about the counters on its card."""
    if isinstance(piece, v.Amount):
        return piece.counters
    return isinstance(piece, v.If) and piece.counters_at_least is not None


def default_when(card: v.Card) -> v.When:
    """Return when a card may be played: as the card says, otherwise as its kind says."""
    return card.when or ("combat" if card.one_shot else DEFAULT_WHEN.get(card.kind, "own-turn"))


def deck_of(kind: str) -> str:
    """Return the deck in which cards of this kind lie unless they say otherwise."""
    if kind == "seal":
        return "seal"
    return "door" if kind in v.DOOR_KINDS else "treasure"


def _gate(card: v.Card, when: v.When) -> str:
    if card.kind == "special" and card.when is None:
        return "special"
    if card.kind in ("identity", "double"):
        return "identity"
    return card.kind if card.kind == "monster" else when


def _power(number: int, ability: v.Ability) -> Power:
    same_for_all_targets = ability.if_ is None or ability.target in ("none", "side")
    gives = _gives_level(ability.do)
    compels = _compels(ability.do)
    uniform = same_for_all_targets and not gives and not compels and ability.per != "victim"
    sure = uniform and ability.target in PLAIN_TARGETS
    sacrifices = any(isinstance(op, v.Sacrifice) for op in ability.do)
    return Power(
        number, ability, sacrifices, brings=_brings(ability.do), adds=_adds(ability.do), gives_level=gives,
        compels=compels, vain=_may_be_nothing(ability.do), sure=sure,
        sense=text_sense(ability.if_, ability.do, "you"),
    )  # fmt: skip


def _undoable(card: v.Card) -> bool:
    """Return whether a card goes into the combat, and does nothing but change strengths or bring a monster."""
    if card.kind in ("monster", "wandering"):
        return True
    strengthens = all(isinstance(op, UNDOABLE) for op in effects_within(card.play))
    if card.kind == "enhancer":
        return strengthens
    goes = card.one_shot or (card.kind == "special" and not special_stays(card))
    return goes and bool(card.play) and strengthens


def _brings(ops: tuple[v.Op, ...]) -> bool:
    """Return whether a text needs a monster from the hand of its player."""
    return any(isinstance(op, v.SwapMonster) or (isinstance(op, v.AddMonster) and op.what == "brought") for op in ops)


def _adds(ops: tuple[v.Op, ...]) -> bool:
    """Return whether a text brings a monster into a fight."""
    return any(isinstance(op, v.AddMonster) for op in effects_within(ops))


def _may_be_nothing(ops: tuple[v.Op, ...]) -> bool:
    """Return whether every effect of a text, at any depth, can have no effect by its verb or has a condition that may
    not hold."""
    return bool(ops) and all(type(op) in MAY_BE_NOTHING or op.if_ is not None for op in effects_within(ops))


def _depends_on_victim(ops: tuple[v.Op, ...]) -> bool:
    """Return whether the victim's Level, cards in play and effects alone decide if a text has no effect."""
    words = {getattr(piece, name) for piece, name in _who_named(ops)}
    return (
        words <= {"victim", None} and not reach_of(ops) and all(type(op) in _JUDGED_ALONE for op in effects_within(ops))
    )


def _means_target(part: object) -> bool:
    """Return whether a part of a card refers to its victim or to the victim's neighbours."""
    return any(getattr(piece, name) in ("victim", "left", "right") for piece, name in _who_named(part))


def _asks_unnamed(ops: tuple[v.Op, ...]) -> bool:
    """Return whether a text has a condition without a who-word; in a text it applies to the victim."""
    asking = [piece for piece in pieces_within(ops) if isinstance(piece, v.If) and piece.who is None]
    return not all(_ABOUT_TABLE.issuperset(piece.words) for piece in asking)


def _who_named(part: object) -> Iterator[tuple[Struct, str]]:
    """Yield the who-words in a part of a card, as (piece, field), except for the player who picks cards and the one who
    gets them: they do not decide whether the text has an effect."""
    for piece in pieces_within(part):
        for name in who_fields(piece):
            if (type(piece), name) not in ((v.Cards, "by"), (v.Take, "to")):
                yield piece, name


def _asks_victim(cond: v.If) -> bool:
    """Return whether the victim's Level, cards in play and effects alone decide a condition. A condition without a
    who-word applies to the player."""
    pieces = list(pieces_within(cond))
    words = {getattr(piece, name) for piece in pieces for name in who_fields(piece)}
    about_victim = all(piece.who == "victim" for piece in pieces if isinstance(piece, v.If) and piece.words)
    return about_victim and words <= {"victim", None} and not reach_of(cond)


def _compels(ops: tuple[v.Op, ...]) -> bool:
    """Return whether a text makes somebody help."""
    return any(isinstance(op, v.Compel) for op in effects_within(ops))


def _gives_level(ops: tuple[v.Op, ...]) -> bool:
    """Return whether a text may give somebody a level, and not only take some (golden.level-nine)."""
    return any(gain.may_raise(op) for op in effects_within(ops) for gain in op.gives_levels)


def _by_type(mods: tuple[v.Mod, ...]) -> dict[type, tuple[v.Mod, ...]]:
    out: dict[type, tuple[v.Mod, ...]] = {}
    for mod in mods:
        out[type(mod)] = (*out.get(type(mod), ()), mod)
    return out
