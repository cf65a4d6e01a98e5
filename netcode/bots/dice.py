"""What the number of a die is worth to a bot, before it decides on another roll."""

from collections.abc import Sequence

from core.language import schema as v
from core.language.compiler import PARTS
from core.language.tree import Effects, effects_within
from core.state.views import ThrowView
from netcode.bots.effect_values import EffectSummary, read
from netcode.bots.reading import Reading
from netcode.bots.tuning import TUNING


def throw_points(obs: Reading, throw: ThrowView, shown: Sequence[int]) -> float:
    """Return the points for me of a die that shows one of these numbers with equal chances."""
    if throw.defn < 0:
        return _run_points(obs, throw, shown)
    text = _text(obs, throw)
    each = _rolled_by_each(text, throw.save)
    effects = read(text if each is None else each, dice={throw.save: shown})
    points = _fight_points(obs, effects, throw)
    if each is not None:  # this number is the seat's own: the others roll for themselves
        return points + _share(obs, throw.seat) * effects.victim + _share(obs, throw.you) * effects.you
    for seat in obs.view.seats:
        if not seat.dead:
            points += _share(obs, seat.seat) * _points(obs, effects, text, throw, seat.seat)
    return points


def _share(obs: Reading, seat: int) -> float:
    """Return how much a point of this seat counts for me: less than 0 for a rival."""
    return 1.0 if seat == obs.me else -obs.rival_weight(seat)


def _run_points(obs: Reading, throw: ThrowView, shown: Sequence[int]) -> float:
    """Return the points of a roll to run away: the harm done to a runner who is caught."""
    monsters = obs.fight.monsters if obs.fight is not None else []
    monster = next((one for one in monsters if one.id == throw.monster), None)
    if monster is None:
        return 0.0
    added = throw.total - throw.number
    caught = sum(number + added < throw.need for number in shown) / len(shown)
    return _share(obs, throw.seat) * -caught * obs.caught_points(monster, throw.seat)


def _text(obs: Reading, throw: ThrowView) -> Effects:
    """Return the text that rolled the die."""
    card = obs.values.of[throw.defn].card
    if throw.part < len(PARTS):
        text: Effects = getattr(card, PARTS[throw.part])
        return text
    number = throw.part - len(PARTS)
    return card.abilities[number].do if number < len(card.abilities) else ()


def _rolled_by_each(text: Effects, save: str) -> Effects | None:
    """If several seats roll this die, each for itself, return the effects that use it; None for other dice."""
    for op in effects_within(text):
        if isinstance(op, v.Each) and any(isinstance(part, v.Die) and part.save == save for part in op.then):
            return op.then
    return None


def _points(obs: Reading, effects: EffectSummary, text: Effects, throw: ThrowView, seat: int) -> float:
    """Return the points that a text brings one seat. An effect on a seat chosen by its player counts as an effect on a
    rival of that player."""
    points = effects.you if seat == throw.you else effects.each
    chosen = any(isinstance(op, v.ChooseSeat) for op in effects_within(text))
    if chosen:
        rival = obs.leader if throw.you == obs.me else obs.me
        return points + (effects.victim if seat == rival else 0.0)
    return points + (effects.victim if seat == throw.victim else 0.0)


def _fight_points(obs: Reading, effects: EffectSummary, throw: ThrowView) -> float:
    """Return the points of the strength that a text gives to the sides of an undecided fight."""
    fight = obs.fight
    if fight is None or fight.stage != "fight":
        return 0.0
    heroes = effects.heroes - effects.foes + (effects.named if throw.you in (fight.seat, fight.helper) else 0.0)
    return TUNING.answers.throw_strength * heroes * (1.0 if obs.fighting else -obs.rival_weight(fight.seat))
