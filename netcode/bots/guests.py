"""Third-party players, named as `module:Class`: how they are found and made, and how their errors are handled."""

import importlib
import os
import random
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from inspect import isclass, iscoroutinefunction, signature
from typing import Any, NoReturn, TypeVar, cast

import msgspec

from core.language.catalog import Catalog
from core.state.actions import Action, Legal
from core.state.events import AnyEvent
from core.state.veiled import Veiled
from core.state.views import View
from netcode.bots.player import Observation, Player

T = TypeVar("T")

DECIDE_S: float = 60
"""How long (s) a third-party player may take to be made, for a decision, or to observe events. One that takes longer is
not asked again."""
TITLE_CHARS = 24
"""The longest title of a player at a table, in characters."""
_FAILED = (Exception, SystemExit)
"""Exceptions that third-party code may raise; its `sys.exit` must not end the games of others."""


class Misplay(Exception):
    """A third-party player failed, or returned something that is no action; the text is one line."""


def player_class(spec: str) -> type[Player]:
    """Return the class that `module:Class` names. The working folder is searched for the module too, as with `python
    -m`. Raises ValueError, with one line for people, if there is none or it cannot play."""
    module_name, _, name = spec.partition(":")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except _FAILED as problem:  # the module may raise anything when it is imported
        raise ValueError(f"{spec}: the module {module_name!r} cannot be imported: {_in_one_line(problem)}") from None
    found: Any = getattr(module, name, None)
    if not isclass(found):
        raise ValueError(f"{spec}: the module {module_name!r} has no class {name!r}")
    decide = getattr(found, "decide", None)
    if not callable(decide) or decide is Player.decide:
        raise ValueError(f"{spec}: the class {name!r} has no method decide(observation, budget): see docs/bots.md")
    if iscoroutinefunction(decide):
        raise ValueError(f"{spec}: decide must be a plain method, not an async one: see docs/bots.md")
    if not _takes(decide, "self", "observation", "budget"):
        raise ValueError(f"{spec}: decide must take an observation and a budget: see docs/bots.md")
    if callable(getattr(found, "told", None)):
        raise ValueError(f"{spec}: rename the method told(events) to observe(events): see docs/bots.md")
    title = getattr(found, "title", "")
    if not isinstance(title, str) or len(title) > TITLE_CHARS:
        raise ValueError(f"{spec}: title must be a text of at most {TITLE_CHARS} characters")
    return cast(type[Player], found)


def _takes(method: Callable[..., Any], *args: str) -> bool:
    """Return whether a method can be called with these arguments, as far as Python can tell."""
    try:
        signature(method).bind(*args)
    except TypeError:
        return False
    except ValueError:  # a method in C, without a signature
        return True
    return True


class GuestObservation(Observation):
    """The observation for a third-party player: its own copy of the view, so that nothing it writes there reaches
    others."""

    def __init__(self, seen: Observation) -> None:
        super().__init__(_VIEW.decode(_ENCODER.encode(seen.view)), seen.veiled, seen.hurry, seen.patient)
        self._seen = seen

    def ask(self) -> Veiled | None:
        """See Observation."""
        return self._seen.ask()


_ENCODER = msgspec.msgpack.Encoder()
_VIEW = msgspec.msgpack.Decoder(View)
_EVENTS = msgspec.msgpack.Decoder(list[AnyEvent])


class Guest(Player):
    """Runs a third-party player and turns all its errors into Misplay."""

    def __init__(self, spec: str, catalog: Catalog, rng: random.Random) -> None:
        made = player_class(spec)
        self.wants_veiled = getattr(made, "wants_veiled", False)
        self.wants_events = getattr(made, "wants_events", False)
        self._file = sys.modules[made.__module__].__file__
        self._hung = False
        try:
            self._player: Any = self._run("it", lambda: made(catalog, rng))  # type: ignore[call-arg]
        except Misplay as problem:
            raise ValueError(f"{spec} cannot be made: {str(problem).removeprefix('it: ')}") from problem.__cause__

    def observe(self, events: Sequence[AnyEvent]) -> None:
        """See Player. Raises Misplay."""
        own = _EVENTS.decode(_ENCODER.encode(list(events)))
        if not self._hung:
            self._run("observe", lambda: self._player.observe(own))

    def decide(self, observation: Observation, budget: int) -> Action | None:
        """See Player. Raises Misplay."""
        if self._hung:
            return None
        action = self._run("decide", lambda: self._player.decide(GuestObservation(observation), budget))
        if action is None:
            return None
        try:
            return msgspec.convert(msgspec.to_builtins(action), Action)  # this checks every field, as the wire does
        except (msgspec.ValidationError, TypeError, RecursionError):
            what = f"{_in_one_line(repr(action))}, which is no action{_hint(action)}"
            raise Misplay(f"decide: it returned {what}") from None

    @property
    def waiting(self) -> bool:
        """See Player. Raises Misplay."""
        return not self._hung and self._run("waiting", lambda: getattr(self._player, "waiting", False)) is True

    def _run(self, what: str, call: Callable[[], T]) -> T:
        """Return what the player's own code returns. Raises Misplay."""
        try:
            with _no_longer_than(DECIDE_S):
                return call()
        except _TookTooLong as problem:
            self._hung = True
            late = f"it took longer than {DECIDE_S:g} s, and is not asked again"
            raise Misplay(f"{what}: {late}{_place(problem, self._file)}") from None
        except _FAILED as problem:
            raise Misplay(f"{what}: {_in_one_line(problem)}{_place(problem, self._file)}") from problem


def _hint(returned: object) -> str:
    """Return a hint about what the author of this return value may have meant."""
    return ": return its action" if isinstance(returned, Legal) else ""


def _in_one_line(problem: object) -> str:
    """Return an exception, with its name, or another text as one short line."""
    text = f"{type(problem).__name__}: {problem}" if isinstance(problem, BaseException) else str(problem)
    return " ".join(text.split())[:200]


def _place(problem: BaseException, file: str | None) -> str:
    """Return where in this file an exception was raised, as " (greedy.py, line 7)"; "" if elsewhere."""
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == file]
    return f" ({os.path.basename(file)}, line {lines[-1]})" if file and lines else ""


class _TookTooLong(BaseException):
    """Time is up. It is no Exception, so that no `except Exception` of a player catches it."""


@contextmanager
def _no_longer_than(seconds: float) -> Iterator[None]:
    """Raise _TookTooLong in the block after this time. That works only in the main thread of systems with such a timer;
    elsewhere the block has no time limit."""

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
