"""A game laid open after its end: the host's bytes, the nonces, the seed and every action, so that anybody can play it
again. It opens every hand that was held."""

import msgspec
from msgspec import Struct

from core.replay import Step
from core.state.actions import AnyAction

LOG_LIMIT = 4 * 1024 * 1024
"""Bytes of actions a host keeps for this; a longer game cannot be opened."""
OPENED_LIMIT = 8 * 1024 * 1024
"""Bytes of a whole one."""


class RevealedGame(Struct):
    """All there is to know. secret, nonces: of netcode/table/fair_deal.py; secret is empty where no commitment was
    made. acts:
    seat and action as msgpack, in order."""

    game: int
    seats: int
    options: list[str]
    secret: bytes
    nonces: dict[int, bytes]
    seed: bytes
    acts: list[tuple[int, bytes]]

    def steps(self) -> list[Step]:
        """The actions. Raises msgspec.MsgspecError if one is none."""
        return [Step(seat, msgspec.msgpack.decode(action, type=AnyAction)) for seat, action in self.acts]


def to_bytes(opened: RevealedGame) -> bytes:
    """As it travels and is kept."""
    return msgspec.msgpack.encode(opened)


def from_bytes(data: bytes) -> RevealedGame:
    """Raises msgspec.MsgspecError."""
    return msgspec.msgpack.decode(data, type=RevealedGame)
