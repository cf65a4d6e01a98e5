"""How many connections the door takes before it knows who they are, how fast, and who goes when there are too many.

Until a guest is let in, a connection is a stranger's. Whoever connects may always try: the oldest connection of the
address that has the most makes room.
"""

from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from netcode.token_bucket import TokenBucket

STRANGERS, STRANGERS_EACH = 256, 32
"""The most connections of strangers: in all, and of one address."""
RATE = (200 / 60, 60.0)
"""The rate of new connections of one address: 200 a minute in the long run (here per second), and the largest burst."""
ADDRESSES = 4096
"""Addresses whose rates are remembered."""
CONNECTIONS = 512
"""The most connections, of strangers and guests together."""
LABEL_CHARS = 64
"""The longest label that the front takes."""
EACH = 128
"""The most connections of one address, of strangers and guests together: a whole school has one address."""


class Stranger(Struct, eq=False):
    """A connection of an address. end: ends it. let_in: it is a guest's now."""

    address: str
    end: Callable[[], None]
    let_in: bool = False


class Admission:
    """Counts connections. clock: seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._open: OrderedDict[int, Stranger] = OrderedDict()
        self._rates: OrderedDict[str, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._open)

    @property
    def strangers(self) -> int:
        """Connections that are not let in."""
        return sum(not one.let_in for one in self._open.values())

    def refusal(self, address: str) -> str:
        """Return why an address may not connect now, in a word for the log; "" if it may."""
        rate = self._rates.pop(address, None) or TokenBucket(RATE, self._clock())
        self._rates[address] = rate
        if len(self._rates) > ADDRESSES:
            self._rates.popitem(last=False)
        if rate.take(self._clock()):
            return "too fast"
        of_address = [one for one in self._open.values() if one.address == address]
        if len(of_address) >= EACH or sum(not one.let_in for one in of_address) >= STRANGERS_EACH:
            return "too many of this address"
        if len(self._open) >= CONNECTIONS and not self.strangers:
            return "too many"
        return ""

    def add(self, stranger: Stranger) -> None:
        """Count a new connection, which is a stranger's. If there are too many, end another one."""
        if self.strangers >= STRANGERS or len(self._open) >= CONNECTIONS:
            self._make_room()
        self._open[id(stranger)] = stranger

    def remove(self, stranger: Stranger) -> None:
        """Stop counting a connection."""
        self._open.pop(id(stranger), None)

    def _make_room(self) -> None:
        counts: dict[str, int] = {}
        strangers = [one for one in self._open.values() if not one.let_in]
        for one in strangers:
            counts[one.address] = counts.get(one.address, 0) + 1
        most = max(counts, key=lambda address: counts[address], default=None)
        for one in strangers:
            if one.address == most:
                self.remove(one)
                one.end()
                return


def plain_address(peer: object) -> str:
    """Return the address of a peer, as a socket gives it, without port and zone. An IPv4 address loses the prefix
    ::ffff:."""
    text = str(peer[0]) if isinstance(peer, tuple) and peer else "local"
    return text.partition("%")[0].lower().removeprefix("::ffff:")


def address_label(address: str) -> str:
    """Return the label under which the front counts tries at words from this ssh client: its address."""
    return "".join(sign for sign in address if sign in "0123456789abcdef:.")[:LABEL_CHARS] or "local"
