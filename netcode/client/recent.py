"""The newest entries that a host has sent, bounded in number and bytes, because a host may send many at once."""

from collections import deque
from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct

from netcode.protocol.codec import packed

T = TypeVar("T", bound=Struct)


class Recent(deque[T]):
    """A queue that drops the oldest entries when there are too many or they take too many bytes. Use only `extend` and
    `clear`."""

    def __init__(self, most: int, most_bytes: int) -> None:
        """most_bytes: their size as msgpack; in memory they take about ten times as much."""
        super().__init__()
        self._most, self._most_bytes = most, most_bytes
        self._sizes: deque[int] = deque()
        self._bytes = 0

    def extend(self, items: Iterable[T]) -> None:
        """Add these, the newest last."""
        for item in items:
            self.append(item)
            self._sizes.append(len(packed(item)))
            self._bytes += self._sizes[-1]
            while len(self) > self._most or self._bytes > self._most_bytes:
                self.popleft()
                self._bytes -= self._sizes.popleft()

    def clear(self) -> None:
        """Forget all."""
        super().clear()
        self._sizes.clear()
        self._bytes = 0
