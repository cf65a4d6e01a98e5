"""What adds to a monster's strength, term by term: its Level, its own modifiers, what its own text adds. Pure."""

from core.language.schema import Enhance
from core.language.tree import walk
from core.state.model import DEFN_MASK
from core.state.views import Term
from tui.scene.scene import Scene


def own_level(term: Term) -> bool:
    """Return whether this is a monster's own Level, not what open Seals or cards add to it."""
    return term.seat < 0 and term.card > DEFN_MASK


def added_words(scene: Scene, term: Term) -> str:
    """Return the name of what is added to a monster's Level."""
    if own_level(term):
        return "its bonus" if term.by > 0 else "its weakness"
    return text_words(scene, term) or term.label


def text_words(scene: Scene, term: Term) -> str:
    """Return what a monster's own text has added to it when it came: `its roll` if that is the number of a die; "" if
    the term comes from something else."""
    fight = scene.fight
    if fight is None or not any(term.card == met.defn for met in fight.monsters):
        return ""
    adds = (op.by for _, op in walk(scene.printed(term.card).enter) if isinstance(op, Enhance))
    return "its roll" if any(not isinstance(by, int) for by in adds) else "its text"
