"""What a seat has in play, as lines of its box: gear with amounts, and Curses with their sentence. Pure."""

from collections.abc import Sequence

from tui.scene.card_text import with_counters
from tui.scene.cells import Line, Span, count, length, shorten
from tui.scene.gear import Worn, worn
from tui.scene.scene import Scene
from tui.scene.situation import afflictions, curses


def curse_words(scene: Scene, seat: int) -> str:
    """Return the number of lasting Curses on a seat with their sign: `✖ 1 curse`; empty if there is none."""
    lying = [scene.catalog.cards[lasting.defn] for lasting in afflictions(scene, seat)]
    return f"{sign(scene)} {scene.lexicon.curses(len(lying), lying)}" if lying else ""


def sign(scene: Scene) -> str:
    """Return the sign of a Curse."""
    return "x" if scene.glyphs.ascii else "✖"


# ------------------------------------------------------------------------------------------------------- a line each
def lists(scene: Scene, seat: int, room: int, rows: int) -> list[Line]:
    """Return a line for each piece of gear, amounts on the right, then one for each Curse. If there are too few rows,
    the gear stands side by side."""
    gear, bad = worn(scene, seat), _curse_lines(scene, seat, room)
    if len(gear) + len(bad) <= rows:
        return [*(_gear_line(scene, piece, room) for piece in gear), *bad]
    keep = min(len(bad), max(1, rows - 2))
    kept = bad if keep == len(bad) else [*bad[: keep - 1], _curse_names(scene, seat, keep - 1, room)]
    above = rows - len(kept)
    if len(gear) <= above:
        return [*(_gear_line(scene, piece, room) for piece in gear), *kept]
    return [*_flow(scene, gear, room, above), *kept]


def _curse_lines(scene: Scene, seat: int, room: int) -> list[Line]:
    """Return a line for each Curse: its name, and as much of its sentence as fits."""
    found: list[Line] = []
    for lasting in afflictions(scene, seat):
        card = scene.printed(lasting.defn)
        words = f"{sign(scene)} {card.name}: {card.text}"
        found.append(((shorten(words, room, scene.glyphs), "curse"),))
    return found


def _curse_names(scene: Scene, seat: int, first: int, room: int) -> Line:
    """Return the names of the Curses from one on, in one line."""
    names = ", ".join(curses(scene, seat)[first:])
    return ((shorten(f"{sign(scene)} {names}", room, scene.glyphs), "curse"),)


def _gear_line(scene: Scene, piece: Worn, room: int) -> Line:
    tail = " ".join(part for part in (piece.word, f"{piece.amount:+d}" if piece.amount else "") if part)
    bare, lying = piece.name.removesuffix(with_counters(piece.counters)), with_counters(piece.counters)
    name = shorten(bare, room - len(tail) - 1 - len(lying), scene.glyphs) + lying
    blanks = " " * (room - length(((name, ""),)) - len(tail))
    return (name, "dim"), (blanks, ""), (tail, "gold" if piece.amount else "dim")


# ------------------------------------------------------------------------------------------------------- side by side
def flowed(scene: Scene, seat: int, room: int, rows: int, cursed: bool = True) -> list[Line]:
    """Return gear side by side, names shrunk to nouns where they are too long; Curses by name in the last rows. cursed:
    False leaves the Curses out."""
    bad = [_curse_names(scene, seat, 0, room)] if cursed and rows > 1 and curses(scene, seat) else []
    return [*_flow(scene, worn(scene, seat), room, rows - len(bad)), *bad]


def _flow(scene: Scene, gear: Sequence[Worn], room: int, rows: int) -> list[Line]:
    """Return gear side by side, with whole names if they fit, else with nouns. If not even those fit, say how many are
    left out, and put cards with counters first."""
    if not gear or rows <= 0:
        return []
    for short in (False, True):
        lines, taken = _filled([_words(piece, short) for piece in gear], room, rows)
        if taken == len(gear):
            return lines
    parts = [_words(piece, True) for piece in sorted(gear, key=lambda piece: -piece.counters)]
    for known in range(taken, -1, -1):
        left = len(gear) - known
        words = f", {left} more" if known else count(left, "card")
        rest: list[Span] = [(words, "dim")]
        lines, fitted = _filled([*parts[:known], rest], room, rows)
        if fitted == known + 1:
            return lines
    return []


def _words(piece: Worn, short: bool) -> list[Span]:
    """Return a card in words: `Keys +4`, `Ally Wexter +4`, `carries Mail`."""
    name = piece.noun if short else piece.name
    before = {"carried": "carries ", "": ""}.get(piece.word, f"{piece.word} ")
    if not piece.amount:
        return [(before + name, "dim")]
    return [(f"{before}{name} ", "dim"), (f"{piece.amount:+d}", "gold")]


def _filled(parts: Sequence[Sequence[Span]], room: int, rows: int) -> tuple[list[Line], int]:
    """Put parts side by side in at most `rows` lines; return the lines and how many parts fitted.

    A comma follows a part that does not end in a number.
    """
    lines: list[list[Span]] = [[]]
    taken = 0
    for at, part in enumerate(parts):
        line = lines[-1]
        gap = "" if not line or part[0][0].startswith(",") else " " if line[-1][1] == "gold" else ", "
        if line and length(tuple(line)) + len(gap) + length(tuple(part)) > room:
            if len(lines) == rows:
                break
            if gap == ", " and length(tuple(line)) < room:
                line.append((",", "dim"))
            lines.append([])
            line, gap = lines[-1], ""
        if length(tuple(part)) > room:
            break
        line += [(gap, "dim"), *part] if gap else part
        taken = at + 1
    return [tuple(line) for line in lines if line], taken
