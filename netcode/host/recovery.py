"""Restores a table from its journal: replays every action, and compares the game with each snapshot on the way."""

import logging
import secrets
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec

from core.state.actions import AnyAction, Refusal
from core.state.events import AnyEvent
from netcode.journal import ActRow, JournalError, SavedTable, SnapRow
from netcode.protocol import wire
from netcode.protocol.paces import Pace
from netcode.protocol.played_rules import own_rules, program
from netcode.table.fair_deal import FairDeal
from netcode.table.lifecycle import RestoredMatch
from netcode.table.pauses import UsedPause
from netcode.table.reached import Reached, reached_in, rules_in
from netcode.table.rules_adapter import Rules, RunningGame
from netcode.table.table import Table
from netcode.table.table_record import TableRecord, read_entry, read_seat
from netcode.table.undo_vote import LostVotes

LOG = logging.getLogger("kickdoor.recovery")
NUMBERS = 2**32
"""The knocks and undo votes of a restored table are numbered from a random number below this."""
Record = TypeVar("Record")
_Past = list[tuple[list[AnyEvent], int | None]]


def restore(
    saved: SavedTable, record: TableRecord, rules: Rules, seed: Callable[[int], bytes], epoch: int, now: int
) -> Table:
    """Return the table as it was when its host stopped; its players are `lost` until they return. seed(n): the seed of
    the nth game. now: ns.

    Raises JournalError if the journal does not lead to a game (other packs, another version of the rules, damage)."""
    table = Table(record.config(), rules.deal, seed, epoch)
    for number, data in sorted(saved.seats.items()):
        table.seating.restore(number, read_seat(number, data, saved.taken, now // 1_000_000))
    read_entry(saved, table.seating, now // 1_000_000)
    table.dealing.fair, table.dealing.dealt = _deal(saved.facts.get("deal")), _deal(saved.facts.get("dealt"))
    lifecycle = table.lifecycle
    lifecycle.pace = _choice(saved, "pace", Pace, lifecycle.pace)
    lifecycle.speed = _choice(saved, "speed", wire.Speed, lifecycle.speed)
    lifecycle.waits = _choice(saved, "waits", wire.Waits, lifecycle.waits)
    for numbered in (table.seating.admission, lifecycle.undo_voting):  # so that old answers fit no new question
        numbered.number_from(secrets.randbelow(NUMBERS))
    votes, pause = _record(saved, "votes", LostVotes), _record(saved, "pause", UsedPause)
    if votes is not None:
        lifecycle.undo_voting.restore(votes)
    if pause is not None:
        lifecycle.pauses.restore(pause)
    stage = saved.facts.get("stage", b"lobby").decode()
    if stage in ("playing", "paused", "over") and saved.snaps:
        seed_used, revealed = saved.facts.get("seed", b""), int(saved.facts.get("opened", b"0"))
        past: _Past = [(_events_of_deal(saved, rules, record.seats, seed_used), None)]
        game, seq = replay(saved, rules, past)
        table.notice = _unsure(saved, rules)
        if table.notice:
            LOG.warning("table %s: %s", record.table, table.notice)
        acts = [(act.seat, act.action) for act in saved.acts]
        paused = stage == "paused"
        table.dealing.consent.restore(saved.snaps[0].game, saved.facts.get("played"))
        number, played = saved.snaps[0].game, tuple(rules_in(saved))
        table.restore(RestoredMatch(number, game, seq, acts, seed_used, revealed, past, paused, played), now)
    return table


def _choice(saved: SavedTable, name: str, kind: Any, configured: Any) -> Any:
    """Return the table's last choice of this kind, else the default, which its record gives."""
    data = saved.facts.get(name)
    if data is None:
        return configured
    try:
        return msgspec.convert(data.decode("utf-8", "replace"), kind)
    except msgspec.ValidationError as problem:
        raise JournalError(f"the journal's {name} cannot be read by this version ({problem})") from None


def _record(saved: SavedTable, name: str, kind: type[Record]) -> Record | None:
    """Return a record of the table, None if there is none."""
    data = saved.facts.get(name)
    try:
        return msgspec.msgpack.decode(data, type=kind) if data is not None else None
    except (msgspec.MsgspecError, UnicodeError) as problem:
        raise JournalError(f"the journal's {name} cannot be read by this version ({problem})") from None


def _deal(data: bytes | None) -> FairDeal | None:
    if data is None:
        return None
    try:
        return FairDeal.restored(data)
    except msgspec.MsgspecError as problem:
        raise JournalError(f"the journal's deal cannot be read by this version ({problem})") from None


def _events_of_deal(saved: SavedTable, rules: Rules, seats: int, seed: bytes) -> list[AnyEvent]:
    """Return the events of the deal; none if this version deals differently."""
    from core.engine import Runaway  # only tables with a game need the rules

    try:
        game, events = rules.deal(seats, seed)
    except (ValueError, Runaway) as problem:
        LOG.warning("the deal cannot be repeated: %s", problem)
        return []
    return events if game.save() == saved.snaps[0].state else []


def replay(
    saved: SavedTable, rules: Rules, past: _Past | None = None
) -> tuple[RunningGame, int]:
    """Return the game to which the actions lead, and the number of actions. If a snapshot differs, the snapshot is
    used, since it is what everybody saw; damaged snapshots are skipped. past: receives what happened, as players were
    told (see Past), but nothing before a snapshot that differs.

    Raises JournalError if the actions after the last sound snapshot do not lead to a game, or lead to a different one
    than the journal records."""
    game: RunningGame | None = None
    past = past if past is not None else []
    seq, noted = 0, _comparable(saved, rules)
    for snap, acts in _sections(saved):
        if not snap.is_intact:
            LOG.warning("the journal's snapshot after action %d is damaged and is skipped", snap.seq)
        elif game is None or game.save() != snap.state:
            if snap is not saved.snaps[0]:
                what = "the journal's snapshot after action %d differs from the replayed game: the snapshot is used"
                LOG.warning(what, snap.seq)
                past.clear()
            game = _loaded(snap, rules)
            game.remember(True)  # a solo player may undo; with others, the match forgets it
        seq = snap.seq
        for act in acts:
            game = game if game is not None and act.seq == seq + 1 and _submit(game, act, past) else None
            seq += 1
            if game is None:
                break
            if noted is not None and seq == noted.seq and not noted.is_of(game.save()):
                raise JournalError(_leads_elsewhere(saved))
    if game is None and seq:
        raise JournalError(f"the journal's action {seq} does not fit the rules of this version{_remedy(saved)}")
    if game is None:
        raise JournalError("the journal's only snapshot is damaged: use another --data")
    return game, seq


def _last_sound(saved: SavedTable) -> SnapRow | None:
    return next((snap for snap in reversed(saved.snaps) if snap.is_intact), None)


def _comparable(saved: SavedTable, rules: Rules) -> Reached | None:
    """Return the state that the journal records, if it comes after the last sound snapshot (which is trusted anyway)
    and this version saves states in the same form. Otherwise return None."""
    noted, snap = reached_in(saved), _last_sound(saved)
    if noted is None or snap is None or noted.seq <= snap.seq or _loaded(snap, rules).save() != snap.state:
        return None
    return noted


def _unsure(saved: SavedTable, rules: Rules) -> str:
    """Return a warning if nothing proves that the last actions lead to the same game as before; "" if something
    does."""
    last, snap, noted = saved.acts[-1].seq if saved.acts else 0, _last_sound(saved), _comparable(saved, rules)
    played = rules_in(saved)[-1]
    known = max(snap.seq if snap is not None else 0, noted.seq if noted is not None else 0)
    if last <= known:
        return ""
    return (
        f"the last {last - known} actions of this game were made with {program(played)}, and it cannot be checked "
        f"that they lead to the same game with the rules of {program(own_rules())}"
    )


def _leads_elsewhere(saved: SavedTable) -> str:
    if rules_in(saved)[-1] == own_rules():
        return "its actions lead to another game than before by the same rules: an internal error; it stays as it is"
    return f"its last actions lead to another game by the rules of this version{_remedy(saved)}"


def _remedy(saved: SavedTable) -> str:
    """Return what to do about a game that does not fit our rules, as the end of a sentence."""
    played = rules_in(saved)[-1]
    if played == own_rules():
        return ": use another --data"
    return f", {program(own_rules())}: it was played with {program(played)}, so open it with that (it stays as it is)"


def _sections(saved: SavedTable) -> Iterator[tuple[SnapRow, list[ActRow]]]:
    """Yield each snapshot with the actions from it to the next."""
    ends = [snap.seq for snap in saved.snaps[1:]]
    for snap, end in zip(saved.snaps, [*ends, None]):
        yield snap, [act for act in saved.acts if act.seq > snap.seq and (end is None or act.seq <= end)]


def _loaded(snap: SnapRow, rules: Rules) -> RunningGame:
    try:
        return rules.load(snap.state, snap.seq)
    except msgspec.MsgspecError as problem:
        raise JournalError(f"the saved game cannot be read by this version ({problem})") from None


def _submit(game: RunningGame, act: ActRow, past: _Past) -> bool:
    """Repeat an action; False if it is refused now."""
    try:
        action: AnyAction = msgspec.msgpack.decode(act.action, type=AnyAction)
    except msgspec.MsgspecError:
        return False
    rev, result = game.rev, game.submit(act.seat, action)
    if isinstance(result, Refusal):
        return False
    past.append((result, None if game.rev != rev else act.seat if act.s is not None else -1))
    return True
