"""The exchange that turns short words into a join string: SPAKE2, a proof by each side, and a sealed box.

SPAKE2 (the library `spake2`, over Ed25519) gives both sides the same key if both have the same words, and teaches
neither anything about the words of the other beyond whether they are the same. The client is side A and the host side
B; their names, with the version and the number, are bound into the key. From that key, with both messages, HKDF makes
three: for the proof of the client, for that of the host, and for the box.

The client proves first. So a client with wrong words learns only that they are wrong, and the host counts its try
before it says so; whoever poses as a host has one guess for each client that calls, and must prove it. The host's
proof covers what the box has: its CURVE key, the table and the token.
"""

import hmac
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from spake2 import SPAKE2_A, SPAKE2_B
from spake2.ed25519_basic import NotOnCurve
from spake2.spake2 import SPAKEError

from netcode.short_words import frames
from netcode.short_words.messages import Way
from netcode.short_words.word_list import number_of

_NONCE = bytes(12)
"""A key seals one box only."""


class ExchangeError(ValueError):
    """The other side has sent what no honest one sends, or does not know the words."""


class _Keys:
    """The keys of one exchange, the same on both sides if the words are the same. said: both messages, in order."""

    def __init__(self, shared: bytes, said: bytes) -> None:
        self.said = said
        salt = sha256(said).digest()
        made = HKDF(SHA256(), 3 * frames.PROOF, salt, b"kickdoor short words 1: proofs and box").derive(shared)
        client, host, box = (made[at : at + frames.PROOF] for at in range(0, len(made), frames.PROOF))
        self._host, self._box = host, ChaCha20Poly1305(box)
        self.client_proof = hmac.digest(client, b"client" + said, "sha256")

    def host_proof(self, content: bytes) -> bytes:
        """Return the host's proof, which covers this content of the box."""
        return hmac.digest(self._host, b"host" + self.said + self.client_proof + content, "sha256")

    def seal(self, content: bytes) -> bytes:
        """Return the box with this content."""
        return self._box.encrypt(_NONCE, content, self.said + self.client_proof)

    def open(self, box: bytes) -> bytes:
        """Return what a box has. Raises ExchangeError."""
        try:
            return self._box.decrypt(_NONCE, box, self.said + self.client_proof)
        except InvalidTag:
            raise ExchangeError("the box is sealed with another key") from None


def _sides(number: int) -> tuple[bytes, bytes]:
    """Return the names of client and host that are bound into the key."""
    bound = frames.MAGIC + number.to_bytes(2)
    return b"kickdoor client " + bound, b"kickdoor host " + bound


class ClientSide:
    """One try of a client. words: as `read_words` writes them. call: what to send first."""

    def __init__(self, words: str) -> None:
        number = number_of(words)
        self._spake = SPAKE2_A(words.encode(), *_sides(number))
        self.call = frames.make_call(number, self._spake.start())

    def prove(self, message: bytes) -> bytes:
        """Return the proof of the client. message: of the host. Raises ExchangeError."""
        self._keys = _Keys(_finish(self._spake, message), self.call + message)
        return self._keys.client_proof

    def way(self, answer: bytes) -> Way:
        """Return where the words lead. answer: the host's proof and its box. Raises ExchangeError if whoever answers
        does not know the words."""
        content = self._keys.open(answer[frames.PROOF :])
        if not hmac.compare_digest(self._keys.host_proof(content), answer[: frames.PROOF]):
            raise ExchangeError("this host does not know the words")
        table = content[: frames.TABLE].rstrip(b"\0").decode("ascii", "replace")
        token = content[frames.TABLE + frames.KEY :]
        return Way(table, content[frames.TABLE : frames.TABLE + frames.KEY], token)


class HostSide:
    """One try as the host sees it. words: those of the number in the call. message: what to send after GO. Raises
    ExchangeError, ValueError."""

    def __init__(self, words: str, call: bytes) -> None:
        number, theirs = frames.read_call(call)
        spake = SPAKE2_B(words.encode(), *_sides(number))
        self.message: bytes = spake.start()
        self._keys = _Keys(_finish(spake, theirs), call + self.message)

    def is_proved(self, proof: bytes) -> bool:
        """Whether the client knows the words."""
        return hmac.compare_digest(self._keys.client_proof, proof)

    def answer(self, way: Way) -> bytes:
        """Return the host's proof and the box. Call it only for a client that has proved that it knows the words."""
        content = way.table.encode("ascii").ljust(frames.TABLE, b"\0") + way.key + way.token
        return self._keys.host_proof(content) + self._keys.seal(content)


def _finish(spake: SPAKE2_A | SPAKE2_B, message: bytes) -> bytes:
    """Return the key of SPAKE2. Raises ExchangeError for a message that is no point of the group, or of the wrong
    side."""
    try:
        key: bytes = spake.finish(message)
    except (SPAKEError, NotOnCurve, ValueError, AssertionError):
        raise ExchangeError("this message belongs to no exchange of short words") from None
    return key
