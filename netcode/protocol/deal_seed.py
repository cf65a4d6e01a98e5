"""The seed of a fair deal, which nobody can choose, and the commitments of host and clients before it is known.

    1  the host draws 32 bytes, its secret, and shows their SHA-256, the commitment
    2  each player's client draws 32 bytes, its nonce, and sends their SHA-256
    3  when everybody is ready, no more hashes are taken, all are shown, and the clients send their nonces
    4  the seed of the game is the SHA-256 of the secret and all nonces

Everybody has committed to their own part before they learn another one, so no group of them can choose the seed. One
choice is left: withholding a nonce whose hash was sent. The game then begins without it after limits.DEAL_WAIT_MS, and
everybody sees whose it was. The host's own bots have no nonce, because the host is bound by its commitment already.
"""

from hashlib import sha256

PART_BYTES = 32
"""Bytes of the host's secret and of each nonce."""
_PREFIX = b"kickdoor deal 1\n"


def digest(data: bytes) -> bytes:
    """Return the SHA-256 of these bytes: a commitment to them."""
    return sha256(data).digest()


def seed_of(secret: bytes, nonces: dict[int, bytes], seats: int) -> bytes:
    """Return the seed of the game, 32 bytes: the hash of the secret and, for each seat in order, the length of its
    nonce in one byte (0: none) and the nonce."""
    parts = [nonces.get(seat, b"") for seat in range(seats)]
    return digest(_PREFIX + secret + b"".join(bytes([len(part)]) + part for part in parts))
