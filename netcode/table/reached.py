"""Facts of a game in the journal that show whether its actions lead to the same game again: its rules, and a digest of
the state after its last action."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

import msgspec
from msgspec import Struct

from netcode.journal import FactRow, SavedTable
from netcode.protocol.played_rules import RULES_MOST, PlayedRules

REACHED, RULES = "reached", "rules"
"""The names of the two facts. Older versions ignore them."""
DIGEST_BYTES = 16
Record = TypeVar("Record")


class Reached(Struct, frozen=True, array_like=True):
    """The state of a game after `seq` actions, by its digest."""

    game: int
    seq: int
    digest: bytes

    def is_of(self, state: bytes) -> bool:
        """Return whether this is the state."""
        return self.digest == _digest(state)


class _Rules(Struct, frozen=True, array_like=True):
    game: int
    rules: PlayedRules


def reached_row(game: int, seq: int, state: bytes) -> FactRow:
    """Return the row for the state of a game after its seq-th action."""
    return FactRow(REACHED, msgspec.msgpack.encode(Reached(game, seq, _digest(state))))


def rules_row(game: int, rules: Sequence[str]) -> FactRow:
    """Return the row for the rules of a game."""
    return FactRow(RULES, msgspec.msgpack.encode(_Rules(game, list(rules))))


def reached_in(saved: SavedTable) -> Reached | None:
    """Return the last noted state of the current game; None if an older version has played it."""
    found = _read(saved, REACHED, Reached)
    return found if found is not None and saved.snaps and found.game == saved.snaps[0].game else None


def rules_in(saved: SavedTable) -> list[str]:
    """Return the rules by which the current game was played. The last entry is "" if an older version, which notes
    nothing, has played last."""
    found, reached = _read(saved, RULES, _Rules), reached_in(saved)
    is_noted = found is not None and saved.snaps and found.game == saved.snaps[0].game
    rules = list(found.rules) if found is not None and is_noted else []
    is_newest = not saved.acts or (reached is not None and reached.seq >= saved.acts[-1].seq)
    return rules if rules and is_newest else [*rules[-(RULES_MOST - 2) :], ""]


def _read(saved: SavedTable, name: str, kind: type[Record]) -> Record | None:
    try:
        return msgspec.msgpack.decode(saved.facts[name], type=kind) if name in saved.facts else None
    except (msgspec.MsgspecError, UnicodeError):
        return None  # the checksum is right, so a newer version has written it


def _digest(state: bytes) -> bytes:
    return blake2b(state, digest_size=DIGEST_BYTES).digest()
