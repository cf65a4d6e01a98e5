"""Menu entries that are not actions of the game send the same requests from the screen and from lines."""

import pytest

from core.state.views import View
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tui.menus.commands import ask_host, keeps_place
from tui.menus.entries import Command, Leave, MuteTalk, OwnerRequest, ShowStrings, UndoVote
from tui.menus.hint import AgreeToHints
from tui.scene.table_session import TableSession


@pytest.fixture
def session() -> TableSession:
    view: View = samples.idle()
    return TableSession(FakeClient(view, samples.info(), samples.ME), samples.catalog())


def test_the_host_hears_of_what_it_decides(session: TableSession) -> None:
    for command in (OwnerRequest("pace", -1, "quick"), UndoVote(3, yes=True), AgreeToHints(True), MuteTalk(1)):
        assert ask_host(session, command), command
    client = session.client
    assert isinstance(client, FakeClient)
    assert client.votes == [(3, True)] and client.sets == [{"hints": True}] and len(client.requests) == 1
    assert session.muted == {1}


@pytest.mark.parametrize("command", [Leave(), Leave(give_up=True), ShowStrings()])
def test_what_is_for_the_screen_is_left_to_it(session: TableSession, command: Command) -> None:
    assert not ask_host(session, command)
    client = session.client
    assert isinstance(client, FakeClient) and not client.requests and not client.sets


def test_only_an_answer_to_a_vote_keeps_the_place_in_the_menus() -> None:
    assert keeps_place(UndoVote(1, yes=True))
    assert not any(map(keeps_place, (UndoVote(0, yes=True), Leave(), MuteTalk(0))))


def test_a_stay_ends_as_its_entry_says() -> None:
    assert (Leave().how, Leave(give_up=True).how) == ("left", "gone")
