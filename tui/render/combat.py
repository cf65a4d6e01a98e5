"""The combat panel as lines: both totals and their terms, what each side needs, the prize, the clock. Pure."""

from collections.abc import Iterable

from core.state.model import DEFN_MASK, Bargain
from core.view import MonsterView, Term
from netcode.protocol.wire import Timers
from tui.menus.offer_text import offer_words, terms_of
from tui.render.turn import ending, peace
from tui.scene.cells import Line, block, clip, count, fit, length, plain, rule, signed, spread, wrap
from tui.scene.scene import Scene, letter
from tui.scene.table_session import TableSession

BAR_CELLS = 8
ESCAPE = 5
"""The total of die and modifiers needed to escape (clause run.roll)."""


def panel(scene: Scene, width: int, height: int, timer: str = "") -> list[Line]:
    """Draw the fight below a heading with the timer; without a fight, the steps of the turn or the end of the game."""
    fight = scene.fight if not scene.view.winners else None
    title = _title(scene, width - len(timer) - 12)
    heading = rule(title, timer, width, scene.glyphs, "urgent" if timer else "head", bool(timer))
    if fight is None:
        body = ending(scene) if scene.view.winners else peace(scene)
        if height > 5:
            body = [line for one in body for line in _wrapped(one, width, scene)]
    elif height < 9:
        body = _small(scene, width)
    else:
        body = _large(scene, width, height)
    return block([heading, *body], width, height, scene.glyphs)


def _title(scene: Scene, room: int) -> str:
    """Return who fights whom, with the tags of the monsters if they fit in `room` cells."""
    fight = scene.fight
    if scene.view.winners:
        return f"The game is over after {count(scene.view.turn_no, 'turn')}"
    if fight is None:
        extra = ", an extra turn" if scene.view.turn_after >= 0 else ""
        return f"Turn {scene.view.turn_no}: {scene.label(scene.view.turn)}{extra}"
    heroes = scene.label(fight.seat) + (f" + {scene.label(fight.helper)}" if fight.helper >= 0 else "")
    start = f"{ {'lost': 'Running', 'won': 'Won'}.get(fight.stage, 'Combat')}: {heroes} vs "
    monsters = [scene.monster(monster.id) + _bracketed(tags_of(scene, monster)) for monster in fight.monsters]
    tagged = start + (", ".join(monsters) or "nobody")
    if length(((tagged, ""),)) <= room:
        return tagged
    return start + ", ".join(scene.monster(monster.id) for monster in fight.monsters)


def tags_of(scene: Scene, monster: MonsterView) -> str:
    """Return the tags of a monster, including those that cards gave it: `Undead, Santa`."""
    return ", ".join(scene.catalog.tag_names.get(tag, tag.capitalize()) for tag in monster.tags)


def _bracketed(text: str) -> str:
    return f" ({text})" if text else ""


# ---------------------------------------------------------------------------------------------------------- clock
def timer_words(session: TableSession, scene: Scene) -> str:
    """Return the clock for the heading of the combat panel: a bar and seconds, or why none runs; empty if none."""
    timers = session.client.clocks()
    if scene.info.vote is not None or scene.info.stage == "paused":
        return f"the clock is stopped {minutes(timers.pause)}" if timers.pause > 0 else "the clock is stopped"
    window = scene.view.window
    if timers.hold >= 0:
        who = scene.who(window.holder) if window is not None and window.holder >= 0 else "somebody"
        return f"held by {who}: {seconds(timers.hold)}"
    if window is not None and timers.window >= 0:
        return f"{bar(timers.window, timers.window_full, scene)} {seconds(timers.window)}"
    if window is not None:
        return _all_must_pass(scene.me, window.passed, timers)
    for seat in sorted(timers.prompts, key=lambda seat: seat != scene.me):
        who = "you have" if seat == scene.me else f"{letter(seat)} has"
        return f"{who} {_left(timers.prompts[seat], timers.banks.get(seat, -1))}"
    over = [seat for seat, left in sorted(timers.banks.items()) if left == 0]
    return f"the time of {letter(over[0])} is over" if over and not scene.solo else ""


def _all_must_pass(me: int, passed: bool, timers: Timers) -> str:
    """Return for what a window without a clock waits, with this seat's time bank, or else with the fullest."""
    if not passed:
        left = timers.banks.get(me, max(timers.banks.values(), default=-1))
        return f"all must pass: {minutes(left)}" if left >= 0 else "no clock: all must pass"
    left = max((bank for seat, bank in timers.banks.items() if seat != me), default=-1)
    return f"the others have {minutes(left)}" if left >= 0 else "the others have not passed yet"


def _left(prompt: int, bank: int) -> str:
    """Return the time of an ask, and the time bank that it is taken from if there is more in that: `41s of 3:20`."""
    return f"{seconds(prompt)} of {minutes(bank)}" if bank > prompt else seconds(prompt)


def minutes(ms: int) -> str:
    """Return milliseconds as minutes and seconds: `3:20`."""
    return f"{ms // 60_000}:{ms // 1000 % 60:02}"


def seconds(ms: int) -> str:
    """Return milliseconds as seconds: `1.6s` below ten seconds, `12s` above."""
    return f"{ms / 1000:.1f}s" if ms < 10_000 else f"{ms // 1000}s"


def bar(left: int, full: int, scene: Scene) -> str:
    """Return the time left as a bar of BAR_CELLS cells. left, full: in ms."""
    cells = max(0, min(BAR_CELLS, -(-left * BAR_CELLS // max(1, full))))
    return f"[{scene.glyphs.full * cells}{scene.glyphs.empty * (BAR_CELLS - cells)}]"


# ---------------------------------------------------------------------------------------------------------- verdict
_LOST = {"lost": "runs away", "fled": "has lost the fight", "died": "is dead"}
"""What the fighter of a lost fight does, by the stage of the fight."""


def verdict(scene: Scene) -> tuple[str, str]:
    """Return who is winning and what the other side needs, and the style; empty without a fight."""
    fight = scene.fight
    if fight is None:
        return "", ""
    name = scene.name(fight.seat)
    if fight.stage in _LOST:
        return f"{name} {_LOST[fight.stage]}", "bad"
    if not fight.monsters:
        return "no monster is left", "good"
    ties = " (wins ties)" if fight.wins_ties else ""
    if fight.winning:
        spare = fight.heroes - fight.foes + (1 if fight.wins_ties else 0)
        return f"{name} WINS{ties}: +{max(1, spare)} to the monsters turns it", "good"
    need = fight.foes - fight.heroes + (0 if fight.wins_ties else 1)
    return f"{name} LOSES: needs +{max(1, need)} to win{ties}", "bad"


def prize(scene: Scene) -> str:
    """Return what the kill is worth: levels and Treasures; empty without a fight."""
    fight = scene.fight
    if fight is None:
        return ""
    text = f"if won: {count(fight.levels, 'level')}, {count(fight.treasures, 'Treasure')}"
    if fight.helper_levels:
        text += f", helper {count(fight.helper_levels, 'level')}"
    return text + (" = THE GAME" if fight.match_point else "")


def run_chance(scene: Scene, seat: int) -> str:
    """Return what a seat needs on the die to run away: `5+ (33%)`, or a range if the monsters differ."""
    fight = scene.fight
    if fight is None:
        return ""
    needs = sorted({ESCAPE - scene.seat(seat).run - monster.run for monster in fight.monsters}) or [ESCAPE]
    return " to ".join(dict.fromkeys(need_words(need) for need in (needs[0], needs[-1])))


def need_words(need: int) -> str:
    """Return what the die must show, with its chance: `5+ (33%)`, `always`, `never`."""
    if need <= 1:
        return "always"
    return "never" if need > 6 else f"{need}+ ({round((7 - need) * 100 / 6)}%)"


def _price(deal: Bargain) -> str:
    """Return the price of help in a few words: `2 Treasures + 1 Item`."""
    parts = [count(deal.treasures, "Treasure")] if deal.treasures or not (deal.gives or deal.cards) else []
    parts += [count(len(deal.gives), "Item")] if deal.gives else []
    return " + ".join(parts + ([count(len(deal.cards), "card")] if deal.cards else []))


def help_words(scene: Scene) -> str:
    """Return the helper and the price, the open offers of help, or that there is or can be no helper."""
    fight = scene.fight
    if fight is None:
        return ""
    if fight.helper >= 0:
        price = f"for {terms_of(scene, fight.bargain)}" if fight.bargain else "for nothing"
        how = "compelled" if fight.compelled else price
        return f"helper: {scene.label(fight.helper)}, {how}"
    if fight.stage != "fight":
        return ""
    offers = [deal for deal in scene.view.offers if deal.kind == "help"]
    if len(offers) == 1:
        deal = offers[0]
        return f"{letter(deal.frm)} {'offers' if deal.frm == deal.helper else 'wants'} help for {_price(deal)} (h)"
    if offers:
        return f"{len(offers)} help offers open (h)"
    ask = "" if scene.replay else " (h = ask)"
    return f"helper: none{ask}" if fight.help_allowed else "no help allowed"


# --------------------------------------------------------------------------------------------------------- layouts
def _terms(scene: Scene, terms: list[Term], heroes: bool, room: int) -> str:
    """Return the terms in one line of `room` cells: each term, or if they do not fit a sum for each hero or monster."""
    several = heroes and len({term.seat for term in terms}) > 1
    text = _added((f"{letter(t.seat) + ' ' if several else ''}{t.label}", t.by) for t in terms)
    if len(text) <= room:
        return text
    if not heroes:
        return _added(_monster_sums(terms))
    text = _added(_hero_sums(scene, terms, True))
    return text if len(text) <= room else _added(_hero_sums(scene, terms, False))


def _added(parts: Iterable[tuple[str, int]]) -> str:
    text = "".join(f" {'-' if by < 0 else '+'} {label} {abs(by)}" for label, by in parts)
    return text.removeprefix(" + ").strip()


def _hero_sums(scene: Scene, terms: list[Term], apart: bool) -> list[tuple[str, int]]:
    """Return a sum for each hero, and for what others added. apart: Level and gear as separate sums."""
    fight = scene.fight
    sums: dict[str, int] = {}
    for term in terms:
        own = fight is not None and term.seat in (fight.seat, fight.helper)
        what = (" Level" if term.card == 0 else " gear") if apart else ""
        label = f"{letter(term.seat)}{what}" if own else "others"
        sums[label] = sums.get(label, 0) + term.by
    return list(sums.items())


def _monster_sums(terms: list[Term]) -> list[tuple[str, int]]:
    """Return a sum for each monster with its cards, and one for what open Seals add to all monsters."""
    sums: list[tuple[str, int]] = []
    now = seals = 0
    for term in terms:
        if term.seat < 0 and not _own_level(term):
            seals += term.by
        elif not sums or (_own_level(term) and term.card != now):
            sums.append((term.label, term.by))
            now = term.card
        else:
            sums[-1] = (sums[-1][0], sums[-1][1] + term.by)
    return [*sums, ("Seals", seals)] if seals else sums


def _own_level(term: Term) -> bool:
    """Return whether this is a monster's own Level, not what open Seals or cards add to it."""
    return term.seat < 0 and term.card > DEFN_MASK


def _small(scene: Scene, width: int) -> list[Line]:
    fight, glyphs = scene.fight, scene.glyphs
    assert fight is not None
    words = help_words(scene)
    side = f"  {words} " if words else ""
    room = width - 16
    runner = fight.helper if fight.helper == scene.me >= 0 else fight.seat
    run = f"  run: {run_chance(scene, runner)} "
    state, style = verdict(scene)
    first = _terms(scene, fight.hero_terms, True, room - len(side))
    second = _terms(scene, fight.foe_terms, False, room - len(run))
    hero: Line = (("  HEROES   ", "good"), (f"{fight.heroes:>3}", "bold"), (f" = {first}", ""))
    foes: Line = (("  MONSTERS ", "bad"), (f"{fight.foes:>3}", "bold"), (f" = {second}", ""))
    last: Line = ((f"  {state}", style), (f"  {prize(scene)}", "warn" if fight.match_point else ""))
    return [
        spread(hero, ((side, "dim"),), width, glyphs),
        spread(foes, ((run, "dim"),), width, glyphs),
        spread(last, ((" w = why ", "dim"),), width, glyphs),
    ]


def _large(scene: Scene, width: int, height: int) -> list[Line]:
    fight, glyphs = scene.fight, scene.glyphs
    assert fight is not None
    half = (width - 3) // 2
    words, style = verdict(scene)
    totals: Line = (
        (fit(f" HEROES {fight.heroes}", half, glyphs), "good"), ("   ", ""),
        (fit(f"MONSTERS {fight.foes}", half, glyphs), "bad"),
    )  # fmt: skip
    lines: list[Line] = [totals, ((f" {words}", style),), ((f" {prize(scene)}", "warn" if fight.match_point else ""),)]
    runs = [f"{letter(s)} {run_chance(scene, s)}" for s in (fight.seat, fight.helper) if s >= 0]
    lines.append(((f" run away: {'   '.join(runs)}", ""),))
    lines += _wrapped_texts([help_words(scene)], width, scene, "dim")
    offers = [f"offer {deal.no}: {offer_words(scene, deal)}" for deal in scene.view.offers]
    lines += _wrapped_texts(offers, width, scene, "warn")
    lines += [(), *two_sides(scene, width)]
    tagged = [f"{scene.monster(m.id)}: {tags_of(scene, m)}" for m in fight.monsters if m.tags]
    more = _wrapped_texts(["; ".join(tagged)] if tagged else [], width, scene, "")
    if len(lines) + len(more) < height:
        lines[4:4] = more
    return [clip(line, width, glyphs) for line in lines]


def _wrapped_texts(texts: list[str], width: int, scene: Scene, style: str) -> list[Line]:
    return [((f" {line}", style),) for text in texts for line in wrap(text, width - 2, scene.glyphs, "  ")]


def two_sides(scene: Scene, width: int) -> list[Line]:
    """Return every term of both sides, side by side: its owner, its name, its amount."""
    fight, glyphs = scene.fight, scene.glyphs
    if fight is None:
        return []
    half = (width - 3) // 2
    left = [_term(scene, term, half, term.card == 0) for term in fight.hero_terms]
    bases = {term.card: term for term in reversed(fight.foe_terms) if _own_level(term)}
    right = [_term(scene, term, half, bases.get(term.card) is term) for term in fight.foe_terms]
    blank = " " * half
    lines: list[Line] = []
    for row in range(max(len(left), len(right))):
        a = left[row] if row < len(left) else blank
        b = right[row] if row < len(right) else blank
        lines.append(((f" {a} {glyphs.bar} {b}", ""),))
    return lines


def _term(scene: Scene, term: Term, width: int, base: bool) -> str:
    amount = f"{term.by if base else signed(term.by):>4}"
    owner = f"{letter(term.seat)} " if term.seat >= 0 else ""
    return fit(f"{owner}{term.label}", width - 5, scene.glyphs) + amount


def _wrapped(line: Line, width: int, scene: Scene) -> list[Line]:
    """Return a line unchanged if it fits, else wrapped into several lines of one style."""
    if length(line) <= width:
        return [line]
    style = next((style for text, style in line if text.strip()), "")
    return [((f"  {text}", style),) for text in wrap(plain(line), width - 3, scene.glyphs, "  ")]
