"""Sessions: one for each client let in, with its token, its numbering of actions, and how much it may ask of the
host."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from netcode.protocol import limits, wire
from netcode.protocol.credentials import new_token, same, token_hash


class Bucket:
    """A measure that fills with `rate` drops a second up to `burst`; taking from it may find it empty."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._drops = float(burst)
        self._at = 0

    def take(self, now: int) -> int:
        """0 if one may go (it is taken), else the ms to wait. now: ms."""
        self._drops = min(self._burst, self._drops + (now - self._at) * self._rate / 1000)
        self._at = now
        if self._drops < 1:
            return max(1, int((1 - self._drops) / self._rate * 1000) + 1)
        self._drops -= 1
        return 0


@dataclass(eq=False)
class Session:
    """A client that was let in. address: where its frames go (a routing id; None: not connected). key: its CURVE key.

    role: player, bot or watch. own: a bot of the host itself (no limits). standin: it plays for a seat whose player is
    away. told, shown: the last event and the digest of the last view it was sent. whole: it gets everything next time.
    lost: numbers below n that a host before us did not come to carry out.
    """

    s: bytes
    seat: int
    role: str
    key: str
    address: bytes | None = None
    own: bool = False
    standin: bool = False
    owner: bool = False
    level: str = ""
    token: bytes = b""
    old_token: bytes = b""
    n: int = 0
    replies: dict[int, wire.Down] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)
    heard_at: int = 0
    seq: int = 0
    told: int = 0
    shown: bytes = b""
    whole: bool = True
    clocks: object = None
    auto: bool = False
    refused_at: deque[int] = field(default_factory=lambda: deque(maxlen=limits.REFUSALS))
    buckets: dict[type, Bucket] = field(default_factory=dict)

    def wait_ms(self, message: wire.Up, now: int) -> int:
        """0 if it may send a message of this kind now, else how long it has to wait."""
        if self.own:
            return 0
        kind = type(message)
        bucket = self.buckets.get(kind)
        if bucket is None:
            rate = limits.BOT_ACT_RATE if kind is wire.Act and self.role == "bot" else message.rate
            bucket = self.buckets[kind] = Bucket(*rate)
        return bucket.take(now)

    def new_token(self) -> bytes:
        """The next resume token; the one before stays good until the client is heard under the new one."""
        token = new_token()
        self.old_token, self.token = self.token, token_hash(token)
        return token

    def bears(self, hashed: bytes, key: str) -> bool:
        """Whether a token with this hash, from a client with this key, is this session's."""
        mine = (same(self.token, hashed) if self.token else False) | (
            same(self.old_token, hashed) if self.old_token else False
        )
        return mine and same(self.key.encode(), key.encode())

    def heard(self, now: int) -> None:
        """A message under the newest token came: the one before is no longer needed."""
        self.heard_at = now
        self.old_token = b""

    def remember(self, n: int, reply: wire.Down) -> None:
        """Keep the answer to act n, for the case that it is sent again."""
        self.n = max(self.n, n)
        self.replies[n] = reply
        while len(self.replies) > limits.REPLIES:
            del self.replies[next(iter(self.replies))]

    def again(self, n: int) -> wire.Down | None:
        """The answer to an act that came before, None for a new one."""
        if n > self.n or n in self.lost:
            self.lost.discard(n)
            return None
        reply = self.replies.get(n)
        waits = isinstance(reply, wire.Ack) and reply.status == "queued"
        return reply if waits or isinstance(reply, wire.Refused | wire.Error) else wire.Ack(n, "dup")

    def recall(self, taken: set[int]) -> None:
        """These acts of ours are in the journal: no other was carried out, whatever was said of it."""
        self.n = max(taken, default=0)
        self.lost = set(range(max(1, self.n - limits.REPLIES), self.n)) - taken

    def too_many_refusals(self, now: int) -> bool:
        """Note a refusal; True if there were fifty within ten seconds."""
        self.refused_at.append(now)
        return len(self.refused_at) == limits.REFUSALS and now - self.refused_at[0] < limits.REFUSALS_MS


@dataclass(frozen=True)
class Out:
    """Something to send: where to, what, and in which session (None: to somebody not let in)."""

    address: bytes
    message: wire.Down
    session: Session | None = None


def find_bearer(sessions: Iterable[Session], hashed: bytes, key: str) -> Session | None:
    """The session this token resumes; all are looked at, so that the time taken tells nothing."""
    found = None
    for session in sessions:
        if session.bears(hashed, key):
            found = session
    return found
