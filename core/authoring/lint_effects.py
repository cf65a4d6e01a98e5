"""Find what is wrong with the texts of a card: who-words that refer to nobody where they are used, texts that are too
large."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from core.authoring.decode import Decoded
from core.authoring.lint_cards import Found, undoing_problems
from core.language import schema as v
from core.language.compiler import PARTS
from core.language.definition import counts_counters, default_when, special_stays
from core.language.tree import child_texts, effects_within, list_fields, walk, who_fields
from core.text.card_effects import SOLE

OPS_LIMIT = 60
DEPTH_LIMIT = 6
ABILITIES_LIMIT = 9
PIECES_LIMIT = 400
"""The most effects, modifiers, conditions, amounts and selectors of a card together: the rules read all of them again
and again."""
NESTING_LIMIT = 5
"""How deep conditions, amounts and selectors may be nested. Some are read once for each seat, so the work grows as a
power."""


@dataclass
class Scope:
    """What is known at a place in a text: the defined who-words, the saved numbers, the depth of nesting.

    this: whether the text's own card lies in front of a player (or struck one), so that a selector can refer to it.
    counters: whether that card stays in play and so may have counters.
    holes: whether a part of the text, or what its player names, could not be read, so that more may be known than this.
    """

    who: frozenset[str]
    target: str = "none"
    monster: bool = False
    saved: set[str] = field(default_factory=set)
    each: bool = False
    depth: int = 1
    this: bool = False
    counters: bool = False
    holes: bool = False


_FIGHT = frozenset({"fighter", "helper", "side"})
_ALWAYS = frozenset({"you", "others", "all", "left", "right", "highest", "lowest", "turn"})
_NO_FIGHT = ("own-turn", "peace", "prepare")
_FOR_EACH_SEAT = (".having", ".meets")
"""Keys of conditions that are checked for each seat, as `me`."""


def text_problems(card: v.Card, read: Decoded[v.Card]) -> Iterator[Found]:
    """Yield every mistake in the texts, abilities and modifiers of a card. read: says which of their keys could not be
    read."""
    for name in PARTS:
        scope = replace(_scope(card, name), holes=read.lost_at(name, "kind", "when", "target", "one_shot"))
        yield from _text(getattr(card, name), name, scope)
    if not read.lost_at("kind", "when", "target", "one_shot"):
        yield from undoing_problems(card.target, default_when(card), card.play, "")
    yield from _size(card)
    if len(card.abilities) > ABILITIES_LIMIT:
        yield "abilities", f"{len(card.abilities)} of them: a card has at most {ABILITIES_LIMIT}", ""
    for at, ability in enumerate(card.abilities):
        key = f"abilities[{at}]"
        scope = replace(_ability_scope(ability), holes=read.lost_at(key))
        if ability.if_ is not None:
            yield from _pieces(ability.if_, f"{key}.if", replace(scope, this=False))
        yield from _cost(ability, key)
        yield from undoing_problems(ability.target, ability.when, ability.do, f"{key}.")
        yield from _text(ability.do, f"{key}.do", scope)
    for at, mod in enumerate(card.mods if not read.lost_at("kind") else ()):
        yield from _mod(card.kind in ("monster", "enhancer"), mod, f"mods[{at}]", counters=_has_counters(card))
    for at, mod in enumerate(card.mods if card.kind == "seal" else ()):
        if isinstance(mod, v.ThrowAgain):
            yield f"mods[{at}]", "means nothing on a Seal", "it goes with cards in play in front of a player"
    for at, mod in enumerate(card.foes):
        yield from _mod(True, mod, f"foes[{at}]")
    for key, cond in (("if", card.if_), ("only", card.only), ("unless", card.unless)):
        yield from _this(cond, key)
        yield from _counters(cond, key)


def _size(card: v.Card) -> Iterator[Found]:
    """Yield parts that are too large or too deeply nested, because the rules read them at every action."""
    pieces = sum(1 for _ in walk(card)) - 1
    if pieces > PIECES_LIMIT:
        yield "", f"{pieces} effects, modifiers and conditions: a card has at most {PIECES_LIMIT}", ""
    if _nesting(card) > NESTING_LIMIT:
        yield "", f"conditions and amounts are nested more than {NESTING_LIMIT} deep", ""


def _nesting(piece: object) -> int:
    """Return how deep conditions, amounts and selectors are nested in a piece of the language."""
    if isinstance(piece, tuple):
        return max(map(_nesting, piece), default=0)
    if not isinstance(piece, Struct):
        return 0
    inner = max((_nesting(getattr(piece, name)) for name in piece.__struct_fields__), default=0)
    return inner + isinstance(piece, v.If | v.Amount | v.Cards)


def _this(value: object, key: str) -> Iterator[Found]:
    """Yield selectors with `this` outside texts: only a running text knows which card it is on."""
    for at, node in walk(value, key):
        if isinstance(node, v.Cards) and node.this is not None:
            hint = "it goes with play, turn_start, won and abilities"
            yield f"{at}.this", "no text of a card in play runs here", hint


def _counters(value: object, key: str) -> Iterator[Found]:
    """Yield amounts and conditions that count counters on a card that can have none."""
    for at, node in walk(value, key):
        if counts_counters(node):
            yield f"{at}.{'counters' if isinstance(node, v.Amount) else 'counters_at_least'}", *_NO_COUNTERS


_NO_COUNTERS = "no counters can lie on this card here", "they lie on cards of players that stay in play"


def _has_counters(card: v.Card) -> bool:
    """Return whether counters may lie on a card: whether it stays in play in front of its player."""
    return card.kind in v.LASTING_KINDS and not card.one_shot and (card.kind != "special" or special_stays(card))


def _scope(card: v.Card, part: str) -> Scope:
    if part in ("enter", "bad", "escaped", "killed"):
        return Scope(_ALWAYS | _FIGHT | {"victim"}, monster=True)
    if part in ("turn_start", "won"):
        return Scope(_ALWAYS | {"victim"}, this=True, counters=_has_counters(card))
    known = _ALWAYS | {"victim"} if card.when in _NO_FIGHT else _ALWAYS | _FIGHT | {"victim"}
    return Scope(
        known, card.target or "none", card.kind == "enhancer", this=card.kind not in ("seal", "enhancer"),
        counters=_has_counters(card),
    )  # fmt: skip


def _ability_scope(ability: v.Ability) -> Scope:
    known = _ALWAYS | {"victim"} if ability.when in _NO_FIGHT else _ALWAYS | _FIGHT | {"victim"}
    return Scope(known, ability.target, saved={"paid"} if ability.cost else set(), this=True, counters=True)


def _cost(ability: v.Ability, key: str) -> Iterator[Found]:
    cost = ability.cost
    if cost is not None and cost.most < cost.least and not cost.whole_hand:
        yield f"{key}.cost", f"from {cost.least} to {cost.most} cards is not a range", ""
    if ability.per == "always" and (cost is None or cost.least == 0):
        message = "without a limit and without a price it could be used without end"
        yield f"{key}.per", message, 'per = "combat", "turn" or "victim", or a cost of a card'
    if ability.per == "always" and ability.most != 1:
        yield f"{key}.most", "means nothing without per", 'per = "combat", "turn" or "victim"'


def _text(ops: tuple[v.Op, ...], key: str, scope: Scope) -> Iterator[Found]:
    count = sum(1 for _ in effects_within(ops))
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
    yield from _own_pieces(op, key, scope)
    yield from _aimed(op, key, scope)
    check = _OF_VERB.get(type(op))
    if check is not None:
        yield from check(op, key, scope)
    if op.innate:
        yield key, "is not written on cards", "every Ally can be sacrificed anyway"
    inner = replace(scope, depth=scope.depth + 1)
    if op.loops:
        if scope.each:
            yield key, "an each inside an each", "use one each at a time"
        inner = replace(inner, who=scope.who | {"me"}, each=True)
    for name, text in child_texts(op).items():
        one_of_several = "[" in name
        yield from _block(text, f"{key}.{name}", replace(inner, saved=set(inner.saved)) if one_of_several else inner)
    if op.names:
        scope.who |= {op.names}


def _die(op: v.Die, key: str, scope: Scope) -> Iterator[Found]:
    if op.save == "paid":
        yield f"{key}.save", "'paid' is the number of cards paid for an ability", "take another name"
    scope.saved.add(op.save)


def _option(op: v.Option, key: str, scope: Scope) -> Iterator[Found]:
    if len(op.of) < 2:
        yield f"{key}.of", "needs two choices at least", ""
    if all(choice.if_ is not None for choice in op.of):
        yield f"{key}.of", "every choice has a condition, so none may be left", "leave one without a condition"
    for at, choice in enumerate(op.of):
        yield from _own_pieces(choice, f"{key}.of[{at}]", scope)


def _linger(op: v.Linger, key: str, scope: Scope) -> Iterator[Found]:
    if not op.mods:
        yield f"{key}.mods", "is empty, so nothing lingers", ""
    for at, mod in enumerate(op.mods):
        yield from _mod(False, mod, f"{key}.mods[{at}]", op.until)


def _swap(op: v.Swap, key: str, scope: Scope) -> Iterator[Found]:
    for at, cards in ((f"{key}.cards", op.cards), (f"{key}.for", op.for_)):
        if cards.zone not in _OF_ITEMS:
            yield f"{at}.zone", "is no place of Items", f"swap exchanges Items in play: one of {', '.join(_OF_ITEMS)}"
        if cards.count != 1:
            yield f"{at}.count", "means nothing here", "swap exchanges one Item for one"
        if cards.pick == "all":
            yield f"{at}.pick", "means nothing here", "swap exchanges one Item for one"


def _peek(op: v.Peek, key: str, scope: Scope) -> Iterator[Found]:
    if op.who not in SOLE:
        yield f"{key}.who", f"{op.who!r} may be several players, but one looks", f"one of {', '.join(SOLE)}; or an each"

_OF_ITEMS = ("items", "equipped", "carried")


def _counter(op: v.Counter, key: str, scope: Scope) -> Iterator[Found]:
    if not scope.counters and not scope.holes:
        yield key, *_NO_COUNTERS
    if op.by == 0:
        yield f"{key}.by", "no counter is put on the card or taken off", "by = 1, or by = -1"
    if isinstance(op.by, int) and op.by < 0 and op.most != DEFAULT_MOST:
        yield f"{key}.most", "means nothing where counters are taken off", "remove it"


DEFAULT_MOST = next(field.default for field in fields(v.Counter) if field.name == "most")


def _extra_turn(op: v.ExtraTurn, key: str, scope: Scope) -> Iterator[Found]:
    if op.who not in SOLE:
        yield f"{key}.who", f"at most one extra turn waits, and {op.who!r} may be several players", "name one player"


_OF_VERB: dict[type, Callable[[Any, str, Scope], Iterator[Found]]] = {
    v.Die: _die, v.Option: _option, v.Linger: _linger, v.Swap: _swap, v.Peek: _peek, v.Counter: _counter,
    v.ExtraTurn: _extra_turn,
}  # fmt: skip
"""Checks for one verb only; most verbs need none."""


def _mod(of_monster: bool, mod: v.Mod, key: str, until: str = "", counters: bool = False) -> Iterator[Found]:
    """Yield every mistake of a modifier.

    until: how long it lingers, "" for one of a card in play. counters: whether its card may have counters.
    """
    if isinstance(mod, v.RollIs) and until != "roll":
        hint = 'play = [{ do = "linger", until = "roll", mods = [{ mod = "roll_is", value = 1 }] }]'
        yield key, "decides one roll, so it lingers until that roll", hint
    if not (mod.on_monsters if of_monster else mod.on_players):
        whose = "monsters" if of_monster else "players"
        yield key, f"{mod.__struct_config__.tag!r} means nothing on cards of {whose}", ""
    if isinstance(mod, v.ThrowAgain):
        yield from _throw_again(mod, key, until)
    if isinstance(mod, v.Reward) and mod.levels and not of_monster:
        yield f"{key}.levels", "means nothing on cards of players", "a kill by its owner may be worth more Treasures"
    if isinstance(mod, v.Ignore) and mod.tag is not None and mod.what != "items":
        yield f"{key}.tag", f"means nothing with what = {mod.what!r}", 'a tag is for what = "items"'
    yield from _own_pieces(mod, key, Scope(_ALWAYS | _FIGHT | {"victim"}, counters=counters))


def _throw_again(mod: v.ThrowAgain, key: str, until: str) -> Iterator[Found]:
    if until:
        yield key, "is used by a card in play, so it cannot linger", "put it into the mods of a card that stays in play"
    if mod.spent and mod.per is not None:
        yield f"{key}.per", "means nothing on a card that is discarded for it", "leave out per or spent"
    elif not mod.spent and mod.per is None:
        yield f"{key}.per", "is missing: how often may it be used?", 'per = "turn" or "combat", or spent = true'
    if mod.spent and mod.most != 1:
        yield f"{key}.most", "means nothing on a card that is discarded for it", "leave out most or spent"


# ------------------------------------------------------------------------------------------ words where they are used
def _own_pieces(node: Struct, key: str, scope: Scope) -> Iterator[Found]:
    """Check who-words, amounts and conditions of one effect, choice or modifier; not those of the effects within it."""
    for name, toml_key in zip(node.__struct_fields__, node.__struct_encode_fields__, strict=True):
        value = getattr(node, name)
        if name in list_fields(type(node)):
            continue
        if value is not None and name in who_fields(node):
            yield from _who(value, f"{key}.{toml_key}", scope)
        yield from _pieces(value, f"{key}.{toml_key}", scope)


def _pieces(value: Any, key: str, scope: Scope) -> Iterator[Found]:
    """Check a condition, an amount or a selector, and everything within it."""
    if not scope.this:
        yield from _this(value, key)
    if not scope.counters and not scope.holes:
        yield from _counters(value, key)
    for at, node in walk(value, key):
        inside = replace(scope, who=scope.who | {"me"}) if any(part in at for part in _FOR_EACH_SEAT) else scope
        for name, toml_key in zip(node.__struct_fields__, node.__struct_encode_fields__, strict=True):
            word = getattr(node, name)
            if word is not None and name in who_fields(node):
                yield from _who(word, f"{at}.{toml_key}", inside)
            if name == "saved" and word is not None and word not in scope.saved and not scope.holes:
                yield f"{at}.saved", f"{word!r} has not been saved before", "a die saves its number under a name first"
        if isinstance(node, v.If) and node.at_least != 1 and node.cards is None and node.saved is None:
            yield f"{at}.at_least", "counts nothing here", "use it with cards or saved"
        if isinstance(node, v.If):
            yield from _limits(node, at)
            yield from _drawback(node, at)


def _limits(cond: v.If, key: str) -> Iterator[Found]:
    """Yield a saved number without a limit, and limits that no number can meet."""
    if cond.at_most is not None and cond.saved is None:
        yield f"{key}.at_most", "counts nothing here", "use it with saved"
    elif cond.at_most is not None and cond.at_most < cond.at_least:
        yield f"{key}.at_most", f"no number is {cond.at_least} or more and {cond.at_most} or less", ""
    elif cond.saved is not None and cond.saved != "paid" and cond.at_most is None and cond.at_least == 1:
        yield f"{key}.saved", "every die shows 1 or more, so this always holds", "say at_least or at_most"


def _drawback(cond: v.If, key: str) -> Iterator[Found]:
    """Yield a `drawback` key on a condition that asks for no identity."""
    if cond.drawback is None:
        return
    if not cond.about_identity:
        yield f"{key}.drawback", "this condition asks for no identity", "remove it"
    elif not key.endswith((".if", ".meets")):
        yield f"{key}.drawback", "means nothing here", "it goes with the whole condition of an effect or a modifier"


def _who(word: str, key: str, scope: Scope) -> Iterator[Found]:
    if word in scope.who or scope.holes:
        return
    hints = {
        "me": "me is the seat of an each (or of a choose_seat's meets)",
        "chosen": "a choose_seat must come first",
    }
    yield key, f"nobody can be {word!r} here", hints.get(word, "there is no combat at this moment")


def _aimed(op: v.Op, key: str, scope: Scope) -> Iterator[Found]:
    """Yield an effect that needs a target although none is named when the card is played."""
    words = ["", *(value for value in (getattr(op, name) for name in op.__struct_fields__) if isinstance(value, str))]
    aim = next((op.acts_on[word] for word in words if word in op.acts_on), "")
    if scope.holes:
        return
    if aim == "this" and not scope.monster:
        yield key, "there is no 'this monster' here", "only texts of monsters can mean it"
    elif aim and aim != "this" and scope.target not in aim.split("|") and not (aim == "monster" and scope.monster):
        wanted = aim.split("|")[0]
        what = {"played": "card played last"}.get(wanted, wanted)
        yield key, f"acts on the {what} named on playing, but nothing names one", f'target = "{wanted}"'
