"""A bot counts the Item Enhancers on an Item as part of it."""

import random

from core.engine import submit
from core.scenario.cast import Cast, begin
from core.scenario.schema import load
from core.state.actions import Answer, Play
from core.state.model import State, defn_of
from core.view import view
from netcode.bots.brain import Brain
from netcode.bots.player import Observation
from netcode.bots.reading import Reading
from tests.blends import catalog_of, values_of

CATALOG = catalog_of(("apocalypse",))
TAPED = """
[[scenario]]
name = "it"
sets = ["apocalypse"]
steps = []
[scenario.seats.Ann]
table = ["Tire Iron", "Steel-Toed Slippers", "Duct Tape > Tire Iron", "Sharpened All Over > Tire Iron"]
[scenario.seats.Bo]
hand = ["Disaster! Small Meteor"]
"""


def taped_state() -> State:
    """Return a game in which Ann has a Tire Iron that two Enhancers improve, and better Slippers without any."""
    (scenario,) = load(TAPED.encode(), "enhancers")
    state, _ = begin(Cast(CATALOG, scenario), b"seed")
    return state


def test_it_knows_what_an_item_is_worth_with_what_is_attached() -> None:
    state = taped_state()
    seen = view(CATALOG, state, 0)
    assert seen.you is not None
    obs = Reading(seen, seen.you, values_of(CATALOG))
    iron = state.seats[0].table[0].card
    assert (obs.strength(iron, 0), obs.gold(iron, 0)) == (7, 800)
    assert obs.equip_points(iron, 0) > obs.equip_points(state.seats[0].table[1].card, 0)


def test_it_gives_up_the_plain_item_and_keeps_the_enhanced_one() -> None:
    state = taped_state()
    (meteor,) = state.seats[1].hand
    assert isinstance(submit(CATALOG, state, 1, Play(meteor, seat=0)), list)
    lost = Brain(CATALOG, "normal", random.Random(1), values_of(CATALOG)).decide(Observation(view(CATALOG, state, 0)))
    assert isinstance(lost, Answer)
    assert [CATALOG.cards[defn_of(card)].name for card in lost.picks] == ["Steel-Toed Slippers"]
