"""Whoever takes a seat over begins anew: without the wins of the player before, and without automatic passes."""

from core.state.actions import Claim, Flee, Pass
from netcode.protocol import wire
from tests.netcode.offline_table import FIGHT, STRONG, OfflineTable, Player, at_the_fight


# ---------------------------------------------------------------------------------------------------------------- wins
def test_whoever_takes_a_seat_over_has_no_wins_yet() -> None:
    offline = OfflineTable(STRONG, pace="book")
    kim, roger, ross = players = at_the_fight(offline)
    kim.act(Claim())
    assert kim.view.window is not None
    window = kim.view.window.id
    for player in (roger, ross):
        player.act(Pass(window))
    for player in players:
        player.set(ready=True)
    assert (offline.table.stage, offline.table.stages.games) == ("playing", 2)
    kim.send(wire.Leave(kim.session.s))
    left = roger.received(wire.Info)[-1].info.seats[kim.seat]
    assert (left.name, left.state, left.wins) == ("Kim", "gone", 1), "a bot plays on under the name"
    ann = offline.hello("Ann")
    assert isinstance(ann, Player) and ann.seat == kim.seat
    seats = roger.received(wire.Info)[-1].info.seats
    assert (seats[0].name, seats[0].wins) == ("Ann", 0)
