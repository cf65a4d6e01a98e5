"""Bots fight, help and interrupt sensibly: each test shows one decision that a player would notice, on a view built by
hand."""

import msgspec
import pytest

from core.state.actions import (
    Accept,
    Action,
    Claim,
    Counter,
    Decline,
    Equip,
    Flee,
    Hold,
    Legal,
    Offer,
    Pick,
    Play,
    Roll,
    Terms,
    Use,
)
from core.state.model import Bargain
from netcode.bots.levels import LEVEL_NAMES, TABLE_LEVELS
from netcode.bots.player import Observation
from tests.netcode.bots.bot_views import ViewBuilder, ask, brain, decided


def help_offer(frm: int, to: int, treasures: int, helper: int) -> Bargain:
    """Return an offer (number 4) of this many Treasures for help in the fight."""
    return Bargain(4, frm, to, "help", helper, treasures, False, [], [], [], 1)


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
    table = ViewBuilder(levels=(8, 3, 3, 3), strengths=[8, 12, 12, 12])
    table.fights(0, "Practice Rat", heroes=8, foes=14)
    bot = brain(level)
    offers = [Offer(seat, Terms("help", helper=seat)) for seat in (1, 2, 3)]
    act = bot.decide(Observation(table.see(*offers, Flee(), asks=[ask("fight")])))
    assert isinstance(act, Offer) and act.terms.treasures == 1, "all it may give"
    assert bot.decide(Observation(table.see(*offers, Flee(), asks=[ask("fight")]))) == Flee()


@pytest.mark.parametrize("level", ("normal", "hard"))
def test_it_asks_nobody_for_help_at_match_point(level: str) -> None:
    """Whoever helped would lose the game."""
    table = ViewBuilder(levels=(9, 3, 3, 3), strengths=[9, 12, 12, 12])
    table.fights(0, "Glampire", heroes=9, foes=14, match_point=True)
    offers = [Offer(seat, Terms("help", helper=seat)) for seat in (1, 2, 3)]
    assert decided(table.see(*offers, Flee(), asks=[ask("fight")]), level) == Flee()


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
    """The bot first names its own price, once. Then it accepts help for all Treasures of the fight, unless the helper
    would win the game by that."""
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
