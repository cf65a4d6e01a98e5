"""What has happened since the reader acted last, what matters most first. Pure."""

from collections.abc import Sequence

from tui.scene.scene import LogLine

LOOKED_AT = 200
"""So many lines of the log are looked through at most."""
KEPT = 12
"""So many lines are told at most."""
_WEIGHTS = {
    "won": 1, "level-changed": 1, "died": 2, "fight-began": 3, "stage-set": 3, "fled": 3, "fight-ended": 3,
}  # fmt: skip
"""What counts how much of what touches nobody here, by the names of events; whatever is missing counts least."""
_LEAST = 4
DIE = "rolled"
_LEVEL = "level-changed"
"""Of these only the last one of each seat is told: it says where the seat is now."""
_TOLD_ELSEWHERE = ("window-opened", "held", "released", "settled", "noted")
"""Events that the prompt tells by itself."""


def since(log: Sequence[LogLine], me: int) -> tuple[LogLine, ...]:
    """Return the lines that tell a player what others have done: first what touches the player and the player's own
    dice, then what has just happened, then what happened before; of both first levels and the end, deaths, fights, and
    the rest; each group in the order in which it happened. log: the lines since then."""
    if me < 0:
        return ()
    told = [
        line for line in log[-LOOKED_AT:]
        if line.kind == "event" and (strikes(line, me) or line.seat != me) and line.about not in _TOLD_ELSEWHERE
    ]  # fmt: skip
    reached = {line.seat: line for line in told if line.about == _LEVEL and not line.yours}
    told = [line for line in told if line.about != _LEVEL or line.yours or reached[line.seat] is line]
    return tuple(sorted(told, key=lambda line: _weight(line, me))[:KEPT])


def strikes(line: LogLine, me: int) -> bool:
    """Return whether a line tells of what touches the player, or of the player's own die."""
    return line.yours or (line.about == DIE and line.seat == me)


def _weight(line: LogLine, me: int) -> tuple[int, int]:
    if strikes(line, me):
        return 0, 0
    return 1 if line.just else 2, _WEIGHTS.get(line.about, _LEAST)
