"""What the owner of a table is told, and told again: the strings in force, and who knocks."""

from netcode.protocol import wire
from tests.netcode.offline_table import FIGHT, JOIN, WATCH, OfflineTable, at_the_fight


def test_an_owner_who_was_away_is_told_the_strings_again() -> None:
    offline = OfflineTable(FIGHT, pace="book")
    kim, roger, _ = at_the_fight(offline)
    told = len(kim.received(wire.Strings))
    assert told == 1
    kim.send(wire.Admin(kim.session.s, "bot", seat=kim.seat))
    info = kim.received(wire.Info)[-1].info
    assert info.acting and info.owner == roger.seat, "a client forgets the strings here"
    assert not roger.received(wire.Strings), "who only acts for the owner is not told them"
    kim.set()
    assert kim.received(wire.Strings)[told:] == [wire.Strings(JOIN, WATCH)]
