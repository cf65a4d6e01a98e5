"""Danger comes last and asks once more; payment lists say where each card lies."""

import pytest

from core.state import actions as a
from core.state.actions import Legal, Pick
from core.view import View, WindowView, You
from tests.tui import samples
from tests.tui.app_pilot import table
from tui.menus.choices import root
from tui.menus.entries import Picker
from tui.menus.menu_state import MenuState, danger_in


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
        digit = pilot.screen.now.keys[curse]
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
    assert danger_in(first, root(first).entries[0]) == "You could lay out 2 more cards: be ready all the same?"
    own = samples.your_turn()
    worn = own.seats[samples.ME].table[0].card
    own.you.legal = [Legal(a.Discard(worn))]
    scene = samples.scene(own)
    gear = root(scene).entries[0].go
    assert danger_in(scene, gear.entries[0]) == "Discard Elf, which is in use?"


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
        assert sure.title == "Part with what you use: Pickle Spear?"
        assert menus.choose(scene, sure.entries[0]) == a.Use(card, 0, pay=(worn,))
