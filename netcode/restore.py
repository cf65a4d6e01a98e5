"""Taking a table up again from its journal: the newest snapshot, and every action after it through the rules."""

from collections.abc import Callable

import msgspec

from core.actions import AnyAction, Refusal
from netcode.fair import FairDeal
from netcode.game import Rules
from netcode.journal import JournalError, Saved
from netcode.records import TableRecord, read_seat
from netcode.table import Table


def restore(
    saved: Saved, record: TableRecord, rules: Rules, seed: Callable[[int], bytes], epoch: int, now: int
) -> Table:
    """The table as it stood when its host stopped; its players are `lost` until they come back. now: ns.

    Raises JournalError if the journal does not lead to a game (other packs, another version of the rules, damage)."""
    table = Table(record.config(), rules.deal, seed, epoch)
    for number, data in sorted(saved.seats.items()):
        table.seating.restore(number, read_seat(number, data, saved.last_n, now // 1_000_000))
    table.dealing.fair, table.dealing.dealt = _deal(saved.meta.get("deal")), _deal(saved.meta.get("dealt"))
    stage = saved.meta.get("stage", b"lobby").decode()
    if stage in ("playing", "paused", "over") and saved.snap is not None:
        _resume(table, saved, rules, now)
    return table


def _deal(data: bytes | None) -> FairDeal | None:
    if data is None:
        return None
    try:
        return FairDeal.restored(data)
    except msgspec.MsgspecError as problem:
        raise JournalError(f"the journal's deal cannot be read by this version ({problem})") from None


def _resume(table: Table, saved: Saved, rules: Rules, now: int) -> None:
    assert saved.snap is not None
    try:
        game = rules.load(saved.snap.state)
    except msgspec.MsgspecError as problem:
        raise JournalError(f"the saved game cannot be read by this version ({problem})") from None
    seq = saved.snap.seq
    for act in saved.acts:
        action: AnyAction = msgspec.msgpack.decode(act.action, type=AnyAction)
        if act.seq != seq + 1 or isinstance(game.submit(act.seat, action), Refusal):
            raise JournalError(f"the journal's action {act.seq} does not fit the rules of this version")
        seq = act.seq
    acts = [*saved.before, *((act.seat, act.action) for act in saved.acts)]
    opened = int(saved.meta.get("opened", b"0"))
    table.resume(saved.snap.game, game, seq, now, acts, saved.meta.get("seed", b""), opened)
