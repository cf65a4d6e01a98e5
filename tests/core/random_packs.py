"""Packs of random cards, built from the types of the card language, that pass `kickdoor cards check`."""

import json
import random
from typing import Any, get_args

from msgspec import inspect

from core.authoring.lint import check_pack
from core.authoring.lint_cards import _COMMON, _KEYS
from core.authoring.template import new_pack
from core.language import schema as v

Table = dict[str, Any]
NAMES = ("class", "plumber", "slimy", "paid", "eye", "no-class")
"""Names that the base pack defines, and names of dice."""
CANDIDATES = 40
"""How many random cards are made; those without a mistake are kept, about one in four."""
PLAIN = 5
"""Depth from which only required fields are written."""


def random_pack(seed: int) -> dict[str, bytes]:
    """Return a new pack with random cards besides those of the template. The same seed gives the same pack."""
    rng = random.Random(seed)
    files = {name: data for name, data in new_pack("My Set").items() if "/" not in name}
    cards = {f"card-{at}": _card(rng, at) for at in range(CANDIDATES)}
    wrong = {""}
    while wrong:  # a card may name one that is left out
        if not cards:
            return with_counts({name: data for name, data in files.items() if name != "random.toml"})
        files["random.toml"] = written(cards.values())
        problems = check_pack(files)
        wrong = {problem.card for problem in problems if problem.card}
        cards = {ident: card for ident, card in cards.items() if ident not in wrong}
    switches = "".join(f"{name} = {rng.choice(('true', 'false'))}\n" for name in SWITCHES)
    files["pack.toml"] += f"\n[switches]\n{switches}".encode()
    return with_counts(files)


def with_counts(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return a pack that was made from the template, with the numbers of its cards in pack.toml; without scenarios."""
    files = {name: data for name, data in files.items() if "/" not in name}
    stated = {problem.key: problem.message for problem in check_pack(files)}
    head = files["pack.toml"].decode()
    for deck, before in (("door", 26), ("treasure", 24)):
        found = stated.get(f"counts.{deck}", f" {before}").rsplit(" ", 1)[1]
        head = head.replace(f"{deck} = {before}", f"{deck} = {found}")
    return {**files, "pack.toml": head.encode()}


SWITCHES = ("nonlethal_treasure", "last_removed_open", "special_any_time", "who_first_by_die", "sex")


def written(cards: Any) -> bytes:
    """Return cards as a TOML file."""
    rows = ("[[card]]\n" + "".join(f"{key} = {_value(value)}\n" for key, value in card.items()) for card in cards)
    return "\n".join(rows).encode()


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value)


def _card(rng: random.Random, number: int) -> Table:
    kind = rng.choice([kind for kind in get_args(v.Kind) if kind != "seal"])
    info = inspect.type_info(v.Card)
    assert isinstance(info, inspect.StructType)
    card: Table = {"id": f"card-{number}", "name": f"Card {number}", "kind": kind, "text": "Something happens."}
    for one in info.fields:
        if one.name in _KEYS[kind] - _COMMON and (rng.random() < 0.5 or one.name in NEEDED.get(kind, ())):
            card[one.encode_name] = _made(rng, one.type, 1)
    card["copies"] = rng.randint(1, 3)
    return card


NEEDED = {
    "monster": ("level", "bad", "treasures"), "curse": ("play",), "identity": ("identity",), "double": ("serves",),
    "item": ("value",), "level": ("play",), "special": ("play",),
}  # fmt: skip
"""Keys that every card of a kind gets: without them hardly any card would pass."""


def _made(rng: random.Random, kind: inspect.Type, depth: int) -> Any:
    """Return a random value of a type."""
    members = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    one = rng.choice([member for member in members if not isinstance(member, inspect.NoneType)])
    match one:
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.IntType():
            low, high = one.ge if one.ge is not None else -99, one.le if one.le is not None else 99
            return rng.choice((low, high, min(max(1, low), high), min(max(2, low), high), min(max(-1, low), high)))
        case inspect.LiteralType():
            return rng.choice(one.values)
        case inspect.StrType():
            return rng.choice(NAMES) if one.pattern else "Something."
        case inspect.VarTupleType():
            return [_made(rng, one.item_type, depth + 1) for _ in range(rng.randint(1, 2 if depth > 2 else 3))]
        case inspect.StructType():
            return _struct(rng, one, depth)
    raise AssertionError(f"no value for {one}")


def _struct(rng: random.Random, kind: inspect.StructType, depth: int) -> Table:
    made: Table = {} if kind.tag_field is None else {kind.tag_field: kind.tag}
    chance = 0.0 if depth >= PLAIN else 0.12 if kind.cls in (v.If, v.Amount) else 0.35
    for one in kind.fields:
        if one.required or rng.random() < chance:
            made[one.encode_name] = _made(rng, one.type, depth + 1)
    return made
