"""What luck decides about an option, if it does: dice, a card that is drawn, a card at random. Pure."""

from core.language.schema import AddMonster, Die, Discard, Draw, Swap, Take
from core.language.tree import Effects, effects_within
from core.state import actions as a
from core.state.actions import Action
from tui.scene.scene import FIRST_CARD, Scene


def luck_words(scene: Scene, action: Action) -> tuple[str, ...]:
    """Return what decides what comes of an action, the longest words first; () if its text does not tell."""
    for text in _texts(scene, action):
        effects = list(effects_within(text))
        dice = sum(isinstance(op, Die) for op in text) or any(isinstance(op, Die) for op in effects)
        if dice:
            return ("a die decides", "a die") if dice == 1 else (f"{dice} dice decide", f"{dice} dice")
        if any(isinstance(op, Draw) or (isinstance(op, AddMonster) and op.what == "deck") for op in effects):
            return "the next card drawn decides", "the draw decides", "the draw"
        if any(isinstance(op, Discard | Take | Swap) and op.cards.pick == "random" for op in effects):
            return "a card at random decides", "a random card"
    return ()


def _texts(scene: Scene, action: Action) -> list[Effects]:
    """Return the texts that an action sets off: of the card that is played or used, and of monsters that enter."""
    texts: list[Effects] = []
    if isinstance(action, a.Use):
        texts.append(scene.definition(action.card).abilities[action.ability].do)
    elif isinstance(action, a.Play):
        texts.append(scene.card(action.card).play)
    entering = [getattr(action, "brought", 0), *(action.picks if isinstance(action, a.Answer) else ())]
    entering += [action.card] if isinstance(action, a.Trouble | a.Play) else []
    return texts + [scene.card(card).enter for card in entering if card >= FIRST_CARD]
