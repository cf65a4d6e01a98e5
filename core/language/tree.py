"""A card as a tree: every piece of the card language within it, and the effects that stand within an effect.

Everything that walks card text uses these functions. They go by the types of the fields, so a new verb needs no walker
of its own: a field of type `tuple[Op, ...]` holds effects. The compiler runs `then` next, `else` if the effect fails;
texts under other keys are alternatives, of which the handler picks one.
"""

from collections.abc import Iterator
from functools import cache
from typing import get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from core.language import schema as v

Effects = tuple[v.Op, ...]
"""A text: effects that run one after another."""


def child_texts(piece: Struct) -> dict[str, Effects]:
    """Return the texts directly within a piece (an effect, a choice, an ability, a card), empty ones too, by their keys
    in TOML: `then`, `else`, `of[0].do`, `abilities[1].do`."""
    found: dict[str, Effects] = {}
    for name, toml_key, whole in _text_fields(type(piece)):
        value = getattr(piece, name)
        if whole:
            found[toml_key] = value
            continue
        for at, part in enumerate(value):
            for key, text in child_texts(part).items():
                found[f"{toml_key}[{at}].{key}"] = text
    return found


def effects_within(piece: Struct | Effects) -> Iterator[v.Op]:
    """Yield every effect within a piece or a text, at any depth; an effect comes before those within it."""
    texts = [piece] if isinstance(piece, tuple) else list(child_texts(piece).values())
    for text in texts:
        for op in text:
            yield op
            yield from effects_within(op)


def walk(node: object, key: str = "") -> Iterator[tuple[str, Struct]]:
    """Yield every piece of the language in a piece or a tuple of pieces, itself included, with its key in TOML."""
    if isinstance(node, tuple):
        for at, part in enumerate(node):
            yield from walk(part, f"{key}[{at}]")
    elif isinstance(node, Struct):
        yield key, node
        for name, toml_key in zip(node.__struct_fields__, node.__struct_encode_fields__, strict=True):
            yield from walk(getattr(node, name), f"{key}.{toml_key}" if key else toml_key)


def pieces_within(node: object) -> Iterator[Struct]:
    """Yield the pieces that `walk` yields, in its order, without their keys."""
    if isinstance(node, tuple):
        for part in node:
            yield from pieces_within(part)
    elif isinstance(node, Struct):
        yield node
        for name in node.__struct_fields__:
            value = getattr(node, name)
            if isinstance(value, tuple | Struct):
                yield from pieces_within(value)


def who_fields(piece: Struct) -> frozenset[str]:
    """Return the names of the fields of a piece that hold a who-word."""
    return _who_fields(type(piece))


@cache
def _who_fields(kind: type) -> frozenset[str]:
    return frozenset(name for name, hint in get_type_hints(kind).items() if hint in (v.Who, v.Who | None))


@cache
def list_fields(kind: type) -> frozenset[str]:
    """Return the names of the fields of a kind of piece that hold several pieces: effects, modifiers, choices,
    conditions."""
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
