"""Our part in a fair deal: the client's side of netcode/table/fair_deal.py."""

import secrets
from dataclasses import dataclass

from netcode.protocol import wire
from netcode.table.fair_deal import SIZE, digest

TRIES = 3
AGAIN_S = 1.0


@dataclass
class DealPart:
    """What we know of the deal of a game: the commitment we saw before we sent anything, our nonce, how often the deal
    was begun anew after we had shown a nonce."""

    game: int
    commitment: bytes
    nonce: bytes
    again: int = 0
    shown: bool = False


class DealCommitment:
    """Answers what the host shows of a deal. `part` is kept for the recording."""

    def __init__(self) -> None:
        self.part: DealPart | None = None
        self._tries = 0
        self._at = -AGAIN_S
        self._last: tuple[object, ...] = ()

    def answer(self, deal: wire.DealInfo | None, seat: int, s: bytes, now: float) -> wire.Nonce | None:
        """What has to be sent now, if anything. now: seconds."""
        if deal is None or seat < 0 or deal.dealt or not deal.commitment:
            return None
        part = self._part(deal)
        mine = digest(part.nonce)
        promised = deal.hashes.get(seat) == mine
        if not deal.asked and not promised:
            return self._once(("hash", part.commitment, s), now, wire.Nonce(s, deal.game, hash=mine))
        if deal.asked and promised and seat not in deal.nonces:
            part.shown = True
            return self._once(("nonce", part.commitment, s), now, wire.Nonce(s, deal.game, nonce=part.nonce))
        return None

    def _part(self, deal: wire.DealInfo) -> DealPart:
        part = self.part
        if part is None or (part.game, part.commitment) != (deal.game, deal.commitment):
            again = part.again + part.shown if part is not None and part.game == deal.game else 0
            part = self.part = DealPart(deal.game, deal.commitment, secrets.token_bytes(SIZE), again)
        return part

    def _once(self, what: tuple[object, ...], now: float, message: wire.Nonce) -> wire.Nonce | None:
        """Say it, and again after a second if it was lost, but not for ever."""
        if what != self._last:
            self._last, self._tries, self._at = what, 0, -AGAIN_S
        if self._tries >= TRIES or now - self._at < AGAIN_S:
            return None
        self._tries += 1
        self._at = now
        return message
