"""Somebody who is alone with bots: anything can be taken back, nothing runs out, and bots wait."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from core.state.actions import (
    AnyAction,
    Claim,
    Decline,
    Flee,
    Hold,
    Kick,
    Offer,
    Pass,
    Play,
    Refusal,
    Terms,
)
from core.state.events import Rolled, SteppedBack
from core.view import View
from netcode.bots.brain import Brain
from netcode.bots.player import Observation
from netcode.host.recovery import replay
from netcode.journal import ActRow, FactRow, SnapRow
from netcode.protocol import wire
from netcode.protocol.revealed_game import to_bytes
from netcode.recording.career import count_game, counts, played_game, read_career, uncount_game
from netcode.recording.recorder import Finished
from netcode.recording.recording import read_header, read_recording
from netcode.recording.verify import failed, verify
from netcode.table.patience import touches
from tests.netcode.offline_table import CURSED, FIGHT, STRONG, OfflineTable, Player, passed, rules
from tests.netcode.recorded_games import PACKS, Listener, recorded, recorder, take_part
from tests.netcode.restored_table import journal_rows, restored_table
from tui.screens.replay_timeline import Timeline

HOUR = 3_600_000
BOTS_TURN = FIGHT.replace("steps = []", 'turn = "Roger"\nsteps = []')
"""It is Roger's turn, before the door."""


def alone(game: str | None = FIGHT, **more: Any) -> tuple[OfflineTable, Player, list[Player]]:
    """Return a table where Kim plays with two bots, which act when the test says so."""
    offline = OfflineTable(game, bots=2, **{"pace": "book", **more})
    (kim,) = offline.sit("Kim")
    return offline, kim, offline.seat_own_bots()


def fighting(game: str = FIGHT, **more: Any) -> tuple[OfflineTable, Player, list[Player]]:
    """Let Kim meet the monster of the scenario."""
    offline, kim, bots = alone(game, **more)
    kim.act(Kick())
    passed(kim, bots)
    offline.wait(2000)
    assert kim.view.fight is not None
    return offline, kim, bots


def back(player: Player) -> str:
    """Take back the last choice; return what the host says against it."""
    player.inbox = [message for message in player.inbox if not isinstance(message, wire.Error)]
    player.send(wire.Back(player.session.s))
    player.offline.wait(300)
    found = player.received(wire.Error)
    return found[-1].text if found else ""


def stepped(player: Player) -> SteppedBack:
    """Return the newest SteppedBack that this player was told."""
    return next(
        one.event for update in reversed(player.received(wire.Update)) for one in reversed(update.events)
        if isinstance(one.event, SteppedBack)
    )  # fmt: skip


def position(view: View) -> object:
    """Return what a view shows, without the numbers that only rise."""
    names = "turn", "turn_no", "phase", "top", "seats", "doors", "treasures", "winners"
    return [getattr(view, name) for name in names]


def hand(view: View) -> list[int]:
    assert view.you is not None
    return view.you.hand


# ------------------------------------------------------------------------------------------------------------ undo
def test_a_kick_is_taken_back_at_once_although_the_door_was_seen_and_the_same_monster_comes_again() -> None:
    _offline, kim, bots = alone()
    start = kim.view
    kim.act(Kick())
    passed(kim, bots)
    assert kim.view.fight is not None
    monster = kim.view.fight.monsters[0].defn
    assert back(kim) == ""
    assert position(kim.view) == position(start) and hand(kim.view) == hand(start) and kim.view.fight is None
    assert stepped(kim) == SteppedBack(0, 0, "kick", start.rev, learnt=True)
    for bot in bots:
        assert stepped(bot).what == "kick", "bots are told, and forget"
    kim.act(Kick())
    passed(kim, bots)
    assert kim.view.fight is not None and kim.view.fight.monsters[0].defn == monster


def test_a_die_is_undone_and_falls_the_same_again() -> None:
    offline, kim, bots = fighting()
    kim.act(Flee())
    passed(kim, bots)
    before = kim.view
    assert before.you is not None
    (roll,) = [row.action for row in before.you.legal if type(row.action).__name__ == "Roll"]
    dice = []
    for _ in range(2):
        offline.clear()
        kim.act(roll)
        dice += [one.event.die for update in kim.received(wire.Update) for one in update.events
                 if isinstance(one.event, Rolled)]  # fmt: skip
        assert back(kim) == "" and position(kim.view) == position(before)
    assert len(dice) == 2 and dice[0] == dice[1]


def test_what_the_player_did_alone_teaches_nothing_and_the_game_still_counts() -> None:
    _offline, kim, _bots = fighting()
    start = kim.view
    assert isinstance(kim.act(Play(kim.holds("Prismatic Glitter"), side="heroes")), wire.Ack)
    assert back(kim) == ""
    assert position(kim.view) == position(start) and hand(kim.view) == hand(start)
    assert stepped(kim) == SteppedBack(0, 0, "play", start.rev, learnt=False)


def test_what_a_bot_has_chosen_since_is_learnt() -> None:
    _offline, kim, (roger, _ross) = fighting()
    offer = Offer(roger.seat, Terms("help", helper=roger.seat, treasures=1))
    kim.act(offer)
    assert not stepped_back_learnt(kim)
    kim.act(offer)
    roger.act(Decline(kim.view.offers[0].no))
    assert stepped_back_learnt(kim)


def stepped_back_learnt(player: Player) -> bool:
    assert back(player) == ""
    return stepped(player).learnt


def test_pressed_again_it_goes_back_to_the_beginning_and_says_when_nothing_is_left() -> None:
    _offline, kim, bots = alone(FIGHT)
    start, places = kim.view, []
    kim.act(Kick())
    passed(kim, bots)
    for action in (Play(kim.holds("Prismatic Glitter"), side="heroes"), Flee()):
        places.append(kim.view)
        assert isinstance(kim.act(action), wire.Ack)
    passed(kim, bots)
    for place in (*reversed(places), start):
        assert back(kim) == "" and position(kim.view) == position(place) and hand(kim.view) == hand(place)
    assert back(kim) == "nothing is left to take back: this is where the game began, or was found again"


def test_only_the_player_is_told_whether_something_is_left_to_take_back() -> None:
    offline, kim, bots = alone()
    assert kim.update.undo is None
    kim.act(Kick())
    offline.wait(300)
    assert kim.update.undo == wire.UndoInfo(0)
    assert all(bot.update.undo is None for bot in bots)
    assert back(kim) == "" and kim.update.undo is None


def test_after_going_back_the_new_line_is_what_is_taken_back_next() -> None:
    _offline, kim, _bots = fighting()
    start = kim.view
    kim.act(Flee())
    back(kim)
    kim.act(Play(kim.holds("Prismatic Glitter"), side="heroes"))
    strengthened = kim.view
    kim.act(Flee())
    assert back(kim) == "" and position(kim.view) == position(strengthened)
    assert back(kim) == "" and position(kim.view) == position(start)


def test_a_pass_can_be_taken_back_if_something_else_could_be_done_and_nobody_else_learns_of_it() -> None:
    offline, kim, (roger, ross) = alone(BOTS_TURN)
    roger.act(Kick())
    passed(kim, [kim, ross])
    offline.wait(1000)
    assert kim.view.fight is not None, "Roger's door is open"
    roger.act(Flee())
    assert kim.view.window is not None and kim.view.you is not None
    assert any(isinstance(row.action, Play) for row in kim.view.you.legal)
    passed(kim, [kim])
    assert back(kim) == ""
    assert kim.view.window is not None and not kim.view.window.passed
    assert stepped(kim).what == "pass" and stepped(ross).what == ""
    assert back(kim).startswith("nothing is left"), "before the door Kim could only pass"


def test_bots_waiting_actions_are_refused_and_late_ones_match_nothing() -> None:
    _offline, kim, (roger, ross) = fighting()
    kim.act(Flee())
    window = kim.view.window
    assert window is not None
    back(kim)
    late = roger.act(Pass(window.id))
    assert isinstance(late, wire.Refused) and late.refusal.clause == "stale"
    monster = kim.view.fight.monsters[0].id if kim.view.fight is not None else 0
    roger.act(Play(roger.holds("Advantaged"), target=monster))
    queued = ross.act(Offer(kim.seat, Terms("help", helper=ross.seat, treasures=1)))
    assert queued == wire.Ack(ross.n, "queued")
    kim.send(wire.Back(kim.session.s))
    assert isinstance(ross.inbox[-1], wire.Refused) and ross.inbox[-1].refusal.clause == "changed"


def over_at(offline: OfflineTable, kim: Player, bots: list[Player]) -> None:
    kim.act(Claim())
    passed(kim, bots)
    assert offline.table.stage == "over" and kim.view.winners == [0]


def test_the_end_of_the_game_is_taken_back_with_its_win() -> None:
    offline, kim, bots = fighting(STRONG)
    before = kim.view
    for _ in range(2):
        over_at(offline, kim, bots)
        assert kim.received(wire.Info)[-1].info.seats[0].wins == 1
        assert back(kim) == ""
        info = kim.received(wire.Info)[-1].info
        assert (info.stage, info.seats[0].wins, kim.view.winners) == ("playing", 0, [])
        assert position(kim.view) == position(before) and stepped(kim).learnt
    over_at(offline, kim, bots)
    kim.set(ready=True)
    assert offline.table.info().game == 2


def test_a_revealed_end_is_taken_back_and_can_be_revealed_again(tmp_path: Path) -> None:
    offline, kim, bots = fighting(STRONG, options=("open-hands",))
    for _ in range(2):
        over_at(offline, kim, bots)
        assert offline.table.info().opened == 1
        assert back(kim) == "" and offline.table.info().opened == 0
        assert [row.value for row in offline.rows if isinstance(row, FactRow) and row.name == "opened"][-1] == b"0"
        kim.send(wire.GetGame(kim.session.s, 1))
        assert "not revealed" in kim.received(wire.Error)[-1].text


def test_everything_that_an_undo_changes_is_in_one_transaction() -> None:
    offline, kim, bots = fighting(STRONG)
    over_at(offline, kim, bots)
    offline.rows.clear()
    batches: list[list[object]] = []
    taken = offline.table.take
    offline.table.take = lambda: (lambda found: (batches.append(list(found[0])), found)[1])(taken())  # type: ignore
    kim.send(wire.Back(kim.session.s))
    (rows,) = [rows for rows in batches if any(isinstance(row, ActRow) for row in rows)]
    kinds = [type(row).__name__ for row in rows]
    assert kinds.count("ActRow") == kinds.count("SnapRow") == 1 and "SeatRow" in kinds
    assert FactRow("stage", b"playing") in rows


@pytest.mark.parametrize("over", [False, True])
def test_after_a_restart_of_the_host_it_can_still_be_taken_back_to_the_beginning(over: bool, tmp_path: Path) -> None:
    offline, kim, bots = alone(STRONG)
    start = kim.view
    kim.act(Kick())
    passed(kim, bots)
    fight = kim.view
    over_at(offline, kim, bots)
    if not over:
        back(kim)
    table = restored_table(offline, journal_rows(offline, tmp_path))
    assert table.stage == ("over" if over else "playing")
    offline.table, offline.rows = table, []
    session = table.seating.seats[0].player
    assert session is not None
    kim.session, session.address = session, kim.address
    table.message(session, wire.Sync(session.s), offline.stamp)
    offline.deliver()
    for place in (fight, start) if over else (start,):
        assert back(kim) == "" and position(kim.view) == position(place)
    assert "nothing is left" in back(kim) and table.stage == "playing"
    assert table.seating.seats[0].wins == 0


def play_with_undo(offline: OfflineTable, kim: Player, bots: list[Player], seed: int, acts: int) -> int:
    """Let Brains play for everybody, and Kim take something back now and then. Return how often."""
    rng, undone = random.Random(seed), 0
    brains = {one.seat: Brain(rules().catalog, "normal", random.Random(f"{seed} {one.seat}")) for one in (kim, *bots)}
    while offline.table.match is not None and offline.table.match.seq < acts and offline.table.stage == "playing":
        acted = False
        for player in (kim, *bots):
            if player is kim and rng.random() < 0.04:
                undone += back(kim) == ""
            view = player.view
            if view.you is None or not (view.you.legal or view.you.asks):
                continue
            brain = brains[player.seat]
            action = brain.decide(Observation(view))
            if action is None and brain.waiting:
                action = brain.decide(Observation(view, hurry=True))
            if action is not None and offline.table.stage == "playing":
                acted = isinstance(player.act(action), wire.Ack) or acted
        kim.set(skip=True)
        kim.session.buckets.clear()
        offline.wait(1000 if acted else 5000)
    return undone


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_with_undo_comes_out_the_same_from_its_journal_and_from_its_first_state(
    seed: int, tmp_path: Path
) -> None:
    offline, kim, bots = alone(None)
    undone = play_with_undo(offline, kim, bots, seed, 260)
    match = offline.table.match
    assert match is not None and undone > 3
    wanted = match.game.save()
    snaps = [row for row in offline.rows if isinstance(row, SnapRow)]
    game, seq = replay(journal_rows(offline, tmp_path), rules())
    assert (game.save(), seq) == (wanted, match.seq)
    first = rules().load(snaps[0].state)
    first.remember(True)
    for row in offline.rows:
        if isinstance(row, ActRow):
            action: AnyAction = msgspec.msgpack.decode(row.action, type=AnyAction)
            assert not isinstance(first.submit(row.seat, action), Refusal)
    assert first.save() == wanted
    assert first.last_choice(0) == game.last_choice(0) == match.game.last_choice(0)


# ----------------------------------------------------------------------------------------------- nothing runs out
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


# ------------------------------------------------------------------------------------------------- the recording
def test_a_recording_marks_what_was_taken_back_and_whether_the_game_still_counts(tmp_path: Path) -> None:
    for learnt in (False, True):
        offline, kim, bots = fighting(STRONG, packs=PACKS)
        kim.act(Play(kim.holds("Prismatic Glitter"), side="heroes"))
        if learnt:
            assert kim.view.fight is not None
            bots[0].act(Play(bots[0].holds("Advantaged"), target=kim.view.fight.monsters[0].id))
        assert back(kim) == ""
        over_at(offline, kim, bots)
        header = read_header(recorded(kim, tmp_path / str(learnt)))
        assert (header.taken_back, header.counts, header.winners) == (1, not learnt, [0])


@pytest.mark.parametrize("restarted", [False, True])
def test_a_recording_goes_on_in_one_file_when_the_end_was_taken_back(restarted: bool, tmp_path: Path) -> None:
    offline, kim, bots = fighting(STRONG, packs=PACKS)
    saved: list[Path] = []
    ends: list[Finished] = []
    listener = Listener(kim)
    first = recorder(listener, tmp_path, saved, ends)
    over_at(offline, kim, bots)
    listener.catch_up()
    assert len(saved) == 1 and counts(ends[0])
    if restarted:
        first.stop()
        recorder(listener, tmp_path, saved, ends)
    assert back(kim) == ""
    listener.catch_up()
    assert not saved[0].exists() and len(list((tmp_path / "drafts").iterdir())) == 1, "the game is not over"
    over_at(offline, kim, bots)
    listener.catch_up()
    assert len(list(tmp_path.glob("*.kickdoor"))) == 1 and not list((tmp_path / "drafts").iterdir())
    found = read_recording(saved[1])
    assert (found.header.winners, found.header.taken_back, found.header.counts) == ([0], 1, False)
    assert not found.header.late and ends[1].key == ends[0].key and not counts(ends[1])
    assert not failed(verify(found)), verify(found)


def test_the_career_forgets_a_game_whose_end_was_taken_back(tmp_path: Path) -> None:
    offline, kim, bots = fighting(STRONG, packs=PACKS)
    ends: list[Finished] = []
    listener = Listener(kim)
    recorder(listener, tmp_path, [], ends)
    over_at(offline, kim, bots)
    listener.catch_up()
    path = tmp_path / "career.json"
    assert uncount_game(path, ends[0].key) == "" and not path.exists()
    count_game(path, played_game(ends[0], 0.0))
    assert len(read_career(path)) == 1
    assert uncount_game(path, "another") == "" and len(read_career(path)) == 1
    assert uncount_game(path, ends[0].key) == "" and read_career(path) == []


async def test_a_game_with_undo_can_be_revealed_verified_and_replayed_with_what_was_taken_back(tmp_path: Path) -> None:
    offline, kim, bots = alone(None, packs=PACKS, options=("open-hands",), provable=True)
    take_part(offline, [kim])
    saved: list[Path] = []
    listener = Listener(kim)
    recorder(listener, tmp_path, saved)
    undone = play_with_undo(offline, kim, bots, 5, 100_000)
    assert offline.table.stage == "over" and undone > 3
    listener.catch_up()
    found = read_recording(saved[0])
    found.revealed = to_bytes(offline.table.dealing._last)  # type: ignore[arg-type]
    assert found.header.taken_back == undone and not found.header.counts
    assert not failed(verify(found)), verify(found)
    timeline = Timeline(found, rules().catalog)
    marked = [step for step in timeline.steps if step.undone]
    assert marked and len(marked) < len(timeline.steps) and not timeline.steps[-1].undone


def test_a_bot_that_withdraws_keeps_what_only_waits_for_the_pause() -> None:
    offline, _, (roger, ross) = fighting()
    roger.act(Offer(ross.seat, Terms("help", helper=ross.seat, treasures=1)))
    ross.set(withdraw=True)
    queued = ross.act(Offer(0, Terms("help", helper=ross.seat, treasures=1)))
    ross.set(withdraw=True)
    assert ross.inbox[-1] == queued, "its own phase asks it all the time"
    offline.wait(2000)
    assert ross.received(wire.Ack)[-1] == wire.Ack(ross.n, "applied")
