"""Tokens that lead back to a seat: the token with which its client came, until the client shows that it has a newer
one."""

from pathlib import Path

import msgspec
import pytest

from netcode.journal import SavedTable
from netcode.protocol import limits, wire
from netcode.protocol.credentials import token_hash
from tests.netcode.offline_table import JOIN, OfflineTable, Player
from tests.netcode.restored_table import journal_rows, restored_table


def token_of(player: Player) -> bytes:
    """Return the newest resume token that a player was given."""
    return player.received(wire.Welcome)[-1].token


def says_hello(offline: OfflineTable, token: bytes, name: str = "Kim") -> Player:
    """Say hello again with this token, from another connection; it must lead to a session."""
    found = offline.hello(name, token, address=b"%d" % len(offline.players))
    assert isinstance(found, Player), f"not let in: {found}"
    return found


def is_refused(offline: OfflineTable, token: bytes, name: str = "Kim") -> bool:
    """Return whether a token leads nowhere."""
    answer = offline.hello(name, token, address=b"refused")
    return isinstance(answer, wire.Error) and answer.code == "bad_token"


def renewed(offline: OfflineTable) -> None:
    """Let the owner make a new join string."""
    offline.table.seating.admission.renew("join")


def seated(*, renew: bool) -> tuple[OfflineTable, Player, bytes]:
    """Return a table, Kim, and the resume token that Kim certainly has. renew: its string has been renewed since."""
    offline = OfflineTable()
    kim, *_ = offline.sit("Kim", "Roger", "Ross")
    kim.send(wire.Ping(kim.session.s, 1))
    if renew:
        renewed(offline)
    return offline, kim, token_of(kim)


@pytest.mark.parametrize("renew", (False, True), ids=("", "renewed"))
def test_however_many_welcomes_are_lost_the_token_that_its_client_has_leads_back(renew: bool) -> None:
    offline, kim, token = seated(renew=renew)
    for lost in range(2 * limits.RESUME_TOKENS):
        assert says_hello(offline, token).session is kim.session, f"after {lost} lost welcomes"
    assert offline.table.seating.seats[kim.seat].player is kim.session


def test_the_token_before_is_spent_once_a_message_shows_that_the_newer_one_has_arrived() -> None:
    offline, kim, token = seated(renew=True)
    for _ in range(3):
        back = says_hello(offline, token)
    back.send(wire.Ping(kim.session.s, 1))
    assert is_refused(offline, token)
    assert says_hello(offline, token_of(back)).session is kim.session


def test_the_token_before_is_spent_once_a_newer_one_is_used() -> None:
    offline, _, token = seated(renew=True)
    first = says_hello(offline, token)
    second = says_hello(offline, token_of(first))
    assert is_refused(offline, token)
    assert not is_refused(offline, token_of(first)), "the welcome to the second hello may be lost too"
    assert not is_refused(offline, token_of(second))


def test_whichever_of_several_welcomes_has_arrived_its_token_leads_back() -> None:
    """The client said hello again before the first answer came, and the last ones were lost with the connection."""
    for arrived in range(3):
        offline, kim, token = seated(renew=True)
        backs = [says_hello(offline, token) for _ in range(3)]
        backs[-1].send(wire.Ping(kim.session.s, 1))
        assert says_hello(offline, token_of(backs[arrived])).session is kim.session


def test_a_newcomer_whose_welcome_is_lost_comes_back_although_the_string_was_renewed() -> None:
    offline = OfflineTable()
    first = offline.hello("Kim")
    assert isinstance(first, Player)
    renewed(offline)
    again = says_hello(offline, JOIN)
    assert again.session is first.session and offline.table.seating.humans() == 1
    again.send(wire.Ping(again.session.s, 1))
    assert is_refused(offline, JOIN), "from now on it has a resume token"
    assert is_refused(offline, JOIN, "Eve"), "the old string lets nobody else in"


def test_a_string_that_still_holds_does_not_stop_an_owner_from_taking_a_table_back() -> None:
    offline = OfflineTable()
    kim, roger = offline.sit("Kim", "Roger")
    owner = offline.table.config.owner
    assert says_hello(offline, owner, "Roger").session is roger.session
    assert offline.table.seating.owner == roger.seat
    offline.table.seating.make_owner(kim.session)
    assert says_hello(offline, owner, "Roger").session is roger.session
    assert offline.table.seating.owner == roger.seat


def test_a_stolen_token_leads_nowhere_without_the_key() -> None:
    offline, _, token = seated(renew=True)
    says_hello(offline, token)
    answer = offline.hello("Eve", token, key="Eve", address=b"eve")
    assert isinstance(answer, wire.Error) and answer.code == "bad_token"


def test_a_bot_of_the_host_whose_welcome_is_lost_comes_back() -> None:
    offline = OfflineTable(bots=1)
    (wanted,) = offline.table.seating.wanted
    first, again = (offline.hello("bot", wanted.token, "bot", address=b"%d" % turn) for turn in (1, 2))
    assert isinstance(first, Player) and isinstance(again, Player) and first.session is again.session


def test_tokens_are_bounded_however_often_a_host_ends_before_its_welcome_arrives(tmp_path: Path) -> None:
    """Each host has forgotten what it offered last, and offers another token."""
    offline, kim, token = seated(renew=True)
    for number in range(2 * limits.RESUME_TOKENS):
        folder = tmp_path / str(number)
        folder.mkdir()
        offline.table = restored_table(offline, journal_rows(offline, folder))
        offline.table.take()
        back = says_hello(offline, token)
        assert len(back.session.tokens) <= limits.RESUME_TOKENS and back.seat == kim.seat
    assert not is_refused(offline, token_of(back))


def test_after_a_restart_every_token_that_its_client_may_have_leads_back(tmp_path: Path) -> None:
    offline, _, token = seated(renew=True)
    given = [token, *(token_of(says_hello(offline, token)) for _ in range(2))]
    for number, one in enumerate(given):
        folder = tmp_path / str(number)
        folder.mkdir()
        table = restored_table(offline, journal_rows(offline, folder))
        hello = wire.Hello(wire.WIRE, wire.WIRE, "t", one, "Kim")
        assert table.hello(hello, "Kim", b"1", offline.stamp) is not None, f"token {number}"


def test_a_journal_with_two_tokens_of_each_player_is_read(tmp_path: Path) -> None:
    """The journal has the form that older hosts wrote."""
    offline, kim, _ = seated(renew=True)
    saved: SavedTable = journal_rows(offline, tmp_path)

    def older(data: bytes) -> bytes:
        record = msgspec.msgpack.decode(data)
        if record["player"] is not None and record["player"]["s"] == kim.session.s:
            del record["player"]["tokens"]
            record["player"].update(token=token_hash(b"new"), old_token=token_hash(b"old"))
        return bytes(msgspec.msgpack.encode(record))

    for number, data in saved.seats.items():
        saved.seats[number] = older(data)
    for token in (b"old", b"new"):
        table = restored_table(offline, saved)
        hello = wire.Hello(wire.WIRE, wire.WIRE, "t", token, "Kim")
        assert table.hello(hello, "Kim", b"1", offline.stamp) is not None
