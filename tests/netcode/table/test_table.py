"""The order of actions, waiting actions, and the messages to each client, with the real rules and a clock that the test
sets."""

from collections.abc import Sequence

import msgpack

from core.state.actions import Answer, Claim, Flee, Kick, Offer, Pass, Play, Terms
from core.state.events import AnyEvent, seen_by
from netcode.protocol import codec, wire
from tests.netcode.offline_table import FIGHT, STRONG, OfflineTable, at_the_fight, passed, while_a_curse_is_read
from tests.netcode.recorded_games import SeededTable, play_on


# ------------------------------------------------------------------------------------------------------ who was faster
def test_a_conditional_play_is_refused_if_somebody_was_faster_and_names_them_and_the_ms() -> None:
    offline = OfflineTable()
    kim, roger, _ross = at_the_fight(offline)
    rev = kim.view.rev
    monster = kim.view.fight.monsters[0].id
    assert isinstance(roger.act(Play(roger.holds("Advantaged"), target=monster, seen=rev)), wire.Ack)
    glitter = Play(kim.holds("Prismatic Glitter"), side="heroes", seen=rev, anyway=False)
    refused = kim.act(glitter, later_us=37_400)
    assert isinstance(refused, wire.Refused)
    assert (refused.refusal.clause, refused.by, refused.ms) == ("changed", roger.seat, 37)
    assert kim.holds("Prismatic Glitter") == glitter.card


def test_an_action_sent_twice_is_done_once() -> None:
    offline = OfflineTable()
    kim, _roger, _ = offline.sit("Kim", "Roger", "Ross")
    kick = wire.Act(kim.session.s, 1, Kick())
    kim.send(kick)
    offline.clear()
    before = kim.view.rev
    kim.send(kick)
    assert kim.received(wire.Ack) == [wire.Ack(1, "dup")]
    assert kim.view.rev == before


def test_an_action_refused_and_sent_again_gets_the_same_refusal() -> None:
    offline = OfflineTable()
    _, roger, _ = offline.sit("Kim", "Roger", "Ross")
    act = wire.Act(roger.session.s, 1, Kick())
    roger.send(act)
    first = roger.received(wire.Refused)
    roger.send(act)
    assert roger.received(wire.Refused) == first * 2


def test_nobody_acts_for_another_seat_and_spectators_never_act() -> None:
    offline = OfflineTable()
    kim, roger, _ = offline.sit("Kim", "Roger", "Ross")
    watcher = offline.spectator()
    assert watcher.view.you is None
    assert isinstance(roger.act(Kick()), wire.Refused)
    assert isinstance(watcher.act(Kick()), wire.Refused)
    assert kim.view.window is None


# ------------------------------------------------------------------------------------------------------------ auto-pass
def test_automatic_passes_end_when_the_fight_changes() -> None:
    offline = OfflineTable(pace="standard")
    kim, roger, ross = at_the_fight(offline)
    ross.set(auto=True)
    assert ross.update.auto
    kim.act(Flee())
    assert ross.view.window is not None and ross.view.window.passed
    monster = kim.view.fight.monsters[0].id
    roger.act(Play(roger.holds("Advantaged"), target=monster))
    assert not ross.update.auto
    assert ross.view.window is not None and not ross.view.window.passed


def test_automatic_passes_end_when_another_seat_names_the_seat() -> None:
    offline = OfflineTable(pace="standard")
    kim, roger, ross = at_the_fight(offline)
    for player in (roger, ross):
        player.set(auto=True)
    assert isinstance(ross.act(Offer(kim.seat, Terms("help", helper=ross.seat, treasures=1))), wire.Ack)
    assert roger.update.auto and ross.update.auto, "nobody has named them"
    assert isinstance(kim.act(Offer(roger.seat, Terms("help", helper=roger.seat, treasures=1))), wire.Ack)
    assert (roger.update.auto, ross.update.auto) == (False, True)


def test_automatic_passes_end_at_match_point() -> None:
    offline = OfflineTable(STRONG, pace="book")
    kim, _roger, ross = at_the_fight(offline)
    ross.set(auto=True)
    kim.act(Claim())
    assert not ross.update.auto
    assert ross.view.window is not None and not ross.view.window.passed


# ------------------------------------------------------------------------------------------------------- pace of bots
def test_bots_pause_after_each_visible_action_and_a_key_skips_the_pause() -> None:
    offline = OfflineTable(FIGHT, bots=2, pace="book")
    (kim,) = offline.sit("Kim")
    roger, ross = offline.seat_own_bots()
    kim.act(Kick())
    passed(kim, [roger, ross])
    offline.wait(1000)
    monster = kim.view.fight.monsters[0].id
    assert isinstance(roger.act(Play(roger.holds("Advantaged"), target=monster)), wire.Ack)
    assert kim.timers.beat == 900
    offer = Offer(kim.seat, Terms("help", helper=ross.seat, treasures=1))
    answer = ross.act(offer)
    assert answer == wire.Ack(ross.n, "queued")
    offline.wait(899)
    assert kim.view.offers == []
    offline.wait(1)
    assert len(kim.view.offers) == 1
    assert ross.received(wire.Ack)[-1] == wire.Ack(ross.n, "applied")
    other = Offer(kim.seat, Terms("help", helper=roger.seat, treasures=2))
    assert roger.act(other) == wire.Ack(roger.n, "queued")
    kim.set(skip=True)
    assert len(kim.view.offers) == 2


def test_a_bot_action_still_waiting_at_the_end_of_the_match_is_refused() -> None:
    offline = OfflineTable(STRONG, bots=2, pace="book")
    (kim,) = offline.sit("Kim")
    roger, ross = offline.seat_own_bots()
    kim.act(Kick())
    passed(kim, [roger, ross])
    offline.wait(1000)
    monster = kim.view.fight.monsters[0].id
    assert isinstance(roger.act(Play(roger.holds("Advantaged"), target=monster)), wire.Ack)
    kim.act(Claim())
    window = kim.view.window
    assert window is not None
    offer = Offer(kim.seat, Terms("help", helper=ross.seat, treasures=1))
    assert ross.act(offer) == wire.Ack(ross.n, "queued")
    waiting = ross.n
    roger.act(Pass(window.id))
    ross.act(Pass(window.id))
    assert offline.table.stage == "over"
    (refused,) = [m for m in ross.inbox if isinstance(m, wire.Refused) and m.n == waiting]
    assert refused.refusal.text == "The game is over."


# ---------------------------------------------------------------------------------------------------------- the end
def test_a_rematch_begins_when_everybody_is_ready_again() -> None:
    offline = OfflineTable(STRONG, pace="book")
    kim, roger, ross = at_the_fight(offline)
    kim.act(Claim())
    window = kim.view.window
    assert window is not None
    roger.act(Pass(window.id))
    ross.act(Pass(window.id))
    info = kim.received(wire.Info)[-1].info
    assert (info.stage, info.seats[kim.seat].wins) == ("over", 1)
    for player in (kim, roger, ross):
        assert offline.table.stage == "over"
        player.set(ready=True)
    assert offline.table.stage == "playing"
    assert kim.view.winners == []
    assert kim.update.whole
    again = kim.received(wire.Info)[-1].info
    for name in ("packs", "options", "pace", "owner", "solo"):
        assert getattr(again, name) == getattr(info, name)
    assert [(seat.name, seat.state) for seat in again.seats] == [(seat.name, seat.state) for seat in info.seats]


def test_a_solo_table_closes_when_its_player_leaves_or_is_gone_for_ten_minutes() -> None:
    offline = OfflineTable(FIGHT, bots=2, solo=True)
    (kim,) = offline.sit("Kim")
    kim.present = False
    offline.wait(590_000)
    assert not offline.table.closed
    assert offline.table.seating.seats[kim.seat].state == "lost"
    offline.wait(20_000)
    assert offline.table.closed

    offline = OfflineTable(FIGHT, bots=2, solo=True)
    (kim,) = offline.sit("Kim")
    kim.send(wire.Leave(kim.session.s))
    assert [bye.reason for bye in kim.received(wire.Bye)] == ["left"]
    offline.wait(1_000)
    assert offline.table.closed


def test_a_bot_plays_the_seat_of_a_player_who_left() -> None:
    offline = OfflineTable()
    kim, roger, _ross = offline.sit("Kim", "Roger", "Ross")
    kim.send(wire.Leave(kim.session.s))
    assert roger.received(wire.Info)[-1].info.seats[kim.seat].state == "gone"
    (bot,) = offline.seat_own_bots()
    assert isinstance(bot.act(Kick()), wire.Ack)


def test_a_solo_game_is_never_ended_by_refused_acts() -> None:
    offline = OfflineTable(seats=3, bots=2, solo=True)
    (kim,) = offline.sit("Kim")
    for n in range(1, 80):
        kim.send(wire.Act(kim.session.s, n, Answer(99)))
    assert not kim.received(wire.Bye)
    assert offline.table.seating.seats[kim.seat].player is kim.session


def test_a_spectator_who_leaves_and_hangs_up_at_once_is_removed_once() -> None:
    offline = OfflineTable()
    offline.sit("Kim", "Roger", "Ross")
    watcher = offline.spectator()
    offline.table.message(watcher.session, wire.Leave(watcher.session.s), offline.stamp)
    offline.table.unreachable(watcher.session, offline.stamp)
    offline.table.unreachable(watcher.session, offline.stamp)
    assert offline.table.seating.spectators == []
    assert not offline.table.closed


# ------------------------------------------------------------------------------------- while a card is being read
def test_an_action_waits_while_a_card_is_read_and_is_done_afterwards() -> None:
    _, (kim, roger, ross), answer = while_a_curse_is_read()
    assert answer == wire.Ack(ross.n, "queued")
    assert (ross.view.seats[ross.seat].level, roger.received(wire.Refused)) == (2, [])
    ask = kim.view.you.asks[0]
    assert isinstance(kim.act(Answer(ask.id, (ask.options[0],))), wire.Ack)
    assert ross.received(wire.Ack)[-1] == wire.Ack(ross.n, "applied")
    assert kim.view.seats[ross.seat].level == 3


def test_a_waiting_action_can_be_withdrawn() -> None:
    _, (kim, _, ross), _ = while_a_curse_is_read()
    ross.set(withdraw=True)
    refused = ross.received(wire.Refused)[-1]
    assert isinstance(refused, wire.Refused) and (refused.n, refused.refusal.clause) == (ross.n, "withdrawn")
    ask = kim.view.you.asks[0]
    kim.act(Answer(ask.id, (ask.options[0],)))
    assert (kim.view.seats[ross.seat].level, kim.view.seats[ross.seat].hand) == (2, 1)


def test_at_most_four_actions_of_one_player_wait() -> None:
    _, (_, _, ross), _ = while_a_curse_is_read()
    action = Play(ross.holds("Find a Typo in the Rulse"), seat=ross.seat)
    answers = [ross.act(action) for _ in range(4)]
    assert [type(answer) for answer in answers] == [wire.Ack, wire.Ack, wire.Ack, wire.Refused]


# --------------------------------------------------------------------------------------------------------- secrecy
def test_no_message_contains_a_card_of_another_hand() -> None:
    """Ids of cards in a hand (5 bytes of msgpack) never occur in messages to others before the first kick."""
    offline = OfflineTable(None, pace="book", bots=1)
    kim, roger = offline.sit("Kim", "Roger")
    watcher = offline.spectator()
    offline.seat_own_bots()
    players = [kim, roger, watcher]
    offline.wait(120_000)
    hands = {p.seat: set(p.view.you.hand) for p in (kim, roger)}
    assert all(hands.values())
    for other in players:
        sent = b"".join(codec.pack(message) for message in other.inbox)
        for seat, hand in hands.items():
            for held in hand:
                if seat != other.seat:
                    assert msgpack.packb(held) not in sent, f"seat {other.seat} was told of {held} of seat {seat}"
                elif other is kim:
                    assert msgpack.packb(held) in sent

def test_every_seat_is_told_of_events_what_the_rules_let_it_know() -> None:
    offline = SeededTable(3)
    told: dict[int, list[object]] = {seat: [] for seat in range(-1, 3)}
    players = offline.sit("Kim", "Roger", "Ross")
    assert offline.table.match is not None
    broadcaster = offline.table.match.broadcaster
    happened = broadcaster.happened

    def noted(events: Sequence[AnyEvent], only: int | None = None) -> None:
        for seat in told if only is None else [only]:
            told[seat] += [known for event in events if (known := seen_by(event, seat)) is not None]
        happened(events, only)

    broadcaster.happened = noted  # type: ignore[method-assign]
    first = dict(broadcaster._no)
    play_on(offline, players, 3, 250)
    for seat, events in told.items():
        assert list(broadcaster._events[seat])[first[seat] :] == events and len(events) > 100
    assert told[0] != told[1] != told[-1]
