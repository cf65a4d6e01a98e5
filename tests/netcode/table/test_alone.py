"""A player who is alone with bots: no clock runs out, and bots wait."""

import pytest

from core.state.actions import Claim, Decline, Flee, Hold, Kick, Offer, Pass, Play, Terms
from netcode.protocol import wire
from netcode.table.patience import touches
from tests.netcode.offline_table import CURSED, FIGHT, STRONG, OfflineTable, Player, passed
from tests.netcode.table.lone_player import BOTS_TURN, HOUR, alone, back, fighting, position


def test_bots_take_their_time_only_where_somebody_plays_or_watches() -> None:
    offline = OfflineTable(None, pace="relaxed")
    assert not offline.table.seating.watched()
    offline.hello("Kim")
    assert offline.table.seating.watched()


# ----------------------------------------------------------------------------------------------- nothing runs out
@pytest.mark.long(6)
@pytest.mark.parametrize("pace", ["book", "quick", "standard", "relaxed"])
def test_no_question_window_hold_or_bank_of_somebody_alone_ever_runs_out(pace: str) -> None:
    offline, kim, (roger, ross) = alone(pace=pace)
    assert kim.timers == wire.Timers()
    offline.wait(HOUR)
    assert kim.view.top == "turn", "the kick waits"
    kim.act(Kick())
    passed(kim, [roger, ross])
    offline.wait(HOUR)
    assert kim.view.fight is not None and kim.view.fight.stage == "fight"
    kim.act(Flee())
    passed(kim, [roger, ross])
    offline.wait(HOUR)
    assert [one.kind for one in kim.view.deciding] == ["roll"]
    assert kim.timers == wire.Timers()


@pytest.mark.long(0)
@pytest.mark.parametrize("pace", ["book", "relaxed"])
def test_the_kick_window_of_a_bot_and_every_later_one_wait_for_somebody_alone(pace: str) -> None:
    offline, kim, (roger, ross) = alone(BOTS_TURN, pace=pace)
    roger.act(Kick())
    passed(kim, [ross])
    offline.wait(HOUR)
    assert kim.view.window is not None and kim.view.window.kind == "kick"
    passed(kim, [kim])
    offline.wait(1000)
    roger.act(Flee())
    passed(kim, [ross])
    offline.wait(HOUR)
    assert kim.view.window is not None and kim.view.window.kind == "lost"
    window = kim.view.window
    assert isinstance(kim.act(Hold(window.id)), wire.Ack)
    assert kim.timers.hold == -1
    offline.wait(HOUR)
    assert kim.view.window is not None and kim.view.window.holder == kim.seat
    kim.act(Pass(window.id))
    assert kim.view.window is None, "whoever goes on has passed"


def test_match_point_waits_for_somebody_alone() -> None:
    offline, kim, (roger, _ross) = fighting(STRONG)
    kim.act(Claim())
    passed(kim, [roger])
    offline.wait(29_000)
    assert offline.table.stage == "playing"
    offline.wait(2_000)
    assert offline.table.stage == "over", "only the silent bot has a limit"


def test_a_bot_may_wait_for_as_long_as_somebody_alone_holds_a_window() -> None:
    strong = BOTS_TURN.replace("level = 3", 'level = 9\ntable = ["Plot Armor"]', 1).replace("Glampire", "Practice Rat")
    offline, kim, (roger, ross) = alone(strong)
    roger.act(Kick())
    passed(kim, [kim, ross])
    offline.wait(2000)
    assert isinstance(roger.act(Claim()), wire.Ack)
    window = ross.view.window
    assert window is not None and isinstance(kim.act(Hold(window.id)), wire.Ack)
    offline.wait(HOUR)
    kim.act(Pass(window.id))
    offline.wait(29_000)
    assert ross.view.window is not None and not ross.view.window.passed
    offline.wait(2_000)
    assert offline.table.stage == "over"


def test_a_second_person_brings_the_clocks_back() -> None:
    offline, kim, _bots = alone(pace="quick")
    kim.act(Kick())
    assert kim.timers.window == -1
    offline.table.seating.give_up(2, "left", "for somebody else")
    offline.clear()
    ann = offline.hello("Ann")
    assert isinstance(ann, Player) and kim.timers.window_full == 1500
    assert back(kim) == "" and offline.table.info().vote is not None, "now it is a vote"


def offered(offline: OfflineTable, kim: Player, bot: Player) -> None:
    """Let a bot offer its help to Kim."""
    assert isinstance(bot.act(Offer(kim.seat, Terms("help", helper=bot.seat, treasures=1))), wire.Ack)
    offline.wait(2000)
    assert kim.view.offers and kim.timers.waits


def test_bots_wait_with_everything_until_their_offer_is_answered_or_passed_over() -> None:
    offline, kim, (roger, ross) = fighting()
    offered(offline, kim, ross)
    assert kim.view.fight is not None
    play = Play(roger.holds("Advantaged"), target=kim.view.fight.monsters[0].id)
    assert roger.act(play) == wire.Ack(roger.n, "queued")
    offline.wait(HOUR)
    assert kim.view.offers and kim.view.fight.foes == 14, "the offer stands, and nothing has happened"
    assert isinstance(kim.act(Decline(kim.view.offers[0].no)), wire.Ack)
    assert not kim.timers.waits
    assert isinstance(roger.inbox[-1], wire.Refused), "what it wanted to do is to be thought over"
    assert isinstance(roger.act(play), wire.Ack)
    offline.wait(2000)
    assert kim.view.fight.foes > 14
    offered(offline, kim, ross)
    kim.set(skip=True)
    assert kim.view.offers and not kim.timers.waits, "passed over, it stays open"
    offered_again = roger.act(Offer(kim.seat, Terms("help", helper=roger.seat, treasures=2)))
    assert isinstance(offered_again, wire.Ack)
    offline.wait(2000)
    assert kim.timers.waits


def test_other_acts_do_not_pass_over_an_offer() -> None:
    offline, kim, (_roger, ross) = fighting()
    offered(offline, kim, ross)
    kim.act(Play(kim.holds("Prismatic Glitter"), side="heroes"))
    assert kim.timers.waits == bool(kim.view.offers)


# ---------------------------------------------------------------------------------------------- bots' acts wait
def test_bots_wait_after_each_act_if_their_player_wants_that_and_any_act_or_key_lets_them_go_on() -> None:
    offline, kim, (roger, ross) = alone(BOTS_TURN)
    kim.set(waits="each")
    roger.act(Kick())
    assert kim.timers.waits and kim.view.window is not None
    passed(kim, [ross, kim])
    assert not kim.timers.waits, "a pass is a key too"
    offline.wait(1000)
    roger.act(Flee())
    assert kim.timers.waits
    passed(kim, [ross, kim])
    rolled = roger.act(next(row.action for row in roger.view.you.legal)) if roger.view.you is not None else None
    assert rolled == wire.Ack(roger.n, "applied") or rolled == wire.Ack(roger.n, "queued")
    offline.wait(2000)
    assert kim.timers.waits
    before = position(kim.view)
    assert roger.view.you is not None
    for row in roger.view.you.legal[:1]:
        assert roger.act(row.action) == wire.Ack(roger.n, "queued")
    offline.wait(HOUR)
    assert position(kim.view) == before and kim.timers.waits, "and its clock stands still meanwhile"
    kim.set(skip=True)
    assert kim.view.rev > 0 and roger.inbox[-1] != wire.Ack(roger.n, "queued")


def test_never_means_never_and_is_what_a_host_does_unasked() -> None:
    for waits in (None, "never"):
        _offline, kim, (roger, _ross) = fighting()
        if waits is not None:
            kim.set(waits="each")
            kim.set(waits=waits)
        assert kim.view.fight is not None
        roger.act(Play(roger.holds("Advantaged"), target=kim.view.fight.monsters[0].id))
        assert not kim.timers.waits


def test_an_act_in_a_fight_that_concerns_the_player_is_shown_for_as_long_as_its_words_take() -> None:
    for waits, words in (("touching", 13), ("never", 0)):
        offline, kim, (roger, ross) = alone(BOTS_TURN)
        kim.set(waits=waits)
        roger.act(Kick())
        passed(kim, [ross, kim])
        offline.wait(5000)
        assert kim.view.fight is not None and not kim.timers.waits
        before = kim.view.fight.foes
        roger.act(Play(roger.holds("Advantaged"), target=kim.view.fight.monsters[0].id))
        assert kim.view.fight.foes > before
        assert kim.timers.beat == (800 + 150 * words if words else 900)
        assert roger.act(Flee()) == wire.Ack(roger.n, "queued")
        offline.wait(kim.timers.beat - 50)
        assert kim.view.window is None
        kim.set(skip=True)
        assert kim.view.window is not None, "the next key brings the next act"


def test_spectators_cannot_tell_from_the_pauses_whether_the_player_could_play() -> None:
    """Formerly, an act was shown longer when the player held a card for the fight, and a spectator could see the
    difference."""
    pauses: dict[bool, set[int]] = {True: set(), False: set()}
    for watched in pauses:
        for held in ("Prismatic Glitter", "Cardsharp Imp"):
            offline, kim, (roger, ross) = alone(BOTS_TURN.replace("Prismatic Glitter", held))
            if watched:
                offline.spectator()
            kim.set(waits="touching")
            roger.act(Kick())
            passed(kim, [ross, kim])
            offline.wait(5000)
            assert kim.view.fight is not None
            roger.act(Play(roger.holds("Advantaged"), target=kim.view.fight.monsters[0].id))
            pauses[watched].add(kim.timers.beat)
    assert len(pauses[True]) == 1 and len(pauses[False]) == 2, pauses


def test_a_card_played_into_the_players_fight_touches_them_and_one_for_a_bot_itself_does_not() -> None:
    offline, kim, (roger, ross) = fighting()
    kim.set(waits="touching")
    assert kim.view.fight is not None
    roger.act(Play(roger.holds("Advantaged"), target=kim.view.fight.monsters[0].id))
    assert kim.timers.waits
    offline, kim, (roger, ross) = alone(CURSED)
    kim.set(waits="touching")
    ross.act(Play(ross.holds("Find a Typo in the Rulse"), seat=ross.seat))
    offline.wait(2000)
    assert kim.view.seats[2].level == 3 and not kim.timers.waits
    roger.act(Play(roger.holds("Hole in the Pocket"), seat=kim.seat))
    assert kim.timers.waits, "a curse on Kim"


def test_a_fight_for_the_game_touches_everybody() -> None:
    _offline, kim, (roger, ross) = alone(STRONG.replace("steps", 'turn = "Kim"\nsteps'))
    kim.set(waits="touching")
    before = kim.view
    kim.act(Kick())
    passed(kim, [roger, ross])
    assert kim.view.fight is not None and kim.view.fight.match_point
    assert touches(before, kim.view, [], seat=2) and not touches(kim.view, kim.view, [], seat=2)


def test_two_people_wait_for_nobodys_key() -> None:
    offline = OfflineTable(FIGHT, bots=1, pace="book")
    kim, ann = offline.sit("Kim", "Ann")
    (ross,) = offline.seat_own_bots()
    kim.set(waits="each")
    ann.set(waits="each")
    kim.act(Kick())
    passed(kim, [ann, ross])
    offline.wait(1000)
    ross.act(Offer(kim.seat, Terms("help", helper=ross.seat, treasures=1)))
    offline.wait(2000)
    assert kim.view.offers and not kim.timers.waits


def test_a_wait_survives_a_player_who_comes_back_and_ends_with_an_undo() -> None:
    offline, kim, (roger, _ross) = fighting()
    kim.set(waits="each")
    assert kim.view.fight is not None
    roger.act(Play(roger.holds("Advantaged"), target=kim.view.fight.monsters[0].id))
    kim.present = False
    offline.wait(60_000)
    assert offline.table.seating.seats[0].state == "lost"
    kim.send(wire.Ping(kim.session.s, 1))
    assert kim.timers.waits
    assert back(kim) == "" and not kim.timers.waits


def test_a_bot_that_withdraws_keeps_what_only_waits_for_the_pause() -> None:
    offline, _, (roger, ross) = fighting()
    roger.act(Offer(ross.seat, Terms("help", helper=ross.seat, treasures=1)))
    ross.set(withdraw=True)
    queued = ross.act(Offer(0, Terms("help", helper=ross.seat, treasures=1)))
    ross.set(withdraw=True)
    assert ross.inbox[-1] == queued, "its own phase asks it all the time"
    offline.wait(2000)
    assert ross.received(wire.Ack)[-1] == wire.Ack(ross.n, "applied")
