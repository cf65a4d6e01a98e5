"""The sums of a fight in large digits with the margin between them, and the tug-of-war bar. Pure."""

from core.state.views import FightView
from tui.scene import fight as words
from tui.scene.cells import Line, shorten
from tui.scene.motion import share_of
from tui.scene.scene import Scene
from tui.widgets import digits
from tui.widgets.table.stage_parts import Room, counted, mark, person, size

DIGITS = {"double": digits.DOUBLE, "large": digits.LARGE, "small": digits.SMALL}
"""The largest digits beside faces of a size."""
SMALLER = {digits.DOUBLE: digits.MEDIUM, digits.MEDIUM: digits.LARGE, digits.LARGE: digits.SMALL}
APART = 5
"""The cells between two large sums, so that they are not read as one number."""
MIDDLE = 12
"""The least cells between the sums beside small faces, for the words of the margin."""

# --------------------------------------------------------------------------------------------------------------- names
def sides(scene: Scene, fight: FightView, width: int) -> tuple[Line, Line]:
    """Return the names of both sides in `width` cells; those of players are never cut: a helper's may be the shape."""
    heroes: Line = (person(scene, fight.seat),)
    if fight.helper >= 0:
        heroes = (*heroes, (" + ", "dim"), person(scene, fight.helper))
        if size(heroes, scene) > width - 8:
            heroes = (*heroes[:2], mark(scene, fight.helper))
    room = max(1, width - size(heroes, scene))
    return heroes, ((shorten(monster_names(scene, fight), room, scene.glyphs), "bold foe"),)


def monster_names(scene: Scene, fight: FightView) -> str:
    """Return the names of all monsters: `Glampire, Glampire #2, Grammar Grue`."""
    return ", ".join(scene.monster(monster.id) for monster in fight.monsters) or "nobody"




# ---------------------------------------------------------------------------------------------------------------- sums
def draw(room: Room, face: str) -> None:
    """Draw both sums with the margin in a room between the faces of this size."""
    fight = room.scene.fight
    if fight is None:
        return
    if face == "small":
        _beside_small_faces(room, fight)
    else:
        _beside_large_faces(room, fight, DIGITS[face])


def _arrow(scene: Scene, fight: FightView) -> tuple[str, str]:
    """Return the arrow towards the side that is ahead, and its style."""
    ahead, behind = ("<", ">") if scene.glyphs.ascii else ("◀", "▶")
    return (ahead, "bold hero") if fight.winning else (behind, "bold foe")


def _beside_small_faces(room: Room, fight: FightView) -> None:
    """Draw the sums at both ends with the margin in between, and the names below."""
    canvas, scene = room.canvas, room.scene
    ours, theirs = counted(scene, fight)
    start = canvas.digits(room.x, room.y, *ours, digits.SMALL)
    end = room.end - digits.width(theirs[0], digits.SMALL)
    canvas.digits(end, room.y, *theirs, digits.SMALL)
    lead, by = words.margin_words(fight)
    arrow, tone = _arrow(scene, fight)
    canvas.centre(start, end - start, room.y, f"{arrow} {lead}" if fight.winning else f"{lead} {arrow}", tone)
    canvas.centre(start, end - start, room.y + 1, by, tone)
    left, right = sides(scene, fight, room.width - 2)
    canvas.spans(room.x, room.y + 3, left)
    canvas.spans(room.end - size(right, scene), room.y + 3, right)


def _beside_large_faces(room: Room, fight: FightView, height: int) -> None:
    """Draw the sums side by side, as large as there is room, and the margin below."""
    canvas, scene = room.canvas, room.scene
    ours, theirs = counted(scene, fight)
    while height in SMALLER and digits.width(ours[0], height) + digits.width(theirs[0], height) + APART > room.width:
        height = SMALLER[height]
    top = room.y + (room.height - height) // 2
    free = room.width - digits.width(ours[0], height) - digits.width(theirs[0], height)
    gap = max(1, min(APART, free))
    start = canvas.digits(room.x + (free - gap) // 2, top, *ours, height)
    canvas.digits(start + gap, top, *theirs, height)
    text = " ".join(words.margin_words(fight))
    arrow, tone = _arrow(scene, fight)
    text = f"{arrow} {text}" if fight.winning else f"{text} {arrow}"
    canvas.centre(room.x, room.width, top + height, text, tone)


def bar(room: Room) -> None:
    """Draw the tug-of-war bar: each side has its share of both sums."""
    fight = room.scene.fight
    if fight is None:
        return
    share = room.scene.moving.share
    share = share_of(fight.heroes, fight.foes) if share is None else share
    room.canvas.bar(room.x, room.y, room.width, share, "hero", "foe")
