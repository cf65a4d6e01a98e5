"""A fight in figures and words: both sums, who wins and by how much, what it pays and costs, the odds to run. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from core.language.definition import Def
from core.queries.flight import NEED, best_order, chance
from core.state.model import DEFN_MASK, defn_of
from core.state.views import FightView, Flight, MonsterView, Term
from core.text.card_mods import reason_of_bonus, reason_of_more
from core.text.card_phrases import Phrases
from tui.scene.card_text import kind_word
from tui.scene.cells import Line, count, fit, length, signed
from tui.scene.gear import noun
from tui.scene.monster_terms import added_words, own_level, text_words
from tui.scene.scene import Scene, shape

# ------------------------------------------------------------------------------------------------------- who wins
_LOST = {
    "lost": ("runs away", "You run away"), "fled": ("has lost the fight", "You have lost the fight"),
    "died": ("is dead", "You are dead"),
}  # fmt: skip
"""What the fighter of a lost fight does, by the stage of the fight; and the same said to the fighter."""


class Verdict(Struct, frozen=True):
    """Who wins now. by: the lead of the winning side; 0 at a tie. turns: what the other side has to add."""

    heroes: bool
    by: int
    turns: int


def verdict_of(fight: FightView) -> Verdict:
    """Return who wins if nobody does anything more."""
    lead = fight.heroes - fight.foes
    if fight.winning:
        return Verdict(True, lead, max(1, lead + (1 if fight.wins_ties else 0)))
    return Verdict(False, -lead, max(1, -lead + (0 if fight.wins_ties else 1)))


def verdict(scene: Scene) -> tuple[str, str]:
    """Return who is winning and what the other side needs, and the style; empty without a fight."""
    fight = scene.fight
    if fight is None:
        return "", ""
    mine, name = fight.seat == scene.me, scene.name(fight.seat)
    if fight.stage in _LOST:
        does, done = _LOST[fight.stage]
        return done if mine else f"{name} {does}", "bad"
    if not fight.monsters:
        return "no monster is left", "good"
    ties = " (wins ties)" if fight.wins_ties else ""
    found = verdict_of(fight)
    if found.heroes:
        return f"{'You WIN' if mine else f'{name} WINS'}{ties}: +{found.turns} to the monsters turns it", "good"
    return f"{'You LOSE: you need' if mine else f'{name} LOSES: needs'} +{found.turns} to win{ties}", "bad"


def margin_words(fight: FightView) -> tuple[str, str]:
    """Return who is ahead in two parts: `ahead`, `by 1`."""
    found = verdict_of(fight)
    if not found.by:
        return "a tie", "and wins it" if found.heroes else "that loses"
    return "ahead" if found.heroes else "behind", f"by {found.by}"


def reached(scene: Scene) -> int:
    """Return the Level that wins the game if this fight pays it, else the Level that the fighter would reach."""
    fight = scene.fight
    if fight is None:
        return 0
    return scene.view.win_level if fight.match_point else fight.win_level


# ---------------------------------------------------------------------------------------------- what it pays and costs
def prize(scene: Scene) -> str:
    """Return what the kill is worth: levels and Treasures; empty without a fight."""
    fight = scene.fight
    if fight is None:
        return ""
    text = f"if won: {gain(fight)}"
    if fight.helper_levels:
        text += f", helper {count(fight.helper_levels, 'level')}"
    return text + (" = THE GAME" if fight.match_point else "")


def kept(fight: FightView) -> int:
    """Return how many Treasures are left for the fighter after those promised to the helper."""
    promised = fight.bargain.treasures if fight.bargain is not None and fight.helper >= 0 else 0
    return max(0, fight.treasures - promised)


def gain(fight: FightView) -> str:
    """Return levels and Treasures that the fight pays: `1 level, 3 Treasures`."""
    return f"{count(fight.levels, 'level')}, {count(fight.treasures, 'Treasure')}"


def tags_of(scene: Scene, monster: MonsterView) -> str:
    """Return the tags of a monster, including those that cards gave it: `Undead, Santa`."""
    return ", ".join(scene.catalog.tag_names.get(tag, tag.capitalize()) for tag in monster.tags)


# ------------------------------------------------------------------------------------------------------- running away
def flight(scene: Scene, seat: int, monster: MonsterView) -> Flight:
    """Return what the die must show for a seat to get away from a monster: 1 or less always, 7 or more never."""
    told = scene.fight.flights if scene.fight is not None else []
    usual = NEED - scene.seat(seat).run - monster.run
    return next(
        (one for one in told if (one.seat, one.monster) == (seat, monster.id)),
        Flight(seat, monster.id, usual, usual),
    )


def need(scene: Scene, seat: int, monster: MonsterView) -> int:
    """Return what the die must show for a seat that runs from this monster next."""
    return flight(scene, seat, monster).need


def left(scene: Scene, seat: int) -> list[MonsterView]:
    """Return the monsters from which a seat has not run yet."""
    monsters = scene.fight.monsters if scene.fight is not None else []
    return [monster for monster in monsters if outcome(scene, seat, monster) is None]


def later(scene: Scene, seat: int, monster: MonsterView) -> int | None:
    """Return what the die must show if a seat runs from this monster after another one, None if that comes to the same
    or if no other is left."""
    one = flight(scene, seat, monster)
    others = [flight(scene, seat, other) for other in left(scene, seat) if other.id != monster.id]
    return one.later if chance(one.later) != chance(one.need) and any(other.spends for other in others) else None


def outcome(scene: Scene, seat: int, monster: MonsterView) -> bool | None:
    """Return whether a seat has escaped from a monster, None if it has not run from it yet."""
    met = scene.fight.met if scene.fight is not None else []
    return next((one.escaped for one in reversed(met) if (one.seat, one.monster) == (seat, monster.id)), None)


def odds_words(needed: int) -> str:
    """Return what the die must show, with its chance where luck decides: `on 5 or 6 (33 %)`, `always`."""
    return on_words(needed) + (f" ({percent(chance(needed))})" if 1 < needed <= 6 else "")


def percent(share: float) -> str:
    """Return a chance: `33 %`."""
    return f"{round(share * 100)} %"


def shares(numbers: Sequence[int]) -> list[str]:
    """Return each number as a percentage of their sum. The percentages add up to 100: those with the largest remainders
    are rounded up."""
    total = sum(numbers)
    whole = [number * 100 // total for number in numbers]
    most_cut = sorted(range(len(numbers)), key=lambda at: -(numbers[at] * 100 % total))
    for at in most_cut[: 100 - sum(whole)]:
        whole[at] += 1
    return [f"{number} %" for number in whole]


def away_words(scene: Scene, seat: int, monster: MonsterView) -> list[str]:
    """Return the odds of a seat against a monster, the longest form first: `on 5 or 6 (33 %)`, or `on a 6 if first,
    later on 5 or 6` where something counts for the first monster only."""
    needed, after = need(scene, seat, monster), later(scene, seat, monster)
    if after is None:
        return [odds_words(needed)]
    forms = [f"{on_words(needed)} if first, later {words}" for words in (odds_words(after), on_words(after))]
    return [*forms, brief_odds(scene, seat, monster)]


def brief_odds(scene: Scene, seat: int, monster: MonsterView) -> str:
    """Return what the die must show in few characters: `5+`, `6`, `always`, `5+ first, 3+ later`."""
    needed, after = need(scene, seat, monster), later(scene, seat, monster)
    return _plus(needed) if after is None else f"{_plus(needed)} first, {_plus(after)} later"


def worst(scene: Scene, seat: int, monster: MonsterView) -> int:
    """Return what the die must show at most, whichever monster comes first."""
    after = later(scene, seat, monster)
    return max(need(scene, seat, monster), after if after is not None else 0)


def brief_chance(needed: int) -> str:
    """Return what the die must show in few characters with its chance: `on 5+ (33 %)`."""
    return f"on {_plus(needed)} ({percent(chance(needed))})" if 1 < needed < 6 else odds_words(needed)


def _plus(needed: int) -> str:
    """Return what the die must show in the fewest characters: `5+`, `6`, `always`, `never`."""
    return f"{needed}+" if 1 < needed < 6 else on_words(needed).removeprefix("on a ")


def on_words(needed: int) -> str:
    """Return what the die must show: `on 5 or 6`, `on 3 or more`, `on a 6`, `always`, `never`."""
    if needed <= 1:
        return "always"
    if needed > 6:
        return "never"
    return {6: "on a 6", 5: "on 5 or 6"}.get(needed, f"on {needed} or more")


def run_chance(scene: Scene, seat: int) -> str:
    """Return what a seat needs on the die to run away: `on 5 or 6 (33 %)`, or a range if the monsters differ."""
    fight = scene.fight
    if fight is None:
        return ""
    needs = sorted({need(scene, seat, monster) for monster in fight.monsters}) or [NEED]
    return " to ".join(dict.fromkeys(odds_words(needed) for needed in (needs[0], needs[-1])))


def run_sentence(scene: Scene, seat: int) -> str:
    """Return as a sentence to a player what the die must show to run away."""
    monsters = left(scene, seat)
    needs = sorted({need(scene, seat, monster) for monster in monsters}) or [NEED - scene.seat(seat).run]
    if needs[0] > 6:
        return "No number on the die gets you away."
    if needs[-1] <= 1:
        return "You get away whatever the die shows."
    if len(needs) == 1:
        return f"You get away {odds_words(needs[0])}."
    return f"You get away {on_words(needs[0])} from one, {on_words(needs[-1])} from another."


def together(scene: Scene, seat: int, monsters: Sequence[MonsterView]) -> list[float]:
    """Return the chances of a seat to get away from none of these monsters, from one, two ..., if it runs first from
    the one that makes getting away from all most likely: a bonus that counts once is spent on that monster."""
    return spread(best_order([flight(scene, seat, monster) for monster in monsters]))


def spread(needs: Sequence[int]) -> list[float]:
    """Return the chances that none, one, two ... of several dice show what they must."""
    found = [1.0]
    for share in map(chance, needs):
        found = [
            (found[at] if at < len(found) else 0.0) * (1 - share) + (found[at - 1] * share if at else 0.0)
            for at in range(len(found) + 1)
        ]
    return found


def runner(scene: Scene) -> int:
    """Return the seat whose odds to run matter: who runs now, or you if you help, else the fighter."""
    fight, view = scene.fight, scene.view
    if fight is None:
        return -1
    running = [deciding.seat for deciding in view.deciding if deciding.kind in ("roll", "pay roll", "vehicle")]
    if view.throw is not None and view.throw.monster:
        running.insert(0, view.throw.seat)
    if running and running[0] in (fight.seat, fight.helper):
        return running[0]
    return fight.helper if fight.helper == scene.me >= 0 and fight.stage == "fight" else fight.seat


# ------------------------------------------------------------------------------------------------------------- terms
class Row(Struct, frozen=True):
    """One row of a sum. seat: whose shape stands with it, -1 for nobody's. base: a Level, shown without a sign. about:
    what a click on it looks up in the rules, see rulebook.asked."""

    label: str
    by: int
    seat: int = -1
    base: bool = False
    about: str = ""
    brief: str = ""
    """The label where there is little room, if it is another one."""
    made: tuple[str, ...] = ()
    """What the number is made of, if of several things, the longest words first: `14 + Reanimated 5`, `14 + 5`."""

    @property
    def amount(self) -> str:
        """Return the number: `14`, `+3`."""
        return str(self.by) if self.base else signed(self.by)

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the label in all its forms, the longest first; those that say what the number is made of come before
        the others."""
        plain = (self.label, self.brief) if self.brief else (self.label,)
        return (*(f"{label}: {made}" for made in self.made for label in plain), *plain)


def term_of_level(term: Term) -> bool:
    """Return whether this is a player's Level. No card does not mean a Level: Seals and some effects have no card
    either."""
    return term.seat >= 0 and not term.card and term.label == "Level"


def about(term: Term) -> str:
    """Return what a click on a term looks up in the rules: its card, or a word for a term without a card."""
    return f"card:{term.card}" if term.card else "term:level" if term_of_level(term) else "term:seal"


def hero_rows(scene: Scene, fight: FightView) -> list[Row]:
    """Return every term of the heroes' sum. Each says what it is unless it is an Item, and whose it is if there are
    several heroes, or if another player added it."""
    alone = fight.helper < 0
    rows = []
    for term in fight.hero_terms:
        seat = -1 if alone and term.seat == fight.seat else term.seat
        what = _kind_of(scene, term) or more_words(scene, term)
        label, brief = (f"{term.label}, {what}", term.label) if what else (term.label, "")
        rows.append(Row(label, term.by, seat, term_of_level(term), about(term), brief))
    return rows


def more_words(scene: Scene, term: Term, printed: int | None = None) -> str:
    """Return what a hero's card adds beyond its bonus, and in which circumstances: `+2 for a Wizard`; "" if nothing, or
    if that is not known. printed: its bonus, None: the printed one."""
    if not term.card or term.card <= DEFN_MASK:
        return ""
    definition = scene.definition(term.card)
    more = term.by - (definition.card.bonus if printed is None else printed)
    reason = _reason(scene, definition, more) if more else ""
    return f"{signed(more)} {reason}" if reason else ""


def _reason(scene: Scene, definition: Def, more: int) -> str:
    """Return why a card adds this much more than its bonus: its only reason, or the only one that fits the number."""
    fits = [mod for mod in definition.strength if mod.by == more] or list(definition.strength)
    head = next((head for head in scene.catalog.packs if head.id == definition.set_id), None)
    return reason_of_more(fits[0], Phrases(head)) if len(fits) == 1 else ""


def _kind_of(scene: Scene, term: Term) -> str:
    """Return what a term of a hero is: `one-shot`, `ability`, `race`; "" for a Level and an Item, whose name says
    it."""
    if not term.card:
        return "" if term_of_level(term) else "effect"
    definition = scene.definition(term.card)
    if term.card > DEFN_MASK:
        return "" if definition.kind == "item" else kind_word(definition.card, scene.lexicon.of(definition))
    return "one-shot" if definition.card.one_shot else "ability" if definition.abilities else "card played"


def source(fight: FightView, term: Term) -> int:
    """Return the card of a term of the monsters' sum. The own strength of a partner or a copy has the id of the card
    that brought it; for this, return the definition of its monster."""
    met = next((one for one in fight.monsters if one.id == term.card), None) if own_level(term) else None
    return term.card if met is None or defn_of(met.id) == met.defn else met.defn


def foe_rows(scene: Scene, fight: FightView) -> list[Row]:
    """Return every term of the monsters' sum. A term that a player added says who added it. Monsters of the same name
    are numbered."""
    bases = {term.card: term for term in reversed(fight.foe_terms) if own_level(term)}
    tags = {monster.id: tags_of(scene, monster) for monster in fight.monsters}
    rows: list[Row] = []
    for term in fight.foe_terms:
        base = bases.get(term.card) is term
        more = tags.get(term.card, "") if base else ""
        name = scene.monster(term.card) if base and term.card in tags else term.label
        label = f"{name}, {more}" if more else name
        brief = name if more else ""
        card = source(fight, term)
        if not base and own_level(term):
            label, brief = _own_bonus(scene, term, card)
        elif itself := text_words(scene, term):
            by = term.by + (rows.pop().by if rows[-1].label == itself else 0)
            rows.append(Row(itself, by, -1, False, f"card:{card}"))
            continue
        rows.append(Row(label, term.by, term.seat, base, f"card:{card}" if card else about(term), brief))
    return rows


def _own_bonus(scene: Scene, term: Term, card: int) -> tuple[str, str]:
    """Return what a monster (its card) adds to its own Level, and why: `its bonus against an Elf`."""
    brief = "its bonus" if term.by > 0 else "its weakness"
    definition = scene.definition(card)
    if not 0 <= term.mod < len(definition.strength):
        return brief, brief
    head = next((head for head in scene.catalog.packs if head.id == definition.set_id), None)
    return f"{brief} {reason_of_bonus(definition.strength[term.mod], Phrases(head))}".strip(), brief


def hero_sums(scene: Scene, fight: FightView) -> list[Row]:
    """Return a few rows for the heroes: Level, gear, Curses, one-shots, abilities of each hero, and of each other
    player who added some."""
    rows: dict[tuple[int, str], int] = {}
    alone = fight.helper < 0
    for term in fight.hero_terms:
        key = (-1 if alone and term.seat == fight.seat else term.seat, _sort_of(scene, term))
        rows[key] = rows.get(key, 0) + term.by
    return [Row(what, by, seat, what == "Level") for (seat, what), by in rows.items()]


def _sort_of(scene: Scene, term: Term) -> str:
    """Return what a term of a hero is, where several are added up."""
    if not term.card:
        return "Level" if term_of_level(term) else "effects"
    card = scene.card(term.card)
    if term.card <= DEFN_MASK:
        used = "abilities" if scene.definition(term.card).abilities else "cards played"
        return "one-shots" if card.one_shot else used
    if card.kind == "curse":
        return f"{scene.lexicon.curse([scene.definition(term.card)]).lower()}s"
    return "gear"


def foe_sums(scene: Scene, fight: FightView, numbered: bool = True) -> list[Row]:
    """Return a row for each monster with its cards, which says what its number is made of, and one for what open Seals
    add to all monsters. numbered: number monsters of the same name."""
    rows: list[Row] = []
    parts: list[list[tuple[str, int]]] = []
    seals, now = 0, 0
    for term in fight.foe_terms:
        if term.seat < 0 and not own_level(term) and rows:
            seals += term.by
        elif not rows or (own_level(term) and term.card != now):
            name = scene.monster(term.card) if own_level(term) and numbered else term.label
            rows.append(Row(name, term.by, -1, True))
            parts.append([(name, term.by)])
            now = term.card
        else:
            last = rows[-1]
            parts[-1].append((added_words(scene, term), term.by))
            rows[-1] = Row(last.label, last.by + term.by, -1, True, made=_made_of(parts[-1]))
    return [*rows, Row("Seals", seals)] if seals else rows


def _made_of(parts: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    """Return what a number is made of, in four forms: `14 + its roll 4 + Prismatic Glitter 5`, with cards as nouns:
    `14 + its roll 4 + Glitter 5`, without cards: `14 + its roll 4 + 5`, and without names: `14 + 4 + 5`. parts: names
    and amounts; all others are added to the first one."""
    first, *others = parts
    by_name: dict[str, int] = {}
    for name, by in others:
        by_name[name] = by_name.get(name, 0) + by
    own = {name: name if name.startswith("its ") else "" for name in by_name}
    forms = []
    for called in ({name: name for name in own}, {name: own[name] or noun(name) for name in own}, own, {}):
        added = [" ".join(filter(None, ("-" if by < 0 else "+", called.get(name, ""), str(abs(by)))))
                 for name, by in by_name.items()]  # fmt: skip
        forms.append(" ".join([str(first[1]), *added]))
    return tuple(forms)


def made_of(scene: Scene, monster: MonsterView) -> tuple[str, ...]:
    """Return what the strength of a monster is made of, the longest words first: `14 + Reanimated 5`, `14 + 5`; without
    cards and Seals, only its Level."""
    parts: list[tuple[str, int]] = []
    seals, mine = 0, False
    for term in scene.fight.foe_terms if scene.fight is not None else ():
        if own_level(term):
            mine = term.card == monster.id
        if term.seat < 0 and not own_level(term):
            seals += term.by if mine else 0
        elif mine:
            parts.append((added_words(scene, term), term.by))
    parts += [("Seals", seals)] if seals else []
    whole = sum(by for _, by in parts) == monster.strength  # what is added to all monsters together is no part of one
    return tuple(dict.fromkeys(_made_of(parts))) if whole and parts else (str(monster.strength),)


def hero_brief(fight: FightView) -> list[Row]:
    """Return the Level of a hero who fights alone, and the rest. If there are several heroes, or others added
    something, return the sum of each."""
    if fight.helper >= 0 or any(term.seat != fight.seat for term in fight.hero_terms):
        return hero_totals(fight)
    level = sum(term.by for term in fight.hero_terms if term_of_level(term))
    rest = sum(term.by for term in fight.hero_terms) - level
    return [Row("Level", level, -1, True), *([Row("cards", rest)] if rest else [])]


def hero_totals(fight: FightView) -> list[Row]:
    """Return the sum of each hero, and of each other player who added something."""
    sums: dict[int, int] = {}
    for term in fight.hero_terms:
        sums[term.seat] = sums.get(term.seat, 0) + term.by
    return [Row("", by, seat) for seat, by in sums.items()]


def summed(rows: Sequence[Row], ascii_only: bool, form: int = -1) -> str:
    """Return rows as one line: `Level 9 + gear 9`, with shapes where they say who. form: in which form of what they are
    made, the longest is the first."""
    text = ""
    for row in rows:
        who = [shape(row.seat, ascii_only)] if row.seat >= 0 else []
        made = f"({row.made[form]})" if row.made else ""
        words = " ".join([*who, *filter(None, (row.brief or row.label,)), str(abs(row.by)), *filter(None, (made,))])
        text += f" {'-' if row.by < 0 else '+'} {words}"
    return text.removeprefix(" + ").strip()


def two_sides(scene: Scene, width: int) -> list[Line]:
    """Return every term of both sides, side by side: its amount, its name, and who added it."""
    fight, glyphs = scene.fight, scene.glyphs
    if fight is None:
        return []
    half = (width - 3) // 2
    sides = [[_term(scene, row, half) for row in rows] for rows in (hero_rows(scene, fight), foe_rows(scene, fight))]
    longest = max(map(len, sides))
    left, right = (side + [" " * half] * (longest - len(side)) for side in sides)
    return [((f" {one} {glyphs.bar} {other}", ""),) for one, other in zip(left, right, strict=True)]


def _term(scene: Scene, row: Row, width: int) -> str:
    who = f"{shape(row.seat, scene.glyphs.ascii)} " if row.seat >= 0 else ""
    forms = [f"{who}{label}" for label in row.labels]
    label = next((form for form in forms if length(((form, ""),)) <= width - 5), forms[-1])
    return fit(label, width - 5, scene.glyphs) + f"{row.amount:>4}"
