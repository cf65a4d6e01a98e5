"""The rules as a table sees them: `RunningGame` is the interface of a game, `Rules` makes games of the real rules.

The rules (rules_game.py) and the cards are loaded when they are first needed, or by `load_catalog`, so that a host can
print its strings first.
"""

import secrets
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import msgspec

from core.language.errors import PackError
from core.state.actions import AnyAction, Refusal
from core.state.events import AnyEvent
from core.state.forecasts import Forecast
from core.state.views import View
from netcode.protocol.pack_files import PackFiles
from netcode.protocol.played_rules import own_rules
from netcode.protocol.table_options import parse_options

if TYPE_CHECKING:
    from core.language.catalog import Catalog
    from core.scenario.schema import Scenario
    from core.undo import Mark

_PACKER = msgspec.msgpack.Encoder()


class RunningGame(Protocol):
    """The interface of a game in progress for a table."""

    @property
    def rev(self) -> int:
        """The revision of the views: it rises with whatever everybody may see."""

    def submit(self, seat: int, action: AnyAction) -> Refusal | list[AnyEvent]:
        """Carry out an action (seat -1: the host's). Return its events, or the refusal; a refused action changes
        nothing."""

    def check(self, seat: int, action: AnyAction) -> Refusal | None:
        """Return what would forbid an action; None if nothing would."""

    def views(self, seats: int) -> tuple[View, list[View]]:
        """Return the public view and the view of each seat. A view that has certainly not changed is the same object as
        before."""

    def forecasts(self, seat: int, view: View) -> list[Forecast]:
        """Return forecasts of the options that the newest view of a seat lists."""

    def veiled(self, seat: int) -> bytes:
        """Return the veiled state of a seat (core/knowledge/veil.py), packed; empty if it is not available."""

    def words(self, seat: int, before: View, events: Sequence[AnyEvent], names: Sequence[str]) -> int:
        """Return how many words the log of a seat has for these events. before: the public view before them. names: of
        all seats."""

    def save(self) -> bytes:
        """Return the state as bytes, for the journal."""

    def last(self) -> "Mark | None":
        """Return the action that StepBack would undo now; None if nothing can be undone."""

    def remember(self, keep: bool) -> None:
        """Begin to keep an undo history for a player alone with bots, or drop it."""

    def last_choice(self, seat: int) -> int:
        """Return the number of the action that this seat would take back now, for StepBack; 0: there is none."""

    def has_acted(self, seat: int) -> bool:
        """Return whether the undo history has an action of this seat, forced passes included."""


GameFactory = Callable[[int, bytes], tuple[RunningGame, list[AnyEvent]]]
"""(seats, seed) -> a new game and the events of its deal."""


class Rules:
    """The loaded packs of a table: deals games and loads saved ones. Several threads may use it."""

    def __init__(
        self,
        packs: Sequence[PackFiles],
        options: Sequence[str] = (),
        scenario: "Scenario | None" = None,
        later: bool = False,
    ) -> None:
        """scenario: the position in which games begin; its options apply and may have values that players cannot
        choose. later: read built-in packs only when they are needed or `load_catalog` is called. Raises
        PackError if the packs do not make a game, ValueError for an unknown option or a scenario that these cards
        cannot set up."""
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
    def catalog(self) -> "Catalog":
        """All cards of the packs."""
        return self.load_catalog()

    def load_catalog(self) -> "Catalog":
        """Read the packs if they have not been read, and load the code of the rules. All four built-in packs take a
        tenth of a second. Raises PackError."""
        with self._loading:
            if self._catalog is None:
                import netcode.table.rules_game  # noqa: F401  the rules and cards are loaded when the strings are printed

                own_rules()  # read now, with the code itself
                # the rules and cards are loaded when the strings are printed
                from netcode.protocol.pack_catalog import catalog_of

                try:
                    self._catalog = catalog_of([(pack.set_id, pack.files) for pack in self._packs])
                except PackError as problem:
                    raise PackError(f"the card packs cannot be used: {problem}") from None
            return self._catalog

    def check_deal(self, seats: int) -> None:
        """Raise PackError if there are too few cards to deal a new game to this many seats. Built-in packs have enough,
        and a scenario deals its own."""
        if self._scenario is None and not all(pack.built_in for pack in self._packs):
            from netcode.table.rules_game import check_deal  # as in `deal`

            check_deal(self.catalog, seats)

    def deal(self, seats: int, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        """Return a new game and the events of its deal."""
        from netcode.table.rules_game import deal  # the rules and cards are loaded when the strings are printed

        if self._scenario is not None:
            return self._set_up(self._scenario, seed)
        return deal(self.catalog, seats, self.options, seed)

    def _set_up(self, scenario: "Scenario", seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        # the rules and cards are loaded when the strings are printed
        from netcode.table.rules_game import begin_scenario

        return begin_scenario(self.catalog, scenario, seed)

    def load(self, saved: bytes, number: int = 0) -> RunningGame:
        """Return a saved game that has had this many actions. Raises msgspec.MsgspecError for invalid data."""
        from netcode.table.rules_game import restored  # the rules and cards are loaded when the strings are printed

        return restored(self.catalog, saved, number)


def game_seed(seed: int | None, number: int) -> bytes:
    """Return the seed of a table's nth game, from the number on the command line or at random."""
    return secrets.token_bytes(16) if seed is None else f"{seed}:{number}".encode()


def view_bytes(shown: View) -> bytes:
    """Return a view as bytes, for comparison."""
    return _PACKER.encode(shown)
