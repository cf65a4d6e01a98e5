"""Which names a player may have: a name needs a visible letter and must not look like the name of somebody seated."""

import unicodedata
from collections.abc import Iterable
from functools import cache

import msgspec

from netcode.protocol import limits

NO_LETTER = "a name needs at least one visible letter: choose another one with --name, or in the settings"
_MARKS = str.maketrans("", "", "\u200e\u200f")
"""Direction marks around the right-to-left characters of the table."""


class _LookAlike(msgspec.Struct):
    c: str


@cache
def prototypes() -> dict[str, str]:
    """Return what each confusable character looks like by Unicode's UTS 39: `I` and `1` like `l`, a Cyrillic `a` like a
    Latin one, `m` like `rn`. Read once, in 35 ms.

    The table is the data file of confusable_homoglyphs, which lists for each character those it can be confused with.
    Importing the package instead would keep 17 MB of names in memory.
    """
    from importlib import resources  # 10 ms of imports that a client never needs

    data = (resources.files("confusable_homoglyphs") / "confusables.json").read_bytes()
    alike = msgspec.json.decode(data, type=dict[str, list[_LookAlike]])
    found: dict[str, str] = {}
    for key, others in alike.items():
        source, target = key.translate(_MARKS), others[0].c
        shown = target.translate(_MARKS)
        # A character with one look-alike is replaced by it; of two characters that have only each other, the lower one
        # is used.
        if len(others) == 1 and len(source) == 1 and (len(alike[target]) > 1 or len(shown) > 1 or shown < source):
            found[source] = shown
    return found


def skeleton(name: str) -> str:
    """Return a text that two names share if they look the same (UTS 39, section 4)."""
    table = prototypes()
    drawn = "".join(table.get(char, char) for char in unicodedata.normalize("NFD", name))
    return unicodedata.normalize("NFD", drawn)


def name_problem(name: str) -> str:
    """Return why nobody can have this (cleaned) name, in one line for people, or ""."""
    return "" if any(unicodedata.category(char)[0] == "L" for char in name) else NO_LETTER


def same_name(one: str, other: str) -> bool:
    """Whether two names differ at most in capitals."""
    return one.casefold() == other.casefold()


def look_alike(name: str, others: Iterable[str]) -> str:
    """Return the first of the other names for which this one can be mistaken, "" if there is none. An equal name, or
    one that differs only in capitals, does not count: `free_name` numbers it."""
    mine = _looks(name)
    return next((other for other in others if other and not same_name(name, other) and mine & _looks(other)), "")


def _looks(name: str) -> set[str]:
    """Return the skeletons of a name as it is written, and in lower case."""
    return {skeleton(name), skeleton(name.casefold()).casefold()}


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """Return the name, with a number if somebody has it already or has one that looks like it."""
    others = list(taken)
    numbers = range(2, len(others) + 3)
    names = [wanted, *(f"{wanted[: limits.NAME_CHARS - 3].rstrip()} {number}" for number in numbers)]
    return next(name for name in names if not (look_alike(name, others) or any(same_name(name, one) for one in others)))
