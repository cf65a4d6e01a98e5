"""A key held down costs nothing: every key of the key map, at a real host, alone and at a table of people."""

import asyncio

import pytest
from textual.binding import Binding, BindingType
from textual.pilot import Pilot

from core.state import actions as a
from core.state.actions import Action
from core.state.model import defn_of
from netcode.client.client import Client
from netcode.protocol import limits, wire
from tests.netcode.in_process_host import in_process_host
from tests.netcode.offline_table import CURSED, FIGHT, card, rules
from tests.thorough import share
from tests.tui.app_pilot import settled
from tests.tui.positions import Position, hosted, listen
from tui.app.app import KickdoorApp
from tui.config.keymap import TABLE
from tui.config.settings import Settings
from tui.scene.table_session import TableSession
from tui.screens.table import TableScreen
from tui.screens.waiting_room import WaitingRoomScreen

PRESSES = 90
"""A key held for three seconds comes thirty times a second."""
LEAVING = ("G", "ctrl+q")
"""Keys of the waiting room that leave it."""
FIRST = 3
"""How many presses show whether a key sends anything."""


def curse(client: Client) -> Action:
    """Return the play of a curse on Kim, who then has to choose a card to lose."""
    assert client.view is not None and client.view.you is not None
    return a.Play(next(held for held in client.view.you.hand if defn_of(held) == card("Hole in the Pocket")), seat=0)


KICKED = (0, lambda client: a.Kick())
POSITIONS = {
    "own turn": Position(FIGHT),
    "own fight": Position(FIGHT, before=(KICKED,)),
    "a window": Position(FIGHT, seat=1, before=(KICKED, (0, lambda client: a.Flee()))),
    "a card is read": Position(CURSED, seat=2, before=((1, curse),)),
    "asked by a card": Position(CURSED, before=((1, curse),)),
    "alone, own turn": Position(FIGHT, alone=True),
}


async def hold(screen: TableScreen, pilot: Pilot[str], client: Client, sent: list[wire.Up], key: str) -> None:
    """Hold a key for three seconds; the host has answered each press before the next. A key whose first presses send
    nothing, or only questions, is released, since further presses only draw."""
    before = len(sent)
    for press in range(PRESSES):
        if press == FIRST and all(message.automatic for message in sent[before:]):
            return
        screen.model.keyed.revive()
        pilot.app.simulate_key(key)
        await settled(pilot, 1)
        await client.wait_for(lambda one: not one.busy)
    await settled(pilot)
    await asyncio.sleep(limits.PREFERENCES_S)  # the newest preferences are sent by then


@pytest.mark.long(0)
@pytest.mark.parametrize("name", POSITIONS)
async def test_no_key_held_at_the_table_costs_the_seat(name: str) -> None:
    """In a turn (tests/thorough.py) each key is held in only two of the six positions."""
    position = POSITIONS[name]
    keys = share([one for row in TABLE for one in row.keys.split(",")], 3, list(POSITIONS).index(name))
    async with hosted(position) as (entry, clients):
        client, table = clients[position.seat], entry.table
        seat, sent = table.seating.seats[client.seat], listen(client)
        session = seat.player
        app = KickdoorApp(Settings(bell=False))
        async with app.run_test(size=(80, 24)) as pilot:
            screen = TableScreen(TableSession(client, rules().catalog, app.glyphs))
            await app.push_screen(screen)
            for key in keys:
                await hold(screen, pilot, client, sent, key)
                assert (client.stage, seat.state, seat.player) == ("synced", "here", session), f"{key}: {client.reason}"
                assert not table.closed, key
                for _ in range(4):
                    app.simulate_key("escape")
                await settled(pilot)
            assert app._exception is None


@pytest.mark.long(0)
async def test_no_key_held_in_the_waiting_room_costs_the_seat() -> None:
    async with in_process_host(tables=((),)) as inside:
        (entry,) = inside.registry.tables.values()
        client = inside.client(inside.string(entry.id, entry.record.join), "Kim")
        await client.join()
        app = KickdoorApp(Settings(bell=False))
        async with app.run_test(size=(80, 24)) as pilot:
            await app.push_screen(WaitingRoomScreen(TableSession(client, rules().catalog, app.glyphs)))
            for key in [one for row in WaitingRoomScreen.BINDINGS for one in bound_keys(row) if one not in LEAVING]:
                for _ in range(PRESSES):
                    app.simulate_key(key)
                    await settled(pilot, 1)
                seat = entry.table.seating.seats[client.seat]
                assert (client.stage, seat.state, entry.table.closed) == ("synced", "here", False), key
                app.simulate_key("escape")
                await settled(pilot)


def bound_keys(row: BindingType) -> list[str]:
    """Return the keys of a binding."""
    return (row.key if isinstance(row, Binding) else row[0]).split(",")
