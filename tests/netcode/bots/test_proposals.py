"""Offers of help that a searching bot tries: the cheapest that should suffice, and higher prices for its own help."""

import random

from core.knowledge.imagine import imagine
from core.knowledge.seen import nothing_seen
from core.knowledge.veil import veil
from core.state.actions import Action, Counter, Flee, Offer, Terms
from core.state.model import Bargain
from core.state.views import View
from core.view import view
from netcode.bots.memory import Memory
from netcode.bots.player import Observation
from netcode.bots.proposals import proposals
from netcode.bots.search import Question, Search, Searcher, Verdict
from netcode.bots.tuning import TUNING
from netcode.simulation.game import SimulatedGame
from tests.netcode.bots.bot_views import CATALOG, VALUES, ViewBuilder, ask

NORMAL = TUNING.style["normal"]


def offers(*seats: int, most: int = 4) -> list[Offer]:
    return [Offer(seat, Terms("help", seat, count)) for seat in seats for count in range(most + 1)]


def tried(seen: View, memory: Memory | None = None) -> list[Action]:
    assert seen.you is not None
    return proposals(seen, seen.you, VALUES, NORMAL, memory or Memory())


def test_the_fighter_tries_the_cheapest_offer_to_each_seat_that_could_help() -> None:
    """Glampire has four Treasures. Seat 2 is too weak; seat 3 is far behind, so the fighter's gain counts more for
    it."""
    table = ViewBuilder(levels=(5, 7, 3, 1), strengths=[5, 12, 3, 12])
    table.fights(0, "Glampire", heroes=6, foes=14)
    found = tried(table.see(*offers(1, 2, 3), Flee(), asks=[ask("fight")]))
    assert [(offer.to, offer.terms.treasures) for offer in found if isinstance(offer, Offer)] == [(1, 2), (3, 3)]


def test_it_does_not_repeat_an_offer_and_makes_no_more_than_bots_make() -> None:
    table = ViewBuilder(levels=(5, 7, 3, 1), strengths=[5, 12, 3, 12])
    table.fights(0, "Glampire", heroes=6, foes=14)
    seen, memory = table.see(*offers(1, 2, 3), Flee(), asks=[ask("fight")]), Memory()
    memory.note_proposal(tried(seen)[0])
    again = tried(seen, memory)[0]
    assert isinstance(again, Offer) and (again.to, again.terms.treasures) == (1, 3)
    for _ in range(20):
        memory.note_proposal(again)
    assert tried(seen, memory) == []


def test_nobody_is_asked_in_a_fight_that_is_won_or_has_a_helper() -> None:
    table = ViewBuilder(strengths=[3, 12, 3, 3])
    for heroes, helper in ((15, -1), (6, 1)):
        table.fights(0, "Glampire", heroes=heroes, foes=14, helper=helper)
        assert tried(table.see(*offers(1), Flee(), asks=[ask("fight")])) == []


def test_a_helper_tries_to_get_more_than_it_is_offered() -> None:
    table = ViewBuilder(strengths=[12, 3, 3, 3])
    table.fights(1, "Glampire", heroes=6, foes=14)
    table.offers = [Bargain(4, 1, 0, "help", 0, 3, False, [], [], [], 1)]
    seen = table.see(Offer(1, Terms("help", 0)))
    assert tried(seen) == [Counter(4, Terms("help", 0, 4))], "the monster has four Treasures"


def test_an_offer_that_the_search_has_taken_is_remembered_and_waited_for() -> None:
    """Played in a real game: whenever there is an offer to try, the search takes it."""
    game = SimulatedGame(CATALOG, ["normal"] * 4, 3)
    for _ in range(2000):
        if game.state.winners or not game.step():
            break
        for seat in {one.seat for one in game.state.stack[-1].asks if one.kind == "fight"}:
            searcher = Searcher(CATALOG, random.Random(1), VALUES)
            veiled = veil(CATALOG, game.state, seat, nothing_seen(CATALOG, game.state, seat))
            seen = view(CATALOG, imagine(CATALOG, veiled, random.Random(1)), seat)
            _, question = searcher.consider(Observation(seen, veiled), 30)
            places = [no for no, way in enumerate(question.found) if no and isinstance(way, Offer)] if question else []
            if question is None or not places:
                continue
            taken = searcher.settle(question, Verdict(places[0]))
            assert isinstance(taken, Offer)
            memory = searcher.policy.memory
            assert memory.offered[taken.to] == taken.terms.treasures and memory.offers_made == 1
            again = searcher.consider(Observation(seen, veiled), 30)[1]
            assert again is None or taken not in again.found
            verdict = Search(CATALOG, VALUES).answer(Question(veiled, (None, taken), 1), 12)
            assert verdict.rollouts >= 4 and all(chance > 0 for chance in verdict.chances), "the offer is allowed"
            return
    raise AssertionError("no bot could ask for help")
