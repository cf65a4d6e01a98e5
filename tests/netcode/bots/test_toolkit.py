"""The tools for authors of players: whole actions that the engine accepts, and the results of an action."""

import random
from collections import Counter as Count

from core.knowledge.veil import veil
from core.moves.legal import check
from core.state.actions import AnyAction, Counter, Kick, Offer, Refusal
from core.state.events import AnyEvent
from core.state.model import State, decode, encode
from core.view import view
from netcode.bots.toolkit import Outcome, choices, counter_offers, what_if
from netcode.simulation.batch import load_catalog
from netcode.simulation.game import SimulatedGame

CATALOG = load_catalog(("munchkins-and-mazes",))


def positions(seed: int, every: int) -> list[tuple[bytes, int]]:
    """Return (encoded state, seat to decide) for positions of a game: after every `every`th action, and after each
    offer."""
    found: list[tuple[bytes, int]] = []
    number = 0

    def note(state: State, seat: int, action: AnyAction, events: list[AnyEvent]) -> None:
        nonlocal number
        number += 1
        if isinstance(action, Offer | Counter):
            found.extend((encode(state), offer.to) for offer in state.offers if offer.to >= 0)
        elif number % every == 0 and not state.winners:
            found.append((encode(state), number // every % 3))

    SimulatedGame(CATALOG, ["normal", "hard", "normal"], seed, watch=note).play(400)
    return found


def test_choices_are_whole_actions_that_the_engine_takes() -> None:
    kinds = Count[type]()
    for seed in (1, 2, 3):
        for data, seat in positions(seed, 40):
            state = decode(data)
            seen = view(CATALOG, state, seat)
            for action in choices(seen, most=3):
                refused = check(CATALOG, state, seat, action)
                kinds[type(action)] += 1
                assert refused is None, f"{action}: {refused}"
    assert kinds[Counter] > 5 and len(kinds) > 8, kinds


def test_whoever_looks_on_has_no_choices() -> None:
    state = SimulatedGame(CATALOG, ["normal"] * 3, 1).state
    assert choices(view(CATALOG, state, -1)) == counter_offers(view(CATALOG, state, -1)) == []


def test_what_if_plays_on_as_the_seat_would_see_it_and_changes_nothing() -> None:
    game = SimulatedGame(CATALOG, ["normal"] * 3, 4)
    while not any(ask.kind == "kick" for ask in game.state.stack[-1].asks):
        assert game.step()
    seat = game.state.turn.seat
    before = view(CATALOG, game.state, seat)
    veiled = veil(CATALOG, game.state, seat)
    outcomes = [what_if(CATALOG, veiled, Kick(), random.Random(number)) for number in range(5)]
    again = [what_if(CATALOG, veiled, Kick(), random.Random(number)) for number in range(5)]
    assert outcomes == again and view(CATALOG, game.state, seat) == before
    for outcome in outcomes:
        assert isinstance(outcome, Outcome) and outcome.events and outcome.view.you is not None
        assert outcome.view.you.seat == seat and outcome.view.rev > before.rev
    other = veil(CATALOG, game.state, (seat + 1) % 3)
    assert isinstance(what_if(CATALOG, other, Kick(), random.Random(1)), Refusal)
