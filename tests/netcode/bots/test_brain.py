"""Bots play sensibly: each test is one thing a player at the table would see them do, on a view made by hand."""

import pytest

from core.state.actions import (
    Accept,
    Answer,
    Claim,
    Counter,
    Decline,
    EndTurn,
    Equip,
    Flee,
    Kick,
    Legal,
    Loot,
    Offer,
    Pass,
    Pick,
    Play,
    Roll,
    Sell,
    Terms,
    Trouble,
    Unequip,
    Use,
)
from core.state.model import Bargain, Placed
from netcode.bots.brain import Brain
from netcode.bots.levels import LEVEL_NAMES, TABLE_LEVELS
from tests.netcode.bots.bot_views import CATALOG, NUMBERS, ViewBuilder, ask, brain, decided


def help_offer(frm: int, to: int, treasures: int, helper: int) -> Bargain:
    return Bargain(4, frm, to, "help", helper, treasures, False, [], [], [], 1)


# ------------------------------------------------------------------------------------------------------ own affairs
@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_it_puts_on_the_better_item(level: str) -> None:
    table = ViewBuilder()
    worn, better = table.has(0, "Cardboard Mail"), table.has(0, "Plot Armor", up=False)
    first = decided(table.see(Unequip(worn), Kick(), asks=[ask("kick", lo=0, hi=0)]), level)
    assert first == Unequip(worn), "the poorer Item is turned sideways first"
    table.tables[0][0] = Placed(worn, up=False)
    assert decided(table.see(Equip(worn), Equip(better), Kick(), asks=[ask("kick")]), level) == Equip(better)


def test_it_does_not_swap_back_and_forth() -> None:
    table = ViewBuilder()
    one, two = table.has(0, "Reforged Sword"), table.has(0, "Reforged Sword", up=False)
    bot = brain()
    for _ in range(5):
        act = bot.decide(table.see(Unequip(one), Equip(two), Kick(), asks=[ask("kick")]))
        assert act in (Kick(), Equip(two)), "equal Items are no reason to change"
        if act == Kick():
            break


def test_it_leaves_what_it_cannot_use() -> None:
    table = ViewBuilder()
    hammer = table.holds("Hammer of Finger Nailing")
    assert decided(table.see(Play(hammer), Kick(), asks=[ask("kick")])) == Kick()


def test_it_takes_up_a_class_and_its_gear() -> None:
    table = ViewBuilder()
    dwarf, hammer = table.holds("Dwarf"), table.holds("Hammer of Finger Nailing")
    bot = brain()
    assert bot.decide(table.see(Play(hammer), Play(dwarf), Kick(), asks=[ask("kick")])) == Play(dwarf)
    table.hand.remove(dwarf)
    table.has(0, "Dwarf")
    assert bot.decide(table.see(Play(hammer), Kick(), asks=[ask("kick")])) == Play(hammer)


def test_it_goes_up_a_level_by_card_and_keeps_it_from_others() -> None:
    table = ViewBuilder()
    card = table.holds("Find a Typo in the Rulse")
    rows = [Play(card, seat=seat) for seat in (1, 0, 2)]
    assert decided(table.see(*rows, Kick(), asks=[ask("kick")])) == Play(card, seat=0)


def test_it_sells_useless_items_for_a_level_and_no_more_of_them_than_needed() -> None:
    table = ViewBuilder()
    names = ("Robe of Many Footnotes", "Turning Keys", "Meat Shield", "Somebody's Front Door")
    useless = [table.has(0, name, up=False) for name in names]
    spear = table.has(0, "Pickle Spear")
    worth = tuple(CATALOG.cards[card & 4095].card.value or 0 for card in (*useless, spear))
    pick = Pick("cards", (*useless, spear), 1, 5, 1000, worth)
    act = decided(table.see(Legal(Sell(()), pick), Kick(), asks=[ask("kick")]))
    assert isinstance(act, Sell)
    assert spear not in act.cards, "the weapon in use is kept"
    gold = sum(CATALOG.cards[card & 4095].card.value or 0 for card in act.cards)
    assert 1000 <= gold < 1400, f"{gold} Gold Pieces for one level"


def test_it_keeps_gear_that_is_worth_more_than_a_level() -> None:
    table = ViewBuilder()
    gear = [table.has(0, name) for name in ("Pickle Spear", "Plot Armor")]
    pick = Pick("cards", tuple(gear), 1, 2, 1000, (600, 600))
    assert decided(table.see(Legal(Sell(()), pick), Kick(), asks=[ask("kick")])) == Kick()


@pytest.mark.parametrize("strength, bold", [(3, False), (9, True)])
def test_it_looks_for_trouble_only_where_it_wins_alone(strength: int, bold: bool) -> None:
    table = ViewBuilder(phase="trouble", strengths=[strength, 3, 3, 3])
    troll = table.holds("Door-to-Door Troll")
    act = decided(table.see(Trouble(troll), Loot(), asks=[ask("trouble")]))
    assert act == (Trouble(troll) if bold else Loot())


def test_it_curses_the_leader_rather_than_giving_the_curse_away() -> None:
    table = ViewBuilder(levels=(3, 7, 3, 2), phase="end")
    curse = table.holds("New Edition")
    for name in ("Greater", "Wandering Monster", "Glampire", "Bearbug", "Life Partner"):
        table.holds(name)
    rows = [Play(curse, seat=seat) for seat in range(4)]
    assert decided(table.see(*rows, EndTurn(), asks=[ask("end")])) == Play(curse, seat=1)


def test_it_does_not_waste_a_curse_on_somebody_without_what_it_takes() -> None:
    table = ViewBuilder(levels=(3, 7, 6, 2), phase="end")
    curse = table.holds("Lost Sole")
    table.has(2, "Wombat Boots")
    for name in ("Greater", "Wandering Monster", "Glampire", "Bearbug", "Life Partner"):
        table.holds(name)
    rows = [Play(curse, seat=seat) for seat in range(4)]
    assert decided(table.see(*rows, EndTurn(), asks=[ask("end")])) == Play(curse, seat=2)
    table.tables[2].clear()
    assert decided(table.see(*rows, EndTurn(), asks=[ask("end")])) == EndTurn()


def test_it_pays_with_cards_it_does_not_need_rather_than_with_what_makes_it_strong() -> None:
    table = ViewBuilder()
    fight = table.fights(0, "Rust Mobster", heroes=3, foes=8, stage="lost")
    doubles = [table.has(0, name) for name in ("Half-Breed", "Super Munchkin", "Hireling")]
    junk = [table.holds(name) for name in ("Practice Rat", "Squeaky Shoes", "Intern Imp")]
    question = ask("pay roll", *doubles, *junk, lo=0, hi=3)
    act = decided(table.see(Legal(Answer(1), Pick("picks", (*doubles, *junk), 0, 3)), asks=[question]))
    assert isinstance(act, Answer) and set(act.picks) in (set(junk), set()) and fight.stage == "lost"


def test_it_ends_its_turn_when_nothing_is_left_to_do() -> None:
    assert decided(ViewBuilder(phase="end").see(EndTurn(), asks=[ask("end")])) == EndTurn()


# ----------------------------------------------------------------------------------------------------------- combat
@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_it_claims_a_won_fight(level: str) -> None:
    table = ViewBuilder()
    table.fights(0, "Practice Rat", heroes=3, foes=1)
    assert decided(table.see(Claim(), asks=[ask("fight")]), level) == Claim()


def test_it_wins_with_the_cheapest_one_shot_that_suffices() -> None:
    table = ViewBuilder()
    table.fights(0, "Bearbug", heroes=6, foes=8)
    table.fight.help_allowed = False
    big, small = table.holds("Deus Ex Vending Machine"), table.holds("Fistful of Angry Dice")
    rows = [Play(card, side=side) for card in (big, small) for side in ("heroes", "monsters")]
    assert decided(table.see(*rows, Flee(), asks=[ask("fight")])) == Play(small, side="heroes")


def test_it_does_not_waste_one_shots_that_do_not_suffice() -> None:
    table = ViewBuilder()
    table.fights(0, "Glampire", heroes=3, foes=14, help_allowed=False)
    coffee = table.holds("Lukewarm Coffee of the Third Watch")
    assert decided(table.see(Play(coffee, side="heroes"), Flee(), asks=[ask("fight")])) == Flee()


def test_a_cleric_burns_the_worst_cards_against_undead() -> None:
    table = ViewBuilder()
    cleric = table.has(0, "Cleric")
    table.fights(0, "Glampire", heroes=8, foes=14, help_allowed=False)
    hand = [table.holds(name) for name in ("Practice Rat", "Lawn Gnome", "Intern Imp", "Deus Ex Vending Machine")]
    row = Legal(Use(cleric), Pick("pay", tuple(hand), 1, 3))
    act = decided(table.see(row, Flee(), asks=[ask("fight")]))
    assert isinstance(act, Use)
    assert len(act.pay) == 3 and hand[3] not in act.pay


def test_it_asks_the_one_who_can_turn_the_fight_and_not_for_nothing() -> None:
    table = ViewBuilder(strengths=[3, 4, 9, 5])
    table.fights(0, "Glampire", heroes=6, foes=14)
    offers = [Offer(seat, Terms("help", helper=seat)) for seat in (1, 2, 3)]
    act = decided(table.see(*offers, Flee(), asks=[ask("fight")]))
    assert isinstance(act, Offer)
    assert act.to == 2 and act.terms.kind == "help" and 1 <= act.terms.treasures <= 3


def test_it_asks_first_who_would_do_it_for_the_least() -> None:
    """Seats 1 and 3 could both turn the fight; to 3, far behind, what the fighter gains by it counts for more."""
    table = ViewBuilder(levels=(5, 7, 3, 1), strengths=[5, 12, 3, 12])
    table.fights(0, "Glampire", heroes=6, foes=14)
    bot = brain()
    offers = [Offer(seat, Terms("help", helper=seat)) for seat in (1, 2, 3)]
    first = bot.decide(table.see(*offers, Flee(), asks=[ask("fight")]))
    assert isinstance(first, Offer) and (first.to, first.terms.treasures) == (1, 2)


@pytest.mark.parametrize("level", ("normal", "hard"))
def test_it_asks_one_and_no_more_where_nobody_should_help(level: str) -> None:
    table = ViewBuilder(levels=(9, 3, 3, 3), strengths=[9, 12, 12, 12])
    table.fights(0, "Glampire", heroes=9, foes=14, match_point=True)
    bot = brain(level)
    offers = [Offer(seat, Terms("help", helper=seat)) for seat in (1, 2, 3)]
    act = bot.decide(table.see(*offers, Flee(), asks=[ask("fight")]))
    assert isinstance(act, Offer) and act.terms.treasures == 4, "all it may give"
    assert bot.decide(table.see(*offers, Flee(), asks=[ask("fight")])) == Flee()


def test_it_goes_on_when_nobody_answers() -> None:
    table = ViewBuilder(strengths=[3, 3, 9, 3])
    table.fights(0, "Glampire", heroes=6, foes=14)
    bot = brain()
    view = table.see(Offer(2, Terms("help", helper=2)), Flee(), asks=[ask("fight")])
    assert isinstance(bot.decide(view), Offer)
    table.offers = [help_offer(0, 2, 2, 2)]
    acts: list[object] = []
    while len(acts) < 200 and (not acts or acts[-1] != Flee()):
        acts.append(bot.decide(table.see(Offer(2, Terms("help", helper=2)), Flee(), asks=[ask("fight")])))
        assert bot.waiting == (acts[-1] is None)
    assert acts[-1] == Flee(), "in the end it runs"
    assert sum(isinstance(act, Offer) for act in acts) <= 3, "it does not repeat itself for ever"
    hurried, later = brain(), table.see(Flee(), asks=[ask("fight")])
    hurried.decide(view)
    assert hurried.decide(later) is None and hurried.decide(later, hurry=True) == Flee(), "at once if it is hurried"


def test_it_takes_a_fair_price_and_bargains_about_a_high_one() -> None:
    table = ViewBuilder(strengths=[3, 9, 3, 3])
    table.fights(0, "Glampire", heroes=6, foes=14)
    bot = brain()
    table.offers = [help_offer(1, 0, 2, 1)]
    rows = (Accept(4), Decline(4), Flee(), Offer(1, Terms("help", helper=1, treasures=2)))
    assert bot.decide(table.see(*rows, asks=[ask("fight")])) == Accept(4)
    table.offers = [help_offer(1, 0, 4, 1)]
    act = brain().decide(table.see(*rows, asks=[ask("fight")]))
    assert isinstance(act, Counter) and act.terms.treasures < 4


def test_it_helps_for_a_fair_share_and_asks_for_more_otherwise() -> None:
    table = ViewBuilder(strengths=[9, 3, 3, 3])
    table.fights(1, "Glampire", heroes=8, foes=14)
    rows = (Accept(4), Decline(4), Offer(1, Terms("help", helper=0)))
    table.offers = [help_offer(1, 0, 3, 0)]
    assert decided(table.see(*rows)) == Accept(4)
    table.offers = [help_offer(1, 0, 1, 0)]
    act = decided(table.see(*rows))
    assert isinstance(act, Counter) and act.terms.treasures > 1 and act.terms.helper == 0


def test_it_answers_a_call_to_the_whole_table_by_naming_its_price_once() -> None:
    table = ViewBuilder(strengths=[9, 3, 3, 3])
    table.fights(1, "Glampire", heroes=8, foes=14)
    table.offers = [help_offer(1, -1, 1, -1)]
    bot, view = brain(), table.see(Accept(4), Offer(1, Terms("help", helper=0)))
    act = bot.decide(view)
    assert isinstance(act, Offer) and act.to == 1
    assert act.terms.kind == "help" and act.terms.helper == 0 and act.terms.treasures > 1
    assert not isinstance(bot.decide(view), Offer), "it has said so"
    table.offers = [help_offer(1, -1, 3, -1)]
    assert decided(table.see(Accept(4), Offer(1, Terms("help", helper=0)))) == Accept(4)


@pytest.mark.parametrize("level", ("normal", "hard"))
def test_it_helps_nobody_to_the_winning_level(level: str) -> None:
    table = ViewBuilder(levels=(3, 9, 3, 3), strengths=[9, 9, 3, 3])
    table.fights(1, "Glampire", heroes=10, foes=14, match_point=True)
    table.offers = [help_offer(1, 0, 4, 0)]
    rows = (Accept(4), Decline(4), Offer(1, Terms("help", helper=0)))
    assert decided(table.see(*rows), level) == Decline(4)


@pytest.mark.parametrize("level", ("normal", "hard"))
def test_it_guards_match_point_with_all_it_takes(level: str) -> None:
    table = ViewBuilder(levels=(3, 9, 3, 3))
    fight = table.fights(1, "Bearbug", heroes=15, foes=8)
    assert fight.match_point
    monster = fight.monsters[0].id
    glitter, greater = table.holds("Prismatic Glitter"), table.holds("Greater")
    no = table.opens("claim", 1)
    rows = [Play(glitter, side="heroes"), Play(glitter, side="monsters"), Play(greater, target=monster), no]
    assert decided(table.see(*rows), level) == Play(greater, target=monster)


def test_it_curses_the_sword_out_of_the_winners_hand() -> None:
    table = ViewBuilder(levels=(3, 9, 3, 3))
    table.has(1, "Plot Armor")
    table.fights(1, "Bearbug", heroes=10, foes=8)
    curse = table.holds("Lose Your Armor")
    no = table.opens("claim", 1)
    assert decided(table.see(*[Play(curse, seat=seat) for seat in range(4)], no)) == Play(curse, seat=1)


@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_it_lets_small_fights_of_the_last_pass(level: str) -> None:
    table = ViewBuilder(levels=(5, 1, 5, 5))
    monster = table.fights(1, "Practice Rat", heroes=3, foes=1).monsters[0].id
    greater = table.holds("Greater")
    no = table.opens("claim", 1)
    assert decided(table.see(Play(greater, target=monster), no), level) == no


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_it_passes_where_nothing_else_can_be_done(level: str) -> None:
    table = ViewBuilder(levels=(3, 9, 3, 3))
    table.fights(1, "Bearbug", heroes=15, foes=8)
    no = table.opens("claim", 1)
    assert decided(table.see(no), level) == no


@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_it_runs_from_the_deadly_one_first(level: str) -> None:
    table = ViewBuilder()
    fight = table.fights(0, "Practice Rat", "Twenty-Sided Dragon", heroes=3, foes=21, stage="lost")
    rows = [Roll(monster.id) for monster in fight.monsters]
    view = table.see(*rows, asks=[ask("roll", *(monster.id for monster in fight.monsters))])
    assert decided(view, level) == rows[1]


# ------------------------------------------------------------------------------------------ what hard does differently
def test_hard_offers_its_help_unasked_and_once() -> None:
    table = ViewBuilder(strengths=[9, 3, 3, 3])
    table.fights(1, "Glampire", heroes=8, foes=14)
    rows = [Offer(1, Terms("help", helper=0, treasures=number)) for number in range(5)]
    bot = brain("hard")
    act = bot.decide(table.see(*rows))
    assert isinstance(act, Offer) and act.to == 1 and act.terms.helper == 0 and act.terms.treasures >= 1
    assert bot.decide(table.see(*rows)) is None, "an offer is made once"
    assert decided(table.see(*rows), "normal") is None


def test_hard_looks_for_the_winning_fight_with_one_shots_in_reserve() -> None:
    table = ViewBuilder(levels=(9, 3, 3, 3), phase="trouble", strengths=[9, 3, 3, 3])
    auditor = table.holds("Banshee Choir")
    table.holds("Deus Ex Vending Machine")
    view = table.see(Trouble(auditor), Loot(), asks=[ask("trouble")])
    assert decided(view, "hard") == Trouble(auditor)
    assert decided(view, "normal") == Loot()


def test_hard_makes_an_easy_prey_richer_before_it_claims_it() -> None:
    table = ViewBuilder(hands=(5, 0, 0, 0))
    monster = table.fights(0, "Practice Rat", heroes=30, foes=1).monsters[0].id
    greater = table.holds("Greater")
    view = table.see(Play(greater, target=monster), Claim(), asks=[ask("fight")])
    assert decided(view, "hard") == Play(greater, target=monster)
    assert decided(view, "normal") == Claim()


# ---------------------------------------------------------------------------------------------------------- choices
@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_it_parts_with_the_least_useful_card(level: str) -> None:
    table = ViewBuilder()
    dwarf, spear = table.has(0, "Dwarf"), table.has(0, "Pickle Spear")
    mail = table.has(0, "Cardboard Mail", up=False)
    question = ask("lose", dwarf, spear, mail, card=NUMBERS["Excess Baggage"])
    assert decided(table.see(Legal(Answer(1), Pick("picks", (dwarf, spear, mail), 1, 1)), asks=[question]), level) == (
        Answer(1, (mail,))
    )


def test_it_takes_the_best_of_the_treasure() -> None:
    table = ViewBuilder()
    rat, sword = table.card("Lukewarm Coffee of the Third Watch"), table.card("Pickle Spear")
    row = Legal(Answer(1), Pick("picks", (rat, sword), 1, 1))
    assert decided(table.see(row, asks=[ask("share", rat, sword)])) == Answer(1, (sword,))


def test_it_aims_at_the_leader() -> None:
    table = ViewBuilder(levels=(3, 4, 8, 2))
    row = Legal(Answer(1), Pick("picks", (1, 2, 3), 1, 1))
    question = ask("seat", 1, 2, 3, card=NUMBERS["Fire Safety Inspection"])
    assert decided(table.see(row, asks=[question])) == Answer(1, (2,))


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_picks_stay_within_their_limits(level: str) -> None:
    table = ViewBuilder()
    hand = tuple(table.holds(name) for name in ("Greater", "Glampire", "Bearbug", "Elf", "Thief", "Orc"))
    for lo, hi in ((1, 1), (2, 2), (0, 3), (3, 6)):
        row = Legal(Answer(1), Pick("picks", hand, lo, hi))
        act = decided(table.see(row, asks=[ask("charity", *hand, lo=lo, hi=hi)]), level)
        assert isinstance(act, Answer)
        assert lo <= len(act.picks) <= hi and len(set(act.picks)) == len(act.picks) and set(act.picks) <= set(hand)


# ------------------------------------------------------------------------------------------------------------- form
def test_a_view_without_rows_asks_for_nothing() -> None:
    table = ViewBuilder()
    for level in LEVEL_NAMES:
        assert decided(table.see(), level) is None


def test_an_unknown_level_is_refused_in_words() -> None:
    import random

    with pytest.raises(ValueError, match="unknown level"):
        Brain(CATALOG, "genius", random.Random(1))  # type: ignore[arg-type]


def test_the_same_seed_decides_the_same() -> None:
    table = ViewBuilder()
    hand = [table.holds(name) for name in ("Greater", "Glampire", "Bearbug", "Elf")]
    view = table.see(*[Play(card) for card in hand], Pass(3))
    assert [brain("random", 5).decide(view) for _ in range(3)] == [brain("random", 5).decide(view) for _ in range(3)]
