"""The fight on the stage: faces, both sums and the bar between them, terms, verdict, what it pays and costs. Pure.

Faces and names stand still while the rest changes. So the rest is split into parts, each painted by itself.
"""

from collections.abc import Sequence
from functools import partial

from core.state.views import FightView, MonsterView
from tui.portraits.pixels import Portrait
from tui.scene import fight as words
from tui.scene.cells import Line, Span, shorten
from tui.scene.faces import player
from tui.scene.scene import Scene
from tui.widgets import digits
from tui.widgets.canvas import FACE_SIZES
from tui.widgets.table import stage_acts, stage_cards, stage_sums, stage_terms, stage_verdict
from tui.widgets.table.stage_parts import (
    Part,
    Room,
    counted,
    crowd,
    flowed,
    last_row,
    mark,
    person,
    rows_of,
    size,
    speaking,
)
from tui.widgets.table.stage_sum_lines import gains_by_two, one_line
from tui.widgets.table.stage_terms import brief_lines, loss_of, outcome_lines, rows_of_outcomes, short_loss

READ_ROWS = 2
"""The least rows of a card that is being read: who has brought it, and what it says."""


def draw(room: Room) -> None:
    """Draw what stands still: names and faces. Where there is no room for faces, draw the whole fight in words."""
    fight = room.scene.fight
    if fight is None:
        return
    if not room.face:
        _words_only(room, fight)
    elif room.face == "small":
        _small_faces(room, fight)
    else:
        _headings(room, fight)
        _large_faces(room.below(1), fight, room.face)


def parts(room: Room) -> list[Part]:
    """Return the parts of the fight that change: sums, bar, terms, verdict, outcomes, last row."""
    fight = room.scene.fight
    if fight is None or not room.face:
        return []
    brief, news = len(brief_lines(room.scene, fight, room.width)), stage_acts.news(room.scene, room.width)
    least = brief + news
    if room.face == "small":
        left, right = _shown(room, fight)
        faces, below = room.part(room.width, 4), room.below(4)
        read = stage_cards.effective(room.scene) >= 0 and below.height > READ_ROWS + 2
        terms, strip, wide = max(READ_ROWS if read else 1, below.height - 6), 1, FACE_SIZES["small"][0]
        bar = int(below.height - terms - strip > least)  # the bar only repeats what both sums say
        if bar and terms == 1 and gains_by_two(room.scene, fight, room.width):
            terms, bar = 2, 0
        sums = faces.beside(left * wide + 1).part(room.width - (left + right) * wide - 2, 4)
    else:
        wide, rows = FACE_SIZES[room.face]
        faces, below = room.below(1).part(room.width, rows), room.below(1 + rows)
        terms, strip = _rows_of_terms(below, fight)
        bar = 1
        sums = faces.beside(wide + 1).part(room.width - 2 * wide - 2, rows)
    after = below.below(bar)
    free, struck = after.height - terms - strip, stage_acts.least(room.scene)
    idle = stage_acts.takes_last_row(room, free - 1, least)
    if terms == 1 and free - (not idle) < struck:
        terms = 0  # the sums say the same in short
    rest = after.below(terms + strip).without_last(0 if idle else 1)
    outcomes_rows = rows_of_outcomes(room.scene, fight, room.width)
    if len(fight.monsters) == 1 and news > rest.height - outcomes_rows:
        outcomes_rows = min(outcomes_rows, brief)
    acts = stage_acts.rows(rest, outcomes_rows)
    outcomes = rest.below(acts)
    return [
        sums.pane("sums", partial(stage_sums.draw, face=room.face)),
        *([below.part(room.width, 1).pane("bar", stage_sums.bar)] if bar else []),
        *([after.part(room.width, terms).pane("terms", stage_terms.draw)] if terms else []),
        after.below(terms).part(room.width, strip).pane("verdict", stage_verdict.draw),
        *([rest.part(room.width, acts).pane("acts", stage_acts.draw)] if acts else []),
        *([outcomes.pane("outcomes", stage_terms.outcomes)] if outcomes.height > 0 else []),
        *([] if idle else [room.below(room.height - 1).pane("last", _last)]),
    ]


def _last(room: Room) -> None:
    last_row(room, speaking(room.scene))


def _rows_of_terms(below: Room, fight: FightView) -> tuple[int, int]:
    """Return the rows of the terms and of the verdict, below the bar, which is the first row of this room. Outcomes and
    acts get what they need; the verdict gets three rows if there are enough."""
    free = below.height - 1
    read = stage_cards.effective(below.scene) >= 0
    sums = max(len(fight.hero_terms), len(fight.foe_terms), stage_terms.CARD_ROWS if read else 0)
    told = len(outcome_lines(below.scene, fight, below.width)) + stage_acts.wanted(below.scene, below.width)
    outcomes = max(2, min(told, free - 2 - min(4, sums)))
    terms = free - outcomes - 2
    return (terms - 2, 3) if terms > sums + 2 else (terms, 1)


# ------------------------------------------------------------------------------------------------------------ in words
def _words_only(room: Room, fight: FightView) -> None:
    """Draw the fight in a few rows of words."""
    canvas, scene = room.canvas, room.scene
    y = room.y
    ours, theirs = counted(scene, fight)
    sums: Line = (ours, (" : ", "dim"), theirs)
    if room.height > 3:
        left, right = stage_sums.sides(scene, fight, room.width - size(sums, scene) - 2)
        canvas.spans(room.x, y, (*left, ("  ", ""), *sums, ("  ", ""), *right), room.width)
        y += 1
        stage_verdict.draw(room.below(y - room.y).part(room.width, 1))
        y += 1
    else:
        stage_verdict.draw(room.below(y - room.y).part(room.width, 1))
        canvas.spans(room.x, y, sums)
        y += 1
    loss = loss_of(scene, fight, brief=True) if len(fight.monsters) < 2 else short_loss(scene, fight)
    idle = stage_acts.takes_last_row(room)
    rest = room.below(y - room.y).without_last(0 if idle else 1)
    acts = stage_acts.rows(rest, rest.height - 1)
    stage_acts.draw(rest.part(room.width, acts))
    y, rows = y + acts, rest.height - acts
    told = [one_line(scene, fight, room.width), *(flowed(loss, room.width, scene) if rows > 1 else [])]
    card = stage_cards.effective(scene)
    if card >= 0:
        told = flowed(stage_cards.in_words(scene, card, caused=not scene.acts), room.width, scene)
    for line in rows_of(told, rows, room.width, scene, "table.max"):
        canvas.spans(room.x, y, line, room.width)
        y += 1
    if not idle:
        _last(room)


# -------------------------------------------------------------------------------------------------------- names, faces
def _headings(room: Room, fight: FightView) -> None:
    """Write who fights whom, with Levels and tags, above the faces."""
    canvas, scene = room.canvas, room.scene
    right: list[Span] = []
    if len(fight.monsters) == 1:
        monster = fight.monsters[0]
        tags = words.tags_of(scene, monster)
        level = scene.printed(monster.defn).level
        right.append((f"level {level}{' ' + tags if tags else ''} ", "dim"))
    names = stage_sums.monster_names(scene, fight).upper()
    heroes: list[Span] = [person(scene, fight.seat, upper=True)]
    if fight.helper >= 0:
        heroes += [(" + ", "dim"), person(scene, fight.helper, upper=True)]
    else:
        heroes.append((f" level {scene.seat(fight.seat).level}", "dim"))
    left = tuple(heroes)
    if size(left, scene) > room.width - 16 and fight.helper >= 0:
        left = (*left[:2], mark(scene, fight.helper))
    free = room.width - size(left, scene) - 2
    if size((*right, (names, "")), scene) > free:
        right = []
    line = (*right, (shorten(names, free, scene.glyphs), "bold foe"))
    canvas.spans(room.x, room.y, left)
    canvas.spans(room.end - size(line, scene), room.y, line)


def _shown(room: Room, fight: FightView) -> tuple[int, int]:
    """Return how many small faces of each side there is room for beside the sums."""
    wide = FACE_SIZES["small"][0]
    figures = sum(digits.width(str(figure), digits.SMALL) for figure in (fight.heroes, fight.foes))
    spare = (room.width - figures - 4 - stage_sums.MIDDLE - 2 * wide) // wide
    more = min(len(fight.monsters) - 1, max(0, spare))
    heroes = 2 if fight.helper >= 0 else 1
    return min(heroes, 1 + max(0, spare - more)), more + 1


def _small_faces(room: Room, fight: FightView) -> None:
    """Draw the faces of both sides at the ends of the first rows."""
    scene, canvas, wide = room.scene, room.canvas, FACE_SIZES["small"][0]
    left, right = _shown(room, fight)
    for at, seat in enumerate([fight.seat, fight.helper][:left]):
        canvas.face(room.x + at * wide, room.y, player(seat), "small", scene.pixels)
    for at, portrait in enumerate(_portraits(scene, fight.monsters)[:right]):
        canvas.face(room.end - (at + 1) * wide, room.y, portrait, "small", scene.pixels)


def _large_faces(room: Room, fight: FightView, face: str) -> None:
    """Draw the faces of both sides; of several, smaller ones with their strengths."""
    heroes = [seat for seat in (fight.seat, fight.helper) if seat >= 0]
    each = [sum(term.by for term in fight.hero_terms if term.seat == seat) for seat in heroes]
    crowd(room, room.x, room.y, [player(seat) for seat in heroes], face, each)
    strengths = [monster.strength for monster in fight.monsters]
    monsters = _portraits(room.scene, fight.monsters)
    crowd(room, room.end - FACE_SIZES[face][0], room.y, monsters, face, strengths)


def _portraits(scene: Scene, monsters: Sequence[MonsterView]) -> list[Portrait]:
    return [scene.portrait(monster.defn) for monster in monsters]
