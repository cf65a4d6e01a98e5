"""Clocks at every pace, lost and away players, bots that stand in: the real rules, and a clock that the test sets."""

from pathlib import Path

import pytest

from core.state.actions import Claim, Flee, Hold, Kick, Pass, Play
from core.state.model import Ask
from core.state.views import Deciding
from netcode.protocol import wire
from netcode.table.clocks import Clocks
from tests.netcode.bots.bot_views import ViewBuilder
from tests.netcode.offline_table import FIGHT, STRONG, OfflineTable, Player, at_the_fight, passed
from tests.netcode.restored_table import journal_rows, restored_table


@pytest.mark.parametrize(("pace", "length"), [("book", 2600), ("quick", 5000), ("standard", 8000)])
def test_a_window_lasts_as_long_as_the_pace_says(pace: str, length: int) -> None:
    offline = OfflineTable(pace=pace)
    kim, roger, _ = at_the_fight(offline)
    kim.act(Flee())
    assert (roger.timers.window, roger.timers.window_full) == (length, length)
    offline.wait(length - 1)
    assert kim.view.window is not None
    offline.wait(1)
    assert kim.view.window is None
    assert kim.view.top == "run"


def test_what_comes_after_the_window_has_closed_says_how_late_it_is() -> None:
    offline = OfflineTable(pace="book")
    kim, roger, ross = at_the_fight(offline)
    kim.act(Flee())
    window, rev, monster = roger.view.window, roger.view.rev, kim.view.fight.monsters[0].id
    offline.wait(2600)
    assert window is not None and kim.view.window is None
    late = roger.act(Play(roger.holds("Advantaged"), target=monster, seen=rev, anyway=False), later_us=37_400)
    assert isinstance(late, wire.Refused) and (late.by, late.ms) == (-1, 37)
    held = ross.act(Hold(window.id), later_us=80_000)
    assert isinstance(held, wire.Refused) and (held.by, held.ms) == (-1, 80)
    other = ross.act(Hold(window.id + 7), later_us=90_000)
    assert isinstance(other, wire.Refused) and other.ms == -1, "that was decided in no window that has closed"


def test_a_window_at_relaxed_pace_waits_for_everybody() -> None:
    offline = OfflineTable(pace="relaxed")
    kim, roger, ross = at_the_fight(offline)
    kim.act(Flee())
    assert roger.timers.window == -1
    offline.wait(3_600_000)
    window = kim.view.window
    assert window is not None
    roger.act(Pass(window.id))
    assert ross.view.window is not None
    ross.act(Pass(window.id))
    assert kim.view.window is None


@pytest.mark.parametrize("pace", ["book", "quick", "standard", "relaxed"])
def test_the_kick_window_lasts_a_second_and_a_half_at_every_pace(pace: str) -> None:
    offline = OfflineTable(pace=pace)
    kim, roger, _ = offline.sit("Kim", "Roger", "Ross")
    kim.act(Kick())
    assert roger.timers.window_full == 1500 and offline.table.next_ms() == offline.now + 1500
    offline.wait(1499)
    assert kim.view.fight is None
    offline.wait(1)
    assert kim.view.fight is not None


def test_a_window_closes_early_when_all_have_passed_and_passes_are_secret() -> None:
    offline = OfflineTable(pace="standard")
    kim, roger, ross = at_the_fight(offline)
    kim.act(Flee())
    window = kim.view.window
    assert window is not None
    offline.clear()
    assert isinstance(roger.act(Pass(window.id)), wire.Ack)
    assert roger.view.window is not None and roger.view.window.passed
    assert [type(message) for message in kim.inbox + ross.inbox] == [wire.Update, wire.Update]  # that `clear` has kept
    assert len(kim.inbox) == len(ross.inbox) == 1
    ross.act(Pass(window.id))
    assert kim.view.top == "run"


def test_a_play_opens_a_new_window_of_full_length() -> None:
    offline = OfflineTable(pace="quick")
    kim, roger, ross = at_the_fight(offline)
    kim.act(Flee())
    first = kim.view.window
    offline.wait(4000)
    monster = kim.view.fight.monsters[0].id
    assert isinstance(roger.act(Play(roger.holds("Advantaged"), target=monster)), wire.Ack)
    second = kim.view.window
    assert first is not None and second is not None and second.id > first.id
    assert ross.timers.window == 5000
    answer = ross.act(Pass(first.id))
    assert isinstance(answer, wire.Refused) and answer.refusal.clause == "stale"


def test_a_hold_freezes_the_window_for_at_most_fifteen_seconds() -> None:
    offline = OfflineTable(pace="book")
    kim, roger, ross = at_the_fight(offline)
    kim.act(Flee())
    offline.wait(1000)
    window = kim.view.window
    assert window is not None
    assert isinstance(roger.act(Hold(window.id)), wire.Ack)
    assert (ross.timers.hold, ross.timers.window) == (15_000, 1600)
    offline.wait(14_999)
    assert kim.view.window is not None and kim.view.window.holder == roger.seat
    offline.wait(1)
    assert kim.view.window is not None and kim.view.window.holder == -1
    offline.wait(1600)
    assert kim.view.window is None


def test_the_clock_of_a_held_window_continues_when_the_holder_passes() -> None:
    offline = OfflineTable(pace="book")
    kim, roger, ross = at_the_fight(offline)
    kim.act(Flee())
    window = kim.view.window
    assert window is not None
    offline.wait(600)
    roger.act(Hold(window.id))
    offline.wait(5000)
    roger.act(Pass(window.id))
    assert ross.timers.window == 2000
    offline.wait(2000)
    assert kim.view.window is None


def test_match_point_has_no_clock_but_seats_silent_for_ninety_seconds_pass() -> None:
    offline = OfflineTable(STRONG, pace="book")
    kim, roger, ross = at_the_fight(offline)
    assert isinstance(kim.act(Claim()), wire.Ack)
    assert kim.view.fight is not None and kim.view.fight.match_point
    assert roger.timers.window == -1
    offline.wait(80_000)
    window = kim.view.window
    assert window is not None
    roger.set(speed="slow")  # any message from a key press shows that Roger is there
    offline.wait(20_000)
    assert offline.table.stage == "playing"
    offline.wait(90_000)
    assert (offline.table.stage, kim.view.winners) == ("over", [kim.seat])
    assert ross.view.winners == [kim.seat]


@pytest.mark.parametrize(("pace", "limit"), [("book", 60_000), ("quick", 60_000), ("standard", 90_000)])
def test_an_open_phase_ends_with_its_default_at_its_limit(pace: str, limit: int) -> None:
    offline = OfflineTable(pace=pace)
    kim, roger, _ = offline.sit("Kim", "Roger", "Ross")
    assert roger.timers.prompts == {kim.seat: limit}
    offline.wait(limit - 1)
    assert kim.view.window is None
    offline.wait(1)
    assert kim.view.window is not None or kim.view.fight is not None


@pytest.mark.parametrize(("pace", "limit"), [("book", 30_000), ("quick", 30_000), ("standard", 45_000)])
def test_a_prompt_ends_at_its_limit(pace: str, limit: int) -> None:
    offline = OfflineTable(pace=pace)
    kim, roger, ross = at_the_fight(offline)
    kim.act(Flee())
    window = kim.view.window
    assert window is not None
    for player in (roger, ross):
        player.act(Pass(window.id))
    assert [deciding.kind for deciding in kim.view.deciding] == ["roll"]
    assert ross.timers.prompts == {kim.seat: limit}
    before = kim.view.rev
    offline.wait(limit)
    assert kim.view.rev > before


def test_relaxed_pace_has_no_limits_but_the_owner_may_call_the_default() -> None:
    offline = OfflineTable(pace="relaxed")
    kim, roger, _ = offline.sit("Kim", "Roger", "Ross")
    assert roger.timers.prompts == {}
    offline.wait(800_000)
    assert kim.view.deciding[0].kind == "kick"
    roger.send(wire.Admin(roger.session.s, "default", kim.seat))
    assert [error.code for error in roger.received(wire.Error)] == ["not_allowed"]
    kim.send(wire.Admin(kim.session.s, "default", kim.seat))
    assert kim.view.deciding == [] or kim.view.deciding[0].kind != "kick"


def test_after_two_defaults_in_a_row_a_bot_plays_until_the_next_key() -> None:
    offline = OfflineTable(pace="book")
    kim, roger, _ross = offline.sit("Kim", "Roger", "Ross")
    for _ in range(4):
        if offline.table.seating.seats[kim.seat].state == "away":
            break
        offline.wait(60_000)
    assert roger.received(wire.Info)[-1].info.seats[kim.seat].state == "away"
    (bot,) = offline.seat_own_bots()
    assert bot.seat == kim.seat
    assert bot.view.you is not None and bot.view.you.hand == kim.view.you.hand
    kim.set(ready=True)
    assert roger.received(wire.Info)[-1].info.seats[kim.seat].state == "here"
    assert [bye.reason for bye in bot.received(wire.Bye)] == ["superseded"]
    answer = bot.act(Kick()) if bot.session.address else None
    assert answer is None


def test_a_bot_plays_for_a_player_lost_for_a_minute_until_they_resume() -> None:
    offline = OfflineTable(pace="relaxed")
    kim, roger, _ross = offline.sit("Kim", "Roger", "Ross")
    token = kim.received(wire.Welcome)[-1].token
    kim.present = False
    offline.wait(8_000)
    assert roger.received(wire.Info)[-1].info.seats[kim.seat].state == "lost"
    offline.wait(60_000)
    assert roger.received(wire.Info)[-1].info.seats[kim.seat].state == "away"
    (bot,) = offline.seat_own_bots()
    assert isinstance(bot.act(Kick()), wire.Ack)
    back = offline.hello("Kim", token, address=b"elsewhere")
    assert isinstance(back, Player)
    assert back.session is kim.session
    assert back.seat == kim.seat
    assert [bye.reason for bye in bot.received(wire.Bye)] == ["superseded"]
    assert back.received(wire.Update)[0].whole


def test_a_resume_token_works_once_and_only_with_its_own_key() -> None:
    offline = OfflineTable()
    kim, *_ = offline.sit("Kim", "Roger", "Ross")
    token = kim.received(wire.Welcome)[-1].token
    stolen = offline.hello("Mallory", token)
    assert isinstance(stolen, wire.Error) and stolen.code == "bad_token"
    again = offline.hello("Kim", token, address=b"2")
    assert isinstance(again, Player)
    lost_welcome = offline.hello("Kim", token, address=b"3")
    assert isinstance(lost_welcome, Player), "a lost welcome must not lock its player out"
    newest = lost_welcome.received(wire.Welcome)[-1].token
    assert newest != token
    lost_welcome.send(wire.Ping(lost_welcome.session.s, 1))
    late = offline.hello("Kim", token, address=b"4")
    assert isinstance(late, wire.Error) and late.code == "bad_token"


def test_a_solo_player_has_no_clock_at_all() -> None:
    offline = OfflineTable(FIGHT, bots=2, pace="book")
    (kim,) = offline.sit("Kim")
    bots = offline.seat_own_bots()
    assert kim.timers.prompts == {}
    offline.wait(600_000)
    kim.act(Kick())
    assert kim.timers == wire.Timers()
    passed(kim, bots)
    kim.act(Flee())
    assert kim.timers.window == -1
    window = kim.view.window
    assert window is not None
    for bot in bots:
        bot.act(Pass(window.id))
    assert kim.view.window is None


def test_a_silent_bot_does_not_stall_a_table_without_clocks() -> None:
    offline = OfflineTable(FIGHT, bots=2, pace="book")
    (kim,) = offline.sit("Kim")
    offline.seat_own_bots()
    kim.act(Kick())
    offline.wait(29_000)
    assert kim.view.window is not None
    offline.wait(1_000)
    kim.act(Flee())
    offline.wait(29_000)
    assert kim.view.window is not None
    offline.wait(2_000)
    assert kim.view.window is None


# ----------------------------------------------------------------------------------------- somebody else plays a seat
def relaxed() -> tuple[OfflineTable, list[Player], bytes]:
    """Return a table without time limits where Kim fights; the bytes are the token with which Kim comes back."""
    offline = OfflineTable(FIGHT, pace="relaxed")
    players = at_the_fight(offline)
    return offline, players, players[0].received(wire.Welcome)[-1].token


def goes_on(offline: OfflineTable) -> bool:
    """Whether the host answers for a silent player within a minute."""
    match = offline.table.match
    assert match is not None
    before = match.seq
    offline.wait(60_000)
    return match.seq > before


@pytest.mark.parametrize("how", ["key", "hello", "newcomer"])
def test_without_a_time_limit_whoever_takes_a_seat_from_a_bot_has_none_either(how: str) -> None:
    offline, (kim, *_), token = relaxed()
    kim.present = False
    offline.wait(70_000)
    assert offline.table.seating.seats[kim.seat].state == "away"
    if how == "key":
        kim.present = True
        kim.set()
    elif how == "hello":
        assert isinstance(offline.hello("Kim", token, address=b"elsewhere"), Player)
    else:
        kim.send(wire.Leave(kim.session.s))
        assert isinstance(offline.hello("Ann"), Player)
    assert offline.table.seating.seats[kim.seat].state == "here"
    assert not goes_on(offline), "the host answered for a person"


@pytest.mark.parametrize("how", ["leave", "lost", "owner", "kick", "flood"])
def test_without_a_time_limit_a_silent_bot_that_takes_over_has_one(how: str) -> None:
    offline, (kim, roger, _), _token = relaxed()
    if how == "leave":
        kim.send(wire.Leave(kim.session.s))
    elif how == "lost":
        kim.present = False
        offline.wait(70_000)
    elif how == "owner":
        kim.send(wire.Admin(kim.session.s, "bot", seat=kim.seat))
    elif how == "kick":
        kim.send(wire.Admin(kim.session.s, "owner", seat=roger.seat))
        roger.send(wire.Admin(roger.session.s, "kick", seat=kim.seat))
    else:
        offline.table.seating.send_out(kim.session, True, offline.now)
        offline.wait(1)
    assert offline.table.seating.seats[kim.seat].played_by_bot
    assert goes_on(offline)


def test_the_clock_of_a_bot_that_takes_over_does_not_tell_whether_the_seat_had_answered_in_secret() -> None:
    bots: set[int] = set()
    clocks = Clocks("quick", lambda seat: seat in bots)
    question = Ask(7, 0, "lose", [1, 2], 1, 1, 15)
    asked, answered, public = (ViewBuilder().see(asks=asks) for asks in ([question], [], []))
    public.deciding = [Deciding(0, "lose", -1), Deciding(1, "lose", -1)]
    clocks.update(public, [asked, asked], 0)
    clocks.update(public, [asked, answered], 1000)
    assert clocks.timers(1000, -1).prompts == {0: 29_000, 1: 29_000}
    bots |= {0, 1}
    clocks.update(public, [asked, answered], 5000)
    assert clocks.timers(5000, -1).prompts == {0: 30_000, 1: 30_000}
    clocks.pace = "relaxed"
    clocks.update(public, [asked, answered], 6000)
    assert clocks.timers(6000, -1).prompts == {}
    clocks.pace = "quick"
    clocks.update(public, [asked, answered], 7000)
    assert clocks.timers(7000, -1).prompts == {0: 30_000, 1: 30_000}


# -------------------------------------------------------------------------------------------- a reconnection is no key
def inactive() -> tuple[OfflineTable, list[Player], bytes]:
    """Return a table where Kim, who is connected, has let two asks run out; the bytes are the token of Kim's seat."""
    offline = OfflineTable(pace="book")
    players = offline.sit("Kim", "Roger", "Ross")
    seat = offline.table.seating.seats[players[0].seat]
    for _ in range(60):
        if seat.state != "away":
            offline.wait(10_000)
    assert seat.state == "away"
    return offline, players, players[0].received(wire.Welcome)[-1].token


@pytest.mark.parametrize("restarted", [False, True])
def test_whoever_was_inactive_comes_back_with_a_key_and_not_because_a_client_reconnects(
    restarted: bool, tmp_path: Path
) -> None:
    offline, (kim, *_), token = inactive()
    if restarted:
        offline.table = restored_table(offline, journal_rows(offline, tmp_path))
    else:
        offline.seat_own_bots()
        offline.table.unreachable(kim.session, offline.stamp)
    seats = offline.table.seating.seats
    back = offline.hello("Kim", token, address=b"elsewhere")
    assert isinstance(back, Player) and seats[kim.seat].state == "away"
    offline.wait(30_000)
    assert seats[kim.seat].state == "away"
    back.set()
    assert seats[kim.seat].state == "here"
    offline.table.unreachable(back.session, offline.stamp)
    offline.wait(70_000)
    assert seats[kim.seat].state == "away"
    token = back.received(wire.Welcome)[-1].token
    assert isinstance(offline.hello("Kim", token, address=b"and again"), Player)
    assert seats[kim.seat].state == "here", "this time the connection was lost"


def test_whoever_lost_the_connection_comes_back_by_reconnecting_also_after_a_restart(tmp_path: Path) -> None:
    offline, (kim, *_), token = relaxed()
    kim.present = False
    offline.wait(70_000)
    offline.table = restored_table(offline, journal_rows(offline, tmp_path))
    seats = offline.table.seating.seats
    assert seats[kim.seat].state == "away"
    assert isinstance(offline.hello("Kim", token, address=b"elsewhere"), Player)
    assert seats[kim.seat].state == "here"
