"""Positions for tests of bots that ask the rules: states after the steps of a scenario, and trials in them."""

from core.knowledge.known import known_catalog
from core.knowledge.veil import veil
from core.queries.carried import CarriedReads
from core.scenario.cast import Cast, lay_out
from core.scenario.runner import load
from core.scenario.steps import ScenarioGame
from core.state.actions import Play
from core.state.model import State, defn_of
from netcode.bots.trials import Trials
from tests.blends import catalog_of, values_of

CATALOG = catalog_of(("munchkins-and-mazes",))
VALUES = values_of(CATALOG)
FIGHT = '{ by = "Kim", do = "kick" }, { pass = "all" }'
COFFEE = "Lukewarm Coffee of the Third Watch"


def position(doors: str, steps: str, **seats: str) -> State:
    """Return the state after these steps. seats: TOML of each."""
    there = ", ".join(f"{name} = {{ {seat} }}" for name, seat in seats.items())
    text = f'[[scenario]]\nname = "it"\ndoors = ["{doors}"]\nsteps = [{steps}]\nseats = {{ {there} }}\n'
    (scenario,) = load(text.encode(), "it.toml")
    cast = Cast(CATALOG, scenario)
    game = ScenarioGame(cast, lay_out(cast))
    assert all(game.do(step) is None for step in scenario.steps), game.reason
    return game.state


def play_of(state: State, seat: int, name: str, **more: object) -> Play:
    """Return the play of a card in hand."""
    hand = state.seats[seat].hand
    return Play(next(card for card in hand if CATALOG.cards[defn_of(card)].name == name), **more)  # type: ignore[arg-type]


def trials(state: State, seat: int) -> Trials:
    """Return trials of a seat's actions."""
    known = known_catalog(CATALOG)
    assert known is not None
    return Trials(known, veil(CATALOG, state, seat), CarriedReads())
