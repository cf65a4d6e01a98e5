"""A game that was laid open, through the eyes of any seat: played again from its seed, told as that seat was told."""

import msgspec

from core.language import catalog as catalogs
from core.replay import Mismatch, rerun
from core.state.events import seen_by
from core.view import view
from netcode.protocol import codec, wire
from netcode.protocol.revealed_game import from_bytes
from netcode.protocol.table_options import parse_options
from netcode.recording.recording import Recording, ReplayError
from netcode.table.rules_adapter import view_bytes


def seen_from(recording: Recording, seat: int) -> Recording:
    """The recording that this seat (-1: somebody who looks on) would have, at the times at which the file's owner saw
    the same things. Raises ReplayError if the opened game cannot be played again."""
    try:
        opened = from_bytes(recording.opened)
        catalog = catalogs.load(recording.packs)
        found = Recording(msgspec.structs.replace(recording.header, seat=seat), recording.packs)
        found.messages.append((0, codec.pack(wire.Info(_info(recording)))))
        times, ms, number, before = _times(recording), 0, 0, b""
        for state, events in rerun(
            catalog, opened.seats, parse_options(opened.options), opened.seed, opened.steps()
        ):
            shown = view(catalog, state, seat)
            seen = [event for event in (seen_by(event, seat) for event in events) if event is not None]
            told = [wire.NumberedEvent(number + at, event) for at, event in enumerate(seen, 1)]
            number += len(told)
            ms, data = times.get(shown.rev, ms), view_bytes(shown)
            if told or data != before:
                update = wire.Update(1, len(found.messages), shown, told, whole=not before)
                found.messages.append((ms, codec.pack(update)))
            before = data
    except (Mismatch, ValueError, msgspec.MsgspecError, codec.WireError) as problem:
        raise ReplayError(f"the opened game cannot be played again: {problem}") from None
    return found


def _info(recording: Recording) -> wire.TableInfo:
    """The table as the owner of the file last knew it."""
    for _, frame in reversed(recording.messages):
        message = codec.unpack_down(frame)
        if isinstance(message, wire.Info):
            return msgspec.structs.replace(message.info, stage="playing")
    raise ReplayError("it never says who sat at the table")


def _times(recording: Recording) -> dict[int, int]:
    """When the owner of the file saw each revision of the game first: ms."""
    found: dict[int, int] = {}
    for ms, frame in recording.messages:
        message = codec.unpack_down(frame)
        if isinstance(message, wire.Update) and message.view is not None:
            found.setdefault(message.view.rev, ms)
    return found
