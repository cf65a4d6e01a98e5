"""What cards are worth to a bot, in points (a Level is ten): tables worked out once for a catalog from card data.

Nothing here knows a card by its name: figures come from printed numbers and from a rough reading of the effects.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.language import schema as v
from core.language.tree import child_texts

if TYPE_CHECKING:
    from core.language.catalog import Catalog

LEVEL, TREASURE, DOOR, DEATH, SEAL = 10.0, 5.0, 2.5, 40.0, 3.0
HALF = 0.5
"""Weight of what depends on a condition that is not looked into, and of an `else`."""
UNLIKELY = 0.2
"""Weight of the `else` of a choice among seats: there is nearly always somebody."""
ZONES = {"hand": 3.5, "equipped": 9.0, "carried": 4.0, "items": 6.5, "play": 7.0, "identities": 5.0, "curses": -6.0}
PICKS = {"choose": 0.7, "random": 1.0, "best": 1.5, "dearest": 1.3, "all": 3.0}
_PURPOSES = {
    "level": "luck", "special": "luck", "identity": "self", "double": "self", "hireling": "company", "ally": "company",
    "cheat": "company", "upgrade": "company",
}  # fmt: skip
_THROWN = frozenset(
    ("monster", "enhancer", "wandering", "curse", "level", "identity", "hireling", "ally", "cheat")
)  # fmt: skip
KINDS = {"curse": 6.0, "enhancer": 5.0, "wandering": 5.0, "cheat": 5.0, "double": 4.0, "hireling": 8.0, "level": LEVEL}


@dataclass(slots=True)
class Reading:
    """What a text does, roughly: points for its player, its victim and each other seat; strength for both sides."""

    you: float = 0.0
    victim: float = 0.0
    each: float = 0.0
    helper: float = 0.0
    """What it does the helper good."""
    named: float = 0.0
    heroes: float = 0.0
    foes: float = 0.0
    per_paid: float = 0.0
    treasures: float = 0.0
    removes: float = 0.0
    kills: float = 0.0
    ends: float = 0.0
    escapes: float = 0.0
    compels: float = 0.0
    loses: float = 0.0
    """Strength that the victim loses for a while."""
    takes: list[tuple[v.Cards, float]] = field(default_factory=list)
    """Selectors of cards that the victim loses, with their weight."""

    def bears(self) -> bool:
        """Could it make a difference to a fight?"""
        sums = (self.named, self.heroes, self.foes, self.per_paid, self.removes, self.ends, self.escapes)
        return any(sums) or bool(self.compels or self.loses or self.takes)

    def give(self, who: str, points: float) -> None:
        """Book these points for a who-word."""
        if who in ("you", "turn"):
            self.you += points
        elif who in ("victim", "me", "chosen", "highest", "fighter", "side"):
            self.victim += points
        elif who == "helper" and points > 0:
            self.helper += points
        elif who in ("others", "all", "left", "right", "lowest", "helper"):
            self.each += points * (1.0 if who in ("others", "all") else HALF)
            self.you += points if who == "all" else 0.0


def number(amount: int | v.Amount) -> float:
    """What an amount comes to on an ordinary table."""
    if isinstance(amount, int):
        return float(amount)
    counted = float(amount.base)
    for name, points in AMOUNTS.items():
        if getattr(amount, name) not in (None, False):
            counted += 1.0 if amount.saved == "paid" and name == "saved" else points
    counted *= amount.times
    if amount.least is not None:
        counted = max(counted, amount.least)
    return counted if amount.most is None else min(counted, amount.most)


AMOUNTS = {"count": 2.0, "level_of": 5.0, "saved": 3.5, "margin": 3.0, "monsters": 1.0, "seals": 1.0, "having": 1.0}
"""What each thing that an amount can count comes to on an ordinary table."""


def by_paid(amount: int | v.Amount) -> float:
    """The part of an amount that grows with each card paid."""
    return float(amount.times) if isinstance(amount, v.Amount) and amount.saved == "paid" else 0.0


def read(ops: Iterable[v.Op], into: Reading | None = None, weight: float = 1.0) -> Reading:
    """Sum up what these instructions do."""
    out = Reading() if into is None else into
    for op in ops:
        share = weight * (HALF if op.if_ is not None else 1.0)
        OPS[type(op)](op, out, share)
        otherwise = child_texts(op).get("else")
        if otherwise:
            read(otherwise, out, share * (UNLIKELY if isinstance(op, v.ChooseSeat) else HALF))
    return out


def selected(cards: v.Cards) -> float:
    """Points that the loss of these cards costs."""
    count = 1.0 if cards.pick == "all" else number(cards.count)
    return ZONES[cards.zone] * PICKS[cards.pick] * count


def _level(op: v.Level, out: Reading, w: float) -> None:
    by = number(op.by)
    out.give(op.who, w * LEVEL * by * (5.0 if op.may_win and by > 0 else 1.0))
    if by < 0 and op.who in ("victim", "me", "chosen", "highest"):
        out.loses -= w * by


def _set_level(op: v.SetLevel, out: Reading, w: float) -> None:
    out.give(op.who, w * LEVEL * (number(op.to) - 5.0))


def _discard(op: v.Discard, out: Reading, w: float) -> None:
    out.give(op.cards.of, -w * selected(op.cards))
    if op.cards.of in ("victim", "me", "chosen", "highest"):
        out.takes.append((op.cards, w))


def _take(op: v.Take, out: Reading, w: float) -> None:
    _discard(v.Discard(cards=op.cards), out, w)
    out.give(op.to, w * selected(op.cards))


def _draw(op: v.Draw, out: Reading, w: float) -> None:
    out.give(op.who, w * number(op.count) * (TREASURE if op.deck == "treasure" else DOOR))


def _recover(op: v.Recover, out: Reading, w: float) -> None:
    out.give(op.who, w * (8.0 if op.pick == "choose" else TREASURE))


def _look(op: v.Look, out: Reading, w: float) -> None:
    out.give(op.who, w)


def _branch(op: v.Branch, out: Reading, w: float) -> None:
    read(op.then, out, w)


def _option(op: v.Option, out: Reading, w: float) -> None:
    """Whoever chooses takes what is best for itself."""
    readings = [read(choice.do) for choice in op.of]
    mine = op.by in ("you", "turn")
    best = max(readings, key=lambda r: r.you - r.victim if mine else r.victim + r.you * HALF)
    out.you, out.victim, out.each = out.you + w * best.you, out.victim + w * best.victim, out.each + w * best.each
    for name in _SUMS:
        setattr(out, name, getattr(out, name) + w * getattr(best, name))
    out.takes.extend((cards, w * part) for cards, part in best.takes)


_SUMS = ("named", "heroes", "foes", "per_paid", "treasures", "removes", "kills", "ends", "escapes", "compels", "loses")


def _each(op: v.Each, out: Reading, w: float) -> None:
    inner = read(op.then)
    out.give(op.who, w * inner.victim)
    out.you += w * inner.you


def _bonus(op: v.Bonus, out: Reading, w: float) -> None:
    by = w * number(op.by)
    if op.side == "named":
        out.named += by
    elif op.side == "heroes":
        out.heroes += by
    else:
        out.foes += by
    out.per_paid += w * by_paid(op.by)


def _enhance(op: v.Enhance, out: Reading, w: float) -> None:
    out.foes += w * number(op.by)
    out.treasures += w * number(op.treasures)


def _add_monster(op: v.AddMonster, out: Reading, w: float) -> None:
    if op.what != "brought":
        out.foes += w * 5.0


def _remove_monster(op: v.RemoveMonster, out: Reading, w: float) -> None:
    out.removes += w
    out.kills += w if op.how == "killed" else 0.0


def _swap_monster(op: v.SwapMonster, out: Reading, w: float) -> None:
    out.removes += w * HALF


def _end_combat(op: v.EndCombat, out: Reading, w: float) -> None:
    out.ends += w


def _escape(op: v.Escape | v.Sacrifice, out: Reading, w: float) -> None:
    out.escapes += w


def _compel(op: v.Compel, out: Reading, w: float) -> None:
    out.compels += w


def _expel(op: v.Expel, out: Reading, w: float) -> None:
    out.heroes -= w * 6.0


def _hand_over(op: v.HandOver, out: Reading, w: float) -> None:
    out.escapes += w * HALF


def _kill(op: v.Kill, out: Reading, w: float) -> None:
    out.give(op.who, -w * DEATH)


def _linger(op: v.Linger, out: Reading, w: float) -> None:
    worth = sum(mod_worth(mod) for mod in op.mods)
    span = {"forever": 1.0, "level": 0.8, "next-combat": 0.6, "combat": 0.6, "turn": 0.5, "next-turn": 0.5, "roll": 0.5}
    out.give(op.who, w * worth * span[op.until])
    weaker = sum(number(mod.by) for mod in op.mods if isinstance(mod, v.Strength))
    if op.who in ("victim", "me", "chosen", "highest") and op.until not in ("next-turn", "roll"):
        out.loses -= w * min(weaker, 0.0)


def _lift(op: v.Lift, out: Reading, w: float) -> None:
    out.give(op.who, w * 6.0)


def _swap_identity(op: v.SwapIdentity, out: Reading, w: float) -> None:
    out.give(op.who, -w * 3.0)


def _open_seal(op: v.OpenSeal, out: Reading, w: float) -> None:
    """Every monster is one stronger for all that follows; what the Seal itself does strikes the opener most."""
    out.give(op.who, -w * SEAL)
    out.foes += w


def _close_seal(op: v.CloseSeal, out: Reading, w: float) -> None:
    """Everybody's gain alike, so best kept for the fight in which it counts."""
    out.you += w * 0.6
    out.foes -= w


def _swap_sex(op: v.SwapSex, out: Reading, w: float) -> None:
    out.give(op.who, -w)


def _nothing(op: v.Op, out: Reading, w: float) -> None:
    """What only prepares other effects: they are read by themselves."""


OPS: dict[type, Callable[[Any, Reading, float], None]] = {
    v.Level: _level, v.SetLevel: _set_level, v.Discard: _discard, v.Take: _take, v.Draw: _draw, v.Recover: _recover,
    v.Look: _look, v.ChooseSeat: _nothing, v.Branch: _branch, v.Option: _option, v.Each: _each, v.Die: _nothing,
    v.Bonus: _bonus, v.Enhance: _enhance, v.AddMonster: _add_monster, v.RemoveMonster: _remove_monster,
    v.SwapMonster: _swap_monster, v.EndCombat: _end_combat, v.Escape: _escape, v.Compel: _compel, v.Expel: _expel,
    v.HandOver: _hand_over, v.Kill: _kill, v.Linger: _linger, v.Lift: _lift, v.SwapIdentity: _swap_identity,
    v.OpenSeal: _open_seal, v.CloseSeal: _close_seal, v.SwapSex: _swap_sex, v.Sacrifice: _escape,
}  # fmt: skip
"""What each verb does, summed up in a Reading; the weight is the part of it that counts."""


def mod_worth(mod: v.Mod) -> float:
    """Points for a standing modifier to have (below 0: a nuisance)."""
    share = HALF if mod.if_ is not None else 1.0
    points: float = MODS[type(mod)](mod)
    return share * points


MODS: dict[type, Callable[[Any], float]] = {
    v.Strength: lambda mod: 2.2 * number(mod.by),
    v.Flee: lambda mod: 2.0 * number(mod.by),
    v.PayRoll: lambda mod: 3.0,
    v.WinsTies: lambda mod: 4.0,
    v.Forbid: lambda mod: -6.0,
    v.Ignore: lambda mod: -6.0,
    v.Spares: lambda mod: 0.0,
    v.Capacity: lambda mod: 5.0 * mod.by,
    v.Reward: lambda mod: LEVEL * mod.levels + TREASURE * mod.treasures,
    v.HelperLevels: lambda mod: 8.0,
    v.SellDouble: lambda mod: 6.0,
    v.Shield: lambda mod: 8.0,
    v.ExtraCards: lambda mod: 5.0,
    v.TopDiscard: lambda mod: 4.0,
    v.TwoHanded: lambda mod: 4.0,
    v.SealDraw: lambda mod: 4.0,
    v.SpareDeath: lambda mod: 8.0,
    v.LootFight: lambda mod: 3.0,
    v.RollIs: lambda mod: 2.0 * (mod.value - 3.5),
}
"""Points of each modifier for its owner, if it always holds."""


def matches(cards: v.Cards, card: v.Card) -> bool:
    """Whether a card in play is of the kind that a selector names."""
    if cards.zone == "identities" and card.identity is None:
        return False
    if cards.zone in ("equipped", "items", "carried") and card.kind != "item":
        return False
    return (
        (cards.slot is None or card.slot == cards.slot)
        and (cards.big is None or card.big == cards.big)
        and (cards.identity is None or card.identity == cards.identity)
        and (cards.worth is None or (card.value or 0) >= cards.worth)
    )


@dataclass(slots=True)
class Value:
    """One definition as a bot sees it. power: strength while equipped or owned; keep: points of having it in hand;
    bad: points its Bad Stuff costs; text: what playing it does; uses: what each of its abilities does; strengths: what
    it adds to its bonus, and on what condition; helps: the levels it brings a helper; names: what its owner is by it;
    purpose: for what it is played outside combat; thrown: whether to play it could make a difference to a fight;
    bearing: the same of each of its abilities; room: for how many more cards in hand it makes room."""

    card: v.Card
    power: float = 0.0
    worn: float = 0.0
    keep: float = 0.0
    bad: float = 0.0
    deadly: bool = False
    text: Reading = field(default_factory=Reading)
    uses: list[Reading] = field(default_factory=list)
    gold: int = 0
    strengths: list[tuple[float, v.If | None]] = field(default_factory=list)
    helps: list[v.HelperLevels] = field(default_factory=list)
    names: tuple[str, ...] = ()
    purpose: str = ""
    thrown: bool = True
    bearing: list[bool] = field(default_factory=list)
    room: int = 0


def _value(card: v.Card) -> Value:
    out = Value(card, gold=card.value or 0)
    out.text = read(card.play)
    out.uses = [read(ability.do) for ability in card.abilities]
    out.strengths = [(number(mod.by), mod.if_) for mod in card.mods if isinstance(mod, v.Strength)]
    out.helps = [mod for mod in card.mods if isinstance(mod, v.HelperLevels)]
    out.power = card.bonus + sum(by * (HALF if cond is not None else 1.0) for by, cond in out.strengths)
    out.worn = 2.2 * card.bonus + sum(mod_worth(mod) for mod in card.mods) + 4.0 * len(card.abilities)
    if card.kind == "monster":
        out.bad = max(0.0, -read(card.bad).victim)
        out.deadly = any(isinstance(op, v.Kill) for op in card.bad)
    out.keep = _keep(out)
    if card.identity is not None:
        out.names = (card.id,) if card.name_key is None else (card.id, card.name_key)
    out.purpose = _PURPOSES.get(card.kind, card.kind)
    bonus = card.one_shot and card.bonus != 0
    out.thrown = card.kind in _THROWN or (card.kind in ("item", "special") and (bonus or out.text.bears()))
    out.room = sum(mod.by for mod in card.mods if isinstance(mod, v.Capacity) and mod.what == "hand")
    out.bearing = [bonus or text.bears() for text in out.uses]
    return out


def _keep(value: Value) -> float:
    card = value.card
    gold = value.gold / 100.0
    if card.kind == "item":
        return gold * 0.5 + (_thrown(value) if card.one_shot else max(value.worn, 0.0) * 0.8)
    if card.kind == "monster":
        return 2.0 + card.treasures + (1.0 if (card.level or 1) <= 6 else 0.0)
    if card.kind == "identity":
        return 2.0 + max(value.worn, 0.0) * 0.2
    if card.kind == "upgrade":
        return gold * 0.5 + max(value.worn, 0.0) * 0.8
    if card.kind == "special":
        return 3.0 + max(value.text.you, 0.0) * 0.6 + 3.0 * value.text.removes + 4.0 * value.text.escapes
    return KINDS.get(card.kind, 3.0) + gold * 0.3


def _thrown(value: Value) -> float:
    """Points of a one-shot: strength for either side, a monster gone, a sure escape."""
    text = value.text
    strength = abs(text.named) + abs(text.heroes) + abs(text.foes) + abs(value.card.bonus)
    escapes = min(1.0, text.escapes + text.ends)
    return 1.5 + 1.2 * strength + 6.0 * text.removes + 4.0 * escapes + 0.5 * max(0.0, text.you)


class Worth:
    """The values of all definitions of a catalog, by number."""

    def __init__(self, catalog: "Catalog") -> None:
        self.of = [_value(entry.card) for entry in catalog.cards]
        self.limits = {kind.id: kind.limit for pack in catalog.packs for kind in pack.identities}
        self.copies = [entry.card.copies for entry in catalog.cards]
