"""Shows a recording in every way that there is, and prints it as JSON: for a process with other rules.
`python -m tests.netcode.recording.with_other_rules FILE`."""

import json
import sys
from hashlib import blake2b
from pathlib import Path

import msgspec

from netcode.recording.recording import ReplayError, read_recording
from netcode.recording.verify import verify
from tui.screens.replay_timeline import load_timeline


def shown(path: Path) -> dict[str, object]:
    """Return the findings of a verification; digests of the owner's steps, of the story and of the moments that
    mattered; and for each other seat the digest of its steps, or the reason why they cannot be shown."""
    recording = read_recording(path)
    timeline = load_timeline(path)
    others: dict[str, str] = {}
    for seat in range(len(recording.header.players)):
        if seat != recording.header.seat:
            try:
                others[str(seat)] = _digest(timeline.seen_by(seat).recording.messages)
            except ReplayError as problem:
                others[str(seat)] = str(problem)
    return {
        "found": [[finding.how, finding.text] for finding in verify(recording)],
        "own": _digest(recording.messages), "story": _digest(timeline.story), "swings": _digest(timeline.mattered),
        "others": others,
    }  # fmt: skip


def _digest(value: object) -> str:
    return blake2b(msgspec.msgpack.encode(value), digest_size=8).hexdigest()


if __name__ == "__main__":
    print(json.dumps(shown(Path(sys.argv[1]))))
