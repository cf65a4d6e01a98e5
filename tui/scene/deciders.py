"""Who or what decides what comes of an option: dice, a card that is drawn, a card at random, or a player. Pure."""

import re

from core.language.schema import AddMonster, ChooseSeat, Die, Discard, Draw, Op, Option, Recover, Swap, Take
from core.language.tree import Effects, effects_within, who_fields
from core.state import actions as a
from core.state.actions import Action
from core.state.model import Ask
from tui.scene.scene import FIRST_CARD, Scene


def luck_words(scene: Scene, action: Action) -> tuple[str, ...]:
    """Return what decides what comes of an action, the longest words first; () if its text does not tell."""
    for text in _texts(scene, action):
        effects = list(effects_within(text))
        dice = sum(isinstance(op, Die) for op in text) or any(isinstance(op, Die) for op in effects)
        if dice > 1:
            return f"{dice} dice decide", f"{dice} dice"
        if dice:
            return *_on_number(scene, action), "a die decides", "a die"
        if any(isinstance(op, Draw) or (isinstance(op, AddMonster) and op.what == "deck") for op in effects):
            return "the next card drawn decides", "the draw decides", "the draw"
        if any(isinstance(op, Discard | Take | Swap) and op.cards.pick == "random" for op in effects):
            return "a card at random decides", "a random card"
    return ()


def _on_number(scene: Scene, action: Action) -> tuple[str, ...]:
    """Return what a number of the die brings, in the words of the card that is played: the whole sentence, and its
    beginning; () if the card does not begin so."""
    found = _ON.search(scene.card(action.card).text) if isinstance(action, a.Play) else None
    if found is None:
        return ()
    number, does, more = found.groups()
    brief = f"a die: on {number} {does}"
    return (f"{brief}{more}", f"{brief}{scene.glyphs.mark}") if more else (brief,)


_ON = re.compile(r"\b[Oo]n (\d+ or (?:more|less)),? ([^.,;:]+)([^.:]*)")
"""What the number of a die brings, in the text of a card: the number, what comes first, and the rest of the
sentence."""


def chooser(scene: Scene, action: Action) -> int:
    """Return the seat that first chooses something of what an action sets off, -1 if it is not known before. If its
    text lets nobody choose, return whoever is struck, who may ward it off."""
    for text in _texts(scene, action):
        for op in effects_within(text):
            if who := _chooses(op):
                return _seat(scene, action, who)
    return getattr(action, "seat", -1)


def choices_of(scene: Scene, action: Action) -> tuple[str, ...]:
    """Return between what `chooser` chooses, in the words of the text; () if that is no choice between texts."""
    choosing = (op for text in _texts(scene, action) for op in effects_within(text) if _chooses(op))
    first = next(choosing, None)
    return tuple(one.text for one in first.of) if isinstance(first, Option) else ()


def _chooses(op: Op) -> str:
    """Return the who-word of the player who chooses in an effect; "" if nobody does."""
    if isinstance(op, Option | ChooseSeat):
        return op.by
    if isinstance(op, Recover):
        return op.who if op.pick == "choose" else ""
    if isinstance(op, Discard | Take | Swap) and op.cards.pick == "choose" and not op.cards.this:
        return op.cards.by or op.cards.of
    return ""


def _seat(scene: Scene, action: Action, who: str) -> int:
    """Return the seat of a who-word for one player; -1 if it is not known before."""
    fight, victim = scene.fight, getattr(action, "seat", -1)
    if who in NEIGHBOURS:
        return neighbour(scene, victim if victim >= 0 else scene.me, who)
    fighter, helper = (fight.seat, fight.helper) if fight is not None else (-1, -1)
    known = {"you": scene.me, "victim": victim, "fighter": fighter, "helper": helper, "turn": scene.view.turn}
    return known.get(who, -1)


NEIGHBOURS = ("left", "right")
"""The who-words for the players beside the victim."""


def neighbour(scene: Scene, seat: int, side: str) -> int:
    """Return the next living player beside a seat, -1 if there is none."""
    seats, step = scene.view.seats, 1 if side == "left" else -1
    around = [(seat + step * by) % len(seats) for by in range(1, len(seats))]
    return next((one for one in around if not seats[one].dead), -1)


def struck_beside(scene: Scene, ask: Ask, text: str) -> int:
    """Return the neighbour whom the text of an option strikes, if its victim chooses; -1 if that is not one player."""
    effects = effects_within(scene.catalog.cards[ask.card].card.play) if ask.card >= 0 else ()
    options = (op for op in effects if isinstance(op, Option) and op.by == "victim")
    chosen = (one.do for op in options for one in op.of if one.text == text)
    struck = {getattr(op, name) for do in chosen for op in effects_within(do) for name in who_fields(op)}
    sides = struck.intersection(NEIGHBOURS)
    return neighbour(scene, ask.seat, sides.pop()) if len(sides) == 1 else -1


def _texts(scene: Scene, action: Action) -> list[Effects]:
    """Return the texts that an action sets off: of the card that is played or used, and of monsters that enter, a copy
    of one in the fight too."""
    texts: list[Effects] = []
    if isinstance(action, a.Use):
        texts.append(scene.definition(action.card).abilities[action.ability].do)
    elif isinstance(action, a.Play):
        texts.append(scene.card(action.card).play)
    entering = [getattr(action, "brought", 0), *(action.picks if isinstance(action, a.Answer) else ())]
    if isinstance(action, a.Trouble | a.Play):
        entering.append(action.card)
    if isinstance(action, a.Play) and scene.card(action.card).partner:
        entering.append(action.target)
    return texts + [scene.card(card).enter for card in entering if card >= FIRST_CARD]
