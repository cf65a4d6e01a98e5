"""The host's part in a fair deal, as netcode/protocol/deal_seed.py describes it: the deal of one game, step by step."""

import hmac
import secrets

import msgspec
from msgspec import Struct

from netcode.journal import FactRow
from netcode.protocol import limits, wire
from netcode.protocol.deal_seed import PART_BYTES, digest, seed_of


class FairDealRecord(Struct):
    """A deal as the journal keeps it. game: its number at the table; secret: the host's, which nobody may see before
    the game is revealed; by: the session that each hash came from, by seat; nonces: those that have arrived, by seat;
    asked: the clients are asked for their nonces, and no more hashes are accepted; dealt: the game has begun."""

    game: int
    secret: bytes
    hashes: dict[int, bytes]
    by: dict[int, bytes]
    nonces: dict[int, bytes]
    asked: bool
    dealt: bool


_decoder = msgspec.msgpack.Decoder(FairDealRecord)


class FairDeal:
    """The deal of one game. Times are ms."""

    def __init__(self, game: int) -> None:
        """game: its ordinal number at the table."""
        self.record = FairDealRecord(game, secrets.token_bytes(PART_BYTES), {}, {}, {}, asked=False, dealt=False)
        self._waiting_since = -1

    @classmethod
    def restored(cls, data: bytes) -> "FairDeal":
        """Return the deal as the journal has it: its commitment still holds. Raises msgspec.MsgspecError."""
        deal = cls(0)
        deal.record = _decoder.decode(data)
        return deal

    def row(self, name: str = "deal") -> FactRow:
        """Return the deal for the journal."""
        return FactRow(name, msgspec.msgpack.encode(self.record))

    def info(self) -> wire.DealInfo:
        """Return what everybody may know of the deal."""
        record = self.record
        return wire.DealInfo(
            record.game, digest(record.secret), dict(record.hashes), dict(record.nonces), record.asked, record.dealt
        )  # fmt: skip

    # --------------------------------------------------------------------------------------------------- what arrives
    def take(self, seat: int, s: bytes, message: wire.Nonce) -> bool:
        """Take a hash or a nonce from the player of a seat (session s). Return whether it changed anything."""
        record = self.record
        if message.game != record.game or record.dealt:
            return False
        if message.hash and not record.asked and record.hashes.get(seat) != message.hash:
            record.hashes[seat], record.by[seat] = message.hash, s
            return True
        expected = record.asked and seat not in record.nonces and record.by.get(seat) == s
        if expected and message.nonce and hmac.compare_digest(digest(message.nonce), record.hashes[seat]):
            record.nonces[seat] = message.nonce
            return True
        return False

    # ------------------------------------------------------------------------------------------------------- progress
    def next_ms(self) -> int | None:
        """When waiting ends; None if the deal waits for nobody."""
        return self._waiting_since + limits.DEAL_WAIT_MS if self._waiting_since >= 0 else None

    def ask(self, players: dict[int, bytes], now: int) -> bool:
        """Ask for the nonces if all hashes have arrived or the time for them is over; return whether that is so.

        Call it when everybody is ready. players: the sessions that can take part, by seat."""
        record = self.record
        known = {seat for seat, s in players.items() if record.by.get(seat) == s}
        if not self._waited(now) and known != set(players):
            return False
        record.hashes = {seat: found for seat, found in record.hashes.items() if seat in known}
        record.by = {seat: s for seat, s in record.by.items() if seat in known}
        record.asked, self._waiting_since = True, -1
        return True

    def complete(self, now: int) -> bool:
        """Whether the cards can be dealt: all requested nonces have arrived, or the time for them is over."""
        return set(self.record.nonces) == set(self.record.hashes) or self._waited(now)

    def _waited(self, now: int) -> bool:
        self._waiting_since = now if self._waiting_since < 0 else self._waiting_since
        return now - self._waiting_since >= limits.DEAL_WAIT_MS

    def stop_waiting(self) -> None:
        """Stop waiting, because somebody is no longer ready."""
        self._waiting_since = -1

    def seed(self, seats: int) -> bytes:
        """Mark the game as dealt and return its seed (32 bytes). seats: how many the table has."""
        self.record.dealt, self._waiting_since = True, -1
        return seed_of(self.record.secret, self.record.nonces, seats)
