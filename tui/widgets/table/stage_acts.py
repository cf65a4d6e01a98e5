"""The strip of acts on the stage: who did what to the fight, and what became of the sums; before the first act, what
has happened since the reader acted last. Pure."""

from collections.abc import Sequence

from rich.cells import cell_len

from tui.scene.acts import Act
from tui.scene.cells import Line, Span, shorten
from tui.scene.doers import BOT
from tui.scene.gear import noun, with_noun
from tui.scene.scene import LogLine, Scene, shape
from tui.scene.since import DIE, always_told, sentence, sentences, strikes, weighty
from tui.widgets.table.stage_parts import (
    Room,
    clock_line,
    flowed,
    further,
    listed_rows,
    person,
    rows_of,
    size,
    speaking,
    whole,
)

RECAP = "table.recap"
"""The binding of the key that shows all that has happened."""

SHOWN = 4
"""The most rows of the strip."""
LEAST_WORDS = 12
"""The least cells of the words of an act beside the sums before and after it."""
NAME_CELLS = 8
"""A fighter with a longer name is named by their shape beside sums."""
FEW = 5
"""A stage with at most this many rows tells what has happened rather than who may speak."""


def rows(room: Room, needed: int) -> int:
    """Return how many rows the strip gets of this room below the verdict. needed: rows for everything else there. The
    strip gets the rows that are left, and in any case one for the newest act and one for what has struck the player."""
    if room.height < 1:
        return 0
    lines = len(_lines(room))
    return min(lines, SHOWN, room.height, max(least(room.scene), room.height - needed))


def least(scene: Scene) -> int:
    """Return the least rows of the strip: one for the newest act, one for what has struck the player."""
    return bool(scene.acts) + bool(_apart(scene))


def wanted(scene: Scene, width: int) -> int:
    """Return how many rows the strip would fill."""
    return min(SHOWN, len(scene.acts) + _rows_of_struck(scene, width))


def news(scene: Scene, width: int) -> int:
    """Return how many rows the strip would fill with what has come since the player's last move, and at least the
    newest act."""
    return min(SHOWN, max(bool(scene.acts), len(_new(scene))) + _rows_of_struck(scene, width))


def _rows_of_struck(scene: Scene, width: int) -> int:
    """Return how many rows what is told apart from the acts would fill."""
    return len(flowed(tuple((f" {sentence(one)}", "bold") for one in _apart(scene)), width, scene))


def only_mine(room: Room) -> bool:
    """Return whether the last row would only say that the table waits for this player, which the prompt says too."""
    scene = room.scene
    mine = scene.me >= 0 and speaking(scene)[:1] == [(("waits for ", "dim"), person(scene, scene.me))]
    return mine and not clock_line(scene, room.clock)


def takes_last_row(room: Room, free: int = 0, needed: int = 0) -> bool:
    """Return whether the last row of the stage, which says who may speak, gives way to other lines: never while a clock
    runs, or the game is paused. It gives way to the strip if it says only what the prompt says too, or if there are
    hardly any rows, and to the lines above it if they need more rows (needed) than they have (free) and nobody holds
    the window."""
    scene = room.scene
    if room.clock.full > 0 or scene.info.stage == "paused":
        return False
    told = bool(scene.acts) or bool(_apart(scene))
    if told and (only_mine(room) or (room.height <= FEW and not clock_line(scene, room.clock))):
        return True
    held = scene.view.window is not None and scene.view.window.holder >= 0
    return scene.me >= 0 and not held and needed > free >= 0


def draw(room: Room) -> None:
    """Draw what has struck the player, then the newest acts, one in each row, the newest last and bright; before the
    first act, what else has happened."""
    if room.height < 1:
        return
    for at, told in enumerate(_lines(room), room.y):
        room.canvas.spans(room.x, at, told, room.width)


def told_first(room: Room, most: int, but: frozenset[str] = frozenset()) -> int:
    """Draw what has struck the player, the dice of this turn, and the acts since the player's last move, at the top of
    a room in so many rows at most; return how many it takes. but: what is told beside it."""
    scene = room.scene
    new = [act for act in _new(scene) if act.said not in but]
    shown = _told(scene, _struck(scene, but | {act.said for act in new}), new, room.width, most)
    for at, told in enumerate(shown, room.y):
        room.canvas.spans(room.x, at, told, room.width)
    return len(shown)


def told_since(scene: Scene, rows: int, width: int) -> list[Line]:
    """Return what has happened since the player acted last, what matters most first, in at most so many rows."""
    if not scene.since:
        return []
    spans: list[Span] = [("since your last move:", "dim")]
    spans += [(f" {sentence(one)}", "bold" if strikes(one, scene.me) else "") for one in scene.since]
    return listed_rows(spans, rows, width, scene, RECAP)


def _lines(room: Room) -> list[Line]:
    """Return the rows of the strip, as many as this room has at most."""
    scene = room.scene
    told = _told(scene, _apart(scene), scene.acts, room.width, room.height)
    news = _news(room) if not scene.acts else []
    return [*told, *rows_of(news, room.height - len(told), room.width, scene, RECAP)]


def _told(scene: Scene, struck: Sequence[LogLine], acts: Sequence[Act], width: int, height: int) -> list[Line]:
    """Return what has struck the player, then the acts, each in one row, in so many rows at most: the newest act has
    one in any case. What came since the player's last move and has no room is counted, beside the key that shows it."""
    if height < 1:
        return []
    spans = _sentences(scene, struck, width, height - min(len(acts), max(1, len(_new(scene)))))
    rows = flowed(tuple(spans), width, scene)
    kept = min(len(rows), height - bool(acts))
    shown = acts[max(0, len(acts) - height + kept) :]
    if not shown:
        return listed_rows(spans, kept, width, scene, RECAP)
    new = sum(1 for act in _new(scene) if not any(act is one for one in shown))
    left = new + len(spans) - whole(spans, kept, width, scene, "")
    ends = further(scene, left, RECAP) if left else ()
    drawn = [line(scene, act, width, newest=act is acts[-1]) for act in shown[:-1]]
    newest = (*line(scene, shown[-1], width - size(ends, scene)), *ends)
    return [*rows_of(rows, kept, width, scene), *drawn, newest]


def _sentences(scene: Scene, told: Sequence[LogLine], width: int, rows: int) -> list[Span]:
    """Return lines as sentences, in their longest form that fits into so many rows, else in their shortest."""
    every = [sentences(one) for one in told]
    forms = [
        [(f" {one[min(at, len(one) - 1)]}", "bold") for one in every] for at in range(max(map(len, every), default=1))
    ]
    return next((form for form in forms if len(flowed(tuple(form), width, scene)) <= rows), forms[-1])


def _new(scene: Scene) -> list[Act]:
    """Return the acts since the player's last move."""
    told = {one.text for one in scene.since if one.about != DIE}
    return [act for act in scene.acts if act.said in told]


def _apart(scene: Scene) -> list[LogLine]:
    """Return what is told in addition to the acts of the fight."""
    return _struck(scene, frozenset(act.said for act in scene.acts))


def _struck(scene: Scene, but: frozenset[str]) -> list[LogLine]:
    """Return what has struck the player since their last move, the acts of fights that are over, and the dice of this
    turn. but: what is already told as an act of this fight. A die is always told here: it has too many numbers for an
    act."""
    turn = f"{scene.view.turn_no}."
    return [
        one for one in scene.since
        if (one.about == DIE and (one.step.startswith(turn) or one.seat == scene.me))
        or (always_told(one, scene.me) and one.about != DIE and one.text not in but)
    ]  # fmt: skip


def _news(room: Room) -> list[Line]:
    """Return the Levels and deaths of others since the reader acted last."""
    scene = room.scene
    struck = _apart(scene)
    found = [one for one in scene.since if weighty(one, scene.me) and one not in struck]
    if not found:
        return []
    spans = [("since your last move: ", "dim"), *((f"{sentence(one)} ", "") for one in found)]
    return flowed(tuple(spans), room.width, scene, 2)


def line(scene: Scene, act: Act, width: int, newest: bool = True) -> Line:
    """Return an act in one row: `▲ Hush plays Reanimated on the Thing  you 18:16 → 18:19`. A narrow row has no
    words that say whose sums these are, then briefer words. What is still too long is cut; the sums before the act are
    left out only if hardly anything of its words would be left."""
    who, words = _who(scene, act)
    every = _sums(scene, act, newest)
    forms = [(text, sums) for text in _briefer(scene, act, words) for sums in every[:-1] or every]
    fitting = (form for form in forms if cell_len(form[0]) + size((who, *form[1]), scene) + 2 <= width)
    text, sums = next(fitting, forms[-1])
    if width - size((who, *sums), scene) - 2 < min(LEAST_WORDS, cell_len(text)):
        sums = every[-1]
    free = width - size((who, *sums), scene) - 2
    told: Line = (who, (shorten(text, max(1, free), scene.glyphs), "" if newest else "dim"))
    return (*told, (" " * max(1, width - size((*told, *sums), scene)), ""), *sums)


def _briefer(scene: Scene, act: Act, words: str) -> list[str]:
    """Return the words of an act after the name of whoever did it, the longest form first: its card in place of the
    sentence, the card's noun in the sentence, the noun alone. The card that has asked for another one stays as a noun,
    since it says why the sums change; where that is the player's own, it gives way to the name of what they lose."""
    card = scene.printed(act.card).name if act.card >= 0 and act.seat >= 0 else ""
    brief = with_noun(words)
    if brief != words:
        lost = words.rpartition(" (")[0] if act.seat == scene.me else brief.replace(card, noun(card)) if card else brief
        return [words, brief, lost]
    return [words, *([f": {card}", words.replace(card, noun(card)), f": {noun(card)}"] if card else [])]


def _who(scene: Scene, act: Act) -> tuple[Span, str]:
    """Return who did an act, and the rest of its sentence."""
    if act.seat < 0:
        return ("", ""), act.said
    if act.seat == scene.me and act.said.startswith(BOT):
        return (f"{shape(act.seat, scene.glyphs.ascii)} {BOT}", person(scene, act.seat)[1]), act.said.removeprefix(BOT)
    name = "You" if act.seat == scene.me else scene.name(act.seat)
    words = act.said.removeprefix(name)
    return person(scene, act.seat), words if words != act.said else f": {words}"


def _sums(scene: Scene, act: Act, newest: bool) -> list[Line]:
    """Return the sums before and after an act, the longest form first: the heroes' ones stand first, and are named as
    the player's or the fighter's. Nothing if they stay."""
    if act.before == act.after:
        return [()]
    arrow = "->" if scene.glyphs.ascii else "→"
    tone = "hero" if act.helps_heroes > 0 else "foe"
    old, new = (f"{heroes}:{foes}" for heroes, foes in (act.before, act.after))
    then: Line = ((f"{arrow} ", "dim"), (new, f"bold {tone}" if newest else tone))
    both: Line = ((f"{old} ", "dim"), *then)
    fight = scene.fight
    if fight is None:
        return [both, then]
    mine = scene.me in (fight.seat, fight.helper)
    name = "you" if mine else scene.name(fight.seat)
    if len(name) > NAME_CELLS:
        name = shape(fight.seat, scene.glyphs.ascii)
    named: Line = ((f"{name} ", "dim"), *both)
    return [named, both, then]
