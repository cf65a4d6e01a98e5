"""The one place where netcode meets the rules: a game being played, behind the few things a table needs of it."""

import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from core import engine
from core.language import catalog as catalogs
from core.language.catalog import Catalog
from core.moves import legal as decisions
from core.scenario.cast import Cast, begin
from core.scenario.schema import Scenario, ScenarioError
from core.state.actions import AnyAction, Refusal
from core.state.events import AnyEvent
from core.state.model import State, decode, encode
from core.undo import Mark, Reversible
from core.view import Showing, View
from netcode.protocol.pack_files import PackError, PackFiles
from netcode.protocol.table_options import parse_options

LOG = logging.getLogger("kickdoor.game")
_VIEW = msgspec.msgpack.Encoder()


class RunningGame(Protocol):
    """A game under way, as a table sees it."""

    def submit(self, seat: int, action: AnyAction) -> Refusal | list[AnyEvent]:
        """Do it, or say why not (then nothing has changed). Seat -1 is the host."""

    def check(self, seat: int, action: AnyAction) -> Refusal | None:
        """What would forbid it."""

    def views(self, seats: int) -> tuple[View, list[View]]:
        """What everybody may know, and what each of the seats may."""

    def save(self) -> bytes:
        """Everything, for the journal."""

    def last(self) -> Mark | None:
        """What StepBack would take back now; None: nothing."""


GameFactory = Callable[[int, bytes], tuple[RunningGame, list[AnyEvent]]]
"""(seats, seed) to a fresh game and what happened in dealing it."""


class RulesGame:
    """A game of the real rules."""

    def __init__(self, catalog: Catalog, state: State) -> None:
        self._catalog = catalog
        self._game = Reversible(catalog, state)

    @property
    def state(self) -> State:
        return self._game.state

    def submit(self, seat: int, action: AnyAction) -> Refusal | list[AnyEvent]:
        """See RunningGame. An error of the program costs the one who met it an action, and nobody the game."""
        try:
            return self._game.submit(seat, action)
        except Exception:
            before = self._game.before
            LOG.exception("seat %d could not do %r; the state before was %s", seat, action, before.hex())
            self._game.state = decode(before)
            return Refusal("internal", "An error of the program: nothing has changed; the host has noted it.")

    def last(self) -> Mark | None:
        """See RunningGame."""
        return self._game.marks.last

    def check(self, seat: int, action: AnyAction) -> Refusal | None:
        """See RunningGame."""
        return decisions.check(self._catalog, self.state, seat, action)

    def views(self, seats: int) -> tuple[View, list[View]]:
        """See RunningGame."""
        showing = Showing(self._catalog, self.state)
        return showing.view(-1), [showing.view(seat) for seat in range(seats)]

    def save(self) -> bytes:
        """See RunningGame."""
        return encode(self.state)


class Rules:
    """The packs of a table, loaded: deals games and takes saved ones up again."""

    def __init__(
        self, packs: Sequence[PackFiles], options: Sequence[str] = (), scenario: Scenario | None = None
    ) -> None:
        """scenario: games begin as it lays out the table. Raises PackError if the packs do not make a game, ValueError
        for an unknown option or a table that cannot be laid out with these cards."""
        self.options = parse_options(options)
        self._scenario = scenario
        try:
            self.catalog = catalogs.load([pack.files for pack in packs])
        except ValueError as problem:
            raise PackError(f"the card packs cannot be used: {problem}") from None
        if scenario is not None:
            self._lay_out(scenario, b"a trial")

    def deal(self, seats: int, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        """A fresh game."""
        if self._scenario is not None:
            return self._lay_out(self._scenario, seed)
        state, events = engine.new_game(self.catalog, seats, self.options, seed)
        return RulesGame(self.catalog, state), events

    def _lay_out(self, scenario: Scenario, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        try:
            state, events = begin(Cast(self.catalog, scenario), seed)
        except ScenarioError as problem:
            raise ValueError(str(problem)) from None
        return RulesGame(self.catalog, state), events

    def load(self, saved: bytes) -> RunningGame:
        """A saved game. Raises msgspec.DecodeError or ValidationError if it is none."""
        return RulesGame(self.catalog, decode(saved))


def game_seed(seed: int | None, number: int) -> bytes:
    """The seed of a table's nth game: from the number given on the command line, or nobody's to guess."""
    return secrets.token_bytes(16) if seed is None else f"{seed}:{number}".encode()


def view_bytes(shown: View) -> bytes:
    """A view as bytes, to tell whether it changed."""
    return _VIEW.encode(shown)
