"""What a bot answers when a person speaks to it: by rules, from public facts, at most once in three turns.

What the person says only decides what kind of thing it is. No word of it is ever repeated.
"""

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache

from core.language import toml
from netcode.bots.data_files import read_data
from netcode.bots.lines import REPLIES

FILE = "replies.toml"
TURNS = 3
"""A bot answers at most once in so many turns."""
_LETTERS = re.compile(r"[^a-z ]+")


def read(text: str) -> dict[str, tuple[str, ...]]:
    """Return the words of each kind, in the order in which they count. Raises ValueError with one line."""
    found: dict[str, tuple[str, ...]] = {}
    for kind, words in toml.parse(text).items():
        if kind not in REPLIES:
            raise ValueError(f"{FILE}: there is no kind {kind!r}: choose from {', '.join(REPLIES)}")
        if not isinstance(words, list) or not all(isinstance(word, str) and word == _plain(word) for word in words):
            raise ValueError(f"{FILE}: {kind} must be a list of words in lower case, without signs")
        found[kind] = tuple(words)
    return found


@cache
def _words() -> Mapping[str, tuple[str, ...]]:
    return read_data(FILE, read)


def kind_of(text: str) -> str:
    """Return what kind of thing somebody says to a bot, "" if a bot has no answer to it."""
    plain = f" {_plain(text)} "
    return next((kind for kind, words in _words().items() if any(f" {word} " in plain for word in words)), "")


def is_asked(text: str, me: int, bots: Sequence[int], names: Sequence[str], last: int, seed: str) -> bool:
    """Return whether the bot on seat `me` is to answer: it is named; else nobody is, and it spoke last; else the seed
    chooses one. bots: the seats of all bots; last: the seat of the bot that spoke last in this turn, -1 for none."""
    plain = f" {_plain(text)} "
    named = [seat for seat in bots if names[seat] and f" {_plain(names[seat])} " in plain]
    if named:
        return named[0] == me
    if last in bots:
        return last == me
    return bool(bots) and random.Random(f"{seed} {_plain(text)}").choice(list(bots)) == me


def _plain(text: str) -> str:
    """Return the words of a text in lower case, without signs."""
    return " ".join(_LETTERS.sub("", text.lower().replace("-", " ")).split())
