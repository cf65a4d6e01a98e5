"""The action by which a host is asked why a card cannot be played. Pure."""

from core.state import actions as a
from core.state.actions import Action
from tui.scene.scene import Scene


def trial_of(scene: Scene, card: int) -> Action | None:
    """Return an action to ask about: playing this card as it is most often played."""
    fight, definition = scene.fight, scene.card(card)
    if definition.kind == "monster":
        return a.Trouble(card)
    monster = fight.monsters[0].id if fight is not None and fight.monsters else 0
    if definition.kind == "enhancer":
        return a.Play(card, target=monster)
    if definition.kind == "item" and definition.one_shot and definition.target in (None, "side"):
        return a.Play(card, side="heroes")
    if definition.kind in ("curse", "level"):
        return a.Play(card, seat=-1 if scene.definition(card).target == "none" else likely_target(scene, card))
    if definition.kind in ("cheat", "upgrade"):
        mine = [placed.card for placed in scene.seat(scene.me).table if scene.card(placed.card).kind == "item"]
        return a.Play(card, target=mine[0] if mine else 0)
    return a.Play(card)


def likely_target(scene: Scene, card: int) -> int:
    """Return the seat on which a card for one player is most often played: the reader, but whoever fights if the card
    is for players in a combat and the reader is in none."""
    fight, limit = scene.fight, scene.card(card).if_
    in_combat = limit is not None and limit.who == "victim" and limit.fighting
    if fight is None or not in_combat or scene.me in (fight.seat, fight.helper):
        return scene.me
    return fight.seat
