"""Dangerous choices come last and ask for confirmation; payment lists say where each card lies."""

from typing import Any

import pytest
from msgspec.structs import replace

from core.state import actions as a
from core.state.actions import Legal, Pick
from core.state.forecasts import Forecast
from core.state.model import Bargain
from core.state.views import Flight, View, WindowView, You
from tests.tui import samples, set_samples
from tests.tui.app_pilot import table
from tui.menus.choices import root
from tui.menus.danger import danger_of, left_undone
from tui.menus.entries import Picker
from tui.menus.menu_state import MenuState, danger_in
from tui.menus.offer_editor import Draft
from tui.menus.outlooks import of_entry
from tui.scene.scene import Scene


def at_match_point() -> View:
    """Return the moment at which Bo claims the kill that wins the game, and Ada could play something."""
    view = samples.interrupt()
    assert view.fight is not None
    view.fight.match_point, view.fight.winning = True, True
    view.window = WindowView(9, "claim", samples.BO, -1, False, 2)
    return view


async def test_letting_somebody_win_asks_once_more_and_space_never_confirms() -> None:
    async with table(at_match_point()) as pilot:
        assert "STOP BO?" in pilot.text() and "SPACE let Bo win the game" in pilot.text()
        await pilot.keys("space", "space", "space")
        assert pilot.client.acts == [] and "LET BO WIN THE GAME?" in pilot.text()
        await pilot.keys("escape")
        assert "STOP BO?" in pilot.text()
        await pilot.keys("space", "enter")
        assert pilot.client.acts == [a.Pass(9)]


async def test_a_pass_that_nothing_can_change_does_not_ask() -> None:
    view = at_match_point()
    view.you = You(samples.ME, view.you.hand, [], [], [Legal(a.Pass(9)), Legal(a.Hold(9))])
    async with table(view) as pilot:
        await pilot.keys("space")
        assert pilot.client.acts == [a.Pass(9)]


async def test_a_curse_on_oneself_is_the_last_choice_and_asks() -> None:
    view = samples.interrupt()
    curse = view.you.hand[1]
    async with table(view) as pilot:
        digit = pilot.model.now.keys[curse]
        await pilot.keys(digit, "6")
        assert "PLAY BAD HAT DAY ON YOURSELF?" in pilot.text() and pilot.client.acts == []
        await pilot.keys("escape", "1")
        assert pilot.client.acts == [a.Play(curse, seat=1, seen=40)]


def test_what_gives_something_up_asks_once_more() -> None:
    view = samples.own_combat()
    flee = root(samples.scene(view)).entries[-1]
    assert danger_in(samples.scene(view), flee) == ""
    view.fight.winning, view.fight.heroes = True, 20
    assert "give the fight up" in danger_in(samples.scene(view), root(samples.scene(view)).entries[-1])
    first = samples.scene(samples.first_cards())
    assert danger_in(first, root(first).entries[0]) == "There is something in your hand to play: be ready all the same?"
    own = samples.your_turn()
    worn = own.seats[samples.ME].table[0].card
    own.you.legal = [Legal(a.Discard(worn))]
    scene = samples.scene(own)
    assert danger_in(scene, root(scene).entries[0]) == "Discard Elf, which is in use?"


@pytest.mark.parametrize(("chosen", "asks"), [("hand", False), ("equipped", True)])
def test_paying_with_what_is_in_use_asks_and_the_list_says_where_each_card_lies(chosen: str, asks: bool) -> None:
    view = samples.your_turn()
    worn, held = samples.items_of(view.seats[samples.ME])[0], view.you.hand[5]
    card = samples.public("Wizard")
    view.you.legal = [Legal(a.Use(card, 0), Pick("pay", (worn, held), 1, 1))]
    scene, menus = samples.scene(view), MenuState()
    here, _ = menus.here(scene)
    menus.choose(scene, here.entries[0])
    picker, _ = menus.here(scene)
    assert isinstance(picker, Picker)
    assert [label.rpartition(", ")[2] for label in picker.labels] == ["equipped", "hand"]
    menus.toggle(picker, 0 if chosen == "equipped" else 1)
    made = menus.confirm(picker)
    assert (made is None) is asks
    if asks:
        sure, _ = menus.here(scene)
        assert sure.title == "Part with Pickle Spear, which is in use?"
        assert menus.choose(scene, sure.entries[0]) == a.Use(card, 0, pay=(worn,))


def asked_to_help() -> View:
    """Return Bo's fight for the game, for which Bo asks Ada to help, and offers a Treasure."""
    view = samples.interrupt()
    assert view.fight is not None and view.you is not None
    view.fight.match_point, view.fight.winning, view.fight.helper, view.fight.stage = True, False, -1, "fight"
    view.window = None
    view.offers = [Bargain(6, samples.BO, samples.ME, "help", samples.ME, 1, False, [], [], [], 5)]
    view.you.legal = [Legal(a.Accept(6)), Legal(a.Decline(6)), *view.you.legal]
    return view


def judged(view: View, **after: int | bool) -> Scene:
    """Return the scene with a forecast of the player's first option."""
    told: dict[str, Any] = {"heroes": 60, "foes": 57, "wins": True, "level": view.win_level}
    told |= {"treasures": 1, "match_point": True}
    return samples.scene(view, forecasts=(Forecast([0], "sums", 0, samples.BO, samples.ME, **(told | after)),))


def test_help_by_which_somebody_would_win_asks_once_more_and_comes_last() -> None:
    view = asked_to_help()
    for scene in (samples.scene(view), judged(view)):
        question = "Bo would win the game by it: do it all the same?"
        terms = a.Terms("help", samples.ME, 2)
        for action in (a.Accept(6), a.Counter(6, terms), a.Offer(samples.BO, terms)):
            if scene.forecasts and isinstance(action, a.Offer):
                continue
            assert danger_of(scene, action) == question, action
        deal = next(entry for entry in root(scene).entries if entry.key == "deal").go
        assert [entry.key for entry in deal.entries if entry.key.endswith(":6")][-1] == "accept:6"
    assert danger_of(judged(view, wins=False), a.Accept(6)) == "", "the help is too little"
    assert danger_of(judged(view, match_point=False, level=5), a.Accept(6)) == "", "the kill does not win the game"
    view.fight.winning = True
    assert danger_of(samples.scene(view), a.Accept(6)) == "", "Bo wins it without this too"


def test_any_act_that_turns_the_fight_for_the_game_asks() -> None:
    view = asked_to_help()
    play = a.Play(view.you.hand[0], side="heroes")
    view.you.legal.insert(0, Legal(play))
    assert danger_of(judged(view), play) == "Bo would win the game by it: do it all the same?"
    assert danger_of(samples.scene(view), play) == "", "the host has not said what would come of it"
    view.fight.seat = samples.ME
    own = samples.scene(view, forecasts=(Forecast([0], "sums", 0, samples.ME, -1, 60, 57, True, 10, 1, True),))
    assert danger_of(own, play) == "", "to win oneself is no danger"
    helped = samples.scene(view, forecasts=(Forecast([0], "sums", 0, samples.ME, 2, 60, 57, True, 5, 1, True),))
    assert danger_of(helped, play) == "Cid would win the game by it: do it all the same?"


async def test_accepting_at_match_point_is_asked_on_the_screen() -> None:
    async with table(asked_to_help()) as pilot:
        await pilot.keys("x")
        accept = next(one.key for one in pilot.model.keyed.choices if one.words.startswith("accept Bo"))
        await pilot.keys(accept)
        assert "BO WOULD WIN THE GAME BY IT" in pilot.text().upper() and pilot.client.acts == []
        await pilot.keys("space", "escape")
        assert pilot.client.acts == [] and "accept Bo" in pilot.text()
        await pilot.keys(accept, "enter")
        assert pilot.client.acts == [a.Accept(6)]


def test_a_kill_that_wins_the_game_for_the_helper_only_asks() -> None:
    view = samples.own_combat()
    fight = view.fight
    fight.winning, fight.heroes, fight.match_point, fight.helper = True, 20, True, 2
    fight.levels, fight.win_level, fight.helper_levels = 1, 4, 1
    view.seats[2].level = view.win_level - 1
    assert danger_of(samples.scene(view), a.Claim()) == "Let Cid win the game by your kill?"
    fight.win_level = view.win_level
    assert danger_of(samples.scene(view), a.Claim()) == "", "both win"


def test_giving_away_what_is_in_use_asks() -> None:
    view = samples.your_turn()
    scene, worn = samples.scene(view), samples.items_of(view.seats[samples.ME])[0]
    view.offers = [Bargain(7, 2, samples.ME, "trade", -1, 0, False, [], [worn], [], 5)]
    question = "Part with Pickle Spear, which is in use?"
    for action in (a.Accept(7), a.Give((worn,), 2), Draft("trade", 2, gives=(worn,), wants=(9,)).action()):
        assert danger_of(scene, action) == question, action


def test_the_card_that_may_open_the_last_seal_asks() -> None:
    box, view = set_samples.SITUATIONS["apo-idle"]()
    opener = next(card for card in view.you.hand if box.catalog.cards[card & 0xFFF].card.name.startswith("Disaster!"))
    scene = samples.Scene(box.catalog, samples.info(), view, samples.ME)
    assert danger_of(scene, a.Play(opener)) == ""
    view.seals, view.seals_open = 1, [view.seals_open[0]] * 6
    asked = danger_of(scene, a.Play(opener))
    assert "the last Seal, which ends the game" in asked and " would win: +" in asked and " from cards" in asked


def test_a_level_for_a_rival_that_the_player_could_take_asks() -> None:
    """Formerly, a wrong digit gave a rival the Level before the last."""
    view = samples.your_turn()
    assert view.you is not None
    card = samples.held("Find a Typo in the Rulse")
    view.you.hand.append(card)
    both = [Legal(a.Play(card, seat=samples.ME)), Legal(a.Play(card, seat=2))]
    view.you.legal = both
    asked = danger_of(samples.scene(view), a.Play(card, seat=2))
    assert asked == "You could gain this Level yourself. Let Cid have it all the same?"
    assert danger_of(samples.scene(view), a.Play(card, seat=samples.ME)) == ""
    view.you.legal = both[1:]
    assert danger_of(samples.scene(view), a.Play(card, seat=2)) == "", "it is for others only"


def test_giving_up_asks_if_whoever_is_caught_may_open_the_last_seal() -> None:
    """Formerly, a fighter gave up, the helper was caught and died, the last Seal opened, and somebody else won."""
    box, view = set_samples.SITUATIONS["apo-fight"]()
    scene = samples.Scene(box.catalog, samples.info(), view, samples.ME)
    assert view.fight is not None and danger_of(scene, a.Flee()) == ""
    view.seals, view.seals_open = 1, [view.seals_open[0]] * 6
    view.fight.winning = False
    deadly = next(defn for defn, one in enumerate(box.catalog.cards) if one.name == "Great Cthulhu")
    harmless = next(defn for defn, one in enumerate(box.catalog.cards) if one.name == "Puddle Shark")
    monster = view.fight.monsters[0]
    view.fight.monsters = [replace(monster, defn=deadly)]
    assert danger_of(scene, a.Flee()).startswith("Whoever is caught may open the last Seal")
    view.fight.flights = [Flight(samples.ME, monster.id, 1, 1), Flight(view.fight.seat, monster.id, 1, 1)]
    assert danger_of(scene, a.Flee()) == "", "nobody can be caught"
    view.fight.flights, view.fight.monsters = [], [replace(monster, defn=harmless)]
    assert danger_of(scene, a.Flee()) == "", "it takes an Item"


def test_ending_the_turn_never_asks_and_its_prompt_says_how_many_cards_go_and_what_is_left_to_do() -> None:
    view = samples.your_turn()
    assert view.you is not None
    hand, levels = view.you.hand, [seat.level for seat in view.seats]
    view.you.keeps, view.you.legal = len(hand) - 2, [Legal(a.EndTurn())]
    scene = samples.scene(view)
    end = next(entry for entry in root(scene).entries if entry.on == "table.end")
    lowest = scene.name(levels.index(min(levels)))
    assert of_entry(scene, end).words == (f"2 cards go to {lowest}", "2 cards go")
    assert danger_in(scene, end) == "" and left_undone(scene) == "", "nothing can be done about it"
    curse = next(card for card in hand if scene.card(card).kind == "curse")
    view.you.legal = [Legal(a.EndTurn()), Legal(a.Play(curse, seat=samples.BO))]
    scene = samples.scene(view)
    assert danger_of(scene, a.EndTurn()) == "" and left_undone(scene) == "You can play a card"
    view.you.keeps = len(hand)
    scene = samples.scene(view)
    assert of_entry(scene, end).words == () and left_undone(scene) == "", "a Curse can be played later"
