"""Dealing so that nobody can choose the cards, and so that this can be proved afterwards: the host's side.

    1  the host draws 32 bytes and shows their SHA-256, the commitment
    2  each player's client draws 32 bytes of its own, the nonce, and sends its SHA-256
    3  when all are ready no more of these are taken, all are shown, and the clients send the nonces themselves
    4  the seed of the game is the SHA-256 of the host's bytes and all nonces

Nobody who knows one part can still choose another, whoever plays together with whom. What is left is to withhold a
nonce already promised: the game then begins without it after some seconds, and everybody sees whose it was. The host's
own bots have no nonce: the commitment speaks for the host.
"""

import hmac
import secrets
from collections.abc import Callable
from hashlib import sha256

import msgspec
from msgspec import Struct

from netcode.journal import FactRow
from netcode.protocol import wire

SIZE = 32
WAIT_MS = 3000
"""How long a deal waits for who does not answer: first for hashes, then for nonces."""
_PREFIX = b"kickdoor deal 1\n"


def digest(data: bytes) -> bytes:
    """The SHA-256 of these bytes: a commitment to them."""
    return sha256(data).digest()


def seed_of(secret: bytes, nonces: dict[int, bytes], seats: int) -> bytes:
    """The seed of the game: 32 bytes. For each seat a byte with the length of its nonce (0: none), and the nonce."""
    parts = [nonces.get(seat, b"") for seat in range(seats)]
    return digest(_PREFIX + secret + b"".join(bytes([len(part)]) + part for part in parts))


class FairRecord(Struct):
    """What the journal keeps of a deal. by: the session a hash came from."""

    game: int
    secret: bytes
    hashes: dict[int, bytes]
    by: dict[int, bytes]
    nonces: dict[int, bytes]
    asked: bool
    dealt: bool


class FairDeal:
    """The dealing of one game. Times are ms."""

    def __init__(self, game: int, random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._kept = FairRecord(game, random_bytes(SIZE), {}, {}, {}, asked=False, dealt=False)
        self._since = -1

    @classmethod
    def restored(cls, data: bytes) -> "FairDeal":
        """As the journal has it: the commitment holds. Raises msgspec.MsgspecError."""
        deal = cls(0)
        deal._kept = msgspec.msgpack.decode(data, type=FairRecord)
        return deal

    @property
    def game(self) -> int:
        """The how manieth game of the table it deals."""
        return self._kept.game

    @property
    def dealt(self) -> bool:
        """The game is on."""
        return self._kept.dealt

    @property
    def asked(self) -> bool:
        """No more hashes are taken; the nonces are due."""
        return self._kept.asked

    @property
    def secret(self) -> bytes:
        """The host's bytes; nobody else's business before the hands are opened."""
        return self._kept.secret

    @property
    def nonces(self) -> dict[int, bytes]:
        """What is in, by seat."""
        return self._kept.nonces

    def row(self, name: str = "deal") -> FactRow:
        """For the journal."""
        return FactRow(name, msgspec.msgpack.encode(self._kept))

    def info(self) -> wire.DealInfo:
        """What everybody may know."""
        kept = self._kept
        return wire.DealInfo(
            kept.game, digest(kept.secret), dict(kept.hashes), dict(kept.nonces), kept.asked, kept.dealt
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------- what comes in
    def take(self, seat: int, s: bytes, message: wire.Nonce) -> bool:
        """A hash or a nonce from the player of a seat; True if it changed something."""
        kept = self._kept
        if message.game != kept.game or kept.dealt:
            return False
        if message.hash and not kept.asked and kept.hashes.get(seat) != message.hash:
            kept.hashes[seat], kept.by[seat] = message.hash, s
            return True
        promised = kept.asked and seat not in kept.nonces and kept.by.get(seat) == s
        if promised and message.nonce and hmac.compare_digest(digest(message.nonce), kept.hashes[seat]):
            kept.nonces[seat] = message.nonce
            return True
        return False

    # ------------------------------------------------------------------------------------------------------ going on
    def next_ms(self) -> int | None:
        """When waiting is over; None: nobody is waited for."""
        return self._since + WAIT_MS if self._since >= 0 else None

    def ask(self, players: dict[int, bytes], now: int) -> bool:
        """All are ready. players: the sessions that could take part, by seat. True if no more hashes are taken from now
        on: all are there, or were waited for long enough."""
        kept = self._kept
        known = {seat for seat, s in players.items() if kept.by.get(seat) == s}
        if not self._waited(now) and known != set(players):
            return False
        kept.hashes = {seat: found for seat, found in kept.hashes.items() if seat in known}
        kept.by = {seat: s for seat, s in kept.by.items() if seat in known}
        kept.asked, self._since = True, -1
        return True

    def complete(self, now: int) -> bool:
        """All promised nonces are in, or were waited for long enough: the cards can be dealt."""
        return set(self._kept.nonces) == set(self._kept.hashes) or self._waited(now)

    def _waited(self, now: int) -> bool:
        self._since = now if self._since < 0 else self._since
        return now - self._since >= WAIT_MS

    def calm(self) -> None:
        """Somebody is not ready after all: nobody is waited for."""
        self._since = -1

    def seed(self, seats: int) -> bytes:
        """Deal: the seed of the game."""
        self._kept.dealt, self._since = True, -1
        return seed_of(self._kept.secret, self._kept.nonces, seats)


