"""The limits of a front: plain numbers, which the host takes from netcode/protocol/limits.py and hands over."""

import json
from typing import Any, NamedTuple


class Allowance(NamedTuple):
    """What one connection may send. Each rate is a pair: per second in the long run, and at once.

    frames, heartbeats: counts; sent: bytes; longest: bytes of one frame."""

    frames: tuple[float, float]
    heartbeats: tuple[float, float]
    sent: tuple[float, float]
    longest: int


class Settings(NamedTuple):
    """All limits of a front."""

    newcomer: Allowance
    guest: Allowance
    seated: Allowance
    address_bytes: tuple[float, float]
    """Bytes that the unseated connections of one address may send together: a rate as above."""
    unseated_bytes: tuple[float, float]
    """Bytes that all unseated connections may send together: a rate as above."""
    door_bytes: int
    """The first bytes of a connection, which count only for itself: a handshake and a hello. So the owner of a seat can
    return even while strangers use up what their address, or all of them, may send."""
    callers: int
    """Connections at once that have not said a CURVE HELLO."""
    address_callers: int
    """Such connections of one address at once."""
    handshakes: tuple[float, float]
    """Handshakes that newcomers may finish with the host: a rate as above."""
    newcomers: int
    """Newcomers at once, from their HELLO on; if there are more, the one that has got least far is ended."""
    address_newcomers: int
    """Newcomers of one address at once."""
    guests: int
    """Guests at once."""
    address_guests: int
    """Guests of one address at once."""
    label_connections: int
    """Connections of one guest of an SSH door at once, those with seats too; as many more may wait at the door."""
    words: tuple[float, float]
    """Clients with short words that the host gets: a rate as above."""
    words_waiting: int
    """Such clients that wait at once for their turn."""
    address_words_waiting: int
    """Such clients of one address that wait at once."""
    unheard: int
    """Frames of one connection that the host has not reported as messages."""
    unread_bytes: int
    """Bytes that wait for a host that does not read, and for a client that does not read; for each connection."""
    handshake_s: float
    """How long the handshake may take."""
    hello_s: float
    """How long a valid hello may take after the handshake."""
    linger_s: float
    """How long a connection that has ended waits for its client to read what was sent last."""
    keepalive: tuple[int, int, int]
    """TCP keepalive of clients: seconds of silence, seconds between probes, probes."""

    def to_json(self) -> str:
        """Return the settings as one line."""
        return json.dumps(self)


def from_json(line: str | bytes) -> Settings:
    """Return the settings of one line."""
    fields = _tuples(json.loads(line))
    return Settings._make([*(Allowance._make(rank) for rank in fields[:3]), *fields[3:]])


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
