"""What cards are worth to a bot, in points (a Level is ten): computed once for a catalog.

No card is known by name: values come from printed numbers and from summaries of the effects (effect_values).
"""

from dataclasses import dataclass, field
from functools import cached_property

from core.known import known_catalog
from core.language import schema as v
from core.language.catalog import Catalog
from core.language.definition import counts_counters
from core.language.tree import walk
from netcode.bots.effect_values import EffectSummary, read
from netcode.bots.points import HALF, LEVEL, mod_points, number, with_counters
from netcode.bots.stoppers import stoppers

PURPOSES = {
    "level": "benefit", "special": "benefit", "identity": "identity", "double": "identity", "hireling": "companion",
    "ally": "companion", "cheat": "companion", "upgrade": "companion",
}  # fmt: skip
"""Why a kind of card is played outside combat, if not for what its kind says."""
_COMBAT_KINDS = frozenset(
    ("monster", "enhancer", "wandering", "curse", "level", "identity", "hireling", "ally", "cheat")
)  # fmt: skip
KIND_POINTS = {
    "curse": 6.0, "enhancer": 5.0, "wandering": 5.0, "cheat": 5.0, "double": 4.0, "hireling": 8.0, "level": LEVEL,
}  # fmt: skip
"""Points of having a card of this kind in hand."""


@dataclass(slots=True)
class CardValue:
    """What one definition is worth to a bot.

    strength: while equipped or in play · equip_points: points of that, and of what it brings after a won fight ·
    counted: its modifiers of strength that depend on its counters · counts_counters: anything of it does ·
    by_counters: of abilities, by their number and its counters · keep_points: points of having it in hand ·
    bad_stuff_points: points that its Bad Stuff costs · effects: of playing it · ability_effects: of each ability ·
    strength_mods: what it adds to its bonus, and on what condition · helper_levels: what its owner gains for helping ·
    identities: what its owner is by it · purpose: why it is played outside combat · affects_combat: playing it can
    make a difference to a fight · ability_affects_combat: the same for each ability · hand_room: more cards that
    its owner may have in hand."""

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
    counts_counters: bool = False
    counted: list[v.Strength] = field(default_factory=list)
    by_counters: dict[tuple[int, int], EffectSummary] = field(default_factory=dict)

    def ability(self, number: int, counters: int) -> EffectSummary:
        """Return what an ability does, by its number, with so many counters on the card."""
        if not self.counts_counters:
            return self.ability_effects[number]
        found = self.by_counters.get((number, counters))
        if found is None:
            found = read(with_counters(self.card.abilities[number].do, counters))
            self.by_counters[number, counters] = found
        return found


def value_of(card: v.Card) -> CardValue:
    """Return what a card is worth, from what is printed on it."""
    value = CardValue(card, gold=card.value or 0)
    value.effects = read(card.play)
    value.ability_effects = [read(ability.do) for ability in card.abilities]
    strength = [mod for mod in card.mods if isinstance(mod, v.Strength)]
    value.counts_counters = any(counts_counters(piece) for _, piece in walk(card))
    value.counted = [mod for mod in strength if any(counts_counters(piece) for _, piece in walk(mod))]
    value.strength_mods = [(number(mod.by), mod.if_) for mod in strength if mod not in value.counted]
    value.helper_levels = [mod for mod in card.mods if isinstance(mod, v.HelperLevels)]
    value.strength = card.bonus + sum(number(mod.by) * (HALF if mod.if_ is not None else 1.0) for mod in strength)
    value.equip_points = 2.2 * card.bonus + sum(mod_points(mod) for mod in card.mods) + 4.0 * len(card.abilities)
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
    value.ability_affects_combat = [bonus or effects.affects_combat() for effects in value.ability_effects]
    return value


def _keep_points(value: CardValue) -> float:
    card = value.card
    gold = value.gold / 100.0
    if card.kind == "item":
        return gold * 0.5 + (_one_shot_points(value) if card.one_shot else max(value.equip_points, 0.0) * 0.8)
    if card.kind == "monster":
        return 2.0 + card.treasures + (1.0 if (card.level or 1) <= 6 else 0.0)
    if card.kind == "identity":
        return 2.0 + max(value.equip_points, 0.0) * 0.2
    if card.kind == "upgrade":
        return gold * 0.5 + max(value.equip_points, 0.0) * 0.8
    if card.kind == "special":
        effects = value.effects
        return 3.0 + max(effects.you, 0.0) * 0.6 + 3.0 * effects.removes + 4.0 * effects.escapes
    return KIND_POINTS.get(card.kind, 3.0) + gold * 0.3


def _one_shot_points(value: CardValue) -> float:
    """Return the points of a one-shot: strength for either side, a monster removed, a sure escape."""
    effects = value.effects
    strength = abs(effects.named) + abs(effects.heroes) + abs(effects.foes) + abs(value.card.bonus)
    escapes = min(1.0, effects.escapes + effects.ends)
    return 1.5 + 1.2 * strength + 6.0 * (effects.removes + effects.undoes) + 4.0 * escapes + 0.5 * max(0.0, effects.you)


class CardValues:
    """The values of a catalog's definitions by number (`of`)."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.of = [value_of(entry.card) for entry in catalog.cards]

    @cached_property
    def known(self) -> Catalog | None:
        """The catalog in which unseen cards cannot be read, for trials; None if there is no room for them."""
        return known_catalog(self.catalog)

    @cached_property
    def stoppers(self) -> frozenset[int]:
        """The definitions of which one card can stop a winner."""
        return stoppers(self.catalog)


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
