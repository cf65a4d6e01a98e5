"""Sessions: one client's standing at a table, with its tokens, the numbers of its actions, and its rate limits."""

from collections import deque
from collections.abc import Iterable

from msgspec import Struct, field

from netcode.protocol import limits, wire
from netcode.protocol.credentials import new_token, same, token_hash
from netcode.protocol.deltas import NOTHING, Parts
from netcode.token_bucket import TokenBucket, of_ms


class Session(Struct, eq=False):
    """A client that was let in.

    s: the session's id. key: its CURVE key. address: its routing id (None: not connected). role: player, bot or watch.
    own: a bot of the host, without rate limits. standin: it plays for a player who is away. tokens: hashes of the
    tokens that resume it, the newest last. offered: the newest token itself, until its client is heard. n: the highest
    number of an action. lost: numbers below n that an earlier host did not carry out. heard_at: ms. seq: number of the
    last Delta. told, shown, clocks, auto, undo: the last values sent to it (number of the event, -1 if unknown; parts
    of the view, clocks, automatic pass, the action an undo takes back). strings, knocks: the last values sent to it as
    the owner. whole: it gets everything next time. reported_rollback: it has said that it has seen more than the table
    has. rollbacks_told: how many such reports it has received. forecasts: it wants forecasts. veiled: it wants veiled
    states. postponed: the newest message of each kind that came too fast; handle_at: when the next of them may be
    handled (ms). out_until: until when it stays out after sending too much (ms). asked_at: when another connection
    asked whether this one still answers (ms; -1: never). moved_by: why its last connection loses the seat, "": its
    player has joined again. where: its network address, or the label of a guest of an SSH door; "": unknown.
    """

    s: bytes
    seat: int
    role: str
    key: str
    address: bytes | None = None
    own: bool = False
    standin: bool = False
    level: str = ""
    tokens: list[bytes] = field(default_factory=list)
    offered: bytes = b""
    n: int = 0
    replies: dict[int, wire.Down] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)
    heard_at: int = 0
    seq: int = 0
    told: int = 0
    shown: Parts = NOTHING
    whole: bool = True
    clocks: object = None
    auto: bool = False
    undo: wire.UndoInfo | None = None
    reported_rollback: bool = False
    rollbacks_told: int = 0
    forecasts: bool = False
    veiled: bool = False
    strings: wire.Strings | None = None
    knocks: wire.Knocks = field(default_factory=wire.Knocks)
    refused_at: deque[int] = field(default_factory=lambda: deque(maxlen=limits.REFUSALS))
    buckets: dict[type, TokenBucket] = field(default_factory=dict)
    postponed: dict[type, wire.Up] = field(default_factory=dict)
    handle_at: int = 0
    out_until: int = 0
    asked_at: int = -1
    moved_by: str = ""
    where: str = ""

    def wait_ms(self, message: wire.Up, now: int) -> int:
        """Return 0 if it may send a message of this kind now, else the ms to wait. now: ms."""
        if self.own:
            return 0
        kind = type(message)
        bucket = self.buckets.get(kind)
        if bucket is None:
            rate = limits.BOT_ACT_RATE if kind is wire.Act and self.role == "bot" else message.rate
            bucket = self.buckets[kind] = of_ms(rate)
        return bucket.take(now)

    def admit(self, message: wire.Up, now: int) -> tuple[wire.Up | None, int]:
        """Return the message to handle now and 0, or None and the ms to wait. Messages of kinds where only the newest
        counts are postponed meanwhile. now: ms."""
        kind = type(message)
        older = self.postponed.pop(kind, None)
        if isinstance(message, wire.Set) and isinstance(older, wire.Set):
            message = message.upon(older)
        wait = self.wait_ms(message, now)
        if not wait:
            return message, 0
        if message.newest:
            self.handle_at = min(self.handle_at, now + wait) if self.postponed else now + wait
            self.postponed[kind] = message
        return None, wait

    def take_postponed(self, now: int) -> list[wire.Up]:
        """Return the postponed messages that may be handled now. now: ms."""
        if not self.postponed or now < self.handle_at:
            return []
        waiting = list(self.postponed.values())
        self.postponed.clear()
        return [message for message, _ in (self.admit(one, now) for one in waiting) if message is not None]

    def next_token(self, came_by: bytes) -> bytes:
        """Return the resume token for a welcome. came_by: the hash of the token that its client came with. It stays
        valid until the client is heard, so that it still leads to the same new token if welcomes are lost. The token of
        a join string stays valid too, because the string may be renewed before the first welcome arrives."""
        if came_by not in self.tokens:
            self.tokens.insert(max(0, len(self.tokens) - bool(self.offered)), came_by)
        del self.tokens[: self.tokens.index(came_by)]
        if not self.offered or self.tokens[-1] == came_by:
            self.offered = new_token()
            self.tokens.append(token_hash(self.offered))
            del self.tokens[1 : -limits.RESUME_TOKENS + 1]
        return self.offered

    def bears(self, hashed: bytes, key: str) -> bool:
        """Whether a token with this hash, from a client with this key, resumes this session. Takes constant time."""
        mine = sum(same(token, hashed) for token in self.tokens) > 0
        return mine and same(self.key.encode(), key.encode())

    def heard(self, now: int) -> None:
        """Note a message. Its client has the newest token now, because it sends nothing between a hello and its
        welcome; all other tokens expire. now: ms."""
        self.heard_at, self.offered = now, b""
        del self.tokens[:-1]

    def remember(self, n: int, reply: wire.Down) -> None:
        """Keep the reply to action n, in case the action is sent again."""
        self.n = max(self.n, n)
        self.replies[n] = reply
        while len(self.replies) > limits.REPLIES:
            del self.replies[next(iter(self.replies))]

    def again(self, n: int) -> wire.Down | None:
        """Return the reply to an action that came before; None if action n is new."""
        if n > self.n or n in self.lost:
            self.lost.discard(n)
            return None
        reply = self.replies.get(n)
        waits = isinstance(reply, wire.Ack) and reply.status == "queued"
        return reply if waits or isinstance(reply, wire.Refused | wire.Error) else wire.Ack(n, "dup")

    def recall(self, taken: set[int]) -> None:
        """Restore the numbering. Only the actions `taken` are in the journal, so no others were carried out."""
        self.n = max(taken, default=0)
        self.lost = set(range(max(1, self.n - limits.REPLIES), self.n)) - taken

    def too_many_refusals(self, now: int) -> bool:
        """Count a refusal; return whether there were limits.REFUSALS within limits.REFUSALS_MS. now: ms."""
        self.refused_at.append(now)
        return len(self.refused_at) == limits.REFUSALS and now - self.refused_at[0] < limits.REFUSALS_MS


class Out(Struct, frozen=True):
    """A message to send, with its address and its session (None: the receiver was not let in)."""

    address: bytes
    message: wire.Down
    session: Session | None = None


def find_bearer(sessions: Iterable[Session], hashed: bytes, key: str) -> Session | None:
    """Return the session that this token resumes. This compares with all sessions, so that the time taken reveals
    nothing."""
    found = None
    for session in sessions:
        if session.bears(hashed, key):
            found = session
    return found
