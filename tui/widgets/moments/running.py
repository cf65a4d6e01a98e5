"""A fight that is lost: from whom one must run, at what odds, and what being caught by each monster costs. Pure."""

from collections import Counter
from collections.abc import Callable, Sequence

from core.state.views import MonsterView
from tui.scene.cells import Line
from tui.scene.fight import chance, later, need, odds_words, percent, together
from tui.scene.moments import Moment
from tui.scene.scene import Scene
from tui.widgets.canvas import FACE_SIZES, Canvas
from tui.widgets.cards.printed import BAD_STUFF
from tui.widgets.moments.page import Body, Picture, portraits, texts, who

SIDES = range(1, 7)


def run_body(scene: Scene, moment: Moment) -> Body:
    """Return what a lost fight shows to whoever runs, or to the others about the fighter."""
    fight = scene.fight
    assert fight is not None
    heroes = [seat for seat in (fight.seat, fight.helper) if seat >= 0]
    runner = scene.me if scene.me in heroes else fight.seat

    def beside(width: int) -> list[Line]:
        lines: list[Line] = [_lead(scene, runner, fight.heroes, fight.foes), ()]
        for monster in fight.monsters:
            lines += [*_one(scene, runner, monster, width), ()]
        return [*lines, *_costs(scene, fight.monsters, width)]

    def below(width: int) -> list[Line]:
        return [_all(together(scene, runner, fight.monsters))] if len(fight.monsters) > 1 else []

    pictures = _faces(scene, [monster.defn for monster in fight.monsters])
    return Body("RUN AWAY", beside, pictures, below, colour="foe", heavy=True)


def _faces(scene: Scene, cards: Sequence[int]) -> tuple[Picture, ...]:
    """Return the faces of the monsters: a large one alone, several below each other in the order of their names."""
    if len(cards) < 2:
        return portraits(scene, cards[0], ("large", "small")) if cards else ()
    columns, rows = FACE_SIZES["small"]

    def painter(step: int) -> Callable[[Canvas, int, int], None]:
        def paint(canvas: Canvas, x: int, y: int) -> None:
            for at, card in enumerate(cards):
                canvas.face(x, y + at * step, scene.portrait(card), "small", scene.pixels)

        return paint

    return tuple(Picture(columns, (len(cards) - 1) * step + rows, painter(step)) for step in (rows + 1, rows))


def _lead(scene: Scene, runner: int, heroes: int, foes: int) -> Line:
    verb = "lose" if runner == scene.me else "loses"
    sums: Line = ((str(heroes), "bold hero"), (" : ", "dim"), (str(foes), "bold foe"))
    return (*who(scene, runner), (f" {verb} ", ""), *sums, (" and must run", ""))


def _one(scene: Scene, runner: int, monster: MonsterView, width: int) -> list[Line]:
    """Return a monster, the numbers of the die with those that escape filled, and the chance; where a bonus counts for
    the first monster only, also what counts later."""
    name = texts(scene, scene.monster(monster.id), width, "bold foe", rows=1)
    needed, after = need(scene, runner, monster), later(scene, runner, monster)
    words = "away for sure" if needed <= 1 else "no escape" if needed > 6 else f"away on {needed}+"
    words += " if first" if after is not None else ""
    then: list[Line] = [((f"later {odds_words(after)}", "dim"),)] if after is not None else []
    boxes: list[tuple[str, str]] = []
    for number in SIDES:
        good = number >= needed
        box = f"[{number}]" if good else f" {number} "  # colours alone would not tell them apart
        boxes.append((box, "bold on-good on good" if good else "dim on tile"))
    tone = "bold hero" if needed <= 4 else "bold foe"
    share: Line = (("  ", ""), (percent(chance(needed)), tone), (f"  {words}", ""))
    return [*name, (*boxes, *share), *then]


def _costs(scene: Scene, monsters: Sequence[MonsterView], width: int) -> list[Line]:
    """Return what being caught costs, once for all monsters of the same name."""
    lines: list[Line] = []
    kinds = Counter(monster.defn for monster in monsters)
    for defn in kinds:
        card = scene.printed(defn)
        bad = card.text.partition(BAD_STUFF)[2].strip()
        whose = f" by {card.name}" if len(kinds) > 1 else ""
        if bad:
            lines += [((f"Caught{whose}:", "foe"),), *texts(scene, bad, width)]
    return lines


def _all(shares: Sequence[float]) -> Line:
    """Return the chances for all monsters together."""
    number = len(shares) - 1
    spans: list[tuple[str, str]] = []
    for many in range(number, -1, -1):
        every = "both" if number == 2 else f"all {number}"
        words = f"away from {every}" if many == number else "none" if many == 0 else str(many)
        spans += [(f"{words} ", "dim"), (f"{percent(shares[many])}   ", "bold foe" if many == 0 else "bold")]
    return tuple(spans)
