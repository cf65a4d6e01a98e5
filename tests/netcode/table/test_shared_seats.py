"""Two connections that want one seat: one that asks politely gets it if the other is silent; one that comes too late
gets nothing."""

from netcode.protocol import limits, wire
from netcode.protocol.credentials import token_hash
from tests.netcode.offline_table import JOIN, OWNER, OfflineTable, Player


def hello(offline: OfflineTable, player: Player, token: bytes, address: bytes, polite: bool = False) -> list[wire.Down]:
    """Say hello with a player's key from another connection; return the answers to that connection."""
    asks = wire.Hello(wire.WIRE, wire.WIRE, "t", token, "Kim", polite=polite)
    offline.table.hello(asks, player.session.key, address, offline.stamp)
    _, out = offline.table.take()
    return [one.message for one in out if one.address == address]


def seated() -> tuple[OfflineTable, Player, bytes]:
    """Return a table with Kim at it, and the token that leads back to her seat."""
    offline = OfflineTable()
    kim = offline.hello("Kim")
    assert isinstance(kim, Player)
    token = kim.received(wire.Welcome)[-1].token
    kim.send(wire.Ping(kim.session.s, 1))
    assert kim.session.tokens == [token_hash(token)]
    return offline, kim, token


def test_a_polite_hello_leaves_the_seat_to_a_connection_that_answers() -> None:
    offline, kim, token = seated()
    (first,) = hello(offline, kim, token, b"second", polite=True)
    assert isinstance(first, wire.Error) and (first.code, first.retry_ms) == ("seat_in_use", limits.ALIVE_RETRY_MS)
    offline.wait(500)
    kim.send(wire.Ping(kim.session.s, 2))
    (answer,) = hello(offline, kim, token, b"second", polite=True)
    assert isinstance(answer, wire.Error) and (answer.code, answer.retry_ms) == ("seat_in_use", 0)
    assert kim.session.address != b"second"
    welcome, *_ = hello(offline, kim, token, b"second")
    assert isinstance(welcome, wire.Welcome) and welcome.seat == kim.seat


def test_a_polite_hello_gets_the_seat_of_a_connection_that_does_not_answer() -> None:
    offline, kim, token = seated()
    kim.present = False
    (first,) = hello(offline, kim, token, b"second", polite=True)
    assert isinstance(first, wire.Error)
    offline.wait(limits.ALIVE_MS)
    welcome, *_ = hello(offline, kim, token, b"second", polite=True)
    assert isinstance(welcome, wire.Welcome) and welcome.seat == kim.seat


def test_who_wakes_up_with_an_old_token_is_told_why_and_does_not_take_the_seat_back() -> None:
    offline, kim, token = seated()
    welcome, *_ = hello(offline, kim, token, b"second")
    assert isinstance(welcome, wire.Welcome)
    offline.table.message(kim.session, wire.Ping(welcome.s, 1), offline.stamp)  # it has the new token
    offline.table.take()
    (spent,) = hello(offline, kim, token, b"third")
    assert isinstance(spent, wire.Error) and spent.code == "bad_token"
    for string, polite in ((JOIN, False), (JOIN, True), (OWNER, True)):  # then a client comes with its string
        (bye,) = hello(offline, kim, string, b"third", polite)
        assert isinstance(bye, wire.Bye) and bye.reason == "superseded"
    assert kim.session.address == b"second"
