"""Compares views of a recording with those of the replayed game, field by field.

A file does not have fields that were added to views after it was written: such a field has its default everywhere.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec import NODEFAULT, Struct, structs

from core.state.views import View

Said = frozenset[tuple[type, str]]
"""Fields of the structs in views."""


def said_in(views: Iterable[View]) -> Said:
    """Return the fields in which any of these views differs from the default."""
    found = set[tuple[type, str]]()
    for shown in views:
        _add(shown, found)
    return frozenset(found)


def as_said(shown: View, said: Said) -> object:
    """Return the values of these fields of a view, for comparison."""
    return _as_said(shown, said)


def _add(value: Any, found: set[tuple[type, str]]) -> None:
    if isinstance(value, Struct):
        for name, default in _defaults(type(value)):
            inner = getattr(value, name)
            if inner != default:
                found.add((type(value), name))
                _add(inner, found)
    elif isinstance(value, list | tuple):
        for inner in value:
            _add(inner, found)
    elif isinstance(value, dict):
        _add(list(value.values()), found)


def _as_said(value: Any, said: Said) -> object:
    if isinstance(value, Struct):
        kind = type(value)
        told = [name for name, _ in _defaults(kind) if (kind, name) in said]
        return kind.__name__, [(name, _as_said(getattr(value, name), said)) for name in told]
    if isinstance(value, list | tuple):
        return [_as_said(inner, said) for inner in value]
    if isinstance(value, dict):
        return {key: _as_said(inner, said) for key, inner in value.items()}
    return value


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """Return each field of a struct with its default; NODEFAULT, which equals nothing, if it has none."""
    return tuple([
        (one.name, one.default if one.default_factory is NODEFAULT else one.default_factory())
        for one in structs.fields(kind)
    ])  # fmt: skip
