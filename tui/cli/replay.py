"""`kickdoor replay --verify`: print what a recorded game proves, without a screen."""

from pathlib import Path

import click

from netcode.protocol.printing import say
from netcode.recording.recording import ReplayError, read_recording
from netcode.recording.verify import failed, verify

_SIGNS = {"ok": "ok      ", "failed": "FAILED  ", "limit": "-       "}


def run_verify(context: click.Context, name: str) -> int:
    """Print one line for each finding. Return the exit code: 1 if a check failed. Raises click.UsageError if the file
    cannot be read."""
    try:
        recording = read_recording(Path(name))
    except ReplayError as problem:
        raise click.UsageError(str(problem), context) from None
    findings = verify(recording)
    for finding in findings:
        say(f"{_SIGNS[finding.how]}{finding.text}")
    return 1 if failed(findings) else 0
