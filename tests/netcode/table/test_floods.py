"""Players who send too much: only the newest message counts, and a seat is kept for a player who was sent out."""

import sys
from pathlib import Path

import pytest

from core.state.actions import Answer, Kick, Roll
from netcode.protocol import limits, wire
from tests.netcode.offline_table import JOIN, STRONG, OfflineTable, Player
from tests.netcode.restored_table import journal_rows, restored_table


def flood(player: Player) -> list[wire.Bye]:
    """Send acts until the host has had enough; return the good-byes."""
    for n in range(1, 60):
        player.send(wire.Act(player.session.s, player.n + n, Answer(99)))
    return player.received(wire.Bye)


def flooded() -> tuple[OfflineTable, list[Player], bytes]:
    """Let Roger be sent out of a match; return the table, the players, and the token of Roger's seat."""
    offline = OfflineTable()
    players = offline.sit("Kim", "Roger", "Ross")
    token = players[1].received(wire.Welcome)[-1].token
    assert flood(players[1])
    return offline, players, token


# ------------------------------------------------------------------------------------------------------ being sent out
def test_a_flood_of_acts_is_slowed_down_and_its_sender_sent_out() -> None:
    offline = OfflineTable()
    kim, roger, _ross = offline.sit("Kim", "Roger", "Ross")
    for n in range(1, 22):
        roger.send(wire.Act(roger.session.s, n, Answer(99)))
    slow = roger.received(wire.Error)[-1]
    assert isinstance(slow, wire.Error) and slow.code == "rate_limited" and slow.retry_ms > 0
    for n in range(22, 60):
        roger.send(wire.Act(roger.session.s, n, Roll(99)))
    (bye,) = roger.received(wire.Bye)
    assert bye.reason == "kicked" and "your seat is kept, and you may come back in 30 seconds" in bye.text
    assert kim.received(wire.Info)[-1].info.seats[roger.seat].state == "away"


def test_whoever_was_sent_out_comes_back_by_their_token_after_a_pause_and_the_bot_leaves() -> None:
    offline, (kim, roger, _), token = flooded()
    (bot,) = offline.seat_own_bots()
    offline.wait(10_000)
    early = offline.hello("Roger", token, address=b"again")
    assert isinstance(early, wire.Error)
    assert (early.code, early.retry_ms) == ("kicked", limits.FLOOD_PAUSE_MS - 10_000)
    assert early.text.endswith("you may come back in 20 seconds")
    by_string = offline.hello("Roger", JOIN, address=b"again")
    assert isinstance(by_string, wire.Error) and by_string.code == "kicked"
    offline.wait(20_000)
    back = offline.hello("Roger", token, address=b"again")
    assert isinstance(back, Player) and back.session is roger.session and back.seat == roger.seat
    assert [bye.reason for bye in bot.received(wire.Bye)] == ["superseded"]
    assert kim.received(wire.Info)[-1].info.seats[roger.seat].state == "here"
    assert back.view.you is not None


def test_the_seat_of_whoever_was_sent_out_is_not_free_for_others() -> None:
    offline, _, _ = flooded()
    newcomer = offline.hello("Mallory")
    assert isinstance(newcomer, wire.Error) and newcomer.code == "table_full"


def test_whoever_was_sent_out_comes_back_after_the_owner_has_closed_the_table_and_after_a_restart(tmp_path) -> None:
    offline, (kim, roger, _), token = flooded()
    kim.send(wire.Admin(kim.session.s, "close"))
    offline.wait(limits.FLOOD_PAUSE_MS)
    restored = restored_table(offline, journal_rows(offline, tmp_path))
    offline.table = restored
    back = offline.hello("Roger", token, address=b"again")
    assert isinstance(back, Player) and back.seat == roger.seat


def test_whoever_was_sent_out_stays_out_after_a_restart_until_the_pause_is_over(tmp_path: Path) -> None:
    offline, _, token = flooded()
    offline.wait(5_000)
    offline.table = restored_table(offline, journal_rows(offline, tmp_path))
    early = offline.hello("Roger", token, address=b"again")
    assert isinstance(early, wire.Error) and early.code == "kicked" and 0 < early.retry_ms <= limits.FLOOD_PAUSE_MS
    offline.wait(limits.FLOOD_PAUSE_MS)
    assert isinstance(offline.hello("Roger", token, address=b"again"), Player)


def test_the_only_person_at_a_table_is_waited_for() -> None:
    offline = OfflineTable(bots=2)
    (kim,) = offline.sit("Kim")
    offline.seat_own_bots()
    token = kim.received(wire.Welcome)[-1].token
    assert flood(kim)
    assert offline.table.seating.seats[kim.seat].state == "lost"
    offline.wait(limits.FLOOD_PAUSE_MS)
    back = offline.hello("Kim", token, address=b"again")
    assert isinstance(back, Player) and isinstance(back.act(Kick()), wire.Ack)


def test_in_the_waiting_room_the_seat_is_kept_as_well() -> None:
    offline = OfflineTable()
    (roger,) = offline.sit("Roger")
    token = roger.received(wire.Welcome)[-1].token
    assert flood(roger)
    offline.wait(limits.FLOOD_PAUSE_MS)
    assert isinstance(offline.hello("Roger", token, address=b"again"), Player)


# --------------------------------------------------------------------------------------------------- the newest counts
def test_a_flood_of_preferences_ends_with_the_newest_value_and_costs_nothing() -> None:
    offline = OfflineTable()
    kim, roger, _ross = offline.sit("Kim", "Roger", "Ross")
    offline.clear()
    for number in range(401):
        roger.set(speed=("fast", "slow")[number % 2])
    roger.set(auto=True)
    told = len(kim.received(wire.Info))
    assert told <= wire.Set.rate.burst, "most of them changed nothing"
    assert not roger.received(wire.Error) and not roger.received(wire.Bye)
    assert offline.table.seating.seats[roger.seat].state == "here"
    offline.wait(1000)
    assert kim.received(wire.Info)[-1].info.speed == "fast"
    assert roger.update.auto, "the newest value of each field counts"
    assert len(kim.received(wire.Info)) == told + 1


def test_of_messages_that_come_too_fast_none_is_handled_twice_or_before_its_time() -> None:
    offline = OfflineTable(STRONG)
    kim, *_ = offline.sit("Kim", "Roger", "Ross")
    offline.clear()
    for _ in range(40):
        kim.send(wire.Sync(kim.session.s))
    assert len([update for update in kim.received(wire.Update) if update.whole]) <= wire.Sync.rate.burst + 1
    offline.clear()
    offline.wait(500)
    assert len(kim.received(wire.Update)) == 1, "the one that `clear` has kept"
    offline.wait(600)
    assert len(kim.received(wire.Update)) == 2
    offline.wait(5000)
    assert len(kim.received(wire.Update)) == 2


def test_the_newest_of_many_questions_is_answered() -> None:
    offline = OfflineTable()
    kim, *_ = offline.sit("Kim", "Roger", "Ross")
    for q in range(1, 201):
        kim.send(wire.Why(kim.session.s, q, Kick()))
    offline.wait(200)
    assert kim.received(wire.Reason)[-1] == wire.Reason(200, None)
    assert not kim.received(wire.Error)


@pytest.mark.parametrize("message", [wire.Set, wire.Sync, wire.Ping, wire.Why])
def test_only_messages_that_ask_for_a_state_are_handled_late(message: type[wire.Up]) -> None:
    kinds = {kind for kind in wire.TableUp.__args__ if kind.newest}
    assert message in kinds and len(kinds) == 4


def test_a_flood_of_preferences_costs_the_host_a_fraction_of_one_that_is_handled() -> None:
    offline = OfflineTable()
    _, roger, _ = offline.sit("Kim", "Roger", "Ross")
    message = wire.Set(roger.session.s, speed="slow")

    def calls(spread_ms: int) -> int:
        """Return how many functions the host calls for fifty messages."""
        made = 0

        def count(frame: object, event: str, argument: object) -> None:
            nonlocal made
            made += event == "call"

        before = sys.getprofile()
        sys.setprofile(count)
        try:
            for number in range(50):
                offline.table.message(roger.session, message, offline.stamp + number * spread_ms * 1_000_000)
        finally:
            sys.setprofile(before)
        offline.stamp += 50 * spread_ms * 1_000_000
        offline.table.take()
        return made

    assert calls(0) * 3 < calls(1000)
