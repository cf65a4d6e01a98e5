"""Why a card of the hand cannot be played now, in the few words of its last row."""

from typing import Any

import pytest
from msgspec.structs import replace

from core.state import actions as a
from core.state.actions import Legal
from core.state.views import You
from tests.tui import samples, set_samples
from tui.scene.cells import UNICODE
from tui.scene.conditions import condition_words
from tui.scene.outlook import Outlook
from tui.scene.scene import Scene
from tui.scene.trial import trial_of
from tui.widgets.cards.playability import what_now

CELLS = 11
"""How many cells the words have on each of six cards at 80 columns."""


def scene(name: str, table: tuple[str, ...] = (), **more: Any) -> tuple[Scene, int]:
    """Return Ada's turn with this card in her hand and these in play; further fields of the view as given."""
    view = samples.view(**({"turn": samples.ME, "phase": "kick"} | more))
    view.seats[samples.ME].table = samples.placed(*table)
    card = samples.held(name)
    view.you = You(samples.ME, [card], [], [], [])
    return samples.scene(view), card


def why(name: str, table: tuple[str, ...] = (), **more: Any) -> tuple[str, ...]:
    """Return the words on the card; the longest first."""
    shown, card = scene(name, table, **more)
    plays, outlook = what_now(shown, card)
    assert not plays
    return outlook.words


@pytest.mark.parametrize(("name", "table", "words"), [
    ("Wizard", ("Cleric",), ("one Class at a time", "Class taken")),
    ("Orc", ("Elf",), ("one Race at a time", "Race taken")),
    ("Orc", ("Elf", "Half-Breed", "Dwarf"), ("Race: two at most", "Race taken")),
    ("Elf", ("Elf", "Half-Breed"), ("you are one already", "you are one")),
    ("Half-Breed", (), ("only beside a Race", "no Race yet")),
    ("Super Munchkin", (), ("only beside a Class", "no Class")),
    ("Super Munchkin", ("Cleric", "Super Munchkin"), ("you have one already", "have one")),
])  # fmt: skip
def test_an_identity_says_what_is_in_its_way_in_everybodys_turn(
    name: str, table: tuple[str, ...], words: tuple[str, str]
) -> None:
    for turn in (samples.ME, samples.BO):
        told = why(name, table, turn=turn)
        assert (told[0], Outlook(words=told).fitted(CELLS, UNICODE)) == words


def test_an_identity_with_room_waits_for_the_own_turn_and_for_the_end_of_a_fight() -> None:
    assert why("Orc", turn=samples.BO)[0] == "on your turn"
    assert why("Orc", fight=samples.own_fight())[0] == "not in combat"


def test_a_power_says_how_many_ranks_it_would_make() -> None:
    box = set_samples.Box(set_samples.AXE)
    (dinosaur,) = box.held("Dinosaur")
    view = box.view(set_samples.axe_seats(box), [dinosaur], turn=samples.ME, phase="kick")
    shown = Scene(box.catalog, samples.info(), view, samples.ME, UNICODE)
    assert what_now(shown, dinosaur)[1].words == ("needs Level 8, one for each Rank", "needs Level 8", "at Level 8")


def test_a_card_that_undoes_another_says_that_there_is_none() -> None:
    told = why("That Never Happened", fight=samples.own_fight())
    assert told[0] == "nothing here to undo" and len(told[-1]) <= CELLS


def test_a_card_with_a_condition_of_its_own_says_it_where_it_fits_else_points_to_its_text() -> None:
    box = set_samples.Box(set_samples.APO)
    (card,) = box.held("Compulsory Purchase")
    view = box.view(samples.six_seats(), [card], turn=samples.ME, phase="kick")
    view.you = You(samples.ME, [card], [], [], [])
    shown = Scene(box.catalog, samples.info(), view, samples.ME, UNICODE)
    assert what_now(shown, card)[1].words == (
        "only if somebody has an Item in play and 2 Seals or more are open", "see its text", "see text",
    )


@pytest.mark.parametrize(
    ("set_id", "name", "brief"),
    [
        (set_samples.APO, "You Prepared for This", "if Big Item"),
        (set_samples.APO, "All Clear", "at 2 Seals"),
        (set_samples.APO, "Volunteer Fire Brigade", "if alone"),
        (set_samples.APO, "Donate Canned Goods", "if 3 cards"),
        (set_samples.AXE, "That Was My Level", "if Level 2+"),
        (set_samples.AXE, "It Was Your Secret Power All Along", "if Power"),
        (set_samples.AXE, "Free Head Chopping Coupon", "if 2 foes"),
        (set_samples.W40K, "Challenge to Single Combat", "if helped"),
        (set_samples.W40K, "Tithe, Paid in Full", "if 300 gold"),
        (set_samples.W40K, "Civilian of the Millennium", "if Civilian"),
        (set_samples.W40K, "Underdog Medal", "max Level 3"),
        (set_samples.W40K, "Industrial Incense", "if Chaos"),
    ],
)
def test_a_condition_of_one_part_fits_on_a_card(set_id: str, name: str, brief: str) -> None:
    """They all said `see its text`."""
    box = set_samples.Box(set_id)
    (card,) = box.held(name)
    shown = Scene(box.catalog, samples.info(), box.view(samples.six_seats(), [card]), samples.ME, UNICODE)
    words = condition_words(shown, shown.definition(card))
    assert next(form for form in words if len(form) <= CELLS) == brief


def test_a_level_card_that_would_win_says_that_it_cannot() -> None:
    view = samples.view(turn=samples.ME, phase="kick")
    view.seats[samples.ME].level = 9
    card = samples.held("Start Over Somewhere Better")
    view.you = You(samples.ME, [card], [], [], [])
    assert what_now(samples.scene(view), card)[1].words == ("it cannot win the game", "cannot win")


def test_a_level_card_for_fighters_says_that_it_cannot_win_the_one_who_fights_the_game() -> None:
    """It pointed to its text, and the key w asked the host about the reader, who did not fight."""
    box = set_samples.Box(set_samples.AXE)
    (card,) = box.held("And Then What Happened?")
    fight = replace(samples.own_fight(), seat=samples.BO, helper=-1)
    for level, words in ((9, "it cannot win the game"), (5, "only if somebody is in combat")):
        view = box.view(samples.six_seats(), [card], turn=samples.BO, fight=fight)
        view.seats[samples.BO].level = level
        view.you = You(samples.ME, [card], [], [], [])
        shown = Scene(box.catalog, samples.info(), view, samples.ME, UNICODE)
        assert what_now(shown, card)[1].words[0] == words
        assert trial_of(shown, card) == a.Play(card, seat=samples.BO)
    own = replace(view, fight=replace(fight, helper=samples.ME))
    assert trial_of(Scene(box.catalog, samples.info(), own, samples.ME, UNICODE), card) == a.Play(card, seat=samples.ME)


def test_while_a_card_takes_effect_others_have_to_wait() -> None:
    assert why("Bad Hat Day", top="program") == ("when this is settled", "not just yet", "not yet")
    assert why("Prismatic Glitter", top="program")[0] == "in a fight"


def test_a_second_identity_is_not_equipped() -> None:
    shown, card = scene("Half-Breed", ("Elf",))
    assert shown.you is not None
    shown.you.legal = [Legal(a.Play(card))]
    assert what_now(shown, card)[1].words[0] == "beside the one you have"
