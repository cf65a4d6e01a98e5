"""Both sums of a fight as text, with as much detail as fits: in one line, or in one for each side. Pure."""

from collections.abc import Sequence
from itertools import product

from msgspec.structs import replace

from core.state.views import FightView
from tui.scene import sums
from tui.scene.cells import Line, count
from tui.scene.gear import noun
from tui.scene.scene import Scene
from tui.scene.sums import Row

Forms = list[tuple[int, str]]
"""The forms of a side's sum as text, each with what is lost by it, the most detailed first."""
APART = 3
"""The least cells between both sums in one line."""
NAMELESS = 50
"""A form with at least this loss has numbers without a name."""
_ALL = 99
_PARTS = ((2, False, False), (2, True, False), (1, False, False), (1, True, False), (1, True, True))
"""The forms of the largest terms behind the sums of several heroes: arguments of `sums.hero_parts`."""


def one_line(scene: Scene, fight: FightView, width: int) -> Line:
    """Return both sums as one line: `Level 9 + gear 9` and `14 Glampire + ...`, with as much detail as fits; the
    heroes' side loses detail first."""
    (_, left), (_, right) = _best(scene, fight, width)
    blank = " " * max(1, width - len(left) - len(right))
    return (left, "text"), (blank, ""), (right, "text")


def two_lines(scene: Scene, fight: FightView, width: int) -> list[Line]:
    """Return the sums as two lines, the monsters' one at the right end."""
    left, right = (_fitting(forms, width)[1] for forms in (_heroes(scene, fight), _foes(scene, fight)))
    return [((left, "text"),), ((" " * max(0, width - len(right)), ""), (right, "text"))]


def gains_by_two(scene: Scene, fight: FightView, width: int) -> bool:
    """Return whether numbers that have no name in one line get one in two."""
    best = _best(scene, fight, width)
    alone = [_fitting(forms, width) for forms in (_heroes(scene, fight), _foes(scene, fight))]
    return any(one[0] >= NAMELESS and two[0] < one[0] for one, two in zip(best, alone, strict=True))


def _best(scene: Scene, fight: FightView, width: int) -> tuple[tuple[int, str], tuple[int, str]]:
    """Return the forms of both sides that fit side by side and lose least."""
    pairs = sorted(product(_heroes(scene, fight), _foes(scene, fight)), key=lambda pair: pair[0][0] + pair[1][0])
    return next((pair for pair in pairs if len(pair[0][1]) + len(pair[1][1]) + APART <= width), pairs[-1])


def _fitting(forms: Forms, width: int) -> tuple[int, str]:
    return next((form for form in sorted(forms, key=lambda form: form[0]) if len(form[1]) <= width), forms[-1])


def _heroes(scene: Scene, fight: FightView) -> Forms:
    """Return the forms of the heroes' sum: each term, its largest terms, sums of several, and the sum of each hero with
    its largest terms, in words of less and less detail."""
    made, rows = sums.hero_made(scene, fight), sums.hero_rows(scene, fight)
    added = [replace(row, made=()) for row in sums.hero_sums(scene, fight)]
    vague, several = any(row.label in sums.VAGUE for row in added), len(sums.hero_totals(fight)) > 1
    forms = [
        (0, made, 0), (1, made, -1), (2, rows, -1), (5, _largest(rows, _ALL), -1), (19 if vague else 10, added, -1),
        *((18 - 2 * kept, _largest(rows, kept), -1) for kept in (3, 2, 1)),
        *((NAMELESS, sums.hero_parts(fight, *parts), 0) for parts in (_PARTS if several else ())),
        (NAMELESS, sums.hero_brief(fight), -1), (90, sums.hero_totals(fight), -1),
    ]  # fmt: skip
    return [(lost, _text(scene, some, form)) for lost, some, form in forms]


def _foes(scene: Scene, fight: FightView) -> Forms:
    """Return the forms of the monsters' sum: each term, the terms of each monster in brackets, and only their sums."""
    every = sums.foe_sums(scene, fight)
    short = [replace(row, label=_noun(row.label), brief="") if row.base else row for row in every]
    bare = [replace(row, made=()) for row in short]
    found: Forms = [(0, _text(scene, sums.foe_rows(scene, fight)))]
    for rows, least in ((every, 10), (short, 30)):
        texts = [_text(scene, rows, form) for form in range(5)]
        named = [text != texts[-1] or text == texts[0] for text in texts]
        found += [(least + 10 * at if named[at] else least + NAMELESS, text) for at, text in enumerate(texts)]
    return [*found, (100, _text(scene, bare)), (200, f"{count(len(fight.monsters), 'monster')} = {fight.foes}")]


def _text(scene: Scene, rows: Sequence[Row], form: int = -1) -> str:
    return sums.summed(rows, scene.glyphs.ascii, form)


def _largest(rows: Sequence[Row], kept: int) -> list[Row]:
    """Return the Levels and so many of the other terms by the noun of their name, the largest first; what others add up
    to, for each seat, as `5 more`."""
    bases = [row for row in rows if row.base]
    others = sorted((row for row in rows if not row.base), key=lambda row: -abs(row.by))
    rest: dict[int, int] = {}
    for row in others[kept:]:
        rest[row.seat] = rest.get(row.seat, 0) + row.by
    named = [replace(row, label=noun(row.brief or row.label), brief="") for row in others[:kept]]
    return [*bases, *named, *(Row(sums.MORE, by, seat) for seat, by in rest.items())]


def _noun(name: str) -> str:
    """Return the noun of a monster's name, with its number: `Dragon`, `Bearbug #2`."""
    plain, mark, number = name.partition(" #")
    return f"{noun(plain)}{mark}{number}"
