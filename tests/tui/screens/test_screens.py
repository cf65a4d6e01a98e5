"""Menu, forms, lobby, lists to look things up in, the palette, settings."""

import re
from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from netcode.host.saved_games import SavedGame, SavedGameInfo
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.app_pilot import settled, shown, table
from tests.tui.fake_client import FakeClient
from tests.tui.set_samples import AXE, MAZES
from tui.app.app import KickdoorApp
from tui.app.menu_rows import (
    built_in_heads,
    host_rows,
    join_rows,
    menu_rows,
    play_rows,
    saved_rows,
    sets_in,
    settings_rows,
    with_values,
)
from tui.config import keymap as keys
from tui.config import settings
from tui.config.settings import Settings, SettingsError
from tui.scene.cells import ASCII, UNICODE, Glyphs
from tui.scene.remarks import REMARKS, remark_keys
from tui.scene.scene import ASCII_SHAPES, SHAPES
from tui.scene.table_session import TableSession
from tui.screens.forms import FormScreen
from tui.screens.key_map import KeyMapScreen
from tui.screens.main_menu import MainMenuScreen
from tui.screens.settings import SettingsScreen
from tui.screens.waiting_room import WaitingRoomScreen
from tui.widgets.entry.room import deal_words, lacking
from tui.widgets.pane import Pane


def test_unfinished_games_come_first_in_the_menu() -> None:
    card = SavedGameInfo(("axe-cop", "apocalypse"), 4, "hard", "kickdoor://", "Ada")
    kept = SavedGame(Path("one"), card, datetime(2031, 2, 3, 21, 14).timestamp())
    first = menu_rows(Settings(), [kept])[0]
    assert (first.name, first.hint) == ("resume", "Axe Cop + Apocalypse, 3 bots (hard), left on 3 Feb at 21:14")
    assert menu_rows(Settings(), [kept, kept])[0].hint == "2 games you left before they were over"
    assert [row.name for row in saved_rows([kept, kept])] == ["0", "1"] and menu_rows(Settings())[0].name == "play"


def test_no_two_rows_of_the_menu_have_the_same_key() -> None:
    card = SavedGameInfo(("axe-cop",), 4, "hard", "kickdoor://", "Ada")
    found = [row.key for row in menu_rows(Settings(), [SavedGame(Path("one"), card, 0.0)])]
    assert all(found) and len(set(found)) == len(found)


def menu() -> MainMenuScreen:
    """Return the main menu of a new player."""
    return MainMenuScreen(menu_rows(Settings()), built_in_heads(), UNICODE)


async def test_letters_arrows_or_enter_choose_from_the_menu() -> None:
    async with shown(menu()) as (press, results):
        text = await press("down", "down")
        assert "l  Learn" in text and "five short scenes" in text
        await press("enter")
        assert results == ["learn"]
    for key, name in (("enter", "play"), ("b", "new"), ("q", "quit"), ("escape", None)):
        async with shown(menu()) as (press, results):
            await press(key)
            assert results == [name]


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 60)], ids=str)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
async def test_the_menu_shows_every_row_with_its_key_at_every_size(size: tuple[int, int], glyphs: Glyphs) -> None:
    rows = menu_rows(Settings())
    async with shown(MainMenuScreen(rows, built_in_heads(), glyphs, "A note."), size) as (press, _):
        text = await press()
        assert all(f" {row.key}  {row.label}" in text for row in rows) and "A note." in text and "ENTER go" in text
        assert text.isascii() or not glyphs.ascii
        if size[0] >= 120:
            assert "Munchkins & Mazes" in text and "Warhammer 40,000" in text


async def test_a_click_chooses_from_the_menu() -> None:
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test(size=(80, 24)) as pilot:
        results: list[str | None] = []
        await app.push_screen(menu(), results.append)
        await pilot.pause()
        assert await pilot.click("#entries", offset=(8, 2))
        assert results == ["learn"]


async def test_a_form_changes_values_and_takes_text() -> None:
    rows = host_rows(Settings(name="Ann"), ("munchkins-and-mazes",))
    async with shown(FormScreen("Host", rows, UNICODE)) as (press, results):
        text = await press("down", "right", "right")
        assert "Seats at the table" in text and re.search(r"Seats +6 ", text)
        await press(*("down",) * 6, "end", "a", "ctrl+s")
        name, values = results[0]
        assert (name, values["seats"], values["name"]) == ("go", "6", "Anna")


@pytest.mark.long(0)
async def test_a_value_is_chosen_from_a_list_and_a_switch_says_what_it_is() -> None:
    rows = settings_rows(Settings(name="Ann"))
    async with shown(FormScreen("Settings", rows, UNICODE)) as (press, results):
        assert re.search(r"Speed of bots +normal", await press())
        text = await press(*("down",) * 3, "enter")
        assert re.search(r"ASCII only +yes", text)
        text = await press(*("down",) * 5, "enter")
        assert "slow" in text and "fast" in text
        await press("down", "enter", *("up",) * 8, "enter")
        assert results[0][0] == "go" and (results[0][1]["speed"], results[0][1]["ascii"]) == ("fast", "yes")


@pytest.mark.long(0)
async def test_a_form_never_chooses_a_set_twice() -> None:
    async with shown(FormScreen("Play", play_rows(Settings(), (MAZES, AXE)), UNICODE)) as (press, results):
        text = await press(*("down",) * 5, "right")
        assert re.search(r"and +Axe Cop", text), "the second row skips what the first has"
        text = await press("up", "right")
        assert re.search(r"Cards +Munchkins & Mazes", text), "there is no other"
        text = await press("down", "enter", "up", "enter")
        assert re.search(r"and +Munchkins & Mazes", text) and re.search(r"Cards +Axe Cop", text), "they change places"
        await press("right", "ctrl+s")
        assert sets_in(results[0][1]) == (AXE,)


async def test_letters_typed_in_a_form_are_text_not_keys() -> None:
    async with shown(FormScreen("Join", join_rows(Settings()), UNICODE)) as (press, _):
        text = await press("j", "k", "1", "q", "l")
        assert "jk1ql" in text


@pytest.mark.long(0)
async def test_themes_are_shown_at_once_and_given_back() -> None:
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test(size=(80, 24)) as pilot:
        results: list[object] = []
        screen = SettingsScreen("Settings", settings_rows(app.settings), UNICODE, app.settings)
        await app.push_screen(screen, results.append)

        async def press(*names: str) -> str:
            for name in names:
                app.simulate_key(name)
                await settled(pilot)
            return app.theme

        assert await press("down", "down", "enter", "down", "down") == "contrast"
        assert await press("escape") == "tavern"
        assert await press("right") == "parchment"
        assert await press("escape") == "tavern" and results == [None]


# ------------------------------------------------------------------------------------------------------------ keys
async def test_a_key_is_changed_in_the_app_and_a_taken_one_is_refused_in_a_sentence() -> None:
    async with shown(KeyMapScreen("default", {}, UNICODE), (120, 40)) as (press, results):
        text = await press()
        assert "choose 0" in text and "prompt.0" in text
        at = [key.id for key in keys.TABLE].index("table.why")
        await press(*("down",) * at, "enter")
        text = await press("v")
        assert "v is taken at the table: read the card" in text and "table.read" in text
        text = await press("enter", "f2")
        assert "f2 it is." in text
        await press("escape")
        assert results == [{"table.why": "f2"}]
    async with shown(KeyMapScreen("default", {"table.why": "f2"}, UNICODE), (120, 40)) as (press, results):
        text = await press(*("down",) * at, "delete")
        assert "The usual key again" in text
        await press("escape")
        assert results == [{}]


def test_keys_of_different_places_do_not_collide() -> None:
    assert keys.other_use("table.claim", "G", keys.PRESETS["default"]) is None, "G is a key of replays only"
    shared = keys.other_use("table.why", "G", keys.PRESETS["default"])
    assert shared is not None and shared[0].id == "replay.fight-back", "this key of the table works in replays too"
    found = keys.other_use("replay.next", "ctrl+z", {})
    assert found is not None and found[0].id == "app.suspend"
    found = keys.other_use("puzzle.hint", "w", {"table.read": "w", "table.why": "v"})
    assert found is not None and found[0].id == "table.read"


def test_the_settings_form_returns_the_settings() -> None:
    before = Settings(name="Ann", ascii=True, speed="slow", bots=2, keys={"table.why": "f2"})
    values = {row.name: row.value for row in settings_rows(before) if not row.does}
    assert values["mouse"] == "yes" and values["theme"] == "tavern"
    assert with_values(before, values) == before


def test_saved_settings_are_loaded_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_CONFIG", str(tmp_path / "deep" / "settings.toml"))
    mine = Settings(name='An "n\\', ascii=True, preset="vim", keys={"table.why": "f2"})
    settings.save(mine)
    assert settings.load() == mine
    assert settings.load().keymap()["table.why"] == "f2"
    monkeypatch.setenv("KICKDOOR_ASCII", "0")
    assert settings.load().ascii is False


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("colour = 1", "no setting 'colour'"), ("bots = 'x'", "bots"), ("speed = 'warp'", "slow, normal, fast"),
        ("[keys]\n'table.wyh' = 'x'", "table.wyh"), ("name = ", "cannot be read"), ("preset = 'emacs'", "default, vim"),
    ],
)  # fmt: skip
def test_wrong_settings_say_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    monkeypatch.setenv("KICKDOOR_CONFIG", str(file))
    with pytest.raises(SettingsError, match=words) as caught:
        settings.load()
    assert str(file) in str(caught.value)


def test_presets_name_only_bindings_that_exist() -> None:
    rows = (*keys.TABLE, *keys.GUIDED)
    known = {key.id for key in rows}
    assert len(known) == len(rows)
    for preset in keys.PRESETS.values():
        assert set(preset) <= known


async def test_the_key_that_leaves_can_be_chosen_as_any_other_key_can() -> None:
    async with shown(KeyMapScreen("default", {}, UNICODE), (120, 40)) as (press, results):
        text = await press("enter", "ctrl+q")
        assert not results and "Press the new key" not in text and "^Q" in text


async def test_the_palette_uses_ascii_signs_only_with_the_ascii_setting() -> None:
    async with table(samples.crowded(), ascii_only=True) as pilot:
        pilot.app.action_command_palette()
        for _ in range(100):
            await pilot.textual.pause(0.01)
            if "Look up" in pilot.text():
                break
        assert "Look up: cards" in pilot.text() and pilot.text().isascii()


# ------------------------------------------------------------------------------------------------------------ lobby
STRING = "kickdoor://10.0.0.7:7788/PUB#" + "Kq3x" * 10 + "Kq3." + "t0Ke" * 5 + "t0"


def waiting_room(owner: int = 0, ready: bool = False) -> tuple[FakeClient, WaitingRoomScreen]:
    """Return a waiting room of four: Ada, a free seat, a bot, Dee."""
    seats = [wire.SeatInfo("Ada", "here", ready), wire.SeatInfo(), wire.SeatInfo("Cid", "bot", True, bot="hard")]
    info = wire.TableInfo("PUB", [*seats, wire.SeatInfo("Dee", "here", False)], "lobby", owner)
    client = FakeClient(None, info, 0)
    return client, WaitingRoomScreen(TableSession(client, samples.catalog(), invitation=(STRING,)))


async def test_the_waiting_room_says_what_the_game_waits_for() -> None:
    client, screen = waiting_room()
    async with shown(screen) as (press, _):
        text = await press()
        assert "Press y when you are ready" in text and "bot, hard" in text and "kickdoor://10.0.0.7:7788/PUB" in text
        await press("y")
        assert client.sets == [{"ready": True}]
        assert client.info is not None
        client.info.seats[0].ready = True
        client.tell(wire.Info(client.info))
        assert "1 seat is still free" in await press()


@pytest.mark.long(4)
@pytest.mark.parametrize("key", ["a", "d", "k", "G", "M", "Q", "ctrl+p", "?"])
@pytest.mark.parametrize("ends", ["table", "closed"])
async def test_whatever_lies_over_the_waiting_room_closes_when_the_game_begins(key: str, ends: str) -> None:
    client, screen = waiting_room()
    async with shown(screen) as (press, results):
        await press(key)
        assert client.info is not None and not results
        if ends == "table":
            client.view = samples.your_turn()
            client.tell(wire.Info(replace(client.info, stage="playing")))
        else:
            client.stage = "closed"
            client.tell(wire.Info(client.info))
        await press()
        if not screen.is_attached or screen.is_current:
            assert results == [ends]
        else:  # anything that hides it wholly stays until it is closed
            await press("escape")
            assert results == [ends]


async def test_the_waiting_room_names_those_who_are_offline() -> None:
    client, screen = waiting_room(ready=True)
    async with shown(screen, (120, 40)) as (press, _):
        assert client.info is not None
        client.info.seats[1] = wire.SeatInfo("Bo", "lost")
        client.tell(wire.Info(client.info))
        assert "Waiting for Bo (offline), Dee." in await press()
        assert "Bo is offline" in "\n".join(lacking(client.info, 0)[1])


async def test_the_owner_fills_seats_and_begins() -> None:
    client, screen = waiting_room()
    async with shown(screen) as (press, _):
        await press("b")
        assert "free the seat of Dee" in await press("k"), "a person is not sent away by a slip"
        assert "Begin with a bot on seat 2?" in await press("enter", "p", "s")
        await press("enter")
        assert client.requests[-1] == ("pace", -1, "relaxed"), "who presses ENTER at once waits for others"
        await press("s", "2")
        assert client.requests == [("bot", 1, ""), ("kick", 3, ""), ("pace", -1, "relaxed"), ("start", -1, "")]


async def test_a_request_about_a_seat_does_not_meet_who_has_sat_down_there_since() -> None:
    client, screen = waiting_room()
    async with shown(screen) as (press, _):
        await press("k")
        assert client.info is not None
        client.info.seats[3] = wire.SeatInfo("Zoe", "here")
        client.tell(wire.Info(client.info))
        assert "somebody else sits there now" in await press("enter") and client.requests == []
        assert "free the seat of Zoe" in await press("k")
        client.info.seats[3] = wire.SeatInfo("Zoe", "lost")
        client.tell(wire.Info(client.info))
        await press("enter")
        assert client.requests == [("kick", 3, "")]


async def test_a_slip_does_not_give_the_seat_up() -> None:
    _, screen = waiting_room()
    async with shown(screen) as (press, results):
        assert "give the seat and the table up" in await press("G")
        assert "Press y when you are ready" in await press("escape") and results == []
        await press("G", "enter")
        assert results == ["gone"]


async def test_the_answer_to_a_knock_is_under_the_cursor() -> None:
    client, screen = waiting_room()
    async with shown(screen) as (press, _):
        client.tell(wire.Knocks([wire.KnockInfo(7, "Sam", "3f2a 91bc", False, "")]))
        await press("d", "enter")
        assert client.requests == [("admit", -1, "")]


def test_the_room_counts_those_who_sit_there_and_calls_you_you() -> None:
    seats = [wire.SeatInfo("Ada", "here"), wire.SeatInfo("Bo", "here"), wire.SeatInfo()]
    deal = wire.DealInfo(1, bytes(32), {0: bytes(32), 1: bytes(32), 2: bytes(32)})
    info = wire.TableInfo("PUB", seats, "lobby", 0, deal=deal)
    assert "2 of 2 have drawn" in deal_words(info)
    assert lacking(info, 0)[1] == ["1 free seat", "Bo is not ready", "you are not ready"]
    assert lacking(info, -1)[1] == ["1 free seat", "Ada is not ready", "Bo is not ready"]


async def test_one_button_says_who_is_waited_for_and_does_what_comes_next() -> None:
    client, screen = waiting_room()
    async with shown(screen) as (press, _):
        assert "ENTER  I AM READY" in await press()
        await press("enter")
        assert client.sets == [{"ready": True}] and client.info is not None
        client.info.seats[0].ready = True
        client.tell(wire.Info(client.info))
        assert "START, bots take free seats (missing: 1 free seat, Dee is not ready)" in await press()
        assert "Begin with a bot on seat 2?" in await press("enter")
        client.info.seats[2] = wire.SeatInfo()
        client.tell(wire.Info(client.info))
        assert "other seats are free now" in await press("2") and not client.requests
        assert "Begin with bots on seats 2 and 3?" in await press("enter")
        await press("2")
        assert client.requests == [("start", -1, "")]
    client, screen = waiting_room(owner=3, ready=True)
    async with shown(screen, (60, 20)) as (press, _):
        assert "Waiting for the others (not ready: 2 seats)" in await press("enter") and client.requests == []


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 34), (120, 40), (200, 60)], ids=str)
@pytest.mark.parametrize("ascii_only", [False, True])
async def test_the_waiting_room_names_every_seat_at_every_size(size: tuple[int, int], ascii_only: bool) -> None:
    _, screen = waiting_room()
    screen.session.glyphs = ASCII if ascii_only else UNICODE
    async with shown(screen, size) as (press, _):
        text = await press()
        shapes = ASCII_SHAPES if ascii_only else SHAPES
        for words in (f"{shapes[0]} Ada (you)", f"{shapes[2]} Cid", f"{shapes[3]} Dee", "not ready yet", "^Q leave"):
            assert words in text
        assert text.isascii() or not ascii_only
        if size[0] >= 120:
            assert "to wait for:" in text and "The game" in text


async def test_others_cannot_do_what_the_owner_does() -> None:
    client, screen = waiting_room(owner=3)
    async with shown(screen) as (press, _):
        assert "Only the owner" in await press("b") and client.requests == []


async def test_the_waiting_room_closes_when_the_game_begins_or_the_table_closes() -> None:
    client, screen = waiting_room()
    async with shown(screen) as (press, results):
        client.info.stage = "playing"
        client.tell(wire.Update(1, 1, samples.idle()))
        await press()
        assert results == ["table"]
    client, screen = waiting_room()
    async with shown(screen) as (press, results):
        client.stage = "closed"
        client.tell(wire.Bye("closing", "the host has been stopped"))
        await press()
        assert results == ["closed"]


async def test_ctrl_c_leaves_the_waiting_room_as_the_key_that_leaves_it_does() -> None:
    outcomes = []
    for key in ("ctrl+q", "ctrl+c"):
        _, screen = waiting_room()
        async with shown(screen) as (press, results):
            outcomes.append((await press(key), list(results)))
    assert outcomes[0] == outcomes[1] and outcomes[0][1]


async def test_players_can_talk_in_the_waiting_room() -> None:
    client, screen = waiting_room()
    async with shown(screen) as (press, _):
        await press("t", "y", "o", "enter")
        assert client.said == ["yo"] and client.sets == []
        assert "ENTER sends" in await press("t") and remark_keys() in await press()
        await press("1")
        assert client.said == ["yo", REMARKS[0]]
        client.tell(wire.Talk(3, "Dee", "[b]hello[/b]"))
        assert "Dee: [b]hello[/b]" in await press()


# ---------------------------------------------------------------------------------------------- palette, owner, looks
async def test_every_key_that_does_something_is_a_command_too() -> None:
    async with table(samples.crowded()) as pilot:
        titles = {command.title for command in pilot.app.get_system_commands(pilot.screen)}
        for key in keys.TABLE:
            if key.show and not key.action.startswith("app."):
                assert key.words in titles
        assert "play Prismatic Glitter +5.." in titles


async def test_the_owner_has_a_menu_and_others_are_told_so() -> None:
    async with table(samples.idle()) as pilot:
        await pilot.keys("a")
        assert "pause the game" in pilot.text()
        await pilot.keys("1")
        assert pilot.client.requests == [("pause", -1, "")]
    async with table(samples.idle(), info=samples.info(owner=2)) as pilot:
        await pilot.keys("a")
        assert "Only the owner" in pilot.text() and pilot.client.requests == []


async def test_a_paused_table_says_so() -> None:
    async with table(samples.your_turn(), info=samples.info(stage="paused")) as pilot:
        assert "THE TABLE IS PAUSED" in pilot.text() and "kick open the door" not in pilot.lines()[-3]
        assert not pilot.model.here.entries, "nothing can be done until it goes on"


@pytest.mark.long(2)
@pytest.mark.parametrize("theme", ["ansi-dark", "textual-light"])
async def test_a_theme_changes_no_word(theme: str) -> None:
    async with table(samples.crowded()) as pilot:
        words = pilot.lines()
    async with table(samples.crowded(), theme=theme) as pilot:
        assert pilot.lines() == words
        assert pilot.screen.query_one("#prompt", Pane).lines
