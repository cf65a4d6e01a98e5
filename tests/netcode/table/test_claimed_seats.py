"""Somebody from another machine says that a seat is theirs: its player decides while connected, else the owner."""

import pytest

from netcode.protocol import wire
from tests.netcode.offline_table import JOIN, OWNER, OfflineTable, Player

WHERE = "192.0.2.7"


def hello(offline: OfflineTable, key: str, name: str = "Kim") -> list[wire.Down]:
    """Say hello from another machine with the join string; return the answers to that connection."""
    asks = wire.Hello(wire.WIRE, wire.WIRE, "t", JOIN, name)
    offline.table.hello(asks, key, key.encode(), offline.stamp, WHERE)
    return [one.message for one in offline.deliver() if one.address == key.encode()]


def table(seats: int = 3) -> tuple[OfflineTable, Player, Player]:
    """Return a table with Kim, and Boss, who owns it."""
    offline = OfflineTable(seats=seats)
    boss, kim = offline.hello("Boss", OWNER), offline.hello("Kim")
    assert isinstance(boss, Player) and isinstance(kim, Player)
    return offline, boss, kim


def knocks(player: Player) -> list[wire.KnockInfo]:
    """Return the knocks that a player sees now."""
    return player.received(wire.Knocks)[-1].knocks if player.received(wire.Knocks) else []


def leave_the_line(offline: OfflineTable, player: Player) -> None:
    """Let a player's connection break."""
    player.present = False
    offline.table.unreachable(player.session, offline.stamp)
    offline.deliver()


def test_the_owner_reads_address_and_presence_and_lets_the_player_in() -> None:
    offline, boss, kim = table()
    leave_the_line(offline, kim)
    (answer,) = hello(offline, "laptop")
    assert isinstance(answer, wire.Knocked) and not answer.admitted
    (knock,) = knocks(boss)
    assert (knock.name, knock.seat, knock.where, knock.here) == ("Kim", kim.seat, WHERE, False)
    boss.send(wire.Admin(boss.session.s, "admit", number=knock.number))
    welcome, *_ = hello(offline, "laptop")
    assert isinstance(welcome, wire.Welcome) and welcome.seat == kim.seat
    assert [seat.name for seat in offline.table.info().seats if seat.state == "here"] == ["Boss", "Kim"]
    late = hello(offline, "Kim")
    assert isinstance(late[0], wire.Bye) and late[0].reason == "superseded"


def test_an_impostor_with_the_name_and_the_string_is_refused_and_stays_out() -> None:
    offline, boss, kim = table()
    leave_the_line(offline, kim)
    hello(offline, "impostor")
    boss.send(wire.Admin(boss.session.s, "refuse", number=knocks(boss)[0].number))
    (refused,) = hello(offline, "impostor")
    assert isinstance(refused, wire.Error) and refused.code == "kicked"
    back = offline.hello("Kim", kim.received(wire.Welcome)[-1].token, address=b"again")
    assert isinstance(back, Player) and back.seat == kim.seat


def test_while_the_seat_is_connected_its_player_is_asked_and_nobody_else_can_answer() -> None:
    offline, boss, kim = table()
    assert isinstance(offline.hello("Roger"), Player)  # no seat is free
    (answer,) = hello(offline, "laptop")
    assert isinstance(answer, wire.Knocked)
    (knock,) = knocks(kim)
    assert knock.here and knock.where == WHERE and not knocks(boss)
    for other in (boss, offline.players[-1]):
        other.send(wire.Admin(other.session.s, "admit", number=knock.number))
        assert "only the player of that seat" in other.received(wire.Error)[-1].text
    assert isinstance(hello(offline, "laptop")[0], wire.Knocked)
    kim.send(wire.Admin(kim.session.s, "admit", number=knock.number))
    welcome, *_ = hello(offline, "laptop")
    assert isinstance(welcome, wire.Welcome) and welcome.seat == kim.seat
    assert WHERE in kim.received(wire.Bye)[-1].text


@pytest.mark.parametrize("owner_is_away", [False, True])
def test_nobody_gives_away_the_seat_of_an_owner_who_is_away(owner_is_away: bool) -> None:
    offline, boss, kim = table()
    leave_the_line(offline, boss)
    offline.table.seating.seats[boss.seat].state = "away" if owner_is_away else "lost"
    (answer,) = hello(offline, "laptop", "Boss")
    assert isinstance(answer, wire.Knocked)
    assert not knocks(kim)
    number = next(iter(offline.table.seating.admission.knocks.values())).number
    kim.send(wire.Admin(kim.session.s, "admit", number=number))
    assert kim.received(wire.Error) and isinstance(hello(offline, "laptop", "Boss")[0], wire.Knocked)


def test_the_same_name_takes_a_free_seat_as_ever_while_the_first_is_connected() -> None:
    offline, _, kim = table()
    second, *_ = hello(offline, "another")
    assert isinstance(second, wire.Welcome) and second.seat != kim.seat
    assert [seat.name for seat in offline.table.info().seats] == ["Boss", "Kim", "Kim 2"]
