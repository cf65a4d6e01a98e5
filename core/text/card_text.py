"""Describe a card in English sentences, generated from its figures and effects.

They are shown beside the printed text, so that an author sees where the two differ. Lines indented by two spaces belong
to the line above them.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from core.language import schema as v
from core.language.definition import Def
from core.language.manifest import PackHead
from core.language.tree import walk
from core.text.card_effects import nested, op_lines
from core.text.card_mods import foe_lines, mod_lines
from core.text.card_phrases import SLOT, SUBJECT, Lines, Phrases, article, count, more, plural
from core.text.grammar import capital, how_often

WHEN = {
    "any": "at any time", "combat": "in any combat", "own-combat": "as fighter or helper",
    "own-turn": "in your own turn, outside combat", "peace": "while you are not in combat",
    "running": "while you must run away", "prepare": "in your own turn, before you open the door",
}  # fmt: skip
TARGET = {
    "none": "", "seat": "a player", "side": "the heroes or the monsters", "monster": "a monster in the combat",
    "hero": "the fighter or the helper", "own-item": "one of your Items", "item": "another player's Item",
    "bring": "a monster from your hand", "curse": "a lasting curse",
    "played": "the card that another player has just played into the combat",
}  # fmt: skip
_PARTS = {
    "play": "Played:", "enter": "When it appears:", "bad": "Bad Stuff:", "escaped": "On whoever escapes from it:",
    "killed": "When it is killed:", "turn_start": "At the start of its owner's turn:",
    "won": "After a fight that its owner has won with a kill, before Treasure is drawn:",
}  # fmt: skip
_OPENED = "When it is opened (the victim is whoever opened it):"
_PER = {"combat": "per combat", "turn": "per turn", "victim": "per victim and combat"}


def describe(card: v.Card, head: PackHead | None = None) -> Lines:
    """Return the effects of a card in words, one sentence a line. head: pack.toml of its pack, for names of tags and
    curses."""
    w = Phrases(head)
    definition = Def(0, "", card)
    lines = [*_figures(card, w), *_playing(definition, w, head), *_holds(card, w)]
    for name, heading in _PARTS.items():
        ops = getattr(card, name)
        if ops:
            lines += [_OPENED if card.kind == "seal" else heading, *nested(ops, w)]
    for ability in definition.abilities:
        lines += _ability(ability, w)
    return [line if line.startswith("  ") else capital(line) for line in lines]


def _holds(card: v.Card, w: Phrases) -> Lines:
    """Return the lines of the modifiers that hold while the card is in play (a Seal: while it is on top)."""
    if card.kind == "seal":
        return [
            *_under("While it is on top, for every player:", _mods(card.mods, w, "that player")),
            *_under("While it is on top, for every monster:", _foes(card.foes, w)),
        ]
    if card.kind in ("monster", "enhancer"):
        return _foes(card.mods, w)
    return _mods(card.mods, w, "its owner")


def _mods(mods: tuple[v.Mod, ...], w: Phrases, subject: str) -> Lines:
    return [line for mod in mods for line in mod_lines(mod, w, subject)]


def _foes(mods: tuple[v.Mod, ...], w: Phrases) -> Lines:
    return [line for mod in mods for line in foe_lines(mod, w)]


def _under(heading: str, lines: Lines) -> Lines:
    return [heading, *("  " + line for line in lines)] if lines else []


def _figures(card: v.Card, w: Phrases) -> Lines:
    if card.kind == "monster":
        tags = "".join(f", {w.name(tag)}" for tag in card.tags)
        worth = f"{count(card.levels, 'level')}, {count(card.treasures, 'Treasure')}"
        return [f"Level {card.level} monster{tags}: {worth}"]
    lines = []
    if card.kind == "item":
        lines.append(_item(card, w))
    elif card.kind == "upgrade":
        lines.append(_upgrade(card))
    elif card.kind in ("hireling", "special", "ally"):
        lines += _follower(card)
    elif card.bonus or card.treasures or card.gives_tag or card.partner:
        lines.append(_enhancer(card, w))
    if card.identity and card.kind == "identity":
        rank = f", Rank {card.rank}" if card.rank is not None else ""
        lines.append(f"{w.name(card.identity)}: {w.name(card.name_key or card.id)}{rank}")
    if card.serves:
        lines.append(f"Allows two of: {w.name(card.serves)}; with a single one, none of its disadvantages")
    lines += [_BY_KIND[card.kind]] if card.kind in _BY_KIND else []
    return lines


def _item(card: v.Card, w: Phrases) -> str:
    slot = SLOT[card.slot] if card.slot and card.slot != "none" else "Item"
    parts = [f"{'Big ' if card.big else ''}{'one-shot' if card.one_shot else slot}"]
    parts += [w.name(tag) for tag in card.tags]
    parts += _value(card)
    if card.bonus:
        parts.append(f"{card.bonus:+d}")
    if card.for_ally:
        parts.append("an Ally may carry it")
    return ", ".join(parts)


def _value(card: v.Card) -> list[str]:
    if card.value is None:
        return []
    return [f"{card.value} Gold Pieces" if card.value else "No Value"]


def _upgrade(card: v.Card) -> str:
    """Return the line of an Item Enhancer, which counts while its Item does."""
    parts = ["Item Enhancer", *_value(card)]
    parts += [f"{card.bonus:+d} to the combat strength of whoever has the Item equipped"] if card.bonus else []
    return ", ".join(parts)


def _follower(card: v.Card) -> Lines:
    """Return the line of a Hireling, Ally or special Treasure: its bonus counts only for its owner."""
    parts = ["Ally"] if card.kind == "ally" else []
    parts += ["not counted against the limit"] if card.free else []
    parts += [f"{card.bonus:+d} to its owner's combat strength"] if card.bonus else []
    return [", ".join(parts)] if parts else []


_BY_KIND = {
    "wandering": "In any combat, with a monster from your hand, which joins it",
    "cheat": "Attached to one of your Items, which you may then equip whatever the limits and restrictions say",
    "hireling": "It can carry one of your Items, which then takes up no slot, no hands and no Big Item limit",
}
"""The sentence for what every card of a kind does."""


def _enhancer(card: v.Card, w: Phrases) -> str:
    parts = [f"{card.bonus:+d} strength"] if card.bonus else []
    parts += [more(card.treasures, "Treasure")] if card.treasures else []
    parts += [f"it becomes {w.name(card.gives_tag)}"] if card.gives_tag else []
    parts += ["a second one just like it joins, and everything on one counts for both"] if card.partner else []
    text = f"On a monster in any combat: {', '.join(parts)}"
    if card.gives_tag in w.joining:
        text += f"; or with a monster from your hand, which joins {_a_fight(card, w)}"
    return text


def _a_fight(card: v.Card, w: Phrases) -> str:
    return f"a combat with {article(w.name(card.gives_tag or ''))} monster"


def _playing(definition: Def, w: Phrases, head: PackHead | None) -> Lines:
    card, lines = definition.card, []
    if card.when or card.target or card.kind in ("level", "special", "hireling", "ally") or card.one_shot:
        target = definition.target
        free = definition.gate == "special" and head is not None and head.switches.special_any_time
        on = f", on {TARGET[target]}{' (the victim)' if target == 'seat' else ''}" if target != "none" else ""
        lines.append(f"may be played {WHEN['any' if free else definition.when]}{on}")
    if card.if_ is not None:
        lines.append(f"only if {w.condition(card.if_, 'you')}")
    if card.only is not None:
        lines.append(f"usable only if {w.condition(card.only, 'its owner')}")
    if card.unless is not None:
        lines.append(f"not usable if {w.condition(card.unless, 'its owner')}")
    if definition.stays:
        lines.append("it stays in play in front of its player:")
    return lines


def _ability(ability: v.Ability, w: Phrases) -> Lines:
    limit = "" if ability.per == "always" else f", {how_often(ability.most)} {_PER[ability.per]}"
    on = f", on {TARGET[ability.target]}" if ability.target != "none" else ""
    only = f", only if {w.condition(ability.if_, 'you')}" if ability.if_ else ""
    if ability.target in ("hero", "seat"):
        w.heroes = "the strength of the chosen hero"
    elif ability.when == "own-combat":
        w.heroes = "your strength"
    lines = [f"{WHEN[ability.when]}{on}{limit}{_cost(ability.cost, w)}{only}:", *nested(ability.do, w)]
    w.heroes = "the heroes"
    return lines


def _cost(cost: v.Cost | None, w: Phrases) -> str:
    if cost is None:
        return ""
    if cost.whole_hand:
        return f", by discarding your whole hand of {cost.least} cards or more"
    between = "or" if cost.most == cost.least + 1 else "to"
    many = str(cost.most) if cost.least == cost.most else f"{cost.least} {between} {cost.most}"
    what = w.kind(cost.kind) if cost.kind else "card"
    return f", by discarding {many} {what if cost.most == 1 else plural(what)}"


def choice_of_seat(card: v.Card, head: PackHead | None = None) -> str:
    """Return the effect on a player chosen by the card's owner, as a sentence; empty if there is no such choice, or if
    the card has several or in several steps."""
    texts = [text for _, piece in walk(card) for text in _texts_in(piece) if any(map(_chooses, text))]
    if len(texts) != 1:
        return ""
    text = texts[0]
    at = next(at for at, op in enumerate(text) if _chooses(op))
    lines = op_lines(text[at + 1], Phrases(head)) if at + 1 < len(text) else []
    line = _BRACKETS.sub("", lines[0]) if lines else ""
    return f"{capital(line)}." if SUBJECT["chosen"] in line and not line.endswith(":") else ""


def _chooses(op: object) -> bool:
    return isinstance(op, v.ChooseSeat) and op.by == "you"


def _texts_in(piece: Struct) -> Iterator[tuple[v.Op, ...]]:
    """Yield the sequences of effects in one piece of the language."""
    for name in piece.__struct_fields__:
        value = getattr(piece, name)
        if isinstance(value, tuple) and any(isinstance(op, v.OpBase) for op in value):
            yield value


_BRACKETS = re.compile(r" \([^)]*\)")
