"""The rules as a table sees them: `RunningGame` is all that it needs, `RulesGame` plays the real rules."""

import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from core import engine
from core.engine import Runaway
from core.forecast import Forecaster
from core.language.catalog import Catalog
from core.moves import legal
from core.scenario.cast import Cast, begin
from core.scenario.schema import Scenario, ScenarioError
from core.state.actions import AnyAction, Refusal
from core.state.events import AnyEvent
from core.state.forecast import Forecast
from core.state.model import State, decode, encode
from core.state.views import View
from core.undo import Mark, Reversible
from core.veil import veil
from core.view import Showing
from netcode.protocol import limits
from netcode.protocol.pack_files import PackError, PackFiles, catalog_of
from netcode.protocol.table_options import parse_options

LOG = logging.getLogger("kickdoor.game")
_PACKER = msgspec.msgpack.Encoder()


class RunningGame(Protocol):
    """What a table needs of a game in progress."""

    @property
    def rev(self) -> int:
        """The revision of the views: it rises with whatever everybody may see."""

    def submit(self, seat: int, action: AnyAction) -> Refusal | list[AnyEvent]:
        """Carry out an action (seat -1: the host's). Return its events, or why it is refused; then nothing changed."""

    def check(self, seat: int, action: AnyAction) -> Refusal | None:
        """Return what would forbid an action; None: nothing."""

    def views(self, seats: int) -> tuple[View, list[View]]:
        """Return the public view, and the view of each seat."""

    def forecasts(self, seat: int, view: View) -> list[Forecast]:
        """Return what would come of the options that the newest view of a seat lists."""

    def veiled(self, seat: int) -> bytes:
        """Return what a seat knows of the game (core/veil.py), packed; nothing if that cannot be said."""

    def save(self) -> bytes:
        """Return the state as bytes, for the journal."""

    def last(self) -> Mark | None:
        """Return the action that StepBack would undo now; None: nothing can be undone."""

    def remember(self, keep: bool) -> None:
        """Keep the way back for somebody alone with bots from now on, or forget it."""

    def last_choice(self, seat: int) -> int:
        """Return the number of the action that this seat would take back now, for StepBack; 0: there is none."""

    def has_acted(self, seat: int) -> bool:
        """Return whether the way back has an action of this seat, which may be a pass that it had to make."""


GameFactory = Callable[[int, bytes], tuple[RunningGame, list[AnyEvent]]]
"""(seats, seed) -> a new game and the events of its deal."""


class RulesGame:
    """A game of the real rules. number: how many actions it has had."""

    def __init__(self, catalog: Catalog, state: State, number: int = 0) -> None:
        self._catalog = catalog
        self._game = Reversible(catalog, state, number)
        self._forecaster: Forecaster | None = None

    @property
    def state(self) -> State:
        """The true state, hidden things included."""
        return self._game.state

    @property
    def rev(self) -> int:
        """See RunningGame."""
        return self.state.rev

    def submit(self, seat: int, action: AnyAction) -> Refusal | list[AnyEvent]:
        """See RunningGame. An internal error refuses the action and leaves the game as it was."""
        try:
            return self._game.submit(seat, action)
        except Runaway as problem:
            LOG.warning("an action is refused: %s", problem)
            self._game.state = decode(self._game.before)
            return Refusal("internal", f"Nothing has changed. A card pack has a mistake: {problem}.")
        except Exception:
            before = self._game.before
            LOG.exception("seat %d could not do a %s", seat, type(action).__name__)
            self._game.state = decode(before)
            return Refusal("internal", "An internal error: nothing has changed; the host has logged it.")

    def last(self) -> Mark | None:
        """See RunningGame."""
        return self._game.marks.last

    def remember(self, keep: bool) -> None:
        """See RunningGame."""
        self._game.remember(keep)

    def last_choice(self, seat: int) -> int:
        """See RunningGame."""
        return self._game.history.last_choice(self._catalog, seat) if self._game.history is not None else 0

    def has_acted(self, seat: int) -> bool:
        """See RunningGame."""
        return self._game.history is not None and self._game.history.has_acted(seat)

    def check(self, seat: int, action: AnyAction) -> Refusal | None:
        """See RunningGame."""
        return legal.check(self._catalog, self.state, seat, action)

    def views(self, seats: int) -> tuple[View, list[View]]:
        """See RunningGame."""
        showing = Showing(self._catalog, self.state)
        return showing.view(-1), [showing.view(seat) for seat in range(seats)]

    def forecasts(self, seat: int, view: View) -> list[Forecast]:
        """See RunningGame. An internal error leaves the options without a forecast."""
        if view.you is None:
            return []
        self._forecaster = self._forecaster or Forecaster(self._catalog)
        try:
            return self._forecaster.forecasts(self.state, seat, view.you.legal, self._game.seen[seat])
        except Exception:
            LOG.exception("there is no forecast for seat %d", seat)
            return []

    def veiled(self, seat: int) -> bytes:
        """See RunningGame. An internal error leaves the seat without it."""
        try:
            data = _PACKER.encode(veil(self._catalog, self.state, seat, self._game.seen[seat]))
        except Exception:
            LOG.exception("the game cannot be veiled for seat %d", seat)
            return b""
        return data if len(data) <= limits.PART_OF_VIEW_BYTES else b""

    def save(self) -> bytes:
        """See RunningGame."""
        return encode(self.state)


class Rules:
    """The loaded packs of a table: deals games and loads saved ones. Several threads may use it."""

    def __init__(
        self,
        packs: Sequence[PackFiles],
        options: Sequence[str] = (),
        scenario: Scenario | None = None,
        later: bool = False,
    ) -> None:
        """scenario: the position in which games begin; its own options hold, which may have values that players cannot
        choose. later: built-in packs are not read before they are needed, or `load_catalog` is called. Raises PackError
        if the packs do not make a game, ValueError for an unknown option or a scenario that these cards cannot set
        up."""
        self.options = parse_options(options) if scenario is None else scenario.options
        self._packs, self._scenario = packs, scenario
        self._catalog: Catalog | None = None
        self._loading = threading.Lock()
        if not (later and all(pack.built_in for pack in packs)):
            self.load_catalog()
        if scenario is not None:
            self._set_up(scenario, b"a trial")

    @property
    def loaded(self) -> bool:
        """Whether the packs have been read."""
        return self._catalog is not None

    @property
    def catalog(self) -> Catalog:
        """All cards of the packs."""
        return self.load_catalog()

    def load_catalog(self) -> Catalog:
        """Read the packs if they have not been read: all four built-in ones take a tenth of a second. Raises
        PackError."""
        with self._loading:
            if self._catalog is None:
                try:
                    self._catalog = catalog_of([(pack.set_id, pack.files) for pack in self._packs])
                except PackError as problem:
                    raise PackError(f"the card packs cannot be used: {problem}") from None
            return self._catalog

    def deal(self, seats: int, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        """Return a new game and the events of its deal."""
        if self._scenario is not None:
            return self._set_up(self._scenario, seed)
        state, events = engine.new_game(self.catalog, seats, self.options, seed)
        return RulesGame(self.catalog, state), events

    def _set_up(self, scenario: Scenario, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        try:
            state, events = begin(Cast(self.catalog, scenario), seed)
        except (ScenarioError, Runaway) as problem:
            raise ValueError(str(problem)) from None
        return RulesGame(self.catalog, state), events

    def load(self, saved: bytes, number: int = 0) -> RunningGame:
        """Return a saved game that has had this many actions. Raises msgspec.MsgspecError for invalid data."""
        return RulesGame(self.catalog, decode(saved), number)


def game_seed(seed: int | None, number: int) -> bytes:
    """Return the seed of a table's nth game: from the number on the command line, else random."""
    return secrets.token_bytes(16) if seed is None else f"{seed}:{number}".encode()


def view_bytes(shown: View) -> bytes:
    """Return a view as bytes, to see whether it changed."""
    return _PACKER.encode(shown)
