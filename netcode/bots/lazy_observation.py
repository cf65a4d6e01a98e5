"""A lazy observation of a game in this process: each part is computed when its player reads it."""

from core.knowledge.veil import veil
from core.language.catalog import Catalog
from core.state.actions import Claim
from core.state.model import State
from core.state.veiled import Veiled
from core.state.views import View, You
from core.view import Showing
from netcode.bots.player import CLAIM, Observation
from netcode.bots.reading import lazy_property

OVER = "the decision is over: what its seat saw can no longer be worked out"


class LazyObservation(Observation):
    """What a seat sees and knows of a game. The runner of the game closes it after the seat's decision, so that a
    player that keeps it has no access to the game. After that, reading a part that was not read before raises
    AssertionError."""

    def __init__(
        self, catalog: Catalog, state: State, showing: Showing, seat: int, veiled: Veiled | None = None,
        hurry: bool = False,
    ) -> None:  # fmt: skip
        self._catalog = catalog
        self._state: State | None = state
        self._showing: Showing | None = showing
        self._seat = seat
        self.veiled = veiled
        self.hurry = hurry
        self.patient = False

    def close(self) -> None:
        """Let go of the game."""
        self._state = self._showing = None

    def claim(self) -> Claim | None:
        """See Observation."""
        assert self._showing is not None, OVER
        return CLAIM if self._showing.may_only_claim(self._seat) else None

    @lazy_property
    def you(self) -> You:
        """See Observation."""
        assert self._showing is not None, OVER
        return self._showing.you(self._seat)

    @lazy_property
    def view(self) -> View:
        """See Observation."""
        assert self._showing is not None, OVER
        return self._showing.view(self._seat, self.you)

    def ask(self) -> Veiled | None:
        """Return what this seat knows of the game as a state; None if it has decided."""
        return veil(self._catalog, self._state, self._seat) if self._state is not None else None
