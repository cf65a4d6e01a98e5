"""What a card of the hand adds to a sum of the fight now. Pure."""

from core.state.actions import Play
from tui.scene.fight import bonus_now
from tui.scene.outlook import of_legals
from tui.scene.scene import Scene


def added_now(scene: Scene, card: int) -> int:
    """Return what a one-shot or an enhancer of the hand adds now where its outlook leads, as the host foresees it; the
    usual number if it does not, or if both sums would change. A monster that comes with it is no part of that."""
    usual, _ = bonus_now(scene, card)
    fight, you, printed = scene.fight, scene.you, scene.card(card)
    if fight is None or you is None or not scene.forecasts or not (printed.one_shot or printed.kind == "enhancer"):
        return usual
    plays = [row for row in you.legal if isinstance(act := row.action, Play) and act.card == card and not act.brought]
    then = of_legals(scene, plays).forecast
    if then is None or then.fate != "sums" or (then.fighter, then.helper) != (fight.seat, fight.helper):
        return usual
    ours, theirs = then.heroes - fight.heroes, then.foes - fight.foes
    return usual if ours and theirs else ours + theirs or usual
