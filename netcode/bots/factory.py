"""Make players by their specification: a level, perhaps with a personality (`normal/gilda`), or `module:Class` for a
third-party player."""

import random

from core.language.catalog import Catalog
from netcode.bots.brain import Brain
from netcode.bots.card_values import CardValues
from netcode.bots.evaluation import stored_weights
from netcode.bots.guests import Guest, player_class
from netcode.bots.levels import LEVEL_NAMES, LEVELS
from netcode.bots.personalities import Personality, personalities, personality_named, split_spec
from netcode.bots.player import Player
from netcode.bots.search import Searcher

PROGRAM = "run:"
"""How the specification of a program begins. A program joins a table itself, so no player is made for it."""


def make_player(spec: str, catalog: Catalog, rng: random.Random, shared: CardValues | None = None) -> Player:
    """Return a new player for one seat of one game. spec: a level ("hard"), one with a personality ("normal/gilda") or
    `module:Class`; shared: the card values of this catalog, which players may share. Raises ValueError, with one line
    for people."""
    if ":" in spec:
        return Guest(spec, catalog, rng)
    personality = _personality(spec)
    if searches(spec):
        return Searcher(catalog, rng, shared, personality)
    return Brain(catalog, split_spec(spec)[0], rng, shared, personality)


def _personality(spec: str) -> Personality | None:
    """Return the personality that a specification names. Raises ValueError, with one line for people, if its level
    takes none."""
    level, name = split_spec(spec)
    if "/" in spec and not name:
        known = ", ".join(personalities())
        raise ValueError(f"{spec}: name a personality after the / ({known}), or leave the / out")
    if name and level in LEVELS and LEVELS[level].style is None:
        raise ValueError(f"{spec}: {level!r} has no style that a personality could change: leave /{name} out")
    return personality_named(name)


def searches(spec: str) -> bool:
    """Return whether a player of this specification is one that searches (search.py)."""
    level, _ = split_spec(spec)
    return level in LEVELS and LEVELS[level].searches


def check_player(spec: str, levels: tuple[str, ...] = LEVEL_NAMES) -> None:
    """Raise ValueError, with one line for people, if no player can be made from this specification or a data file that
    it needs is broken."""
    if spec.startswith(PROGRAM):
        raise ValueError(f"{spec}: only `kickdoor ladder` plays programs (--players {PROGRAM}COMMAND)")
    if ":" in spec:
        player_class(spec)
        return
    level, _ = split_spec(spec)
    if level not in levels:
        known = ", ".join(repr(name) for name in levels)
        raise ValueError(f"unknown level {level!r}: choose from {known}, or name a class of your own as module:Class")
    _personality(spec)
    if searches(spec):
        stored_weights()


def title_of(spec: str) -> str:
    """Return the name of this specification for a table: its level, or its class's `title` or name. Raises
    ValueError."""
    if ":" not in spec:
        return spec
    made = player_class(spec)
    return str(getattr(made, "title", "") or made.__name__)


def wants_veiled(spec: str) -> bool:
    """Return whether a player of this specification wants the veiled state. Raises ValueError."""
    if ":" in spec:
        return bool(getattr(player_class(spec), "wants_veiled", False))
    level, _ = split_spec(spec)
    return level in LEVELS and LEVELS[level].style is not None  # they ask the rules (trials.py)
