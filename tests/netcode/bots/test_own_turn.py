"""Bots play their own turns sensibly: each test shows one decision that a player would notice, on a view built by
hand."""

import pytest

from core.state.actions import (
    Answer,
    EndTurn,
    Equip,
    Kick,
    Legal,
    Loot,
    Pick,
    Play,
    Sell,
    Trouble,
    Unequip,
)
from core.state.model import Placed, defn_of
from netcode.bots.levels import TABLE_LEVELS
from netcode.bots.player import Observation
from tests.netcode.bots.bot_views import CATALOG, ViewBuilder, ask, brain, decided


@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_it_equips_the_better_item(level: str) -> None:
    table = ViewBuilder()
    worn, better = table.has(0, "Cardboard Mail"), table.has(0, "Plot Armor", up=False)
    first = decided(table.see(Unequip(worn), Kick(), asks=[ask("kick", lo=0, hi=0)]), level)
    assert first == Unequip(worn), "the poorer Item is turned sideways first"
    table.tables[0][0] = Placed(worn, up=False)
    assert decided(table.see(Equip(worn), Equip(better), Kick(), asks=[ask("kick")]), level) == Equip(better)


def test_it_does_not_swap_equal_items() -> None:
    table = ViewBuilder()
    worn, equal = table.has(0, "Cardboard Mail"), table.has(0, "Cardboard Mail", up=False)
    view = table.see(Unequip(worn), Equip(equal), Kick(), asks=[ask("kick")])
    assert decided(view) == Kick(), "equal Items are no reason to change"


def test_it_does_not_equip_the_same_item_again_in_a_turn() -> None:
    table = ViewBuilder()
    table.has(0, "Reforged Sword")
    second = table.has(0, "Reforged Sword", up=False)
    bot, view = brain(), table.see(Equip(second), Kick(), asks=[ask("kick")])
    acts = [bot.decide(Observation(view)) for _ in range(3)]
    assert acts == [Equip(second), Kick(), Kick()], "however often it can be equipped"


def test_it_does_not_play_an_item_that_it_cannot_equip() -> None:
    table = ViewBuilder()
    hammer = table.holds("Hammer of Finger Nailing")
    assert decided(table.see(Play(hammer), Kick(), asks=[ask("kick")])) == Kick()


def test_it_plays_an_identity_before_the_item_that_requires_it() -> None:
    table = ViewBuilder()
    dwarf, hammer = table.holds("Dwarf"), table.holds("Hammer of Finger Nailing")
    bot = brain()
    assert bot.decide(Observation(table.see(Play(hammer), Play(dwarf), Kick(), asks=[ask("kick")]))) == Play(dwarf)
    table.hand.remove(dwarf)
    table.has(0, "Dwarf")
    assert bot.decide(Observation(table.see(Play(hammer), Kick(), asks=[ask("kick")]))) == Play(hammer)


def test_it_plays_a_level_card_on_itself() -> None:
    table = ViewBuilder()
    card = table.holds("Find a Typo in the Rulse")
    rows = [Play(card, seat=seat) for seat in (1, 0, 2)]
    assert decided(table.see(*rows, Kick(), asks=[ask("kick")])) == Play(card, seat=0)


def test_it_plays_no_card_of_which_nothing_would_come() -> None:
    table = ViewBuilder()
    card = table.holds("Find a Typo in the Rulse")
    view = table.see(Legal(Play(card, seat=0), vain=True), Kick(), asks=[ask("kick")])
    assert decided(view) == Kick()


def test_it_sells_useless_items_for_a_level_and_no_more_than_needed() -> None:
    table = ViewBuilder()
    names = ("Robe of Many Footnotes", "Turning Keys", "Meat Shield", "Somebody's Front Door")
    useless = [table.has(0, name, up=False) for name in names]
    spear = table.has(0, "Pickle Spear")
    worth = tuple(CATALOG.cards[defn_of(card)].card.value or 0 for card in (*useless, spear))
    pick = Pick("cards", (*useless, spear), 1, 5, 1000, worth)
    act = decided(table.see(Legal(Sell(()), pick), Kick(), asks=[ask("kick")]))
    assert isinstance(act, Sell)
    assert spear not in act.cards, "the weapon in use is kept"
    gold = sum(CATALOG.cards[defn_of(card)].card.value or 0 for card in act.cards)
    assert 1000 <= gold < 1400, f"{gold} Gold Pieces for one level"


def test_it_keeps_gear_that_is_worth_more_than_a_level() -> None:
    table = ViewBuilder()
    gear = [table.has(0, name) for name in ("Pickle Spear", "Plot Armor")]
    pick = Pick("cards", tuple(gear), 1, 2, 1000, (600, 600))
    assert decided(table.see(Legal(Sell(()), pick), Kick(), asks=[ask("kick")])) == Kick()


@pytest.mark.parametrize("strength, bold", [(3, False), (9, True)])
def test_it_looks_for_trouble_only_where_it_wins_alone(strength: int, bold: bool) -> None:
    table = ViewBuilder(phase="trouble", strengths=[strength, 3, 3, 3])
    troll = table.holds("Toll-Bridge Troll")
    act = decided(table.see(Trouble(troll), Loot(), asks=[ask("trouble")]))
    assert act == (Trouble(troll) if bold else Loot())


def test_it_curses_the_leader_before_charity_would_take_the_curse() -> None:
    table = ViewBuilder(levels=(3, 7, 3, 2), phase="end")
    curse = table.holds("Two Trapdoors")
    for name in ("Greater", "Wandering Monster", "Glampire", "Bearbug", "Life Partner"):
        table.holds(name)
    rows = [Play(curse, seat=seat) for seat in range(4)]
    assert decided(table.see(*rows, EndTurn(), asks=[ask("end")])) == Play(curse, seat=1)


def test_it_does_not_curse_a_rival_who_has_nothing_to_lose_by_it() -> None:
    table = ViewBuilder(levels=(3, 7, 6, 2), phase="end")
    curse = table.holds("Lost Sole")
    table.has(2, "Wombat Boots")
    for name in ("Greater", "Wandering Monster", "Glampire", "Bearbug", "Life Partner"):
        table.holds(name)
    rows = [Play(curse, seat=seat) for seat in range(4)]
    assert decided(table.see(*rows, EndTurn(), asks=[ask("end")])) == Play(curse, seat=2)
    table.tables[2].clear()
    assert decided(table.see(*rows, EndTurn(), asks=[ask("end")])) == EndTurn()


@pytest.mark.parametrize(("monster", "pays"), [("Rust Mobster", True), ("Eavesdropper", False)])
def test_it_pays_for_a_failed_roll_with_the_least_useful_cards_if_being_caught_costs_more(
    monster: str, pays: bool
) -> None:
    table = ViewBuilder()
    table.fights(0, monster, heroes=3, foes=8, stage="lost")
    useful = [table.has(0, name) for name in ("Half-Breed", "Super Munchkin", "Hireling")]
    least = [table.holds(name) for name in ("Cardsharp Imp", "Squeaky Shoes", "Practice Rat")]
    options = (*useful, *least)
    view = table.see(Legal(Answer(1), Pick("picks", options, 0, 3)), asks=[ask("pay roll", *options, lo=0, hi=3)])
    assert decided(view) == Answer(1, tuple(least) if pays else ())


def test_it_ends_its_turn_when_nothing_is_left_to_do() -> None:
    table = ViewBuilder(phase="end")
    curse = table.holds("Two Trapdoors")
    view = table.see(*[Play(curse, seat=seat) for seat in range(4)], EndTurn(), asks=[ask("end")])
    assert decided(view) == EndTurn(), "a curse stays in a hand that charity does not touch"
