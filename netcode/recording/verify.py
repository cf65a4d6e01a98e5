"""Verify a recorded game. Each finding is a check that passed, a check that failed, or something that the file cannot
prove."""

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import Struct

from core.language.errors import PackError
from netcode.protocol import codec, wire
from netcode.protocol.deal_seed import digest, seed_of
from netcode.protocol.played_rules import played_by_others
from netcode.protocol.revealed_game import RevealedGame, from_bytes
from netcode.protocol.table_options import parse_options
from netcode.recording.recording import Header, Recording
from netcode.recording.revealed import compare


class Finding(Struct, frozen=True):
    """One sentence for people. how: ok (the check passed), failed (it did not), limit (it cannot be checked)."""

    how: Literal["ok", "failed", "limit"]
    text: str


def verify(recording: Recording) -> list[Finding]:
    """Return all findings about this recording by itself."""
    found = [_completeness(recording)]
    messages = _messages(recording)
    if isinstance(messages, Finding):
        return [*found, messages]
    found += [_order(messages), *_ending(recording)]
    deal = _deal(recording.header, messages)
    found += _commitment(recording.header, deal)
    if not recording.revealed:
        text = "the game was not revealed: whether the cards come from these numbers cannot be checked"
        return [*found, Finding("limit", text)]
    try:
        revealed = from_bytes(recording.revealed)
        return [*found, *_revealed(recording, messages, deal, revealed)]
    except (msgspec.MsgspecError, ValueError) as problem:
        return [*found, Finding("failed", f"the revealed game cannot be read: {problem}")]


def failed(findings: list[Finding]) -> bool:
    """Return whether any check failed."""
    return any(finding.how == "failed" for finding in findings)


def _check(holds: bool, ok: str, otherwise: str) -> Finding:
    return Finding("ok", ok) if holds else Finding("failed", otherwise)


# ----------------------------------------------------------------------------------------------------- the file itself
def _completeness(recording: Recording) -> Finding:
    packs = ", ".join(info.set_id for info in recording.header.packs)
    if recording.header.messages < 0:
        return Finding("limit", "the recording was never completed: its end may be missing")
    found = len(recording.messages)
    return Finding("ok", f"the file is complete: {found} messages, and the cards of {packs} by their hash")


def _messages(recording: Recording) -> list[wire.Told] | Finding:
    """Return all messages, or a finding about the first that cannot be read."""
    found: list[wire.Told] = []
    try:
        found += [message for _, message in recording.unpacked_messages()]
    except codec.WireError as problem:
        where = f": {problem.place}" if problem.place else ""
        return Finding("failed", f"message {len(found) + 1} is not valid{where}")
    return found


def _order(messages: list[wire.Told]) -> Finding:
    """Return a finding: whether views and events are in an order in which one host would send them."""
    epoch, seen, rev = 0, 0, 0
    for number, message in enumerate(messages, 1):
        if not isinstance(message, wire.Update) or message.view is None:
            continue
        if message.epoch != epoch:
            epoch, seen = message.epoch, 0
        numbers = [event.no for event in message.events]
        new = [no for no in numbers if no > seen]
        if message.view.rev < rev or numbers != sorted(set(numbers)) or (not message.whole and new != numbers):
            return Finding("failed", f"message {number} has views or events that are out of order")
        rev, seen = message.view.rev, max([seen, *numbers])
    return Finding("ok", "views and events are in the order in which a host sends them")


def _ending(recording: Recording) -> list[Finding]:
    found = []
    if recording.header.late:
        found.append(Finding("limit", "the file begins in mid-game: what happened before is not in it"))
    if not recording.header.winners:
        found.append(Finding("limit", "nobody has won in this file: the game went on, or was abandoned"))
    return found


# ------------------------------------------------------------------------------------------------------------- the deal
def _deal(header: Header, messages: list[wire.Told]) -> wire.DealInfo | None:
    """Return the deal as the host showed it after the cards were dealt; None if it made no commitment."""
    shown = [message.info.deal for message in messages if isinstance(message, wire.Info)]
    return next((deal for deal in shown if deal is not None and deal.game == header.game and deal.dealt), None)


def _commitment(header: Header, deal: wire.DealInfo | None) -> Iterator[Finding]:
    """Yield findings about the host's commitment and the numbers of the seats."""
    if deal is None:
        text = "not provable: the host made no commitment (its table had a fixed seed or began from a scenario)"
        yield Finding("limit", text)
        return
    if not header.nonce:
        who = "a spectator" if header.seat < 0 else "a player who joins in mid-game"
        yield Finding("limit", f"{who} has no part in the deal: this file cannot prove when the host committed itself")
    else:
        yield _check(
            header.commitment == deal.commitment, "the host committed itself before this seat sent its number",
            "the host changed its commitment after this seat had sent its number",
        )  # fmt: skip
        yield _own(header, deal)
        if header.again:
            yield Finding("failed", f"the deal started again {header.again} times after numbers had been shown")
    yield from _others(header, deal)


def _own(header: Header, deal: wire.DealInfo) -> Finding:
    """Return whether this seat's number is in the deal."""
    if header.seat not in deal.hashes:
        return Finding(
            "limit", "this seat's number came too late or was left out: the deal proves nothing to this seat"
        )
    return _check(
        deal.hashes[header.seat] == digest(header.nonce) and deal.nonces.get(header.seat) == header.nonce,
        "this seat's own number is in the deal",
        "this seat's own number is not in the deal: the host may have chosen among several deals",
    )


def _others(header: Header, deal: wire.DealInfo) -> Iterator[Finding]:
    """Yield findings about which seats' numbers are in the deal, and whether they match the promised ones."""
    wrong = [seat for seat, nonce in deal.nonces.items() if digest(nonce) != deal.hashes.get(seat)]
    yield _check(
        not wrong, f"in the deal: the host's bytes and the numbers of {_names(header, deal.nonces) or 'nobody'}",
        f"the numbers of {_names(header, wrong)} are not those they promised",
    )  # fmt: skip
    withheld = set(deal.hashes) - set(deal.nonces)
    if withheld:
        yield Finding(
            "limit",
            f"promised but not sent: the numbers of {_names(header, withheld)}; the cards were dealt without them",
        )
    silent = [seat for seat in range(len(header.players)) if seat not in deal.hashes]
    if silent:
        text = f"no number of their own: {_names(header, silent)} (bots of the host, or players who sent none in time)"
        yield Finding("limit", text)


def _names(header: Header, seats: "dict[int, bytes] | set[int] | list[int]") -> str:
    return ", ".join(header.players[seat] for seat in sorted(seats) if 0 <= seat < len(header.players))


# ---------------------------------------------------------------------------------------------------- the revealed game
def _revealed(
    recording: Recording, messages: list[wire.Told], deal: wire.DealInfo | None, revealed: RevealedGame
) -> Iterator[Finding]:
    """Yield findings from the revealed game."""
    header = recording.header
    yield _check(
        revealed.game == header.game and revealed.seats == len(header.players) and revealed.options == header.options,
        "the revealed game is this one: number, seats and options", "the revealed game is another one",
    )  # fmt: skip
    if deal is not None:
        yield _check(
            digest(revealed.secret) == deal.commitment, "the host's bytes are those that it committed itself to",
            "the host's bytes are not those that it committed itself to",
        )  # fmt: skip
        yield _check(
            seed_of(revealed.secret, deal.nonces, revealed.seats) == revealed.seed and revealed.nonces == deal.nonces,
            "the seed is the hash of the host's bytes and these numbers",
            "the seed is not the hash of the host's bytes and these numbers",
        )  # fmt: skip
    yield _replayed(recording, messages, revealed)


def _replayed(recording: Recording, messages: list[wire.Told], revealed: RevealedGame) -> Finding:
    """Return a finding: whether replaying the game from its seed gives all views and events of the file, byte for
    byte."""
    try:
        catalog = recording.catalog()
    except PackError as problem:
        return Finding("limit", f"its card packs cannot be used by this version: {problem}")
    try:
        found = compare(messages, recording.header.seat, catalog, parse_options(revealed.options), revealed)
    except ValueError as problem:  # a Mismatch, or impossible numbers of seats or options
        return _not_the_same(revealed, f"the game cannot be replayed from its seed: {problem}")
    if found.missing:
        text = f"replayed from its seed, the game does not lead to message {found.missing}"
        return _not_the_same(revealed, f"{text}: its view or events differ")
    text = f"{found.actions} actions give all {found.views} views and {found.events} events of this file, byte for byte"
    return Finding("ok", f"replayed from its seed, {text}")


def _not_the_same(revealed: RevealedGame, text: str) -> Finding:
    """Return a finding: by our rules its seed leads to a different game. The rules that a host names do not excuse
    this; they only say which program can make the check."""
    if others := played_by_others(revealed.rules):
        return Finding("limit", f"whether the cards come from the seed cannot be checked here: {others}")
    unknown = "" if revealed.rules else " (an older kickdoor may have had other rules: nothing says which)"
    return Finding("failed", text + unknown)
