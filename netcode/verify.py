"""What a recorded game can prove, said exactly: each finding is a check that held, one that failed, or a limit."""

from dataclasses import dataclass
from typing import Literal

from netcode import codec, wire
from netcode.replay import Recording


@dataclass(frozen=True)
class Finding:
    """One sentence for people. how: ok (checked, holds), failed (checked, does not hold), limit (cannot be checked)."""

    how: Literal["ok", "failed", "limit"]
    text: str


def verify(recording: Recording) -> list[Finding]:
    """Everything that can be said of this recording by itself."""
    found = [_whole(recording)]
    messages = _messages(recording)
    if isinstance(messages, Finding):
        return [*found, messages]
    return [*found, _order(messages), *_ending(recording)]


def failed(findings: list[Finding]) -> bool:
    """Whether any check failed."""
    return any(finding.how == "failed" for finding in findings)


def _whole(recording: Recording) -> Finding:
    packs = ", ".join(info.set_id for info in recording.header.packs)
    if recording.header.messages < 0:
        return Finding("limit", "the recording was never completed: its end may be missing")
    found = len(recording.messages)
    return Finding("ok", f"the file is whole: {found} messages, and the cards of {packs} by their hash")


def _messages(recording: Recording) -> list[wire.Down] | Finding:
    """All messages, or the first that cannot be read."""
    found = []
    for number, (_, frame) in enumerate(recording.messages, 1):
        try:
            found.append(codec.unpack_down(frame))
        except codec.WireError as problem:
            return Finding("failed", f"message {number} is none: {problem.text}")
    return found


def _order(messages: list[wire.Down]) -> Finding:
    """Views and events came in order, as one host would send them."""
    epoch, seen, rev = 0, 0, 0
    for number, message in enumerate(messages, 1):
        if not isinstance(message, wire.Update) or message.view is None:
            continue
        if message.epoch != epoch:
            epoch, seen = message.epoch, 0
        numbers = [told.no for told in message.events]
        fresh = [no for no in numbers if no > seen]
        if message.view.rev < rev or numbers != sorted(set(numbers)) or (not message.whole and fresh != numbers):
            return Finding("failed", f"message {number} goes back in time: views or events are out of order")
        rev, seen = message.view.rev, max([seen, *numbers])
    return Finding("ok", "views and events follow each other as a host sends them")


def _ending(recording: Recording) -> list[Finding]:
    found = []
    if recording.header.late:
        found.append(Finding("limit", "it begins in mid-game: what came before is not in this file"))
    if not recording.header.winners:
        found.append(Finding("limit", "nobody has won in this file: the game went on, or was given up"))
    return found
