"""The messages to the owner of a table, also when repeated: the strings in force, and the knocks."""

from pathlib import Path

from netcode.protocol import wire
from tests.netcode.offline_table import FIGHT, JOIN, OWNER, WATCH, OfflineTable, Player, at_the_fight
from tests.netcode.restored_table import journal_rows, restored_table


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


def test_an_answer_to_a_knock_before_a_restart_fits_no_knock_after_it(tmp_path: Path) -> None:
    offline = OfflineTable(None, knock=True)
    kim = offline.hello("Kim", OWNER)
    assert isinstance(kim, Player) and isinstance(offline.hello("Ann"), wire.Knocked)
    (ann,) = kim.received(wire.Knocks)[-1].knocks
    offline.table = restored_table(offline, journal_rows(offline, tmp_path))
    kim = offline.hello("Kim", kim.received(wire.Welcome)[-1].token, address=b"Kim again")
    assert isinstance(kim, Player) and isinstance(offline.hello("Eve"), wire.Knocked)
    (eve,) = kim.received(wire.Knocks)[-1].knocks
    assert eve.number != ann.number
    kim.send(wire.Admin(kim.session.s, "admit", number=ann.number))
    assert kim.received(wire.Error)[-1].text == "they do not knock any more"
    assert isinstance(offline.hello("Eve"), wire.Knocked)
