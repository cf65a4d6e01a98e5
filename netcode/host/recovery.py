"""Restores a table from its journal: replays every action, and compares the game with each snapshot on the way."""

import logging
from collections.abc import Callable, Iterator

import msgspec

from core.state.actions import AnyAction, Refusal
from netcode.journal import ActRow, JournalError, SavedTable, SnapRow
from netcode.table.fair_deal import FairDeal
from netcode.table.rules_adapter import Rules, RunningGame
from netcode.table.stages import RestoredMatch
from netcode.table.table import Table
from netcode.table.table_record import TableRecord, read_entry, read_seat

LOG = logging.getLogger("kickdoor.recovery")


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
    stage = saved.facts.get("stage", b"lobby").decode()
    if stage in ("playing", "paused", "over") and saved.snaps:
        game, seq = replay(saved, rules)
        acts = [(act.seat, act.action) for act in saved.acts]
        seed_used, revealed = saved.facts.get("seed", b""), int(saved.facts.get("opened", b"0"))
        table.restore(RestoredMatch(saved.snaps[0].game, game, seq, acts, seed_used, revealed), now)
    return table


def _deal(data: bytes | None) -> FairDeal | None:
    if data is None:
        return None
    try:
        return FairDeal.restored(data)
    except msgspec.MsgspecError as problem:
        raise JournalError(f"the journal's deal cannot be read by this version ({problem})") from None


def replay(saved: SavedTable, rules: Rules) -> tuple[RunningGame, int]:
    """Return the game to which the actions lead, and their number. Where a snapshot differs the snapshot is right,
    since that is what everybody saw; a damaged snapshot is skipped.

    Raises JournalError if the actions after the last sound snapshot do not lead to a game."""
    game: RunningGame | None = None
    seq = 0
    for snap, acts in _sections(saved):
        if not snap.is_intact:
            LOG.warning("the journal's snapshot after action %d is damaged and is skipped", snap.seq)
        elif game is None or game.save() != snap.state:
            if snap is not saved.snaps[0]:
                what = "the journal's snapshot after action %d differs from the replayed game: the snapshot is used"
                LOG.warning(what, snap.seq)
            game = _loaded(snap, rules)
            game.remember(True)  # for somebody who is alone at the table; the match forgets it if nobody is
        seq = snap.seq
        for act in acts:
            game = game if game is not None and act.seq == seq + 1 and _submit(game, act) else None
            seq += 1
            if game is None:
                break
    if game is None:
        what = f"action {seq} does not fit the rules of this version" if seq else "only snapshot is damaged"
        raise JournalError(f"the journal's {what}: use another --data")
    return game, seq


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


def _submit(game: RunningGame, act: ActRow) -> bool:
    try:
        action: AnyAction = msgspec.msgpack.decode(act.action, type=AnyAction)
    except msgspec.MsgspecError:
        return False
    return not isinstance(game.submit(act.seat, action), Refusal)
