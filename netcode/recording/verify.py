"""What a recorded game can prove, said exactly: each finding is a check that held, one that failed, or a limit."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import msgspec

from core.language import catalog as catalogs
from core.language.catalog import Catalog
from core.replay import Mismatch, rerun
from core.state.events import AnyEvent, seen_by
from core.state.model import Options
from core.view import View, view
from netcode.protocol import codec, wire
from netcode.protocol.deal_seed import digest, seed_of
from netcode.protocol.revealed_game import RevealedGame, from_bytes
from netcode.protocol.table_options import parse_options
from netcode.recording.recording import Header, Recording
from netcode.table.rules_adapter import view_bytes


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
    found += [_order(messages), *_ending(recording)]
    deal = _deal(recording.header, messages)
    found += _commitment(recording.header, deal)
    if not recording.opened:
        text = "the hands were not opened: that the cards come from these numbers cannot be checked"
        return [*found, Finding("limit", text)]
    try:
        opened = from_bytes(recording.opened)
        return [*found, *_openly(recording, messages, deal, opened)]
    except (msgspec.MsgspecError, ValueError) as problem:
        return [*found, Finding("failed", f"the opened game cannot be read: {problem}")]


def failed(findings: list[Finding]) -> bool:
    """Whether any check failed."""
    return any(finding.how == "failed" for finding in findings)


def _check(holds: bool, ok: str, otherwise: str) -> Finding:
    return Finding("ok", ok) if holds else Finding("failed", otherwise)


# ----------------------------------------------------------------------------------------------------- the file itself
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


# ------------------------------------------------------------------------------------------------------------- the deal
def _deal(header: Header, messages: list[wire.Down]) -> wire.DealInfo | None:
    """What the host showed of the deal when the cards were out."""
    shown = [message.info.deal for message in messages if isinstance(message, wire.Info)]
    return next((deal for deal in shown if deal is not None and deal.game == header.game and deal.dealt), None)


def _commitment(header: Header, deal: wire.DealInfo | None) -> Iterator[Finding]:
    """Whether this seat had its part in the deal."""
    if deal is None:
        text = "not provable: the host made no commitment (a table with a seed of its own, or laid out by a scenario)"
        yield Finding("limit", text)
        return
    if not header.nonce:
        who = "whoever looks on" if header.seat < 0 else "who comes in mid-game"
        yield Finding("limit", f"{who} has no part in the deal: this file cannot say when the host committed itself")
    else:
        yield _check(
            header.commitment == deal.commitment, "the host committed itself before this seat sent its number",
            "the host showed another commitment after this seat had sent its number",
        )  # fmt: skip
        yield _own(header, deal)
        if header.again:
            yield Finding("failed", f"the deal was begun anew {header.again} times after numbers had been shown")
    yield from _others(header, deal)


def _own(header: Header, deal: wire.DealInfo) -> Finding:
    """Whether this seat's number is in the deal."""
    if header.seat not in deal.hashes:
        return Finding("limit", "this seat's number came too late or was left out: the deal proves nothing to it")
    return _check(
        deal.hashes[header.seat] == digest(header.nonce) and deal.nonces.get(header.seat) == header.nonce,
        "this seat's own number is in the deal",
        "this seat's own number is not in the deal: the host may have chosen among several",
    )


def _others(header: Header, deal: wire.DealInfo) -> Iterator[Finding]:
    """Whose numbers are in, whose are not, and what those of others are worth."""
    false = [seat for seat, nonce in deal.nonces.items() if digest(nonce) != deal.hashes.get(seat)]
    yield _check(
        not false, f"in the deal: the host's bytes and the numbers of {_names(header, deal.nonces) or 'nobody'}",
        f"the numbers of {_names(header, false)} are not those they promised",
    )  # fmt: skip
    withheld = set(deal.hashes) - set(deal.nonces)
    if withheld:
        yield Finding("limit", f"promised and then missing: {_names(header, withheld)}; the cards were dealt without")
    silent = [seat for seat in range(len(header.players)) if seat not in deal.hashes]
    if silent:
        text = f"no number of their own: {_names(header, silent)} (bots of the host, or nothing came in time)"
        yield Finding("limit", text)


def _names(header: Header, seats: "dict[int, bytes] | set[int] | list[int]") -> str:
    return ", ".join(header.players[seat] for seat in sorted(seats) if 0 <= seat < len(header.players))


# ------------------------------------------------------------------------------------------------------ the opened game
def _openly(
    recording: Recording, messages: list[wire.Down], deal: wire.DealInfo | None, opened: RevealedGame
) -> Iterator[Finding]:
    """What the opened hands prove."""
    header = recording.header
    yield _check(
        opened.game == header.game and opened.seats == len(header.players) and opened.options == header.options,
        "the opened game is this one: number, seats and what was agreed", "the opened game is another one",
    )  # fmt: skip
    if deal is not None:
        yield _check(
            digest(opened.secret) == deal.commitment, "the host's bytes are those it had committed itself to",
            "the host's bytes are not those it had committed itself to",
        )  # fmt: skip
        yield _check(
            seed_of(opened.secret, deal.nonces, opened.seats) == opened.seed and opened.nonces == deal.nonces,
            "the seed is the hash of the host's bytes and these numbers",
            "the seed is not the hash of the host's bytes and these numbers",
        )  # fmt: skip
    try:
        catalog = catalogs.load(recording.packs)
    except catalogs.PackError as problem:
        yield Finding("limit", f"its card packs cannot be used by this version: {problem}")
        return
    yield played_again(header, messages, catalog, parse_options(opened.options), opened)


def played_again(
    header: Header, messages: list[wire.Down], catalog: Catalog, options: Options, opened: RevealedGame
) -> Finding:
    """Play the game from its seed: every view in the file must come up, byte for byte, and every event, in order."""
    told = _Told(messages)
    steps = opened.steps()
    try:
        for state, events in rerun(catalog, opened.seats, options, opened.seed, steps):
            told.happened(events, header.seat)
            told.stands(view(catalog, state, header.seat))
    except Mismatch as problem:
        return Finding("failed", f"played from its seed the game goes wrong: {problem}")
    if told.left:
        text = f"played from its seed the game does not come to message {told.left}"
        return Finding("failed", f"{text}: another view or event than this file has")
    many = f"{told.views} views and {told.events} events"
    return Finding("ok", f"played from its seed, {len(steps)} actions give all {many} of this file, byte for byte")


class _Told:
    """The views and events of a file, struck off one by one as the game is played again."""

    def __init__(self, messages: list[wire.Down]) -> None:
        self.views = self.events = 0
        self._updates = [(n, m) for n, m in enumerate(messages, 1) if isinstance(m, wire.Update) and m.view is not None]
        self._at = self._seen = self._epoch = 0
        self._past: list[bytes] = []
        self._found = 0

    @property
    def left(self) -> int:
        """The number of the first message that has not come up; 0: all have."""
        return self._updates[self._at][0] if self._at < len(self._updates) else 0

    def happened(self, events: list[AnyEvent], seat: int) -> None:
        """This has happened now."""
        seen = (seen_by(event, seat) for event in events)
        self._past += [msgspec.msgpack.encode(event) for event in seen if event is not None]

    def stands(self, shown: View) -> None:
        """This is what the seat sees now: strike off every message that says so."""
        data = view_bytes(shown)
        while self._at < len(self._updates):
            update = self._updates[self._at][1]
            if update.view is None or view_bytes(update.view) != data or not self._strike(update):
                return
            self._at += 1
            self.views += 1

    def _strike(self, update: wire.Update) -> bool:
        """Whether what this message tells has happened by now, in this order, behind what was told before."""
        if update.epoch != self._epoch:
            self._epoch, self._seen = update.epoch, 0
        found, fresh = self._found, [told for told in update.events if told.no > self._seen]
        for told in fresh:
            try:
                found = self._past.index(msgspec.msgpack.encode(told.event), found) + 1
            except ValueError:
                return False
        self._found = found
        self._seen = max([self._seen, *(told.no for told in fresh)])
        self.events += len(fresh)
        return True
