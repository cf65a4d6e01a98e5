"""A table restored from its journal: same game, same seats, nothing counted twice."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from core.state.actions import Claim, Flee, Kick, Pass
from netcode.journal import ActRow, Journal, JournalError
from netcode.protocol import wire
from tests.netcode.offline_table import STRONG, OfflineTable, at_the_fight
from tests.netcode.restored_table import journal_rows, restored_table


def test_a_restored_game_is_the_same_and_players_return_by_their_tokens(tmp_path: Path) -> None:
    offline = OfflineTable(pace="book")
    kim, roger, _ = at_the_fight(offline)
    kim.act(Flee())
    token = kim.received(wire.Welcome)[-1].token
    table = restored_table(offline, journal_rows(offline, tmp_path))
    assert table.match is not None and offline.table.match is not None
    assert table.match.game.save() == offline.table.match.game.save()
    assert [seat.state for seat in table.seating.seats] == ["lost", "lost", "lost"]
    back = table.hello(wire.Hello(wire.WIRE, wire.WIRE, "t", token, "Kim"), "Kim", b"new", offline.stamp)
    assert back is not None and (back.seat, back.s, back.n) == (kim.seat, kim.session.s, kim.n)
    assert table.match.timers().window == 2600, "an open window starts at its full length"
    table.message(back, wire.Act(back.s, kim.n, Flee()), offline.stamp)
    assert wire.Ack(kim.n, "dup") in [out.message for out in table.take()[1]]
    stolen = table.hello(wire.Hello(wire.WIRE, wire.WIRE, "t", token, "Eve"), "Eve", b"eve", offline.stamp)
    assert stolen is None
    assert roger.view.window is not None


def test_a_finished_game_is_not_won_twice(tmp_path: Path) -> None:
    offline = OfflineTable(STRONG, pace="book")
    kim, roger, ross = at_the_fight(offline)
    kim.act(Claim())
    window = kim.view.window
    assert window is not None
    for player in (roger, ross):
        player.act(Pass(window.id))
    assert offline.table.stage == "over"
    table = restored_table(offline, journal_rows(offline, tmp_path))
    table.tick(offline.stamp + 1_000_000_000)
    assert (table.stage, [seat.wins for seat in table.seating.seats]) == ("over", [1, 0, 0])


@pytest.mark.parametrize("resumed", [False, True])
def test_a_pause_and_the_pace_that_the_owner_has_set_are_kept(resumed: bool, tmp_path: Path) -> None:
    offline = OfflineTable(pace="book")
    kim, *_ = at_the_fight(offline)
    kim.send(wire.Admin(kim.session.s, "pace", value="quick"))
    kim.send(wire.Admin(kim.session.s, "pause"))
    if resumed:
        kim.send(wire.Admin(kim.session.s, "resume"))
    table = restored_table(offline, journal_rows(offline, tmp_path))
    assert (table.stage, table.pace) == ("playing" if resumed else "paused", "quick")
    assert table.match is not None and table.match.clocks.pace == "quick"
    if not resumed:
        assert table.match.next_ms() is None, "the clocks stand still"
        for _ in range(3):  # the table also waits for as long as nobody returns
            table.tick(offline.stamp + 600_000_000_000)
        assert table.stage == "paused"
        token = kim.received(wire.Welcome)[-1].token
        back = table.hello(wire.Hello(wire.WIRE, wire.WIRE, "t", token, "Kim"), "Kim", b"new", offline.stamp)
        assert back is not None and table.info().stage == "paused"
        table.message(back, wire.Admin(back.s, "resume"), offline.stamp)
        assert table.stage == "playing" and table.match.next_ms() is not None


def test_an_unknown_pace_is_refused_in_one_line(tmp_path: Path) -> None:
    offline = OfflineTable()
    offline.sit("Kim", "Roger", "Ross")
    saved = journal_rows(offline, tmp_path)
    with pytest.raises(JournalError, match="the journal's pace cannot be read"):
        restored_table(offline, replace(saved, facts={**saved.facts, "pace": b"glacial"}))


def test_a_journal_that_does_not_lead_to_a_game_is_refused_in_one_line(tmp_path: Path) -> None:
    offline = OfflineTable()
    kim, *_ = offline.sit("Kim", "Roger", "Ross")
    kim.act(Kick())
    saved = journal_rows(offline, tmp_path)
    wrong = ActRow(1, 2, 1, saved.acts[0].action, None, 0, 0)
    with pytest.raises(JournalError, match="action 2 does not fit"):
        restored_table(offline, replace(saved, acts=[*saved.acts, wrong]))


def test_a_file_that_is_not_a_journal_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "table.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(JournalError, match="damaged or not a journal of kickdoor"):
        Journal(tmp_path)
