"""What is asked once more: choices that a player rarely means, each with its question. Pure."""

from collections.abc import Callable, Iterable
from typing import Any

from core.state import actions as a
from core.state.actions import Action
from tui.scene.scene import Scene


def danger_of(scene: Scene, action: object) -> str:
    """Return what to ask before this action is sent; empty if there is nothing to ask."""
    return next((ask(scene, action) for kind, ask in _QUESTIONS if isinstance(action, kind)), "")


def aims_at_oneself(scene: Scene, action: Action) -> bool:
    """Return whether an action that may be aimed at any seat to its harm is aimed at the player."""
    if getattr(action, "seat", -1) != scene.me or scene.me < 0:
        return False
    return isinstance(action, a.Use) or (isinstance(action, a.Play) and scene.card(action.card).kind == "curse")


def harms_own_side(scene: Scene, action: object) -> bool:
    """Return whether a card is played for the monsters that the player fights."""
    fight = scene.fight
    mine = fight is not None and scene.me in (fight.seat, fight.helper)
    return mine and getattr(action, "side", "") == "monsters"


def _own_target(scene: Scene, action: Action) -> str:
    if not aims_at_oneself(scene, action):
        return ""
    return f"Play {scene.title(getattr(action, 'card', 0))} on yourself?"


def _discarding(scene: Scene, action: a.Discard) -> str:
    if place_of(scene, action.card) != "equipped":
        return ""
    return f"Discard {scene.title(action.card)}, which is in use?"


def _fleeing(scene: Scene, action: a.Flee) -> str:
    fight = scene.fight
    if fight is None or not fight.winning:
        return ""
    return f"You win {fight.heroes} to {fight.foes}: give the fight up all the same?"


def _ready(scene: Scene, action: a.Done) -> str:
    you = scene.you
    if scene.view.top != "setup" or you is None:
        return ""
    left = {option.action.card for option in you.legal if isinstance(option.action, a.Play)} & set(you.hand)
    if not left:
        return ""
    cards = f"{len(left)} more cards" if len(left) > 1 else "one more card"
    return f"You could lay out {cards}: be ready all the same?"


def _ending(scene: Scene, action: a.EndTurn) -> str:
    """Return the question before the turn ends while something of it is left to do."""
    you = scene.you
    if you is None:
        return ""
    could = {option.action.card for option in you.legal if isinstance(option.action, a.Play)} & set(you.hand)
    sells = any(isinstance(option.action, a.Sell) for option in you.legal)
    if could:
        return "End your turn? There is something in your hand to play."
    return "End your turn? You could sell Items for a level." if sells else ""


def _passing(scene: Scene, action: a.Pass) -> str:
    """Return the question before somebody else is let win the game, if this player could act."""
    winner = winner_now(scene)
    you = scene.you
    if winner < 0 or you is None or not could_act(scene):
        return ""
    return f"Let {scene.name(winner)} win the game?"


def winner_now(scene: Scene) -> int:
    """Return the other seat that wins the game if everybody passes now; -1 if none does."""
    fight, window = scene.fight, scene.view.window
    if fight is None or window is None or window.kind not in ("claim", "removed", "reward") or not fight.match_point:
        return -1
    return fight.seat if fight.seat != scene.me else -1


def could_act(scene: Scene) -> bool:
    """Return whether the player can play or use anything now, other than managing gear and offers."""
    return scene.you is not None and any(isinstance(option.action, a.Play | a.Use) for option in scene.you.legal)


_QUESTIONS: tuple[tuple[type, Callable[[Scene, Any], str]], ...] = (
    (a.Play, _own_target), (a.Use, _own_target), (a.Discard, _discarding), (a.Flee, _fleeing), (a.Done, _ready),
    (a.EndTurn, _ending), (a.Pass, _passing),
)  # fmt: skip
"""The dangerous kinds of actions, with the functions that make their questions."""


# ------------------------------------------------------------------------------------------------------ what is paid
def place_of(scene: Scene, card: int) -> str:
    """Return where a card of the player lies: hand, equipped or carried; empty if it lies nowhere of theirs."""
    if scene.you is not None and card in scene.you.hand:
        return "hand"
    if scene.me < 0:
        return ""
    placed = next((placed for placed in scene.seat(scene.me).table if placed.card == card), None)
    return "" if placed is None else "equipped" if placed.up else "carried"


def paying_danger(scene: Scene, cards: Iterable[int]) -> str:
    """Return what to ask before these cards are handed in: empty unless some of them are in use."""
    worn = [scene.title(card) for card in cards if place_of(scene, card) == "equipped"]
    return f"Part with what you use: {', '.join(worn)}?" if worn else ""
