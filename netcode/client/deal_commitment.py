"""The client's part in a fair deal (netcode/protocol/deal_seed.py): commit to a nonce, then send it when asked."""

import secrets

from msgspec import Struct

from netcode.protocol import limits, wire
from netcode.protocol.deal_seed import PART_BYTES, digest


class DealPart(Struct):
    """This client's record of the deal of a game: the commitment that it saw before it sent anything, its nonce, and
    how often the deal restarted after it had sent a nonce."""

    game: int
    commitment: bytes
    nonce: bytes
    again: int = 0
    shown: bool = False


class DealCommitment:
    """Takes part in a deal by answering the host's messages about it. `part` is kept for the recording."""

    def __init__(self) -> None:
        self.part: DealPart | None = None
        self._tries = 0
        self._sent_at = -limits.DEAL_RETRY_S
        self._last: tuple[object, ...] = ()

    def answer(self, deal: wire.DealInfo | None, seat: int, s: bytes, now: float) -> wire.Nonce | None:
        """Return the message to send now, None if there is none. s: the session. now: seconds."""
        if deal is None or seat < 0 or deal.dealt or not deal.commitment:
            return None
        part = self._part(deal)
        own_hash = digest(part.nonce)
        committed = deal.hashes.get(seat) == own_hash
        if not deal.asked and not committed:
            return self._send(("hash", part.commitment, s), now, wire.Nonce(s, deal.game, hash=own_hash))
        if deal.asked and committed and seat not in deal.nonces:
            part.shown = True
            return self._send(("nonce", part.commitment, s), now, wire.Nonce(s, deal.game, nonce=part.nonce))
        return None

    def _part(self, deal: wire.DealInfo) -> DealPart:
        part = self.part
        if part is None or (part.game, part.commitment) != (deal.game, deal.commitment):
            again = part.again + part.shown if part is not None and part.game == deal.game else 0
            part = self.part = DealPart(deal.game, deal.commitment, secrets.token_bytes(PART_BYTES), again)
        return part

    def _send(self, what: tuple[object, ...], now: float, message: wire.Nonce) -> wire.Nonce | None:
        """Return the message when it is due: at once, then again after each limits.DEAL_RETRY_S in case it was lost, at
        most limits.DEAL_TRIES times."""
        if what != self._last:
            self._last, self._tries, self._sent_at = what, 0, -limits.DEAL_RETRY_S
        if self._tries >= limits.DEAL_TRIES or now - self._sent_at < limits.DEAL_RETRY_S:
            return None
        self._tries += 1
        self._sent_at = now
        return message
