"""The interface of every player that is a program: built-in bots, third-party bots, the hint for a person.

    class Greedy(Player):
        def __init__(self, catalog: Catalog, rng: random.Random) -> None: ...
        def decide(self, observation: Observation, budget: int) -> Action | None: ...

The code that runs a player (a simulation, a bot at a table, the hint) shows it observations and carries out its
actions.
`netcode/bots/factory.py` makes one by its name; docs/bots.md is the guide for people who write one.
"""

from collections.abc import Sequence
from typing import ClassVar, Protocol

from core.state.actions import Action, Claim
from core.state.events import AnyEvent
from core.state.veiled import Veiled
from core.state.views import View

CLAIM = Claim()


class Observation:
    """The input of a player for a decision. It holds nothing that its seat may not know.

    view: the table as this seat sees it. you: what concerns this seat alone, `view.you`; for built-in players in
    simulations both are computed when they are read (lazy_observation.py). veiled: what the seat knows of the game as a
    state (core/knowledge/veil.py), for players that want it; else None. hurry: do not wait for answers to offers any
    longer. patient: wait for them without a time limit.
    """

    def __init__(
        self, view: View, veiled: Veiled | None = None, hurry: bool = False, patient: bool = False
    ) -> None:  # fmt: skip
        self.view = view
        self.you = view.you
        self.veiled = veiled
        self.hurry = hurry
        self.patient = patient

    def claim(self) -> Claim | None:
        """Return the claim of a won fight if the seat can claim one and no offer is open; else None."""
        rows = self.you.legal if self.you is not None else ()
        return CLAIM if rows and rows[0].action == CLAIM and not self.view.offers else None

    def ask(self) -> Veiled | None:
        """Return what the seat knows now, for players that seldom want it and have no `veiled`. None if it is not
        available or the decision has been made."""
        return None


class Player(Protocol):
    """The player of one seat in one game. Only `decide` must be written."""

    title: ClassVar[str] = ""
    """Its name at tables: `Greedy, by Kim`; if empty, the name of its class."""
    wants_veiled: bool = False
    """Whether its observations hold the veiled state, which takes some time to compute."""
    wants_events: bool = False
    """Whether `observe` is called."""

    def observe(self, events: Sequence[AnyEvent]) -> None:
        """Take the events since the last decision, in order, as this seat sees them (events.seen_by)."""
        return

    def decide(self, observation: Observation, budget: int) -> Action | None:
        """Return what to do now; None: nothing. budget: the number of rollouts that it may spend, 0: none.

        The action is that of a row of `observation.you.legal`; a row with a pick needs its cards filled in."""

    @property
    def waiting(self) -> bool:
        """Whether the last decision was to wait for answers to its offers. The runner ends the wait by `hurry`."""
        return False
