"""A table taken up again from what its journal has: same game, same seats, nothing counted twice."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.state.actions import Claim, Flee, Kick, Pass
from netcode.host.recovery import restore
from netcode.journal import ActRow, FactRow, Journal, JournalError, SavedTable
from netcode.protocol import wire
from netcode.table.table import Table
from netcode.table.table_record import TableRecord
from tests.netcode.offline_table import JOIN, OWNER, STRONG, WATCH, Desk, at_the_fight, rules


def written(desk: Desk, folder: Path) -> SavedTable:
    """What a journal gives back of everything this desk would have written."""
    journal = Journal(folder)
    journal.commit("t", [FactRow("config", b""), *desk.rows], lambda: None)
    journal.close()
    return read(folder)


def read(folder: Path) -> SavedTable:
    """What the journal in this folder has of the desk's table."""
    journal = Journal(folder)
    saved = journal.load("t")
    journal.close()
    assert saved is not None
    return saved


def taken_up(desk: Desk, saved: SavedTable) -> Table:
    record = TableRecord(
        "t", JOIN, WATCH, OWNER, 3, 0, "normal", "book", "normal", [], [], [],
        solo=False, seed=None, machine="", gone_ms=600_000,
    )  # fmt: skip
    return restore(saved, record, rules(), lambda number: b"seed", 2, desk.stamp)


def test_a_game_goes_on_where_it_stood_and_players_come_back_by_their_tokens(tmp_path: Path) -> None:
    desk = Desk(pace="book")
    kim, roger, _ = at_the_fight(desk)
    kim.act(Flee())
    token = kim.told(wire.Welcome)[-1].token  # type: ignore[attr-defined]
    table = taken_up(desk, written(desk, tmp_path))
    assert table.match is not None and desk.table.match is not None
    assert table.match.game.save() == desk.table.match.game.save()
    assert [seat.state for seat in table.seating.seats] == ["lost", "lost", "lost"]
    back = table.hello(wire.Hello(1, 1, "t", token, "Kim"), "Kim", b"new", desk.stamp)
    assert back is not None and (back.seat, back.s, back.n) == (kim.seat, kim.session.s, kim.n)
    assert table.match.timers().window == 2600, "an open window starts at its full length"
    table.message(back, wire.Act(back.s, kim.n, Flee()), desk.stamp)
    assert wire.Ack(kim.n, "dup") in [out.message for out in table.take()[1]]
    stolen = table.hello(wire.Hello(1, 1, "t", token, "Eve"), "Eve", b"eve", desk.stamp)
    assert stolen is None
    assert roger.view.window is not None


def test_a_finished_game_is_not_won_twice(tmp_path: Path) -> None:
    desk = Desk(STRONG, pace="book")
    kim, roger, ross = at_the_fight(desk)
    kim.act(Claim())
    window = kim.view.window
    assert window is not None
    for player in (roger, ross):
        player.act(Pass(window.id))
    assert desk.table.stage == "over"
    table = taken_up(desk, written(desk, tmp_path))
    table.tick(desk.stamp + 1_000_000_000)
    assert (table.stage, [seat.wins for seat in table.seating.seats]) == ("over", [1, 0, 0])


def test_a_journal_that_does_not_lead_to_a_game_is_told_in_one_line(tmp_path: Path) -> None:
    desk = Desk()
    kim, *_ = desk.sit("Kim", "Roger", "Ross")
    kim.act(Kick())
    saved = written(desk, tmp_path)
    wrong = ActRow(1, 2, 1, saved.acts[0].action, None, 0, 0)
    with pytest.raises(JournalError, match="action 2 does not fit"):
        taken_up(desk, replace(saved, acts=[*saved.acts, wrong]))


def test_a_journal_of_something_else_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "table.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(JournalError, match="damaged or no journal of ours"):
        Journal(tmp_path)
