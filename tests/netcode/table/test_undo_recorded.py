"""Undos of a player alone with bots, in recordings and in the career."""

from pathlib import Path

import pytest

from core.state.actions import Play
from netcode.protocol.revealed_game import to_bytes
from netcode.recording.career import count_game, counts, played_game, read_career, uncount_game
from netcode.recording.recorder import Finished
from netcode.recording.recording import read_header, read_recording
from netcode.recording.verify import failed, verify
from tests.netcode.offline_table import STRONG, rules
from tests.netcode.recorded_games import PACKS, Listener, recorded, recorder, take_part
from tests.netcode.table.lone_player import alone, back, fighting, over_at, play_with_undo
from tui.screens.replay_timeline import Timeline


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
