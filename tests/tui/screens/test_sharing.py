"""Charity among several players: one screen says which cards go and to whom, at a real host."""

import pytest

from core.state import actions as a
from core.state.model import Ask, defn_of
from netcode.client.client import Client
from tests.netcode.offline_table import rules
from tests.tui.app_pilot import TablePilot, settled
from tests.tui.positions import Position, hosted, listen
from tui.app.app import KickdoorApp
from tui.config.settings import Settings
from tui.scene.table_session import TableSession
from tui.screens.parts.sharing import planned
from tui.screens.table import TableScreen

HAND = ("Prismatic Glitter", "Bad Hat Day", "Greater", "Grammar Grue", "Turning Keys", "Bearbug", "Pickle Spear")
RICH = f"""
[[scenario]]
name = "Kim has two cards too many"
doors = ["Orc"]
steps = []
[scenario.seats.Kim]
level = 4
hand = {list(HAND)}
[scenario.seats.Roger]
[scenario.seats.Ross]
"""


def end_of_turn(client: Client) -> a.Action:
    """Return the act that brings the end of the turn nearer."""
    assert client.view is not None and client.view.you is not None
    wanted = (a.Kick, a.EndTurn, a.Done, a.Loot)
    legal = [row.action for row in client.view.you.legal]
    return next(action for kind in wanted for action in legal if isinstance(action, kind))


async def test_one_screen_says_which_cards_go_to_whom() -> None:
    async with hosted(Position(RICH, before=((0, end_of_turn),) * 3)) as (_, clients):
        client, others = clients[0], clients[1:]
        await client.wait_for(lambda one: bool(one.view and one.view.you and one.view.you.asks[:1]))
        sent = listen(client)
        app = KickdoorApp(Settings(bell=False))
        async with app.run_test(size=(80, 24)) as textual:
            screen = TableScreen(TableSession(client, rules().catalog, app.glyphs))
            await app.push_screen(screen)
            pilot = TablePilot(app, screen, textual, client)
            await settled(textual)
            cards = list(screen.model.here.pick.among)[:4]
            assert screen.model.here.pick.hi == len(cards)
            digits = [screen.model.keyed.hand[card] for card in cards]
            await pilot.keys(*digits)
            assert "4 of 4: 2 to Roger, 2 to Ross" in pilot.text()
            await pilot.keys(digits[0], "enter")
            assert "The shares must be as even as possible." in " ".join(pilot.text().split()) and not sent
            await pilot.keys(digits[1], "enter")  # the two have changed places
            given = {cards[0]: 2, cards[1]: 1, cards[2]: 1, cards[3]: 2}
            for seat, other in enumerate(others, 1):
                await other.wait_for(lambda one: bool(one.view) and one.view.turn == 1)
                assert other.view is not None and other.view.you is not None
                got = sorted(defn_of(held) for held in other.view.you.hand)
                assert got == sorted(defn_of(card) for card, to in given.items() if to == seat)


@pytest.mark.parametrize(("ask", "picks"), [
    (Ask(1, 0, "larger share", [1, 2, 3], 1, 1), (2,)), (Ask(1, 0, "share for 2", [11, 12, 13], 2, 2), (11, 13)),
    (Ask(1, 0, "share for 1", [11, 12, 13], 2, 2), None), (Ask(1, 0, "loot", [11, 12, 13], 1, 1), None),
])  # fmt: skip
def test_a_plan_answers_only_what_it_says_whole(ask: Ask, picks: tuple[int, ...] | None) -> None:
    assert planned(ask, {11: 2, 12: 1, 13: 2}) == picks
