"""A recording that was made with other rules is shown as it was. Functions that need our rules say in one sentence why
they fail: a revealed game never turns into a different one."""

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from netcode.protocol import codec, wire
from netcode.protocol.played_rules import own_rules, program
from netcode.protocol.revealed_game import from_bytes, to_bytes
from netcode.recording.recording import Recording, ReplayError, read_recording, write_recording
from netcode.recording.revealed import seen_from
from netcode.recording.verify import failed, verify
from tests.netcode.offline_table import OfflineTable
from tests.netcode.recorded_games import PACKS, Listener, play_on, recorded, take_part
from tests.netcode.recording.with_other_rules import shown
from tests.other_rules import FIGURES, OtherRules

OWN = ("own", "story", "swings")
"""The parts of a recording that can be shown without the rules."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recording of a whole game that was revealed."""
    offline = OfflineTable(None, pace="book", packs=PACKS, provable=True)
    players = offline.sit("Kim", "Roger", "Ross")
    take_part(offline, players)
    play_on(offline, players, 7)
    assert offline.table.stage == "over"
    path = recorded(players[0], tmp_path_factory.mktemp("game"))
    for player in players:
        player.set(open=True)
    recording = read_recording(path)
    recording.revealed = asyncio.run(Listener(players[0]).revealed_game(1))
    write_recording(path, recording)
    return path


@pytest.fixture(scope="module")
def before(game: Path) -> dict[str, Any]:
    """The output for it with the rules by which it was played."""
    found = json.loads(json.dumps(shown(game)))
    assert "byte for byte" in found["found"][-1][1] and all(len(text) == 16 for text in found["others"].values())
    return found


def without_rules(path: Path, folder: Path, rules: list[str]) -> Path:
    """Return a copy of the recording whose revealed game says that it was played by these rules."""
    recording = read_recording(path)
    revealed = from_bytes(recording.revealed)
    revealed.rules = rules
    copy = folder / "copy.kickdoor"
    write_recording(copy, Recording(recording.header, recording.packs, to_bytes(revealed), recording.messages))
    return copy


def without_flights(path: Path, fights: slice) -> Recording:
    """Return the recording without the results of running away in the views of these fights."""
    recording = read_recording(path)
    told = [(ms, codec.unpack_told(frame)) for ms, frame in recording.messages]
    shown = [one.view.fight for _, one in told if isinstance(one, wire.Update) and one.view and one.view.fight]
    for fight in [one for one in shown if one.flights][fights]:
        fight.flights = []
    recording.messages = [(ms, codec.pack(one)) for ms, one in told]
    return recording


def test_a_field_that_views_got_later_is_not_missed_in_an_older_file(game: Path) -> None:
    """An older file has this in no view; a file that has it in only some views is of another game."""
    assert seen_from(without_flights(game, slice(None)), 1).messages == seen_from(read_recording(game), 1).messages
    with pytest.raises(ReplayError, match="does not lead to what was seen then"):
        seen_from(without_flights(game, slice(1)), 1)


@pytest.mark.long(0)
@pytest.mark.parametrize("figure", FIGURES)
def test_with_other_rules_a_recording_is_shown_as_it_was(
    figure: str, game: Path, before: dict[str, Any], tmp_path: Path
) -> None:
    other = OtherRules(tmp_path / "rules", figure)
    (tmp_path / "old").mkdir()
    for path in (game, without_rules(game, tmp_path / "old", [])):
        done = other.run("tests.netcode.recording.with_other_rules", str(path))
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert {name: found[name] for name in OWN} == {name: before[name] for name in OWN}
        how, text = found["found"][-1]
        for seen in found["others"].values():
            assert "the revealed game cannot be replayed" in seen and "\n" not in seen
        if path == game:
            assert how == "limit" and f"the game was played with {program(own_rules())}" in text
            assert all(program(own_rules()) in seen for seen in found["others"].values())
        else:
            assert how == "failed" and "an older kickdoor may have had other rules" in text


def test_what_a_host_says_of_its_rules_proves_nothing(game: Path, tmp_path: Path) -> None:
    """A cheater may claim other rules. Then nothing is proved, and the finding names the program that can check the
    claim."""
    recording = read_recording(without_rules(game, tmp_path, ["0.9.0 12345678"]))
    assert not failed(verify(recording)) and "byte for byte" in verify(recording)[-1].text, "the same game all the same"
    revealed = from_bytes(recording.revealed)
    del revealed.acts[len(revealed.acts) // 2 :]  # to leave out a single one may change nothing: deals are random
    recording.revealed = to_bytes(revealed)
    finding = verify(recording)[-1]
    assert finding.how == "limit" and "cannot be checked here" in finding.text and "0.9.0" in finding.text
    revealed.rules = ["0.8.0 87654321", own_rules()]
    recording.revealed = to_bytes(revealed)
    assert "kickdoor 0.8.0 (rules 87654321) and then kickdoor" in verify(recording)[-1].text


def test_what_a_host_says_of_its_rules_is_bounded(game: Path) -> None:
    recording = read_recording(game)
    revealed = from_bytes(recording.revealed)
    for rules in (["x" * 41], ["x"] * 21):
        revealed.rules = rules
        with pytest.raises(msgspec.ValidationError):
            from_bytes(to_bytes(revealed))
