"""Fair scheduling of messages across tables: each table has a lane, and the lane that has used the loop least is next.

queue.put(lane, message) # False: its sender has too many messages waiting, and this one is dropped queue.handle_next()
# the lane handles its oldest message, and is charged for the time

Within a lane messages keep the order in which they arrived. No sockets.
"""

import heapq
import logging
import time
from collections import deque
from dataclasses import dataclass, field
from itertools import count

from msgspec import Struct

from netcode.protocol import limits, wire
from netcode.table.session import Session

LOG = logging.getLogger("kickdoor.fair_queue")
SLOW_NS = 50_000_000
"""A message that takes longer is worth a warning."""


class QueuedMessage(Struct, frozen=True):
    """One message as it was received. address: its connection; key: the client's key in Z85; stamp: when it was
    received (ns, monotonic); session: the session it belongs to (None: a hello); where: the network address, of a
    hello."""

    address: bytes
    message: wire.Up
    key: str
    stamp: int
    session: Session | None = None
    where: str = ""


@dataclass(eq=False)
class Lane:
    """The messages that wait for one table. used: how much of the loop's time it has had (ns, times its weight);
    weight: the factor by which its use counts; senders: how many messages each connection has waiting; queued: whether
    it is in the queue."""

    weight: int = 1
    used: int = 0
    queued: bool = False
    items: deque[QueuedMessage] = field(default_factory=deque)
    senders: dict[bytes, int] = field(default_factory=dict)

    def handle(self, item: QueuedMessage) -> None:
        """Do what a message asks for."""
        raise NotImplementedError

    def clear(self) -> None:
        """Drop all messages that wait."""
        self.items.clear()
        self.senders.clear()


class FairQueue:
    """All lanes with messages, the one that has used the loop least first."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Lane]] = []
        self._ties = count()
        self._least = 0

    def put(self, lane: Lane, item: QueuedMessage) -> bool:
        """Add a message to a lane. Returns False, and drops it, if its sender has too many messages waiting there."""
        waiting = lane.senders.get(item.address, 0)
        if waiting >= limits.QUEUED_MESSAGES:
            return False
        lane.senders[item.address] = waiting + 1
        lane.items.append(item)
        if not lane.queued:  # an idle lane does not save up time
            lane.used = max(lane.used, self._least)
            self._add(lane)
        return True

    def handle_next(self) -> None:
        """Let the next lane handle its oldest message; do nothing if none waits."""
        found = self.next()
        if found is None:
            return
        lane, item = found
        began = time.monotonic_ns()
        lane.handle(item)
        took = time.monotonic_ns() - began
        self.charge(lane, took)
        if took > SLOW_NS:
            LOG.warning("one message took %d ms: all others waited for it", took // 1_000_000)

    def next(self) -> tuple[Lane, QueuedMessage] | None:
        """Take out the next message. Returns its lane and the message, None if no message waits."""
        while self._heap:
            used, _, lane = heapq.heappop(self._heap)
            lane.queued = False
            if not lane.items:
                continue
            self._least = max(self._least, used)
            item = lane.items.popleft()
            waiting = lane.senders.pop(item.address) - 1
            if waiting:
                lane.senders[item.address] = waiting
            return lane, item
        return None

    def charge(self, lane: Lane, took: int) -> None:
        """Count this use of the loop (ns) against a lane, and queue the lane again if it has more messages."""
        lane.used += took * lane.weight
        if lane.items and not lane.queued:
            self._add(lane)

    def _add(self, lane: Lane) -> None:
        lane.queued = True
        heapq.heappush(self._heap, (lane.used, next(self._ties), lane))

    def __bool__(self) -> bool:
        return bool(self._heap)
