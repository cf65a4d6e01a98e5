"""Trades and gifts: a bot offers trades that both sides gain by, and accepts those that pay."""

from collections.abc import Iterator
from typing import Any

import pytest

from core.state.actions import Accept, Action, Counter, Decline, EndTurn, Flee, Kick, Legal, Offer, Pick, Terms
from core.state.model import Bargain
from netcode.bots.player import Observation
from netcode.bots.reading import Reading
from netcode.bots.trading import OFFERED, Trading
from netcode.bots.trials import GameStanding
from netcode.simulation.game import SimulatedGame
from tests.blends import BLENDS, catalog_of, values_of
from tests.netcode.bots.bot_views import ViewBuilder, ask, brain, decided

NAME = "Robe of Many Footnotes"
"""An Item for Wizards only."""


def wizards_robe() -> tuple[ViewBuilder, int, int]:
    """Return a view and two Items: the bot, a Warrior, carries a robe for Wizards; seat 1, a Wizard, carries a
    Warrior's Item."""
    table = ViewBuilder()
    table.has(0, "Warrior")
    table.has(1, "Wizard")
    return table, table.has(0, NAME, up=False), table.has(1, "Full Bucket Helm", up=False)


def row(to: int, wants: int, *gives: int) -> Legal:
    """Return the legal row of a trade with a seat."""
    return Legal(Offer(to, Terms("trade", wants=(wants,))), Pick("gives", gives, 1, len(gives)))


def trade(frm: int, gives: list[int], wants: list[int]) -> Bargain:
    """Return an offer (number 4) to seat 0."""
    return Bargain(4, frm, 0, "trade" if wants else "gift", -1, 0, False, gives, wants, [], -1)


def test_it_offers_an_item_that_it_cannot_use_for_one_that_its_owner_cannot_use() -> None:
    table, robe, helm = wizards_robe()
    bot = brain()
    rows = (Kick(), row(1, helm, robe))
    first = bot.decide(Observation(table.see(*rows, asks=[ask("kick")])))
    assert first == Offer(1, Terms("trade", gives=(robe,), wants=(helm,)))
    table.offers = [Bargain(4, 0, 1, "trade", -1, 0, False, [robe], [helm], [], -1)]
    waiting = bot.decide(Observation(table.see(*rows, asks=[ask("kick")])))
    assert waiting is None and bot.waiting, "it waits for the answer"
    assert bot.decide(Observation(table.see(*rows, asks=[ask("kick")]), hurry=True)) == Kick()
    table.offers = []
    assert bot.decide(Observation(table.see(*rows, asks=[ask("kick")]))) == Kick(), "it does not ask twice"


def test_it_offers_nothing_by_which_only_one_side_gains() -> None:
    table, robe, _ = wizards_robe()
    table.tables[1].pop()
    sword = table.has(1, "Threehander")
    assert decided(table.see(Kick(), row(1, sword, robe), asks=[ask("kick")])) == Kick(), "a sword in use"
    table, robe, helm = wizards_robe()
    table.tables[1].clear()
    helm = table.has(1, "Full Bucket Helm", up=False)
    assert decided(table.see(Kick(), row(1, helm, robe), asks=[ask("kick")])) == Kick(), "nobody can use the robe"


def test_it_offers_no_trade_that_lifts_a_rival_near_victory_more_than_itself() -> None:
    table, robe, helm = wizards_robe()
    table.levels = (1, 9, 1, 1)
    table.has(0, "Full Bucket Helm")
    assert decided(table.see(Kick(), row(1, helm, robe), asks=[ask("kick")])) == Kick()


def test_it_accepts_a_fair_trade_and_a_gift_and_declines_what_costs_more() -> None:
    table, robe, helm = wizards_robe()
    table.offers = [trade(1, [helm], [robe])]
    assert decided(table.see(Accept(4), Decline(4))) == Accept(4)
    table.offers = [trade(1, [helm], [])]
    assert decided(table.see(Accept(4), Decline(4))) == Accept(4)
    own = table.has(0, "Plot Armor")
    table.offers = [trade(1, [table.has(1, NAME, up=False)], [own])]
    assert decided(table.see(Accept(4), Decline(4))) == Decline(4), "it wears the armor and cannot use the robe"


def test_of_two_items_wanted_it_offers_the_one_that_it_needs_less() -> None:
    table, robe, helm = wizards_robe()
    own = table.has(0, "Plot Armor")
    table.offers = [trade(1, [helm], [robe, own])]
    answer = decided(table.see(Accept(4), Decline(4), row(1, helm, robe, own), EndTurn()))
    assert answer == Counter(4, Terms("trade", gives=(robe,), wants=(helm,)))


def test_it_promises_an_idle_item_to_whoever_wants_more_than_treasures(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Action] = []

    def allowed(reading: Reading, action: Action) -> GameStanding | None:
        asked.append(action)
        return GameStanding(True, True, 0, False, False, 0, (), 0) if barred is False else None

    monkeypatch.setattr(Reading, "after", allowed)
    for barred in (False, True):
        table, robe, _ = wizards_robe()
        table.levels, table.strengths = (7, 7, 1, 1), [7, 9, 1, 1]
        table.fights(0, "Bearbug", heroes=7, foes=12, treasures=1)
        bot, acts = brain(), []
        for _ in range(4):
            view = table.see(Offer(1, Terms("help", helper=1)), Flee(), asks=[ask("fight")])
            acts.append(bot.decide(Observation(view, None, hurry=True)))
        promised = Offer(1, Terms("help", helper=1, treasures=1, gives=(robe,)))
        assert promised in asked and acts.count(promised) == (0 if barred else 1), acts
        assert acts[-1] == Flee()


@pytest.mark.long(0)
def test_what_is_left_out_at_once_would_not_have_been_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trade also costs a side the gain of its rival, so each side must gain more than OFFERED at least."""
    gainful, found, left_out = Trading._gainful, list[object](), list[bool]()

    def compared(trading: Trading, *about: Any) -> Iterator[Any]:
        offers = list(gainful(trading, *about))
        with monkeypatch.context() as patched:
            patched.setattr(Trading, "_least_gains", lambda *_: (OFFERED, OFFERED))
            assert offers == list(gainful(trading, *about))
        found.extend(offers)
        left_out.append(trading._least_gains(about[0]) > (OFFERED, OFFERED))
        return iter(offers)

    monkeypatch.setattr(Trading, "_gainful", compared)
    for sets in BLENDS:
        catalog = catalog_of(sets)
        values = values_of(catalog)
        for seed in range(6):
            SimulatedGame(catalog, ["normal"] * 4, seed, values=values).play(80)
    assert found and any(left_out)
