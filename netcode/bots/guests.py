"""Players of somebody else's, named as `module:Class`: how they are found and made, what becomes of their mistakes."""

import importlib
import os
import random
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from inspect import isclass
from typing import Any, NoReturn, cast

import msgspec

from core.language.catalog import Catalog
from core.state.actions import Action
from core.state.events import AnyEvent
from netcode.bots.player import Observation, Player

DECIDE_S: float = 60
"""How long a player of somebody else's may take for a decision, in seconds. Whoever takes longer is not asked again."""


class Misplay(Exception):
    """A player of somebody else's failed, or decided on something that is no action; the text is one line."""


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
        self._file = sys.modules[made.__module__].__file__
        self._hung = False

    def told(self, events: Sequence[AnyEvent]) -> None:
        """See Player. Raises Misplay."""
        try:
            self._player.told(events)
        except Exception as problem:
            raise Misplay(f"told: {_in_one_line(problem)}{_place(problem, self._file)}") from problem

    def decide(self, observation: Observation, budget: int) -> Action | None:
        """See Player. Raises Misplay."""
        if self._hung:
            return None
        try:
            with _no_longer_than(DECIDE_S):
                action = self._player.decide(observation, budget)
        except _TookTooLong as problem:
            self._hung = True
            late = f"it took longer than {DECIDE_S:g} s, and is not asked again"
            raise Misplay(f"decide: {late}{_place(problem, self._file)}") from None
        except Exception as problem:
            raise Misplay(f"decide: {_in_one_line(problem)}{_place(problem, self._file)}") from problem
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


def _place(problem: BaseException, file: str | None) -> str:
    """Return where in this file an exception came up, " (greedy.py, line 7)"; "" if it did not."""
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == file]
    return f" ({os.path.basename(file)}, line {lines[-1]})" if file and lines else ""


class _TookTooLong(BaseException):
    """Time is up. No `except Exception` of a player catches it."""


@contextmanager
def _no_longer_than(seconds: float) -> Iterator[None]:
    """Raise _TookTooLong in the block when it has taken so long. Only the main thread of systems with such a timer can
    do that; elsewhere the block takes as long as it takes."""

    def interrupt(*_: object) -> NoReturn:
        raise _TookTooLong

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
