"""Running away on the stage: a face for each monster, what the die must show, what being caught costs. Pure."""

from collections.abc import Sequence

from core.state.views import FightView, MonsterView
from tui.scene import fight as words
from tui.scene import sums
from tui.scene.bad_stuff import bad_stuff, brief_bad_stuff
from tui.scene.cells import Line, Span, shorten
from tui.scene.scene import Scene
from tui.widgets.canvas import FACE_SIZES
from tui.widgets.table import stage_acts
from tui.widgets.table.stage_parts import Room, fitting, flowed, last_row, person, size, speaking, strip, write


def draw(room: Room) -> None:
    """Draw the run: its heading, a block for each monster, the odds for all together."""
    scene = room.scene
    fight = scene.fight
    if fight is None:
        return
    seat = words.runner(scene)
    few = room.height <= stage_acts.FEW and stage_acts.takes_last_row(room)
    body = room if few else room.without_last(1)
    if room.height >= 12:
        write(body, body.y, _heading(scene, fight, seat))
        body = body.below(2 if room.height >= 18 else 1)
    if scene.view.throw is not None and body.height > 2:
        strip(body, body.y, throw_texts(scene), "on-gold on gold")
        body = body.below(1)
    body = body.below(stage_acts.told_first(body, body.height - 1 if few else max(2, body.height // 4)))
    if len(fight.monsters) > 1 and body.height > len(fight.monsters):
        canvas_y = body.bottom - 1
        room.canvas.spans(room.x, canvas_y, _together(scene, fight, seat, room.width), room.width)
        body = body.without_last(1)
    _blocks(body, fight.monsters, seat)
    if not few:
        last_row(room, speaking(scene))


def _heading(scene: Scene, fight: FightView, seat: int) -> Line:
    """Return who has lost and how, and what is added to their die."""
    verb = " run" if seat == scene.me else " runs"
    spans: list[Span] = [("lost ", "dim"), (f"{fight.heroes} : {fight.foes}", "bold"), ("  ", "")]
    spans += [person(scene, seat), (f"{verb} away", "")]
    own = scene.seat(seat).run
    once = any(one.spends for one in fight.flights if one.seat == seat)
    which = "the next roll" if once else "each roll"
    spans.append((f"  {own:+d} to {which}" if own else "", "hero" if own > 0 else "foe"))
    return tuple(spans)


def throw_texts(scene: Scene) -> list[str]:
    """Return the die that may be thrown again, the longest form first."""
    throw = scene.view.throw
    if throw is None:
        return [""]
    name = "You" if throw.seat == scene.me else scene.name(throw.seat)
    rolled = f"{name} rolled {throw.number}"
    if throw.monster:
        total = f", {throw.total} in all" if throw.total != throw.number else ""
        need = f", needs {throw.need}" if throw.seat != scene.me else f", need {throw.need}"
        return [f"{rolled}{total}{need}: it may be thrown again", f"{rolled}{total}{need}", f"{rolled}{total}"]
    what = f" for {scene.printed(throw.defn).name}" if throw.defn >= 0 else ""
    what += f" on {scene.who(throw.on)}" if throw.on >= 0 else ""
    return [f"{rolled}{what}: it may be thrown again", f"{rolled}: it may be thrown again", rolled]


def _blocks(room: Room, monsters: Sequence[MonsterView], seat: int) -> None:
    """Draw a block for each monster, all of the same height: with large faces, small ones, or none."""
    number = len(monsters)
    if not number or room.height < 1:
        return
    rows = room.height // number
    if rows >= FACE_SIZES["double"][1] and room.width >= 56:
        face = "double"
    elif rows >= FACE_SIZES["large"][1] and room.width >= 40:
        face = "large"
    elif rows >= FACE_SIZES["small"][1]:
        face = "small"
    else:
        face = ""
    shown = monsters if rows else monsters[: room.height - 1]
    each = max(1, rows)
    for at, monster in enumerate(shown):
        high = each if at < number - 1 or not rows else room.height - at * each
        block = room.below(at * each).part(room.width, high)
        if face:
            _pictured(block, monster, seat, face)
        else:
            _brief(block, monster, seat)
    if len(shown) < number:
        write(room, room.bottom - 1, ((f"and {number - len(shown)} more", "foe"),))


def _pictured(room: Room, monster: MonsterView, seat: int, face: str) -> None:
    """Draw a block with a face: name, what the die must show, the boxes, the chance, what being caught costs."""
    scene, canvas = room.scene, room.canvas
    wide, rows = FACE_SIZES[face]
    canvas.face(room.x, room.y, scene.portrait(monster.defn), face, scene.pixels)
    side = room.beside(wide + 2)
    escaped = words.outcome(scene, seat, monster)
    name: Span = (scene.monster(monster.id), "bold foe")
    numbers = (_strength(scene, monster), str(monster.strength))
    titles: list[Line] = [*((name, (f"  {words}", "dim")) for words in numbers), (name,)]
    on = _done(scene, seat, monster) or _away(scene, seat, monster, side.width)
    if rows >= FACE_SIZES["large"][1]:
        y = write(side, side.y, fitting(titles, side.width, scene))
        y = write(side, y + 1, on)
        y = max(_boxes(side, y, seat, monster, apart=True), y + 2) if escaped is None else y + 1
    else:
        brief = on if escaped is not None else ((" away ", "dim"), (words.brief_odds(scene, seat, monster), "bold"))
        ways: list[Line] = [(*title, *odds) for title in titles for odds in (on, brief)]
        ways.append(((shorten(name[0], side.width - size(brief, scene), scene.glyphs), name[1]), *brief))
        y = write(side, side.y, fitting(ways, side.width, scene), 1)
        y = _boxes(side, y, seat, monster) if escaped is None else y
    if escaped:
        return
    _caught(side, y, monster, side.bottom - y - (1 if rows > 4 and room.height > rows else 0))


def _strength(scene: Scene, monster: MonsterView) -> str:
    """Return the strength of a monster, and what it is made of: `19 = 14 + 5`."""
    made = sums.made_of(scene, monster)[-1]
    return str(monster.strength) if made == str(monster.strength) else f"{monster.strength} = {made}"


def _away(scene: Scene, seat: int, monster: MonsterView, width: int) -> Line:
    """Return what the die must show, without the chance, which stands beside the die; and whose die, if two run."""
    two = scene.fight is not None and scene.fight.helper >= 0
    whose: list[Line] = [((" ", ""), person(scene, seat), (" away ", "dim"))] if two else []
    forms = words.away_words(scene, seat, monster)
    if words.later(scene, seat, monster) is None:
        forms = [words.on_words(words.need(scene, seat, monster))]
    begins = (*whose, ((" away ", "dim"),))
    return fitting([(*begin, (form, "bold")) for form in forms for begin in begins], width, scene)


def _done(scene: Scene, seat: int, monster: MonsterView) -> Line:
    """Return what came of running from a monster; empty if the seat has not run from it yet."""
    escaped = words.outcome(scene, seat, monster)
    if escaped is None:
        return ()
    good, bad = ("ok", "no") if scene.glyphs.ascii else ("✓", "✗")
    return (((f" {good} escaped" if escaped else f" {bad} caught"), "bold hero" if escaped else "bold foe"),)


def _boxes(room: Room, y: int, seat: int, monster: MonsterView, apart: bool = False) -> int:
    """Draw the six sides of the die with those that escape filled, the chance and what changes it; return the row after
    them. If no roll decides, write why. apart: whether what changes it may have a row of its own."""
    scene, x = room.scene, room.x
    needed, causes = words.need(scene, seat, monster), words.run_causes(scene, seat, monster)
    if causes and not 1 < needed <= 6:
        sure, tone = ("sure to get away", "bold hero") if needed <= 1 else ("no roll gets away", "bold foe")
        forms: list[Line] = [((sure, tone), (f": {why}", "")) for why in causes]
        return write(room, y, fitting([*forms, ((sure, tone),)], room.width, scene))
    for side in range(1, 7):
        wins = side >= needed
        text = f"[{side}]" if wins else f" {side} "  # colours alone would not tell them apart
        x = room.canvas.put(x, y, text, "bold on-good on good" if wins else "dim on tile2")
    share = words.percent(words.chance(needed))
    tone = "bold hero" if needed <= 4 else "bold foe"
    ways: list[Line] = [((share, tone), (f" to get away: {why}", "dim")) for why in causes]
    ways += [((share, tone), (f", {why}", "dim")) for why in causes]
    ways += [((share, tone), (" to get away", "dim")), ((share, tone),)]
    told = fitting(ways, room.end - x - 2, scene)
    room.canvas.spans(x + 2, y, told)
    if apart and causes and told in ways[-2:]:
        return write(room, y + 1, fitting([((f"with {why}", "dim"),) for why in causes], room.width, scene))
    return y + 1


def _brief(room: Room, monster: MonsterView, seat: int) -> None:
    """Write a monster in up to three rows without a face."""
    scene = room.scene
    told = words.away_words(scene, seat, monster)
    if len(told) == 1:
        told = words.caused(told[0], words.run_causes(scene, seat, monster))
    forms: list[Line] = [((form, "bold"),) for form in told]
    odds = _done(scene, seat, monster) or fitting(forms, room.width // 2, scene)
    free = room.width - size(odds, scene) - 2
    name: Line = ((scene.monster(monster.id), "bold foe"),)
    room.canvas.spans(room.x, room.y, fitting([name], free, scene), free)
    room.canvas.spans(room.end - size(odds, scene), room.y, odds)
    if words.outcome(scene, seat, monster):
        return
    _caught(room, room.y + 1, monster, room.height - 1)


def _caught(room: Room, y: int, monster: MonsterView, rows: int) -> None:
    """Write what being caught costs into this many rows, in few words if it needs more."""
    scene = room.scene
    stuff = bad_stuff(scene, monster.defn)
    if len(flowed((("caught: " + stuff, ""),), room.width, scene)) > rows:
        stuff = brief_bad_stuff(scene, monster.defn)
    write(room, y, (("caught: ", "foe"), (stuff, "")), rows, opens="table.max")


def _together(scene: Scene, fight: FightView, seat: int, width: int) -> Line:
    """Return the odds for all monsters together that the seat still has to run from."""
    left = words.left(scene, seat)
    if len(left) < 2:
        return ()
    none, *some, every = words.together(scene, seat, left)
    part = sum(some)
    return fitting([
        (("away from all ", "dim"), (words.percent(every), "bold"), ("   from some ", "dim"),
         (words.percent(part), "bold"), ("   from none ", "dim"), (words.percent(none), "bold foe")),
        (("away from all ", "dim"), (words.percent(every), "bold"), (", some ", "dim"), (words.percent(part), "bold"),
         (", none ", "dim"), (words.percent(none), "bold foe")),
        (("all ", "dim"), (words.percent(every), "bold"), ("  none ", "dim"), (words.percent(none), "bold foe")),
    ], width, scene)  # fmt: skip
