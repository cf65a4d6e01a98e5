"""Admission on the screen: new strings, knocks, mutes, and the powers of a player who acts for the owner."""

import re
from dataclasses import replace
from typing import Any

import pytest

from netcode.protocol import wire
from netcode.protocol.credentials import Join, parse_join
from tests.tui import samples
from tests.tui.app_pilot import shown, table
from tests.tui.fake_client import FakeClient
from tui.app.app import KickdoorApp
from tui.scene.cells import UNICODE
from tui.scene.table_session import TableSession
from tui.screens.waiting_room import WaitingRoomScreen


async def door(*keys: str, **info: Any) -> list[tuple[str, int, str]]:
    """Return the requests of the admission menu to the host after these keys."""
    async with table(samples.own_combat(), info=samples.info(**info)) as pilot:
        await pilot.keys("d", *keys)
        return pilot.client.requests


async def test_what_stops_strangers_is_two_keys() -> None:
    assert await door("1") == [("renew", -1, "join")]
    assert await door("2") == [("knock", -1, "")]
    assert await door("2", knocking=True) == [("no_knock", -1, "")]
    assert await door("3") == [("close", -1, "")]
    assert await door("3", inviting=False) == [("open", -1, "")]
    assert await door("4") == [("renew", -1, "watch")]


KNOCKS = [wire.KnockInfo(4, "Sam", "3f2a 91bc"), wire.KnockInfo(7, "Во", "0000 1111", watch=True, like="Bo")]


async def test_the_owner_sees_who_knocks_and_answers_without_losing_sight_of_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with table(samples.own_combat()) as pilot:
        rang: list[object] = []
        monkeypatch.setattr(KickdoorApp, "bell", lambda app: rang.append(app))
        before = pilot.lines()
        pilot.client.tell(wire.Knocks(KNOCKS))
        await pilot.settle()
        text = pilot.text()
        assert "d 2 knock" in text and rang
        for said in ("Sam (3f2a 91bc) knocks: d answers.", "Во (0000 1111) knocks to spectate: d answers. Beware"):
            assert any(said in line.text for line in pilot.screen.session.log)
        now = pilot.lines()
        assert now[:3] == before[:3] and [row[26:] for row in now[3:9]] == [row[26:] for row in before[3:9]], (
            "head, track, faces and sums are not hidden"
        )
        assert now[15:23] == before[15:23], "hand and prompt are not hidden"
        await pilot.keys("d")
        text = pilot.text()
        assert "let in Sam 3f2a 91bc" in text and "refuse Sam" in text and "let in Во, like Bo!" in text
        await pilot.keys("4", "d", "5")
        assert pilot.client.requests == [("admit", -1, ""), ("refuse", -1, "")]
        assert [number for number, _ in pilot.client.details] == [4, 4]
        pilot.client.tell(wire.Knocks([]))
        await pilot.settle()
        assert "knock" not in pilot.lines()[-1]


async def test_a_new_string_is_shown_copied_and_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    monkeypatch.setattr(KickdoorApp, "copy_to_clipboard", lambda app, text: copied.append(text))
    async with table(samples.own_combat()) as pilot:
        pilot.client.tell(wire.Strings(b"j" * 16, b"w" * 16))
        (join,), (watch,) = pilot.screen.session.strings
        await pilot.keys("d", "5")
        text = re.sub(r"[\s│]", "", pilot.text())
        await pilot.keys("c", "w")
        assert join in text and watch in text and copied == [join, watch]
        await pilot.keys("Q", "escape", "escape")
        pilot.client.tell(wire.Strings(b"n" * 16, b"w" * 16))
        ((new,), _) = pilot.screen.session.strings
        await pilot.settle()
        assert "There is a new join string (d shows it); the old one lets nobody new in." in [
            line.text for line in pilot.screen.session.log
        ]
        assert new != join and parse_join(new).token == b"n" * 16
    client = FakeClient(None, samples.info(4, stage="lobby"))
    session = TableSession(client, samples.catalog(), UNICODE, invitation=(str(OTHER_WAY),))
    async with shown(WaitingRoomScreen(session)) as (press, _):
        client.tell(wire.Strings(b"n" * 16, b"w" * 16))
        text = (await press()).replace("\n", "").replace(" ", "")
        assert str(replace(OTHER_WAY, token=b"n" * 16))[-20:] in text, "the new token, at the address known here"


async def test_the_owner_reads_the_short_words_and_renews_them() -> None:
    client = FakeClient(None, samples.info(4, stage="lobby", owner=0))
    session = TableSession(client, samples.catalog(), UNICODE, invitation=(str(OTHER_WAY),))
    async with shown(WaitingRoomScreen(session)) as (press, _):
        assert "otter" not in await press()
        client.tell(wire.Strings(b"n" * 16, b"w" * 16, "otter-lamp-42"))
        assert "kickdoor join 192.168.1.20:7788 otter-lamp-42" in await press()
        client.tell(wire.Strings(b"n" * 16, b"w" * 16, "otter-lamp-42", True))
        text = await press()
        assert "The short words rest: too many tries were wrong" in text and "otter-lamp" not in text
        assert any(line.text.startswith("The short words rest") for line in session.log)
        assert "new short words" in await press("d")
        await press("5")
        assert client.requests == [("renew", -1, "words")]
        client.tell(wire.Strings(b"n" * 16, b"w" * 16, "tiger-canoe-42"))
        assert "192.168.1.20:7788 tiger-canoe-42" in await press()
        assert any(line.text.startswith("There are new short words") for line in session.log)
        await press("d", "6")
        assert "tiger-canoe-42" in await press()


OTHER_WAY = Join("192.168.1.20", 7788, "PUB", b"k" * 32, b"t" * 16)


async def test_whoever_acts_for_the_owner_is_offered_only_what_they_may_do() -> None:
    async with table(samples.own_combat(), info=samples.info(acting=True)) as pilot:
        pilot.client.tell(wire.Knocks(KNOCKS[:1]))
        await pilot.keys("a")
        text = pilot.text()
        assert "THE OWNER IS AWAY; YOU ACT FOR THEM" in text and "pause the game" in text
        await pilot.keys("2")
        text = pilot.text()
        assert "let a bot play" in text and "ban" not in text and "remove" not in text and "mute" not in text
        await pilot.keys("escape", "d")
        text = pilot.text()
        assert "admit no new players" in text and "let in Sam" in text and "string" not in text


async def test_anybody_mutes_talk_for_themselves() -> None:
    async with table(samples.own_combat(), info=samples.info(watchers=1, owner=2)) as pilot:
        await pilot.keys("M")
        assert "mute Bo" in pilot.text() and "mute the spectators" in pilot.text()
        await pilot.keys("1")
        pilot.client.tell(wire.Talk(1, "Bo", "blah blah"))
        pilot.client.tell(wire.Talk(2, "Cid", "hello there"))
        await pilot.settle()
        text = pilot.text()
        assert "blah" not in text and "hello there" in text and pilot.screen.session.muted == {1}
        await pilot.keys("M")
        assert "read Bo again" in pilot.text()
        await pilot.keys("1")
        pilot.client.tell(wire.Talk(1, "Bo", "sorry"))
        await pilot.settle()
        assert "sorry" in pilot.text() and pilot.client.requests == []
        await pilot.keys("M", "1")
        info = samples.info(owner=2)
        info.seats[1].name = "Ben"
        pilot.client.tell(wire.Info(info))
        assert not pilot.screen.session.muted, "somebody else sits there now"


async def test_mutes_and_knocks_are_in_the_log() -> None:
    async with table(samples.idle()) as pilot:
        log = pilot.screen.session.log
        before = len(log)
        muted = samples.info(knocking=True, spectators_muted=True, acting=True, owner=1)
        muted.seats[2].muted = True
        pilot.client.tell(wire.Info(muted))
        pilot.client.tell(wire.Info(samples.info()))
        assert [line.text for line in log[before:]] == [
            "The owner is away; Bo acts for them.", "Newcomers knock from now on.",
            "The spectators have been muted by the owner.", "Cid has been muted by the owner.",
            "The table is yours now (a).", "Newcomers come in freely again.", "The spectators may talk again.",
            "Cid may talk again.",
        ]  # fmt: skip
