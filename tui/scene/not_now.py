"""Why a card in hand cannot be played now, in a few words. Pure."""

from tui.scene.scene import Scene


def _trouble(phase: str) -> tuple[str, ...]:
    """Return when a monster in hand can be fought, in the player's own turn outside a fight."""
    if phase in ("start", "kick"):
        return "after the door, if you meet no monster", "after the door"
    return ("not now",) if phase == "trouble" else ("on your next turn", "next turn")


def why_not(scene: Scene, card: int) -> tuple[str, ...]:
    """Return why a card in hand cannot be played now, the longest words first. The key `w` asks the host for more."""
    view, fight = scene.view, scene.fight
    own = view.turn == scene.me
    fighting = fight is not None and scene.me in (fight.seat, fight.helper)
    gate = scene.definition(card).gate
    if view.seats[scene.me].dead:
        return ("not while dead",)
    if gate in ("own-turn", "special", "identity", "prepare") and not own:
        return ("on your turn", "your turn")
    if gate in ("own-turn", "special", "prepare", "peace") and fighting:
        return ("not in combat", "no combat")
    if gate == "prepare" and view.phase != "start":
        return ("before the door",)
    if gate in ("combat", "own-combat", "monster") and fight is not None and fight.stage != "fight":
        return ("too late now", "too late")
    if gate == "monster":
        if own and fight is not None:
            return ("cannot join this fight", "cannot join")
        return _trouble(view.phase) if own else ("to fight on your turn", "on your turn", "your turn")
    if gate in ("combat", "own-combat") and fight is None:
        return ("in a fight",)
    if gate == "own-combat" and not fighting:
        return ("in your own fight", "own fight")
    if gate == "running" and view.top != "run":
        return ("when you run",)
    return ("not now",)
