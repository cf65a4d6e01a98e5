"""The data of a client's ZeroMQ, made by hand: the greeting, the handshake commands, and frames of any size."""

from netcode.front.framing import HEARTBEAT, HELLO, MESSAGE
from tests.faults.raw_zmtp import greeting

GREETING = greeting()
HELLO_FRAME = b"\x04" + bytes([HELLO]) + b"\x05HELLO" + bytes(HELLO - 6)
INITIATE_FRAME = b"\x06" + (290).to_bytes(8, "big") + b"\x08INITIATE" + bytes(281)
WELCOME_FRAME = b"\x04" + bytes([168]) + b"\x07WELCOME" + bytes(160)
"""The answer of a host that has understood a HELLO."""
HANDSHAKE = GREETING + HELLO_FRAME + INITIATE_FRAME


def message(size: int, fill: bytes = b"x") -> bytes:
    """Return a MESSAGE frame whose body has this many bytes (33 at least)."""
    body = b"\x07MESSAGE" + fill * (size - 8)
    head = b"\x00" + bytes([size]) if size < 256 else b"\x02" + size.to_bytes(8, "big")
    return head + body


HEARTBEAT_FRAME = message(MESSAGE + 7, b"h")
SHORTEST_MESSAGE = message(HEARTBEAT + 1, b"m")
