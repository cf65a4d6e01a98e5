"""Hints at a table of several people: everybody has to agree, anybody may withdraw, and only players count."""

from netcode.protocol import wire
from tests.netcode.offline_table import OfflineTable, at_the_fight


def test_the_host_tells_everybody_who_agrees() -> None:
    offline = OfflineTable()
    kim, roger, ross = at_the_fight(offline, "Kim", "Roger", "Ross")
    assert offline.table.info().hints == []
    kim.set(hints=True)
    ross.set(hints=True)
    assert offline.table.info().hints == [kim.seat, ross.seat]
    assert roger.received(wire.Info)[-1].info.hints == [kim.seat, ross.seat]
    ross.set(hints=False)
    assert roger.received(wire.Info)[-1].info.hints == [kim.seat]


def test_agreeing_again_tells_nobody_anything() -> None:
    offline = OfflineTable()
    kim, roger, _ = at_the_fight(offline, "Kim", "Roger", "Ross")
    kim.set(hints=True)
    told = len(roger.received(wire.Info))
    kim.set(hints=True)
    assert len(roger.received(wire.Info)) == told


def test_spectators_and_bots_have_no_say() -> None:
    offline = OfflineTable(bots=1)
    offline.sit("Kim", "Roger")
    (bot,) = offline.seat_own_bots()
    wes = offline.spectator()
    for session in (wes, bot):
        session.set(hints=True)
        assert session.received(wire.Error)[-1].text == "only people at the table decide about hints"
    assert offline.table.info().hints == []


def test_a_seat_that_is_given_up_takes_its_answer_along() -> None:
    offline = OfflineTable()
    kim, roger, _ = at_the_fight(offline, "Kim", "Roger", "Ross")
    kim.set(hints=True)
    roger.set(hints=True)
    roger.send(wire.Leave(roger.session.s))
    offline.deliver()
    assert offline.table.info().hints == [kim.seat]


def test_nothing_of_it_is_written_down() -> None:
    offline = OfflineTable()
    kim, *_ = at_the_fight(offline, "Kim", "Roger", "Ross")
    before = len(offline.rows)
    kim.set(hints=True)
    assert b"hints" not in b"".join(repr(row).encode() for row in offline.rows[before:])
