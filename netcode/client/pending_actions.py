"""The actions of a client without a final answer. They are sent one at a time, and again under the same number."""

import asyncio
from collections import deque
from collections.abc import Callable

from core.state.actions import Action
from netcode.client.connection import ClientError
from netcode.protocol import limits, wire

Answer = wire.Ack | wire.Refused | wire.Error


class PendingActions:
    """Number the actions, send the oldest, and tell the answers to those who wait for them."""

    def __init__(self, send: Callable[[int, Action], bool], clock: Callable[[], float]) -> None:
        """send: send an action under its number, False if that is not possible now. clock: a time in seconds."""
        self._send, self._clock = send, clock
        self._last = self._sent = 0
        self._sent_at = -60.0
        self._unanswered: deque[tuple[int, Action]] = deque()
        self._queued: dict[int, Action] = {}
        """Those that wait at the host until a card has been read."""
        self._futures: dict[int, asyncio.Future[Answer]] = {}

    def __len__(self) -> int:
        return len(self._unanswered)

    def add(self, action: Action) -> int:
        """Add an action and return its number. Raise ClientError "busy" if too many are unanswered."""
        if len(self._unanswered) >= limits.CLIENT_ACTIONS:
            raise ClientError("busy", "your last actions have not been answered yet: wait a moment")
        self._last += 1
        self._unanswered.append((self._last, action))
        self.pump()
        return self._last

    def answer(self, n: int) -> asyncio.Future[Answer]:
        """Return a future of the final answer to action n ("queued" is not final); it is not kept once it is done."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._futures[n] = future
        future.add_done_callback(self._forget)
        return future

    def _forget(self, future: asyncio.Future[Answer]) -> None:
        self._futures = {n: other for n, other in self._futures.items() if other is not future}

    def pump(self) -> None:
        """Send the oldest unanswered action, unless it is on its way."""
        if not self._unanswered or self._sent == self._unanswered[0][0]:
            return
        n, action = self._unanswered[0]
        if self._send(n, action):
            self._sent, self._sent_at = n, self._clock()

    def send_overdue(self) -> None:
        """Send the oldest action again if the host has not answered it for a while."""
        if self._unanswered and self._clock() - self._sent_at > limits.RESEND_S:
            self._sent = 0
            self.pump()

    def send_again(self, n: int) -> None:
        """Send action n again, if it is still the oldest one without an answer."""
        if self._sent == n:
            self._sent = 0
            self.pump()

    def is_oldest(self, n: int) -> bool:
        """Return whether action n is the oldest without an answer."""
        return bool(self._unanswered) and self._unanswered[0][0] == n

    def queued(self, n: int) -> None:
        """Note that action n waits at the host."""
        if self.is_oldest(n):
            self._queued[n] = self._unanswered[0][1]
        self._take_off(n)

    def answered(self, n: int, answer: Answer) -> None:
        """Note the final answer to action n."""
        self._take_off(n)
        self._queued.pop(n, None)
        future = self._futures.get(n)
        if future is not None and not future.done():
            future.set_result(answer)

    def _take_off(self, n: int) -> None:
        if self.is_oldest(n):
            self._unanswered.popleft()
            self.pump()

    def welcomed(self, last: int, is_new: bool) -> None:
        """Prepare to send all again at a new welcome, also those that waited at the host: if it was restarted, it has
        lost them. last: the last number of our session, is_new: another session. If the host counts further than we
        do, or the session is another one, number the actions anew."""
        self._unanswered.extendleft(reversed(self._queued.items()))
        self._queued.clear()
        self._sent = 0
        if is_new or last > self._last:
            self._renumber(last)

    def _renumber(self, last: int) -> None:
        waiting = [(action, self._futures.pop(n, None)) for n, action in self._unanswered]
        self._unanswered.clear()
        self._last = last
        for action, future in waiting:
            self._last += 1
            self._unanswered.append((self._last, action))
            if future is not None:
                self._futures[self._last] = future

    def fail(self, error: ClientError) -> None:
        """Tell everybody who waits that no answer will come."""
        for future in tuple(self._futures.values()):
            if not future.done():
                future.set_exception(error)

    def cancel(self) -> None:
        """Cancel the futures of all that wait."""
        for future in tuple(self._futures.values()):
            future.cancel()
