"""The fight on the stage: faces, both sums and the bar between them, terms, verdict, what it pays and costs. Pure."""

from collections.abc import Sequence

from core.view import FightView, MonsterView
from tui.menus.offer_text import offer_words, terms_of
from tui.scene import fight as words
from tui.scene.cells import Line, Span, count, shorten
from tui.scene.faces import player
from tui.scene.fight import Row
from tui.scene.motion import share_of
from tui.scene.scene import Scene
from tui.widgets import digits
from tui.widgets.canvas import FACE_SIZES
from tui.widgets.table import stage_cards
from tui.widgets.table.stage_parts import (
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
    strip,
)  # fmt: skip

DIGITS = {"double": digits.DOUBLE, "large": digits.LARGE, "small": digits.SMALL, "": 0}
MIDDLE = 12
"""The least cells between the sums in the small form, for the words of the margin."""


def draw(room: Room) -> None:
    """Draw the fight."""
    fight = room.scene.fight
    if fight is None:
        return
    if not room.face:
        _words_only(room, fight)
    elif room.face == "small":
        _small(room, fight)
    else:
        _large(room, fight)


# --------------------------------------------------------------------------------------------------------- the verdict
def verdict_strip(room: Room, last: int, fight: FightView, rows: int = 1) -> None:
    """Draw the verdict down to the row `last`: band if the game is at stake, good if it is averted."""
    variants, style = verdict_texts(room.scene, fight)
    style = f"reverse {style}" if room.scene.moving.blinks else style
    room.canvas.fill(room.x, last - rows + 1, room.width, rows, style)
    strip(room, last - rows // 2, variants, style)


def verdict_texts(scene: Scene, fight: FightView) -> tuple[list[str], str]:
    """Return the verdict in words, the longest form first, and the style of its strip."""
    arrow, ahead, behind, stop, good = (
        (">", "<", ">", "!", "ok") if scene.glyphs.ascii else ("→", "◀", "▶", "▲", "✓")
    )  # fmt: skip
    name, s = ("YOU", "") if fight.seat == scene.me else (scene.name(fight.seat).upper(), "S")
    short = person(scene, fight.seat)[0][:1]
    paid = f"LEVEL {words.reached(scene)}", count(fight.treasures, "TREASURE", "TREASURES")
    found = words.verdict_of(fight)
    mine = scene.me in (fight.seat, fight.helper)
    by = f"BY {found.by}" if found.by else "A TIE"
    chain = [f"{arrow} {part} " for part in paid]
    if not fight.monsters:
        end = f"  {arrow}  THE GAME ENDS" if fight.match_point else ""
        return [f"{good}  NO MONSTER IS LEFT{end}"], "on-band on band" if end else "on-good on good"
    if found.heroes and fight.match_point:
        game = f"{arrow} WIN{s} THE GAME"
        lines = [f"{stop} {name} WIN{s} {by} {part}" for part in (f"{arrow} LEVEL {words.reached(scene)} {game}", game)]
        wide = lines[0].replace(f" {arrow} ", f"  {arrow}  ")
        return [wide, *lines, f"{stop} {short} WINS {by} {game}"], "on-band on band"
    if found.heroes:
        lines = [f"{ahead} {name} WIN{s} {by}  {''.join(chain)}", f"{ahead} {name} WIN{s} {by}"]
        return [lines[0].strip(), lines[1], f"{ahead} {short} WINS {by}"], "hero on tile2"
    lose = f"{name} LOSE{s} {by}"
    turn = f"+{found.turns}"
    if fight.match_point and not mine:
        return [
            f"{good} {lose}  {arrow}  +{found.turns} WOULD WIN {'' if mine else 'THE GAME'}".rstrip(),
            f"{good} {lose} {arrow} {turn} WINS IT", f"{good} {lose}", f"{good} {short} LOSES {by}",
        ], "on-good on good"  # fmt: skip
    prize = "THE GAME" if fight.match_point else f"{paid[0]}, {paid[1]}"
    return [
        f"{lose} {behind}  {turn} WINS {prize}", f"{lose} {behind} {turn} WINS", f"{short} LOSES {by} {behind}"
    ], "foe on tile2"  # fmt: skip


# ------------------------------------------------------------------------------------------------------------ layouts
def _words_only(room: Room, fight: FightView) -> None:
    """Draw the fight in a few rows of words."""
    canvas, scene = room.canvas, room.scene
    y = room.y
    ours, theirs = counted(scene, fight)
    sums: Line = (ours, (" : ", "dim"), theirs)
    if room.height > 3:
        left, right = sides(scene, fight, room.width - size(sums, scene) - 2)
        canvas.spans(room.x, y, (*left, ("  ", ""), *sums, ("  ", ""), *right), room.width)
        y += 1
        verdict_strip(room, y, fight)
        y += 1
    else:
        verdict_strip(room, y, fight)
        canvas.spans(room.x, y, sums)
        y += 1
    loss = _loss(scene, fight) if len(fight.monsters) < 2 else _short_loss(scene, fight)
    for line in (_terms_line(scene, fight, room.width), *flowed(loss, room.width, scene)):
        if y < room.bottom - 1:
            canvas.spans(room.x, y, line, room.width)
            y += 1
    last_row(room, speaking(scene))


def _small(room: Room, fight: FightView) -> None:
    canvas, scene = room.canvas, room.scene
    _faces(room, fight, room.y)
    y = room.y + 4
    _bar(room, y, fight)
    below = room.below(5)
    terms = 1 + max(0, below.height - 6)
    lines = _term_rows(scene, fight, room.width, terms)
    if scene.view.limbo:
        card = scene.view.limbo[-1]
        lines[0] = ((scene.title(card), "bold oneshot"), (" is being read", "dim"))
    for at, line in enumerate(lines, y + 1):
        canvas.spans(room.x, at, line, room.width)
    y += 1 + terms
    verdict_strip(room, y, fight)
    _outcomes(room, y + 1, fight)
    last_row(room, speaking(scene))


def _large(room: Room, fight: FightView) -> None:
    canvas, scene = room.canvas, room.scene
    rows = FACE_SIZES[room.face][1]
    _headings(room, fight)
    _faces(room, fight, room.y + 1)
    y = room.y + 1 + rows
    _bar(room, y, fight)
    y += 1
    free = room.bottom - y
    sums = max(len(fight.hero_terms), len(fight.foe_terms), 4 if scene.view.limbo else 0)
    details = max(2, min(len(_outcome_lines(scene, fight, room.width)), free - 2 - min(4, sums)))
    terms = free - details - 2
    if scene.view.limbo and terms >= 4:
        stage_cards.being_read(room.below(y - room.y).part(room.width, terms))
    else:
        for at, line in enumerate(_term_rows(scene, fight, room.width, terms)):
            canvas.spans(room.x, y + at, line, room.width)
    y += terms
    verdict_strip(room, y, fight, 3 if terms > sums + 2 else 1)
    _outcomes(room, y + 1, fight)
    last_row(room, speaking(scene))


# -------------------------------------------------------------------------------------------------- names, faces, sums
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


def _headings(room: Room, fight: FightView) -> None:
    """Write who fights whom, with Levels and tags, above the faces."""
    canvas, scene = room.canvas, room.scene
    right: list[Span] = []
    if len(fight.monsters) == 1:
        monster = fight.monsters[0]
        tags = words.tags_of(scene, monster)
        level = scene.printed(monster.defn).level
        right.append((f"level {level}{' ' + tags if tags else ''} ", "dim"))
    names = monster_names(scene, fight).upper()
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


def _portraits(scene: Scene, monsters: Sequence[MonsterView]) -> list:
    return [scene.portrait(monster.defn) for monster in monsters]


def _faces(room: Room, fight: FightView, y: int) -> None:
    """Draw the faces of both sides, and between them the sums and the margin."""
    scene, face = room.scene, room.face
    wide, rows = FACE_SIZES[face]
    heroes = [seat for seat in (fight.seat, fight.helper) if seat >= 0]
    monsters = _portraits(scene, fight.monsters)
    ours, theirs = str(fight.heroes), str(fight.foes)
    height = DIGITS[face]
    left = right = wide
    if face == "small":
        sums = digits.width(ours, height) + digits.width(theirs, height) + 4
        spare = (room.width - sums - MIDDLE - 2 * wide) // wide
        more = min(len(monsters) - 1, max(0, spare))
        shown = min(len(heroes), 1 + max(0, spare - more))
        for at, seat in enumerate(heroes[:shown]):
            room.canvas.face(room.x + at * wide, y, player(seat), face, scene.pixels)
        for at, portrait in enumerate(monsters[: more + 1]):
            room.canvas.face(room.end - (at + 1) * wide, y, portrait, face, scene.pixels)
        left, right = shown * wide, (more + 1) * wide
    else:
        each = [sum(term.by for term in fight.hero_terms if term.seat == seat) for seat in heroes]
        crowd(room, room.x, y, [player(seat) for seat in heroes], face, each)
        strengths = [monster.strength for monster in fight.monsters]
        crowd(room, room.end - wide, y, monsters, face, strengths)
    _sums(room, fight, y, room.x + left + 1, room.end - right - 1, rows)


def _sums(room: Room, fight: FightView, y: int, x: int, end: int, rows: int) -> None:
    """Draw both sums and the margin between two columns."""
    canvas, scene = room.canvas, room.scene
    (ours, our_style), (theirs, their_style) = counted(scene, fight)
    height = DIGITS[room.face]
    smaller = {digits.DOUBLE: digits.MEDIUM, digits.MEDIUM: digits.LARGE, digits.LARGE: digits.SMALL}
    while height in smaller and digits.width(ours, height) + digits.width(theirs, height) + 2 > end - x:
        height = smaller[height]
    top = y if room.face == "small" else y + (rows - height) // 2
    wide = digits.width(theirs, height)
    lead, by = words.margin_words(fight)
    tone = "bold hero" if fight.winning else "bold foe"
    ahead, behind = ("<", ">") if scene.glyphs.ascii else ("◀", "▶")
    if room.face == "small":
        start = canvas.digits(x, top, ours, our_style, height)
        canvas.digits(end - wide, top, theirs, their_style, height)
        free = end - wide - start
        canvas.centre(start, free, top, f"{ahead} {lead}" if fight.winning else f"{lead} {behind}", tone)
        canvas.centre(start, free, top + 1, by, tone)
        left, right = sides(scene, fight, end - x - 2)
        canvas.spans(x, top + 3, left)
        canvas.spans(end - size(right, scene), top + 3, right)
        return
    free = end - x - wide - digits.width(ours, height)
    gap = max(1, min(5, free // 3))
    start = canvas.digits(x + (free - gap) // 2, top, ours, our_style, height)
    canvas.digits(start + gap, top, theirs, their_style, height)
    text = f"{ahead} {lead} {by}" if fight.winning else f"{lead} {by} {behind}"
    canvas.centre(x, end - x, top + height, text, tone)


def _bar(room: Room, y: int, fight: FightView) -> None:
    """Draw the tug-of-war bar: each side has its share of both sums."""
    share = room.scene.moving.share
    share = share_of(fight.heroes, fight.foes) if share is None else share
    room.canvas.bar(room.x, y, room.width, share, "hero", "foe")


# -------------------------------------------------------------------------------------------------------------- terms
def _terms_line(scene: Scene, fight: FightView, width: int) -> Line:
    """Return both sums as one line: `level 9 + gear 9` and `14 Glampire + ...`, as detailed as it fits."""
    ascii_only = scene.glyphs.ascii
    ways = [
        [words.summed(rows, ascii_only) for rows in pair]
        for pair in (
            (words.hero_rows(scene, fight), words.foe_rows(scene, fight)),
            (words.hero_sums(scene, fight), words.foe_rows(scene, fight)),
            (words.hero_sums(scene, fight), words.foe_sums(scene, fight)),
        )
    ]
    left, right = next((pair for pair in ways if len(pair[0]) + len(pair[1]) + 3 <= width), ways[-1])
    if len(left) + len(right) + 3 > width:
        left = words.summed(words.hero_totals(fight), ascii_only)
        right = right if len(left) + len(right) + 3 <= width else f"{len(fight.monsters)} monsters = {fight.foes}"
    blank = " " * max(1, width - len(left) - len(right))
    return (left, "text"), (blank, ""), (right, "text")


def _term_rows(scene: Scene, fight: FightView, width: int, rows: int) -> list[Line]:
    """Return the terms of both sides in at most `rows` lines: each one, or their sums if there are too many."""
    if rows <= 0:
        return []
    if rows == 1:
        return [_terms_line(scene, fight, width)]
    half = width // 2
    left = _column(scene, words.hero_rows(scene, fight), words.hero_sums(scene, fight), half - 1, rows, "hero")
    right = _column(scene, words.foe_rows(scene, fight), words.foe_sums(scene, fight), width - half, rows, "foe")
    lines: list[Line] = []
    for at in range(max(len(left), len(right))):
        one = left[at] if at < len(left) else ()
        other = right[at] if at < len(right) else ()
        lines.append((*one, (" " * (half - size(one, scene)), ""), *other))
    return lines


def _column(scene: Scene, full: list[Row], sums: list[Row], width: int, rows: int, tone: str) -> list[Line]:
    """Return the terms of one side: all of them, or sums; the last row adds up those that do not fit."""
    found = full if len(full) <= rows else sums
    if len(found) > rows:
        rest = found[rows - 1 :]
        found = [*found[: rows - 1], Row(f"{len(rest)} more", sum(row.by for row in rest))]
    return [_term(scene, row, width, tone) for row in found]


def _term(scene: Scene, row: Row, width: int, tone: str) -> Line:
    who = (*((" ", ""),), person(scene, row.seat)) if row.seat >= 0 else ()
    free = width - 4 - size(who, scene)
    if free < 10 and who:
        who = ((" ", ""), mark(scene, row.seat))
        free = width - 4 - size(who, scene)
    click = f"|rule:{row.about}" if row.about else ""
    return ((f"{row.amount:>3} ", tone), (shorten(row.label, free, scene.glyphs), click), *who)


# ----------------------------------------------------------------------------------------------------------- outcomes
def _outcome_lines(scene: Scene, fight: FightView, width: int) -> list[Line]:
    """Return what a win pays, what a loss costs, open offers: as many lines as they take, most important first."""
    lines = flowed(_loss(scene, fight), width, scene, 2)
    lines += flowed(_win(scene, fight), width, scene, 2)
    for deal in scene.view.offers:
        lines += flowed((("offer: ", "gold"), (offer_words(scene, deal), "")), width, scene, 2)
    return lines


def _outcomes(room: Room, y: int, fight: FightView) -> None:
    """Write the outcomes from a row down to the last but one: the loss gets what the others leave, at least a row."""
    scene, width = room.scene, room.width
    free = room.bottom - 1 - y
    if free <= 0:
        return
    loss = flowed(_loss(scene, fight), width, scene, 2)
    if len(fight.monsters) > 1 and free < min(4, len(loss)):
        loss = [_short_loss(scene, fight)]
    others = [flowed((("offer: ", "gold"), (offer_words(scene, deal), "")), width, scene, 2) for deal in
              scene.view.offers[:2]]  # fmt: skip
    win = flowed(_win(scene, fight), width, scene, 2)
    pieces = [loss, win, *others]
    given = [0] * len(pieces)
    for _ in range(free):
        short = [at for at, piece in enumerate(pieces) if given[at] < len(piece)]
        if not short:
            break
        at = min(short, key=lambda at: (given[at] > 0, at))
        given[at] += 1
    for piece, rows in zip(pieces, given, strict=True):
        for line in rows_of(piece, rows, width, scene):
            room.canvas.spans(room.x, y, line, width)
            y += 1


def _loss(scene: Scene, fight: FightView) -> Line:
    """Return what a lost fight costs: the odds to run, and being caught, for each monster."""
    if not fight.monsters:
        return ()
    seat = words.runner(scene)
    who: Line = () if seat == fight.seat else (person(scene, seat), (" ", ""))
    needs = [words.need(scene, seat, monster) for monster in fight.monsters]
    if len(needs) == 1:
        cost = words.bad_stuff(scene, fight.monsters[0].defn)
        return (("if lost: ", "dim"), *who, ("run ", ""), (words.odds_words(needs[0]), "bold"), *_else(needs[0], cost))
    spans: list[Span] = [("if lost: ", "dim"), *who, (f"all away {words.percent(words.together(needs)[0])}. ", "bold")]
    seen: set[tuple[int, int]] = set()
    for monster, needed in zip(fight.monsters, needs, strict=True):
        spans += [(f"{scene.monster(monster.id)}: ", "foe"), (words.odds_words(needed), "bold")]
        if (monster.defn, needed) in seen:
            spans.append((", the same. ", "dim"))
            continue
        seen.add((monster.defn, needed))
        spans += [*_else(needed, words.bad_stuff(scene, monster.defn)), (" ", "")]
    return tuple(spans)


def _short_loss(scene: Scene, fight: FightView) -> Line:
    """Return the odds to run from several monsters in one row."""
    seat = words.runner(scene)
    needs = [words.need(scene, seat, monster) for monster in fight.monsters]
    parts = [f"{needed}+" if 1 < needed < 6 else words.on_words(needed).removeprefix("on a ") for needed in needs]
    every = words.percent(words.together(needs)[0])
    who: Line = () if seat == fight.seat else (mark(scene, seat), (" ", ""))
    return (("if lost: ", "dim"), *who, (f"run on {', '.join(parts)}", "bold"), (f"; all away {every}", ""))


def _else(needed: int, cost: str) -> Line:
    """Return what being caught costs, unless nobody is caught."""
    return ((", or else: " if needed <= 6 else ": ", "dim"), (cost, "")) if needed > 1 else ()


def _win(scene: Scene, fight: FightView) -> Line:
    """Return what a won fight pays, and the helper's share and price."""
    spans: list[Span] = [("if won: ", "dim"), (words.gain(fight), "bold")]
    if fight.match_point:
        spans.append((" and the game", "bold gold"))
    if fight.helper >= 0:
        spans += [("; ", ""), person(scene, fight.helper), (" helps ", "")]
        if fight.compelled:
            spans.append(("because a card compels it", ""))
        else:
            spans.append((f"for {terms_of(scene, fight.bargain)}" if fight.bargain else "for nothing", ""))
        if fight.helper_levels:
            spans.append((f" and {count(fight.helper_levels, 'level')}", ""))
    elif fight.stage == "fight" and not fight.help_allowed:
        spans.append(("; nobody may help", ""))
    return tuple(spans)


