"""The two sums of a fight, term by term: rows for the screen and for lines, and what a number is made of. Pure."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.language.definition import Def
from core.state.model import DEFN_MASK, defn_of
from core.state.views import FightView, MonsterView, Term
from core.text.card_mods import reason_of_bonus, reason_of_more
from tui.scene.card_text import kind_word
from tui.scene.cells import Line, fit, length
from tui.scene.fight import tags_of
from tui.scene.gear import noun
from tui.scene.monster_terms import added_words, own_level, text_words
from tui.scene.scene import Scene, shape


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
        return str(self.by) if self.base else f"{self.by:+d}"

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


def hero_made(scene: Scene, fight: FightView) -> list[Row]:
    """Return the rows of `hero_rows` for one line, with what the number of an Item is made of that adds more than its
    bonus: `1 + 3 against Undead`, `1 + 3`."""
    rows = []
    for row, term in zip(hero_rows(scene, fight), fight.hero_terms, strict=True):
        more, reason = _more(scene, term)
        bonus = term.by - more
        added = f"{bonus} {'-' if more < 0 else '+'} {abs(more)}"
        made = (f"{added} {reason}", added) if bonus else (reason, "")
        rows.append(replace(row, label=term.label, brief="", made=made) if reason else row)
    return rows


def more_words(scene: Scene, term: Term, printed: int | None = None) -> str:
    """Return what a hero's card adds beyond its bonus, and in which circumstances: `+2 for a Wizard`; "" if nothing, or
    if that is not known. printed: its bonus, None: the printed one."""
    more, reason = _more(scene, term, printed)
    return f"{more:+d} {reason}" if reason else ""


def _more(scene: Scene, term: Term, printed: int | None = None) -> tuple[int, str]:
    """Return what a hero's card adds beyond its bonus, and in which circumstances; 0 and "" if nothing, or if that is
    not known."""
    if not term.card or term.card <= DEFN_MASK:
        return 0, ""
    definition = scene.definition(term.card)
    more = term.by - (definition.card.bonus if printed is None else printed)
    reason = _reason(scene, definition, more) if more else ""
    return (more, reason) if reason else (0, "")


def _reason(scene: Scene, definition: Def, more: int) -> str:
    """Return why a card adds this much more than its bonus: its only reason, or the only one that fits the number."""
    fits = [mod for mod in definition.strength if mod.by == more] or list(definition.strength)
    return reason_of_more(fits[0], scene.lexicon.phrases(definition)) if len(fits) == 1 else ""


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
    reason = reason_of_bonus(definition.strength[term.mod], scene.lexicon.phrases(definition))
    return f"{brief} {reason}".strip(), brief


def hero_sums(scene: Scene, fight: FightView) -> list[Row]:
    """Return a few rows for the heroes: Level, gear, Classes and the like, Curses, one-shots, abilities of each hero,
    and of each other player who added some; each says of what it is made."""
    rows: dict[tuple[int, str], list[Term]] = {}
    alone = fight.helper < 0
    for term in fight.hero_terms:
        key = (-1 if alone and term.seat == fight.seat else term.seat, _sort_of(scene, term))
        rows.setdefault(key, []).append(term)
    return [
        Row(what, sum(term.by for term in terms), seat, what == "Level", made=_parts(terms))
        for (seat, what), terms in rows.items()
    ]


def _parts(terms: Sequence[Term]) -> tuple[str, ...]:
    """Return several terms in words, the largest first: `Plot Armor 4, Keys 2`, `Armor 4, Keys 2`, `Armor 4, 2 more`;
    () for one."""
    if len(terms) < 2:
        return ()
    ordered = sorted(terms, key=lambda term: -abs(term.by))
    names, nouns = ([f"{name(term.label)} {term.by}" for term in ordered] for name in (str, noun))
    rest = sum(term.by for term in ordered[1:])
    return ", ".join(names), ", ".join(nouns), f"{nouns[0]}, {rest} more"


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
    return kind_word(card, scene.lexicon.of(scene.definition(term.card))) if card.kind == "identity" else "gear"


def foe_sums(scene: Scene, fight: FightView) -> list[Row]:
    """Return a row for each monster with its cards, which says what its number is made of, then what the open Seals
    add, one each, and what the Seal in force adds by its text."""
    rows: list[Row] = []
    parts: list[list[tuple[str, int]]] = []
    seals, now = list[Term](), 0
    for term in fight.foe_terms:
        if term.seat < 0 and not own_level(term) and rows:
            seals.append(term)
        elif not rows or (own_level(term) and term.card != now):
            name = scene.monster(term.card) if own_level(term) else term.label
            rows.append(Row(name, term.by, -1, True))
            parts.append([(name, term.by)])
            now = term.card
        else:
            last = rows[-1]
            parts[-1].append((added_words(scene, term), term.by))
            rows[-1] = Row(last.label, last.by + term.by, -1, True, made=_made_of(parts[-1]))
    return [*rows, *(Row(name, by) for name, by in _of_seals(seals))]


TOP_SEAL = "top Seal"
"""What the Seal in force is called in a sum; its name is among the reasons."""


def _of_seals(terms: Sequence[Term]) -> list[tuple[str, int]]:
    """Return what open Seals add: one each to every monster, and what the Seal in force adds by its text."""
    counted = [term.by for term in terms if not term.card]
    found = {"Seals" if len(counted) == 1 else f"Seals on {len(counted)} monsters": sum(counted)} if counted else {}
    by_text = sum(term.by for term in terms if term.card)
    return [*found.items(), *([(TOP_SEAL, by_text)] if by_text else [])]


def _made_of(parts: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    """Return what a number is made of, in five forms: `14 + its roll 4 + Prismatic Glitter 5`, with cards as nouns:
    `14 + its roll 4 + Glitter 5`, with nothing but them: `14 + 4 + Glitter 5`, without cards: `14 + its roll 4 + 5`,
    and without names: `14 + 4 + 5`. parts: names and amounts; all others are added to the first one."""
    first, *others = parts
    by_name: dict[str, int] = {}
    for name, by in others:
        by_name[name] = by_name.get(name, 0) + by
    own = {name: name if name.startswith("its ") or name == TOP_SEAL else "" for name in by_name}
    forms = []
    nouns = {name: noun(name) for name in own if not own[name]}
    for called in ({name: name for name in own}, own | nouns, nouns, own, {}):
        added = [" ".join(filter(None, ("-" if by < 0 else "+", called.get(name, ""), str(abs(by)))))
                 for name, by in by_name.items()]  # fmt: skip
        forms.append(" ".join([str(first[1]), *added]))
    return tuple(forms)


def made_of(scene: Scene, monster: MonsterView) -> tuple[str, ...]:
    """Return what the strength of a monster is made of, the longest words first: `14 + Reanimated 5`, `14 + 5`; without
    cards and Seals, only its Level."""
    parts: list[tuple[str, int]] = []
    seals, mine = list[Term](), False
    for term in scene.fight.foe_terms if scene.fight is not None else ():
        if own_level(term):
            mine = term.card == monster.id
        if term.seat < 0 and not own_level(term):
            seals += [term] if mine else []
        elif mine:
            parts.append((added_words(scene, term), term.by))
    parts += _of_seals(seals)
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


def hero_parts(fight: FightView, named: int, largest: bool = False, brief: bool = False) -> list[Row]:
    """Return the sum of each hero, and of each other player who added something, with so many of its largest terms by
    name, cards before the Level, which the table shows: `16 (Staff 5, Hat 2, 9 more)`. largest: only the terms of the
    largest sum. brief: as `16 (Staff 5 + 11)`."""
    rows = hero_totals(fight)
    most = max((row.by for row in rows), default=0)
    found = []
    for row in rows:
        own = (term for term in fight.hero_terms if term.seat == row.seat)
        terms = sorted(own, key=lambda term: (term_of_level(term), -abs(term.by)))
        told = [f"{noun(term.label)} {term.by}" for term in terms[:named]]
        rest = sum(term.by for term in terms[named:])
        told += [str(rest) if brief else f"{rest} {MORE}"] if rest else []
        made = " + ".join(told) if brief else ", ".join(told)
        found.append(replace(row, made=(made,)) if len(terms) > 1 and (row.by == most or not largest) else row)
    return found


VAGUE = ("abilities", "cards played", "effects")
"""Sums of terms that nothing else beside a fight names."""
MORE = "more"
"""The name of the terms for which there is no room; it follows their number."""


def summed(rows: Sequence[Row], ascii_only: bool, form: int = -1) -> str:
    """Return rows as one line: `Level 9 + gear 9`, with shapes where they say who. form: which of the forms of
    Row.made to use; the first is the longest."""
    text = ""
    for row in rows:
        who = [shape(row.seat, ascii_only)] if row.seat >= 0 else []
        made = f"({row.made[form]})" if row.made and row.made[form] else ""
        number = row.by if row.base else abs(row.by)
        name = row.brief or row.label
        told = (str(number), name) if name == MORE else (name, str(number))
        words = " ".join([*who, *filter(None, (*told, made))])
        text += f" {'-' if number != row.by else '+'} {words}"
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
