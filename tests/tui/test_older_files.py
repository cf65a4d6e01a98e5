"""Files of older versions can be opened, or one sentence says why not. They are in the folder `older`, as written."""

import struct
import zipfile
from pathlib import Path

import msgspec
import pytest

from netcode.host.config import ConfigError
from netcode.host.local_host import resume_local_host
from netcode.host.saved_games import list_saved_games
from netcode.protocol import wire
from netcode.recording.recording import MAGIC, Header, ReplayError, read_recording, write_recording
from tests.tui.command_line import kickdoor
from tui.config import settings
from tui.config.settings import SettingsError
from tui.scene.recordings import recorded
from tui.screens.replay_timeline import load_timeline

OLDER = Path(__file__).with_name("older")
RECORDINGS = sorted(OLDER.glob("*.kickdoor"))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_older_recordings_open_at_every_step(path: Path) -> None:
    timeline = load_timeline(path)
    assert timeline.header.protocol < wire.WIRE and len(timeline.steps) > 100
    for at in range(len(timeline.steps)):
        timeline.show(at)
        assert timeline.session.scene().view.rev >= 0
    assert timeline.story is not None and timeline.story.winners == timeline.header.winners
    assert "won after" in recorded(path).told()[0]


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_older_recordings_are_verified_like_new_ones(path: Path, tmp_path: Path) -> None:
    done = kickdoor("replay", str(path), "--verify", home=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("ok      the file is complete"), done


def test_an_older_recording_that_makes_no_sense_names_the_version_to_open_it_with(tmp_path: Path) -> None:
    recording = read_recording(RECORDINGS[0])
    recording.messages[1] = (0, b"\x93\x01\x02\x03")
    path = tmp_path / "older.kickdoor"
    write_recording(path, recording)
    with pytest.raises(ReplayError) as told:
        load_timeline(path)
    spoken = f"(protocol 1, this one has {wire.WIRE})"
    remedy = f"kickdoor {recording.header.version} recorded it {spoken}, so open it with that version"
    assert remedy in str(told.value) and "\n" not in str(told.value)


def test_a_recording_of_a_newer_kickdoor_asks_for_an_update(tmp_path: Path) -> None:
    data = RECORDINGS[0].read_bytes()
    (size,) = struct.unpack_from(">I", data, len(MAGIC))
    header = msgspec.msgpack.decode(data[len(MAGIC) + 4 :][:size], type=Header)
    header.protocol = wire.WIRE + 1
    head = msgspec.msgpack.encode(header)
    path = tmp_path / "newer.kickdoor"
    path.write_bytes(MAGIC + struct.pack(">I", len(head)) + head + data[len(MAGIC) + 4 + size :])
    with pytest.raises(ReplayError, match="update kickdoor"):
        load_timeline(path)
    assert recorded(path).won == "cannot be read"


def test_a_solo_game_of_other_card_packs_says_so_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    folder = tmp_path / "solo" / "1a2b3c4d5e6f"
    folder.mkdir(parents=True)
    with zipfile.ZipFile(OLDER / "solo-game.zip") as archive:
        archive.extractall(folder)
    (kept,) = list_saved_games()
    assert kept.info.sets == ("munchkins-and-mazes",)
    with pytest.raises(ConfigError, match="was played with other card packs") as told:
        resume_local_host(kept)
    assert "\n" not in str(told.value) and len(list_saved_games()) == 1


def test_older_settings_and_keys_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_CONFIG", str(OLDER / "settings.toml"))
    found = settings.load()
    assert found.name == "Kim"
    assert found.keymap()["table.deal"] == "f5,f6", "help and trade are one key now"


def test_values_of_settings_that_have_better_names_now_are_read_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('waits = "touching"\nmotion = "local"\n')
    monkeypatch.setenv("KICKDOOR_CONFIG", str(file))
    found = settings.load()
    assert (found.waits, found.waits_on_wire, found.motion) == ("on me", "touching", "not over SSH")
    settings.save(found)
    assert 'waits = "on me"' in file.read_text() and "local" not in file.read_text()


def test_an_older_key_that_is_taken_now_is_named_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text((OLDER / "settings.toml").read_text() + '"table.seals" = "f"\n')
    monkeypatch.setenv("KICKDOOR_CONFIG", str(file))
    with pytest.raises(SettingsError, match=r"the key 'f' stands for both .*: change one under") as told:
        settings.load()
    assert str(file) in str(told.value) and "\n" not in str(told.value)
