"""Nobody can hold up a table: a seat's actions never refill its time banks, and this also holds for the owner."""

import random

import msgspec
import pytest

from core.state.actions import Claim, Flee, Hold, Offer, Pass, Play, Terms, Withdraw
from netcode.protocol import limits, wire
from netcode.protocol.paces import PACE_LIMITS, PACES, Pace
from tests.netcode.offline_table import FIGHT, STRONG, OfflineTable, Player, at_the_fight
from tests.netcode.stallers import Staller, longest_turn, play
from tests.thorough import TURN

CLOCKED: tuple[Pace, ...] = tuple(pace for pace in PACES if PACE_LIMITS[pace].has_clocks)
HOUR_MS = 3_600_000


def admin(player: Player, what: str, value: str = "", seat: int = -1) -> list[str]:
    """Make an owner's request; return the errors that answer it."""
    before = len(player.received(wire.Error))
    fields = {"k": "admin", "s": player.session.s, "what": what, "seat": seat, "value": value}
    player.send(msgspec.convert(fields, wire.Admin))
    return [error.text for error in player.received(wire.Error)[before:]]


def clocks(player: Player) -> wire.Timers:
    """Return the clocks as this player sees them now."""
    player.send(wire.Ping(player.session.s, 1))
    return player.timers


def vote(player: Player, number: int = 0, yes: bool = True) -> list[str]:
    """Ask for an undo vote, or take part in one; return the errors that answer it."""
    before = len(player.received(wire.Error))
    player.send(wire.Back(player.session.s, number, yes))
    return [error.text for error in player.received(wire.Error)[before:]]


# --------------------------------------------------------------------------------------------------------- match point
@pytest.mark.parametrize("pace", PACES)
def test_an_empty_set_each_minute_does_not_hold_match_point(pace: Pace) -> None:
    offline = OfflineTable(STRONG, pace=pace)
    kim, roger, ross = at_the_fight(offline)
    assert isinstance(kim.act(Claim()), wire.Ack)
    window, bank = kim.view.window, PACE_LIMITS[pace].match_point_ms
    assert window is not None and kim.view.fight.match_point
    assert kim.timers.banks == {roger.seat: bank, ross.seat: bank} and kim.timers.window == -1
    ross.act(Pass(window.id))
    waited = 0
    while offline.table.stage == "playing" and waited < HOUR_MS:
        roger.set()
        offline.wait(30_000)
        waited += 30_000
    assert (offline.table.stage, waited) == ("over", bank)


def test_a_card_gives_the_others_time_at_match_point_and_its_player_none() -> None:
    offline = OfflineTable(STRONG, pace="book")
    kim, roger, ross = at_the_fight(offline)
    kim.act(Claim())
    for _ in range(2):
        offline.wait(85_000)
        roger.set()
        ross.set()
    assert clocks(kim).banks == {roger.seat: 10_000, ross.seat: 10_000}
    monster = kim.view.fight.monsters[0].id
    assert isinstance(roger.act(Play(roger.holds("Advantaged"), target=monster)), wire.Ack)
    assert kim.view.window is not None and kim.view.fight.match_point
    assert kim.timers.banks == {roger.seat: 10_000, ross.seat: 90_000}


def test_time_banks_at_match_point_do_not_tell_who_has_passed() -> None:
    offline = OfflineTable(STRONG, pace="quick")
    kim, roger, ross = at_the_fight(offline)
    kim.act(Claim())
    window = kim.view.window
    assert window is not None
    offline.wait(20_000)
    roger.act(Pass(window.id))
    offline.wait(20_000)
    assert clocks(kim).banks == {roger.seat: 140_000, ross.seat: 140_000}


def test_whoever_holds_a_match_point_pays_for_it_from_its_own_bank() -> None:
    offline = OfflineTable(STRONG, pace="quick")
    kim, roger, ross = at_the_fight(offline)
    kim.act(Claim())
    window = kim.view.window
    assert window is not None
    offline.wait(20_000)
    assert isinstance(roger.act(Hold(window.id)), wire.Ack)
    offline.wait(10_000)
    assert clocks(kim).banks == {roger.seat: 150_000}
    roger.act(Pass(window.id))
    assert clocks(kim).banks == {roger.seat: 150_000, ross.seat: 160_000}


# ------------------------------------------------------------------------------------------------------------ one turn
@pytest.mark.long(3)
@pytest.mark.parametrize("pace", CLOCKED)
def test_offers_do_not_restart_the_clock_of_a_turn_for_ever(pace: Pace) -> None:
    offline = OfflineTable(FIGHT, pace=pace)
    kim, roger, _ = at_the_fight(offline)
    terms, began, phase = Terms("help", helper=roger.seat, treasures=1), offline.now - 1600, None
    while kim.view.window is None and kim.view.fight.stage == "fight" and offline.now - began < HOUR_MS:
        assert isinstance(kim.act(Offer(roger.seat, terms)), wire.Ack)
        kim.act(Withdraw(kim.view.offers[0].no))
        phase = roger.timers
        offline.wait(25_000)
    assert phase is not None and phase.prompts[kim.seat] <= phase.banks[kim.seat] < 25_000
    assert offline.now - began == pytest.approx(PACE_LIMITS[pace].phases_ms, abs=30_000)


def test_everybody_sees_the_time_bank_run_while_the_clock_of_a_phase_starts_anew() -> None:
    offline = OfflineTable(FIGHT, pace="book")
    kim, roger, ross = at_the_fight(offline)
    assert ross.timers.prompts == {kim.seat: 60_000} and ross.timers.banks[kim.seat] > 350_000
    bank = ross.timers.banks[kim.seat]
    offline.wait(50_000)
    kim.act(Offer(roger.seat, Terms("help", helper=roger.seat, treasures=1)))
    assert ross.timers.prompts == {kim.seat: 60_000}
    assert ross.timers.banks == {kim.seat: pytest.approx(bank - 50_000, abs=1000)}


def test_the_next_turn_has_a_full_time_bank() -> None:
    offline = OfflineTable(FIGHT, pace="book")
    kim, roger, ross = offline.sit("Kim", "Roger", "Ross")
    while kim.view.turn == kim.seat:
        offline.wait(10_000)
    assert kim.view.turn == roger.seat
    assert ross.timers.banks[roger.seat] > PACE_LIMITS["book"].phases_ms - 10_000


def test_who_comes_back_from_a_bot_has_no_more_time_than_before() -> None:
    offline = OfflineTable(FIGHT, pace="book")
    kim, roger, _ross = at_the_fight(offline)
    offline.wait(40_000)
    before = roger.timers.banks[kim.seat]
    admin(kim, "bot", seat=kim.seat)
    offline.wait(1000)
    kim.set()
    assert roger.received(wire.Info)[-1].info.seats[kim.seat].state == "here"
    assert roger.timers.banks[kim.seat] <= before


# ------------------------------------------------------------------------------------------------------------ the owner
def test_changing_the_pace_again_and_again_does_not_keep_a_window_open() -> None:
    offline = OfflineTable(FIGHT, pace="standard")
    kim, *_ = at_the_fight(offline)
    kim.act(Flee())
    began = offline.now
    while kim.view.window is not None and offline.now - began < 60_000:
        admin(kim, "pace", "relaxed")
        offline.wait(1000)
        admin(kim, "pace", "standard")
        offline.wait(1000)
    assert offline.now - began <= 9_000


def test_changing_the_pace_fills_no_time_bank() -> None:
    offline = OfflineTable(FIGHT, pace="book")
    kim, roger, _ = at_the_fight(offline)
    offline.wait(30_000)
    before = clocks(roger).banks[kim.seat]
    admin(kim, "pace", "relaxed")
    admin(kim, "pace", "book")
    assert roger.timers.banks[kim.seat] == before


def test_a_pause_is_the_owners_for_five_minutes_in_a_turn_then_anybody_may_resume() -> None:
    offline = OfflineTable(FIGHT, pace="book")
    kim, roger, _ross = at_the_fight(offline)
    assert admin(kim, "pause") == []
    assert roger.timers == wire.Timers(pause=limits.PAUSE_MS)
    offline.wait(200_000)
    assert admin(roger, "resume") == ["only the table's owner can do that; anybody can in 100 s"]
    assert admin(kim, "resume") == [] and offline.table.stage == "playing"
    assert admin(kim, "pause") == []
    assert roger.timers.pause == 100_000
    offline.wait(100_000)
    assert admin(roger, "pause") == ["only the table's owner can do that"]
    assert admin(roger, "resume") == [] and offline.table.stage == "playing"
    assert admin(kim, "pause") == ["this turn has had its 5 minutes of pause: pause again in the next one"]


def test_a_spectator_never_resumes_a_paused_game() -> None:
    offline = OfflineTable(FIGHT, pace="book")
    kim, *_ = at_the_fight(offline)
    eve = offline.spectator("Eve")
    admin(kim, "pause")
    offline.wait(limits.PAUSE_MS)
    assert admin(eve, "resume") == ["only the table's owner can do that"]


def test_somebody_alone_with_bots_pauses_for_as_long_as_they_like() -> None:
    offline = OfflineTable(FIGHT, bots=2, pace="book")
    (kim,) = offline.sit("Kim")
    for _ in range(3):
        assert admin(kim, "pause") == [] and kim.timers.pause == -1
        offline.wait(limits.PAUSE_MS)
        assert admin(kim, "resume") == []


def left_alone(spent_ms: int = 0) -> tuple[OfflineTable, Player]:
    """Return a table where Kim has paused after the others left. spent_ms: how long Kim had paused before."""
    offline = OfflineTable(FIGHT, pace="book")
    kim, roger, ross = at_the_fight(offline)
    if spent_ms:
        admin(kim, "pause")
        offline.wait(spent_ms)
        admin(kim, "resume")
    for player in (roger, ross):
        player.send(wire.Leave(player.session.s))
    assert admin(kim, "pause") == [] and kim.timers.pause == -1
    offline.wait(limits.PAUSE_MS * 3)
    return offline, kim


@pytest.mark.parametrize("spent_ms", [0, 100_000, limits.PAUSE_MS])
def test_a_pause_begun_alone_counts_from_when_a_second_person_sits_down(spent_ms: int) -> None:
    offline, kim = left_alone(spent_ms)
    ann = offline.hello("Ann")
    left = limits.PAUSE_MS - spent_ms
    assert isinstance(ann, Player) and ann.timers.pause == kim.timers.pause == left
    if left:
        assert admin(ann, "resume") == [f"only the table's owner can do that; anybody can in {left // 1000} s"]
        offline.wait(left)
    assert admin(ann, "resume") == [] and offline.table.stage == "playing"
    assert admin(kim, "pause") == ["this turn has had its 5 minutes of pause: pause again in the next one"]


def test_a_guest_bot_does_not_end_the_pause_of_somebody_alone() -> None:
    offline, _ = left_alone()
    guest = offline.hello("Rex", role="bot")
    assert isinstance(guest, Player)
    assert admin(guest, "resume") == ["only the table's owner can do that"] and offline.table.stage == "paused"


def test_at_relaxed_pace_anybody_may_decide_for_a_seat_whose_time_bank_is_empty() -> None:
    offline = OfflineTable(FIGHT, pace="relaxed")
    kim, roger, _ = offline.sit("Kim", "Roger", "Ross")
    offline.wait(PACE_LIMITS["relaxed"].phases_ms - 10_000)
    too_early = "only the table's owner can do that before a seat's time is used up"
    assert admin(roger, "default", seat=kim.seat) == [too_early]
    offline.wait(20_000)
    assert roger.timers.banks == {kim.seat: 0} and roger.timers.prompts == {}
    assert admin(roger, "default", seat=kim.seat) == []
    assert kim.view.window is not None


def test_at_relaxed_pace_anybody_may_close_a_window_that_has_been_open_for_long() -> None:
    offline = OfflineTable(FIGHT, pace="relaxed")
    kim, _roger, ross = at_the_fight(offline)
    kim.act(Flee())
    assert len(admin(ross, "default")) == 1
    offline.wait(PACE_LIMITS["relaxed"].questions_ms)
    assert admin(ross, "default") == []
    assert kim.view.window is None


# ---------------------------------------------------------------------------------------------------------- undo votes
def test_a_player_loses_two_undo_votes_in_a_turn_at_most() -> None:
    offline = OfflineTable(FIGHT, pace="relaxed")
    kim, roger, _ = at_the_fight(offline)
    kim.act(Flee())
    for _ in range(limits.LOST_VOTES):
        offline.wait(120_000)
        assert vote(roger) == []
        number = offline.table.info().vote.number
        vote(kim, number, yes=False)
    offline.wait(120_000)
    assert vote(roger) == ["you have lost 2 votes in this turn: ask again in the next one"]
    assert vote(kim) == [], "the others may ask"


# --------------------------------------------------------------------------------------------------- everything at once
@pytest.mark.long(12, turns=2)
@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize(("owner", "count"), [(True, 1), (False, 1), (True, 2)])
def test_the_table_goes_on_whatever_stallers_do_for_an_hour(pace: Pace, owner: bool, count: int) -> None:
    offline, rng = OfflineTable(None, pace=pace), random.Random(f"{pace} {owner} {count} {TURN}")
    people = offline.sit("Kim", "Roger", "Ross")
    stalling = people[:count] if owner else people[-count:]
    others = [player for player in people if player not in stalling]
    longest = play(offline, [Staller(player, rng) for player in stalling], others, HOUR_MS, rng)
    assert longest <= longest_turn("relaxed" if owner else pace, len(people))


@pytest.mark.long(4)
@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("count", [1, 2])
def test_match_point_ends_whatever_stallers_do(pace: Pace, count: int) -> None:
    offline, rng = OfflineTable(STRONG, pace=pace), random.Random(f"{pace} {count} {TURN}")
    kim, *others = at_the_fight(offline)
    kim.act(Claim())
    began = offline.now
    play(offline, [Staller(player, rng) for player in others[-count:]], [kim, *others[:-count]], HOUR_MS, rng)
    assert offline.table.stage == "over"
    assert offline.now - began <= longest_turn("relaxed", 3)
