"""The reasons of hints: true in the fight that is shown, and in whole sentences."""

from typing import Any

from core.state import actions as a
from core.state.actions import Action, Legal
from core.state.forecasts import Forecast
from core.state.model import Ask, Bargain
from core.state.views import View, You
from tests.tui import samples
from tui.lessons.adviser import Advice, Then
from tui.menus.hint import deed, hint_words
from tui.menus.hint_reasons import why
from tui.scene.scene import Scene

ME, BO = samples.ME, samples.BO
SPECIAL = "Tricorne of Three Opinions"
"""An Item that counts more for a Class."""


def with_forecast(view: View, action: Action, **forecast: Any) -> Scene:
    """Return a scene in which this action is legal and has this outcome."""
    assert view.you is not None
    view.you.legal = [Legal(action)]
    return samples.scene(view, forecasts=(Forecast([0], **forecast),))


def test_a_one_shot_that_ends_the_fight_says_so() -> None:
    view = samples.own_combat()
    item = samples.held("Pickle Spear")
    scene = with_forecast(view, a.Play(item), fate="over")
    assert why(scene, a.Play(item)) .startswith("It ends the fight with ")


def test_an_item_that_would_only_be_carried_adds_nothing() -> None:
    view = samples.one_item_in_hand("Pickle Spear")
    item = view.you.hand[0] if view.you else 0
    view.fight = None
    view.seats[ME].table = samples.placed("Pickle Spear", "Pickle Spear")
    words = why(samples.scene(view), a.Play(item))
    assert "carried, not equipped" in words and "to your strength" not in words


def test_what_the_text_of_an_item_may_add_is_not_left_out_of_its_bonus() -> None:
    """Formerly, the hint named only the printed bonus of an Item that counts more for a Class."""
    more = ", and what it says may change that."
    for name, said in (("Pickle Spear", "It adds +4 to your strength."), (SPECIAL, more)):
        view = samples.one_item_in_hand(name)
        view.fight = None
        item = view.you.hand[0] if view.you else 0
        assert why(samples.scene(view), a.Equip(item)).endswith(said)


def test_a_single_card_that_cannot_be_played_is_named() -> None:
    """Formerly, hints said "Your one card cannot be played now" and did not name it."""
    view = samples.one_item_in_hand("Pickle Spear")
    assert view.you is not None
    view.you.legal, view.fight = [], None
    assert why(samples.scene(view), a.EndTurn()) == "Pickle Spear cannot be played now."


def test_looking_for_trouble_tells_of_the_die_that_decides() -> None:
    view = samples.your_turn()
    monster = samples.held("Glampire")
    action = a.Trouble(monster)
    die = with_forecast(view, action, fate="chance", fighter=ME, sides=6, wins_on=(1, 2))
    assert "a die decides, you win on 2 or less (33 %); it pays" in why(die, action)
    luck = with_forecast(view, action, fate="chance")
    assert "luck decides too; it pays" in why(luck, action)


def test_a_card_against_a_winner_that_is_not_enough_says_that_more_can_follow() -> None:
    view = samples.interrupt()
    action = a.Play(view.you.hand[0] if view.you else 0, side="monsters")
    fight = view.fight
    assert fight is not None
    fight.match_point = fight.winning = True
    scene = with_forecast(view, action, fate="sums", fighter=BO, heroes=41, foes=27, wins=True, match_point=True)
    assert why(scene, action) == "Then it stands 41 to 27, and Bo still wins the game; more can follow."
    scene = with_forecast(view, action, fate="sums", fighter=BO, heroes=41, foes=47, match_point=True)
    assert why(scene, action) == "Then it stands 41 to 47, and Bo loses."


def passing(**forecast: Any) -> str:
    """Return the reason to pass in a fight with which Bo wins the game, if the reader's card has this outcome."""
    view = samples.interrupt()
    action = a.Play(view.you.hand[0] if view.you else 0, side="monsters")
    assert view.fight is not None and view.window is not None
    view.window.kind, view.fight.match_point, view.fight.winning = "claim", True, True
    return why(with_forecast(view, action, fighter=BO, **forecast), a.Pass(1)).partition(" ")[2]


def test_only_what_may_stop_a_winner_is_said_to() -> None:
    """Formerly, hints said that But It Has A Tummy Ache could stop a winner, although it makes a monster weaker (and
    rolls a die about the hands of the heroes)."""
    for stops in ({"fate": "sums", "heroes": 21, "foes": 27}, {"fate": "over"}):
        assert " could still stop Bo, but others may do it first." in passing(**stops)
    for luck in ({"fate": "chance", "sides": 6, "wins_on": (1, 2)}, {"fate": "choice"}):
        assert passing(**luck).endswith(" would do is not certain, and others may stop Bo first.")
    won = {"heroes": 27, "foes": 13, "wins": True, "match_point": True}
    for fails in ({"fate": "sums", **won}, {"fate": "chance", **won},
                  {"fate": "chance", "sides": 2, "wins_on": (1, 2), "match_point": True}):  # fmt: skip
        assert passing(**fails) == "of yours would keep Bo from winning."


def test_a_helper_is_not_told_the_level_of_the_fighter() -> None:
    view = samples.interrupt()
    view.offers = [Bargain(7, BO, ME, "help", ME, 2, False, [], [], [], 1)]
    view.fight.helper = -1
    scene = with_forecast(view, a.Accept(7), fate="sums", fighter=BO, helper=ME, heroes=19, foes=15, wins=True, level=8,
                          treasures=5)  # fmt: skip
    assert why(scene, a.Accept(7)) == "Then it stands 19 to 15 with you, and Bo wins."
    assert deed(scene, a.Accept(7)) == "help Bo for 2 Treasures (Bo picks first)"


def test_promised_treasures_are_no_gain_of_the_fighter() -> None:
    view = samples.own_combat()
    view.offers = []
    action = a.Offer(BO, a.Terms("help", BO, 3))
    scene = with_forecast(view, action, fate="sums", fighter=ME, helper=BO, heroes=19, foes=12, wins=True, level=9,
                          treasures=3)  # fmt: skip
    words = why(scene, action)
    assert words.startswith("If Bo agrees, it stands 19 to 12 with Bo, and you win") and "Treasure" not in words


def asked(kind: str, options: list[int]) -> Scene:
    view = samples.idle()
    view.you = You(ME, options, [], [Ask(5, ME, kind, options, 1, 2)], [])
    return samples.scene(view)


def test_answers_are_whole_sentences() -> None:
    one, other = samples.held("Pickle Spear"), samples.held("Helm of Selective Hearing")
    kept = why(asked("charity", [one, other]), a.Answer(5, (one,)))
    assert kept == "It does nothing for your strength now, and you keep Helm of Selective Hearing."
    both = why(asked("charity", [one, other]), a.Answer(5, (one, other)))
    assert both == "They do nothing for your strength now."
    assert deed(asked("shield", [0, one]), a.Answer(5, (one,))) == "use Pickle Spear to stop it"
    assert deed(asked("shield", [0, one]), a.Answer(5, (0,))) == "let it strike"
    assert deed(asked("throw again", [0, one]), a.Answer(5, (one,))) == "use Pickle Spear to roll again"


def test_words_of_the_menus_that_are_no_deeds_become_deeds() -> None:
    first = samples.scene(samples.first_cards())
    assert hint_words(first, Advice(a.Done())).startswith("A good player would begin the game. ")
    offered = samples.scene(samples.offered())
    assert deed(offered, a.Decline(8)) == "decline the offer of Cid"
    assert deed(offered, a.Accept(8)).startswith("accept the trade that Cid offers, ")


def test_who_waits_for_an_answer_is_told_so() -> None:
    view = samples.own_combat()
    view.offers = [Bargain(7, ME, BO, "help", BO, 2, False, [], [], [], 1)]
    assert why(samples.scene(view), None).startswith("Bo has not answered your offer yet. Ask again ")


def test_a_player_is_named_without_quotes_whatever_the_seat() -> None:
    view = samples.idle()
    view.you = You(ME, [], [], [Ask(5, ME, "seat", [0, 1], 1, 1)], [])
    scene = samples.scene(view, me=1)
    assert deed(scene, a.Answer(5, (0,))).startswith("choose Ada (Level")


def test_one_item_is_sold_in_the_singular() -> None:
    scene = samples.scene(samples.your_turn())
    one, other = samples.held("Pickle Spear"), samples.held("Helm of Selective Hearing")
    assert why(scene, a.Sell((one,))).startswith("It brings")
    assert why(scene, a.Sell((one, other))).startswith("Together they bring")
    fallen = why(scene, a.Sell((one,)), Then(scene.seat(scene.me).level + 1, -3))
    assert fallen.startswith("You go up to Level ") and fallen.endswith("and your strength falls by 3.")


def test_what_is_certain_by_the_rules_is_said_with_its_number() -> None:
    """Formerly, hints said "It costs nothing but the card" and "What it says counts from now on" of a Go Up a Level
    card."""
    scene = samples.scene(samples.your_turn())
    item, me = samples.held("Pickle Spear"), scene.seat(scene.me)
    assert why(scene, a.Play(item), Then(me.level + 1, 1)) == f"You go up to Level {me.level + 1}."
    words = why(scene, a.Play(item), Then(me.level, 4))
    assert words == f"It adds +4 to your strength, which is {me.strength + 4} then."


def test_a_level_that_somebody_else_pays_for_is_told_with_that() -> None:
    card, view = samples.held("Claim the Credit for Teamwork"), samples.your_turn()
    level = view.seats[ME].level + 1
    words = why(samples.scene(view), a.Play(card), Then(level, 0))
    assert words == f"You go up to Level {level}, and somebody loses 1 level."


def test_a_card_is_put_away_for_the_one_that_takes_its_place() -> None:
    """Formerly, hints said "It makes room for something better", but not for what."""
    scene = samples.scene(samples.your_turn())
    old, new = samples.held("Pickle Spear"), samples.held("Helm of Selective Hearing")
    assert why(scene, a.Unequip(old), None, a.Equip(new)) == "It makes room for Helm of Selective Hearing."


def test_cards_on_a_deck_that_one_has_looked_at_have_words_of_their_own() -> None:
    """Formerly, hints called them "needed least", like cards that one gives up."""
    one = samples.held("Pickle Spear")
    scene = asked("under", [one])
    under = why(scene, a.Answer(5, (one,)))
    assert under.startswith("Otherwise ") and "draw Pickle Spear next" in under
    assert why(scene, a.Answer(5, ())).endswith("draw next may be Pickle Spear.")


def test_what_somebody_else_loses_is_not_kept() -> None:
    theirs, other = samples.held("Pickle Spear"), samples.held("Helm of Selective Hearing")
    scene = asked("lose", [theirs, other])
    assert scene.you is not None
    scene.you.hand.clear()
    assert "You keep" not in why(scene, a.Answer(5, (theirs,)))


def test_a_question_about_players_is_answered_by_where_they_stand() -> None:
    """Formerly, 34 of 491 hints said only "Of these it serves you best"."""
    view = samples.idle()
    view.seats[BO].level = 9
    view.you = You(ME, [], [], [Ask(5, ME, "seat", [1, 2], 1, 1)], [])
    assert why(samples.scene(view), a.Answer(5, (BO,))) == "Bo is furthest ahead, at Level 9."


def test_whoever_runs_reads_what_being_caught_costs() -> None:
    view = samples.own_combat()
    assert view.fight is not None
    view.fight.winning = False
    words = why(samples.scene(view), a.Flee())
    assert "get away" in words and ("If you are caught: " in words or "monsters" in words or "kill you" in words)


def test_a_die_that_cannot_lose_is_no_chance() -> None:
    """Formerly, a hint said "Then a die decides: you win with any number"."""
    view = samples.own_combat()
    action = a.Play(samples.held("Pickle Spear"), side="heroes")
    scene = with_forecast(view, action, fate="chance", fighter=ME, sides=6, wins_on=(1, 2, 3, 4, 5, 6))
    assert why(scene, action) == "Whatever the die shows, you win."
    scene = with_forecast(view, action, fate="chance", fighter=ME, sides=6, wins_on=())
    assert why(scene, action) == "No number of the die wins it alone for you; more can follow."


def test_no_card_is_said_to_be_kept_that_the_end_of_the_turn_may_take() -> None:
    """Formerly, a hint said "You keep it for later" of a card that the next hint gave to charity."""
    scene = samples.scene(samples.your_turn())
    assert scene.you is not None
    scene.you.keeps = len(scene.you.hand) - 1
    words = why(scene, a.EndTurn())
    assert words.startswith("1 card ") and "keep" not in words
    scene.you.keeps = -1
    assert "1 card " not in why(scene, a.EndTurn())
