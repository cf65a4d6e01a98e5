"""Cards in words, short and in full: their kind, figures and text. Imports no Textual."""

import re
from collections.abc import Container

from core.language.definition import Def
from core.language.schema import Bonus, Branch, Card, If, Op
from tui.scene.cells import count
from tui.scene.lexicon import Names

_SLOTS = {
    "head": "headgear", "armor": "armor", "feet": "footgear", "1-hand": "1 hand", "2-hands": "2 hands",
    "vehicle": "Vehicle", "none": "",
}  # fmt: skip
_KINDS = {
    "enhancer": "monster enhancer", "wandering": "wandering monster", "double": "second identity",
    "level": "go up a level", "cheat": "cheat", "hireling": "hireling", "special": "special", "ally": "Ally",
    "upgrade": "Item enhancer", "seal": "Seal",
}  # fmt: skip
_WHEN = {
    "any": "at any time", "combat": "in any fight", "own-combat": "in your own fight", "own-turn": "on your own turn",
    "peace": "while you are not in a fight", "running": "while you run away", "prepare": "before you open the door",
}  # fmt: skip
PLAIN = Names()


def added(card: Card) -> int:
    """Return the bonus a one-shot always gives to the side it is played on; 0 if there is none, or if it depends."""
    return _named_side_bonus(card.play) if card.one_shot else 0


def shown_bonus(card: Card) -> int:
    """Return the number to show with a card: its bonus, or what a one-shot adds (at least, if it depends)."""
    if card.bonus or not card.one_shot:
        return card.bonus
    return added(card) or sum(_named_side_bonus(op.else_) for op in card.play if isinstance(op, Branch))


def bonus_by_tag(card: Card, tags: Container[str]) -> tuple[int, str]:
    """Return what a one-shot adds because a monster of the fight has a tag, and the tag; 0 and "" if none decides it.
    tags: those of all monsters."""
    for op in card.play if card.one_shot else ():
        if isinstance(op, Branch) and op.if_ is not None and op.if_.tag in tags and op.if_ == If(tag=op.if_.tag):
            return _named_side_bonus(op.then), op.if_.tag or ""
    return 0, ""


def _named_side_bonus(ops: tuple[Op, ...]) -> int:
    given = (op for op in ops if isinstance(op, Bonus) and op.side == "named" and op.if_ is None)
    return sum(op.by for op in given if isinstance(op.by, int))


def kind_word(card: Card, names: Names = PLAIN) -> str:
    """Return what a card is in the words of its set: `monster`, `one-shot`, `disaster`, `power`, `second class`."""
    if card.kind == "item":
        return "one-shot" if card.one_shot else "vehicle" if card.slot == "vehicle" else "item"
    if card.kind == "identity":
        return names.kinds.get(card.identity or "", card.identity or "identity").lower()
    if card.kind == "double":
        return f"second {names.kinds.get(card.serves or '', card.serves or 'identity').lower()}"
    if card.kind == "curse":
        return names.curse.lower()
    return {"level": "level up", "seal": "Seal", "ally": "Ally"}.get(card.kind, card.kind)


def figure(card: Card) -> tuple[str, str]:
    """Return the main number of a card, and a word or two for what it is: `+4`, `2 hands`; `14`, `level`; ("", "")."""
    if card.kind == "monster":
        return str(card.level), "level"
    if shown_bonus(card):
        return f"{shown_bonus(card):+d}", _bonus_word(card)
    if card.rank:
        return str(card.rank), "rank"
    levels = levels_of(card)
    if levels:
        return f"{levels:+d}", "level" if abs(levels) == 1 else "levels"
    if card.treasures:
        return f"{card.treasures:+d}", "Treasure" if abs(card.treasures) == 1 else "Treasures"
    return (str(card.value), "gold") if card.value else ("", "")


def _bonus_word(card: Card) -> str:
    if card.kind == "enhancer":
        return "monster"
    if card.kind == "upgrade":
        return "Item"
    return _SLOTS[card.slot or "none"] or ("big" if card.big else "" if card.one_shot else "bonus")


def levels_of(card: Card) -> int:
    """Return how many levels a card always gives, below 0 those it takes; 0 if it gives none, or if it depends. For a
    card that gives levels to several players, return what the first of them gets."""
    unconditional = [(op, gain) for op in card.play if op.if_ is None for gain in op.gives_levels if gain.is_printed]
    always = [(who, gain.number(op)) for op, gain in unconditional if (who := gain.seats(op)) != "chosen"]
    return sum(number for who, number in always if isinstance(number, int) and who == always[0][0])


def brief(card: Card, names: Names = PLAIN) -> str:
    """Return kind and main number in a few words: `monster, level 6`, `item +2`, `level up +1`, `power, rank 2`."""
    kind, (number, word) = kind_word(card, names), figure(card)
    if card.kind == "monster" or card.rank:
        return f"{kind}, {word} {number}"
    return f"{kind} {number}" if number[:1] in ("+", "-") and card.kind != "curse" else kind


def in_play(card: Card, both: int = 0, counters: int = 0, now: int | None = None) -> str:
    """Return an Item in play with its bonus and size: `Pickle Spear +4`, `Boat Hook +5 (2 hands, 3 counters)`.

    both: the extra bonus for using it with both hands. counters: those on it. now: what it adds now, where that is
    known and may differ from the printed number.
    """
    hands = {"2-hands": "2 hands", "vehicle": "Vehicle"}.get(card.slot or "", "")
    hands = f"both hands{f' {both:+d}' if now is None else ''}" if both else hands
    big = "Big" if card.big and card.slot != "vehicle" else ""
    lying = count(counters, "counter") if counters else ""
    words = ", ".join(word for word in (hands, big, "Ally" if card.kind == "ally" else "", lying) if word)
    adds = card.bonus if now is None else now
    bonus = f" {adds:+d}" if adds else ""
    return f"{card.name}{bonus}{f' ({words})' if words else ''}"


def with_counters(counters: int) -> str:
    """Return what follows the name of a card in play: ` (3 counters)`, "" for none."""
    return f" ({count(counters, 'counter')})" if counters else ""


def facts(card: Card, names: Names = PLAIN) -> str:
    """Return the printed figures, separated by commas: `one-shot item, +5, 300 gold`."""
    return ", ".join(_facts(card, names))


def _facts(card: Card, names: Names) -> list[str]:
    if card.kind == "monster":
        tags = _tags(card, names)
        return [f"Level {card.level} monster", *tags, count(card.treasures, "Treasure"), count(card.levels, "level")]
    if card.kind == "item":
        return _item_facts(card, names)
    if card.kind == "identity":
        kind = names.kinds.get(card.identity or "", card.identity or "identity")
        return [kind.lower(), *([f"Rank {card.rank}"] if card.rank else [])]
    parts = [names.curse.lower() if card.kind == "curse" else _KINDS.get(card.kind, card.kind)]
    if card.bonus:
        parts.append(f"{card.bonus:+d} to a monster" if card.kind == "enhancer" else f"{card.bonus:+d}")
    if card.treasures:
        parts.append(f"{card.treasures:+d} {'Treasure' if abs(card.treasures) == 1 else 'Treasures'}")
    if card.gives_tag:
        parts.append(f"makes it {names.tags.get(card.gives_tag, card.gives_tag.capitalize())}")
    if card.free:
        parts.append("not counted")
    if card.kind == "upgrade":
        parts.append(_gold(card))
    return parts


def _tags(card: Card, names: Names) -> list[str]:
    return [names.tags.get(tag, tag.capitalize()) for tag in card.tags]


def _item_facts(card: Card, names: Names) -> list[str]:
    parts = ["one-shot item" if card.one_shot else "item"]
    if shown_bonus(card):
        parts.append(f"{shown_bonus(card):+d}")
    if card.slot and _SLOTS[card.slot]:
        parts.append(_SLOTS[card.slot])
    if card.big:
        parts.append("Big")
    parts += _tags(card, names)
    if card.for_ally:
        parts.append("an Ally may carry it")
    return [*parts, _gold(card)]


def _gold(card: Card) -> str:
    return f"{card.value} gold" if card.value else "no value"


def time_of(definition: Def, special_any_time: bool = False) -> str:
    """Return in words when a card can be played from the hand. special_any_time: a switch of the first set."""
    card = definition.card
    if definition.kind == "monster":
        return "when looking for trouble"
    if definition.kind == "seal":
        return ""
    if definition.kind == "item" and not card.one_shot and card.when is None:
        return "on your own turn, outside a fight"
    if definition.gate == "special" and special_any_time:
        return _WHEN["any"]
    return _WHEN[definition.when]


def sacrifices(definition: Def, number: int) -> bool:
    """Return whether this ability (by its number) is the one that every Ally has: it sacrifices the card."""
    return definition.powers[number].sacrifices


def ability_words(definition: Def, number: int) -> str:
    """Return the words for an ability: its text on the card, or a short phrase for the one that every Ally has."""
    return "sacrifice it and escape" if sacrifices(definition, number) else definition.abilities[number].text


def curt(text: str) -> str:
    """Return the text of an ability that can be used now in fewer words: its price and what comes of it, without when
    it may be used and how its die is thrown."""
    told = _TIME.sub("", text).lstrip(", ")
    thrown = _THROW.search(told)
    if thrown is None:
        return told
    price, rest = told[: thrown.start()], told[thrown.end() :]
    return f"{price}; {rest[:1].lower()}{rest[1:]}" if price else rest


_TIME = re.compile(
    r"(?:^|[,.] )(?:once in (?:a|any|each|that|the|your)\b[^,.;:]*|outside combat|neither of you in combat"
    r"|once before the door\b)", re.I
)
"""When an ability may be used: that it is offered says it."""
_THROW = re.compile(
    r"(?:^|,? and |, )roll(?: a die| the die| a d20| against another player| if somebody helps you)?[.,;:] "
    r"(?=on \d|\+?\d)", re.I,
)  # fmt: skip
"""How a die is thrown, before what its number means."""


def added_abilities(definition: Def) -> list[str]:
    """Return what to say about abilities after the printed text: each ability that the text does not mention, and for
    the others the names that it lacks."""
    text = definition.card.text
    found = []
    for number, ability in enumerate(definition.abilities):
        name, colon, body = ability.text.partition(": ")
        if ability.text in text:
            continue
        if sacrifices(definition, number) or not _tells(text, body or name):
            found.append(ability.text)
        elif colon and name.lower() not in text.lower():
            found.append(f"Ability: {name}.")
    return found


TOLD = 0.6
"""A text tells of an ability if it has this share of its words."""


def _tells(text: str, ability: str) -> bool:
    """Return whether a printed text tells of an ability in words of its own."""
    there, words = _words_of(text), _words_of(ability)
    return len(words & there) >= TOLD * len(words)


def _words_of(text: str) -> set[str]:
    return {word[:5] for word in re.findall(r"[+-]?\w+", text.lower())}


def paragraphs(definition: Def, names: Names = PLAIN, special_any_time: bool = False) -> list[str]:
    """Return a card in full, as paragraphs: its figures, its text, its abilities, when it can be played."""
    card = definition.card
    figures = facts(card, names)
    parts = [figures[:1].upper() + figures[1:] + "."]
    if card.text:
        parts.append(card.text)
    parts += added_abilities(definition)
    time = time_of(definition, special_any_time)
    if time:
        parts.append(f"Played {time}.")
    return parts
