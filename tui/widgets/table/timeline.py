"""The timeline of a recording: a line from its beginning to its end, with turns, fights, and the current step. Pure."""

from collections.abc import Sequence

from tui.scene.cells import Glyphs, Line

LEAST = 16
"""Fewer cells than this say nothing."""
PRESS = "step:"
"""What a click on the line presses, before the number of a step."""


def draw_timeline(
    turns: Sequence[int], fights: Sequence[int], mattered: Sequence[int], steps: int, at: int, width: int,
    glyphs: Glyphs,
) -> Line:  # fmt: skip
    """Draw the line. turns, fights: the steps at which one begins; mattered: the steps with a moment that mattered
    most; at: the step that is shown; a click on a cell presses PRESS and the number of its first step."""
    done, todo, turn, fight, star, here = "=-|^*O" if glyphs.ascii else "━─┼▲★●"
    marks = dict.fromkeys((_cell(step, steps, width) for step in turns), turn)
    marks |= dict.fromkeys((_cell(step, steps, width) for step in fights), fight)
    marks |= dict.fromkeys((_cell(step, steps, width) for step in mattered), star)
    now = _cell(at, steps, width)
    line = []
    for cell in range(width):
        sign = here if cell == now else marks.get(cell, done if cell < now else todo)
        usual = "gold" if cell < now else "dim"
        style = "bold gold" if cell == now else {fight: "foe", star: "bold hero"}.get(sign, usual)
        line.append((sign, f"{style}|{PRESS}{-(-cell * (steps - 1) // max(1, width - 1))}"))
    return tuple(line)


def _cell(step: int, steps: int, width: int) -> int:
    return step * (width - 1) // max(1, steps - 1)


def legend(glyphs: Glyphs, mattered: bool) -> Line:
    """Return what the signs of the line mean. mattered: whether there are moments that mattered most."""
    turn, fight, star = "|^*" if glyphs.ascii else "┼▲★"
    words: Line = ((turn, "dim"), (" turn  ", "dim"), (fight, "foe"), (" fight", "dim"))
    return (*words, (f"  {star}", "hero"), (" mattered most", "dim")) if mattered else words
