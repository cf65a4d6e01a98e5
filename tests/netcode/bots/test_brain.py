"""Bots play sensibly: each test shows one decision that a player would notice, on a view built by hand."""

import random

import msgspec
import pytest

from core.language import schema as v
from core.state.actions import (
    Accept,
    Action,
    Answer,
    Claim,
    Counter,
    Decline,
    EndTurn,
    Equip,
    Flee,
    Hold,
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
from core.state.model import Bargain, Placed, deck_card, defn_of
from netcode.bots.brain import Brain
from netcode.bots.effect_values import read
from netcode.bots.levels import LEVEL_NAMES, TABLE_LEVELS
from netcode.bots.player import Observation
from netcode.bots.reading import Reading
from tests.netcode.bots.bot_views import CATALOG, NUMBERS, VALUES, ViewBuilder, ask, brain, decided


def help_offer(frm: int, to: int, treasures: int, helper: int) -> Bargain:
    """Return an offer (number 4) of this many Treasures for help in the fight."""
    return Bargain(4, frm, to, "help", helper, treasures, False, [], [], [], 1)


# ------------------------------------------------------------------------------------------------------ its own turn
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


# ----------------------------------------------------------------------------------------------------------- combat
@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_it_claims_a_won_fight(level: str) -> None:
    table = ViewBuilder()
    table.fights(0, "Practice Rat", heroes=3, foes=1)
    coffee = table.holds("Lukewarm Coffee of the Third Watch")
    rows = (Play(coffee, side="heroes"), Play(coffee, side="monsters"), Claim(), Flee())
    assert decided(table.see(*rows, asks=[ask("fight")]), level) == Claim()


def test_it_wins_with_the_cheapest_one_shot_that_suffices() -> None:
    table = ViewBuilder()
    table.fights(0, "Bearbug", heroes=6, foes=8, help_allowed=False)
    big, small = table.holds("Deus Ex Pulley"), table.holds("Fistful of Angry Dice")
    rows = [Play(card, side=side) for card in (big, small) for side in ("heroes", "monsters")]
    assert decided(table.see(*rows, Flee(), asks=[ask("fight")])) == Play(small, side="heroes")


def test_it_keeps_one_shots_that_would_not_win_the_fight() -> None:
    table = ViewBuilder()
    table.fights(0, "Glampire", heroes=3, foes=14, help_allowed=False)
    coffee = table.holds("Lukewarm Coffee of the Third Watch")
    assert decided(table.see(Play(coffee, side="heroes"), Flee(), asks=[ask("fight")])) == Flee()


def test_a_cleric_burns_the_worst_cards_against_undead() -> None:
    table = ViewBuilder()
    cleric = table.has(0, "Cleric")
    table.fights(0, "Glampire", heroes=8, foes=14, help_allowed=False)
    hand = [table.holds(name) for name in ("Practice Rat", "Lawn Gnome", "Cardsharp Imp", "Deus Ex Pulley")]
    row = Legal(Use(cleric), Pick("pay", tuple(hand), 1, 3))
    act = decided(table.see(row, Flee(), asks=[ask("fight")]))
    assert isinstance(act, Use)
    assert len(act.pay) == 3 and hand[3] not in act.pay


def test_it_offers_treasures_to_the_seat_that_can_win_the_fight_with_it() -> None:
    table = ViewBuilder(strengths=[3, 4, 9, 5])
    table.fights(0, "Glampire", heroes=6, foes=14)
    offers = [Offer(seat, Terms("help", helper=seat)) for seat in (1, 2, 3)]
    act = decided(table.see(*offers, Flee(), asks=[ask("fight")]))
    assert isinstance(act, Offer)
    assert act.to == 2 and act.terms.kind == "help" and 1 <= act.terms.treasures <= 3


def test_it_first_asks_the_seat_that_would_help_for_the_least() -> None:
    """Seats 1 and 3 could both win the fight with the bot. Seat 3 is far behind, so the fighter's gain counts more for
    it."""
    table = ViewBuilder(levels=(5, 7, 3, 1), strengths=[5, 12, 3, 12])
    table.fights(0, "Glampire", heroes=6, foes=14)
    bot = brain()
    offers = [Offer(seat, Terms("help", helper=seat)) for seat in (1, 2, 3)]
    first = bot.decide(Observation(table.see(*offers, Flee(), asks=[ask("fight")])))
    assert isinstance(first, Offer) and (first.to, first.terms.treasures) == (1, 2)


@pytest.mark.parametrize("level", ("normal", "hard"))
def test_it_asks_one_seat_only_if_nobody_should_help(level: str) -> None:
    table = ViewBuilder(levels=(9, 3, 3, 3), strengths=[9, 12, 12, 12])
    table.fights(0, "Glampire", heroes=9, foes=14, match_point=True)
    bot = brain(level)
    offers = [Offer(seat, Terms("help", helper=seat)) for seat in (1, 2, 3)]
    act = bot.decide(Observation(table.see(*offers, Flee(), asks=[ask("fight")])))
    assert isinstance(act, Offer) and act.terms.treasures == 4, "all it may give"
    assert bot.decide(Observation(table.see(*offers, Flee(), asks=[ask("fight")]))) == Flee()


def test_it_stops_waiting_if_nobody_answers() -> None:
    table = ViewBuilder(strengths=[3, 3, 9, 3])
    table.fights(0, "Glampire", heroes=6, foes=14)
    bot = brain()
    view = table.see(Offer(2, Terms("help", helper=2)), Flee(), asks=[ask("fight")])
    assert isinstance(bot.decide(Observation(view)), Offer)
    table.offers = [help_offer(0, 2, 2, 2)]
    acts: list[object] = []
    while len(acts) < 200 and (not acts or acts[-1] != Flee()):
        acts.append(bot.decide(Observation(table.see(Offer(2, Terms("help", helper=2)), Flee(), asks=[ask("fight")]))))
        assert bot.waiting == (acts[-1] is None)
    assert acts[-1] == Flee(), "in the end it flees"
    assert sum(isinstance(act, Offer) for act in acts) <= 3, "it does not repeat its offers"
    hurried, later = brain(), table.see(Flee(), asks=[ask("fight")])
    hurried.decide(Observation(view))
    assert hurried.decide(Observation(later)) is None
    assert hurried.decide(Observation(later, hurry=True)) == Flee(), "at once if hurried"


def test_it_accepts_a_fair_price_and_counters_a_high_one() -> None:
    table = ViewBuilder(strengths=[3, 9, 3, 3])
    table.fights(0, "Glampire", heroes=6, foes=14)
    bot = brain()
    table.offers = [help_offer(1, 0, 2, 1)]
    rows = (Accept(4), Decline(4), Flee(), Offer(1, Terms("help", helper=1, treasures=2)))
    assert bot.decide(Observation(table.see(*rows, asks=[ask("fight")]))) == Accept(4)
    table.offers = [help_offer(1, 0, 4, 1)]
    act = brain().decide(Observation(table.see(*rows, asks=[ask("fight")])))
    assert isinstance(act, Counter) and act.terms.treasures < 4


def test_it_pays_a_high_price_rather_than_lose_but_not_the_game() -> None:
    """It names its own price first, once; then the fight is won for all its Treasures, unless that wins the game for
    the helper."""
    for helper_levels, answer in (((3, 3, 3, 3), Accept(4)), ((3, 9, 3, 3), Decline(4))):
        table = ViewBuilder(levels=helper_levels, strengths=[3, 9, 3, 3])
        table.has(1, "Elf")  # an Elf goes up a Level for each monster that it helps to kill
        fight = table.fights(0, "Glampire", heroes=6, foes=14)
        table.offers = [help_offer(1, 0, fight.monsters[0].treasures, 1)]
        rows = (Accept(4), Decline(4), Flee(), Offer(1, Terms("help", helper=1, treasures=2)))
        bot, view = brain(), table.see(*rows, asks=[ask("fight")])
        assert isinstance(bot.decide(Observation(view)), Counter)
        assert bot.decide(Observation(view)) == answer, helper_levels


def test_it_helps_for_a_fair_share_and_counters_a_small_one() -> None:
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
    act = bot.decide(Observation(view))
    assert isinstance(act, Offer) and act.to == 1
    assert act.terms.kind == "help" and act.terms.helper == 0 and act.terms.treasures > 1
    assert not isinstance(bot.decide(Observation(view)), Offer), "an offer is made once"
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
def test_it_stops_a_rival_from_winning_the_game(level: str) -> None:
    table = ViewBuilder(levels=(3, 9, 3, 3))
    fight = table.fights(1, "Bearbug", heroes=15, foes=8)
    assert fight.match_point
    monster = fight.monsters[0].id
    glitter, greater = table.holds("Prismatic Glitter"), table.holds("Greater")
    no = table.opens("claim", 1)
    rows: list[Action] = [
        Play(glitter, side="heroes"),
        Play(glitter, side="monsters"),
        Play(greater, target=monster),
        no,
    ]
    assert decided(table.see(*rows), level) == Play(greater, target=monster)


def held_match_point(holder: int) -> tuple[ViewBuilder, list[Action]]:
    """Return a table at which seat 1 is about to win unless the bot plays the first of its rows. holder: the seat that
    holds the window."""
    table = ViewBuilder(levels=(3, 9, 3, 3))
    monster = table.fights(1, "Bearbug", heroes=15, foes=8).monsters[0].id
    rows: list[Action] = [Play(table.holds("Greater"), target=monster), table.opens("claim", 1)]
    assert table.window is not None
    table.window.holder = holder
    return table, rows


@pytest.mark.parametrize("level", ("normal", "hard"))
def test_it_leaves_a_winner_to_whoever_holds_the_window(level: str) -> None:
    """The bot loses nothing by waiting: such a window has no clock, and it is still open when the hold is over."""
    held, rows = held_match_point(2)
    assert decided(held.see(*rows), level) is None, "it does not pass either"
    for holder in (-1, 0):
        table, rows = held_match_point(holder)
        assert decided(table.see(*rows), level) == rows[0]


def test_it_does_not_leave_what_has_a_clock_to_whoever_holds_the_window() -> None:
    held, rows = held_match_point(2)
    assert held.fight is not None
    held.fight = msgspec.structs.replace(held.fight, match_point=False, levels=3, treasures=5)
    assert decided(held.see(*rows)) is not None


@pytest.mark.parametrize("level", ("normal", "hard"))
def test_a_fighter_lets_its_own_winning_fight_stand(level: str) -> None:
    table = ViewBuilder(levels=(9, 3, 3, 3))
    fight = table.fights(0, "Bearbug", heroes=15, foes=8)
    assert fight.match_point
    glitter, greater = table.holds("Prismatic Glitter"), table.holds("Greater")
    no = table.opens("claim", 0)
    rows: list[Action] = [
        Play(glitter, side="heroes"), Play(glitter, side="monsters"), Play(greater, target=fight.monsters[0].id),
    ]  # fmt: skip
    assert decided(table.see(*rows, no), level) == no
    assert decided(table.see(*rows), level) is None


def test_it_curses_away_the_item_that_would_win_the_game() -> None:
    table = ViewBuilder(levels=(3, 9, 3, 3))
    table.has(1, "Plot Armor")
    table.fights(1, "Bearbug", heroes=10, foes=8)
    curse = table.holds("Lose Your Armor")
    no = table.opens("claim", 1)
    assert decided(table.see(*[Play(curse, seat=seat) for seat in range(4)], no)) == Play(curse, seat=1)


@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_it_spends_nothing_on_a_small_fight_of_the_last_player(level: str) -> None:
    table = ViewBuilder(levels=(5, 1, 5, 5))
    monster = table.fights(1, "Practice Rat", heroes=3, foes=1).monsters[0].id
    greater = table.holds("Greater")
    no = table.opens("claim", 1)
    assert decided(table.see(Play(greater, target=monster), no), level) == no


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_it_passes_if_nothing_else_is_legal(level: str) -> None:
    table = ViewBuilder(levels=(3, 9, 3, 3))
    table.fights(1, "Bearbug", heroes=15, foes=8)
    no = table.opens("claim", 1)
    assert decided(table.see(no), level) == no


@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_it_passes_if_all_that_is_legal_can_wait(level: str) -> None:
    table = ViewBuilder(levels=(3, 9, 3, 3))
    table.fights(1, "Bearbug", heroes=15, foes=8)
    better = table.has(0, "Plot Armor", up=False)
    no = table.opens("claim", 1)
    assert decided(table.see(Equip(better), no, Hold(window=9)), level) == no


@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_it_first_runs_from_the_deadly_monster(level: str) -> None:
    table = ViewBuilder()
    fight = table.fights(0, "Practice Rat", "Twenty-Sided Dragon", heroes=3, foes=21, stage="lost")
    question = ask("roll", *(monster.id for monster in fight.monsters))
    rat, dragon = [Roll(monster.id) for monster in fight.monsters]
    assert decided(table.see(rat, dragon, asks=[question]), level) == dragon
    assert decided(table.see(dragon, rat, asks=[question]), level) == dragon


# ---------------------------------------------------------------------------------------------------------- choices
@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_it_loses_the_least_useful_card(level: str) -> None:
    table = ViewBuilder()
    dwarf, spear = table.has(0, "Dwarf"), table.has(0, "Pickle Spear")
    mail = table.has(0, "Cardboard Mail", up=False)
    question = ask("lose", dwarf, spear, mail, card=NUMBERS["Creaking Bridge"])
    assert decided(table.see(Legal(Answer(1), Pick("picks", (dwarf, spear, mail), 1, 1)), asks=[question]), level) == (
        Answer(1, (mail,))
    )


def test_it_takes_the_best_treasure() -> None:
    table = ViewBuilder()
    rat, sword = table.card("Lukewarm Coffee of the Third Watch"), table.card("Pickle Spear")
    row = Legal(Answer(1), Pick("picks", (rat, sword), 1, 1))
    assert decided(table.see(row, asks=[ask("share", rat, sword)])) == Answer(1, (sword,))


@pytest.mark.parametrize("kind", ["under", "throw away"])
def test_it_moves_harmful_cards_away_from_its_own_next_draw(kind: str) -> None:
    table = ViewBuilder(levels=(2, 3, 3, 3))
    fish, mean, elf = (deck_card(at, NUMBERS[name]) for at, name in enumerate(("Practice Rat", "Glampire", "Elf")))
    most = 3 if kind == "under" else 1
    row = Legal(Answer(1), Pick("picks", (fish, mean, elf), 0, most))
    view = table.see(row, asks=[ask(kind, fish, mean, elf, lo=0, hi=most)])
    assert decided(view) == Answer(1, (mean,))


def test_it_passes_hands_if_its_neighbour_has_more_cards() -> None:
    table = ViewBuilder(hands=(1, 2, 2, 7))
    effects = read((v.PassHands(),))
    table.holds("Elf")
    view = table.see()
    assert view.you is not None
    assert Reading(view, view.you, VALUES).passing_points(effects) > 10.0
    assert Reading(view, view.you, VALUES).passing_points(read((v.PassHands(to="right"),))) < 4.0


def test_it_chooses_the_leader_as_victim() -> None:
    table = ViewBuilder(levels=(3, 4, 8, 2))
    row = Legal(Answer(1), Pick("picks", (1, 2, 3), 1, 1))
    question = ask("seat", 1, 2, 3, card=NUMBERS["Narrow Passage"])
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


# ------------------------------------------------------------------------------------------------------------ other
def test_it_does_nothing_if_nothing_is_legal() -> None:
    table = ViewBuilder()
    for level in LEVEL_NAMES:
        assert decided(table.see(), level) is None


def test_an_unknown_level_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=f"unknown level 'genius': choose from {', '.join(LEVEL_NAMES)}"):
        Brain(CATALOG, "genius", random.Random(1))


def test_the_same_seed_decides_the_same_and_another_differs() -> None:
    table = ViewBuilder()
    hand = [table.holds(name) for name in ("Greater", "Glampire", "Bearbug", "Elf")]
    view = table.see(*[Play(card) for card in hand], Pass(3))

    def decisions(seed: int) -> list[Action | None]:
        bot = brain("random", seed)
        return [bot.decide(Observation(view)) for _ in range(8)]

    assert decisions(5) == decisions(5) != decisions(6)
