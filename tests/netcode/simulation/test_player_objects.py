"""Nothing that a seat may not know can be reached from the object of its player."""

import random
from itertools import combinations

import pytest

from core.knowledge.seen import Seen
from core.state.model import State
from core.state.veiled import Veiled
from core.view import view
from netcode.bots import tuning
from netcode.bots.card_values import CardValues
from netcode.bots.character import PLAIN
from netcode.simulation.game import SimulatedGame
from tests.blends import BLENDS, catalog_of
from tests.core.knowledge.veils import reachable
from tests.thorough import TURN

STEPS, EVERY = 300, 15


@pytest.mark.long(0, turns=2)
@pytest.mark.parametrize("levels", [("normal", "hard", "normal/gilda", "easy"), ("hard", "random", "hard", "normal")])
@pytest.mark.parametrize("sets", BLENDS, ids="+".join)
def test_nothing_that_a_player_keeps_leads_to_what_is_hidden(sets: tuple[str, ...], levels: tuple[str, ...]) -> None:
    catalog = catalog_of(sets)
    values = CardValues(catalog)
    game = SimulatedGame(catalog, levels, 5 + TURN, values=values, budget=4)
    for step in range(STEPS):
        if game.state.winners or not game.step():
            break
        if step % EVERY:
            continue
        for seat, player in enumerate(game.players):
            shown = {thing for thing in reachable(view(catalog, game.state, seat), catalog) if type(thing) is int}
            others = [one.hand for no, one in enumerate(game.state.seats) if no != seat]
            hidden = {card for hand in others for card in hand} - shown
            for thing in reachable(player, catalog, values):
                known = type(thing) is not int or thing not in hidden
                assert known, f"{thing}, in the hand of another, can be reached from {levels[seat]}"
                assert thing is not game.state, f"the game can be reached from {levels[seat]}"
                assert not (isinstance(thing, bytes) and game.state.seed in thing), f"{levels[seat]} knows the seed"
    assert game.decisions > STEPS / 2


def is_private(thing: object) -> bool:
    """Return whether only one player may have this object, unless all of a process share it."""
    return type(thing).__module__.startswith("netcode.") or isinstance(thing, State | Veiled | Seen | random.Random)


@pytest.mark.long(0)
def test_players_share_the_catalog_the_worth_of_cards_and_what_views_show_to_all() -> None:
    catalog = catalog_of(BLENDS[-1])
    values = CardValues(catalog)
    roots = (catalog, values, PLAIN, *vars(tuning).values())
    common: dict[int, object] = {}
    """What all players of a process share, by `id()`, as found so far. The objects stay alive here, so no id is used
    twice."""
    game = SimulatedGame(catalog, ("hard", "hard", "normal/gilda", "normal"), 5 + TURN, values=values, budget=4)
    for step in range(STEPS):
        if game.state.winners or not game.step():
            break
        if step % (3 * EVERY if TURN else EVERY):
            continue
        known = [{id(thing): thing for thing in reachable(player, catalog, values)} for player in game.players]
        for one, other in combinations(known, 2):
            both = {found: one[found] for found in one.keys() & other.keys() if is_private(one[found])}
            if both.keys() - common.keys():
                common = {id(thing): thing for root in roots for thing in reachable(root)}
            assert both.keys() <= common.keys(), f"two players share {[both[at] for at in both.keys() - common.keys()]}"
