"""The adviser's memory: the offers that the seat has made and declined, derived from the events it has seen."""

from collections.abc import Sequence

from core.state import events as ev
from core.state.actions import Action, Offer
from core.state.model import Bargain, State
from netcode.bots.player import Observation, Player
from netcode.simulation.game import SimulatedGame
from tests.tui import samples
from tui.lessons.adviser import Adviser
from tui.lessons.remembered import remembered

FIGHT = samples.own_combat().fight
ME = samples.ME


def help_for(number: int, frm: int, to: int, treasures: int, fight: int, at: int = 1) -> ev.Offered:
    helper = to if frm == ME else frm
    return ev.Offered(Bargain(number, frm, to, "help", helper, treasures, False, [], [], [], fight, at))


def test_offers_of_this_fight_are_remembered_and_those_of_others_are_not() -> None:
    view = samples.own_combat()
    view.offers = []
    happened = [help_for(1, ME, 2, 3, FIGHT.no - 1), help_for(2, ME, 2, 1, FIGHT.no), help_for(3, ME, 2, 2, FIGHT.no)]
    memory = remembered(view, ME, happened)
    assert (memory.offered, memory.offers_made) == ({2: 2}, 2)
    memory.start_decision(view.turn_no, FIGHT.no)
    assert memory.offered, "it is the memory of this fight"


def test_who_was_declined_is_not_asked_for_that_again() -> None:
    view = samples.own_combat()
    view.offers = []
    happened: list[ev.AnyEvent] = [
        help_for(1, 2, ME, 3, FIGHT.no), ev.OfferClosed(1, "declined", ME), help_for(2, 3, ME, 3, FIGHT.no),
        ev.OfferClosed(2, "lapsed", -1),
    ]  # fmt: skip
    assert remembered(view, ME, happened).refusing == {2}


def test_what_was_undone_has_not_happened() -> None:
    view = samples.own_combat()
    view.offers = []
    happened: list[ev.AnyEvent] = [
        help_for(1, ME, 2, 1, FIGHT.no, at=7), help_for(2, ME, 3, 1, FIGHT.no, at=9),
        ev.SteppedBack(ME, ME, "offer", 8),
    ]  # fmt: skip
    assert remembered(view, ME, happened).offered == {2: 1}


def test_the_same_trade_is_offered_once() -> None:
    trade = ev.Offered(Bargain(4, ME, 2, "trade", -1, 0, False, [70], [80], [], 0))
    assert remembered(samples.your_turn(), ME, [trade]).traded == {(70, 80)}


class Follower(Player):
    """Follows the hints."""

    wants_events = True

    def __init__(self, remembers: bool) -> None:
        self.adviser, self.happened, self.remembers = Adviser(samples.catalog()), list[ev.AnyEvent](), remembers

    def observe(self, events: Sequence[ev.AnyEvent]) -> None:
        self.happened += events if self.remembers else ()

    def decide(self, observation: Observation, budget: int) -> Action | None:
        return self.adviser.advice(observation.view, None, self.happened).action


def repeated(remembers: bool, seed: int, most: int = 2500) -> int:
    """Return how many offers a player who follows the hints repeats in the same fight or turn."""
    offers: list[tuple[object, ...]] = []

    def watch(state: State, seat: int, action: object, events: list[ev.AnyEvent]) -> None:
        if seat == 0 and isinstance(action, Offer):
            offers.append((state.turn.no, state.fight.no if state.fight else -1, action.to, action.terms))

    game = SimulatedGame(samples.catalog(), ["normal"] * 3, seed, watch=watch)
    game.players[0], game.untold[0] = Follower(remembers), list(game.opening)
    while not game.state.winners and len(offers) < 200 and game.decisions < most and game.step():
        pass
    assert offers
    return len(offers) - len(set(offers))


def test_who_follows_hints_makes_no_offer_twice() -> None:
    assert repeated(remembers=False, seed=1) > 0
    assert repeated(remembers=True, seed=1) == 0
