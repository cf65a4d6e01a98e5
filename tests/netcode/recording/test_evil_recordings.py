"""A recording from anywhere has possible contents, or is refused in one sentence: header, messages, story, revealed
game."""

import zlib
from pathlib import Path
from typing import Any

import msgpack
import pytest
from msgspec.msgpack import decode, encode

from netcode.protocol import codec, wire
from netcode.protocol.revealed_game import RevealedGame
from netcode.recording import story
from netcode.recording.recording import (
    FORMAT,
    MAGIC,
    Header,
    MessageCompressor,
    Recording,
    ReplayError,
    message_bytes,
    read_recording,
    write_recording,
)
from netcode.recording.verify import failed, verify
from tests.netcode.offline_table import rules
from tests.netcode.protocol.evil_messages import evil_frames, evil_values, packed, whole
from tests.netcode.recorded_games import FILES, PACKS, finished_game
from tui.screens.replay_timeline import Timeline

HEADER = Header(
    FORMAT, "1.0", wire.WIRE, 0, "t", 1, 0, list(PACKS), ["Kim", "Roger", "Ross"], [False] * 3, ["listen"], "book", "m",
    winners=[0],
)  # fmt: skip


def told() -> list[Any]:
    """Return the first messages to a player, a table and views."""
    heard = finished_game()[0].inbox
    infos = [message for message in heard if isinstance(message, wire.Info)]
    views = [message for message in heard if isinstance(message, wire.Update) and message.view is not None]
    return [infos[-1], *views[:3]]


def file_with(path: Path, header: Any) -> Path:
    """Write a file with this header, as msgpack holds it, and honest messages."""
    parts = [packed(header), zlib.compress(msgpack.packb({PACKS[0].set_id: FILES[0]})), b""]
    head = MAGIC + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    compressor = MessageCompressor()
    path.write_bytes(head + b"".join(message_bytes(compressor, 0, codec.pack(message)) for message in told()))
    return path


def test_every_evil_header_is_read_or_refused_in_one_line(tmp_path: Path) -> None:
    read = refused = 0
    for name, header in evil_values(decode(encode(HEADER)), Header):
        path = file_with(tmp_path / "evil.kickdoor", header)
        try:
            recording = read_recording(path)
            list(recording.unpacked_messages())
            read += 1
            found = recording.header
            said = [*found.players, *found.options, found.table, found.machine, found.pace, found.version]
            assert all(text.isprintable() for text in said), name
        except ReplayError as problem:
            refused += 1
            assert str(problem).isprintable(), name
        except codec.WireError:
            read += 1
    assert read > 20 and refused > 100


def test_a_recording_without_seats_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.kickdoor"
    write_recording(path, Recording(Header(FORMAT, "1", wire.WIRE, 0, "t", 1, -1, list(PACKS), [], []), FILES))
    with pytest.raises(ReplayError, match="the header says what cannot be"):
        read_recording(path)


@pytest.mark.parametrize("change", ["table without seats", "view without seats", "hand", "seat", "card"])
def test_messages_that_cannot_be_are_refused_in_one_line(change: str) -> None:
    heard = {type(message): decode(codec.packed(message), strict=False) for message in told()}
    info, update = heard[wire.Info], heard[wire.Update]
    view = update["view"]
    if change == "table without seats":
        info["info"]["seats"] = []
    elif change == "view without seats":
        view[5] = []
    elif change == "hand":
        view[5][1][2] = 50_000_000
    elif change == "seat":
        view[1] = 3
    else:
        view[19] = [(2000 * 16) * 4096 + len(rules().catalog.cards)]
    recording = Recording(HEADER, FILES, b"", [(0, packed(info)), (1, packed(update))])
    with pytest.raises(ReplayError, match="of this recording says what cannot be") as refused:
        Timeline(recording, rules().catalog)
    assert str(refused.value).isprintable()
    if change != "card":  # a card needs the packs, which only the last check reads
        assert failed(verify(recording))


@pytest.mark.long(0)
def test_every_evil_message_is_shown_or_refused_in_one_line() -> None:
    catalog = rules().catalog
    honest = [(at, codec.packed(message)) for at, message in enumerate(told())]
    updates = evil_values(decode(encode(told()[2]), strict=False), wire.Update)
    frames = [frame for _, value in updates if len(frame := packed({"k": "update", **value})) < 60_000]
    frames += [frame for _, frame in evil_frames(told()[0])]
    for frame in frames[::9]:
        recording = Recording(HEADER, FILES, b"", [*honest, (9, frame)])
        try:
            Timeline(recording, catalog).show(0)
        except ReplayError as problem:
            assert str(problem).isprintable()
        try:
            list(recording.unpacked_messages(catalog.cards))
        except codec.WireError:
            assert failed(verify(recording))


def test_every_evil_story_is_one_that_fits_or_none() -> None:
    honest = whole(story.Story)
    kept = [story.unpack(packed(value), 1) for _, value in evil_values(honest, story.Story)]
    assert any(kept) and not all(kept)


def test_every_evil_revealed_game_fails_in_one_line() -> None:
    honest = whole(RevealedGame)
    for name, value in evil_values(honest, RevealedGame):
        data = packed(value)
        if len(data) < 200_000:
            recording = Recording(HEADER, FILES, data, [(0, codec.packed(message)) for message in told()])
            found = verify(recording)
            assert failed(found) and all(finding.text.isprintable() for finding in found), name
