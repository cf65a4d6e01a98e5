"""Requests of a table's owner: only the owner may pause the match and set its pace."""

import pytest

from core.state.actions import Done
from netcode.protocol import wire
from netcode.protocol.pack_files import load_packs
from netcode.table.rules_adapter import Rules
from netcode.table.session import Session
from netcode.table.table import Table
from netcode.table.table_setup import TableConfig
from tests.netcode.offline_table import OfflineTable, Player

JOIN, WATCH, OWNER = b"j" * 16, b"w" * 16, b"o" * 16
SET = "munchkins-and-mazes"


def table_with_three() -> tuple[Table, list[Session]]:
    """Begin a match of three: the first joined with the join string, the second with the owner string."""
    config = TableConfig(
        table="t", seats=3, join=JOIN, watch=WATCH, owner=OWNER
    )
    table = Table(config, Rules(load_packs([SET])).deal, lambda number: bytes([number]) * 16)
    people = [
        table.hello(wire.Hello(wire.WIRE, wire.WIRE, "t", token, name), name, name.encode(), 0)
        for token, name in ((JOIN, "Kim"), (OWNER, "Roger"), (JOIN, "Ross"))
    ]
    sessions = [session for session in people if session is not None]
    for session in sessions:
        table.message(session, wire.Set(session.s, ready=True), 1)
    table.take()
    return table, sessions


def told(table: Table, session: Session) -> list[wire.Down]:
    return [out.message for out in table.take()[1] if out.session is session]


@pytest.mark.proves("golden.owner")
def test_only_the_owner_pauses_the_match_and_sets_its_pace() -> None:
    table, (kim, roger, ross) = table_with_three()
    assert (table.stage, table.info().owner) == ("playing", roger.seat)
    seat = ross.seat
    for request in (
        wire.Admin(kim.s, "pause", seat), wire.Admin(kim.s, "pace", seat, "relaxed"), wire.Admin(kim.s, "kick", seat),
    ):  # fmt: skip
        table.message(kim, request, 2)
        assert [m.code for m in told(table, kim) if isinstance(m, wire.Error)] == ["not_allowed"]
    assert (table.stage, table.pace) == ("playing", "standard")

    table.message(roger, wire.Admin(roger.s, "pace", value="relaxed"), 3)
    table.message(roger, wire.Admin(roger.s, "pause"), 4)
    assert (table.stage, table.info().pace) == ("paused", "relaxed")
    table.message(kim, wire.Act(kim.s, 1, Done()), 5)
    refused = [m for m in told(table, kim) if isinstance(m, wire.Refused)]
    assert [m.refusal.text for m in refused] == ["The table's owner has paused the game."]

    table.message(roger, wire.Admin(roger.s, "resume"), 6)
    table.message(kim, wire.Act(kim.s, 2, Done()), 7)
    assert not [m for m in told(table, kim) if isinstance(m, wire.Refused)]
    assert table.stage == "playing"


@pytest.mark.parametrize("provable", [False, True])
def test_the_owner_starts_a_match_for_people_who_are_not_ready(provable: bool) -> None:
    """All seats are taken, so no bot can sit down and begin it."""
    offline = OfflineTable(None, pace="relaxed", provable=provable)
    kim, *others = [player for player in map(offline.hello, ("Kim", "Roger", "Ross")) if isinstance(player, Player)]
    assert offline.table.stage == "lobby" and offline.table.info().owner == kim.seat
    kim.send(wire.Admin(kim.session.s, "start"))
    for player in (kim, *others):
        info = player.received(wire.Info)[-1].info
        assert all(seat.ready for seat in info.seats)
        assert info.stage == "playing" or info.deal is not None, "it begins when everybody has answered for the deal"
    assert not kim.received(wire.Error)
