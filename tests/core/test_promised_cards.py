"""Only the two seats of a bargain know the hand cards that are promised in it, also after the bargain is made."""

from core.scenario.cast import Cast, lay_out
from core.scenario.runner import load
from core.scenario.steps import ScenarioGame
from core.state.events import AnyEvent, HelperCame, Offered, seen_by
from core.state.model import defn_of
from core.view import view
from tests.core import invariants
from tests.scenarios import catalog_for

BARGAIN = """
[[scenario]]
name = "Roger helps for a card that Kim will play on him"
doors = ["Glampire"]
steps = [
  { by = "Kim", do = "kick" }, { pass = "all" },
  { by = "Kim", do = "offer", to = "Roger", cards = ["Find a Typo in the Rulse"] }, { by = "Roger", do = "accept" },
]
[scenario.seats.Kim]
level = 3
hand = ["Find a Typo in the Rulse"]
[scenario.seats.Roger]
level = 4
[scenario.seats.Ross]
"""
KIM, ROGER, ROSS = range(3)


def test_only_the_two_seats_of_a_bargain_know_the_promised_hand_cards() -> None:
    (scenario,) = load(BARGAIN.encode(), "example")
    catalog = catalog_for(("munchkins-and-mazes",))
    cast = Cast(catalog, scenario)
    game = ScenarioGame(cast, lay_out(cast))
    told: list[AnyEvent] = []
    for step in scenario.steps:
        assert game.do(step) is None
        told += game.events
    names = {card: catalog.cards[defn_of(card)].name for card in game.state.seats[KIM].hand}
    (card,) = (card for card, name in names.items() if name.startswith("Find a Typo"))
    events = [event for event in told if isinstance(event, Offered | HelperCame)]
    assert [type(event) for event in events] == [Offered, HelperCame]
    for event in events:
        for seat, cards in ((KIM, ([card], 0)), (ROGER, ([card], 0)), (ROSS, ([], 1)), (-1, ([], 1))):
            seen = seen_by(event, seat)
            assert isinstance(seen, Offered | HelperCame) and seen.bargain is not None
            assert (seen.bargain.cards, seen.cards) == cards
    for seat, named in ((KIM, [card]), (ROGER, [card]), (ROSS, []), (-1, [])):
        fight = view(catalog, game.state, seat).fight
        assert fight is not None and fight.bargain is not None and fight.bargain.cards == named
        invariants.hides_hands(game.state, view(catalog, game.state, seat), seat)
