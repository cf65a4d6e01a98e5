"""The bytes of an exchange of short words: lengths, first bytes, answers. The standard library only.

The client sends a *call* (MAGIC, the number of the words, its SPAKE2 message). The host answers with one byte, and
after GO with its own SPAKE2 message. The client proves that it knows the words; the host answers with one byte, and
after GO with its proof and a sealed box. Every part has one length, so nobody reads without end.
"""

MAGIC = b"kdwords1"
"""The first bytes of a connection that shows words, with the version. A ZMTP greeting begins with 0xFF instead."""
NUMBERS = range(10, 1000)
"""The numbers that words may end with. A number says which table is meant, and is no secret."""
MESSAGE = 33
"""Bytes of a SPAKE2 message over Ed25519: one for the side, 32 for the point."""
CALL = len(MAGIC) + 2 + MESSAGE
"""Bytes of a call."""
PROOF = 32
"""Bytes of a proof: HMAC-SHA256."""
TABLE, KEY, TOKEN, TAG = 24, 32, 16, 16
"""Bytes in the box: the table's id (padded), the host's CURVE key, the token, and the tag that seals them."""
BOX = TABLE + KEY + TOKEN + TAG
GO, WRONG, RESTING, BUSY = b"g", b"w", b"r", b"b"
"""Answers of a host: go on; the words are wrong; they rest, since too many were wrong; too many connections show
words."""
ANSWERS = (GO, WRONG, RESTING, BUSY)
_PASSED_ON = 0x80
"""Set in the first byte of the number if a host of a club passes the call on to the one that has the words."""


def make_call(number: int, message: bytes) -> bytes:
    """Return the call for words with this number."""
    return MAGIC + number.to_bytes(2) + message


def read_call(call: bytes) -> tuple[int, bytes]:
    """Return the number and the SPAKE2 message of a call. Raises ValueError."""
    if len(call) != CALL or not call.startswith(MAGIC):
        raise ValueError("this is no call with short words")
    number = int.from_bytes(call[len(MAGIC) : len(MAGIC) + 2])
    if number not in NUMBERS:
        raise ValueError("no words have this number")
    return number, call[len(MAGIC) + 2 :]


def passed_on(call: bytes) -> bytes:
    """Return this call as a host of a club passes it on to another one, which does not pass it on again."""
    at = len(MAGIC)
    return call[:at] + bytes([call[at] | _PASSED_ON]) + call[at + 1 :]


def as_called(call: bytes) -> tuple[bytes, bool]:
    """Return a call as the client has sent it, and whether another host has passed it on."""
    at = len(MAGIC)
    number = call[at : at + 1]
    return call[:at] + bytes(one & ~_PASSED_ON for one in number) + call[at + 1 :], number >= bytes([_PASSED_ON])
