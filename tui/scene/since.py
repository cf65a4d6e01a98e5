"""What has happened since the reader acted last, what matters most first. Pure."""

from collections.abc import Sequence

from msgspec.structs import replace

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
"""Of these one is told for each seat: where it is now."""
_TOLD_ELSEWHERE = ("kicked", "window-opened", "held", "released", "settled", "noted")
"""Events that the prompt tells by itself."""


def own_last(log: Sequence[LogLine], me: int) -> list[LogLine]:
    """Return the lines after the last deed of the reader, for a game whose earlier course has just been told."""
    recent = list(log[-LOOKED_AT:])
    last = max((at for at, line in enumerate(recent) if line.seat == me >= 0 and not line.yours), default=-1)
    return recent[last + 1 :]


def since(log: Sequence[LogLine], me: int) -> tuple[LogLine, ...]:
    """Return the lines that tell a player what others have done: first what touches the player and the player's own
    dice, then Levels with their causes, deaths and fights, then the rest; of both first what has just happened; each
    group in the order in which it happened. What one seat loses card by card is one line. log: the lines since then."""
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
    return tuple(_listed(sorted(brief, key=lambda line: _weight(line, me)))[:KEPT])


_CARD_BY_CARD = ("lose", "loses", "discard", "discards", "equip", "equips", "sell", "sells")
"""Verbs of lines that name one card each."""


def _listed(lines: Sequence[LogLine]) -> list[LogLine]:
    """Return lines of which those that follow each other and differ only in the card that somebody loses are one."""
    found: list[LogLine] = []
    for line in lines:
        begin, _, card = line.text.removeprefix(line.who).strip().partition(" ")
        before = found[-1] if found else None
        same = before is not None and (before.seat, before.about, before.yours) == (line.seat, line.about, line.yours)
        start = f"{line.who} {begin} "
        if same and before is not None and line.who and begin in _CARD_BY_CARD and before.text.startswith(start):
            found[-1] = replace(before, text=f"{before.text}, {card}")
        else:
            found.append(line)
    return found


def _reached(lines: Sequence[LogLine]) -> LogLine:
    """Return one line for all changes of a seat's Level: where it is now, by how much that is more or less, and why."""
    last, level = lines[-1], lines[-1].text.rpartition(": ")[2]
    by = sum(int(line.amount) for line in lines if line.amount)
    told = (line.text.rpartition(": ")[0] for line in lines)
    why = ", ".join(dict.fromkeys(text.partition(" (")[2][:-1] for text in told if text.endswith(")")))
    more = ": ".join(filter(None, (f"{by:+d}" if by else "", why)))
    change = f"{'now' if by else 'again'} ({more})" if more else "again"
    text = f"{last.who} is at {level} {change}" if last.who and last.text != level else last.text
    return replace(last, text=text, amount="", said="")


def weighty(line: LogLine, me: int) -> bool:
    """Return whether a line touches the player, or tells of a Level, the end or a death, which is told in a fight
    too."""
    return strikes(line, me) or _WEIGHTS.get(line.about, _LEAST) < _WEIGHTS["fight-began"]


def strikes(line: LogLine, me: int) -> bool:
    """Return whether a line tells of what touches the player, or of the player's own die."""
    return line.yours or (line.about == DIE and line.seat == me)


def _weight(line: LogLine, me: int) -> tuple[int, int, int]:
    if strikes(line, me):
        return 0, 0, 0
    weight = _WEIGHTS.get(line.about, _LEAST)
    return 1 + (weight == _LEAST), 0 if line.just else 1, weight
