"""The end of a game in words: who won, why, and how the others stand. Pure."""

from netcode.protocol.wire import TableInfo
from tui.scene.cells import Line
from tui.scene.scene import Scene
from tui.scene.situation import LAST_SEAL


def ending(scene: Scene) -> list[Line]:
    """Return the lines after the game: who won, why, and how the others stand."""
    view = scene.view
    names = " and ".join(scene.who(seat) for seat in view.winners)
    together = len(view.winners) > 1
    sealed = len(view.seals_open) >= LAST_SEAL
    verb = "win the game together" if together else "win the game" if scene.me in view.winners else "wins the game"
    lines: list[Line] = [((f"{names[:1].upper()}{names[1:]} {verb}.", "bold gold"),)]
    if sealed:
        lines.append((("The seventh Seal is open: the highest bonus from cards wins, then Level.", "oneshot"),))
        lines.append(((_standings(scene, True), ""),))
        return lines
    why = f"Level {view.win_level} reached."
    if view.why_won == "shared":
        why = "Shared victory: whoever helps at the winning kill wins too."
    elif together:
        why = f"One fight took both to Level {view.win_level}."
    return [*lines, ((why, ""),), ((_standings(scene, False), "dim"),)]


def consent_words(info: TableInfo) -> str:
    """Return how many agree to reveal the hands of the last game, of those whose consent counts: `1 of 3`. A host that
    is older than these numbers does not say whose counts."""
    people = sum(seat.state in ("here", "lost", "away") for seat in info.seats)
    return f"{info.consents - info.lacking} of {info.consents}" if info.consents else f"{len(info.agreed)} of {people}"


def _standings(scene: Scene, bonus: bool) -> str:
    """Return all players, best first, with their Levels. bonus: with their bonuses from cards first, then Levels."""
    def worth(seat: int) -> tuple[int, int, int]:
        view = scene.seat(seat)
        own = 0 if view.dead else view.strength - view.level
        return (own if bonus else 0, view.level, -seat)

    order = sorted(range(len(scene.view.seats)), key=worth, reverse=True)
    if not bonus:
        return "Levels: " + ", ".join(f"{scene.who(seat)} {scene.seat(seat).level}" for seat in order)
    standings = []
    for seat in order:
        view = scene.seat(seat)
        own = "dead" if view.dead else f"{view.strength - view.level:+d} (Level {view.level})"
        standings.append(f"{scene.who(seat)} {own}")
    return ", ".join(standings)
