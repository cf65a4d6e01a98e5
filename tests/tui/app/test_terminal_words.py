"""The title of the terminal's window and notifications. test_terminal.py proves that the title is put back."""

import msgspec
import pytest

from netcode.protocol import wire
from tests.tui import samples
from tests.tui.app_pilot import table
from tests.tui.fake_client import FakeClient
from tui.app.app import KickdoorApp
from tui.app.terminal_diff import Mirror
from tui.app.terminal_words import NOTICES, TITLE_MOST, TerminalWords
from tui.scene.cells import ASCII
from tui.scene.table_session import TableSession
from tui.scene.window_title import window_title

EVIL = "Eve\x1b]0;owned\x07\x9b31m\u202e\nrm"


def test_a_title_is_written_only_when_it_changes_and_holds_no_control_characters() -> None:
    written: list[str] = []
    words = TerminalWords(written.append, "xterm")
    for text in ("a", "a", EVIL * 20, EVIL * 20):
        words.entitle(text)
    assert written[0] == "\x1b]2;a\x07" and len(written) == 2
    shown = written[1].removeprefix("\x1b]2;").removesuffix("\x07")
    assert shown.isprintable() and len(shown) == TITLE_MOST
    words.again()
    assert written[2] == written[1], "the shell had its own meanwhile"
    assert all(Mirror().reduced(data) == data for data in (*written, *NOTICES.values()))


def test_the_linux_console_gets_neither_titles_nor_notifications() -> None:
    written: list[str] = []
    words = TerminalWords(written.append, "linux")
    words.entitle("a")
    words.call("osc9")
    assert written == [] and not words.able


def test_the_cells_that_are_known_stay_known_when_a_title_is_written() -> None:
    mirror = Mirror()
    frame = "\x1b[1;1Hword"
    mirror.reduced(frame)
    mirror.reduced("\x1b]2;title\x07" + NOTICES["osc777"])
    assert mirror.reduced(frame) == ""


async def test_the_title_says_whose_turn_it_is_and_that_the_table_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    titles: list[str] = []
    monkeypatch.setattr(KickdoorApp, "_tell_terminal", lambda app, data: titles.append(data))
    async with table(samples.view(), info=samples.info()) as pilot:
        assert titles[-1] == "\x1b]2;Bo's turn · kickdoor\x07"
        before = len(titles)
        pilot.screen.redraw()
        assert len(titles) == before
        view = samples.your_turn()
        pilot.client.tell(wire.Update(1, 0, view, [], pilot.client.timers))
        await pilot.settle()
        assert titles[-1] == "\x1b]2;▶ your turn · kickdoor\x07"
        await pilot.app.pop_screen()
        assert titles[-1] == "\x1b]2;kickdoor\x07"


def test_a_name_in_a_title_is_short_and_in_ascii_where_the_screen_is() -> None:
    info = samples.info()
    seats = [msgspec.structs.replace(seat, name=EVIL[:20]) for seat in info.seats]
    client = FakeClient(samples.view(), msgspec.structs.replace(info, seats=seats))
    session = TableSession(client, samples.catalog(), ASCII)
    found = window_title(session.scene(), asked=False)
    assert found.isascii() and found.isprintable() and found.startswith("Eve") and len(found) <= 28


async def test_a_notification_is_off_by_default_and_comes_with_the_bell_while_the_player_looks_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(KickdoorApp, "_tell_terminal", lambda app, data: sent.append(data))
    async with table(samples.view(), info=samples.info()) as pilot:
        pilot.app.bell()
        assert not set(sent) & set(NOTICES.values()), "off"
        for how, data in NOTICES.items():
            pilot.app.settings.notify = how
            pilot.app.bell()
            assert sent[-1] == data and "Bo" not in data
        pilot.app.on_app_focus()
        sent.clear()
        pilot.app.bell()
        assert sent == [], "the player looks here"
        pilot.app.on_app_blur()
        pilot.app.bell()
        assert sent == [NOTICES["osc777"]]

