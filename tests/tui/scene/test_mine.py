"""What an option brings and costs the reader: Levels, a helper's share, what an Item forbids."""

import pytest
from msgspec.structs import replace

from core.state import actions as a
from core.state.actions import Legal
from core.state.forecasts import Forecast
from core.state.model import Ask, Bargain
from core.state.views import You
from tests.tui import samples, set_samples
from tui.menus.choices import card_entry, root
from tui.menus.entries import Entry
from tui.menus.outlooks import of_entry
from tui.menus.prompts import Prompt
from tui.scene.cells import UNICODE, plain
from tui.scene.mine import equip_words, held_words
from tui.scene.outlook import of_action, of_card
from tui.scene.scene import Scene
from tui.widgets.cards.playability import what_now
from tui.widgets.table.prompt import Row, draw

BO, ME = samples.BO, samples.ME


def bos_fight(forecasts: list[Forecast], legal: list[Legal], hand: list[int]) -> Scene:
    """Return the scene of a fight that Bo loses alone, 8 to 12."""
    fight = replace(samples.own_fight(), seat=BO, helper=-1, heroes=8, foes=12, winning=False, win_level=6)
    table = samples.view(fight=fight, turn=BO)
    table.you = You(ME, hand, [], [], legal)
    return samples.scene(table, forecasts=tuple(forecasts))


def test_a_card_that_gives_me_levels_says_so_before_it_helps_another_one() -> None:
    card = samples.held("Everybody Gets One")
    helps = Forecast([0], "sums", 0, BO, -1, 9, 12, False, 6, 2, away=33)
    scene = bos_fight([helps], [Legal(a.Play(card))], [card])
    level = scene.seat(ME).level + 2
    found = of_card(scene, card)
    most = f"you reach Level {level}, all others gain 1 level"
    assert found.words[:3] == (f"{most}; helps Bo", most, f"Level {level}, all others +1")
    assert (found.verdict, found.fitted(16, UNICODE)) == ("good", f"✓ 9:12 Level {level}")
    calm = samples.idle()
    calm.you = You(ME, [card], [], [], [Legal(a.Play(card))])
    assert of_card(samples.scene(calm), card).words[0] == most, "without a fight too"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Claim the Credit for Teamwork", ("somebody loses 1 level", "somebody -1")),
        ("Start Over Somewhere Better", ("you discard 1 card", "-1 card")),
    ],
)
def test_a_card_that_gives_me_levels_says_what_it_takes_from_whom(name: str, words: tuple[str, str]) -> None:
    card, calm = samples.held(name), samples.idle()
    calm.you = You(ME, [card], [], [], [Legal(a.Play(card))])
    scene = samples.scene(calm)
    level = f"Level {scene.seat(ME).level + 1}"
    assert of_card(scene, card).words[:3] == (
        f"you reach {level}, {words[0]}", f"{level}, {words[1]}", f"you reach {level}",
    )  # fmt: skip


def test_a_level_for_another_one_stands_before_what_it_does_to_the_fight() -> None:
    """A card that turned Bo's fight against him hid that it gives him a Level."""
    card = samples.held("Find a Typo in the Rulse")
    play, helps = a.Play(card, seat=BO), Forecast([0], "sums", 0, BO, -1, 9, 12, False, 6, 2, away=33)
    scene = bos_fight([helps], [Legal(play)], [card])
    level = scene.seat(BO).level + 1
    assert of_action(scene, play).words == (
        f"Bo reaches Level {level}; helps Bo", f"Bo to Level {level}; helps Bo", f"■ to Level {level}; helps Bo",
    )  # fmt: skip
    found = of_action(scene, play)
    assert found.fitted(14, UNICODE) == f"Bo to Level {level}", "a card read `9:12 helps Bo`, as if it were no Level"
    assert found.fitted(12, UNICODE) == f"■ to Level {level}" and found.fitted(9, UNICODE) == "9:12"
    mine = Forecast([1], "sums", 0, BO, -1, scene.fight.heroes, scene.fight.foes, scene.fight.winning)
    either = bos_fight([helps, mine], [Legal(play), Legal(a.Play(card, seat=ME))], [card])
    found, level = of_card(either, card), either.seat(ME).level + 1
    assert found.fitted(14, UNICODE).endswith(f"Level {level}"), "one's own is first"


def test_the_row_of_a_level_card_for_others_says_that_it_brings_the_reader_nothing() -> None:
    card, calm = samples.held("Sympathy Points"), samples.idle()
    calm.you = You(ME, [card], [], [], [Legal(a.Play(card, seat=seat)) for seat in (BO, 2)])
    scene = samples.scene(calm)
    entry = next(entry for entry in root(scene).entries if entry.card == card)
    assert of_entry(scene, entry).words[0] == "+2 levels for one of the others"


def test_whoever_helps_reads_what_it_brings_him() -> None:
    deal = Bargain(5, BO, ME, "help", ME, 2, False, [], [], [], 1)
    wins = Forecast([0], "sums", 0, BO, ME, 19, 12, True, 6, 2)
    scene = bos_fight([wins], [Legal(a.Accept(5)), Legal(a.Decline(5))], [])
    scene.view.offers = [deal]
    assert scene.fight is not None and len(scene.fight.monsters) == 1
    elf = of_action(scene, a.Accept(5))
    assert elf.words[0] == "with you: Bo wins; you get 1 level and 2 Treasures", "an Elf gains a level for each kill"
    scene.view.seats[ME] = replace(scene.view.seats[ME], table=[])
    assert of_action(scene, a.Accept(5)).words[0] == "with you: Bo wins; you get 2 Treasures"
    deal.treasures = 0
    assert of_action(scene, a.Accept(5)).words[0] == "with you: Bo wins; you get nothing"
    assert elf.more == "", "the Level of the fighter is no gain of the helper"


def test_an_offer_of_help_says_what_it_brings_where_there_is_room_for_little() -> None:
    """At 80x24 its row was `27 : 2  ✓`: a tick for helping a rival, and nothing about what the reader gets."""
    wins = Forecast([0], "sums", 0, BO, ME, 27, 2, True, 6, 2)
    scene = bos_fight([wins], [Legal(a.Offer(BO, a.Terms("help", ME, 1))), Legal(a.Offer(2, a.Terms("trade")))], [])
    scene.view.seats[ME] = replace(scene.view.seats[ME], table=[])
    entry = next(entry for entry in root(scene).entries if entry.key == "deal")
    rows = [Row("x", entry.label, of_entry(scene, entry)), Row("SPACE", "pass")]
    (_, line) = draw(scene, Prompt("Stop Bo?", "", True, (), "window"), rows, 79, 2)
    assert "x offer help, trade..  get 1 Treasure" in plain(line), "whoever reads it knows who gets it"
    wide = draw(scene, Prompt("Stop Bo?", "", True, (), "window"), rows[:1], 119, 2)[1]
    assert "27 : 2  with you +19: Bo wins; you get 1 Treasure" in plain(wide)


def test_an_item_says_what_it_forbids_before_it_is_equipped() -> None:
    card = samples.held("Helm of Brooding Silence")
    table = samples.view(turn=ME, deciding=[])
    table.seats[ME] = replace(table.seats[ME], table=[])
    table.you = You(ME, [card], [], [], [Legal(a.Play(card))])
    scene = samples.scene(table)
    entry = card_entry(scene, card)
    assert entry is not None
    assert of_entry(scene, entry).words[0] == "+4, but you may not ask for help"
    assert held_words(scene, (card,))[0] == "you may not ask for help" and held_words(scene, (3,)) == ()
    assert equip_words(scene, card)[1] == "+4, no asking" and equip_words(scene, samples.held("Plot Armor")) == ()


def test_a_race_with_a_price_becomes_its_player_in_the_row_as_on_the_card() -> None:
    """The row said "equip it" of a race, the card "be one"."""
    card = samples.held("Halfling")
    table = samples.view(turn=ME, deciding=[], fight=None)
    table.you = You(ME, [card], [], [], [Legal(a.Play(card))])
    scene = samples.scene(table)
    entry = card_entry(scene, card)
    assert entry is not None
    row, (_, face) = of_entry(scene, entry), what_now(scene, card)
    assert row.words == face.words and row.words[0] == "become one, but -1 to run away"
    assert (face.fitted(12, UNICODE), face.fitted(7, UNICODE)) == ("become one", "be one")


def test_an_item_that_brings_no_bonus_says_what_it_brings() -> None:
    """"-1 to run" was all that was said of an Item that brings a hand."""
    box = set_samples.Box(set_samples.APO)
    (card,) = box.held("Lost Property, Left Hand")
    table = samples.view(fight=None)
    scene = replace(samples.scene(table), catalog=box.catalog)
    assert equip_words(scene, card)[:3] == ("+1 hand, but -1 to run away", "+1 hand, -1 to run", "+1 hand, -1 run")


def test_a_card_to_take_says_for_whom_it_is_and_that_its_counters_do_not_come() -> None:
    """One could not see that a Treasure is for Orcs only, nor what a card that counts would bring."""
    orcs = samples.public("Orcish Pocket Calculator")
    table = samples.view(fight=None)
    table.you = You(ME, [], [], [Ask(4, ME, "share", [orcs], 1, 1)], [])
    scene = samples.scene(table)
    take = Entry("take", "", a.Answer(4, (orcs,)))
    assert of_entry(scene, take).words == (
        "only if you are an Orc, +1 for each counter (none yet)", "only if you are an Orc", "not for you",
    )  # fmt: skip
    table.you = You(ME, [], [], [Ask(4, ME, "charity", [orcs], 1, 1)], [])
    assert not of_entry(samples.scene(table), take), "a card that goes need not say it"
    box = set_samples.Box(set_samples.APO)
    clock = box.open("Doomsday Clock")
    words = held_words(replace(scene, catalog=box.catalog), (clock,))
    assert words[0] == "+1 for each counter (none yet), -1 to run away"
