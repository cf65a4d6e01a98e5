"""What cards are worth to a bot, in points (a Level is ten): computed once for a catalog.

No card is known by name: values come from printed numbers and from summaries of the effects (effect_values).
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from core.language import schema as v
from core.language.catalog import Catalog
from core.language.definition import SACRIFICE, counts_counters
from core.language.dependencies import reach_of
from core.language.table_parts import HANDS, SEATS
from core.language.tree import walk
from netcode.bots.effect_values import EffectSummary, read
from netcode.bots.points import HALF, STRENGTH, mod_points, number, with_counters
from netcode.bots.tuning import TUNING

if TYPE_CHECKING:
    from core.queries.carried import CarriedReads  # like known_catalog

PURPOSES = {
    "level": "benefit", "special": "benefit", "identity": "identity", "double": "identity", "hireling": "companion",
    "ally": "companion", "cheat": "companion", "upgrade": "companion",
}  # fmt: skip
"""The purpose for which a kind of card is played outside combat, where the kind alone does not say it."""
_COMBAT_KINDS = frozenset(
    ("monster", "enhancer", "wandering", "curse", "level", "identity", "hireling", "ally", "cheat")
)  # fmt: skip
_HAND = TUNING.hand


@dataclass(slots=True)
class CardValue:
    """What one definition is worth to a bot.

    strength: while equipped or in play · equip_points: points of that, and of its gain after a won fight · is_plain: no
    modifier changes its strength · counted: its modifiers of strength that depend on its counters · counts_counters:
    whether any part of it depends on its counters · by_counters: effects of abilities, by their number and its counters
    · keep_points: points of having it in hand · bad_stuff_points: points that its Bad Stuff costs · effects: of playing
    it · ability_effects: of each ability · strength_mods: its modifiers of strength, with their conditions ·
    helper_levels: the levels its owner gains for helping · identities: the identities it gives its owner · purpose: why
    it is played outside combat · affects_combat: playing it can make a difference to a fight · ability_affects_combat:
    the same for each ability · hand_room: more cards that its owner may have in hand · as_printed: played into a fight,
    it only adds the strength that is printed on it · abilities_as_printed: the same for each ability, for the cards
    paid · harm: strength by which it turns the totals against the heroes, as printed, if it is played from hand."""

    card: v.Card
    strength: float = 0.0
    equip_points: float = 0.0
    keep_points: float = 0.0
    bad_stuff_points: float = 0.0
    deadly: bool = False
    effects: EffectSummary = field(default_factory=EffectSummary)
    ability_effects: list[EffectSummary] = field(default_factory=list)
    gold: int = 0
    strength_mods: list[tuple[float, v.If | None]] = field(default_factory=list)
    helper_levels: list[v.HelperLevels] = field(default_factory=list)
    identities: tuple[str, ...] = ()
    purpose: str = ""
    affects_combat: bool = True
    ability_affects_combat: list[bool] = field(default_factory=list)
    hand_room: int = 0
    is_plain: bool = True
    counts_counters: bool = False
    counted: list[v.Strength] = field(default_factory=list)
    by_counters: dict[tuple[int, int], EffectSummary] = field(default_factory=dict)
    as_printed: bool = False
    abilities_as_printed: list[bool] = field(default_factory=list)
    harm: float = 0.0

    def ability(self, number: int, counters: int) -> EffectSummary:
        """Return what the ability with this number does while the card has this many counters."""
        if not self.counts_counters or number >= len(self.card.abilities):
            return self.ability_effects[number]
        found = self.by_counters.get((number, counters))
        if found is None:
            found = read(with_counters(self.card.abilities[number].do, counters))
            self.by_counters[number, counters] = found
        return found


def value_of(card: v.Card) -> CardValue:
    """Return the values of a card, computed from its printed data."""
    value = CardValue(card, gold=card.value or 0)
    value.effects = read(card.play)
    abilities = (*card.abilities, SACRIFICE) if card.kind == "ally" else card.abilities
    value.ability_effects = [read(ability.do) for ability in abilities]
    strength = [mod for mod in card.mods if isinstance(mod, v.Strength)]
    value.is_plain = not strength
    value.counts_counters = any(counts_counters(piece) for _, piece in walk(card))
    value.counted = [mod for mod in strength if any(counts_counters(piece) for _, piece in walk(mod))]
    value.strength_mods = [(number(mod.by), mod.if_) for mod in strength if mod not in value.counted]
    value.helper_levels = [mod for mod in card.mods if isinstance(mod, v.HelperLevels)]
    value.strength = card.bonus + sum(number(mod.by) * (HALF if mod.if_ is not None else 1.0) for mod in strength)
    value.equip_points = STRENGTH * card.bonus + sum(mod_points(mod) for mod in card.mods)
    value.equip_points += _HAND.ability * len(card.abilities)
    won = read(card.won)
    value.equip_points += HALF * (won.you + won.victim)
    if card.kind == "monster":
        value.bad_stuff_points = max(0.0, -read(card.bad).victim)
        value.deadly = any(isinstance(op, v.Kill) for op in card.bad)
    value.keep_points = _keep_points(value)
    if card.identity is not None:
        value.identities = (card.id,) if card.name_key is None else (card.id, card.name_key)
    value.purpose = PURPOSES.get(card.kind, card.kind)
    bonus = card.one_shot and card.bonus != 0
    value.affects_combat = card.kind in _COMBAT_KINDS or (
        card.kind in ("item", "special") and (bonus or value.effects.affects_combat())
    )  # fmt: skip
    value.hand_room = sum(mod.by for mod in card.mods if isinstance(mod, v.Capacity) and mod.what == "hand")
    value.as_printed = not card.mods and _only_strengthens(card)
    value.abilities_as_printed = [_only_adds(ability.do, for_paid=True) for ability in abilities]
    value.ability_affects_combat = [bonus or effects.affects_combat() for effects in value.ability_effects]
    value.harm = _harm(value)
    return value


def _harm(value: CardValue) -> float:
    effects, kind = value.effects, value.card.kind
    if kind == "enhancer":
        return value.strength + effects.foes
    if kind == "curse":
        return effects.strength_lost + effects.foes
    if kind == "wandering":
        return TUNING.combat.partner
    if kind not in ("item", "special"):
        return 0.0
    one_sided = effects.named + (value.card.bonus if value.card.one_shot else 0)
    return max(0.0, one_sided + effects.foes - effects.heroes)


def _only_strengthens(card: v.Card) -> bool:
    """Return whether the text of a one-shot or enhancer only adds a printed number."""
    if card.kind == "enhancer":
        return not card.play and card.gives_tag is None and not card.partner
    return card.one_shot and _only_adds(card.play)


def _only_adds(text: tuple[v.Op, ...], for_paid: bool = False) -> bool:
    """Return whether a text only adds a printed number to a side. for_paid: also accept a number for each card paid."""
    if len(text) != 1 or not isinstance(text[0], v.Bonus):
        return False
    bonus, by = text[0], text[0].by
    paid = for_paid and isinstance(by, v.Amount) and by == v.Amount(saved="paid", times=by.times)
    return bonus.side in ("named", "heroes") and bonus.if_ is None and (paid or isinstance(by, int))


def _keep_points(value: CardValue) -> float:
    card = value.card
    gold = value.gold / 100
    if card.kind == "item":
        used = _one_shot_points(value) if card.one_shot else max(value.equip_points, 0.0) * _HAND.use
        return gold * _HAND.hundred_gold + used
    if card.kind == "monster":
        small = (card.level or 1) <= _HAND.small_level
        return _HAND.monster + card.treasures + (_HAND.small_monster if small else 0.0)
    if card.kind == "identity":
        return _HAND.identity + max(value.equip_points, 0.0) * _HAND.identity_use
    if card.kind == "upgrade":
        return gold * _HAND.hundred_gold + max(value.equip_points, 0.0) * _HAND.use
    if card.kind == "special":
        effects = value.effects
        good = _HAND.special + max(effects.you, 0.0) * _HAND.special_good
        return good + _HAND.special_removes * effects.removes + _HAND.special_escapes * effects.escapes
    return _HAND.kinds.get(card.kind, _HAND.other) + gold * _HAND.other_hundred_gold


def _one_shot_points(value: CardValue) -> float:
    """Return the points of a one-shot: strength for either side, a monster removed, a sure escape."""
    effects = value.effects
    strength = abs(effects.named) + abs(effects.heroes) + abs(effects.foes) + abs(value.card.bonus)
    escapes = min(1.0, effects.escapes + effects.ends)
    points = _HAND.one_shot + _HAND.one_shot_strength * strength
    points += _HAND.one_shot_removes * (effects.removes + effects.undoes)
    return points + _HAND.one_shot_escapes * escapes + _HAND.one_shot_good * max(0.0, effects.you)


class CardValues:
    """The values of a catalog's definitions by number (`of`)."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.of = [value_of(entry.card) for entry in catalog.cards]

    @cached_property
    def known(self) -> Catalog | None:
        """The catalog for trials, whose unseen cards cannot be read; None if it has no room for them."""
        from core.knowledge.known import known_catalog  # loads the rules: single cards need none

        return known_catalog(self.catalog)

    @cached_property
    def meddling(self) -> frozenset[int]:
        """The definitions that may change the effect of a card that only adds its printed number to a fight: their
        modifiers ignore bonuses, or depend on hands or on cards in front of other seats."""
        found = set()
        for entry in self.catalog.cards:
            mods = [*entry.card.mods, *entry.foes, *(mod for linger in entry.lingers for mod in linger.mods)]
            if reach_of(mods) & (SEATS | HANDS) or any(isinstance(mod, v.Ignore) and _of_bonuses(mod) for mod in mods):
                found.add(entry.no)
        return frozenset(found)

    @cached_property
    def harms(self) -> list[float]:
        """The harm of each card of the decks that hands are drawn from, copies included; the least first."""
        cards = (*self.catalog.pile("door"), *self.catalog.pile("treasure"))
        return sorted(self.of[number].harm for number in cards)

    @cached_property
    def carried(self) -> "CarriedReads":
        """Seat reads of trials. Players that share these values share the reads too, because all of them are public."""
        from core.queries.carried import CarriedReads  # like known_catalog

        return CarriedReads()

    @cached_property
    def win_blockers(self) -> frozenset[int]:
        """The definitions whose cards can stop a winner, one card alone."""
        from netcode.bots.win_blockers import win_blockers  # like known_catalog

        return win_blockers(self.catalog)


def _of_bonuses(mod: v.Ignore) -> bool:
    """Return whether a modifier may ignore a bonus that a card adds when it is played."""
    return mod.what in ("bonuses", "one-shots") or mod.tag is not None


def matches(cards: v.Cards, card: v.Card, gold: int) -> bool:
    """Return whether a selector could select a card in play, by its printed data and what it is worth in Gold Pieces
    (gold)."""
    if cards.zone == "identities" and card.identity is None:
        return False
    if cards.zone in ("equipped", "items", "carried") and card.kind != "item":
        return False
    return (
        not cards.this
        and (cards.slot is None or card.slot == cards.slot)
        and (cards.big is None or card.big == cards.big)
        and (cards.identity is None or card.identity == cards.identity)
        and (cards.worth is None or gold >= cards.worth)
    )
