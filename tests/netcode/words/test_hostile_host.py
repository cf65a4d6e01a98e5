"""A host's words never get raw into the log of a client: neither control characters nor forged lines."""

import os
import subprocess
import sys
import zlib
from pathlib import Path

import msgspec
import pytest

from netcode.protocol import codec, wire
from netcode.protocol.codec import WireError
from netcode.protocol.deltas import Folder
from tests.netcode.words.hostile import FORGED, FORGING, raw_in
from tests.netcode.words.lying_host import LyingHost
from tests.patience import PATIENCE_S
from tests.tui.command_line import ROOT

pack = msgspec.msgpack.encode
INVALID = [
    pack({"k": FORGING}), pack({"k": "info", "info": {FORGING: 1}}), pack({"k": "error", "code": 1, "text": FORGING}),
    pack({"k": "info", "info": {"table": "t", "seats": [], "speed": FORGING, "pace": FORGING}}),
    pack({"k": "voted", "result": FORGING, "by": 0}), b"\xc1" + FORGING.encode(), FORGING.encode(),
]  # fmt: skip
"""Frames that are not messages; the error texts about them quote the host."""
GOODBYE = pack({"k": "error", "code": "bad_token", "text": FORGING})
"""A message that ends a client: its words are shown."""


def deflated(part: object) -> bytes:
    deflate = zlib.compressobj(wbits=-15)
    return deflate.compress(pack(part)) + deflate.flush()


@pytest.mark.long(4)
@pytest.mark.parametrize("frame", [*INVALID, GOODBYE])
def test_a_bot_writes_no_control_character_of_its_host(frame: bytes, tmp_path: Path) -> None:
    """Without the cleaning, thirty control characters came through, and a command for the clipboard was among them."""
    with LyingHost([frame]) as host:
        done = subprocess.run(
            [sys.executable, "-m", "tui", "bot", "-"], input=host.join.encode(), capture_output=True,
            timeout=PATIENCE_S, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), "KICKDOOR_DATA": str(tmp_path)},
        )  # fmt: skip
    log = done.stderr.decode()
    assert frame == GOODBYE or "the host says what cannot be" in log
    assert raw_in(done.stderr) == "" and raw_in(done.stdout) == "", log
    assert not [line for line in log.splitlines() if line.startswith(FORGED)], "a line that only the host has written"
    assert done.returncode == 1 and len(log) < 4000


@pytest.mark.parametrize("frame", INVALID)
def test_what_is_wrong_with_a_frame_is_one_short_harmless_line(frame: bytes) -> None:
    with pytest.raises(WireError) as found:
        codec.unpack_down(frame)
    text = str(found.value)
    assert raw_in(text) == "" and "\n" not in text and text == found.value.text


def test_a_long_word_of_a_host_is_cut() -> None:
    with pytest.raises(WireError) as found:
        codec.unpack_down(pack({"k": "m" * 20_000}))
    assert len(str(found.value)) < 300


@pytest.mark.parametrize("part", [{FORGING: 1}, [FORGING], FORGING, [1, 2, 3, FORGING]])
def test_what_is_wrong_with_a_delta_is_one_harmless_line(part: object) -> None:
    wrong = deflated(part)
    for fields in ({"public": wrong}, {"public": b"\xff", "own": FORGING.encode()}, {"veiled": wrong}):
        with pytest.raises(WireError) as found:
            Folder().fold(wire.Delta(1, **fields, whole=True), 1, wire.Timers())  # type: ignore[arg-type]
        assert raw_in(str(found.value)) == "" and "\n" not in str(found.value)
