"""Bots with a personality: the screen names it, and their talk can be muted or left out."""

import pytest

from netcode.bots.personalities import personalities
from netcode.protocol import wire
from netcode.protocol.wire import SeatInfo, TableInfo
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tui.menus.owner_menus import mute_rows, seat_requests
from tui.plain.room import seat_words
from tui.plain.words import seat_lines
from tui.render.details import Detail, contents
from tui.scene.cells import UNICODE
from tui.scene.table_session import TableSession
from tui.widgets.entry.room import Room, game_words, seat_state

GILDA = personalities()["gilda"]
BOT = SeatInfo("Gilda", "bot", bot="normal/gilda")
NOBODY = SeatInfo("Dee", "bot", bot="normal")
OWN = SeatInfo("Robin", "bot", bot="Greedy, by Kim")


def info(stage: str = "playing") -> TableInfo:
    """Return a table with a person, a bot with a personality, a bot without one, and a third-party bot."""
    found = samples.info(5, stage=stage)
    found.seats[1:5] = [SeatInfo("Bo", "here"), BOT, NOBODY, OWN]
    return found


def test_the_waiting_room_says_who_it_is_and_how_well_it_plays() -> None:
    room = Room(info("lobby"), 0, (), "cards", (), UNICODE)
    assert seat_state(BOT) == "bot, normal" and game_words(room)[-1] == f"Gilda {GILDA.words}."
    assert seat_words(info(), 2, 0) == f"Gilda: bot, normal, {GILDA.words}."
    assert seat_words(info(), 3, 0) == "Dee: bot, normal."


def test_the_details_of_a_seat_say_who_it_is() -> None:
    table = samples.scene(samples.own_combat(), info=info())
    for seat, words in ((2, f"Gilda, a bot that plays normal: {GILDA.words}"), (4, "bot: Greedy, by Kim")):
        shown = " ".join(text.strip() for line in contents(table, Detail("seat", seat), 200)[1] for text, _ in line)
        assert words in shown
        assert any(words.casefold() in line.casefold() for line in seat_lines(table, seat))
    assert not any("a bot that" in line for line in seat_lines(table, 3))


def test_people_and_bots_that_talk_can_be_muted() -> None:
    assert [words for _, words in mute_rows(info(), 0, frozenset())] == ["mute Bo", "mute Gilda", "mute Robin"]
    asked = [[request.what for _, request in seat_requests(info(), at)] for at in (2, 3, 4)]
    assert ["mute" in requests for requests in asked] == [True, False, True]


@pytest.mark.parametrize(
    ("talk", "heard"), [(True, ["Bo: Hi", "Gilda: Three each", "Robin: beep"]), (False, ["Bo: Hi"])]
)
def test_the_talk_of_bots_can_be_left_out(talk: bool, heard: list[str]) -> None:
    client = FakeClient(samples.own_combat(), info())
    session = TableSession(client, samples.catalog())
    session.bots_talk = talk
    for seat, name, text in ((1, "Bo", "Hi"), (2, "Gilda", "Three each"), (4, "Robin", "beep")):
        client.tell(wire.Talk(seat, name, text))
    assert [line.text for line in session.log if line.kind == "talk"] == heard
