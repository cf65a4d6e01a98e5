"""Open Seals in words. Pure."""

from core.operations.seals import LAST
from tui.scene.scene import Scene
from tui.scene.situation import seal_count

_WORDS = {5: "fifth", 6: "sixth", 7: "seventh"}


def seal_lines(scene: Scene) -> list[tuple[str, str]]:
    """Return every open Seal in full as (text, style), the one in force first."""
    view = scene.view
    if not view.seals_open:
        return [
            ("No Seal is open. The first one opens by a card, or by a death.", "bold"),
            ("Each open Seal gives every monster +1. The newest one is in force: what it says holds for all.", ""),
            (f"With the {_WORDS[LAST]} Seal the game ends.", ""),
        ]
    number = len(view.seals_open)
    lines = [(f"{seal_count(scene)}. Every monster has +{number}.", "bold")]
    for at, defn in enumerate(reversed(view.seals_open)):
        seal = scene.printed(defn)
        if at == 0:
            lines.append((f"In force: {seal.name}. {seal.text}", "warn"))
        else:
            lines.append((f"below it, not in force: {seal.name}. {seal.text}", "dim"))
    lines.append(("A Seal opens by a card or by a death; it closes by a card or by three levels in one turn.", "dim"))
    return lines
