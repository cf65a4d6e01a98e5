"""How many connections the door takes before it knows who they are, how fast, and who goes when there are too many.

Until a guest is let in, a connection is a stranger's. Whoever connects may always try: the oldest connection of the
address that has the most makes room.
"""

from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from netcode.token_bucket import TokenBucket

STRANGERS, STRANGERS_EACH = 256, 32
"""Connections of strangers in all, and of one address."""
RATE = (200 / 60, 60.0)
"""Connections of one address: a second in the long run, and at once. 200 a minute."""
ADDRESSES = 4096
"""Addresses whose rates are remembered."""
CONNECTIONS = 512
"""Connections in all, of strangers and of guests."""
LABEL_CHARS = 64
"""The longest label that the front takes."""
EACH = 128
"""Connections of one address, of strangers and of guests: a school has one address."""


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
        """Count a connection that may come. It is a stranger's; if there are too many, another one ends."""
        if self.strangers >= STRANGERS or len(self._open) >= CONNECTIONS:
            self._make_room()
        self._open[id(stranger)] = stranger

    def remove(self, stranger: Stranger) -> None:
        """Count a connection no longer."""
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
    """Return the address of a peer as sockets give it, without port and zone; that of IPv4 in its own form."""
    text = str(peer[0]) if isinstance(peer, tuple) and peer else "local"
    return text.partition("%")[0].lower().removeprefix("::ffff:")


def address_label(address: str) -> str:
    """Return the label of an ssh client's address at the front, for tries at words: the address counts as itself."""
    return "".join(sign for sign in address if sign in "0123456789abcdef:.")[:LABEL_CHARS] or "local"
