"""Replay a revealed game from its seed, to compare it with a recording or to show the view of any seat."""

import msgspec
from msgspec import Struct

from core.language.catalog import Catalog
from core.replay import Mismatch, rerun
from core.state.events import AnyEvent, seen_by
from core.state.model import Options
from core.state.views import View
from core.view import view
from netcode.protocol import codec, wire
from netcode.protocol.played_rules import played_by_others
from netcode.protocol.revealed_game import RevealedGame, from_bytes
from netcode.protocol.table_options import parse_options
from netcode.recording.numbering import Numbering
from netcode.recording.recording import Recording, ReplayError
from netcode.recording.shown import as_said, said_in
from netcode.table.rules_adapter import view_bytes


# ------------------------------------------------------------------------------------------------- as any seat saw it
def seen_from(recording: Recording, seat: int) -> Recording:
    """Return the recording that this seat (-1: a spectator) would have, at the times at which the file's owner saw the
    same states. Raises ReplayError if the revealed game cannot be replayed, or if it becomes a different game by our
    rules."""
    revealed = None
    try:
        revealed = from_bytes(recording.revealed)
        catalog = recording.catalog()
        found = Recording(msgspec.structs.replace(recording.header, seat=seat), recording.packs)
        found.messages.append((0, codec.pack(wire.Info(_last_info(recording)))))
        times, ms, number, before = _times_by_rev(recording), 0, 0, b""
        options, own = parse_options(revealed.options), recording.header.seat
        owned = _Matcher([codec.unpack_told(frame) for _, frame in recording.messages])
        for state, events in rerun(catalog, revealed.seats, options, revealed.seed, revealed.steps()):
            owned.add_events(events, own)
            owned.match_view(view(catalog, state, own))
            shown = view(catalog, state, seat)
            seen = [event for event in (seen_by(event, seat) for event in events) if event is not None]
            numbered = [wire.NumberedEvent(number + at, event) for at, event in enumerate(seen, 1)]
            number += len(numbered)
            ms, data = times.get(shown.rev, ms), view_bytes(shown)
            if numbered or data != before:
                update = wire.Update(1, len(found.messages), shown, numbered, whole=not before)
                found.messages.append((ms, codec.pack(update)))
            before = data
    except (Mismatch, ValueError, msgspec.MsgspecError, codec.WireError) as problem:
        raise ReplayError(f"the revealed game cannot be replayed: {_why(revealed, str(problem))}") from None
    if owned.missing:
        why = _why(revealed, f"it does not lead to what was seen then (message {owned.missing})")
        raise ReplayError(f"the revealed game cannot be replayed: {why}")
    return found


def _why(revealed: RevealedGame | None, problem: str) -> str:
    return (played_by_others(revealed.rules) if revealed is not None else "") or problem


def _last_info(recording: Recording) -> wire.TableInfo:
    """Return the last state of the table that the owner of the file knew. Raises ReplayError if the file does not
    say."""
    infos = [message.info for _, message in recording.unpacked_messages() if isinstance(message, wire.Info)]
    if infos:
        return msgspec.structs.replace(infos[-1], stage="playing")
    raise ReplayError("it does not say who sat at the table")


def _times_by_rev(recording: Recording) -> dict[int, int]:
    """Return when the owner of the file first saw each revision of the game, in ms."""
    found: dict[int, int] = {}
    for ms, message in recording.unpacked_messages():
        if isinstance(message, wire.Update) and message.view is not None:
            found.setdefault(message.view.rev, ms)
    return found


# ------------------------------------------------------------------------------------------------ against a recording
class Comparison(Struct, frozen=True):
    """How far the messages of a recording agree with the replayed game. missing: the number of the first message whose
    view or events do not occur in it; 0 if all do."""

    actions: int
    views: int
    events: int
    missing: int


def compare(
    messages: list[wire.Told], seat: int, catalog: Catalog, options: Options, revealed: RevealedGame
) -> Comparison:
    """Replay the game from its seed and find in it all views of these messages and all events, in order. Views are
    compared byte for byte, except for fields that no message uses. seat: the receiver of the messages (-1: a
    spectator). Raises Mismatch if the game cannot be replayed."""
    found = _Matcher(messages)
    steps = revealed.steps()
    for state, events in rerun(catalog, revealed.seats, options, revealed.seed, steps):
        found.add_events(events, seat)
        found.match_view(view(catalog, state, seat))
    return Comparison(len(steps), found.views, found.events, found.missing)


class _Matcher:
    """The views and events of a recording, matched one by one as the game is replayed."""

    def __init__(self, messages: list[wire.Told]) -> None:
        self.views = self.events = 0
        self._updates = [(n, m) for n, m in enumerate(messages, 1) if isinstance(m, wire.Update) and m.view is not None]
        self._said = said_in(update.view for _, update in self._updates if update.view is not None)
        self._next = 0
        self._numbering = Numbering()
        self._past: list[bytes] = []
        """All events so far, as the seat sees them."""
        self._matched = 0
        """How many of these are matched or skipped."""

    @property
    def missing(self) -> int:
        """The number of the first message that is not matched; 0 if all are."""
        return self._updates[self._next][0] if self._next < len(self._updates) else 0

    def add_events(self, events: list[AnyEvent], seat: int) -> None:
        """Add what has just happened, as this seat sees it."""
        seen = (seen_by(event, seat) for event in events)
        self._past += [msgspec.msgpack.encode(event) for event in seen if event is not None]

    def match_view(self, shown: View) -> None:
        """Match all next messages that have this view, the seat's present one."""
        data = view_bytes(shown)
        while self._next < len(self._updates):
            update = self._updates[self._next][1]
            if update.view is None or not (view_bytes(update.view) == data or self._agrees(update.view, shown)):
                return
            if not self._match_events(update):
                return
            self._next += 1
            self.views += 1

    def _agrees(self, seen: View, shown: View) -> bool:
        """Return whether a view of the recording equals that of the replayed game, in all fields that the recording
        uses anywhere: views of an older program have fewer fields."""
        return seen.rev == shown.rev and as_said(seen, self._said) == as_said(shown, self._said)

    def _match_events(self, update: wire.Update) -> bool:
        """Match the new events of a message; return whether all of them have happened, in this order, after the matched
        ones."""
        matched, new = self._matched, self._numbering.fresh(update)
        for numbered in new:
            try:
                matched = self._past.index(msgspec.msgpack.encode(numbered.event), matched) + 1
            except ValueError:
                return False
        self._matched = matched
        self._numbering.heard(update)
        self.events += len(new)
        return True
