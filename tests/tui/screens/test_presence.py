"""Presence on the screen: who is away and for how long, undo votes, the owner's menu, a small window."""

import asyncio
import json
from pathlib import Path

import pytest

from core.state import actions as a
from netcode.protocol import wire
from netcode.protocol.qr import half_blocks
from netcode.protocol.string_files import STRINGS
from tests.netcode.namespaces import machines, needs_namespaces
from tests.netcode.running_host import running_host, start_process, until
from tests.patience import PATIENCE_S
from tests.tui import samples
from tests.tui.app_pilot import HOUR_S, shown, table
from tests.tui.fake_client import FakeClient
from tests.tui.goldens import STRING
from tui.app import launch
from tui.app.app import KickdoorApp
from tui.app.navigation import NavigationApp
from tui.app.start_host import TableError, list_hosts, locate
from tui.config.settings import Settings
from tui.menus.entries import OwnerRequest
from tui.menus.owner_menus import consequence
from tui.menus.side_menus import closing_words
from tui.scene.cells import UNICODE
from tui.scene.table_session import TableSession
from tui.screens.invitation import InvitationScreen, QrScreen
from tui.screens.waiting_room import WaitingRoomScreen


class Clock:
    """Seconds that the test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_the_time_of_an_offline_seat_counts_without_messages() -> None:
    async with table(samples.interrupt()) as pilot:
        clock = Clock()
        pilot.screen.session._clock = clock
        assert "offline 9 s" in pilot.text()
        clock.now = 12.0
        pilot.screen.timing.counted_at = -5.0
        pilot.screen.timing.tick()
        await pilot.settle()
        assert "offline 21 s" in pilot.text()
        pilot.client.tell(wire.Info(samples.info()))
        await pilot.settle()
        assert "offline 9 s" in pilot.text(), "what the host says counts"


async def test_any_key_takes_the_seat_back_from_a_bot_and_does_nothing_else() -> None:
    async with table(samples.own_combat(), info=samples.away()) as pilot:
        for key in ("1", "space", "enter", "e"):
            await pilot.keys(key)
        assert pilot.client.acts == [] and pilot.client.sets == [{}], "one wish, however many keys"
        pilot.client.tell(wire.Info(samples.info()))
        await pilot.settle()
        await pilot.keys("x", "1")
        assert pilot.client.acts == [a.Accept(6)]
    async with table(samples.own_combat(), info=samples.away()) as pilot:
        await pilot.keys("ctrl+q", "1")
        assert pilot.client.sets == [], "leaving is no coming back"


async def test_an_undo_is_requested_after_a_question() -> None:
    async with table(samples.interrupt()) as pilot:
        await pilot.keys("u")
        assert pilot.client.votes == []
        await pilot.keys("escape", "u", "1")
        assert pilot.client.votes == [(0, True)]
    async with table(samples.watching(), seat=-1) as pilot:
        await pilot.keys("u")
        assert "Only players can ask to undo an action" in pilot.text()


async def test_a_vote_comes_before_the_open_menu_and_keeps_it() -> None:
    async with table(samples.interrupt(), key_pause=HOUR_S) as pilot:
        await pilot.keys("3")
        chosen = pilot.model.menus.path
        pilot.client.tell(wire.Info(samples.voting()))
        await pilot.settle()
        pilot.app.simulate_key("1")
        await pilot.settle()
        assert pilot.client.votes == [] and pilot.client.acts == [], "the digit was meant for what was asked before"
        await pilot.keys("space", "enter", "escape")
        assert pilot.client.acts == [] and pilot.client.votes == []
        await pilot.keys("2")
        assert pilot.client.votes == [(3, False)]
        pilot.client.tell(wire.Info(samples.info()))
        await pilot.settle()
        assert pilot.model.menus.path == chosen and chosen


async def test_a_request_to_undo_can_be_withdrawn_and_whoever_agreed_waits() -> None:
    async with table(samples.interrupt(), info=samples.voting(by=samples.ME, waiting=[1, 2])) as pilot:
        assert "Waiting for Bo, Cid (17 s)" in " ".join(pilot.text().replace("▌", "").split())
        await pilot.keys("1")
        assert pilot.client.votes == [(3, False)]
    async with table(samples.interrupt(), info=samples.voting(waiting=[2])) as pilot:
        assert "Bo asks to take this back: Bo claims the kill. Waiting for Cid" in pilot.text()
        await pilot.keys("1", "2")
        assert pilot.client.votes == []
        await pilot.keys("ctrl+q")
        assert "leave, the seat stays yours" in pilot.text(), "one may leave all the same"


@pytest.mark.long(3)
@pytest.mark.parametrize(
    ("voted", "words"),
    [
        (wire.Voted(1, False, 2), "Bo asked to undo an action: Cid said no."),
        (wire.Voted(1, False, 1), "Bo asked to undo an action: Bo did not wait for it."),
        (wire.Voted(1, False), "Bo asked to undo an action: not all agreed in time."),
    ],
)
async def test_the_result_of_a_vote_is_in_the_log(voted: wire.Down, words: str) -> None:
    async with table(samples.interrupt()) as pilot:
        pilot.client.tell(voted)
        await pilot.settle()
        assert pilot.screen.session.log[-1].text == words
        assert words[:19] in pilot.text()


@pytest.mark.parametrize(
    ("older", "words"),
    [
        (wire.Older(1, 1, 9), "Bo claims to have seen 9 changes more: the host may have restored an older copy"),
        (wire.Older(1, 2), "Bo claims to have seen game 2 of this table: the host may have restored an older copy"),
    ],
)
async def test_everybody_reads_that_somebody_has_seen_more_of_the_game(older: wire.Down, words: str) -> None:
    async with table(samples.interrupt()) as pilot:
        pilot.client.tell(older)
        await pilot.settle()
        assert pilot.screen.session.log[-1].text == f"{words} of the game."
        assert words[:40] in pilot.text()


async def requests(*keys: str) -> list[tuple[str, int, str]]:
    """Return the requests of the owner's menu to the host after these keys."""
    async with table(samples.own_combat()) as pilot:
        await pilot.keys("a", *keys)
        return pilot.client.requests


@pytest.mark.long(0)
async def test_every_request_of_the_owner_is_one_key() -> None:
    assert await requests("1") == [("pause", -1, "")]
    assert await requests("2", "1") == [("bot", 1, "")]
    assert await requests("2", "2") == [], "it asks once more"
    assert await requests("2", "2", "enter") == [("owner", 1, "")]
    assert await requests("2", "3") == [("kick", 1, "")]
    assert await requests("2", "4") == [("kick", 1, "")]
    assert await requests("2", "5") == [("ban", 1, "")]
    assert await requests("2", "6") == [("mute", 1, "")]
    assert await requests("7") == [("pace", -1, "quick")]
    assert await requests("9", "3") == [("close", -1, "")]


async def test_the_owner_decides_for_inactive_players_and_admits_new_ones() -> None:
    async with table(samples.idle(), info=samples.info(inviting=False, watchers=2, stage="paused")) as pilot:
        await pilot.keys("a")
        text = pilot.text()
        assert "resume the game" in text and "wait no longer for Bo" in text
        await pilot.keys("2")
        assert pilot.client.requests == [("default", 1, "")]
        await pilot.keys("a", "0")
        assert "who comes in.." in pilot.text() and "remove all spectators (2)" in pilot.text()


async def test_the_owners_menu_says_what_its_entries_open_and_lead_to() -> None:
    async with table(samples.idle(), (120, 40)) as pilot:
        await pilot.keys("a")
        assert "Bo: bot, owner, remove, ban, mute.." in pilot.text()
        assert "pace quick: 5 s to respond" in pilot.text()
    info = samples.info(6, stage="lobby")
    info.seats[1].state = "bot"
    assert consequence(info, OwnerRequest("kick", 1)) == "The seat is free again."
    assert "key is refused" in consequence(info, OwnerRequest("kick", 2))


async def test_only_the_owner_has_the_owners_menu() -> None:
    async with table(samples.idle(), info=samples.info(owner=2)) as pilot:
        await pilot.keys("a")
        assert "Only the owner" in pilot.text()
        await pilot.keys("1")
        assert pilot.client.requests == []


async def test_the_waiting_room_has_the_same_requests() -> None:
    lobby = samples.info(6, stage="lobby")
    lobby.seats[4].state, lobby.seats[4].name = "open", ""
    client = FakeClient(None, lobby)
    session = TableSession(client, samples.catalog(), UNICODE)
    async with shown(WaitingRoomScreen(session)) as (press, _):
        assert "a more" in await press()
        text = await press("a")
        assert "[1] ■ Bo: owner, remove, ban, mute.." in text and "★ free seat: bot.." in text
        assert "who comes in.." in text and "pause" not in text
        text = await press("1")
        assert "make them the owner" in text and "let a bot play" not in text
        assert "Make Bo the owner instead of you?" in await press("1")
        await press("1", "a", "1", "4")
        assert client.requests == [("ban", 1, "")]
        await press("a", "4")
        assert "put a bot in" in await press()
        await press("1", "a", "9")
        assert "new join string" in await press()
        await press("3")
        assert client.requests[1:] == [("bot", 4, ""), ("close", -1, "")]
        client.tell(wire.Knocks([wire.KnockInfo(4, "Sam", "3f2a 91bc"), wire.KnockInfo(7, "Ann", "0000 1111")]))
        assert "d 2 knock" in await press()
        assert "let in Sam 3f2a 91bc" in await press("d")
        await press("4", "M", "1")
        assert client.requests[3:] == [("admit", -1, "")] and session.muted == {1}
        assert "■ Bo" in (text := await press()) and ", muted" in text


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [(60, 18), (80, 19), (40, 40)], ids=str)
async def test_a_player_can_leave_in_a_window_that_is_too_small(size: tuple[int, int]) -> None:
    async with table(samples.interrupt(), size) as pilot:
        assert "^Q" in pilot.text()
        await pilot.keys("ctrl+q")
        text = pilot.text()
        assert "1 leave, the seat stays yours" in text and "2 give the seat up" in text and "ESC back" in text
        await pilot.keys("escape")
        assert "1 leave" not in pilot.text()
        await pilot.keys("ctrl+q", "1")
        await asyncio.sleep(0)
        assert not pilot.screen.is_current


# ------------------------------------------------------------------------------------------------------ spectators
async def test_spectators_are_told_the_delay() -> None:
    info = samples.info(watch_delay=60, watchers=2)
    async with table(samples.watching(), seat=-1, info=info) as pilot:
        assert "with a delay of 60 s." in pilot.text()
    lobby = samples.info(6, stage="lobby", watch_delay=60, watchers=2)
    session = TableSession(FakeClient(None, lobby), samples.catalog(), UNICODE)
    async with shown(WaitingRoomScreen(session)) as (press, _):
        assert "2 spectators, delayed by 60 s" in await press()


def test_the_closing_words_name_the_winners() -> None:
    view = samples.idle()
    assert closing_words(samples.info(), view) == "The table is closed."
    assert closing_words(None, None) == "The table is closed."
    view.winners = [1, 2]
    assert closing_words(samples.info(), view) == "The table is closed: Bo and Cid won."


async def test_a_spectator_reads_the_closing_words_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    async with running_host(gone_s=1, bots=2) as host:
        app = NavigationApp(Settings(name="Eve", bell=False), ("watch", host.watch, {}))
        async with app.run_test(size=(80, 24)):
            kim = host.client("Kim")
            await kim.join()
            kim.set(ready=True)
            await kim.wait_for(lambda one: one.view is not None)
            await kim.close()
            await until(lambda: app.farewell == "The table is closed." or bool(app.failed), PATIENCE_S)
        assert (app.farewell, app.failed, app.return_code) == ("The table is closed.", "", 0)


# -------------------------------------------------------------------------------------------------- finding a table
async def test_the_join_string_can_be_copied_and_shown_as_a_qr_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = []
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    monkeypatch.setattr(KickdoorApp, "copy_to_clipboard", lambda app, text: copied.append(text))
    lobby = samples.info(4, stage="lobby")
    session = TableSession(FakeClient(None, lobby), samples.catalog(), UNICODE, invitation=(STRING,))
    async with shown(WaitingRoomScreen(session)) as (press, _):
        words = " ".join((await press("c")).split())
        assert copied == [STRING] and "Copied, if your terminal allows it; it is in" in words
        assert (tmp_path / STRINGS).read_text(encoding="utf-8") == f"kickdoor join '{STRING}'\n"
        text = await press("Q")
        assert [row.strip() for row in half_blocks(STRING) if row.strip()] == [
            line.strip() for line in text.splitlines() if "▀" in line or "▄" in line or "█" in line
        ]
        assert "Others sit down with" in await press("escape")
    session = TableSession(FakeClient(None, lobby), samples.catalog(), UNICODE)
    async with shown(WaitingRoomScreen(session)) as (press, _):
        for key in ("c", "Q"):
            assert "The owner of the table has its strings" in await press(key)
    assert copied == [STRING]


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [(60, 20), (80, 23), (120, 40)])
async def test_the_invitation_has_keys_and_buttons_for_its_strings(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[str] = []
    monkeypatch.setattr(KickdoorApp, "copy_to_clipboard", lambda app, text: copied.append(text))
    watch = STRING.replace("j", "w", 1)
    screen = InvitationScreen(((STRING,), (watch,)), UNICODE)
    async with shown(screen, size) as (press, results):
        text = "".join((await press("c", "w")).replace("│", " ").split())
        assert copied == [STRING, watch]
        assert f"kickdoorjoin'{STRING}'" in text and f"kickdoorwatch'{watch}'" in text
        screen.query_one("#copy-0").focus()
        await press("enter", "tab", "enter")
        assert copied == [STRING, watch, STRING] and isinstance(screen.app.screen, QrScreen)
        await press("escape")
        assert screen.app.screen is screen
        await press("escape")
        assert results == [None]


async def test_an_invitation_without_its_strings_says_who_has_them() -> None:
    async with shown(InvitationScreen(((STRING,), ()), UNICODE)) as (press, _):
        assert "Only whoever opened the table here has it" in await press()


@pytest.mark.parametrize("theme", ["tavern", "textual-light", "ansi-dark"])
async def test_the_qr_code_is_black_on_white_in_every_theme(theme: str) -> None:
    app = KickdoorApp(Settings(theme=theme, bell=False))
    async with app.run_test(size=(80, 24)) as textual:
        await app.push_screen(QrScreen(STRING, UNICODE))
        for _ in range(3):
            await textual.pause(0)
        strips = app.screen._compositor.render_strips()
        styles = {part.style for strip in strips for part in strip if "▀" in part.text or "█" in part.text}
        assert {(style.color.triplet.hex, style.bgcolor.triplet.hex) for style in styles} == {("#000000", "#ffffff")}


@needs_namespaces
def test_joining_on_the_network_finds_the_host_or_says_why_not(capsys: pytest.CaptureFixture[str]) -> None:
    with machines(2) as (ben, kim):
        ben.address("lan0", "10.9.0.1/24")
        kim.address("lan0", "10.9.0.2/24")
        with pytest.raises(TableError, match="reaches nobody through SSH"):
            kim.do(list_hosts)
        with pytest.raises(TableError, match="no host with the key of this string was found"):
            kim.do(locate, STRING_OF_NOBODY)
        process = start_process(within=ben.within, announce=True, bind="0.0.0.0", name="the attic")
        try:
            true = json.loads(process.stdout.readline())["join"]
            port = true.rpartition("/")[0].rpartition(":")[2]
            assert kim.do(locate, true.replace("10.9.0.1", "10.9.0.99")) == true
            first, hint = kim.do(list_hosts)
            assert f"10.9.0.1:{port}  table" in first and "the attic" in first and "kickdoor join --lan -" in hint
            assert kim.do(launch.hosts) == 0
            assert "the attic" in capsys.readouterr().out
        finally:
            process.kill()
            process.communicate()


STRING_OF_NOBODY = "kickdoor://127.0.0.1:1/t#" + "A" * 43 + "." + "A" * 22


async def test_changes_of_owner_and_admission_are_in_the_log() -> None:
    async with table(samples.interrupt()) as pilot:
        log = pilot.screen.session.log
        pilot.client.tell(wire.Info(samples.info()))
        before = len(log)
        pilot.client.tell(wire.Info(samples.info(owner=1, inviting=False)))
        pilot.client.tell(wire.Info(samples.info(owner=1, inviting=False)))
        pilot.client.tell(wire.Info(samples.info()))
        assert [line.text for line in log[before:]] == [
            "The table is Bo's now.", "No new players are admitted.", "The table is yours now (a).",
            "New players are admitted again.",
        ]  # fmt: skip
