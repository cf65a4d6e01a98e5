"""Whose turn it is at the host: what arrived for each table waits in a lane of its own, and the lane that has used the
loop least is next. No sockets, no clock.

    lanes.put(lane, item)      # bounded: a sender who does not wait for answers loses its newest
    lane, item = lanes.next()
    lanes.used(lane, ns)       # how long that kept the loop

Within a lane everything keeps the order in which it arrived.
"""

import heapq
from collections import Counter, deque
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, TypeVar

from netcode.protocol import limits, wire
from netcode.table.session import Session


@dataclass(frozen=True)
class QueuedMessage:
    """One message as it was read. session: whose it is (None: a hello)."""

    address: bytes
    message: wire.Up
    key: str
    stamp: int
    session: Session | None = None


@dataclass(eq=False)
class Lane:
    """What waits for one table. used: how much of the loop it has had, in ns, beside the others; weight: how much more
    it counts."""

    weight: int = 1
    used: int = 0
    items: deque[QueuedMessage] = field(default_factory=deque)
    senders: Counter[bytes] = field(default_factory=Counter)

    def clear(self) -> None:
        """Nothing waits any more."""
        self.items.clear()
        self.senders.clear()


AnyLane = TypeVar("AnyLane", bound=Lane)


class FairQueue(Generic[AnyLane]):
    """All lanes in which something waits, the one that has used the loop least first."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, AnyLane]] = []
        self._queued: set[AnyLane] = set()
        self._ties = count()
        self._least = 0

    def put(self, lane: AnyLane, item: QueuedMessage) -> bool:
        """One more for this lane; False if its sender has too many waiting."""
        if lane.senders[item.address] >= limits.QUEUED_MESSAGES:
            return False
        lane.senders[item.address] += 1
        lane.items.append(item)
        if lane not in self._queued:  # who was idle saves nothing up
            lane.used = max(lane.used, self._least)
            self._queue(lane)
        return True

    def next(self) -> tuple[AnyLane, QueuedMessage] | None:
        """The next message to be handled, None if nothing waits."""
        while self._heap:
            used, _, lane = heapq.heappop(self._heap)
            self._queued.discard(lane)
            if not lane.items:
                continue
            self._least = max(self._least, used)
            item = lane.items.popleft()
            lane.senders[item.address] -= 1
            if lane.senders[item.address] <= 0:
                del lane.senders[item.address]
            return lane, item
        return None

    def used(self, lane: AnyLane, took: int) -> None:
        """The lane has kept the loop for so long (ns); it queues again if it has more."""
        lane.used += took * lane.weight
        if lane.items and lane not in self._queued:
            self._queue(lane)

    def _queue(self, lane: AnyLane) -> None:
        self._queued.add(lane)
        heapq.heappush(self._heap, (lane.used, next(self._ties), lane))

    def __bool__(self) -> bool:
        return bool(self._heap)
