"""An observation that is computed on access equals a view, and gives nothing once it is closed."""

import random

import pytest

from core.knowledge.veil import veil
from core.state.actions import Claim
from core.state.model import State
from core.view import Showing, view
from netcode.bots.lazy_observation import LazyObservation
from netcode.bots.player import Observation
from netcode.simulation.game import SimulatedGame
from tests.blends import BLENDS, catalog_of

DECISIONS = 250


@pytest.mark.long(2)
@pytest.mark.parametrize("sets", BLENDS, ids="+".join)
def test_it_says_what_the_view_says_in_whichever_order_it_is_asked(sets: tuple[str, ...]) -> None:
    catalog, claims = catalog_of(sets), 0
    game, rng = SimulatedGame(catalog, ["normal"] * 4, 11), random.Random(1)

    def look(state: State, showing: Showing, seat: int) -> Claim | None:
        observation, whole = LazyObservation(catalog, state, showing, seat), view(catalog, state, seat)
        parts = ["you", "view", "claim"]
        rng.shuffle(parts)
        for part in parts:
            if part == "claim":
                assert observation.claim() == Observation(whole).claim()
            else:
                assert getattr(observation, part) == (whole if part == "view" else whole.you)
        assert observation.view.you is observation.you, "legal rows are listed once"
        return observation.claim()

    while game.decisions < DECISIONS and not game.state.winners:
        showing = Showing(catalog, game.state)
        found = [look(game.state, showing, seat) for seat in range(4)]
        claims += any(found)
        assert game.step()
    assert claims > 5


def test_once_closed_it_keeps_what_was_looked_at_and_leads_to_nothing_else() -> None:
    catalog = catalog_of(BLENDS[0])
    game = SimulatedGame(catalog, ["normal"] * 3, 11)
    showing = Showing(catalog, game.state)
    observation, other = (LazyObservation(catalog, game.state, showing, 1) for _ in range(2))
    you, known = observation.you, observation.ask()
    assert known is not None and known.data == veil(catalog, game.state, 1).data
    observation.close()
    other.close()
    assert observation.you is you and observation.ask() is None
    for hidden in (lambda: observation.view, lambda: other.you, other.claim):
        with pytest.raises(AssertionError, match="the decision is over"):
            hidden()
