"""A player who is alone with bots can undo anything, at once, back to the beginning of the game."""

from pathlib import Path

import msgspec
import pytest

from core.state.actions import AnyAction, Decline, Flee, Kick, Offer, Pass, Play, Refusal, Terms
from core.state.events import Rolled, SteppedBack
from netcode.host.recovery import replay
from netcode.journal import ActRow, FactRow, SnapRow
from netcode.protocol import wire
from tests.netcode.offline_table import FIGHT, STRONG, Player, passed, rules
from tests.netcode.restored_table import journal_rows, restored_table
from tests.netcode.table.lone_player import (
    BOTS_TURN,
    alone,
    back,
    fighting,
    hand,
    over_at,
    play_with_undo,
    position,
    stepped,
)


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


@pytest.mark.long(3)
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
