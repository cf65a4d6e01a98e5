"""A card as a tree: every piece of the card language within it, and the effects that stand within an effect.

Whoever walks card text uses these functions. They go by the types of the fields, so a new verb needs no walker of its
own: a field of type `tuple[Op, ...]` holds effects, whatever it is called.
"""

from collections.abc import Iterator
from functools import cache
from typing import get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from core.language import schema as v

Text = tuple[v.Op, ...]
"""A list of effects, done in order."""


def child_texts(piece: Struct) -> dict[str, Text]:
    """The texts directly within a piece (an effect, a choice, an ability, a card) by key as TOML writes it, empty ones
    too: `then`, `else`, `of[0].do`, `abilities[1].do`."""
    found: dict[str, Text] = {}
    for name, said, whole in _text_fields(type(piece)):
        value = getattr(piece, name)
        if whole:
            found[said] = value
            continue
        for at, part in enumerate(value):
            for key, text in child_texts(part).items():
                found[f"{said}[{at}].{key}"] = text
    return found


def effects_within(piece: Struct | Text) -> Iterator[v.Op]:
    """Every effect within a piece or a text, at any depth, in the order in which it is written."""
    texts = [piece] if isinstance(piece, tuple) else list(child_texts(piece).values())
    for text in texts:
        for op in text:
            yield op
            yield from effects_within(op)


def walk(node: object, key: str = "") -> Iterator[tuple[str, Struct]]:
    """Every piece of the language in a piece or a tuple of pieces, itself included, with its key as TOML writes it."""
    if isinstance(node, tuple):
        for at, part in enumerate(node):
            yield from walk(part, f"{key}[{at}]")
    elif isinstance(node, Struct):
        yield key, node
        for name, said in zip(node.__struct_fields__, node.__struct_encode_fields__, strict=True):
            yield from walk(getattr(node, name), f"{key}.{said}" if key else said)


def who_fields(piece: Struct) -> frozenset[str]:
    """The fields of a piece that hold a who-word."""
    return _who_fields(type(piece))


def list_fields(piece: Struct) -> frozenset[str]:
    """The fields of a piece that hold several pieces: effects, modifiers, choices, abilities, conditions."""
    return _list_fields(type(piece))


@cache
def _who_fields(kind: type) -> frozenset[str]:
    return frozenset(name for name, hint in get_type_hints(kind).items() if hint in (v.Who, v.Who | None))


@cache
def _list_fields(kind: type) -> frozenset[str]:
    return frozenset(name for name, hint in get_type_hints(kind).items() if get_origin(hint) is tuple)


@cache
def _text_fields(kind: type) -> tuple[tuple[str, str, bool], ...]:
    """The fields of a type of piece that hold texts: (name, key in TOML, whether the value itself is the text)."""
    if not issubclass(kind, Struct):
        return ()
    hints = get_type_hints(kind)
    found = []
    for field in fields(kind):
        part = get_args(hints[field.name])[:1] if get_origin(hints[field.name]) is tuple else ()
        if part == (v.Op,):
            found.append((field.name, field.encode_name, True))
        elif part and isinstance(part[0], type) and part[0] is not kind and _text_fields(part[0]):
            found.append((field.name, field.encode_name, False))
    return tuple(found)
