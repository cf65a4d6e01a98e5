"""Open Seals in words. Pure."""

from tui.scene.scene import Scene

LAST_SEAL = 7
"""The Seal whose opening ends the game (win.seventh-seal)."""


def has_seals(scene: Scene) -> bool:
    """Return whether this game has Seals."""
    return bool(scene.view.seals or scene.view.seals_open)


def seal_count(scene: Scene) -> str:
    """Return in words how many Seals are open and how many more end the game."""
    number = len(scene.view.seals_open)
    if number >= LAST_SEAL:
        return "all seven Seals open"
    return f"Seals open {number}, {LAST_SEAL - number} more end{'s' if LAST_SEAL - number == 1 else ''} the game"


def seal_in_force(scene: Scene) -> str:
    """Return the name of the Seal opened last, the only one in force; empty if none is open."""
    return scene.printed(scene.view.seals_open[-1]).name if scene.view.seals_open else ""


def seal_lines(scene: Scene) -> list[tuple[str, str]]:
    """Return every open Seal in full as (text, style), the one in force first."""
    view = scene.view
    if not view.seals_open:
        return [("No Seal is open. The first one opens by a card, or by a death.", "")]
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
