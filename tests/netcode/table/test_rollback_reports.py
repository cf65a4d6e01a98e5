"""A player who has seen more of a game than the table has: everybody reads it once, and it has no other effect."""

from netcode.protocol import limits, wire
from tests.netcode.offline_table import JOIN, WATCH, OfflineTable, Player, at_the_fight


def comes_back(player: Player, game: int, rev: int) -> None:
    """Say hello again with the newest token, and claim to have seen this much."""
    offline, token = player.offline, player.received(wire.Welcome)[-1].token
    hello = wire.Hello(wire.WIRE, wire.WIRE, "t", token, player.name, game=game, rev=rev)
    assert offline.table.hello(hello, player.name, player.address, offline.stamp) is player.session
    offline.deliver()


def test_everybody_reads_that_a_player_has_seen_more() -> None:
    offline = OfflineTable()
    players = at_the_fight(offline)
    rev, before = players[0].view.rev, players[0].view
    comes_back(players[1], 1, rev + 9)
    for player in players:
        assert player.received(wire.Older) == [wire.Older(1, 1, 9)]
    assert players[0].view == before and offline.table.stage == "playing", "the game goes on"
    comes_back(players[1], 1, rev + 9)
    assert len(players[0].received(wire.Older)) == 1, "once"
    comes_back(players[2], 2, 1)
    assert players[0].received(wire.Older)[1:] == [wire.Older(2, 2)]


def test_who_comes_later_reads_it_too() -> None:
    offline = OfflineTable()
    kim, roger, ross = at_the_fight(offline)
    offline.table.unreachable(ross.session, offline.stamp)
    ross.session.address = None
    rev = kim.view.rev
    comes_back(roger, 1, rev + 9)
    assert ross.received(wire.Older) == []
    comes_back(ross, 1, rev)
    comes_back(ross, 1, rev)
    assert ross.received(wire.Older) == [wire.Older(1, 1, 9)] == kim.received(wire.Older)


def test_who_has_seen_what_there_is_says_nothing() -> None:
    offline = OfflineTable()
    players = at_the_fight(offline)
    for game, rev in ((0, 0), (1, 0), (1, players[0].view.rev), (0, 99)):
        comes_back(players[1], game, rev)
    assert players[0].received(wire.Older) == []


def test_claims_are_bounded_and_players_only_make_them() -> None:
    offline = OfflineTable(seats=6)
    offline.hello("Kim")
    kim = offline.players[0]
    watch = wire.Hello(wire.WIRE, wire.WIRE, "t", WATCH, "Wes", "watch", game=9, rev=9)
    assert offline.table.hello(watch, "Wes", b"Wes", offline.stamp) is not None
    for number in range(2 * limits.ROLLBACK_REPORTS):
        name = f"Liar {number}"
        hello = wire.Hello(wire.WIRE, wire.WIRE, "t", JOIN, name, game=9, rev=9)
        session = offline.table.hello(hello, name, name.encode(), offline.stamp)
        assert session is not None
        offline.table.message(session, wire.Leave(session.s), offline.stamp)
        offline.deliver()
    assert len(kim.received(wire.Older)) == limits.ROLLBACK_REPORTS
