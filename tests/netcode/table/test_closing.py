"""Seats that are given up between games, and when a table closes for good."""

from pathlib import Path

import pytest

from core.state.actions import Claim, Pass
from netcode.protocol import limits, wire
from tests.netcode.offline_table import STRONG, OfflineTable, Player, at_the_fight
from tests.netcode.restored_table import journal_rows, restored_table


def played() -> tuple[OfflineTable, list[Player]]:
    """Return a table whose game is over, and its three players."""
    offline = OfflineTable(STRONG, pace="book")
    players = at_the_fight(offline)
    win(offline, players)
    return offline, players


def win(offline: OfflineTable, players: list[Player]) -> None:
    """Let the first player win; the others pass."""
    players[0].act(Claim())
    assert players[0].view.window is not None
    window = players[0].view.window.id
    for player in players[1:]:
        player.act(Pass(window))
    assert offline.table.stage == "over"


def states(offline: OfflineTable) -> list[str]:
    """Return the states of all seats."""
    return [seat.state for seat in offline.table.seating.seats]


# ------------------------------------------------------------------------------------------------- everybody is offline
@pytest.mark.parametrize("restarted", [False, True])
def test_a_table_whose_game_is_over_waits_ten_minutes_for_people_who_are_all_offline(
    restarted: bool, tmp_path: Path
) -> None:
    offline, players = played()
    if restarted:
        offline.table, offline.players = restored_table(offline, journal_rows(offline, tmp_path)), []
    for player in players:
        player.present = False
    offline.wait(590_000)
    assert not offline.table.closed and states(offline) == ["lost"] * 3
    offline.wait(20_000)
    assert offline.table.closed and offline.table.ended


def test_whoever_comes_back_after_minutes_finds_the_table_and_the_seat() -> None:
    offline, players = played()
    token = players[1].received(wire.Welcome)[-1].token
    for player in players:
        player.present = False
    offline.wait(500_000)
    back = offline.hello("Roger", token, address=b"roger again")
    assert isinstance(back, Player) and back.session is players[1].session
    assert offline.table.seating.seats[1].state == "here"
    offline.wait(900_000)
    assert not offline.table.closed and states(offline) == ["open", "here", "open"]


def test_a_table_waits_for_whoever_lost_the_seat_even_if_the_last_one_here_leaves() -> None:
    offline, (kim, roger, ross) = played()
    ross.send(wire.Leave(ross.session.s))
    roger.present = False
    offline.wait(limits.LOST_MS + limits.AWAY_MS + 2000)
    assert states(offline) == ["here", "open", "open"]
    kim.send(wire.Leave(kim.session.s))
    offline.wait(500_000)
    assert not offline.table.closed
    offline.wait(60_000)
    assert offline.table.closed and offline.table.ended


def test_a_table_that_all_have_left_for_good_closes_at_once() -> None:
    offline, players = played()
    for player in players:
        player.send(wire.Leave(player.session.s))
    offline.wait(3000)
    assert offline.table.closed and offline.table.ended


# ---------------------------------------------------------------------------------------------- players who are away
def test_a_seat_that_was_away_when_a_game_ended_is_freed_like_a_lost_one() -> None:
    offline = OfflineTable(STRONG, pace="book")
    kim, roger, ross = at_the_fight(offline)
    ross.present = False
    kim.send(wire.Admin(kim.session.s, "bot", seat=ross.seat))
    offline.table.unreachable(ross.session, offline.stamp)
    (bot,) = offline.seat_own_bots()
    offline.wait(30_000)
    win(offline, [kim, roger, bot])
    offline.wait(limits.LOST_MS + limits.AWAY_MS - 1000)
    assert states(offline) == ["here", "here", "away"] and isinstance(offline.hello("Ann"), wire.Error)
    offline.wait(3000)
    assert states(offline) == ["here", "here", "open"]
    assert [bye.reason for bye in bot.received(wire.Bye)] == ["closing"]
    ann = offline.hello("Ann")
    assert isinstance(ann, Player) and ann.seat == ross.seat


def test_a_player_who_is_away_but_connected_keeps_the_seat_after_the_game() -> None:
    offline = OfflineTable(STRONG, pace="book")
    kim, roger, ross = at_the_fight(offline)
    kim.send(wire.Admin(kim.session.s, "bot", seat=ross.seat))
    (bot,) = offline.seat_own_bots()
    win(offline, [kim, roger, bot])
    offline.wait(300_000)
    assert states(offline) == ["here", "here", "away"]
    ross.set()
    assert states(offline) == ["here"] * 3


# ---------------------------------------------------------------------------------------------------- new people come
def test_a_table_that_would_have_closed_stays_for_people_who_sit_down() -> None:
    offline, players = played()
    offline.spectator()
    for player in players:
        player.send(wire.Leave(player.session.s))
    offline.wait(30_000)
    assert not offline.table.closed, "the spectator has a minute"
    assert len(offline.sit("Ann", "Bob", "Cid")) == 3
    assert (offline.table.stage, offline.table.lifecycle.games) == ("playing", 2)
    offline.wait(70_000)
    assert not offline.table.closed


def test_a_table_closes_a_minute_after_the_last_people_have_left_again() -> None:
    offline, players = played()
    offline.spectator()
    for player in players:
        player.send(wire.Leave(player.session.s))
    offline.wait(50_000)
    (ann,) = offline.sit("Ann")
    offline.wait(2000)
    ann.send(wire.Leave(ann.session.s))
    offline.wait(50_000)
    assert not offline.table.closed
    offline.wait(12_000)
    assert offline.table.closed and offline.table.ended
