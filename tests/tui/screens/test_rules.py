"""The rules over the table: opened by a key from the table, a refusal, the log and a card; nothing is played there."""

import asyncio

import pytest

from core.state.actions import Refusal
from core.state.refusals import SENTENCES
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.app_pilot import TablePilot, table
from tui.screens.card import CardScreen
from tui.screens.history import HistoryScreen
from tui.screens.rules import RulesScreen
from tui.widgets.pane import Pane


def read(pilot: TablePilot) -> str:
    """Return the text that is being read at the table."""
    return str(pilot.model.reading.kind)


async def opened(pilot: TablePilot) -> RulesScreen:
    """Return the rules once they are shown."""
    for _ in range(50):
        await pilot.settle()
        if isinstance(pilot.app.screen, RulesScreen) and pilot.app.screen._places:
            await pilot.settle()
            return pilot.app.screen
    raise AssertionError("the rules do not open")


@pytest.mark.long(4)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 60)])
async def test_the_card_under_the_cursor_and_its_examples(size: tuple[int, int]) -> None:
    async with table(samples.own_combat(), size) as pilot:
        await pilot.keys("i")
        screen = await opened(pilot)
        name = pilot.model.now.title(pilot.model.now.selected())
        assert screen.topic is not None and screen.topic.name == name and name in pilot.text()
        assert "ESC back" in pilot.text()
        for _ in range(200):
            if screen._found:
                break
            await asyncio.sleep(0.05)
        await pilot.settle()
        assert screen._found[screen.topic], "a card of a built-in set has examples"
        await pilot.keys("down")
        assert screen.topic.group == "The card is about"
        await pilot.keys("escape")
        assert pilot.app.screen is pilot.screen and pilot.client.acts == []


@pytest.mark.long(4)
@pytest.mark.parametrize("clause", ["item.big-one", "later", "self.guild-one", "used"])
async def test_a_refused_act_opens_its_clause(clause: str) -> None:
    text = SENTENCES.get(clause, "One Guild at a time.")
    async with table(samples.your_turn()) as pilot:
        await pilot.keys("1")
        pilot.client.tell(wire.Refused(len(pilot.client.acts), Refusal(clause, text)))
        await pilot.settle()
        assert "(i: the rule)" in pilot.text() or text[:20] in pilot.text()
        await pilot.keys("i")
        screen = await opened(pilot)
        assert screen.topic is not None and screen.topic.group == "Why not" and text in screen.topic.said


async def test_w_on_a_card_that_cannot_be_played_opens_the_rule_and_then_the_numbers() -> None:
    async with table(samples.interrupt()) as pilot:
        pilot.client.refusal = Refusal("when.own-turn-identity", SENTENCES["when.own-turn-identity"])
        await pilot.keys("w")
        rules = await opened(pilot)
        assert rules.topic is not None and rules.topic.clauses == ("when.own-turn-identity",)
        await pilot.keys("w")
        assert pilot.app.screen is pilot.screen
        assert read(pilot) == "why"
        await pilot.keys("w")
        assert not read(pilot), "the same key closes the numbers"


async def test_w_on_an_item_that_would_only_be_carried_opens_the_reason() -> None:
    async with table(samples.one_item_in_hand("Reforged Sword")) as pilot:
        await pilot.keys("w")
        rules = await opened(pilot)
        assert rules.topic is not None and rules.topic.clauses == ("item.slots",)
        assert any("Put Pickle Spear away first" in said for said in rules.topic.said)
        await pilot.keys("w")
        assert read(pilot) == "why"


async def test_a_remark_that_is_no_refusal_leads_to_no_old_one() -> None:
    async with table(samples.interrupt()) as pilot:
        pilot.client.tell(wire.Refused(1, Refusal("later", SENTENCES["later"])))
        await pilot.settle()
        pilot.model.say("Something else.")
        await pilot.keys("i")
        screen = await opened(pilot)
        assert screen.topic is not None and screen.topic.group != "Why not"


async def test_from_the_log_and_from_a_large_card() -> None:
    async with table(samples.own_combat()) as pilot:
        await pilot.keys("l")
        assert isinstance(pilot.app.screen, HistoryScreen)
        await pilot.keys("i")
        await opened(pilot)
        await pilot.keys("escape", "escape", "v")
        shown = pilot.app.screen
        assert isinstance(shown, CardScreen)
        await pilot.keys("right", "i")
        screen = await opened(pilot)
        assert screen.topic is not None and screen.topic.name == pilot.model.now.title(shown.card)


async def test_a_click_on_a_term_of_the_fight_opens_its_rules() -> None:
    async with table(samples.own_combat(), (120, 40)) as pilot:
        pilot.screen.post_message(Pane.RulePressed("term:level"))
        screen = await opened(pilot)
        assert screen.topic is not None and screen.topic.name == "Combat strength"


async def test_a_table_that_closes_takes_the_rules_along() -> None:
    async with table(samples.own_combat()) as pilot:
        await pilot.keys("i")
        await opened(pilot)
        pilot.client.stage = "closed"
        pilot.client.tell(wire.Bye("ended", "over"))
        await pilot.settle()
        assert not isinstance(pilot.app.screen, RulesScreen)


async def test_no_key_is_cut_at_the_least_size() -> None:
    async with table(samples.own_combat(), (60, 20)) as pilot:
        await pilot.keys("w", "i")
        await opened(pilot)
        foot = pilot.text().splitlines()[-2]
        assert "ESC back" in foot and "PgUp PgDn read" in foot, foot
