"""The lobby of a host on the screen: its list, its keys, a table of one's own, and back."""

from contextlib import asynccontextmanager

import pytest

from netcode.protocol.wire import TableRow
from tests.netcode.in_process_host import in_process_host
from tests.tui.app_pilot import screen_lines
from tests.tui.fake_client import FakeLobby
from tui.app.app import KickdoorApp
from tui.app.navigation import NavigationApp
from tui.config.settings import Settings
from tui.scene.cells import UNICODE
from tui.screens.lobby import LobbyScreen, words_of


@asynccontextmanager
async def lobby(client, size=(80, 24)):
    """The lobby's screen; gives what presses keys and returns the text, and the list of its results."""
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test(size=size) as pilot:
        results = []
        await app.push_screen(LobbyScreen(client, UNICODE), results.append)

        async def press(*names):
            for name in names:
                app.simulate_key(name)
                await pilot.pause(0)
            for _ in range(3):
                await pilot.pause(0)
            return "\n".join(screen_lines(app))

        await press()
        yield press, results


@pytest.mark.parametrize(("keys", "result"), [
    (("enter",), ("sit", "3fa2c1")), (("down", "enter"), ("sit", "9b0c77")), (("up", "w"), ("watch", "d41aa0")),
    (("2", "w"), ("watch", "9b0c77")), (("c",), ("create", "")), (("escape",), None), (("ctrl+q",), None),
])  # fmt: skip
async def test_a_table_is_chosen_by_arrows_or_by_digit(keys, result):
    async with lobby(FakeLobby()) as (press, results):
        await press(*keys)
        assert results == [result]


async def test_the_list_follows_the_host_and_the_cursor_its_table():
    client = FakeLobby()
    async with lobby(client) as (press, _):
        text = await press("down")
        assert "> [2] 9b0c77" in text and "Kim owns it" in text
        client.rows = client.rows[1:]
        client.tell()
        text = await press()
        assert "> [1] 9b0c77" in text and "Friday night" not in text
        client.rows = []
        client.tell()
        text = await press()
        assert "No table is open." in text and "ENTER" not in text
        client.stage, client.reason = "offline", "nobody answers at 10.0.0.1:7788"
        client.tell()
        assert "No connection: nobody answers at 10.0.0.1:7788" in await press()


async def test_where_no_more_tables_are_taken_none_is_opened():
    client = FakeLobby(room=0)
    async with lobby(client) as (press, results):
        text = await press("c")
        assert "This host takes no more tables" in text and "no more tables can be opened" in text
        assert "c open a table" not in text and results == []


async def test_a_long_list_keeps_the_chosen_table_in_sight():
    rows = [TableRow(f"{number:06x}", ["axe-cop"], 4, free=4) for number in range(60)]
    async with lobby(FakeLobby(rows)) as (press, _):
        for _ in range(59):
            text = await press("down")
        assert ">     00003b" in text and "[1]" not in text
        assert "> [1] 000000" in await press("down")


async def test_when_the_host_goes_the_screen_does_too():
    client = FakeLobby()
    async with lobby(client) as (press, results):
        client.stage = "closed"
        client.tell()
        await press()
        assert results == [("closed", "")]


def test_everything_of_a_table_is_said_in_words():
    row = TableRow("3fa2c1", ["axe-cop"], 4, 1, 1, 2, "lobby", "quick", "Friday", "Ann", 1, ["listen"])
    assert words_of(row) == (
        "Friday (3fa2c1): axe-cop. 1 person, 1 bot, 2 free seats of 4; waiting, pace quick. "
        "Agreed: Listen At The Door. Ann owns it. 1 spectator."
    )


# ------------------------------------------------------------------------------------------- with a host, in one loop
async def walked(pilot, app, words, timeout=10.0):
    """Wait until the screen says this."""
    for _ in range(int(timeout / 0.05)):
        text = "\n".join(screen_lines(app))
        if words in text:
            return text
        await pilot.pause(0.05)
    raise AssertionError(f"never seen: {words}\n{text}")


async def test_from_the_lobby_to_a_table_of_ones_own_and_back(tmp_path, monkeypatch):
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    async with in_process_host() as inside:
        app = NavigationApp(Settings(name="Ann", bell=False), ("lobby", inside.lobby_string, {}))
        async with app.run_test(size=(80, 24)) as pilot:
            await walked(pilot, app, "Tables of here")
            app.simulate_key("c")
            await walked(pilot, app, "Open a table")
            for key in ("2", *"Evening", "enter", "1"):
                app.simulate_key(key)
                await pilot.pause(0)
            text = await walked(pilot, app, "Press y when you are ready")
            assert "A Ann (you)" in text and "kickdoor://" in text
            app.simulate_key("ctrl+q")
            text = await walked(pilot, app, "Evening (")
            assert "Your seat is kept" in text and "Ann owns it" in text
            app.simulate_key("enter")
            assert "A Ann (you)" in await walked(pilot, app, "Press y when you are ready")
            app.simulate_key("G")
            await walked(pilot, app, "0 people, 0 bots, 4 free seats")
            app.simulate_key("escape")
            for _ in range(100):
                if not app.is_running:
                    break
                await pilot.pause(0.05)
        assert app.return_code == 0 and app.failed == ""
        assert len(inside.registry.tables) == 2


async def test_a_wrong_lobby_string_is_told_in_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    async with in_process_host() as inside:
        app = NavigationApp(Settings(name="Ann", bell=False), ("lobby", inside.string("lobby", bytes(16)), {}))
        async with app.run_test(size=(80, 24)) as pilot:
            for _ in range(200):
                if app.failed:
                    break
                await pilot.pause(0.05)
        assert "no table here fits this join string" in app.failed and "\n" not in app.failed
