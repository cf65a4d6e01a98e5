"""Names of sets where only their ids are known: in forms, in lists of games, in the career."""

from collections.abc import Sequence
from functools import cache

import msgspec

import cards
from core.language.manifest import PackHead
from core.language.toml import parse


@cache
def set_name(ident: str) -> str:
    """Return the title of a built-in set; for any other pack its id."""
    if ident not in cards.BUILT_IN:
        return ident
    return msgspec.convert(parse(cards.pack_files(ident)["pack.toml"].decode()), PackHead).name


def set_names(idents: Sequence[str]) -> str:
    """Return the titles of mixed sets: `Munchkins & Mazes + Axe Cop`."""
    return " + ".join(map(set_name, idents))
