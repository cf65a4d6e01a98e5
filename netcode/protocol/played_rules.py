"""The rules of a game: the version of the program, and a digest of the code that decides the effects of actions.

Journals and revealed games record them, because a game is a list of actions, and a program with other rules may turn
the list into a different game. Comparing states shows whether it does; this note names the rules that were used.
"""

import os
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from typing import Annotated

from msgspec import Meta

import core
from netcode import VERSION
from netcode.protocol.printing import one_line

RULES_CHARS, RULES_MOST = 40, 20
"""The longest note of one program's rules, and how many programs' rules a game may note."""
Rules = Annotated[str, Meta(max_length=RULES_CHARS)]
PlayedRules = Annotated[list[Rules], Meta(max_length=RULES_MOST)]
"""The rules by which a game was played, those of its deal first; "" for a program that noted none."""
_BESIDE = ("authoring", "scenario", "text")
"""Folders of core that do not affect a game."""


@cache
def own_rules() -> str:
    """Return the rules of this program, such as `0.1.0 3f9a01c2`; without the digest if its code cannot be read."""
    found = blake2b(digest_size=4)
    try:
        for name, path in sorted(_sources(os.path.dirname(core.__file__))):
            with open(path, "rb", buffering=0) as file:
                found.update(name.encode() + b"\0" + file.read() + b"\0")
    except OSError:
        return VERSION
    return f"{VERSION} {found.hexdigest()}"


def _sources(folder: str, within: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and the path of each file of the rules below this folder. Raises OSError."""
    with os.scandir(folder) as entries:
        for entry in entries:
            name = within + entry.name
            if entry.name.endswith(".py"):
                yield name, entry.path
            elif name not in _BESIDE and entry.name != "__pycache__" and entry.is_dir():
                yield from _sources(entry.path, f"{name}/")


def with_own(rules: list[str]) -> list[str]:
    """Return these rules, followed by our own if the last ones are not ours. If there are too many, some in the middle
    are left out."""
    if rules and rules[-1] == own_rules():
        return rules
    return [*rules[:1], *rules[1:][-(RULES_MOST - 2) :], own_rules()]


def played_by_others(rules: Sequence[str]) -> str:
    """Return a sentence if a game was played by rules other than ours, "" if by ours or if the rules are unknown."""
    if not rules or list(rules) == [own_rules()]:
        return ""
    programs = " and then ".join(program(one) for one in rules)
    if len(rules) > 1:
        return f"the game was played with {programs}, whose rules may differ: none can replay it from its seed"
    return f"the game was played with {programs}, this is {program(own_rules())}: its rules differ, so use that one"


def program(rules: str) -> str:
    """Return the name of the program with these rules, for people."""
    version, _, digest = one_line(rules).partition(" ")
    return f"kickdoor {version}{f' (rules {digest})' if digest else ''}" if version else "an older kickdoor"
