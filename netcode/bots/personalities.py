"""The personalities of bots: data/personalities.toml, and their traits. character.py has what these change.

A specification names one after its level: `normal/gilda`. A bot without one plays by its level alone and never talks.
"""

import random
from functools import cache
from typing import Any

from msgspec import Struct

from core.language import toml
from netcode.bots.data_files import read_data

TRAITS = ("greed", "risk", "grudge", "loyalty", "temper", "spite", "thrift", "show", "company", "barter", "whim",
          "bluff", "talk")  # fmt: skip
FILE = "personalities.toml"


class Personality(Struct, frozen=True):
    """One personality. id: its key in the file; words: who it is, one line; traits: from 0 to 1, as the file says."""

    id: str
    name: str
    words: str
    greed: float
    risk: float
    grudge: float
    loyalty: float
    bluff: float
    talk: float
    temper: float
    thrift: float
    show: float
    company: float
    spite: float
    barter: float
    whim: float


@cache
def personalities() -> dict[str, Personality]:
    """Return all personalities of the data file by their ids, in its order. Raises BrokenData."""
    return read_data(FILE, read)


def read(text: str) -> dict[str, Personality]:
    """Return the personalities of a TOML text. Raises ValueError, with one line that names the place."""
    found: dict[str, Personality] = {}
    for key, table in toml.parse(text).items():
        if not isinstance(table, dict):
            raise ValueError(f"{FILE}: {key!r} stands outside a table: begin one with a line [name]")
        found[key] = _personality(key, table)
    names = [one.name for one in found.values()]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{FILE}: two personalities are called {name!r}: give each a name of its own")
    return found


def _personality(key: str, table: dict[str, Any]) -> Personality:
    wanted = ("name", "words", *TRAITS)
    for field in wanted:
        if field not in table:
            raise ValueError(f"{FILE}: [{key}] has no {field!r}")
    for field, value in table.items():
        if field not in wanted:
            raise ValueError(f"{FILE}: [{key}] {field!r} is unknown: a personality has {', '.join(wanted)}")
        if field not in TRAITS:
            if not isinstance(value, str) or not value.strip():
                raise ValueError(f"{FILE}: [{key}] {field} must be a text, not {value!r}")
        elif isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise ValueError(f"{FILE}: [{key}] {field} must be a number from 0 to 1, not {value!r}")
    return Personality(id=key, **table)


def split_spec(spec: str) -> tuple[str, str]:
    """Return the level and the personality's id ("" for none) of a specification such as `normal/gilda`."""
    level, _, name = spec.partition("/")
    return level, name


def personality_named(name: str) -> Personality | None:
    """Return the personality of this id, None for "". Raises ValueError, with one line for people, if there is none."""
    if not name:
        return None
    if name not in personalities():
        raise ValueError(f"unknown personality {name!r}: choose from {', '.join(personalities())}")
    return personalities()[name]


def personality_of(spec: str) -> Personality | None:
    """Return the personality that a specification names, None if it names none that is known here."""
    return personalities().get(split_spec(spec)[1])


def level_of(spec: str) -> str:
    """Return a specification without the personality that it names."""
    return split_spec(spec)[0] if personality_of(spec) is not None else spec


def cast(seed: str) -> tuple[str, ...]:
    """Return the ids of all personalities in the order in which a table with this public seed assigns them to bots."""
    ids = list(personalities())
    random.Random(f"cast {seed}").shuffle(ids)
    return tuple(ids)
