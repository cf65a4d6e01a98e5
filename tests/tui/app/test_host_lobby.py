"""The lobby of a host on the screen: its list, its keys, a table of one's own, and back."""

import asyncio
import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from netcode.protocol.wire import TableRow
from tests.netcode.in_process_host import in_process_host
from tests.patience import PATIENCE_S
from tests.tui.app_pilot import screen_lines, settled, shown
from tests.tui.fake_client import FakeLobby
from tui.app.app import KickdoorApp
from tui.app.navigation import NavigationApp
from tui.config.settings import Settings
from tui.scene.cells import UNICODE
from tui.scene.lobby_tables import words_of
from tui.screens.lobby import LobbyScreen


@pytest.mark.parametrize(("keys", "result"), [
    (("enter",), ("sit", "3fa2c1")), (("down", "enter"), ("sit", "9b0c77")), (("up", "w"), ("watch", "d41aa0")),
    (("2", "w"), ("watch", "9b0c77")), (("c",), ("create", "")), (("escape",), None), (("ctrl+q",), None),
])  # fmt: skip
async def test_arrows_or_digits_choose_a_table(keys: tuple[str, ...], result: tuple[str, str] | None) -> None:
    async with shown(LobbyScreen(FakeLobby(), UNICODE)) as (press, results):
        await press(*keys)
        assert results == [result]


async def test_the_list_follows_the_host_and_the_cursor_its_table() -> None:
    client = FakeLobby()
    async with shown(LobbyScreen(client, UNICODE)) as (press, _):
        text = await press("down")
        assert re.search(r"> \[2\] +9b0c77", text) and "Kim owns it" in text
        client.rows = client.rows[1:]
        client.tell()
        text = await press()
        assert re.search(r"> \[1\] +9b0c77", text) and "Friday night" not in text
        client.rows = []
        client.tell()
        text = await press()
        assert "No table is open." in text and "ENTER" not in text
        client.stage, client.reason = "offline", "nobody answers at 10.0.0.1:7788"
        client.tell()
        assert "No connection: nobody answers at 10.0.0.1:7788" in await press()


async def test_a_full_host_offers_no_new_table() -> None:
    client = FakeLobby(room=0)
    async with shown(LobbyScreen(client, UNICODE)) as (press, results):
        text = await press("c")
        assert "This host takes no more tables" in text and "no more tables can be opened" in text
        assert "c open a table" not in text and results == []


@pytest.mark.long(0)
async def test_a_long_list_scrolls_to_the_chosen_table() -> None:
    rows = [TableRow(f"{number:06x}", ["axe-cop"], 4, free=4) for number in range(60)]
    async with shown(LobbyScreen(FakeLobby(rows), UNICODE)) as (press, _):
        for _ in range(59):
            text = await press("down")
        assert re.search(r"> +00003b", text) and "[1]" not in text
        assert re.search(r"> \[1\] +000000", await press("down"))


async def test_the_lobby_is_ascii_with_the_ascii_setting() -> None:
    app = KickdoorApp(Settings(ascii=True, bell=False))
    async with app.run_test(size=(60, 20)) as pilot:
        await app.push_screen(LobbyScreen(FakeLobby(), app.glyphs))
        await settled(pilot)
        text = "\n".join(screen_lines(app))
        assert text.isascii() and "ENTER sit down" in text and "ESC leave" in text


async def test_whatever_lies_over_the_lobby_closes_with_it() -> None:
    client = FakeLobby()
    async with shown(LobbyScreen(client, UNICODE)) as (press, results):
        await press("ctrl+p")
        client.stage = "closed"
        client.tell()
        await press()
        assert results == [("closed", "")]


async def test_the_lobby_closes_when_the_host_is_gone() -> None:
    client = FakeLobby()
    async with shown(LobbyScreen(client, UNICODE)) as (press, results):
        client.stage = "closed"
        client.tell()
        await press()
        assert results == [("closed", "")]


def test_a_table_is_described_in_words() -> None:
    row = TableRow("3fa2c1", ["axe-cop"], 4, 1, 1, 2, "lobby", "quick", "Friday", "Ann", 1, ["listen"])
    assert words_of(row) == (
        "Friday (3fa2c1): Axe Cop. 1 person, 1 bot, 2 free seats of 4; waiting, pace quick. "
        "Agreed: Listen At The Door. Ann owns it. 1 spectator."
    )


# ------------------------------------------------------------------------------------------- with a host, in one loop
async def wait_for(textual: Pilot[str], app: NavigationApp, words: str, timeout: float = PATIENCE_S) -> str:
    """Wait until the screen shows these words; return its text."""
    for _ in range(int(timeout / 0.05)):
        text = "\n".join(screen_lines(app))
        if words in text:
            return text
        await textual.pause(0.05)
    raise AssertionError(f"never seen: {words}\n{text}")


async def test_a_player_opens_a_table_and_returns_to_the_lobby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    async with in_process_host() as inside:
        app = NavigationApp(Settings(name="Ann", bell=False), ("lobby", inside.lobby_string, {}))
        async with app.run_test(size=(80, 24)) as pilot:
            await wait_for(pilot, app, "Tables of here")
            app.simulate_key("c")
            await wait_for(pilot, app, "Open a table")
            for key in ("down", *"Evening", "ctrl+s"):
                app.simulate_key(key)
                await pilot.pause(0)
            text = await wait_for(pilot, app, "Press y when you are ready")
            assert "● Ann (you)" in text and "kickdoor://" in text
            app.simulate_key("ctrl+q")
            await wait_for(pilot, app, "Your seat is kept")
            assert "Ann owns it" in await wait_for(pilot, app, "Evening (")  # the rows come after the words
            app.simulate_key("enter")
            assert "● Ann (you)" in await wait_for(pilot, app, "Press y when you are ready")
            app.simulate_key("G")
            assert "give the seat and the table up" in await wait_for(pilot, app, "Give your seat up for good?")
            app.simulate_key("enter")
            await wait_for(pilot, app, "0 people, 0 bots, 4 free seats")
            app.simulate_key("escape")
            for _ in range(100):
                if not app.is_running:
                    break
                await asyncio.sleep(0.05)  # not `pilot.pause`, which would wait for widgets that are being removed
        assert app.return_code == 0 and app.failed == ""
        assert app.trusts, "what fails in the menu after a lobby is blamed on its host"
        assert len(inside.registry.tables) == 2


@pytest.mark.parametrize("there", [True, False])
async def test_a_table_that_is_named_is_gone_to_at_once(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    async with in_process_host() as inside:
        wanted = next(iter(inside.registry.tables)).upper() if there else "Nowhere"
        app = NavigationApp(Settings(name="Ann", bell=False), ("lobby", inside.lobby_string, {"wanted": wanted}))
        async with app.run_test(size=(80, 24)) as pilot:
            await wait_for(pilot, app, "READY?" if there else "No table here has the name Nowhere.")


async def test_a_wrong_lobby_string_gives_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    async with in_process_host() as inside:
        app = NavigationApp(Settings(name="Ann", bell=False), ("lobby", inside.string("lobby", bytes(16)), {}))
        async with app.run_test(size=(80, 24)) as pilot:
            for _ in range(200):
                if app.failed:
                    break
                await pilot.pause(0.05)
        assert "no table here fits this join string" in app.failed and "\n" not in app.failed
