"""A code moves a seat to another machine: once, within ten minutes. Name and string alone lead to no seat of others."""

from netcode.protocol import limits, wire
from netcode.table.seat_codes import LETTERS
from tests.netcode.offline_table import JOIN, OWNER, WATCH, OfflineTable, Player


def hello(offline: OfflineTable, key: str, token: bytes, role: str = "player", name: str = "Kim") -> wire.Down:
    """Say hello from a machine of its own; return the first answer."""
    address = f"{key} {len(offline.players)} {offline.now}".encode()
    asks = wire.Hello(wire.WIRE, wire.WIRE, "t", token, name, role)  # type: ignore[arg-type]
    offline.table.hello(asks, key, address, offline.stamp, "192.0.2.7")
    return next(one.message for one in offline.deliver() if one.address == address)


def code_of(offline: OfflineTable, player: Player) -> wire.SeatCode:
    """Return a new code for a player's seat, asked for on a second connection."""
    token = [message.token for message in player.received(wire.Welcome)][-1]
    answer = hello(offline, player.session.key, token, "code")
    assert isinstance(answer, wire.SeatCode)
    return answer


def owned() -> tuple[OfflineTable, Player]:
    """Return a table with Kim, who owns it, and Roger."""
    offline = OfflineTable()
    kim = offline.hello("Kim", OWNER)
    roger = offline.hello("Roger")
    assert isinstance(kim, Player) and isinstance(roger, Player)
    for player in (kim, roger):
        player.send(wire.Ping(player.session.s, 1))
    return offline, kim


def test_a_code_moves_the_seat_and_the_table_to_the_new_key_and_the_old_one_reads_why() -> None:
    offline, kim = owned()
    code = code_of(offline, kim)
    assert len(code.code) == limits.SEAT_CODE_CHARS and set(code.code) <= set(LETTERS)
    welcome = hello(offline, "new", code.code.encode(), name="Kim")
    assert isinstance(welcome, wire.Welcome) and welcome.seat == kim.seat
    assert offline.table.info().owner == kim.seat and offline.table.seating.ownership.key == "new"
    bye = kim.received(wire.Bye)[-1]
    assert bye.reason == "superseded" and "192.0.2.7" in bye.text
    for token in (JOIN, OWNER, kim.received(wire.Welcome)[-1].token):
        answer = hello(offline, "Kim", token)
        assert isinstance(answer, wire.Bye) and answer.reason == "superseded", "the old machine wakes up"
    names = [seat.name for seat in offline.table.info().seats if seat.state == "here"]
    assert names == ["Kim", "Roger"]


def test_a_code_is_used_once_expires_and_is_replaced_by_a_newer_one() -> None:
    offline, kim = owned()
    first, second = code_of(offline, kim), code_of(offline, kim)
    wrong = hello(offline, "a", first.code.encode())
    assert isinstance(wrong, wire.Error) and wrong.code == "bad_token", "a newer code replaces it"
    assert isinstance(hello(offline, "b", second.code.encode()), wire.Welcome)
    again = hello(offline, "c", second.code.encode())
    assert isinstance(again, wire.Error) and again.code == "bad_token", "it was used"
    roger = offline.players[1]
    late = code_of(offline, roger)
    offline.wait(limits.SEAT_CODE_MS)
    expired = hello(offline, "d", late.code.encode())
    assert isinstance(expired, wire.Error) and expired.code == "bad_token"


def test_nobody_gets_a_code_without_key_and_token_of_the_seat() -> None:
    offline, kim = owned()
    token = kim.received(wire.Welcome)[-1].token
    for key, tried in (("thief", token), ("Kim", JOIN), ("thief", JOIN), ("thief", OWNER), ("Kim", WATCH)):
        answer = hello(offline, key, tried, "code")
        assert isinstance(answer, wire.Error) and answer.code == "bad_token"
    assert not offline.table.seating.codes.codes


def test_an_impostor_with_the_name_and_the_string_does_not_get_the_seat() -> None:
    offline, kim = owned()
    roger = offline.players[1]
    offline.table.unreachable(roger.session, offline.stamp)
    roger.present = False
    impostor = hello(offline, "impostor", JOIN, name="Roger")
    assert isinstance(impostor, wire.Knocked) and not impostor.admitted, "the owner is asked"
    named_otherwise = hello(offline, "another", JOIN, name="Eve")
    assert isinstance(named_otherwise, wire.Welcome) and named_otherwise.seat not in (-1, kim.seat, roger.seat)
    back = hello(offline, "Roger", roger.received(wire.Welcome)[-1].token)
    assert isinstance(back, wire.Welcome) and back.seat == roger.seat
