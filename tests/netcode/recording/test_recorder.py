"""Recorded games: a file holds exactly the messages to its seat, a killed client loses nothing, and a file that
cannot be read is refused in one line."""

import zlib
from pathlib import Path

import msgspec
import pytest

from core.state.actions import Claim, Kick, Pass
from netcode.client.state_machine import ConnectionChanged
from netcode.protocol import codec, limits, wire
from netcode.recording.recorder import RECORDINGS_KEPT, Recorder
from netcode.recording.recording import (
    FORMAT,
    Header,
    Recording,
    ReplayError,
    head_bytes,
    read_header,
    read_recording,
    write_recording,
)
from netcode.recording.verify import failed, verify
from tests.netcode.offline_table import STRONG, rules
from tests.netcode.recorded_games import FILES, PACKS, SET, Listener, finished_game, recorded, recorder
from tests.netcode.running_host import running_host, until


def test_a_finished_game_is_a_named_file_of_what_its_seat_was_told(tmp_path: Path) -> None:
    for player in finished_game():
        path = recorded(player, tmp_path)
        who = player.name if player.seat >= 0 else "spectator"
        assert path.name == f"2026-11-20-1200-{SET}-{who}.kickdoor"
        found = read_recording(path)
        told = [codec.pack(m) for m in player.inbox if isinstance(m, wire.Update) and m.view is not None]
        kept = [frame for _, frame in found.messages if isinstance(codec.unpack_told(frame), wire.Update)]
        assert kept == told
        assert found.header.winners == player.view.winners and found.header.players == ["Kim", "Roger", "Ross"]
        assert (found.header.seat, found.header.late) == (player.seat, False)
        assert not failed(verify(found)), verify(found)
        assert path.stat().st_mode & 0o077 == 0, "only its owner may read a recording"
        assert path.stat().st_size < 200_000
    assert not list((tmp_path / "drafts").iterdir())


def test_a_file_has_no_session_id_and_no_token(tmp_path: Path) -> None:
    kim = finished_game()[0]
    data = b"".join(frame for _, frame in read_recording(recorded(kim, tmp_path)).messages)
    assert kim.session.s not in data
    tokens = [welcome.token for welcome in kim.received(wire.Welcome)]
    assert tokens and all(token and token not in data for token in tokens)


def test_a_killed_client_continues_its_draft(tmp_path: Path) -> None:
    kim = finished_game()[0]
    whole = read_recording(recorded(kim, tmp_path / "whole"))
    saved: list[Path] = []
    half = len(kim.inbox) // 2
    first = Listener(kim)
    killed = recorder(first, tmp_path, saved)
    for message in kim.inbox[:half]:
        first.tell(message)
    assert killed._draft is not None
    killed._draft._file.close()  # as a kill does: the lock is released and nothing else is written
    (draft,) = (tmp_path / "drafts").iterdir()
    with draft.open("ab") as file:
        file.write(b"\0\0\1\0half")
    second = Listener(kim)
    second.info = first.info
    recorder(second, tmp_path, saved)
    for message in kim.inbox[half:]:
        second.tell(message)
    continued = read_recording(saved[0])
    assert [frame for _, frame in continued.messages if not _is_info(frame)] == [
        frame for _, frame in whole.messages if not _is_info(frame)
    ]


def _is_info(frame: bytes) -> bool:
    return isinstance(codec.unpack_told(frame), wire.Info)


def test_a_late_client_records_nothing_and_one_that_leaves_keeps_what_it_saw(tmp_path: Path) -> None:
    kim = finished_game()[0]
    saved: list[Path] = []
    late = Listener(kim)
    recorder(late, tmp_path, saved)
    info = next(m for m in reversed(kim.inbox) if isinstance(m, wire.Info))
    late.tell(info)
    late.tell(msgspec.structs.replace(kim.update, whole=True))
    assert not saved and not list(tmp_path.iterdir())
    leaving = Listener(kim)
    recorder(leaving, tmp_path, saved)
    for message in kim.inbox[: len(kim.inbox) // 2]:
        leaving.tell(message)
    leaving.code = "left"
    leaving.tell(ConnectionChanged("closed", "you left the table"))
    found = read_recording(saved[0])
    assert found.header.winners == [] and "nobody has won" in " ".join(f.text for f in verify(found))


def test_the_oldest_recordings_are_removed_but_no_renamed_file(tmp_path: Path) -> None:
    for number in range(RECORDINGS_KEPT + 5):
        (tmp_path / f"2020-01-01-{number:04}-old.kickdoor").write_bytes(b"")
    (tmp_path / "the great game.kickdoor").write_bytes(b"")
    path = recorded(finished_game()[0], tmp_path)
    names = [entry.name for entry in tmp_path.iterdir() if entry.is_file()]
    assert len(names) == RECORDINGS_KEPT + 1 and path.name in names and "the great game.kickdoor" in names


def test_a_failing_disk_ends_the_recording_and_not_the_game(tmp_path: Path) -> None:
    (tmp_path / "replays").write_text("a file where the folder should be")
    listener = Listener(finished_game()[0])
    found = recorder(listener, tmp_path / "replays", [])
    listener.catch_up()
    assert "this game is not recorded" in found.problem


@pytest.mark.parametrize(("limit", "most"), [("MESSAGES_LIMIT", 60), ("FILE_LIMIT", 40_000), ("RAW_LIMIT", 60_000)])
def test_a_flood_leaves_a_file_that_is_bounded_and_can_be_read(
    limit: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"netcode.recording.recorder.{limit}", most)
    kim = finished_game()[0]
    listener = Listener(kim)
    found = recorder(listener, tmp_path, [])
    told = [one for one in kim.inbox if isinstance(one, wire.Info | wire.Update)]
    for message in told[:20]:
        listener.tell(message)
    info = next(one for one in told if isinstance(one, wire.Info) and one.info.stage == "playing")
    for _ in range(5000):
        listener.tell(info)
    assert "it has become too long" in found.problem
    (draft,) = (tmp_path / "drafts").iterdir()
    read = read_recording(draft)
    assert len(read.messages) >= 20
    kept = {"MESSAGES_LIMIT": len(read.messages), "FILE_LIMIT": draft.stat().st_size}
    assert kept.get(limit, sum(len(frame) for _, frame in read.messages)) <= most


# ------------------------------------------------------------------------------------------------- unreadable files
def small() -> Recording:
    """Return a recording of the first twelve messages of a game."""
    kim = finished_game()[0]
    header = Header(FORMAT, "x", wire.WIRE, 0, "t", 1, 0, list(PACKS), ["Kim", "Roger", "Ross"], [False] * 3)
    told = [m for m in kim.inbox if isinstance(m, wire.Info | wire.Update)][:12]
    return Recording(header, FILES, b"", [(at, codec.pack(message)) for at, message in enumerate(told)])


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    recording = small()
    recording.revealed = b"revealed" * 100
    write_recording(tmp_path / "a.kickdoor", recording)
    found = read_recording(tmp_path / "a.kickdoor")
    assert (found.packs, found.revealed, found.messages) == (FILES, recording.revealed, recording.messages)
    assert read_header(tmp_path / "a.kickdoor").messages == len(recording.messages)


@pytest.mark.parametrize("what", ["newer", "foreign", "empty", "folder", "missing", "pack"])
def test_a_file_that_cannot_be_replayed_is_refused_in_one_line(what: str, tmp_path: Path) -> None:
    path, recording = tmp_path / "game.kickdoor", small()
    words = {
        "newer": "newer kickdoor (format 2, this one reads 1)", "foreign": "is not a kickdoor replay",
        "empty": "is not a kickdoor replay", "folder": "cannot be read", "missing": "cannot be read",
        "pack": "the card pack munchkins-and-mazes is not the one that the header names",
    }  # fmt: skip
    if what == "newer":
        recording.header.format = 2
    if what == "pack":
        recording.packs = [{**FILES[0], "extra.toml": b""}]
    if what in ("newer", "pack"):
        write_recording(path, recording)
    elif what == "folder":
        path.mkdir()
    elif what != "missing":
        path.write_bytes(b"PK\3\4 something else" if what == "foreign" else b"")
    with pytest.raises(ReplayError) as refusal:
        read_recording(path)
    assert words[what] in str(refusal.value) and str(path) in str(refusal.value) and "\n" not in str(refusal.value)


def test_damage_anywhere_is_found_or_harmless(tmp_path: Path) -> None:
    """A file cut anywhere, or with any byte changed, is refused in one line, or has the same messages."""
    path = tmp_path / "game.kickdoor"
    recording = small()
    write_recording(path, recording)
    data = path.read_bytes()
    for at in range(0, len(data), 97):
        for broken in (data[:at], data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :]):
            path.write_bytes(broken)
            try:
                found = read_recording(path)
            except ReplayError as problem:
                assert "\n" not in str(problem)
            else:
                assert [frame for _, frame in found.messages] == [frame for _, frame in recording.messages]


def test_a_message_that_expands_too_far_is_refused(tmp_path: Path) -> None:
    path, recording = tmp_path / "bomb.kickdoor", small()
    start = head_bytes(recording.header, FILES)
    for size in (limits.DOWN_BYTES + 1, 30_000_000):
        bomb = zlib.compress(b"\0" * size, 1)
        path.write_bytes(start + len(bomb).to_bytes(4, "big") + bytes(4) + bomb)
        _refused(path)


def _refused(path: Path) -> None:
    with pytest.raises(ReplayError, match="damaged"):
        read_recording(path)


# --------------------------------------------------------------------------------------------------------- a real host
async def test_a_game_at_a_real_host_leaves_a_file_for_players_and_spectators(tmp_path: Path) -> None:
    scenario = tmp_path / "strong.toml"
    scenario.write_text(STRONG)
    saved: list[Path] = []
    async with running_host(scenario=str(scenario), pace="relaxed") as host:
        watcher = host.client("Wes", join=host.watch, role="watch")
        people = [host.client(name) for name in ("Kim", "Roger", "Ross")]
        clients = [*people, watcher]
        for client in clients:
            await client.join()
            Recorder(client, await client.packs(), rules().catalog, tmp_path / client.name, saved.append)
        for client in people:
            client.set(ready=True)
        kim = people[0]
        await kim.wait_for(lambda one: one.view is not None)
        await kim.do(Kick())
        await kim.wait_for(lambda one: one.view is not None and one.view.fight is not None)
        await kim.do(Claim())
        await until(lambda: kim.view is not None and kim.view.window is not None)
        assert kim.view is not None and kim.view.window is not None
        window = kim.view.window.id
        for client in people:
            client.act(Pass(window))
        await until(lambda: len(saved) == 4)
        for client in clients:
            await client.close()
    for path in saved:
        found = read_recording(path)
        assert found.header.winners == [0] and not failed(verify(found))
        assert [found.header.seat == -1] == [path.parent.name == "Wes"]
