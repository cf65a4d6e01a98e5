"""What the sums of a fight are made of, and what winning and losing it come to. Pure."""

from core.state.views import FightView, MonsterView
from tui.menus.offer_text import offer_words, terms_of
from tui.scene import fight as words
from tui.scene import sums
from tui.scene.bad_stuff import SENTENCE, bad_stuff, brief_bad_stuff
from tui.scene.cells import Line, Span, count, shorten
from tui.scene.scene import Scene
from tui.scene.sums import Row
from tui.widgets.table import stage_cards, stage_sum_lines
from tui.widgets.table.stage_parts import Room, flowed, further, mark, person, rows_of, size
from tui.widgets.table.stage_verdict import tells_prize

FEW = 2
"""Up to this many terms beyond the rows share the last row; if there are more, sums replace them."""
LEAST = 4
"""The least cells of a name that shares a row."""
BEGUN = 10
"""With this many cells left after a name, the beginning of what follows it is shown."""
CARD_ROWS = 4
"""The least rows of a card that is being read, with its face."""


# -------------------------------------------------------------------------------------------------------------- terms
def draw(room: Room) -> None:
    """Draw the terms of both sides, or in their place the card that is being read."""
    scene, fight = room.scene, room.scene.fight
    if fight is None:
        return
    card = stage_cards.effective(scene)
    if card >= 0 and room.height >= CARD_ROWS:
        stage_cards.being_read(room, card)
        return
    lines = _term_rows(scene, fight, room.width, room.height)
    if card >= 0:
        lines = rows_of(flowed(stage_cards.in_words(scene, card), room.width, scene), room.height, room.width, scene)
    for at, line in enumerate(lines, room.y):
        room.canvas.spans(room.x, at, line, room.width)


def _term_rows(scene: Scene, fight: FightView, width: int, rows: int) -> list[Line]:
    """Return the terms of both sides in at most `rows` lines: each one, or their sums if there are too many."""
    if rows <= 0:
        return []
    if rows == 1:
        return [stage_sum_lines.one_line(scene, fight, width)]
    if rows == 2:
        return stage_sum_lines.two_lines(scene, fight, width)
    half = width // 2
    left = _column(scene, sums.hero_rows(scene, fight), sums.hero_sums(scene, fight), half - 1, rows, "hero")
    right = _column(scene, sums.foe_rows(scene, fight), sums.foe_sums(scene, fight), width - half, rows, "foe")
    lines: list[Line] = []
    for at in range(max(len(left), len(right))):
        one = left[at] if at < len(left) else ()
        other = right[at] if at < len(right) else ()
        lines.append((*one, (" " * (half - size(one, scene)), ""), *other))
    return lines


def _column(scene: Scene, full: list[Row], added: list[Row], width: int, rows: int, tone: str) -> list[Line]:
    """Return the terms of one side, or added up if many terms do not fit. The last row holds all that are left."""
    found = full if len(full) <= rows + FEW else added
    if len(found) <= rows:
        return [_term(scene, row, width, tone) for row in found]
    return [*(_term(scene, row, width, tone) for row in found[: rows - 1]),
            _left_over(scene, found[rows - 1 :], width, tone)]  # fmt: skip


def _left_over(scene: Scene, rows: list[Row], width: int, tone: str) -> Line:
    """Return several terms in one row, each with its amount and whose it is, with names cut as needed. If even that
    does not fit, return their sum and their number."""
    marks: list[Line] = [(mark(scene, row.seat), (" ", "")) if row.seat >= 0 else () for row in rows]
    names = [row.brief or row.label for row in rows]
    free = width - sum(len(row.amount) + 3 + size(who, scene) for row, who in zip(rows, marks))
    lengths = [size(((name, ""),), scene) for name in names]
    cells = range(max(lengths), LEAST - 1, -1)
    most = next((most for most in cells if sum(min(most, one) for one in lengths) <= free), 0)
    if not most:
        return ((f"{sum(row.by for row in rows):>+3d} ", tone), (f"in {len(rows)} more", ""))
    spans: list[Span] = [("  ", "")]
    for row, who, name in zip(rows, marks, names, strict=True):
        click = f"|rule:{row.about}" if row.about else ""
        spans += [(", ", "dim")] if len(spans) > 1 else []
        spans += [(f"{row.amount} ", tone), *who, (shorten(name, most, scene.glyphs), click)]
    return tuple(spans)


def _term(scene: Scene, row: Row, width: int, tone: str) -> Line:
    who = (*((" ", ""),), person(scene, row.seat)) if row.seat >= 0 else ()
    free = width - 4 - size(who, scene)
    if free < 10 and who:
        who = ((" ", ""), mark(scene, row.seat))
        free = width - 4 - size(who, scene)
    click = f"|rule:{row.about}" if row.about else ""
    label = next((label for label in row.labels if size(((label, ""),), scene) <= free), row.brief or row.label)
    if label == row.brief and row.label.startswith(label) and free - size(((label, ""),), scene) >= BEGUN:
        label = row.label  # the beginning of its reason says more than none
    return ((f"{row.amount:>3} ", tone), (shorten(label, free, scene.glyphs), click), *who)


# ----------------------------------------------------------------------------------------------------------- outcomes
def outcome_lines(scene: Scene, fight: FightView, width: int) -> list[Line]:
    """Return what a win pays, what a loss costs, open offers: as many lines as they take, most important first."""
    lines = flowed(loss_of(scene, fight), width, scene, 2)
    lines += flowed(_win(scene, fight), width, scene, 2)
    for deal in scene.view.offers:
        lines += flowed((("offer: ", "gold"), (offer_words(scene, deal), "")), width, scene, 2)
    return lines


def rows_of_outcomes(scene: Scene, fight: FightView, width: int) -> int:
    """Return how many rows the outcomes need beside the acts: without what a win pays where the verdict says that too,
    and without open offers, which the prompt tells whoever they concern."""
    loss, win = (len(flowed(line, width, scene, 2)) for line in (loss_of(scene, fight), _win(scene, fight)))
    return loss if _repeats(scene, fight, width) else loss + win


def _repeats(scene: Scene, fight: FightView, width: int) -> bool:
    """Return whether the verdict says what a win pays too."""
    return fight.bargain is None and tells_prize(scene, fight, width)


def brief_lines(scene: Scene, fight: FightView, width: int) -> list[Line]:
    """Return in few words what losing to the only monster costs, with the chance to get away or with what changes it,
    whichever takes more rows; one empty row if there are several."""
    if len(fight.monsters) != 1:
        return [()]
    forms = (loss_of(scene, fight, True, BRIEF), loss_of(scene, fight, True, BARE, 1))
    return max((flowed(form, width, scene, 2) for form in forms), key=len)


def outcomes(room: Room) -> None:
    """Write the outcomes: first the loss, then a row for each of the others, then the rest of them."""
    scene, fight, width, free, y = room.scene, room.scene.fight, room.width, room.height, room.y
    if fight is None:
        return
    told = _repeats(scene, fight, width)
    most = free if tells_prize(scene, fight, width) and not scene.view.offers else min(2, free)
    loss = flowed(_loss_in(scene, fight, most, width), width, scene, 2)
    if len(fight.monsters) > 1 and free < min(4, len(loss)):
        loss = [short_loss(scene, fight)]
    others = [flowed((("offer: ", "gold"), (offer_words(scene, deal), "")), width, scene, 2) for deal in
              scene.view.offers[:2]]  # fmt: skip
    win = flowed(_win(scene, fight), width, scene, 2)
    if len(loss) >= free and told:
        win = []
    pieces = [loss, *others, win] if told else [loss, win, *others]
    given = [0] * len(pieces)
    for _ in range(free):
        short = [at for at, piece in enumerate(pieces) if given[at] < len(piece)]
        if not short:
            break
        at = min(short, key=lambda at: (at > 0 and given[at] > 0, at))
        given[at] += 1
    if len(fight.monsters) == 1:
        pieces[0] = _whole_sentences(scene, _loss_in(scene, fight, given[0], width), given[0], width)
    for piece, rows in zip(pieces, given, strict=True):
        for line in rows_of(piece, rows, width, scene, "table.max"):
            room.canvas.spans(room.x, y, line, width)
            y += 1


def _loss_in(scene: Scene, fight: FightView, rows: int, width: int) -> Line:
    """Return what a lost fight costs in the most detailed form that fits into so many rows, else in the shortest."""
    forms = [loss_of(scene, fight, *form) for form in LOSSES]
    return next((form for form in forms if len(flowed(form, width, scene, 2)) <= rows), forms[-1])


def _whole_sentences(scene: Scene, loss: Line, rows: int, width: int) -> list[Line]:
    """Return what a lost fight costs in so many rows; if it is too long, cut at the end of a sentence, or at least of a
    word, with the key that shows the rest."""
    if len(flowed(loss, width, scene, 2)) <= rows:
        return flowed(loss, width, scene, 2)
    *head, (cost, style) = loss
    sentences, single = SENTENCE.split(cost), cost.split()
    begins = [" ".join(parts[:end]) for parts in (sentences, single) for end in range(len(parts) - 1, 0, -1)]
    for begin in begins:
        kept = f"{begin}{scene.glyphs.mark}"
        lines = flowed((*head, (kept, style), *further(scene, 0, "table.max")), width, scene, 2)
        if len(lines) <= rows:
            return lines
    return flowed(loss, width, scene, 2)


PLAIN, BRIEF, BARE = range(3)
"""How the odds to run are worded: `on 5 or 6 (33 %)`, `on 5+ (33 %)`, `on 5+`."""
NO_CAUSE = -1
LOSSES = (
    (False, PLAIN, 0), (False, BRIEF, 1), (True, BRIEF, 1), (True, BARE, 1), (True, BRIEF, NO_CAUSE),
    (True, BARE, NO_CAUSE),
)  # fmt: skip
"""The forms of what a lost fight costs: whether being caught is told in few words, how the odds are worded, and which
form of their causes stands beside them. The most detailed comes first."""


def loss_of(
    scene: Scene, fight: FightView, brief: bool = False, form: int | None = None, why: int = NO_CAUSE
) -> Line:  # fmt: skip
    """Return what a lost fight costs: for each monster, the odds to run, also those of the other hero, and what being
    caught costs. brief: in few words. form: of the odds, None: as brief as the rest. why: the form of what changes the
    roll, 0 for the longest; if no roll decides, that is told anyway."""
    if not fight.monsters:
        return ()
    form = (BRIEF if brief else PLAIN) if form is None else form
    stuff = brief_bad_stuff if brief else bad_stuff
    seat = words.runner(scene)
    other = _other_runner(fight, seat)
    who: Line = () if seat == fight.seat and other < 0 else (person(scene, seat), (" ", ""))
    if len(fight.monsters) == 1:
        monster = fight.monsters[0]
        needed, cost = words.need(scene, seat, monster), stuff(scene, monster.defn)
        causes = words.run_causes(scene, seat, monster)
        told = f" ({causes[-1 if brief else 0]})" if causes and (form, why) != LOSSES[-1][1:] else ""
        way: Line = (("run ", ""), *_odds(scene, seat, monster, form, why))
        if not 1 < needed <= 6:
            way = (("sure to get away" if needed <= 1 else "no way to run", "bold"), (told, ""))
        if other < 0:
            return (("if lost: ", "dim"), *who, *way, *_else(needed, cost))
        second = words.need(scene, other, monster)
        if second == needed:
            return (("if lost: ", "dim"), ("both ", ""), *way, *_else(needed, cost))
        more: Line = ((", ", ""), person(scene, other), (" ", ""), *_odds(scene, other, monster, form, why))
        return (("if lost: ", "dim"), *who, *way, *more, *_else(max(needed, second), cost))
    every = words.percent(words.together(scene, seat, fight.monsters)[-1])
    spans: list[Span] = [("if lost: ", "dim"), *who, (f"all away {every}", "bold")]
    if other >= 0:
        chance = words.percent(words.together(scene, other, fight.monsters)[-1])
        spans += [(", ", ""), person(scene, other), (f" {chance}", "bold")]
    spans.append((". ", "bold"))
    seen: set[tuple[int, str]] = set()
    for monster in fight.monsters:
        odds = words.away_words(scene, seat, monster)[0]
        spans += [(f"{scene.monster(monster.id)}: ", "foe"), (odds, "bold")]
        if (monster.defn, odds) in seen:
            spans.append((", the same. ", "dim"))
            continue
        seen.add((monster.defn, odds))
        end = " " if words.worst(scene, seat, monster) > 1 else ". "  # the cost of being caught has a full stop
        spans += [*_else(words.worst(scene, seat, monster), stuff(scene, monster.defn)), (end, "")]
    return tuple(spans)


def _odds(scene: Scene, seat: int, monster: MonsterView, form: int, why: int) -> Line:
    """Return what the die must show for a seat to get away from a monster, and what changes it."""
    needed, causes = words.need(scene, seat, monster), words.run_causes(scene, seat, monster)
    cause = causes[min(why, len(causes) - 1)] if causes and why >= 0 else ""
    if form == PLAIN:
        return ((words.odds_words(needed), "bold"), (f" with {cause}" if cause else "", ""))
    number, joint, beside = words.brief_chance(needed, cause, form == BRIEF).partition(" (")
    return ((number, "bold"), (joint + beside, ""))


def short_loss(scene: Scene, fight: FightView) -> Line:
    """Return the odds to run from several monsters in one row."""
    seat = words.runner(scene)
    parts = [words.brief_odds(scene, seat, monster) for monster in fight.monsters]
    every = words.percent(words.together(scene, seat, fight.monsters)[-1])
    other = _other_runner(fight, seat)
    who: Line = () if seat == fight.seat and other < 0 else (mark(scene, seat), (" ", ""))
    also: Line = ()
    if other >= 0:
        chance = words.percent(words.together(scene, other, fight.monsters)[-1])
        also = ((", ", ""), mark(scene, other), (f" {chance}", ""))
    return (("if lost: ", "dim"), *who, (f"run on {', '.join(parts)}", "bold"), (f"; all away {every}", ""), *also)


def _other_runner(fight: FightView, seat: int) -> int:
    """Return the other hero, who runs as well if the fight is lost; -1 if there is none, or it is lost already."""
    others = {fight.seat, fight.helper} - {seat, -1}
    return others.pop() if others and fight.stage == "fight" else -1


def _else(needed: int, cost: str) -> Line:
    """Return what being caught costs; nothing if nobody can be caught."""
    return ((", or else: " if needed <= 6 else "; caught: ", "dim"), (cost, "")) if needed > 1 else ()


def _compeller(scene: Scene) -> str:
    """Return the name of the card that makes the helper help, as far as the acts of the fight tell."""
    played = (scene.catalog.cards[act.card] for act in reversed(scene.acts) if act.card >= 0)
    compels = (one for one in played if one.compels or any(power.compels for power in one.powers))
    return next((one.card.name for one in compels), "a card")


def _win(scene: Scene, fight: FightView) -> Line:
    """Return what a won fight pays, and the helper's share and price."""
    spans: list[Span] = [("if won: ", "dim"), (words.gain(fight), "bold")]
    if fight.match_point:
        spans.append((" and the game", "bold gold"))
    if fight.helper >= 0:
        helps = " help " if fight.helper == scene.me else " helps "
        spans += [("; ", ""), person(scene, fight.helper), (helps, "")]
        if fight.compelled:
            spans.append((f"because {_compeller(scene)} compels it", ""))
        else:
            spans.append((f"for {terms_of(scene, fight.bargain)}" if fight.bargain else "for nothing", ""))
        if fight.helper_levels:
            spans.append((f" and {count(fight.helper_levels, 'level')}", ""))
    elif fight.stage == "fight" and not fight.help_allowed:
        spans.append(("; nobody may help", ""))
    return tuple(spans)


