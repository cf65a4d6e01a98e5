"""Makes players by their specification: a level of the table of levels, with a personality perhaps (`normal/gilda`), or
`module:Class` for somebody else's."""

import importlib
import os
import random
import sys
from collections.abc import Sequence
from inspect import isclass
from typing import Any, cast

import msgspec

from core.language.catalog import Catalog
from core.state.actions import Action
from core.state.events import AnyEvent
from netcode.bots.brain import Brain
from netcode.bots.card_values import CardValues
from netcode.bots.levels import LEVEL_NAMES, LEVELS
from netcode.bots.personalities import parted, personality_named
from netcode.bots.player import Observation, Player
from netcode.bots.search import Searcher


class Misplay(Exception):
    """A player of somebody else's failed, or decided on something that is no action; the text is one line."""


def make_player(spec: str, catalog: Catalog, rng: random.Random, shared: CardValues | None = None) -> Player:
    """Return a new player for one seat of one game. spec: a level ("hard"), one with a personality ("normal/gilda") or
    `module:Class`; shared: the tables of this catalog, which players may share. Raises ValueError, with one line for
    people."""
    if ":" in spec:
        return Guest(spec, catalog, rng)
    level, name = parted(spec)
    if searches(spec):
        return Searcher(catalog, rng, shared, personality_named(name))
    return Brain(catalog, level, rng, shared, personality_named(name))


def searches(spec: str) -> bool:
    """Return whether a player of this specification is one that searches (search.py)."""
    level, _ = parted(spec)
    return level in LEVELS and LEVELS[level].searches


def check_player(spec: str, levels: tuple[str, ...] = LEVEL_NAMES) -> None:
    """Raise ValueError, with one line for people, if no player can be made by this specification."""
    if ":" in spec:
        player_class(spec)
        return
    level, name = parted(spec)
    if level not in levels:
        known = ", ".join(repr(name) for name in levels)
        raise ValueError(f"unknown level {level!r}: choose from {known}, or name a class of your own as module:Class")
    personality_named(name)


def title_of(spec: str) -> str:
    """Return what a table calls a player of this specification: its level, or its class's `title` or name. Raises
    ValueError."""
    if ":" not in spec:
        return spec
    made = player_class(spec)
    return str(getattr(made, "title", "") or made.__name__)


def wants_veiled(spec: str) -> bool:
    """Return whether a player of this specification wants the veiled state. Raises ValueError."""
    if ":" in spec:
        return bool(getattr(player_class(spec), "wants_veiled", False))
    level, _ = parted(spec)
    return level in LEVELS and LEVELS[level].style is not None  # they ask the rules (trials.py)


def player_class(spec: str) -> type[Player]:
    """Return the class that `module:Class` names. The module is looked for in the working folder too, as Python does
    for `python -m`. Raises ValueError, with one line for people, if there is none or it cannot play."""
    module_name, _, name = spec.partition(":")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except Exception as problem:  # whatever the module does when it is read
        raise ValueError(f"{spec}: the module {module_name!r} cannot be imported: {_in_one_line(problem)}") from None
    found: Any = getattr(module, name, None)
    if not isclass(found):
        raise ValueError(f"{spec}: the module {module_name!r} has no class {name!r}")
    decide = getattr(found, "decide", None)
    if not callable(decide) or decide is Player.decide:
        raise ValueError(f"{spec}: the class {name!r} has no method decide(observation, budget): see docs/bots.md")
    return cast(type[Player], found)


class Guest(Player):
    """Runs a player of somebody else's: whatever goes wrong in it becomes a Misplay."""

    def __init__(self, spec: str, catalog: Catalog, rng: random.Random) -> None:
        made = player_class(spec)
        self.wants_veiled = getattr(made, "wants_veiled", False)
        self.wants_events = getattr(made, "wants_events", False)
        try:
            self._player = made(catalog, rng)  # type: ignore[call-arg]
        except Exception as problem:
            raise ValueError(f"{spec} cannot be made: {_in_one_line(problem)}") from problem

    def told(self, events: Sequence[AnyEvent]) -> None:
        """See Player. Raises Misplay."""
        try:
            self._player.told(events)
        except Exception as problem:
            raise Misplay(f"told: {_in_one_line(problem)}") from problem

    def decide(self, observation: Observation, budget: int) -> Action | None:
        """See Player. Raises Misplay."""
        try:
            action = self._player.decide(observation, budget)
        except Exception as problem:
            raise Misplay(f"decide: {_in_one_line(problem)}") from problem
        if action is None:
            return None
        try:
            return msgspec.convert(msgspec.to_builtins(action), Action)  # every field checked, as the wire does
        except (msgspec.ValidationError, TypeError, RecursionError):
            raise Misplay(f"decide: it returned {_in_one_line(repr(action))}, which is no action") from None

    @property
    def waiting(self) -> bool:
        """See Player."""
        return getattr(self._player, "waiting", False) is True


def _in_one_line(problem: object) -> str:
    """Return an exception, with its name, or another text as one short line."""
    text = f"{type(problem).__name__}: {problem}" if isinstance(problem, BaseException) else str(problem)
    return " ".join(text.split())[:200]
