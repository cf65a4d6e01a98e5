"""What is wrong with the texts of a card: who and what is known at each place of them, and how large they may be."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from core.authoring.lint_cards import Found, walk
from core.language import schema as v

OPS_LIMIT = 60
DEPTH_LIMIT = 6
ABILITIES_LIMIT = 9


@dataclass
class Scope:
    """What is known at a place of a text: who, which numbers were saved, how deep it is nested."""

    who: frozenset[str]
    target: str = "none"
    monster: bool = False
    saved: set[str] = field(default_factory=set)
    each: bool = False
    depth: int = 1


_FIGHT = frozenset({"fighter", "helper", "side"})
_ALWAYS = frozenset({"you", "others", "all", "left", "right", "highest", "lowest", "turn"})
_NO_FIGHT = ("own-turn", "peace", "prepare")
_WHO_KEYS = ("who", "of", "by", "to", "at", "among", "level_of")
_WHO = get_args(v.Who)


def text_problems(card: v.Card) -> Iterator[Found]:
    """Every mistake in the texts, abilities and modifiers of a card."""
    for name in ("play", "enter", "bad", "escaped", "killed", "turn_start"):
        yield from _text(getattr(card, name), name, _scope(card, name))
    if len(card.abilities) > ABILITIES_LIMIT:
        yield "abilities", f"{len(card.abilities)} of them: a card has at most {ABILITIES_LIMIT}", ""
    for at, ability in enumerate(card.abilities):
        scope = _ability_scope(ability)
        key = f"abilities[{at}]"
        if ability.if_ is not None:
            yield from _pieces(ability.if_, f"{key}.if", scope)
        yield from _cost(ability, key)
        yield from _text(ability.do, f"{key}.do", scope)
    for at, mod in enumerate(card.mods):
        yield from _mod(card.kind in ("monster", "enhancer"), mod, f"mods[{at}]")
    for at, mod in enumerate(card.foes):
        yield from _mod(True, mod, f"foes[{at}]")


def _scope(card: v.Card, part: str) -> Scope:
    if part in ("enter", "bad", "escaped", "killed"):
        return Scope(_ALWAYS | _FIGHT | {"victim"}, monster=True)
    if part == "turn_start":
        return Scope(_ALWAYS | {"victim"})
    known = _ALWAYS | {"victim"} if card.when in _NO_FIGHT else _ALWAYS | _FIGHT | {"victim"}
    return Scope(known, card.target or "none", card.kind == "enhancer")


def _ability_scope(ability: v.Ability) -> Scope:
    known = _ALWAYS | {"victim"} if ability.when in _NO_FIGHT else _ALWAYS | _FIGHT | {"victim"}
    return Scope(known, ability.target, saved={"paid"} if ability.cost else set())


def _cost(ability: v.Ability, key: str) -> Iterator[Found]:
    cost = ability.cost
    if cost is not None and cost.most < cost.least and not cost.whole_hand:
        yield f"{key}.cost", f"from {cost.least} to {cost.most} cards is no range", ""
    if ability.per == "always" and ability.most != 1:
        yield f"{key}.most", "means nothing without per", 'per = "combat", "turn" or "victim"'


def _text(ops: tuple[v.Op, ...], key: str, scope: Scope) -> Iterator[Found]:
    count = sum(1 for _, node in walk(ops, "") if isinstance(node, v._Op))
    if count > OPS_LIMIT:
        yield key, f"{count} ops: a text has at most {OPS_LIMIT}", ""
    yield from _block(ops, key, scope)


def _block(ops: tuple[v.Op, ...], key: str, scope: Scope) -> Iterator[Found]:
    if scope.depth > DEPTH_LIMIT:
        yield key, f"nested more than {DEPTH_LIMIT} deep", ""
        return
    for at, op in enumerate(ops):
        yield from _op(op, f"{key}[{at}]", scope)


def _op(op: v.Op, key: str, scope: Scope) -> Iterator[Found]:
    if not isinstance(op, v.ChooseSeat | v.Linger):
        yield from _own_pieces(op, key, scope)
    yield from _aimed(op, key, scope)
    inner = replace(scope, depth=scope.depth + 1)
    if isinstance(op, v.Die):
        if op.save == "paid":
            yield f"{key}.save", "'paid' is the number of cards paid for an ability", "take another name"
        scope.saved.add(op.save)
    elif isinstance(op, v.ChooseSeat):
        yield from _choose_seat(op, key, scope, inner)
    elif isinstance(op, v.Each):
        if scope.each:
            yield key, "an each within an each", "one each at a time"
        yield from _block(op.then, f"{key}.then", replace(inner, who=scope.who | {"me"}, each=True))
    elif isinstance(op, v.Branch):
        yield from _block(op.then, f"{key}.then", inner)
        yield from _block(op.else_, f"{key}.else", inner)
    elif isinstance(op, v.Option):
        yield from _option(op, key, inner)
    elif isinstance(op, v.Discard | v.Take):
        yield from _block(op.else_, f"{key}.else", inner)
    elif isinstance(op, v.Linger):
        yield from _linger(op, key, scope)
    elif isinstance(op, v.Sacrifice):
        yield key, "stands on no card", "every Ally can be sacrificed without saying so"


def _choose_seat(op: v.ChooseSeat, key: str, scope: Scope, inner: Scope) -> Iterator[Found]:
    for name in ("among", "by"):
        yield from _who(getattr(op, name), f"{key}.{name}", scope)
    if op.if_ is not None:
        yield from _pieces(op.if_, f"{key}.if", scope)
    if op.meets is not None:
        yield from _pieces(op.meets, f"{key}.meets", replace(scope, who=scope.who | {"me"}))
    yield from _block(op.else_, f"{key}.else", inner)
    scope.who |= {"chosen"}


def _option(op: v.Option, key: str, inner: Scope) -> Iterator[Found]:
    if len(op.of) < 2:
        yield f"{key}.of", "a choice of one is none", ""
    if all(choice.if_ is not None for choice in op.of):
        yield f"{key}.of", "every choice has a condition: there may be none left", "let one be without"
    for at, choice in enumerate(op.of):
        if choice.if_ is not None:
            yield from _pieces(choice.if_, f"{key}.of[{at}].if", inner)
        yield from _block(choice.do, f"{key}.of[{at}].do", replace(inner, saved=set(inner.saved)))


def _linger(op: v.Linger, key: str, scope: Scope) -> Iterator[Found]:
    yield from _who(op.who, f"{key}.who", scope)
    if op.if_ is not None:
        yield from _pieces(op.if_, f"{key}.if", scope)
    if not op.mods:
        yield f"{key}.mods", "nothing lingers", ""
    for at, mod in enumerate(op.mods):
        yield from _mod(False, mod, f"{key}.mods[{at}]")


_ON_MONSTERS = (v.Strength, v.Flee, v.Forbid, v.Ignore, v.Spares, v.Reward)
_ON_PLAYERS = (
    v.Strength, v.Flee, v.PayRoll, v.WinsTies, v.Forbid, v.Ignore, v.Capacity, v.Reward, v.HelperLevels, v.SellDouble,
    v.Shield, v.ExtraCards, v.TopDiscard, v.RollIs, v.TwoHanded, v.SealDraw, v.SpareDeath, v.LootFight,
)  # fmt: skip


def _mod(of_monster: bool, mod: v.Mod, key: str) -> Iterator[Found]:
    if not isinstance(mod, _ON_MONSTERS if of_monster else _ON_PLAYERS):
        whose = "monsters" if of_monster else "players"
        yield key, f"{mod.__struct_config__.tag!r} means nothing on cards of {whose}", ""
    if isinstance(mod, v.Reward) and mod.levels and not of_monster:
        yield f"{key}.levels", "means nothing on cards of players", "a kill by its owner may be worth more Treasures"
    if isinstance(mod, v.Ignore) and mod.tag is not None and mod.what != "items":
        yield f"{key}.tag", f"means nothing with what = {mod.what!r}", 'a tag is for what = "items"'
    yield from _own_pieces(mod, key, Scope(_ALWAYS | _FIGHT | {"victim"}))


# ------------------------------------------------------------------------------------------- words where they stand
def _own_pieces(node: Any, key: str, scope: Scope) -> Iterator[Found]:
    """Who-words, amounts and conditions of one op or mod; not those of the ops within it."""
    for name, said in zip(node.__struct_fields__, node.__struct_encode_fields__, strict=True):
        value = getattr(node, name)
        if name in ("then", "else_", "of", "do", "mods") and isinstance(value, tuple):
            continue
        if name in _WHO_KEYS and value in _WHO:
            yield from _who(value, f"{key}.{said}", scope)
        yield from _pieces(value, f"{key}.{said}", scope)


def _pieces(value: Any, key: str, scope: Scope) -> Iterator[Found]:
    """Likewise of a condition, an amount or a selector, and all within it."""
    for at, node in walk(value, key):
        inside = replace(scope, who=scope.who | {"me"}) if "having" in at else scope
        for name, said in zip(node.__struct_fields__, node.__struct_encode_fields__, strict=True):
            word = getattr(node, name)
            if name in _WHO_KEYS and word in _WHO:
                yield from _who(word, f"{at}.{said}", inside)
            if name == "saved" and word is not None and word not in scope.saved:
                yield f"{at}.saved", f"{word!r} has not been saved before", "a die saves its number under a name first"
        if isinstance(node, v.If) and node.at_least != 1 and node.cards is None and node.saved is None:
            yield f"{at}.at_least", "counts nothing here", "it goes with cards or saved"


def _who(word: str, key: str, scope: Scope) -> Iterator[Found]:
    if word in scope.who:
        return
    hints = {
        "me": "me is the seat of an each (or of a choose_seat's meets)",
        "chosen": "a choose_seat must come first",
    }
    yield key, f"nobody can be {word!r} here", hints.get(word, "there is no combat at this moment")


_AIMS: dict[tuple[type, str], str] = {
    (v.RemoveMonster, "named"): "monster", (v.SwapMonster, ""): "monster", (v.Enhance, ""): "monster",
    (v.AddMonster, "copy"): "monster", (v.Lift, "named"): "curse", (v.Bonus, "named"): "side|hero",
    (v.Bonus, "mine"): "this", (v.RemoveMonster, "this"): "this",
}  # fmt: skip
"""What must have been named on playing (or be this monster) for an op, by its kind and what it acts on."""


def _aimed(op: v.Op, key: str, scope: Scope) -> Iterator[Found]:
    """Ops that act on what was named on playing need a card that names it."""
    aim = _AIMS.get((type(op), getattr(op, "which", getattr(op, "side", getattr(op, "what", "")))), "")
    if aim == "this" and not scope.monster:
        yield key, "there is no 'this monster' here", "only texts of monsters have one"
    elif aim and aim != "this" and scope.target not in aim.split("|") and not (aim == "monster" and scope.monster):
        wanted = aim.split("|")[0]
        yield key, f"acts on the {wanted} named on playing, but nothing names one", f'target = "{wanted}"'
