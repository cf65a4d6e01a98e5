"""Decode a TOML table into typed data and find every mistake in it, where msgspec stops at the first one.

The table is read key by key against its type. A wrong value is reported and left out. A misspelt word is reported and
read as the word that was probably meant. So the rest of the table can still be checked.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import inspect

MISTAKES_LIMIT = 50
"""Reading a table ends after this many mistakes: finding the word that was probably meant takes about 1 ms."""
WORD_CHARS = 60
"""Characters of the longest word that is compared with similar words, and of the longest quotation in a message."""
SURE = 0.75
"""How similar (0 to 1) a key must be to the one that was probably meant; below, the hint lists all keys too."""
T = TypeVar("T")
Raw = Mapping[str, Any]


class Mistake(NamedTuple):
    """One mistake: its key (`bad[0].cards.zone`), what is wrong there, and what to do."""

    key: str
    message: str
    hint: str = ""


@dataclass(frozen=True)
class Decoded(Generic[T]):
    """The readable part of a table.

    value: the readable part, with stand-ins for required keys that are missing; None if nothing could be read. lost:
    the keys whose values are not in it.
    """

    value: T | None
    mistakes: tuple[Mistake, ...]
    lost: frozenset[str]

    def lost_at(self, *keys: str) -> bool:
        """Return whether anything at or below one of these keys was lost."""
        return any(lost == key or lost.startswith((f"{key}.", f"{key}[")) for lost in self.lost for key in keys)


def decode(table: object, kind: type[T], roles: Mapping[str, str] | None = None) -> Decoded[T]:
    """Read a table as a struct of this type, and find all its mistakes. roles: hints for required keys, by key."""
    reader = _Reader(roles or {})
    try:
        read = reader.read(table, _type_info(kind), "")  # type: ignore[arg-type]
        value = None if read is _LOST else msgspec.convert(read, kind)
    except RecursionError:
        return Decoded(None, (Mistake("", "nested too deeply"),), frozenset())
    except _Enough:
        more = Mistake("", f"more than {MISTAKES_LIMIT} mistakes", "correct these first")
        return Decoded(None, (*reader.mistakes, more), frozenset())
    except msgspec.ValidationError as error:
        reader.note("", str(error))
        value = None
    return Decoded(value, tuple(reader.mistakes), frozenset(reader.lost))


@cache
def _type_info(kind: type) -> inspect.Type:
    return inspect.type_info(kind)


_LOST: Any = object()
"""Stands for a value that cannot be used at all."""


class _Enough(Exception):
    """Raised when a table has MISTAKES_LIMIT mistakes."""


class _Reader:
    """Reads values against types and collects mistakes. Every method returns the part of a value that can be used, or
    _LOST."""

    def __init__(self, roles: Mapping[str, str]) -> None:
        self.roles = roles
        self.mistakes: list[Mistake] = []
        self.lost: set[str] = set()

    def note(self, key: str, message: str, hint: str = "") -> Any:
        """Note a mistake that makes a value unusable; return _LOST."""
        self._add(key, message, hint)
        self.lost.add(key)
        return _LOST

    def _add(self, key: str, message: str, hint: str) -> None:
        if len(self.mistakes) == MISTAKES_LIMIT:
            raise _Enough
        self.mistakes.append(Mistake(key, message, hint))

    def read(self, raw: object, kind: inspect.Type, key: str) -> Any:
        """Read a value of any type. key: its place in the table, for mistakes."""
        kinds = [one for one in _members(kind) if not isinstance(one, inspect.NoneType)]
        if isinstance(raw, dict):
            structs = [one for one in kinds if isinstance(one, inspect.StructType)]
            if structs:
                return self._table(raw, structs, key)
            mapping = next((one for one in kinds if isinstance(one, inspect.DictType)), None)
            if mapping is not None:
                return self._mapping(raw, mapping, key)
        if isinstance(raw, list):
            for one in kinds:
                if isinstance(one, inspect.VarTupleType):
                    return self._list(raw, one.item_type, key)
                if isinstance(one, inspect.TupleType):
                    return self._row(raw, one.item_types, key)
        return self._plain(raw, kinds, key)

    # ------------------------------------------------------------------------------------------- tables and lists
    def _table(self, raw: dict[str, Any], structs: list[inspect.StructType], key: str) -> Any:
        struct, tag_key = structs[0], ""
        if struct.tag_field is not None:
            found = self._tagged(raw, structs, key)
            if found is None:
                return _LOST
            struct, tag_key = found
        fields = {one.encode_name: one for one in struct.fields}
        out: dict[str, Any] = {} if struct.tag_field is None else {struct.tag_field: struct.tag}
        seen = set()
        for name, value in raw.items():
            if name == tag_key:
                continue
            place = f"{key}.{name[:WORD_CHARS]}" if key else name[:WORD_CHARS]
            meant = name if name in fields else self._misspelt(name, fields, raw, place)
            if meant is None:
                continue
            seen.add(meant)
            read = self.read(value, fields[meant].type, place)
            if read is not _LOST:
                out[meant] = read
            else:
                self.lost.add(f"{key}.{meant}" if key else meant)
        for name, one in fields.items():
            if one.required and name not in seen:
                self._add(key, f"the key {name!r} is missing", self.roles.get(name, ""))
                self.lost.add(f"{key}.{name}" if key else name)
            if one.required and name not in out:
                out[name] = _stand_in(one.type)
        return out

    def _misspelt(self, name: str, fields: Collection[str], raw: Raw, place: str) -> str | None:
        """Report an unknown key; return the key that was probably meant, unless the table has that too."""
        hint = _meant(name, fields)
        if hint.startswith("did") and _nearest(name, fields, SURE) is None:  # perhaps the language has no such key
            hint = f"{hint} The keys here are {', '.join(sorted(fields))}"
        self._add(place, f"unknown key {_quoted(name)}", hint)
        return _nearest(name, [one for one in fields if one not in raw])

    def _tagged(
        self, raw: dict[str, Any], structs: list[inspect.StructType], key: str
    ) -> tuple[inspect.StructType, str] | None:
        """Return the type that the tag of a table names, and the key under which the tag was found (it may be
        misspelt); None if there is no usable tag."""
        tag_field = str(structs[0].tag_field)
        tag_key = tag_field if tag_field in raw else _nearest(tag_field, raw)
        if tag_key is None:
            self.note(key, f"the key {tag_field!r} is missing", self.roles.get(tag_field, ""))
            return None
        if tag_key != tag_field:
            self._add(f"{key}.{tag_key}", f"unknown key {_quoted(tag_key)}", _meant(tag_key, [tag_field]))
        by_tag = {str(one.tag): one for one in structs}
        tag = self._word(raw[tag_key], tuple(by_tag), f"{key}.{tag_key}")
        if tag is _LOST:
            self.lost.add(key)
            return None
        return by_tag[tag], tag_key

    def _mapping(self, raw: dict[str, Any], kind: inspect.DictType, key: str) -> dict[str, Any]:
        out = {}
        for name, value in raw.items():
            place = f"{key}.{name}" if key else name
            read_name, read = self.read(name, kind.key_type, place), self.read(value, kind.value_type, place)
            if read is not _LOST and read_name is not _LOST:
                out[read_name] = read
        return out

    def _list(self, raw: list[Any], kind: inspect.Type, key: str) -> list[Any]:
        out = []
        for at, element in enumerate(raw):
            read = self.read(element, kind, f"{key}[{at}]")
            if read is _LOST:
                self.lost.add(f"{key}[{at}]")
                if isinstance(_members(kind)[0], inspect.StructType):
                    read = _stand_in(kind)  # the tables after it keep their numbers
            if read is not _LOST:
                out.append(read)
        return out

    def _row(self, raw: list[Any], kinds: tuple[inspect.Type, ...], key: str) -> Any:
        """Read a list of a fixed length; if it has a mistake, the whole list is lost."""
        if len(raw) != len(kinds):
            return self.note(key, f"has a length of {len(raw)}, not of {len(kinds)}")
        out = [self.read(one, kind, f"{key}[{at}]") for at, (one, kind) in enumerate(zip(raw, kinds, strict=True))]
        return _LOST if _LOST in out else out

    # ------------------------------------------------------------------------------------------------ plain values
    def _plain(self, raw: object, kinds: list[inspect.Type], key: str) -> Any:
        words = tuple(word for one in kinds if isinstance(one, inspect.LiteralType) for word in one.values)
        if raw in words and type(raw) in {type(word) for word in words}:
            return raw
        for one in kinds:
            if isinstance(one, inspect.BoolType) and isinstance(raw, bool):
                return raw
            if isinstance(one, inspect.IntType) and isinstance(raw, int) and not isinstance(raw, bool):
                return self._number(raw, one, key)
            if isinstance(one, inspect.StrType) and isinstance(raw, str):
                return self._text(raw, one, key)
        if isinstance(raw, str) and any(isinstance(word, str) for word in words):
            return self._word(raw, words, key)
        return self.note(key, f"expected {_expected(kinds)}, found {_found(raw)}")

    def _number(self, raw: int, kind: inspect.IntType, key: str) -> Any:
        low, high = kind.ge, kind.le
        if (low is None or raw >= low) and (high is None or raw <= high):
            return raw
        return self.note(key, f"{raw} is out of range: {low} to {high}")

    def _text(self, raw: str, kind: inspect.StrType, key: str) -> Any:
        if kind.min_length is not None and len(raw) < kind.min_length:
            return self.note(key, "is empty")
        if kind.max_length is not None and len(raw) > kind.max_length:
            return self.note(key, f"is {len(raw)} characters long: at most {kind.max_length}")
        try:
            return msgspec.convert(raw, str if kind.pattern is None else _patterned(kind.pattern))
        except msgspec.ValidationError:
            form = _FORMS.get(str(kind.pattern), f"the form is {kind.pattern}")
            return self.note(key, f"{_quoted(raw)} has characters that are not allowed here", form)

    def _word(self, raw: object, words: tuple[Any, ...], key: str) -> Any:
        """Read one of several words; a misspelt word is reported and read as the nearest."""
        if raw in words:
            return raw
        if not isinstance(raw, str):
            return self.note(key, f"expected a word, found {_found(raw)}", _meant("", words))
        message = f"{_quoted(raw)} is not a word that is allowed here"
        nearest = _nearest(raw, words)
        if nearest is None:
            return self.note(key, message, _meant(raw, words))
        self._add(key, message, _meant(raw, words))
        return nearest


_FORMS = {
    r"^[a-z0-9]+(-[a-z0-9]+)*$": "small letters, figures and hyphens: pickle-spear",
    r"^[a-z0-9]+$": "small letters and figures",
}
"""Patterns of texts, in words."""


@cache
def _patterned(pattern: str) -> Any:
    return Annotated[str, msgspec.Meta(pattern=pattern)]


def _members(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


def _stand_in(kind: inspect.Type) -> Any:
    """Return some value that a type allows."""
    one = _members(kind)[0]
    if isinstance(one, inspect.StructType):
        tag = {} if one.tag_field is None else {one.tag_field: one.tag}
        return tag | {inner.encode_name: _stand_in(inner.type) for inner in one.fields if inner.required}
    if isinstance(one, inspect.LiteralType):
        return one.values[0]
    if isinstance(one, inspect.IntType):
        return max(0, one.ge or 0)
    if isinstance(one, inspect.StrType):
        return "x"
    return {} if isinstance(one, inspect.DictType) else []


# ------------------------------------------------------------------------------------------------------------ in words
def _quoted(text: str) -> str:
    return repr(text if len(text) <= WORD_CHARS else f"{text[:WORD_CHARS]}...")


def _nearest(word: str, among: Iterable[str], cutoff: float = 0.6) -> str | None:
    if len(word) > WORD_CHARS:
        return None
    return next(iter(get_close_matches(word, sorted(set(among)), n=1, cutoff=cutoff)), None)


def _meant(word: str, among: Iterable[Any]) -> str:
    words = sorted({str(one) for one in among})
    nearest = _nearest(word, words)
    return f"did you mean {nearest!r}?" if nearest is not None else f"one of {', '.join(words)}"


_NAMES: tuple[tuple[type, str], ...] = (
    (inspect.BoolType, "true or false"),
    (inspect.IntType, "a whole number"),
    (inspect.StrType, 'text in quotes ("...")'),
    (inspect.VarTupleType, "a list ([ ... ])"),
    (inspect.TupleType, "a list ([ ... ])"),
    (inspect.DictType, "a table ({ ... })"),
    (inspect.StructType, "a table ({ ... })"),
)


def _expected(kinds: list[inspect.Type]) -> str:
    names = [name for of, name in _NAMES if any(isinstance(one, of) for one in kinds)]
    for one in kinds:
        if isinstance(one, inspect.LiteralType):
            words = ["true" if word is True else str(word) for word in one.values]
            names.append(f"one of {', '.join(words)}" if len(words) > 1 else words[0])
    return " or ".join(dict.fromkeys(names))


def _found(raw: object) -> str:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, str):
        return f"the text {raw[:40]!r}"
    if isinstance(raw, int | float):
        return f"the number {raw}"
    return "a list" if isinstance(raw, list) else "a table" if isinstance(raw, dict) else f"{raw}"
