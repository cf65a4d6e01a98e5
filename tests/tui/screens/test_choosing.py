"""Choices at the table: digits, arrows and the mouse choose from sets and lists, and remarks never cover these."""


from functools import partial

import pytest
from msgspec.structs import replace

from core.state import actions as a
from core.state import events as ev
from core.state.actions import Legal
from core.state.forecasts import Forecast
from core.state.model import Ask
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.app_pilot import TablePilot, table
from tui.menus.keyed import Choice
from tui.scene.outlook import Outlook
from tui.screens.parts.choices import rank


async def test_digits_pick_the_cards_for_charity_and_enter_submits_them() -> None:
    view = samples.charity()
    async with table(view) as pilot:
        cards = pilot.model.now.hand()
        await pilot.keys("1", "2", "enter")
        assert pilot.client.acts == [] and "not yet: choose 3" in pilot.text()
        await pilot.keys("4", "enter")
        assert pilot.client.acts == [a.Answer(3, (cards[0], cards[1], cards[3]))], "their digits in the hand"


async def test_one_key_chooses_all_and_puts_all_back() -> None:
    view = samples.your_turn()
    async with table(view) as pilot:
        await pilot.keys("asterisk")
        assert "There is nothing to choose all of." in pilot.text()
        await pilot.keys("s")
        items = pilot.model.here.pick.among
        assert f"* all {len(items)}" in " ".join(pilot.text().split())
        await pilot.keys("asterisk")
        assert pilot.model.menus.picked == list(items) and "* none" in " ".join(pilot.text().split())
        await pilot.keys("asterisk")
        assert pilot.model.menus.picked == [] and pilot.client.acts == []
    async with table(samples.charity()) as pilot:
        await pilot.keys("asterisk")
        assert "Not all can be chosen here." in pilot.text() and pilot.model.menus.picked == []


async def test_reading_during_a_choice_plays_nothing() -> None:
    view = samples.looting()
    async with table(view) as pilot:
        await pilot.keys("v")
        assert "Plot Armor" in pilot.lines()[4] and "Left behind by Dee." in pilot.text()
        await pilot.keys("right")
        assert "Hireling" in pilot.lines()[4] and "Left behind by Dee." in pilot.text()
        await pilot.keys("escape", "tab", "v")
        assert pilot.model.now.title(pilot.model.now.selected()) in pilot.lines()[4]
        await pilot.keys("escape", "2")
        assert pilot.client.acts == [a.Answer(4, (view.seats[3].body[1],))], "the digits still answer"


async def test_a_choice_too_long_for_the_prompt_takes_the_place_of_the_stage() -> None:
    view = samples.looting()
    more = [samples.public(name) for name in ("Pickle Spear", "Meat Shield", "Threehander", "Turning Keys")]
    view.seats[3].body += more
    view.you.asks[0].options += more
    async with table(view) as pilot:
        assert "4  Wombat Boots" in pilot.text() and pilot.screen.parts.choices.panel.display
        await pilot.keys("4")
        assert pilot.client.acts == [a.Answer(4, (view.seats[3].body[3],))]


async def test_a_list_hides_neither_the_fight_nor_what_has_happened() -> None:
    """Formerly, a new player saw a question without its cause: the list hid the stage, and the prompt below it was
    empty."""
    view = samples.own_combat()
    assert view.you is not None and view.fight is not None
    names = ("Pickle Spear", "Meat Shield", "Threehander", "Turning Keys", "Plot Armor", "Hireling", "Wombat Boots")
    cards = [samples.public(name) for name in names]
    view.you.asks, view.you.legal, view.offers = [Ask(11, samples.ME, "loot", cards, 1, 1)], [], []
    async with table(view) as pilot:
        assert pilot.screen.has_class("listing"), pilot.text()
        fight = view.fight
        assert f"{fight.heroes} : {fight.foes}  YOU LOSE BY" in pilot.text(), pilot.text()
        rolled = ev.Rolled(samples.ME, 1, "Bad Hat Day")
        pilot.client.tell(wire.Update(0, view.rev, view, [wire.NumberedEvent(1, rolled)]))
        await pilot.settle()
        if pilot.app.screen is not pilot.screen:
            await pilot.keys("space")
        assert "You roll 1 (Bad Hat Day)" in pilot.text(), pilot.text()


async def test_arrows_and_the_mouse_choose_in_a_list_too() -> None:
    view = samples.looting()
    more = [samples.public(name) for name in ("Pickle Spear", "Meat Shield", "Threehander", "Turning Keys")]
    view.seats[3].body += more
    view.you.asks[0].options += more
    body = view.seats[3].body
    async with table(view) as pilot:
        await pilot.keys("down", "down", "enter")
        assert pilot.client.acts == [a.Answer(4, (body[2],))]
        await pilot.textual.click("#choices", offset=(6, 5))
        await pilot.settle()
        assert pilot.client.acts[1:] == [a.Answer(4, (body[4],))]
    charity = samples.charity()
    async with table(charity) as pilot:
        cards = pilot.model.now.hand()
        await pilot.keys("right", "down", "right", "down", "down", "right", "enter")
        assert pilot.client.acts == [a.Answer(3, (cards[0], cards[1], cards[3]))]


async def test_in_a_choice_v_reads_the_cards_to_choose_from_and_in_a_list_the_one_under_the_cursor() -> None:
    async with table(samples.interrupt()) as pilot:
        await pilot.keys("7", "v")
        assert "Glampire" in pilot.lines()[4] and pilot.client.acts == []
    async with table(samples.charity()) as pilot:
        cards = pilot.model.now.hand()
        await pilot.keys("down", "down", "v")
        assert pilot.model.now.title(cards[2]) in pilot.lines()[4]


async def test_letters_of_verbs_say_why_they_wait_in_a_vote_a_set_and_a_question() -> None:
    async with table(samples.interrupt(), info=samples.voting()) as pilot:
        for key in ("x", "space", "enter"):
            pilot.screen.parts.answers.told_at = -60.0
            pilot.app.clear_notifications()
            await pilot.keys(key)
            told = [note.message for note in pilot.app._notifications]
            assert told == ["First the undo. 1: agree, 2: no, leave it as it is."], key
        assert pilot.client.acts == []
    async with table(samples.interrupt(), info=samples.voting(by=samples.ME, waiting=[1, 2])) as pilot:
        await pilot.keys("k")
        assert [note.message for note in pilot.app._notifications] == ["First the undo. 1: withdraw the request."]
    async with table(samples.charity(), (200, 60)) as pilot:
        await pilot.keys("k")
        assert "The door cannot be opened now" in pilot.text(), "nothing is picked yet"
        await pilot.keys("1", "k")
        assert "First hand in what is picked (ENTER), or go back (ESC)." in pilot.text()
        await pilot.keys("2")
        assert "Choose 3: 2 chosen." in pilot.text(), "the remark goes with the next key"
    async with table(samples.your_turn(), (120, 40)) as pilot:
        await pilot.keys("ctrl+q", "k")
        assert "First choose here, or go back (ESC)." in pilot.text() and pilot.client.acts == []


def test_outside_a_fight_a_verb_comes_before_the_cards_of_the_hand_that_say_the_same() -> None:
    good = Outlook("6 : 1", ("you win",), "good")
    verb, card, gear = (Choice(key, "words", 0, outlook=good) for key in ("table.trouble", "3", "table.gear"))
    dull = [Choice(key, "words", 0) for key in ("table.loot", "4", "table.gear")]
    ranked = sorted([card, *dull, verb], key=partial(rank, scene=samples.scene(samples.idle())))
    assert [one.key for one in ranked] == ["table.trouble", "table.loot", "3", "4", "table.gear"]
    ranked = sorted([*dull, card], key=partial(rank, scene=samples.scene(samples.own_combat())))
    assert [one.key for one in ranked] == ["3", "table.loot", "4", "table.gear"], "what wins the fight is seen"
    assert rank(gear, samples.scene(samples.own_combat())) == 0


@pytest.mark.parametrize("key", ["prompt.pass", "table.run"])
async def test_what_ends_the_question_stays_in_sight_under_a_long_remark(key: str) -> None:
    view = samples.interrupt() if key == "prompt.pass" else samples.own_combat()
    async with table(view) as pilot:
        words = next(row.words for row in pilot.screen.parts.choices.rows() if row.key == pilot.model.names[key])
        pilot.model.say("This card cannot be played now, and the sentence that says why is longer than a row. " * 3)
        await pilot.settle()
        await pilot.settle()
        more = "0 more: " if key == "table.run" else words  # what the hand shows too needs no page
        assert words in pilot.text() and more in pilot.text()


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [(60, 20), (80, 23), (80, 24)])
async def test_a_long_remark_takes_no_choice_from_the_page(size: tuple[int, int]) -> None:
    async with table(samples.own_combat(), size) as pilot:
        foot = pilot.screen.query_one("#foot")
        usual, choices = foot.region.height, pilot.lines()[-3:-1]
        pilot.model.say("A hint of so many words that they take two lines, whatever the size, which is meant here.")
        await pilot.settle()
        await pilot.settle()
        assert foot.region.height > usual and pilot.lines()[-3:-1] == choices
        pilot.model.say("")
        await pilot.settle()
        await pilot.settle()
        assert foot.region.height == usual and pilot.lines()[-3:-1] == choices


async def test_choices_of_a_fight_come_by_what_they_change_and_keep_their_order_in_the_same_question() -> None:
    """Formerly, cards came in the order of the hand, and the one that wins the fight could be the last."""
    view = samples.own_combat()
    wins, loses = view.you.hand[5], view.you.hand[6]
    view.offers, view.you.legal = [], [Legal(a.Flee()), Legal(a.Play(loses)), Legal(a.Play(wins))]

    def forecasts(winning: int, losing: int) -> list[Forecast]:
        won = Forecast([winning], "sums", heroes=14, foes=12, wins=True, fighter=samples.ME, level=4, treasures=1)
        return [won, replace(won, rows=[losing], heroes=10, wins=False)]

    def order(pilot: TablePilot) -> list[str]:
        return [row.key for row in pilot.screen.parts.choices.all_rows()]

    async with table(samples.idle(), (120, 40)) as pilot:
        for winning, losing in ((2, 1), (1, 2)):
            view.rev += 1
            pilot.client.tell(wire.Update(1, view.rev, view, forecasts=forecasts(winning, losing)))
            await pilot.settle()
            keys = [pilot.model.keyed.hand[card] for card in (wins, loses)]
            assert order(pilot)[:2] == keys and order(pilot)[-1] == "f", "the same order though the other one wins now"
        later = samples.own_combat()
        later.rev, later.you.hand, later.you.legal = view.rev + 1, view.you.hand, view.you.legal
        later.offers, later.you.asks = [], [Ask(7, samples.ME, "fight", [], 1, 1)]
        pilot.client.tell(wire.Update(1, later.rev, later, forecasts=forecasts(1, 2)))
        await pilot.settle()
        assert order(pilot)[:2] == keys[::-1], "another question"


async def test_help_for_somebody_who_wins_without_it_comes_behind_what_stops_them() -> None:
    """Formerly, `offer help` stood first with the Treasure that it would bring: a winner takes no help."""
    view = samples.interrupt()
    fight, card = view.fight, view.you.hand[0]
    fight.seat, fight.helper, fight.heroes, fight.foes, fight.winning = samples.BO, -1, 9, 5, True
    fight.match_point = False
    view.offers, view.you.asks = [], []
    view.you.legal = [Legal(a.Offer(samples.BO, a.Terms("help", samples.ME, 1))), Legal(a.Play(card)),
                      Legal(a.Pass(view.window.id))]  # fmt: skip
    helped = Forecast([0], "sums", 0, samples.BO, samples.ME, 20, 5, True, 6, 3)
    stopped = Forecast([1], "sums", 0, samples.BO, -1, 9, 10, False, 6, 3)
    for winning in (True, False):
        view.rev, fight.winning = view.rev + 1, winning
        fight.heroes = 9 if winning else 4
        async with table(view, (80, 24)) as pilot:
            pilot.client.tell(wire.Update(1, view.rev, view, forecasts=[helped, stopped]))
            await pilot.settle()
            rows = pilot.screen.parts.choices.all_rows()
            ranks = {row.key: row.rank for row in rows}
            keys = [row.key for row in rows]
            assert keys.index("x") > keys.index(pilot.model.keyed.hand[card]) or not winning, keys
            assert (ranks["x"] == 3) == winning


async def test_while_a_list_hides_the_stage_the_prompt_tells_the_text_of_the_card_that_asks() -> None:
    """Formerly, `WHAT DO YOU LOSE?` had the name of a card and two empty rows."""
    view = samples.your_turn()
    view.you.asks = [Ask(4, samples.ME, "card", sorted(view.you.hand), 1, 1, samples.no("Squeaky Shoes"))]
    view.you.legal = [Legal(a.Answer(4, (card,))) for card in sorted(view.you.hand)]
    text = samples.catalog().named("Squeaky Shoes").card.text
    async with table(view, (80, 24)) as pilot:
        rows = [line.lstrip("▌ ").rstrip() for line in pilot.lines()[-4:-1]]
        assert text[:40] in " ".join(rows), rows
