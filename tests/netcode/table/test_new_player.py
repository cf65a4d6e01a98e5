"""A player who takes over a seat starts afresh: without the wins of the player before, and without automatic passes."""

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
    assert (offline.table.stage, offline.table.lifecycle.games) == ("playing", 2)
    kim.send(wire.Leave(kim.session.s))
    left = roger.received(wire.Info)[-1].info.seats[kim.seat]
    assert (left.name, left.state, left.wins) == ("Kim", "gone", 1), "a bot plays on under the name"
    ann = offline.hello("Ann")
    assert isinstance(ann, Player) and ann.seat == kim.seat
    seats = roger.received(wire.Info)[-1].info.seats
    assert (seats[0].name, seats[0].wins) == ("Ann", 0)


# ---------------------------------------------------------------------------------------------------------- presence
def test_a_newcomer_is_not_inactive_although_the_player_before_was() -> None:
    """An inactive player comes back only with a key press; this does not apply to the next player of the seat."""
    offline = OfflineTable(FIGHT, pace="relaxed")
    kim, roger, _ross = at_the_fight(offline)
    kim.send(wire.Admin(kim.session.s, "bot", seat=roger.seat))
    offline.seat_own_bots()
    kim.send(wire.Admin(kim.session.s, "kick", seat=roger.seat))
    assert isinstance(offline.hello("Ann"), wire.Knocked), "newcomers knock while somebody is kept out"
    kim.send(wire.Admin(kim.session.s, "admit", number=kim.session.knocks.knocks[0].number))
    ann = offline.hello("Ann")
    assert isinstance(ann, Player) and ann.seat == roger.seat
    offline.table.unreachable(ann.session, offline.stamp)
    assert offline.table.info().seats[ann.seat].state == "lost"
    assert isinstance(offline.hello("Ann"), Player)
    assert offline.table.info().seats[ann.seat].state == "here"


# ---------------------------------------------------------------------------------------------------- automatic passes
def test_a_newcomer_is_not_passed_for_because_the_player_before_was() -> None:
    offline = OfflineTable(FIGHT, pace="relaxed")
    kim, roger, _ross = at_the_fight(offline)
    roger.set(auto=True)
    assert roger.update.auto
    roger.send(wire.Leave(roger.session.s))
    ann = offline.hello("Ann")
    assert isinstance(ann, Player) and ann.seat == roger.seat and not ann.update.auto
    kim.act(Flee())
    assert ann.view.window is not None and not ann.view.window.passed


def test_a_bot_that_stands_in_is_not_passed_for_and_nor_is_the_player_who_comes_back() -> None:
    offline = OfflineTable(FIGHT, pace="relaxed")
    kim, roger, _ross = at_the_fight(offline)
    roger.set(auto=True)
    kim.send(wire.Admin(kim.session.s, "bot", seat=roger.seat))
    (bot,) = offline.seat_own_bots()
    assert not roger.update.auto and not bot.update.auto
    kim.act(Flee())
    assert bot.view.window is not None and not bot.view.window.passed
    roger.set()
    assert not roger.update.auto
    assert roger.view.window is not None and not roger.view.window.passed


def test_a_player_who_loses_the_connection_is_passed_for_until_a_bot_stands_in() -> None:
    offline = OfflineTable(FIGHT, pace="relaxed")
    kim, roger, _ross = at_the_fight(offline)
    roger.set(auto=True)
    offline.table.unreachable(roger.session, offline.stamp)
    kim.act(Flee())
    match = offline.table.match
    assert match is not None and match.broadcaster.views[roger.seat].window.passed
