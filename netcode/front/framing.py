"""Cuts what a client sends into ZMTP frames without understanding them: their sizes are all that CURVE leaves visible.

ZMTP 3 (RFC 23) is a greeting of 64 bytes and then frames: a byte of flags, a length of one or eight bytes, the body.
With CURVE (RFC 26) the first two frames are the commands HELLO and INITIATE, and each later one holds a MESSAGE.
"""

from dataclasses import dataclass

SIGNATURE = 10
"""Bytes of the greeting that a peer sends before it has heard anything."""
GREETING = 64
HELLO = 200
"""The length of a CURVE HELLO, bytes."""
INITIATE = range(257, 1025)
"""Lengths of a CURVE INITIATE: keys, vouch and a little metadata, bytes."""
MESSAGE = 33
"""What CURVE adds to the body of a frame: name, nonce, authenticator and flags, bytes."""
HEARTBEAT = MESSAGE + 23
"""The longest frame that may be a heartbeat of ZMTP: name, time to live and 16 bytes of context, bytes."""
_LONG, _COMMAND, _KNOWN_FLAGS = 0x02, 0x04, 0x07


class Violation(Exception):
    """A client sent what our client never sends. The text is one word for counters."""


@dataclass(frozen=True)
class Frame:
    """One whole frame as it came, with its head; or one step of the greeting.

    stage: greeting, hello, initiate or message."""

    data: bytes
    stage: str

    @property
    def heartbeat(self) -> bool:
        """Whether this may be a heartbeat of ZeroMQ; the shortest message of ours is longer."""
        return self.stage == "message" and len(self.data) <= 2 + HEARTBEAT


class Framing:
    """The frames of one client. longest: bytes that the body of a frame may have; it may be changed at any time."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self._rest = bytearray()
        self._greeted = 0
        self._frames = 0

    @property
    def held(self) -> int:
        """How many bytes wait for the rest of their frame."""
        return len(self._rest)

    @property
    def is_signed(self) -> bool:
        """Whether the client has sent the signature of ZMTP."""
        return self._greeted >= SIGNATURE

    @property
    def is_greeted(self) -> bool:
        """Whether the client has sent its whole greeting."""
        return self._greeted >= GREETING

    @property
    def has_hello(self) -> bool:
        """Whether the client has sent its CURVE HELLO."""
        return self._frames > 0

    def feed(self, data: bytes | memoryview) -> list[Frame]:
        """Take bytes in and return the frames that they complete. Raises Violation: nothing may follow then."""
        self._rest += data
        found, at = list[Frame](), 0
        while (frame := self._next(at)) is not None:
            at += len(frame.data)
            found.append(frame)
        del self._rest[:at]
        return found

    def _next(self, at: int) -> Frame | None:
        """Return the frame or the step of the greeting that is complete at this place, None if none is."""
        if self._greeted < GREETING:
            return self._greeting(at)
        size = self._frame_size(at)
        if size is None:
            return None
        head = 9 if self._rest[at] & _LONG else 2
        self._check(self._rest[at], size, at + head)
        if len(self._rest) - at < head + size:
            return None
        self._frames += 1
        stage = "hello" if self._frames == 1 else "initiate" if self._frames == 2 else "message"
        return Frame(bytes(self._rest[at : at + head + size]), stage)

    def _greeting(self, at: int) -> Frame | None:
        """Pass the greeting on as it comes, the signature first: peers wait for each other within it."""
        there = len(self._rest) - at
        if there and self._greeted == 0 and self._rest[at] != 0xFF:
            raise Violation("greeting")
        end = SIGNATURE if self._greeted < SIGNATURE else GREETING
        if not there or (there < SIGNATURE and self._greeted < SIGNATURE):
            return None
        data = bytes(self._rest[at : at + min(there, end - self._greeted)])
        expected = _EXPECTED[self._greeted : self._greeted + len(data)]
        if any(want is not None and want != got for want, got in zip(expected, data)):
            raise Violation("greeting")
        self._greeted += len(data)
        return Frame(data, "greeting")

    def _frame_size(self, at: int) -> int | None:
        """Return the length of the body of the frame that begins here, None if that is not known yet."""
        there = len(self._rest) - at
        if there < 2:
            return None
        if not self._rest[at] & _LONG:
            return self._rest[at + 1]
        return int.from_bytes(self._rest[at + 1 : at + 9]) if there >= 9 else None

    def _check(self, flags: int, size: int, body: int) -> None:
        """Raise Violation if the flags, the size or the first bytes of the body are wrong for the next frame."""
        if self._frames == 0:
            sound, name = size == HELLO and flags & _COMMAND, b"\x05HELLO"
        elif self._frames == 1:
            sound, name = size in INITIATE and flags & _COMMAND, b"\x08INITIATE"
        else:
            sound, name = size >= MESSAGE, b"\x07MESSAGE"
        if flags & ~_KNOWN_FLAGS or not sound:
            raise Violation("frame")
        if size > self.longest:
            raise Violation("size")
        there = bytes(self._rest[body : body + len(name)])
        if there != name[: len(there)]:
            raise Violation("frame")


def _expected() -> list[int | None]:
    """Return the bytes of a greeting that are the same for all clients: signature, version 3, mechanism CURVE, role."""
    any_minor: list[int | None] = [None]
    signature = [0xFF, *[None] * 8, 0x7F]
    return [*signature, 3, *any_minor, *b"CURVE".ljust(20, b"\0"), 0, *[None] * 31]


_EXPECTED = _expected()
