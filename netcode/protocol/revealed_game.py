"""A revealed game: the secrets of its deal, its seed and every action, so that anybody can replay it after its end.

It shows every hand that was held.
"""

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Struct

from core.state.actions import AnyAction
from core.state.numbers import SEATS_MOST, BySeat, Counter, SeatNo
from netcode.protocol import limits
from netcode.protocol.played_rules import PlayedRules
from netcode.protocol.table_info import SaidOptions, Token

if TYPE_CHECKING:
    from core.replay import Step  # it loads the rules, which a screen does without


_Act = Annotated[bytes, Meta(max_length=limits.UP_BYTES)]


class RevealedGame(Struct):
    """Everything about a finished game. secret, nonces: see netcode/protocol/deal_seed.py; secret is empty if the host
    made no commitment. acts: seat and action as msgpack, in order. rules: the rules that it was played by, according to
    its host; empty for older hosts."""

    game: Counter
    seats: Annotated[int, Meta(ge=1, le=SEATS_MOST)]
    options: SaidOptions
    secret: Token
    nonces: BySeat[Token]
    seed: Annotated[bytes, Meta(max_length=limits.SEED_BYTES)]
    acts: Annotated[list[tuple[SeatNo, _Act]], Meta(max_length=limits.GAME_ACTS)]
    rules: PlayedRules = []

    def steps(self) -> "list[Step]":
        """Return the actions. Raises msgspec.MsgspecError if one is not valid."""
        from core.replay import Step  # it loads the rules, which a screen does without

        return [Step(seat, msgspec.msgpack.decode(action, type=AnyAction)) for seat, action in self.acts]


_decoder = msgspec.msgpack.Decoder(RevealedGame)


def to_bytes(revealed: RevealedGame) -> bytes:
    """Return the msgpack that is sent and kept in recordings."""
    return msgspec.msgpack.encode(revealed)


def from_bytes(data: bytes) -> RevealedGame:
    """Return the revealed game in these bytes. Raises msgspec.MsgspecError."""
    return _decoder.decode(data)
