"""Reads docs/protocol.md: the sections of messages with their fields and rates, and the tables of limits."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec.inspect as types

from netcode.bots.levels import TABLE_LEVELS

PAGE = Path(__file__).parents[3] / "docs" / "protocol.md"
_HEADING = re.compile(r"### `(?P<name>\w+)` · (?P<direction>up|down|part)(?: · (?P<rate>[^·]+))?")


_LISTED_ELSEWHERE: dict[frozenset[object], str] = {frozenset(TABLE_LEVELS): "a [level](playing.md#bots)"}
"""Words that another page lists, and the text with which this page refers to that list."""


@dataclass
class Section:
    """The page's description of one message. fields: name to (type, default), as written."""

    name: str
    direction: str
    rate: str
    fields: dict[str, tuple[str, str]] = field(default_factory=dict)


def sections() -> dict[str, Section]:
    """Return the sections of messages, by heading."""
    found: dict[str, Section] = {}
    current: Section | None = None
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if heading := _HEADING.fullmatch(line):
            current = Section(heading["name"], heading["direction"], (heading["rate"] or "").strip())
            found[current.name] = current
        elif line.startswith("#"):
            current = None
        elif current is not None and line.startswith("| `"):
            name, kind, default, _ = (cell.strip() for cell in line.strip("|").split(" | "))
            current.fields[name.strip("` ")] = (kind, default)
    return found


def limit_rows() -> dict[str, str]:
    """Return the rows of the tables of limits: name to value, as written."""
    row = re.compile(r"\| `(?P<name>[A-Z_]+)` \| (?P<value>[^|]+) \|")
    return {
        found["name"]: found["value"].strip()
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if (found := row.match(line))
    }


def time_bank_rows() -> dict[str, tuple[int, ...]]:
    """Return the rows of the table of time banks: pace to banks of phases, questions and match point, in seconds."""
    row = re.compile(r"\| `(?P<pace>[a-z]+)` \| (?P<banks>[0-9]+ s \| [0-9]+ s \| [0-9]+ s) \|")
    return {
        found["pace"]: tuple(int(cell.removesuffix(" s")) for cell in found["banks"].split(" | "))
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if (found := row.fullmatch(line))
    }


def limits_in_prose() -> list[tuple[str, int]]:
    """Return each limit that the page names right after its number, as in `6 s (LOST_MS)`: the name and the number."""
    written = re.compile(r"(?P<number>[0-9]+) [a-z]+ \(`(?P<name>[A-Z_]+)`\)")
    return [(found["name"], int(found["number"])) for found in written.finditer(PAGE.read_text(encoding="utf-8"))]


def fields_of(struct: Any) -> dict[str, tuple[str, str]]:
    """Return the correct rows of the page for the fields of a struct: name to (type, default)."""
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)
    return {one.encode_name: (type_text(one.type), _default(one)) for one in info.fields}


def _default(one: types.Field) -> str:
    if one.required:
        return "–"
    value = one.default if one.default_factory is types.NODEFAULT else one.default_factory()
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    return f"`{value}`" if isinstance(value, str) and value else "empty"


def type_text(kind: types.Type) -> str:
    """Return a type with its limits in the words of the page."""
    match kind:
        case types.BoolType():
            return "bool"
        case types.IntType(ge=least, le=most, lt=below):
            if least is None:
                return "int"
            most = below - 1 if below is not None else most
            return f"int {least} to {most}" if most is not None and most < 2**53 else f"int from {least}"
        case types.StrType(min_length=least, max_length=most):
            return "text" if most is None else f"text of {least or 0} to {most}"
        case types.BytesType(max_length=most):
            return "bytes" if most is None else f"bytes, at most {most}"
        case types.LiteralType(values=values):
            return _LISTED_ELSEWHERE.get(frozenset(values)) or ", ".join(f"`{value}`" for value in values)
        case (
            types.ListType(item_type=item, min_length=least, max_length=most)
            | types.VarTupleType(item_type=item, min_length=least, max_length=most)
        ):
            count = "" if most is None else f" of {least or 0} to {most}"
            return f"list{count}: {type_text(item)}"
        case types.DictType(key_type=key, value_type=value):
            return f"map: {type_text(key)} to {type_text(value)}"
        case types.StructType(cls=cls):
            return f"`{cls.__name__}`"
        case types.UnionType(types=options):
            return _union(options)
        case types.Metadata(type=inner):
            return type_text(inner)
    raise AssertionError(f"the page has no words for {kind}")


def _union(options: tuple[types.Type, ...]) -> str:
    rest = [option for option in options if not isinstance(option, types.NoneType)]
    none = " or none" if len(rest) < len(options) else ""
    modules = {option.cls.__module__ for option in rest if isinstance(option, types.StructType)}
    if len(rest) > 1 and modules == {"core.state.actions"}:
        return "`Action`" + none
    if len(rest) > 1 and modules == {"core.state.events"}:
        return "`Event`" + none
    return " or ".join(type_text(option) for option in rest) + none
