"""The table's clocks at every pace, who was faster, what is told to whom: the real rules, the clock in our hand."""

import msgpack
import pytest

from core.actions import Answer, Claim, Flee, Hold, Kick, Offer, Pass, Play, Roll, Terms
from netcode import codec, wire
from tests.netcode.desk import FIGHT, Desk, Player

STRONG = FIGHT.replace("level = 4", 'level = 9\ntable = ["Plot Armor"]').replace('"Glampire"', '"Practice Rat"')


def at_the_fight(desk: Desk, *names: str) -> list[Player]:
    """Kim has kicked the door open and meets the monster."""
    players = desk.sit(*(names or ("Kim", "Roger", "Ross")))
    assert isinstance(players[0].act(Kick()), wire.Ack)
    desk.wait(1600)
    assert players[0].view.fight is not None
    return players


@pytest.mark.parametrize(("pace", "length"), [("book", 2600), ("quick", 5000), ("standard", 8000)])
def test_a_window_lasts_as_long_as_the_pace_says(pace: str, length: int) -> None:
    desk = Desk(pace=pace)
    kim, roger, _ = at_the_fight(desk)
    kim.act(Flee())
    assert (roger.timers.window, roger.timers.window_full) == (length, length)
    desk.wait(length - 1)
    assert kim.view.window is not None
    desk.wait(1)
    assert kim.view.window is None
    assert kim.view.top == "run"


def test_at_relaxed_pace_a_window_waits_for_everybody() -> None:
    desk = Desk(pace="relaxed")
    kim, roger, ross = at_the_fight(desk)
    kim.act(Flee())
    assert roger.timers.window == -1
    desk.wait(3_600_000)
    window = kim.view.window
    assert window is not None
    roger.act(Pass(window.id))
    assert ross.view.window is not None
    ross.act(Pass(window.id))
    assert kim.view.window is None


@pytest.mark.parametrize("pace", ["book", "quick", "standard", "relaxed"])
def test_a_kick_is_announced_for_a_second_and_a_half_at_every_pace(pace: str) -> None:
    desk = Desk(pace=pace)
    kim, roger, _ = desk.sit("Kim", "Roger", "Ross")
    kim.act(Kick())
    assert roger.timers.window_full == 1500
    desk.wait(1499)
    assert kim.view.fight is None
    desk.wait(1)
    assert kim.view.fight is not None


def test_a_window_closes_early_only_when_all_have_passed_and_a_pass_is_told_to_nobody_else() -> None:
    desk = Desk(pace="standard")
    kim, roger, ross = at_the_fight(desk)
    kim.act(Flee())
    window = kim.view.window
    assert window is not None
    desk.clear()
    assert isinstance(roger.act(Pass(window.id)), wire.Ack)
    assert roger.view.window is not None and roger.view.window.passed
    assert [type(message) for message in kim.inbox + ross.inbox] == [wire.Update, wire.Update]  # those kept by clear
    assert len(kim.inbox) == len(ross.inbox) == 1
    ross.act(Pass(window.id))
    assert kim.view.top == "run"


def test_an_accepted_play_opens_the_window_anew_and_at_its_full_length() -> None:
    desk = Desk(pace="quick")
    kim, roger, ross = at_the_fight(desk)
    kim.act(Flee())
    first = kim.view.window
    desk.wait(4000)
    monster = kim.view.fight.monsters[0].id  # type: ignore[union-attr]
    assert isinstance(roger.act(Play(roger.holds("Advantaged"), target=monster)), wire.Ack)
    second = kim.view.window
    assert first is not None and second is not None and second.id > first.id
    assert ross.timers.window == 5000
    answer = ross.act(Pass(first.id))
    assert isinstance(answer, wire.Refused) and answer.refusal.clause == "stale"


def test_a_hold_freezes_the_window_for_fifteen_seconds_at_most() -> None:
    desk = Desk(pace="book")
    kim, roger, ross = at_the_fight(desk)
    kim.act(Flee())
    desk.wait(1000)
    window = kim.view.window
    assert window is not None
    assert isinstance(roger.act(Hold(window.id)), wire.Ack)
    assert (ross.timers.hold, ross.timers.window) == (15_000, 1600)
    desk.wait(14_999)
    assert kim.view.window is not None and kim.view.window.holder == roger.seat
    desk.wait(1)
    assert kim.view.window is not None and kim.view.window.holder == -1
    desk.wait(1600)
    assert kim.view.window is None


def test_who_holds_and_passes_lets_the_clock_go_on_from_where_it_stood() -> None:
    desk = Desk(pace="book")
    kim, roger, ross = at_the_fight(desk)
    kim.act(Flee())
    window = kim.view.window
    assert window is not None
    desk.wait(600)
    roger.act(Hold(window.id))
    desk.wait(5000)
    roger.act(Pass(window.id))
    assert ross.timers.window == 2000
    desk.wait(2000)
    assert kim.view.window is None


def test_at_match_point_there_is_no_clock_but_seats_silent_for_ninety_seconds_count_as_passed() -> None:
    desk = Desk(STRONG, pace="book")
    kim, roger, ross = at_the_fight(desk)
    assert isinstance(kim.act(Claim()), wire.Ack)
    assert kim.view.fight is not None and kim.view.fight.match_point
    assert roger.timers.window == -1
    desk.wait(80_000)
    window = kim.view.window
    assert window is not None
    roger.set(speed="slow")  # any key shows that Roger is awake
    desk.wait(20_000)
    assert desk.table.stage == "playing"
    desk.wait(90_000)
    assert (desk.table.stage, kim.view.winners) == ("over", [kim.seat])
    assert ross.view.winners == [kim.seat]


@pytest.mark.parametrize(("pace", "limit"), [("book", 60_000), ("quick", 60_000), ("standard", 90_000)])
def test_an_open_phase_has_its_limit_and_then_the_default(pace: str, limit: int) -> None:
    desk = Desk(pace=pace)
    kim, roger, _ = desk.sit("Kim", "Roger", "Ross")
    assert roger.timers.prompts == {kim.seat: limit}
    desk.wait(limit - 1)
    assert kim.view.window is None
    desk.wait(1)
    assert kim.view.window is not None or kim.view.fight is not None


@pytest.mark.parametrize(("pace", "limit"), [("book", 30_000), ("quick", 30_000), ("standard", 45_000)])
def test_a_prompt_has_its_limit(pace: str, limit: int) -> None:
    desk = Desk(pace=pace)
    kim, roger, ross = at_the_fight(desk)
    kim.act(Flee())
    window = kim.view.window
    assert window is not None
    for player in (roger, ross):
        player.act(Pass(window.id))
    assert [deciding.kind for deciding in kim.view.deciding] == ["roll"]
    assert ross.timers.prompts == {kim.seat: limit}
    before = kim.view.rev
    desk.wait(limit)
    assert kim.view.rev > before


def test_at_relaxed_pace_nobody_is_hurried_but_the_owner_may_call_the_default() -> None:
    desk = Desk(pace="relaxed")
    kim, roger, _ = desk.sit("Kim", "Roger", "Ross")
    assert roger.timers.prompts == {}
    desk.wait(3_600_000)
    assert kim.view.deciding[0].kind == "kick"
    roger.say(wire.Admin(roger.session.s, "default", kim.seat))
    assert [error.code for error in roger.told(wire.Error)] == ["not_allowed"]  # type: ignore[attr-defined]
    kim.say(wire.Admin(kim.session.s, "default", kim.seat))
    assert kim.view.deciding == [] or kim.view.deciding[0].kind != "kick"


def test_two_defaults_in_a_row_and_a_bot_sits_in_until_the_next_key() -> None:
    desk = Desk(pace="book")
    kim, roger, _ross = desk.sit("Kim", "Roger", "Ross")
    for _ in range(4):
        if desk.table.seating.seats[kim.seat].state == "away":
            break
        desk.wait(60_000)
    assert roger.told(wire.Info)[-1].info.seats[kim.seat].state == "away"  # type: ignore[attr-defined]
    (bot,) = desk.own_bots()
    assert bot.seat == kim.seat
    assert bot.view.you is not None and bot.view.you.hand == kim.view.you.hand  # type: ignore[union-attr]
    kim.set(ready=True)
    assert roger.told(wire.Info)[-1].info.seats[kim.seat].state == "here"  # type: ignore[attr-defined]
    assert [bye.reason for bye in bot.told(wire.Bye)] == ["superseded"]  # type: ignore[attr-defined]
    answer = bot.act(Kick()) if bot.session.address else None
    assert answer is None


def test_a_player_lost_for_a_minute_is_played_by_a_bot_and_returns_with_the_token() -> None:
    desk = Desk(pace="relaxed")
    kim, roger, _ross = desk.sit("Kim", "Roger", "Ross")
    token = kim.told(wire.Welcome)[-1].token  # type: ignore[attr-defined]
    kim.present = False
    desk.wait(8_000)
    assert roger.told(wire.Info)[-1].info.seats[kim.seat].state == "lost"  # type: ignore[attr-defined]
    desk.wait(60_000)
    assert roger.told(wire.Info)[-1].info.seats[kim.seat].state == "away"  # type: ignore[attr-defined]
    (bot,) = desk.own_bots()
    assert isinstance(bot.act(Kick()), wire.Ack)
    back = desk.hello("Kim", token, address=b"elsewhere")
    assert isinstance(back, Player)
    assert back.session is kim.session
    assert back.seat == kim.seat
    assert [bye.reason for bye in bot.told(wire.Bye)] == ["superseded"]  # type: ignore[attr-defined]
    assert back.told(wire.Update)[0].whole  # type: ignore[attr-defined]


def test_a_resume_token_is_good_once_and_for_its_own_key_only() -> None:
    desk = Desk()
    kim, *_ = desk.sit("Kim", "Roger", "Ross")
    token = kim.told(wire.Welcome)[-1].token  # type: ignore[attr-defined]
    stolen = desk.hello("Mallory", token)
    assert isinstance(stolen, wire.Error) and stolen.code == "bad_token"
    again = desk.hello("Kim", token, address=b"2")
    assert isinstance(again, Player)
    lost_welcome = desk.hello("Kim", token, address=b"3")
    assert isinstance(lost_welcome, Player), "a lost welcome must not lock its player out"
    newest = lost_welcome.told(wire.Welcome)[-1].token  # type: ignore[attr-defined]
    assert newest != token
    lost_welcome.say(wire.Ping(lost_welcome.session.s, 1))
    late = desk.hello("Kim", token, address=b"4")
    assert isinstance(late, wire.Error) and late.code == "bad_token"


def test_with_one_human_there_is_no_clock_but_the_beat() -> None:
    desk = Desk(FIGHT, bots=2, pace="book")
    (kim,) = desk.sit("Kim")
    bots = desk.own_bots()
    assert kim.timers.prompts == {}
    desk.wait(600_000)
    kim.act(Kick())
    assert kim.timers.window_full == 1500
    desk.wait(1500)
    kim.act(Flee())
    assert kim.timers.window == -1
    window = kim.view.window
    assert window is not None
    for bot in bots:
        bot.act(Pass(window.id))
    assert kim.view.window is None


def test_a_bot_that_never_answers_does_not_stall_a_table_without_clocks() -> None:
    desk = Desk(FIGHT, bots=2, pace="book")
    (kim,) = desk.sit("Kim")
    desk.own_bots()
    kim.act(Kick())
    desk.wait(1500)
    kim.act(Flee())
    desk.wait(29_000)
    assert kim.view.window is not None
    desk.wait(2_000)
    assert kim.view.window is None


# ------------------------------------------------------------------------------------------------------ who was faster
def test_only_if_unchanged_is_refused_when_somebody_was_faster_and_says_who_and_by_how_much() -> None:
    desk = Desk()
    kim, roger, _ross = at_the_fight(desk)
    rev = kim.view.rev
    monster = kim.view.fight.monsters[0].id  # type: ignore[union-attr]
    assert isinstance(roger.act(Play(roger.holds("Advantaged"), target=monster, seen=rev)), wire.Ack)
    glitter = Play(kim.holds("Prismatic Glitter"), side="heroes", seen=rev, anyway=False)
    refused = kim.act(glitter, later_us=37_400)
    assert isinstance(refused, wire.Refused)
    assert (refused.refusal.clause, refused.by, refused.ms) == ("changed", roger.seat, 37)
    assert kim.holds("Prismatic Glitter") == glitter.card


def test_an_act_sent_twice_is_done_once() -> None:
    desk = Desk()
    kim, _roger, _ = desk.sit("Kim", "Roger", "Ross")
    kick = wire.Act(kim.session.s, 1, Kick())
    kim.say(kick)
    desk.clear()
    before = kim.view.rev
    kim.say(kick)
    assert kim.told(wire.Ack) == [wire.Ack(1, "dup")]
    assert kim.view.rev == before


def test_a_refusal_is_remembered_for_its_number() -> None:
    desk = Desk()
    _, roger, _ = desk.sit("Kim", "Roger", "Ross")
    act = wire.Act(roger.session.s, 1, Kick())
    roger.say(act)
    first = roger.told(wire.Refused)
    roger.say(act)
    assert roger.told(wire.Refused) == first * 2


def test_nobody_acts_for_another_seat_or_looking_on() -> None:
    desk = Desk()
    kim, roger, _ = desk.sit("Kim", "Roger", "Ross")
    watcher = desk.hello("Wes", token=b"w" * 16, role="watch")
    assert isinstance(watcher, Player)
    assert watcher.view.you is None
    assert isinstance(roger.act(Kick()), wire.Refused)
    assert isinstance(watcher.act(Kick()), wire.Refused)
    assert kim.view.window is None


# ------------------------------------------------------------------------------------------------------------ auto-pass
def test_auto_passes_until_the_fight_changes() -> None:
    desk = Desk(pace="standard")
    kim, roger, ross = at_the_fight(desk)
    ross.set(auto=True)
    assert ross.update.auto
    kim.act(Flee())
    assert ross.view.window is not None and ross.view.window.passed
    monster = kim.view.fight.monsters[0].id  # type: ignore[union-attr]
    roger.act(Play(roger.holds("Advantaged"), target=monster))
    assert not ross.update.auto
    assert ross.view.window is not None and not ross.view.window.passed


def test_auto_stops_at_match_point() -> None:
    desk = Desk(STRONG, pace="book")
    kim, _roger, ross = at_the_fight(desk)
    ross.set(auto=True)
    kim.act(Claim())
    assert not ross.update.auto
    assert ross.view.window is not None and not ross.view.window.passed


# ------------------------------------------------------------------------------------------------------- pace of bots
def test_bots_act_visibly_no_faster_than_a_person_can_read_and_a_key_skips_the_pause() -> None:
    desk = Desk(FIGHT, bots=2, pace="book")
    (kim,) = desk.sit("Kim")
    roger, ross = desk.own_bots()
    kim.act(Kick())
    desk.wait(1500)
    monster = kim.view.fight.monsters[0].id  # type: ignore[union-attr]
    assert isinstance(roger.act(Play(roger.holds("Advantaged"), target=monster)), wire.Ack)
    assert kim.timers.beat == 900
    offer = Offer(kim.seat, Terms("help", helper=ross.seat, treasures=1))
    answer = ross.act(offer)
    assert answer == wire.Ack(ross.n, "queued")
    desk.wait(899)
    assert kim.view.offers == []
    desk.wait(1)
    assert len(kim.view.offers) == 1
    assert ross.told(wire.Ack)[-1] == wire.Ack(ross.n, "applied")
    other = Offer(kim.seat, Terms("help", helper=roger.seat, treasures=2))
    assert roger.act(other) == wire.Ack(roger.n, "queued")
    kim.set(skip=True)
    assert len(kim.view.offers) == 2


# ---------------------------------------------------------------------------------------------------------- the end
def test_after_the_game_everybody_ready_again_means_a_rematch() -> None:
    desk = Desk(STRONG, pace="book")
    kim, roger, ross = at_the_fight(desk)
    kim.act(Claim())
    window = kim.view.window
    assert window is not None
    roger.act(Pass(window.id))
    ross.act(Pass(window.id))
    info = kim.told(wire.Info)[-1].info  # type: ignore[attr-defined]
    assert (info.stage, info.seats[kim.seat].wins) == ("over", 1)
    for player in (kim, roger, ross):
        assert desk.table.stage == "over"
        player.set(ready=True)
    assert desk.table.stage == "playing"
    assert kim.view.winners == []
    assert kim.update.whole


def test_a_solo_table_closes_when_its_player_has_been_gone_ten_minutes_or_leaves() -> None:
    desk = Desk(FIGHT, bots=2, solo=True)
    (kim,) = desk.sit("Kim")
    kim.present = False
    desk.wait(590_000)
    assert not desk.table.closed
    assert desk.table.seating.seats[kim.seat].state == "lost"
    desk.wait(20_000)
    assert desk.table.closed

    desk = Desk(FIGHT, bots=2, solo=True)
    (kim,) = desk.sit("Kim")
    kim.say(wire.Leave(kim.session.s))
    assert [bye.reason for bye in kim.told(wire.Bye)] == ["left"]  # type: ignore[attr-defined]
    desk.wait(1_000)
    assert desk.table.closed


def test_who_leaves_a_game_is_played_on_by_a_bot() -> None:
    desk = Desk()
    kim, roger, _ross = desk.sit("Kim", "Roger", "Ross")
    kim.say(wire.Leave(kim.session.s))
    assert roger.told(wire.Info)[-1].info.seats[kim.seat].state == "gone"  # type: ignore[attr-defined]
    (bot,) = desk.own_bots()
    assert isinstance(bot.act(Kick()), wire.Ack)


def test_too_much_at_once_is_slowed_down_and_who_goes_on_is_sent_away() -> None:
    desk = Desk()
    kim, roger, _ross = desk.sit("Kim", "Roger", "Ross")
    for n in range(1, 22):
        roger.say(wire.Act(roger.session.s, n, Answer(99)))
    slow = roger.told(wire.Error)[-1]
    assert isinstance(slow, wire.Error) and slow.code == "rate_limited" and slow.retry_ms > 0
    for n in range(22, 60):
        roger.say(wire.Act(roger.session.s, n, Roll(99)))
    assert [bye.reason for bye in roger.told(wire.Bye)] == ["kicked"]  # type: ignore[attr-defined]
    assert kim.told(wire.Info)[-1].info.seats[roger.seat].state == "gone"  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------------- while a card is being read
CURSED = """
[[scenario]]
name = "Kim has to choose what to lose"
steps = []
treasures = []
[scenario.seats.Kim]
level = 4
hand = ["Advantaged"]
table = ["Pickle Spear", "Wombat Boots"]
[scenario.seats.Roger]
level = 3
hand = ["Hole in the Pocket"]
[scenario.seats.Ross]
level = 2
hand = ["Find a Typo in the Rulse"]
"""


def while_a_curse_is_read() -> tuple[Desk, list[Player], wire.Down]:
    """Kim has to choose what to lose; Ross has played a card meanwhile."""
    desk = Desk(CURSED, pace="relaxed")
    kim, roger, ross = desk.sit("Kim", "Roger", "Ross")
    assert isinstance(roger.act(Play(roger.holds("Hole in the Pocket"), seat=kim.seat)), wire.Ack)
    assert kim.view.you is not None and kim.view.you.asks
    answer = ross.act(Play(ross.holds("Find a Typo in the Rulse"), seat=ross.seat))
    return desk, [kim, roger, ross], answer


def test_what_comes_while_a_card_is_read_waits_and_is_done_when_it_has_been() -> None:
    _, (kim, roger, ross), answer = while_a_curse_is_read()
    assert answer == wire.Ack(ross.n, "queued")
    assert (ross.view.seats[ross.seat].level, roger.told(wire.Refused)) == (2, [])
    ask = kim.view.you.asks[0]  # type: ignore[union-attr]
    assert isinstance(kim.act(Answer(ask.id, (ask.options[0],))), wire.Ack)
    assert ross.told(wire.Ack)[-1] == wire.Ack(ross.n, "applied")
    assert kim.view.seats[ross.seat].level == 3


def test_what_waits_can_be_taken_back() -> None:
    _, (kim, _, ross), _ = while_a_curse_is_read()
    ross.set(withdraw=True)
    refused = ross.told(wire.Refused)[-1]
    assert isinstance(refused, wire.Refused) and (refused.n, refused.refusal.clause) == (ross.n, "withdrawn")
    ask = kim.view.you.asks[0]  # type: ignore[union-attr]
    kim.act(Answer(ask.id, (ask.options[0],)))
    assert (kim.view.seats[ross.seat].level, kim.view.seats[ross.seat].hand) == (2, 1)


def test_at_most_four_of_one_player_wait() -> None:
    _, (_, _, ross), _ = while_a_curse_is_read()
    action = Play(ross.holds("Find a Typo in the Rulse"), seat=ross.seat)
    answers = [ross.act(action) for _ in range(4)]
    assert [type(answer) for answer in answers] == [wire.Ack, wire.Ack, wire.Ack, wire.Refused]


# --------------------------------------------------------------------------------------------------------- secrecy
def test_no_byte_that_leaves_the_host_tells_of_another_hand() -> None:
    """Ids of cards in a hand (5 bytes of msgpack) never occur in what others are sent, from deal to first kick."""
    desk = Desk(None, pace="book", bots=1)
    kim, roger = desk.sit("Kim", "Roger")
    watcher = desk.hello("Wes", token=b"w" * 16, role="watch")
    assert isinstance(watcher, Player)
    desk.own_bots()
    players = [kim, roger, watcher]
    desk.wait(120_000)
    hands = {p.seat: set(p.view.you.hand) for p in (kim, roger)}  # type: ignore[union-attr]
    assert all(hands.values())
    for other in players:
        sent = b"".join(codec.pack(message) for message in other.inbox)
        for seat, hand in hands.items():
            for held in hand:
                if seat != other.seat:
                    assert msgpack.packb(held) not in sent, f"seat {other.seat} was told of {held} of seat {seat}"
                elif other is kim:
                    assert msgpack.packb(held) in sent
