"""The strip of acts on the stage: who did what to the fight, and what became of the sums; before the first act, what
has happened since the reader acted last. Pure."""

from rich.cells import cell_len

from tui.scene.acts import Act
from tui.scene.cells import Line, Span, shorten
from tui.scene.scene import Scene
from tui.scene.since import weighty
from tui.widgets.table.stage_parts import Room, clock_line, flowed, person, rows_of, size, speaking

SHOWN = 4
"""So many acts are shown at once, where there is room."""


def rows(room: Room, needed: int) -> int:
    """Return how many rows of this room, which is below the verdict, the acts get. needed: rows that the rest of it
    would take. Acts get what that leaves free, and the newest one has a row in any case."""
    if room.height < 1:
        return 0
    told = len(room.scene.acts) or len(_news(room))
    return min(told, SHOWN, max(1, room.height - needed))


def takes_last_row(room: Room, free: int = 0, needed: int = 0) -> bool:
    """Return whether the last row of the stage gives way to acts, if it would only say that this player is waited for;
    or to what losing costs and winning brings. No clock runs then: the prompt says who is waited for or may speak.
    free, needed: the rows above the last one that these have, and those that they would take."""
    scene = room.scene
    if room.clock.full > 0:
        return False
    mine = scene.me >= 0 and speaking(scene)[:1] == [(("waits for ", "dim"), person(scene, scene.me))]
    if scene.acts and mine and not clock_line(scene, room.clock):
        return True
    held = scene.view.window is not None and scene.view.window.holder >= 0
    return scene.me >= 0 and not held and needed > free >= 0


def draw(room: Room) -> None:
    """Draw the newest acts, one in each row, the newest last and bright."""
    scene = room.scene
    if room.height < 1:
        return
    if not scene.acts:
        for at, told in enumerate(rows_of(_news(room), room.height, room.width, scene, "table.recap"), room.y):
            room.canvas.spans(room.x, at, told, room.width)
        return
    acts = scene.acts[-room.height :]
    for at, act in enumerate(acts, room.bottom - len(acts)):
        room.canvas.spans(room.x, at, line(scene, act, room.width, newest=act is scene.acts[-1]), room.width)


def _news(room: Room) -> list[Line]:
    """Return what has happened since the reader acted last, before anybody does something to the fight that is on: what
    touched them, Levels, deaths."""
    found = [one for one in room.scene.since if weighty(one)]
    if not found:
        return []
    spans: list[Span] = [("since your last move: ", "dim")]
    spans += [(f"{one.text}. ", "bold" if one.yours else "") for one in found]
    return flowed(tuple(spans), room.width, room.scene, 2)


def line(scene: Scene, act: Act, width: int, newest: bool = True) -> Line:
    """Return an act in one row: `▲ Hush plays Reanimated on the Thing  18:16 → 18:19`; in a narrow one only the sums
    after it."""
    who, words = _who(scene, act)
    sums = _sums(scene, act, newest)
    free = width - size((who, *sums), scene) - 2
    if sums and cell_len(words) > free:
        sums = sums[1:]
        free = width - size((who, *sums), scene) - 2
    told: Line = (who, (shorten(words, max(1, free), scene.glyphs), "" if newest else "dim"))
    return (*told, (" " * max(1, width - size((*told, *sums), scene)), ""), *sums)


def _who(scene: Scene, act: Act) -> tuple[Span, str]:
    """Return who did an act, and the rest of its sentence."""
    if act.seat < 0:
        return ("", ""), act.said
    name = "You" if act.seat == scene.me else scene.name(act.seat)
    words = act.said.removeprefix(name)
    return person(scene, act.seat), words if words != act.said else f": {words}"


def _sums(scene: Scene, act: Act, newest: bool) -> Line:
    """Return the sums before and after an act; nothing if they stay."""
    if act.before == act.after:
        return ()
    arrow = "->" if scene.glyphs.ascii else "→"
    tone = "hero" if act.helps_heroes > 0 else "foe"
    old, new = (f"{heroes}:{foes}" for heroes, foes in (act.before, act.after))
    return ((f"{old} ", "dim"), (f"{arrow} ", "dim"), (new, f"bold {tone}" if newest else tone))
