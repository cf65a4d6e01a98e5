"""Counts the connections of a front by rank and address, and decides which one to end when there are too many.

A newcomer is a connection without a valid hello, a guest has a session without a seat, a seated one has a seat. There
is always room for one more newcomer, since the owner of a seat returns as one too. To make room, another newcomer is
ended: one that stalls in its handshake if there is one, else the one that has got least far. So clients that know the
host's key get past those that do not, and returning players get past those that finish a handshake and say nothing.
"""

from collections import Counter

from netcode.front.door import is_label
from netcode.front.framing import Violation
from netcode.front.relay import Rank, Relay
from netcode.front.settings import Settings
from netcode.token_bucket import TokenBucket

STALLED_S = 0.5
"""A client that stalls for this long is ended first (s): no network takes as long."""
SPARE = 64
"""Room in reserve for connections beyond those that may stay: one that was ended stays open to the host until the host
has closed its side."""


class Admission:
    """The connections of a front. room: how many there may be, as far as the open files of front and host go; the last
    of them, SPARE or a tenth, are kept in reserve."""

    def __init__(self, settings: Settings, room: int) -> None:
        self.room = room
        self._settings = settings
        self._newcomers: dict[Relay, None] = {}
        """Those who still have to say hello, the oldest first."""
        self._all: set[Relay] = set()
        self._counts: dict[Rank, Counter[str]] = {"newcomer": Counter(), "guest": Counter(), "seated": Counter()}
        self._budgets: dict[str, TokenBucket] = {}
        self._unseated = TokenBucket(settings.unseated_bytes)

    def __len__(self) -> int:
        return len(self._all)

    def counts(self) -> dict[str, int]:
        """Return how many connections each rank has."""
        return {rank: counter.total() for rank, counter in self._counts.items()}

    def relays(self) -> list[Relay]:
        """Return all connections, including those that are ending."""
        return list(self._all)

    # ------------------------------------------------------------------------------------------------ coming and going
    @property
    def has_room(self) -> bool:
        """Whether another connection can be opened at all."""
        return len(self._all) < self.room

    def add(self, relay: Relay, now: float) -> Relay | None:
        """Add a newcomer. Returns the connection that has to end for it, which may be its own; None if there is
        room."""
        goes = self._first_to_go(relay.address, now)
        if goes is None and self._has_enough(relay.address):
            goes = self._least_advanced(relay.address, now) or relay
        self._all.add(relay)
        self._newcomers[relay] = None
        self._counts["newcomer"][relay.address] += 1
        return goes or (relay if self._is_crowded() else None)

    def _has_enough(self, address: str) -> bool:
        """Whether this is a guest of an SSH door who has as many connections as one may have."""
        if not is_label(address):
            return False
        return sum(counter[address] for counter in self._counts.values()) >= self._settings.label_connections

    def _is_crowded(self) -> bool:
        """Whether only the reserve is left."""
        return len(self._all) > self.room - min(SPARE, self.room // 10)

    def _first_to_go(self, address: str, now: float) -> Relay | None:
        """Return the newcomer to end when another one of this address comes: one of the same address, or of the address
        that has the most newcomers."""
        counts = self._counts["newcomer"]
        if counts[address] < self._settings.address_newcomers:
            if not self._newcomers or (len(self._newcomers) < self._settings.newcomers and not self._is_crowded()):
                return None
            address = max(counts, key=counts.__getitem__)
        return self._least_advanced(address, now)

    def _least_advanced(self, address: str, now: float) -> Relay | None:
        """Return the newcomer of this address that has got least far, one that stalls first; None if it has none."""
        rivals = (relay for relay in self._newcomers if relay.address == address)
        return min(rivals, key=lambda relay: (now - relay.idle_since < STALLED_S, relay.step), default=None)

    def promote(self, relay: Relay, rank: Rank, now: float) -> bool:
        """Give a connection another rank. Returns False if there are too many of that rank."""
        if relay.over or relay.rank == rank:
            return True
        if rank == "guest" and self._is_full_of_guests(relay.address):
            return False
        self._count(relay, -1)
        relay.promote(rank, now)
        self._count(relay, 1)
        if rank == "newcomer":
            self._newcomers[relay] = None
        else:
            self._newcomers.pop(relay, None)
        return True

    def _is_full_of_guests(self, address: str) -> bool:
        guests = self._counts["guest"]
        return guests.total() >= self._settings.guests or guests[address] >= self._settings.address_guests

    def ended(self, relay: Relay) -> None:
        """Note that a client is gone: its connection to the host may last longer, but no longer counts for its rank."""
        self._newcomers.pop(relay, None)
        self._count(relay, -1)

    def closed(self, relay: Relay) -> None:
        """Forget a connection."""
        self._all.discard(relay)

    def _count(self, relay: Relay, one: int) -> None:
        counter = self._counts[relay.rank]
        counter[relay.address] += one
        if not counter[relay.address]:
            del counter[relay.address]

    # --------------------------------------------------------------------------------------------------- bytes and time
    def count_bytes(self, relay: Relay, sent: int, now: float) -> None:
        """Count bytes of an unseated connection. Raises Violation if its address, or all of them, sent too many."""
        budget = self._budgets.get(relay.address)
        if budget is None:
            budget = self._budgets[relay.address] = TokenBucket(self._settings.address_bytes, now)
        if budget.take(now, sent):
            raise Violation("address")
        if self._unseated.take(now, sent):
            raise Violation("unseated")

    def late(self, now: float) -> list[Relay]:
        """Return the newcomers whose time is over, and forget the budgets of addresses that have been quiet."""
        for address in [one for one, budget in self._budgets.items() if budget.is_full(now)]:
            del self._budgets[address]
        return [relay for relay in self._newcomers if now > relay.due]
