"""The undo vote: its request, its voters, the stopped clocks, and its end."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from core.state.actions import AnyAction, Claim, Flee, Kick, Pass, Play, Refusal
from core.state.events import SteppedBack
from netcode.journal import ActRow, SnapRow
from netcode.protocol import limits, wire
from tests.netcode.offline_table import FIGHT, OWNER, OfflineTable, Player, at_the_fight, rules
from tests.netcode.restored_table import journal_rows, restored_table


def ask(player: Player) -> None:
    player.send(wire.Back(player.session.s))


def answer(player: Player, yes: bool = True) -> None:
    vote = player.offline.table.info().vote
    assert vote is not None
    player.send(wire.Back(player.session.s, vote.number, yes))


def fled(**config: Any) -> tuple[OfflineTable, Player, Player, Player]:
    """Let Kim run away from a fight by mistake."""
    offline = OfflineTable(FIGHT, **{"pace": "book", **config})
    kim, roger, ross = at_the_fight(offline)
    assert isinstance(kim.act(Flee()), wire.Ack)
    offline.wait(600)
    offline.clear()
    return offline, kim, roger, ross


def errors(player: Player) -> list[str]:
    return [error.text for error in player.received(wire.Error) if isinstance(error, wire.Error)]


def test_an_action_is_undone_when_all_agree_and_everybody_is_told() -> None:
    offline, kim, roger, ross = fled()
    rev, window = kim.view.rev, kim.view.window
    before = rev - 1
    assert window is not None
    ask(kim)
    vote = offline.table.info().vote
    assert vote is not None
    assert (vote.by, vote.seat, vote.what, vote.waiting, vote.left_ms) == (0, 0, "flee", [1, 2], 20_000)
    assert kim.received(wire.Info)[-1].info.vote == vote
    answer(roger)
    assert offline.table.info().vote is not None and kim.view.window is not None
    answer(ross)
    for player in (kim, roger, ross):
        assert player.view.window is None and player.view.fight is not None
        assert player.view.fight.stage == "fight" and player.view.rev > rev
        assert player.update.events[-1].event == SteppedBack(0, 0, "flee", before)
        assert player.received(wire.Voted) == [wire.Voted(0, True)]
    assert kim.view.you is not None and [one.kind for one in kim.view.you.asks] == ["fight"]
    late = roger.act(Pass(window.id))
    assert isinstance(late, wire.Refused) and late.refusal.clause == "stale"
    kim.act(Flee())
    assert kim.view.window is not None and kim.view.window.id > window.id
    assert isinstance(roger.act(Pass(kim.view.window.id)), wire.Ack)


def test_every_player_and_nobody_else_is_told_what_would_be_undone() -> None:
    offline, kim, roger, ross = fled()
    watcher = offline.spectator("Wes")
    offline.wait(600)
    for player in (kim, roger, ross):
        assert player.update.undo == wire.UndoInfo(0, "flee")
    assert watcher.update.undo is None
    ross.send(wire.Sync(ross.session.s))
    offline.wait(600)
    assert ross.update.whole and ross.update.undo == wire.UndoInfo(0, "flee"), "also after coming back"
    ask(kim)
    answer(roger)
    answer(ross)
    for player in (kim, roger, ross):
        last = offline.table.match.game.last()
        assert player.update.undo == (wire.UndoInfo(last.seat, last.what) if last is not None else None)


def test_actions_and_clocks_stop_during_a_vote_and_the_clock_continues_afterwards() -> None:
    offline, kim, roger, ross = fled()
    offline.wait(1)
    left = kim.offline.table.match.timers().window
    ask(roger)
    assert kim.timers == wire.Timers()
    offline.wait(15_000)
    assert kim.view.window is not None
    refused = roger.act(Pass(kim.view.window.id))
    assert isinstance(refused, wire.Refused) and "voting on an undo" in refused.refusal.text
    kim.send(wire.Admin(kim.session.s, "pause"))
    assert errors(kim) == ["the table is voting on an undo: that comes first"]
    answer(kim, yes=False)
    assert ross.received(wire.Voted) == [wire.Voted(1, False, 0)]
    assert kim.timers.window == left and kim.view.window is not None
    assert isinstance(ross.act(Pass(kim.view.window.id)), wire.Ack)


def test_a_vote_fails_after_twenty_seconds_of_silence() -> None:
    offline, kim, roger, _ = fled()
    ask(kim)
    answer(roger)
    offline.wait(19_900)
    assert offline.table.info().vote is not None
    offline.wait(100)
    assert offline.table.info().vote is None
    assert roger.received(wire.Voted) == [wire.Voted(0, False)]
    assert kim.view.window is not None


def test_a_vote_can_be_withdrawn_and_answers_to_an_older_vote_do_not_count() -> None:
    offline, kim, roger, ross = fled()
    ask(kim)
    old = offline.table.info().vote
    assert old is not None
    answer(kim, yes=False)
    assert offline.table.info().vote is None
    ask(ross)
    roger.send(wire.Back(roger.session.s, old.number))
    assert errors(roger) == ["that vote is over"]
    vote = offline.table.info().vote
    assert vote is not None and vote.waiting == [0, 1]
    ask(kim)
    assert errors(kim) == ["The table is voting on an undo: that comes first."]


def test_nothing_can_be_undone_once_something_hidden_was_seen() -> None:
    offline = OfflineTable(FIGHT, pace="book")
    kim, *_ = at_the_fight(offline)
    ask(kim)
    reason = "nothing can be undone: somebody has learned something new since, or nothing was done yet"
    assert errors(kim) == [reason]
    offline.clear()
    kim.act(Flee())
    glitter = kim.holds("Prismatic Glitter")
    assert isinstance(kim.act(Play(glitter, side="heroes")), wire.Ack)
    ask(kim)
    assert errors(kim) == [reason] and offline.table.info().vote is None


def test_bots_agree_at_once_also_for_players_who_are_away() -> None:
    offline = OfflineTable(FIGHT, seats=3, bots=1, pace="book")
    kim, roger = offline.sit("Kim", "Roger")
    offline.seat_own_bots()
    kim.act(Kick())
    offline.wait(1600)
    kim.act(Flee())
    ask(kim)
    vote = offline.table.info().vote
    assert vote is not None and vote.waiting == [1]
    kim.send(wire.Admin(kim.session.s, "bot", 1))
    offline.wait(1000)
    assert offline.table.seating.seats[1].state == "away"
    assert kim.received(wire.Voted) == [wire.Voted(0, True)]
    assert roger.view.window is None


def test_a_vote_ends_when_whoever_asked_leaves() -> None:
    offline, kim, roger, _ = fled()
    ask(kim)
    kim.send(wire.Leave(kim.session.s))
    offline.wait(1000)
    assert offline.table.info().vote is None
    assert roger.received(wire.Voted) == [wire.Voted(0, False, 0)]


def test_a_player_can_ask_for_a_limited_number_of_votes() -> None:
    offline, kim, roger, _ = fled()
    for _ in range(2):
        ask(kim)
        answer(roger, yes=False)
    ask(kim)
    assert [text[:31] for text in errors(kim)] == ["you have asked often: ask again"]
    offline.wait(1)
    assert offline.table.info().vote is None


def test_spectators_and_second_answers_do_not_count() -> None:
    offline, kim, roger, ross = fled()
    eve = offline.spectator("Eve")
    ask(kim)
    answer(eve, yes=False)
    answer(roger)
    answer(roger, yes=False)
    answer(eve)
    vote = offline.table.info().vote
    assert vote is not None and vote.waiting == [ross.seat]


def test_spectators_cannot_ask_for_a_vote_nor_can_anybody_before_a_match() -> None:
    offline, *_ = fled()
    eve = offline.spectator("Eve")
    ask(eve)
    assert errors(eve) == ["You are a spectator: only players can act."]
    lobby = OfflineTable(None)
    kim, *_ = lobby.sit("Kim")
    ask(kim)
    assert errors(kim) == ["No game is on yet."]


@pytest.mark.parametrize("from_the_start", [False, True])
def test_the_journal_of_an_undo_leads_to_the_same_state_from_snapshot_and_start(
    from_the_start: bool, tmp_path: Path
) -> None:
    offline, kim, roger, ross = fled()
    ask(kim)
    answer(roger)
    answer(ross)
    kim.act(Claim())
    kim.act(Flee())
    assert offline.table.match is not None
    wanted = offline.table.match.game.save()
    acts = [row for row in offline.rows if isinstance(row, ActRow)]
    snaps = [row for row in offline.rows if isinstance(row, SnapRow)]
    back = next(row for row in acts if b"step_back" in row.action)
    assert [snap.seq for snap in snaps] == [0, back.seq], "an undo is kept as a snapshot too"
    if from_the_start:
        game = rules().load(snaps[0].state)
        for row in acts:
            action: AnyAction = msgspec.msgpack.decode(row.action, type=AnyAction)
            assert not isinstance(game.submit(row.seat, action), Refusal)
            if row.seq == back.seq:
                assert game.save() == snaps[1].state
        assert game.save() == wanted
    else:
        table = restored_table(offline, journal_rows(offline, tmp_path))
        assert table.match is not None and table.match.game.save() == wanted


def test_a_vote_before_a_restart_counts_for_no_vote_after_it(tmp_path: Path) -> None:
    offline = OfflineTable(FIGHT, pace="book")
    players = at_the_fight(offline)
    players[0].act(Flee())
    tokens = [player.received(wire.Welcome)[-1].token for player in players]
    ask(players[0])
    old = offline.table.info().vote
    offline.table = restored_table(offline, journal_rows(offline, tmp_path))
    found = [offline.hello(one.name, token, address=b"2" + one.address) for one, token in zip(players, tokens)]
    kim, roger, ross = [player for player in found if isinstance(player, Player)]
    ask(kim)
    new = offline.table.info().vote
    assert old is not None and new is not None and new.number != old.number
    for player in (roger, ross):
        player.send(wire.Back(player.session.s, old.number, True))
    assert offline.table.info().vote == new and errors(ross) == ["that vote is over"]


def test_votes_lost_before_a_restart_count_in_the_same_turn(tmp_path: Path) -> None:
    offline, kim, roger, _ = fled()
    for _ in range(limits.LOST_VOTES):
        ask(kim)
        answer(roger, False)
        offline.wait(5000)
    offline.table = restored_table(offline, journal_rows(offline, tmp_path))
    back = offline.hello("Kim", OWNER, address=b"Kim again")
    assert isinstance(back, Player) and back.seat == kim.seat
    ask(back)
    assert offline.table.info().vote is None and "you have lost 2 votes in this turn" in errors(back)[-1]
