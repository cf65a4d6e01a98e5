"""What each kind of moment shows: its words and its picture. Pure."""

from collections import Counter
from collections.abc import Callable

from msgspec.structs import replace
from rich.cells import cell_len

from core.knowledge.public_facts import seal_bonuses
from core.state.events import Rolled
from core.state.views import SeatView
from tui.scene import faces
from tui.scene.card_text import facts, kind_word
from tui.scene.cells import Line, Span, count
from tui.scene.dice import about_die
from tui.scene.moments import Kind, Moment
from tui.scene.scene import Scene
from tui.scene.situation import LAST_SEAL
from tui.widgets import digits
from tui.widgets.canvas import FACE_SIZES, Canvas
from tui.widgets.cards.face import colour_of
from tui.widgets.cards.printed import BAD_STUFF
from tui.widgets.moments.die import COLUMNS, ROWS, draw_die, face_at
from tui.widgets.moments.page import Body, Motion, Picture, changed, players, portraits, texts, who
from tui.widgets.moments.running import run_body

DOOR_MS, DIE_MS = 400, 700
"""How long a door takes to open, and a die to roll (ms)."""


def body_of(scene: Scene, moment: Moment) -> Body:
    """Return what a moment shows. scene: the table right after it."""
    return _BODIES[moment.kind](scene, moment)


def large_number(scene: Scene, text: str, style: str, words: list[Line]) -> list[Line]:
    """Return a number of several rows with up to three lines of words beside it."""
    rows = digits.rows(text, digits.LARGE, scene.glyphs.ascii)
    beside = [(), *words, (), (), ()]
    return [((row, f"bold {style}"), ("  ", ""), *line) for row, line in zip(rows, beside)]


# -------------------------------------------------------------------------------------------------------------- doors
def _door(scene: Scene, moment: Moment) -> Body:
    card = scene.printed(moment.card)
    monster = card.kind == "monster"

    def beside(width: int) -> list[Line]:
        verb = "kick open the door" if moment.seat == scene.me else "kicks open the door"
        lines: list[Line] = [(*who(scene, moment.seat), (f" {verb}", "dim")), (), *_named(scene, moment.card, width)]
        if monster:
            lines += [(), *_odds(scene, moment)]
        own, _, bad = card.text.partition(BAD_STUFF)
        lines += [(), *texts(scene, own.strip(), width)] if own.strip() else []
        lines += [(), ((BAD_STUFF.rstrip(":"), "bold foe"),), *texts(scene, bad.strip(), width)] if bad.strip() else []
        return lines

    return Body(
        "THE DOOR OPENS", beside, portraits(scene, moment.card), lambda width: changed(scene, moment, width),
        colour="foe" if monster else "line", heavy=monster, motion=Motion(DOOR_MS, _leaves),
    )  # fmt: skip


def _leaves(canvas: Canvas, x: int, y: int, picture: Picture, at: float) -> None:
    """Draw the two leaves of a door over the picture, opened by the share `at`."""
    half = picture.columns // 2
    leaf = half - round(half * at)
    for start, edge in ((x, x + leaf - 1), (x + picture.columns - leaf, x + picture.columns - leaf)):
        canvas.fill(start, y, leaf, picture.rows, "dim on tile2")
        if leaf > 0:
            canvas.fill(edge, y, 1, picture.rows, "line on tile2", "|" if canvas.glyphs.ascii else "│")


def _named(scene: Scene, defn: int, width: int) -> list[Line]:
    """Return the name of a card in capitals, then its kind and figures."""
    definition = scene.definition(defn) if defn >= 0 else None
    if definition is None:
        return []
    names = scene.lexicon.of(definition)
    kind = kind_word(definition.card, names)
    what, _, others = facts(definition.card, names).partition(", ")
    figures = f"{what}, {others}".removesuffix(", ")
    if definition.kind == "monster":
        figures = others  # its Level is drawn large
    elif kind.lower() in what.lower().split() or kind.lower() == what.lower():
        kind, figures = what, others  # `wandering monster` says more than `wandering`
    rest = texts(scene, figures, width - len(kind) - 2, "dim", rows=2)
    first = rest[0] if rest else ()
    lines: list[Line] = texts(scene, definition.card.name.upper(), width, "bold")
    lines.append(((kind, f"bold {colour_of(scene, defn)}"), ("  ", ""), *first))
    return lines + [((" " * (len(kind) + 2), ""), *line) for line in rest[1:]]


def _odds(scene: Scene, moment: Moment) -> list[Line]:
    """Return the Level of a monster in large digits, with both sums and how much the fighter lacks."""
    fight = scene.fight
    level = str(scene.printed(moment.card).level or 0)
    if fight is None:
        return large_number(scene, level, "foe", [(("level", "dim"),)])
    sums: Line = ((str(fight.heroes), "bold hero"), (" against ", "dim"), (str(fight.foes), "bold foe"))
    need = fight.foes - fight.heroes + (0 if fight.wins_ties else 1)
    mine = scene.who(moment.seat)
    if fight.winning:
        verdict: Line = ((f"{mine} {'win' if mine == 'you' else 'wins'} as it stands", "hero"),)
    else:
        verdict = ((f"{mine} {'need' if mine == 'you' else 'needs'} ", "dim"), (f"{max(1, need):+d}", "bold"))
    return large_number(scene, level, "foe", [(("level", "dim"),), sums, verdict])


# ------------------------------------------------------------------------------------------------------------- curses
def _curse(scene: Scene, moment: Moment) -> Body:
    definition = scene.definition(moment.card)
    word = scene.lexicon.of(definition).curse

    def beside(width: int) -> list[Line]:
        if moment.by >= 0:
            start: Line = (*who(scene, moment.by), (" to ", "dim"), *who(scene, moment.seat))
        else:
            start = (*who(scene, moment.seat), (", behind the door", "dim"))
        lines: list[Line] = [start, (), *_named(scene, moment.card, width)]
        return [*lines, (), *texts(scene, definition.card.text, width)]

    title = f"{word.upper()} WITHOUT EFFECT" if moment.escaped else f"{word.upper()} STRIKES"
    return Body(
        title, beside, portraits(scene, moment.card), lambda width: changed(scene, moment, width),
        colour="curse", heavy=moment.seat == scene.me and not moment.escaped,
    )  # fmt: skip


# --------------------------------------------------------------------------------------------------------------- dice
def _die(scene: Scene, moment: Moment) -> Body:
    roll = moment.roll
    running = moment.escaped is not None

    def beside(width: int) -> list[Line]:
        start: list[Span] = list(who(scene, moment.seat))
        mine = moment.seat == scene.me
        if running or (roll is not None and roll.monster and moment.card >= 0):
            start += [(" run from " if mine else " runs from ", "dim"), (scene.printed(moment.card).name, "bold foe")]
        elif roll is not None:
            start += [(" roll" if mine else " rolls", "dim"), (f" for {roll.why}" if roll.why else "", "dim")]
            start += [(" on ", "dim"), *who(scene, roll.on)] if roll.on >= 0 else []
        lines: list[Line] = [tuple(start), ()]
        if roll is None:
            return [*lines, *texts(scene, "From this monster nobody can roll to escape.", width)]
        room = min(width, 30)
        for at, one in enumerate(moment.earlier):
            lines.append(_entry(scene, f"{'then' if at else 'first'}, {total_of(one)}", "thrown again", room, "dim"))
        the_die = "the die" if roll.sides == 6 else f"a die of {roll.sides}"
        lines.append(_entry(scene, the_die, str(roll.die), room, "bold"))
        for label, by in roll.adds:
            lines.append(_entry(scene, label, f"{by:+d}", room, "hero" if by > 0 else "foe"))
        if roll.adds:
            lines.append(((scene.glyphs.rule * room, "line"),))
            lines.append(_entry(scene, "together", str(total_of(roll)), room, "bold"))
        if roll.need:
            lines.append(_entry(scene, "needed", str(roll.need), room, "dim"))
        return lines

    def below(width: int) -> list[Line]:
        return [
            *(changed(scene, moment, width) or texts(scene, _nothing(moment), width, "dim")),
            *texts(scene, _meaning(scene, moment), width, "dim", rows=3),
        ]

    pictures: tuple[Picture, ...] = ()
    if roll is not None:
        number, sides = roll.die, roll.sides
        pictures = (Picture(COLUMNS, ROWS, lambda canvas, x, y: draw_die(canvas, x, y, number, sides)),)
    motion = Motion(DIE_MS, _turning(roll.die, roll.sides), hides=True) if roll is not None else None
    strip = ("AWAY" if moment.escaped else "CAUGHT", bool(moment.escaped)) if running else None
    if strip is None and roll is not None and roll.need:
        enough = total_of(roll) >= roll.need
        strip = ("ENOUGH" if enough else "TOO LITTLE", enough)
    title = "RUNNING AWAY" if running else "THE DIE"
    return Body(title, beside, pictures, below, strip, motion=motion)


def _meaning(scene: Scene, moment: Moment) -> str:
    """Return what the number of a die means: what being caught costs, or what the text that rolls makes of it."""
    roll = moment.roll
    if moment.escaped is False:
        bad = scene.printed(moment.card).text.partition(BAD_STUFF)[2].strip()
        return f"{BAD_STUFF} {bad}" if bad else ""
    of_text = roll is not None and not roll.monster and moment.card >= 0
    return about_die(scene.printed(moment.card).text) if of_text else ""


def _nothing(moment: Moment) -> str:
    """Return why nothing follows from the outcome of a die; empty while something may still follow."""
    roll = moment.roll
    if roll is None or moment.escaped is not None or roll.monster or moment.view.top in ("program", "throw"):
        return ""
    total = total_of(roll)
    if not roll.need:
        return f"Nothing happens: nothing follows from {total}."
    return f"Nothing happens: {total} is {'enough' if total >= roll.need else 'too little'}."


def _turning(number: int, sides: int) -> Callable[[Canvas, int, int, Picture, float], None]:
    def paint(canvas: Canvas, x: int, y: int, picture: Picture, at: float) -> None:
        """Draw the face that the die shows while it rolls."""
        canvas.fill(x, y, picture.columns, picture.rows, "")
        draw_die(canvas, x, y, face_at(number, sides, at), sides)

    return paint


def total_of(roll: Rolled) -> int:
    """Return what a roll comes to."""
    return roll.die + sum(by for _, by in roll.adds)


def _entry(scene: Scene, label: str, amount: str, width: int, style: str) -> Line:
    """Return a line of a sum: the label, and the amount at the right."""
    name = texts(scene, label, width - len(amount) - 1, "dim", rows=1)[0][0][0]
    return ((name, "dim"), (" " * (width - cell_len(name) - len(amount)), ""), (amount, style))


# --------------------------------------------------------------------------------------------------- fights and Levels
def _result(scene: Scene, moment: Moment) -> Body:
    """A fight that is won, or that is over without a winner."""
    fight, won = moment.fight, moment.kind == "won"
    names = Counter(scene.printed(one.defn).name for one in fight.monsters) if fight is not None else Counter[str]()
    monsters = [f"{many} {name}" if many > 1 else name for name, many in names.items()]

    def beside(width: int) -> list[Line]:
        verb = "win the fight" if moment.seat == scene.me else "wins the fight"
        lines: list[Line] = [(*who(scene, moment.seat), (f" {verb}", ""))]
        if not won:
            lines = [who(scene, moment.seat), *texts(scene, f"{moment.said}.", width)]
        if fight is not None:
            lines += [
                (),
                (("it stood ", "dim"), (str(fight.heroes), "bold hero"), (" : ", "dim"), (str(fight.foes), "bold foe")),
            ]
        lines += texts(scene, f"against {', '.join(monsters)}", width, "dim") if monsters else []
        return [*lines, (), *changed(scene, moment, width)]

    card = fight.monsters[0].defn if fight is not None and fight.monsters else -1
    pictures = portraits(scene, card, ("large", "small")) if card >= 0 else players(scene, moment.seat)
    title = "THE FIGHT IS WON" if won else "THE FIGHT IS OVER"
    return Body(title, beside, pictures, colour="hero" if won else "gold")


def _level(scene: Scene, moment: Moment) -> Body:
    changes = sorted((one for one in moment.changes if one.levels), key=lambda one: one.seat != scene.me)
    first = changes[0] if changes else None  # the reader's own before all others
    seat, said = (first.seat, first.text) if first is not None else (moment.seat, moment.said)
    old, new = first.levels if first is not None and first.levels is not None else (0, 0)

    def beside(width: int) -> list[Line]:
        words: Line = ((f"level, of {scene.view.win_level}", "dim"),)
        change: Line = ((f"{old} {scene.glyphs.arrow} ", "dim"), (str(new), "bold hero" if new > old else "bold foe"))
        number = large_number(scene, str(new), "hero" if new > old else "foe", [words, change])
        lines: list[Line] = [who(scene, seat), (), *number, (), *texts(scene, f"{said}.", width)]
        rest = replace(moment, changes=tuple(one for one in moment.changes if one is not first))
        return [*lines, *changed(scene, rest, width)]

    return Body(
        "A LEVEL GAINED" if new > old else "A LEVEL LOST", beside, players(scene, seat),
        colour="hero" if new > old else "foe",
    )  # fmt: skip


def _match_point(scene: Scene, moment: Moment) -> Body:
    fight = scene.fight or moment.fight
    called = moment.kind == "called"
    mine = moment.seat == scene.me

    def beside(width: int) -> list[Line]:
        lines: list[Line] = texts(scene, f"{moment.said}.", width, "bold")
        if fight is None:
            return lines
        lines += [(), (("heroes ", "dim"), (str(fight.heroes), "bold hero"), ("   monsters ", "dim"),
                       (str(fight.foes), "bold foe"))]  # fmt: skip
        if called:
            chain = f"this kill {scene.glyphs.arrow} level {fight.win_level} {scene.glyphs.arrow} the game is won"
            lines += [
                (),
                *texts(scene, chain, width, "bold"),
                *texts(scene, "No clock closes it: all must pass.", width),
            ]
        return [*lines, *([()] if moment.changes else []), *changed(scene, moment, width)]

    pictures = players(scene, moment.seat)
    strip = ("MATCH POINT", mine) if called else ("AVERTED", not mine)
    return Body("MATCH POINT", beside, pictures, strip=strip, colour="foe" if called else "hero", heavy=called)


# ------------------------------------------------------------------------------------------------------ death and loot
def _death(scene: Scene, moment: Moment) -> Body:
    body = scene.seat(moment.seat).body

    def beside(width: int) -> list[Line]:
        mine = moment.seat == scene.me
        lines: list[Line] = [(*who(scene, moment.seat), (" die" if mine else " dies", "bold foe")), ()]
        whose = "You keep your" if mine else "The character keeps its"
        kept = f"{whose} Level, {', '.join(kind.lower() for kind in scene.lexicon.kinds)} and what lasts."
        lines += texts(scene, kept, width, "dim")
        lines += [(), ((f"{count(len(body), 'card')} for the others to loot:", ""),)] if body else []
        return lines + texts(scene, ", ".join(scene.title(card) for card in body), width)

    return Body(
        "DEATH", beside, (*_thing(scene, "skull"), *players(scene, moment.seat)),
        lambda width: changed(scene, moment, width), colour="foe", heavy=True,
    )  # fmt: skip


def _looting(scene: Scene, moment: Moment) -> Body:
    def beside(width: int) -> list[Line]:
        whose = "your body" if moment.seat == scene.me else f"the body of {scene.name(moment.seat)}"
        lines: list[Line] = [((f"The others loot {whose}.", "bold"),), ()]
        return [*lines, *changed(scene, moment, width)]

    return Body("LOOTING", beside, players(scene, moment.seat), colour="line")


def _taken(scene: Scene, moment: Moment) -> Body:
    def beside(width: int) -> list[Line]:
        verb = "take from" if moment.by == scene.me else "takes from"
        whom: Line = (("you", "bold foe"),) if moment.seat == scene.me else who(scene, moment.seat)
        lines: list[Line] = [(*who(scene, moment.by), (f" {verb} ", "dim"), *whom)]
        lines += texts(scene, f"through {scene.title(moment.through)}", width, "dim") if moment.through >= 0 else []
        lines.append(())
        if moment.card < 0:
            return [*lines, *texts(scene, "A card, unseen by the others.", width)]
        own = scene.printed(moment.card).text
        return [*lines, *_named(scene, moment.card, width), (), *texts(scene, own, width)]

    pictures = portraits(scene, moment.card, ("large", "small")) if moment.card >= 0 else players(scene, moment.by)
    mine = moment.seat == scene.me
    title = "TAKEN FROM YOU" if mine else "YOU TAKE A CARD" if moment.by == scene.me else "A CARD IS TAKEN"
    return Body(title, beside, pictures, lambda width: changed(scene, moment, width), colour="foe" if mine else "line")


def _swapped(scene: Scene, moment: Moment) -> Body:
    def beside(width: int) -> list[Line]:
        lines = changed(scene, moment, width)
        lines += texts(scene, f"through {scene.title(moment.through)}", width, "dim") if moment.through >= 0 else []
        if moment.card < 0:
            return lines
        own = scene.printed(moment.card).text
        return [*lines, (), *_named(scene, moment.card, width), (), *texts(scene, own, width)]

    pictures = portraits(scene, moment.card, ("large", "small")) if moment.card >= 0 else players(scene, moment.seat)
    title = "A CARD OF YOURS IS SWAPPED" if moment.touches else "CARDS ARE SWAPPED"
    return Body("YOU SWAP CARDS" if moment.by == scene.me >= 0 else title, beside, pictures)


# ------------------------------------------------------------------------------------------------- Seals and the end
def _seal(scene: Scene, moment: Moment) -> Body:
    opened = len(scene.view.seals_open)

    def beside(width: int) -> list[Line]:
        number = f"{opened} of {LAST_SEAL} open: every monster has +{opened}"
        through = texts(scene, f"through {scene.title(moment.through)}", width, "dim") if moment.through >= 0 else []
        lines: list[Line] = [who(scene, moment.seat), *through, (), *_named(scene, moment.card, width)]
        return [*lines, ((number, "foe"),), (), *texts(scene, scene.printed(moment.card).text, width)]

    return Body(
        "A SEAL OPENS", beside, portraits(scene, moment.card), lambda width: changed(scene, moment, width),
        colour="foe", heavy=True,
    )  # fmt: skip


def _victory(scene: Scene, moment: Moment) -> Body:
    winners = scene.view.winners or ([moment.seat] if moment.seat >= 0 else [])

    def beside(width: int) -> list[Line]:
        sealed = len(scene.view.seals_open) >= LAST_SEAL
        cards = seal_bonuses(scene.catalog, scene.view) if sealed else [0] * len(scene.view.seats)
        lines: list[Line] = [*texts(scene, f"{moment.said}.", width, "bold gold"), ()]
        if sealed:
            lines.append((("most from cards wins, then the level", "dim"),))
        def rank(one: SeatView) -> tuple[bool, int, int, int]:
            return one.seat not in winners, -cards[one.seat], -one.level, one.seat

        for seat in sorted(scene.view.seats, key=rank):
            worth = f"  {cards[seat.seat]:+d} from cards," if sealed and not seat.dead else " "
            tone = "bold" if seat.seat in winners else "dim"
            lines.append((*who(scene, seat.seat), (f"{worth} level {seat.level}", tone)))
        return lines

    won = scene.me in winners
    pictures = players(scene, winners[0]) if winners else ()
    strip = ("YOU WIN", True) if won else ("YOU LOSE" if scene.me >= 0 else "THE GAME IS OVER", scene.me < 0)
    title = "VICTORY" if won else "THE GAME IS LOST" if scene.me >= 0 else "THE GAME IS OVER"
    return Body(title, beside, pictures, strip=strip, colour="gold", heavy=True)


def _thing(scene: Scene, name: str) -> tuple[Picture, ...]:
    portrait = faces.thing(name)

    def paint(canvas: Canvas, x: int, y: int) -> None:
        canvas.face(x, y, portrait, "large", scene.pixels)

    return (Picture(*FACE_SIZES["large"], paint),)


_BODIES: dict[Kind, Callable[[Scene, Moment], Body]] = {
    "door": _door, "curse": _curse, "die": _die, "run": run_body, "won": _result, "level": _level,
    "called": _match_point, "averted": _match_point, "death": _death, "looting": _looting, "seal": _seal,
    "victory": _victory, "taken": _taken,
    "swapped": _swapped, "over": _result,
}  # fmt: skip
