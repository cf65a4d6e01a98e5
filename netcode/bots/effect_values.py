"""What effects of card text are worth to a bot, in points (points.py): one table by verb.

No card is known by name. The figures are those of an ordinary game.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.language import schema as v
from core.language.tree import child_texts
from netcode.bots.points import (
    AMOUNTS,
    COUNTER,
    DEATH,
    DOOR,
    HALF,
    LEVEL,
    NO_DICE,
    SEAL,
    STRENGTH,
    TREASURE,
    TURN,
    Dice,
    by_dice,
    by_paid,
    chance,
    mod_points,
    number,
)  # fmt: skip
from netcode.bots.tuning import TUNING

_EFFECTS = TUNING.effects
ZONES, PICKS = _EFFECTS.zones, _EFFECTS.picks
"""Points of a card that is lost, by where it lies; and a factor, by how it is picked."""


@dataclass(slots=True)
class EffectSummary:
    """A rough summary of effects: points for seats, strength for the sides of a fight, chances of other events."""

    you: float = 0.0
    """Points for the player of the card."""
    victim: float = 0.0
    """Points for its victim."""
    each: float = 0.0
    """Points for each other seat."""
    helper: float = 0.0
    """Points for the helper of the fight, if above 0."""
    named: float = 0.0
    """Strength for the side that the player names."""
    heroes: float = 0.0
    """Strength for fighter and helper."""
    foes: float = 0.0
    """Strength for the monsters."""
    luck: float = 0.0
    """Strength for fighter and helper that a lucky die adds to what they may expect."""
    per_paid: float = 0.0
    """Strength for each card paid."""
    treasures: float = 0.0
    """Treasures added to the prize."""
    removes: float = 0.0
    """Monsters removed from the fight."""
    kills: float = 0.0
    """Removed monsters that count as killed."""
    undoes: float = 0.0
    """Chance that it undoes the card played last."""
    ends: float = 0.0
    """Chance that it ends the fight."""
    escapes: float = 0.0
    """Chance that the player escapes."""
    compels: float = 0.0
    """Chance that somebody must help."""
    strength_lost: float = 0.0
    """Strength that the victim loses for a while."""
    passes_left: float = 0.0
    """Chance that all hands go to the left."""
    passes_right: float = 0.0
    """Chance that they go to the right."""
    falls: float = 0.0
    """Levels that the player loses."""
    closes: float = 0.0
    """Seals that are closed."""
    cards_lost: list[tuple[v.Cards, float]] = field(default_factory=list)
    """Selectors of cards that the victim loses, with their weight."""
    cards_taken: list[tuple[v.Cards, float, float]] = field(default_factory=list)
    """Selectors of cards that the victim loses to the player, with their weight and the points that they count in an
    ordinary game."""
    given_up: float = 0.0
    """Chance that the card itself is given up."""
    given_up_points: float = 0.0
    """What that costs the player in an ordinary game, which counts in `you`."""
    dice: dict[str, Sequence[int]] = field(default_factory=dict)
    """The possible numbers of the dice rolled so far."""

    def affects_combat(self) -> bool:
        """Return whether these effects can make a difference to a fight."""
        strengths = (self.named, self.heroes, self.foes, self.per_paid, self.removes, self.ends, self.escapes)
        return any(strengths) or bool(self.undoes or self.compels or self.strength_lost or self.cards_lost)

    def add(self, who: str, points: float) -> None:
        """Add points for the seats that a who-word names."""
        if who in ("you", "turn"):
            self.you += points
        elif who in ("victim", "me", "chosen", "highest", "fighter", "side"):
            self.victim += points
        elif who == "helper" and points > 0:
            self.helper += points
        elif who in ("others", "all", "left", "right", "lowest", "helper"):
            self.each += points * (1.0 if who in ("others", "all") else HALF)
            self.you += points if who == "all" else 0.0


def read(
    ops: Iterable[v.Op], into: EffectSummary | None = None, weight: float = 1.0, dice: Dice = NO_DICE
) -> EffectSummary:
    """Summarize these effects, adding to `into` if it is given. weight: the share of them that counts. dice: the known
    dice, including those that these effects roll."""
    out = EffectSummary() if into is None else into
    out.dice.update(dice)
    for op in ops:
        likely = chance(op.if_, out.dice)
        OPS[type(op)](op, out, weight * likely)
        otherwise = child_texts(op).get("else")
        if otherwise:
            read(otherwise, out, weight * _otherwise(op, likely, out.dice))
    return out


def _otherwise(op: v.Op, likely: float, dice: Dice) -> float:
    """Return the chance that the `else` of an effect runs. likely: the chance that its condition holds."""
    if isinstance(op, v.ChooseSeat):
        return likely * _EFFECTS.unlikely
    decided = isinstance(op, v.Branch) and op.if_ is not None and by_dice(op.if_, dice)
    return 1.0 - likely if decided else likely * HALF


def selected(cards: v.Cards) -> float:
    """Return the points that losing these cards costs."""
    count = 1.0 if cards.pick == "all" else number(cards.count)
    return ZONES[cards.zone] * PICKS[cards.pick] * count


def _level(op: v.Level, out: EffectSummary, w: float) -> None:
    by = number(op.by, out.dice)
    out.add(op.who, w * LEVEL * by * (_EFFECTS.may_win if op.may_win and by > 0 else 1.0))
    if by < 0 and op.who in ("victim", "me", "chosen", "highest"):
        out.strength_lost -= w * by
    if by < 0 and op.who in ("you", "turn"):
        out.falls -= w * by


def _set_level(op: v.SetLevel, out: EffectSummary, w: float) -> None:
    out.add(op.who, w * LEVEL * (number(op.to, out.dice) - AMOUNTS["level_of"]))


def _discard(op: v.Discard, out: EffectSummary, w: float) -> None:
    out.add(op.cards.of, -w * selected(op.cards))
    if op.cards.of in ("victim", "me", "chosen", "highest"):
        out.cards_lost.append((op.cards, w))
    if op.cards.this and op.cards.of == "you":
        _give_up(out, w, selected(op.cards))


def _take(op: v.Take, out: EffectSummary, w: float) -> None:
    _discard(v.Discard(cards=op.cards), out, w)
    out.add(op.to, w * selected(op.cards))
    if op.to == "you" and op.cards.of in ("victim", "me", "chosen", "highest"):
        out.cards_taken.append((op.cards, w, selected(op.cards)))


def _give_up(out: EffectSummary, w: float, points: float) -> None:
    """Note that the card itself is given up, which costs its player these points in an ordinary game."""
    out.given_up += w
    out.given_up_points += w * points


def _swap(op: v.Swap, out: EffectSummary, w: float) -> None:
    """The owner of each card gets the other card."""
    gain = _swapped(op.for_) - _swapped(op.cards)
    for cards, points in ((op.cards, gain), (op.for_, -gain)):
        out.add(cards.of, w * points)
        if points < 0 and cards.of in ("victim", "me", "chosen", "highest"):
            out.cards_lost.append((cards, -w * points / selected(cards)))
    if op.cards.of == "you" and op.for_.of in ("victim", "me", "chosen", "highest"):
        out.cards_taken.append((op.for_, w, _swapped(op.for_)))
        if op.cards.this:
            _give_up(out, w, _swapped(op.cards))


def _swapped(cards: v.Cards) -> float:
    """Return the points of the card that is exchanged: low if its owner chooses it, high if somebody else does."""
    chosen_by_other = cards.pick == "choose" and cards.by not in (None, cards.of)
    return ZONES[cards.zone] * PICKS["best" if chosen_by_other else cards.pick]


def _draw(op: v.Draw, out: EffectSummary, w: float) -> None:
    out.add(op.who, w * number(op.count, out.dice) * (TREASURE if op.deck == "treasure" else DOOR))


def _recover(op: v.Recover, out: EffectSummary, w: float) -> None:
    out.add(op.who, w * (_EFFECTS.recover_chosen if op.pick == "choose" else TREASURE))


def _look(op: v.Look, out: EffectSummary, w: float) -> None:
    out.add(op.who, w)


def _peek(op: v.Peek, out: EffectSummary, w: float) -> None:
    card = TREASURE if op.deck == "treasure" else DOOR
    more = number(op.count) - 1.0
    points = {
        "look": _EFFECTS.peek_look, "under": _EFFECTS.peek_under, "discard": _EFFECTS.peek_discard,
        "take": card * (1.0 + _EFFECTS.peek_more * more),
    }  # fmt: skip
    out.add(op.who, w * points[op.may])


def _pass_hands(op: v.PassHands, out: EffectSummary, w: float) -> None:
    """Its value depends on the present hands (Reading.passing_points)."""
    if op.to == "left":
        out.passes_left += w
    else:
        out.passes_right += w


def _branch(op: v.Branch, out: EffectSummary, w: float) -> None:
    read(op.then, out, w)


def _option(op: v.Option, out: EffectSummary, w: float) -> None:
    """The seat that chooses takes what is best for itself."""
    choices = [read(choice.do, dice=out.dice) for choice in op.of]
    mine = op.by in ("you", "turn")
    best = max(choices, key=lambda one: _own_choice(one) if mine else one.victim + one.you * HALF)
    out.you, out.victim, out.each = out.you + w * best.you, out.victim + w * best.victim, out.each + w * best.each
    for name in _SUMS:
        setattr(out, name, getattr(out, name) + w * getattr(best, name))
    out.cards_lost.extend((cards, w * part) for cards, part in best.cards_lost)
    out.cards_taken.extend((cards, w * part, points) for cards, part, points in best.cards_taken)


def _own_choice(one: EffectSummary) -> float:
    return one.you - one.victim + STRENGTH * (one.named + one.heroes - one.foes)


_SUMS = (
    "named", "heroes", "foes", "per_paid", "treasures", "removes", "kills", "undoes", "ends", "escapes",
    "compels", "strength_lost", "passes_left", "passes_right", "falls", "closes", "given_up", "given_up_points",
)  # fmt: skip


def _each(op: v.Each, out: EffectSummary, w: float) -> None:
    inner = read(op.then, dice=out.dice)
    out.add(op.who, w * inner.victim)
    out.you += w * inner.you


def _die(op: v.Die, out: EffectSummary, w: float) -> None:
    """Note what the die may show; a number that is known already stays."""
    out.dice.setdefault(op.save, range(1, op.sides + 1))


def _bonus(op: v.Bonus, out: EffectSummary, w: float) -> None:
    by = w * number(op.by, out.dice)
    if op.side == "named":
        out.named += by
    elif op.side == "heroes":
        out.heroes += by
        out.luck += max(number(op.by, out.dice), 0.0) - by if 0.0 < w < 1.0 else 0.0
    else:
        out.foes += by
    out.per_paid += w * by_paid(op.by)


def _enhance(op: v.Enhance, out: EffectSummary, w: float) -> None:
    out.foes += w * number(op.by, out.dice)
    out.treasures += w * number(op.treasures, out.dice)


def _add_monster(op: v.AddMonster, out: EffectSummary, w: float) -> None:
    if op.what != "brought":
        out.foes += w * _EFFECTS.added_monster


def _remove_monster(op: v.RemoveMonster, out: EffectSummary, w: float) -> None:
    out.removes += w
    out.kills += w if op.how == "killed" else 0.0


def _swap_monster(op: v.SwapMonster, out: EffectSummary, w: float) -> None:
    out.removes += w * HALF


def _undo_played(op: v.UndoPlayed, out: EffectSummary, w: float) -> None:
    out.undoes += w


def _end_combat(op: v.EndCombat, out: EffectSummary, w: float) -> None:
    out.ends += w


def _escape(op: v.Escape, out: EffectSummary, w: float) -> None:
    out.escapes += w


def _sacrifice(op: v.Sacrifice, out: EffectSummary, w: float) -> None:
    """The Ally is lost, and all that it carries."""
    out.escapes += w
    out.you -= w * _EFFECTS.sacrificed


def _compel(op: v.Compel, out: EffectSummary, w: float) -> None:
    out.compels += w


def _expel(op: v.Expel, out: EffectSummary, w: float) -> None:
    out.heroes -= w * _EFFECTS.expelled_helper


def _hand_over(op: v.HandOver, out: EffectSummary, w: float) -> None:
    out.escapes += w * HALF


def _kill(op: v.Kill, out: EffectSummary, w: float) -> None:
    out.add(op.who, -w * DEATH)


def _linger(op: v.Linger, out: EffectSummary, w: float) -> None:
    points = sum(mod_points(mod) for mod in op.mods)
    out.add(op.who, w * points * _EFFECTS.spans[op.until])
    weaker = sum(number(mod.by) for mod in op.mods if isinstance(mod, v.Strength))
    if op.who in ("victim", "me", "chosen", "highest") and op.until not in ("next-turn", "roll"):
        out.strength_lost -= w * min(weaker, 0.0)


def _lift(op: v.Lift, out: EffectSummary, w: float) -> None:
    out.add(op.who, w * _EFFECTS.lifted)


def _swap_identity(op: v.SwapIdentity, out: EffectSummary, w: float) -> None:
    out.add(op.who, -w * _EFFECTS.identity_swapped)


def _open_seal(op: v.OpenSeal, out: EffectSummary, w: float) -> None:
    """Every monster is one stronger from now on; the Seal's own effects harm the opener most."""
    out.add(op.who, -w * SEAL)
    out.foes += w


def _close_seal(op: v.CloseSeal, out: EffectSummary, w: float) -> None:
    """All seats gain equally, so it is best kept for the fight in which it matters."""
    out.you += w * _EFFECTS.seal_closed
    out.foes -= w
    out.closes += w


def _swap_sex(op: v.SwapSex, out: EffectSummary, w: float) -> None:
    out.add(op.who, -w)


def _counter(op: v.Counter, out: EffectSummary, w: float) -> None:
    """More counters on the card, or a price paid with counters."""
    by = number(op.by) if isinstance(op.by, v.Amount) or op.by > 0 else max(float(op.by), -AMOUNTS["counters"])
    out.add("you", w * COUNTER * by)


def _extra_turn(op: v.ExtraTurn, out: EffectSummary, w: float) -> None:
    out.add(op.who, w * TURN)


def _nothing(op: v.Op, out: EffectSummary, w: float) -> None:
    """Effects that only prepare other effects, which are counted on their own."""


OPS: dict[type, Callable[[Any, EffectSummary, float], None]] = {
    v.Level: _level, v.SetLevel: _set_level, v.Discard: _discard, v.Take: _take, v.Swap: _swap, v.Draw: _draw,
    v.Recover: _recover, v.Look: _look, v.Peek: _peek, v.PassHands: _pass_hands, v.ChooseSeat: _nothing,
    v.Branch: _branch, v.Option: _option, v.Each: _each, v.Die: _die,
    v.Bonus: _bonus, v.Enhance: _enhance, v.AddMonster: _add_monster, v.RemoveMonster: _remove_monster,
    v.SwapMonster: _swap_monster, v.EndCombat: _end_combat, v.Escape: _escape, v.Compel: _compel, v.Expel: _expel,
    v.HandOver: _hand_over, v.Kill: _kill, v.Linger: _linger, v.Lift: _lift, v.SwapIdentity: _swap_identity,
    v.OpenSeal: _open_seal, v.CloseSeal: _close_seal, v.SwapSex: _swap_sex, v.Sacrifice: _sacrifice,
    v.Counter: _counter, v.UndoPlayed: _undo_played, v.ExtraTurn: _extra_turn,
}  # fmt: skip
"""Functions by verb that add an effect to a summary; the weight is the share of the effect that counts."""
