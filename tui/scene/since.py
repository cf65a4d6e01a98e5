"""What has happened since the reader acted last, what matters most first. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from tui.scene.scene import LogLine

LOOKED_AT = 200
"""The most lines of the log that are looked through."""
KEPT = 12
"""The most lines that are told."""
_WEIGHTS = {
    "won": 1, "level-changed": 1, "died": 2, "fight-began": 3, "stage-set": 3, "fled": 3, "fight-ended": 3,
}  # fmt: skip
"""The weight of events that do not touch the reader, by their names; events that are missing weigh least."""
_LEAST = 4
DIE = "rolled"
_LEVEL = "level-changed"
"""Only one line about this is told for each seat: the Level that it has now."""
_TOLD_ELSEWHERE = ("kicked", "window-opened", "held", "released", "settled", "noted")
"""Events that the prompt tells by itself."""


def own_last(log: Sequence[LogLine], me: int) -> list[LogLine]:
    """Return the lines after the last act of the reader, for a game whose earlier events have just been told."""
    recent = list(log[-LOOKED_AT:])
    last = max((at for at, line in enumerate(recent) if line.seat == me >= 0 and not line.yours), default=-1)
    return recent[last + 1 :]


def since(log: Sequence[LogLine], me: int) -> tuple[LogLine, ...]:
    """Return the lines that tell a player what others have done: first what touches the player and the player's own
    dice, then the newest lines, then older ones. Among the newest and among the older ones, Levels and the end come
    first, then deaths, fights, and the rest. Each group is in order of time. log: the lines since then."""
    if me < 0:
        return ()
    told = [
        line for line in log[-LOOKED_AT:]
        if line.kind == "event" and (strikes(line, me) or line.seat != me) and line.about not in _TOLD_ELSEWHERE
    ]  # fmt: skip
    levels: dict[int, list[LogLine]] = {}
    for line in told:
        if line.about == _LEVEL and not line.yours:
            levels.setdefault(line.seat, []).append(line)
    told = [line for line in told if line.about != _LEVEL or line.yours or levels[line.seat][-1] is line]
    brief = [line if line.about != _LEVEL or line.yours else _reached(levels[line.seat]) for line in told]
    return tuple(sorted(brief, key=lambda line: _weight(line, me))[:KEPT])


def _reached(lines: Sequence[LogLine]) -> LogLine:
    """Return one line for all changes of a seat's Level: where it is now, and by how much that is more or less."""
    last, level = lines[-1], lines[-1].text.rpartition(": ")[2]
    by = sum(int(line.amount) for line in lines if line.amount)
    change = f"now ({by:+d})" if by else "again"
    text = f"{last.who} is at {level} {change}" if last.who and last.text != level else last.text
    return replace(last, text=text, amount="", said="")


def weighty(line: LogLine, me: int) -> bool:
    """Return whether a line touches the player, or tells of a Level, the end or a death. Such lines are told during a
    fight too."""
    return strikes(line, me) or _WEIGHTS.get(line.about, _LEAST) < _WEIGHTS["fight-began"]


def strikes(line: LogLine, me: int) -> bool:
    """Return whether a line tells of what touches the player, or of the player's own die."""
    return line.yours or (line.about == DIE and line.seat == me)


def _weight(line: LogLine, me: int) -> tuple[int, int]:
    if strikes(line, me):
        return 0, 0
    return 1 if line.just else 2, _WEIGHTS.get(line.about, _LEAST)
