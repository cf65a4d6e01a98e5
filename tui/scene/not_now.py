"""Why a card in hand cannot be played now, in a few words. Pure."""

from collections.abc import Sequence

from core.language.definition import Def
from core.language.schema import UndoPlayed
from tui.scene.conditions import condition_words
from tui.scene.scene import Scene
from tui.scene.trial import likely_target

_READING = ("program", "excess", "backout", "throw")
"""Procedures during which nobody plays anything."""


def _trouble(phase: str) -> tuple[str, ...]:
    """Return when a monster in hand can be fought, in the player's own turn outside a fight."""
    if phase in ("start", "kick"):
        return "after the door, if you meet no monster", "after the door", "after door"
    return ("not now",) if phase == "trouble" else ("on your next turn", "next turn")


def why_not(scene: Scene, card: int) -> tuple[str, ...]:
    """Return why a card in hand cannot be played now, the longest words first. The key `w` asks the host for more."""
    view, fight = scene.view, scene.fight
    own = view.turn == scene.me
    fighting = fight is not None and scene.me in (fight.seat, fight.helper)
    definition = scene.definition(card)
    gate = definition.gate
    if view.seats[scene.me].dead:
        return "not while dead", "not if dead"
    if full := no_room(scene, definition):
        return full
    if gate in ("own-turn", "special", "identity", "prepare") and not own:
        return ("on your turn", "your turn")
    if gate in ("own-turn", "special", "identity", "prepare", "peace") and fighting:
        return ("not in combat", "no combat")
    if gate == "prepare" and view.phase != "start":
        return "before the door", "before door"
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
        return "when you run", "if you run"
    if view.top in _READING:
        return ("when this is settled", "not just yet", "not yet")
    return _of_its_own(scene, card, definition) or ("not now",)


def no_room(scene: Scene, definition: Def) -> tuple[str, ...]:
    """Return why the player has no room for an identity, or for a card that allows two; () if there is some, and for
    all other cards."""
    if definition.gate != "identity":
        return ()
    there = [scene.definition(placed.card) for placed in scene.seat(scene.me).table]
    kind = definition.card.identity or definition.card.serves or ""
    name = scene.lexicon.kind(kind)
    identities = [one for one in there if one.kind == "identity" and one.card.identity == kind]
    doubled = any(one.kind == "double" and one.card.serves == kind for one in there)
    if definition.kind == "double":
        if doubled:
            return "you have one already", "have one"
        return () if identities else (f"only beside a {name}", f"no {name} yet", f"no {name}")
    if definition.ident in [one.ident for one in identities]:
        return "you are one already", "you are one"
    if kind in scene.catalog.ranked:
        return _too_many_ranks(scene, definition, identities)
    room = scene.catalog.limits.get(kind, 0) + doubled
    if len(identities) < room:
        return ()
    most = (f"{name}: two at most",) if room > 1 else (f"one {name} at a time", f"one {name} only")
    return *most, f"{name} taken"


def _too_many_ranks(scene: Scene, definition: Def, there: Sequence[Def]) -> tuple[str, ...]:
    ranks = sum(one.card.rank or 0 for one in (definition, *there))
    level = scene.seat(scene.me).level
    if ranks <= level:
        return ()
    return f"needs Level {ranks}, one for each Rank", f"needs Level {ranks}", f"at Level {ranks}"


def _of_its_own(scene: Scene, number: int, definition: Def) -> tuple[str, ...]:
    """Return what the text of a card lacks; () if that is not known here. number: the card's id."""
    card = definition.card
    if any(isinstance(op, UndoPlayed) for op in card.play):
        return "nothing here to undo", "no undo now"
    if card.kind == "level" and scene.seat(likely_target(scene, number)).level >= scene.view.win_level - 1:
        return "it cannot win the game", "cannot win"
    return condition_words(scene, definition)
