"""Evil messages of a host: an honest message with one field changed to a value that no honest host sends.

All are derived from the types, so new messages and fields are included without a change here. `whole_messages` gives a
message of every type with every field filled; `evil_frames` changes each field of such a message, or of a real one, to
every kind of evil value for its type. There are values outside its bounds and values just within them.
"""

import zlib
from collections.abc import Iterator
from typing import Any

from msgspec import inspect
from msgspec.msgpack import decode, encode

from core.state.actions import Give, Legal
from core.state.model import FORMAT, State
from core.state.veiled import Veiled
from core.state.views import View
from netcode.protocol import limits, wire
from netcode.protocol.deltas import Own, inflated
from tests.netcode.protocol.wire_messages import DOWN

ORDER = "\x1b]52;c;aGk=\x07\x9b2J\u202e"
"""Sequences that a terminal obeys: OSC 52, a C1 control, a change of the direction of writing."""
NUMBERS = {
    "huge": 2**60, "largest": 2**64 - 1, "smallest": -(2**63), "fifty million": 50_000_000, "negative": -1,
    "very negative": -50_000_000, "zero": 0, "twelve": 12, "unknown card": 1025 * 16 * 4096 + 4095,
    "unknown definition": 4094,
}  # fmt: skip
"""Evil numbers by their kind."""
TEXTS = {"empty": "", "long": "x" * 60_000, "unknown": "no-such-word", "order": ORDER, "half": "\udc80"}
"""Evil texts by their kind; the last one is sent as bytes that are no UTF-8."""
BYTES = {"empty": b"", "long": bytes(60_000), "unknown": b"\xff" * 16, "deep": b"\x91" * 5000}
"""Evil bytes by their kind."""
REPEATED = 5000
"""Entries of a list or map with too many of them."""
PARTS = {"public": View, "own": Own, "veiled": Veiled}
"""The parts of a delta, with what each holds."""


# ------------------------------------------------------------------------------------------------------ whole messages
def whole_messages() -> dict[str, Any]:
    """Return a message of every type that comes down, as msgpack holds it, with every field filled, by the tag."""
    return {kind.__struct_config__.tag: whole(kind) for kind in DOWN}


def whole(kind: Any) -> Any:
    """Return a value of this type, as msgpack holds it: every field is filled, a list or map has one entry, or one for
    each type in it."""
    return _whole(inspect.type_info(kind))


def _whole(kind: inspect.Type) -> Any:
    match kind:
        case inspect.Metadata():
            return _whole(kind.type)
        case inspect.StructType():
            return _whole_struct(kind)
        case inspect.UnionType():
            return _whole(_members(kind)[0])
        case inspect.BoolType():
            return True
        case inspect.IntType():
            return max(0, kind.ge or 0)
        case inspect.StrType():
            return "a" * max(1, kind.min_length or 0)
        case inspect.BytesType():
            return b"b" * max(1, kind.min_length or 0)
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.TupleType():
            return [_whole(item) for item in kind.item_types]
        case inspect.ListType() | inspect.VarTupleType():
            item = _bare(kind.item_type)
            each = _members(item) if isinstance(item, inspect.UnionType) else [kind.item_type]
            return [_whole(one) for one in each] * max(1, (kind.min_length or 0) if len(each) == 1 else 1)
        case inspect.DictType():
            return {_whole(kind.key_type): _whole(kind.value_type)}
    raise AssertionError(f"no value for {kind}")


def _whole_struct(kind: inspect.StructType) -> Any:
    values = {field.encode_name: _whole(field.type) for field in kind.fields}
    if kind.cls is State:
        values["format"] = FORMAT
    if kind.cls is Legal:
        values["action"] = whole(Give)  # an action that has the field of the pick
    if kind.cls is Veiled:
        values["data"] = encode(whole(State))
    if kind.cls is wire.Delta:
        values |= {name: deflated(encode(whole(part))) for name, part in PARTS.items()}
        values["no"], values["whole"] = 1, True
    if kind.array_like:
        return [*([kind.tag] if kind.tag is not None else []), *values.values()]
    return {**({kind.tag_field: kind.tag} if kind.tag_field is not None else {}), **values}


def _bare(kind: inspect.Type) -> inspect.Type:
    return _bare(kind.type) if isinstance(kind, inspect.Metadata) else kind


def _members(kind: inspect.UnionType) -> list[inspect.Type]:
    """Return the types of a union without None."""
    return [member for member in kind.types if not isinstance(member, inspect.NoneType)]


def deflated(part: bytes) -> bytes:
    """Return a part of a view as a whole delta brings it, however long it is."""
    packer = zlib.compressobj(3, zlib.DEFLATED, -15)
    return packer.compress(part) + packer.flush()


# -------------------------------------------------------------------------------------------------------- evil messages
def evil_frames(message: Any) -> Iterator[tuple[str, bytes]]:
    """Yield (name, wire frame) for each field of a message and each kind of evil value for it, also deep inside.

    message: one of wire.Down, or as msgpack holds it. The name is like `SeatView.hand: huge`; fields inside a view of a
    whole delta are changed too. Each field of a type is changed once, where it occurs first. An honest host could send
    some of these frames: a client takes them, or ends the connection.
    """
    honest = message if isinstance(message, dict) else decode(encode(message), strict=False)
    kind = next(kind for kind in DOWN if kind.__struct_config__.tag == honest["k"])
    for name, value in evil_values(honest, kind):
        frame = packed(value)
        if len(frame) <= limits.DOWN_BYTES:
            yield name, frame
    if kind is wire.Delta and honest.get("whole"):
        for part, held in PARTS.items():
            if honest.get(part):
                inside = decode(inflated(honest[part], b""), strict=False)
                for name, value in evil_values(inside, held):
                    frame = packed({**honest, part: deflated(packed(value))})
                    if len(frame) <= limits.DOWN_BYTES:
                        yield name, frame


def evil_values(honest: Any, kind: Any) -> Iterator[tuple[str, Any]]:
    """Yield (name, value) for each field of this type and each kind of evil value for it. honest: a value of the type,
    as msgpack holds it."""
    yield from _evil(honest, inspect.type_info(kind), "", set())


def _evil(honest: Any, kind: inspect.Type, name: str, done: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield the evil values in place of this one. done: the fields that were changed already."""
    match kind:
        case inspect.Metadata():
            yield from _evil(honest, kind.type, name, done)
        case inspect.StructType():
            yield from _evil_struct(honest, kind, done)
        case inspect.UnionType():
            honest = _whole(kind) if honest is None else honest
            member = _member(honest, kind)
            if member is not None:
                yield from _evil(honest, member, name, done)
        case inspect.ListType() | inspect.VarTupleType():
            if kind.max_length is not None and kind.max_length <= REPEATED:
                one = honest[0] if honest else _whole(kind.item_type)
                yield f"{name}: longest", [*honest, *[one] * kind.max_length][: kind.max_length]
            yield from _evil_list(honest, kind.item_type, name, done)
        case inspect.TupleType():
            yield f"{name}: empty", []
            for at, (item, one) in enumerate(zip(kind.item_types, honest)):
                for label, value in _evil(one, item, name, done):
                    yield f"{label} at {at}", [*honest[:at], value, *honest[at + 1 :]]
        case inspect.DictType():
            yield from _evil_map(honest, kind, name, done)
        case inspect.IntType():
            bounds = {"least": kind.ge, "most": kind.le if kind.lt is None else kind.lt - 1}
            yield from ((f"{name}: {label}", value) for label, value in bounds.items() if value is not None)
            yield from ((f"{name}: {label}", value) for label, value in NUMBERS.items())
        case inspect.StrType() | inspect.LiteralType():
            most = getattr(kind, "max_length", None)
            yield from [(f"{name}: longest", "x" * most)] if most is not None else []
            yield from ((f"{name}: {label}", value) for label, value in TEXTS.items())
        case inspect.BytesType():
            yield from ((f"{name}: {label}", value) for label, value in BYTES.items())


def _evil_struct(honest: Any, kind: inspect.StructType, done: set[str]) -> Iterator[tuple[str, Any]]:
    title = kind.cls.__name__
    for at, field in enumerate(kind.fields, int(kind.tag is not None)):
        name, place = f"{title}.{field.name}", at if kind.array_like else field.encode_name
        if name in done:
            continue
        there = at < len(honest) if kind.array_like else place in honest
        before = honest[place] if there else _whole(field.type)
        if there or not kind.array_like:
            done.add(name)
            yield f"{name}: none", _put(honest, place, None)
            yield f"{name}: other type", _put(honest, place, "x" if isinstance(before, int) else 7)
            yield f"{name}: deep", _put(honest, place, _deep())
            for label, value in _evil(before, field.type, name, done):
                yield label, _put(honest, place, value)
    if kind.array_like:
        yield f"{title}: empty", []
        if kind.cls is Veiled:
            for label, value in evil_values(decode(honest[1], strict=False), State):
                yield f"Veiled.data.{label}", _put(honest, 1, packed(value))


def _evil_list(honest: Any, item: inspect.Type, name: str, done: set[str]) -> Iterator[tuple[str, Any]]:
    if honest:
        yield f"{name}: empty", []
        yield f"{name}: twice", [*honest, honest[0]]
        yield f"{name}: repeated", [honest[0]] * REPEATED
        for at, one in enumerate(honest):
            for label, value in _evil(one, item, f"{name}[]", done):
                yield label, [*honest[:at], value, *honest[at + 1 :]]
    else:
        yield f"{name}: repeated", [_whole(item)] * REPEATED
        for label, value in _evil(_whole(item), item, f"{name}[]", done):
            yield label, [value]


def _evil_map(honest: Any, kind: inspect.DictType, name: str, done: set[str]) -> Iterator[tuple[str, Any]]:
    one = next(iter(honest.values())) if honest else _whole(kind.value_type)
    yield f"{name}: empty", {}
    yield f"{name}: repeated", dict.fromkeys(range(REPEATED), one)
    for label, key in NUMBERS.items():
        yield f"{name} key: {label}", {key: one}
    for label, value in _evil(one, kind.value_type, f"{name}[]", done):
        yield label, {**honest, next(iter(honest), 0): value}


def _member(honest: Any, kind: inspect.UnionType) -> inspect.Type | None:
    """Return the type of the union that this value has; if the value is None, the first type."""
    members = _members(kind)
    for member in members:
        if isinstance(member, inspect.StructType) and member.tag is not None and honest is not None:
            tag = honest[0] if member.array_like else honest.get(member.tag_field)
            if tag == member.tag:
                return member
    return members[0] if len(members) == 1 and honest is not None else None


def _put(honest: Any, place: Any, value: Any) -> Any:
    if isinstance(honest, dict):
        return {**honest, place: value}
    return [*honest[:place], value, *honest[place + 1 :]]


def _deep() -> Any:
    """Return lists in lists, deeper than anything honest."""
    deep: Any = []
    for _ in range(200):
        deep = [deep]
    return deep


def packed(value: Any) -> bytes:
    """Return this value as msgpack. A text with half a character becomes a msgpack text that is no UTF-8."""
    try:
        return encode(value)
    except UnicodeEncodeError:
        return b"".join(_packed(value))


def _packed(value: Any) -> Iterator[bytes]:
    match value:
        case dict():
            yield b"\xdf" + len(value).to_bytes(4, "big")
            for key, inner in value.items():
                yield from _packed(key)
                yield from _packed(inner)
        case list() | tuple():
            yield b"\xdd" + len(value).to_bytes(4, "big")
            for inner in value:
                yield from _packed(inner)
        case str():
            data = value.encode("utf-8", "surrogateescape")
            yield b"\xdb" + len(data).to_bytes(4, "big") + data
        case _:
            yield encode(value)
