"""All sessions of the door, by number and by identity, and the forker that their processes come from."""

import asyncio
import logging
import signal
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from weakref import WeakValueDictionary

from netcode.door import guest_folders
from netcode.door.forking.running import ForkerGone, RunningForker
from netcode.door.messages import FromForker, Started
from netcode.door.relay import Channel
from netcode.door.session import Guest, Hand, Session
from netcode.processes.watchdog import Restarts

LOG = logging.getLogger("kickdoor.door.sessions")
MOST = 64
"""Sessions at the same time."""
STARTING_EACH = 2
"""How many sessions of one identity may be about to begin: one that waits for its predecessor to end, and one more."""
SUPERSEDED_S = 1.0
"""How long a client has to end in order when its guest comes in anew; the guest waits meanwhile."""
RESTARTS = (5, 60.0, 5.0)
"""If the forker ends more than 5 times within 60 s, each next one waits 5 s."""
READY_S = 10.0
"""How long a guest waits while the forker is started again."""
FOLDERS_S = 1.0
"""How often the folders of all guests who are in are checked (s)."""
OVERFULL = "Your folder at this door holds too much, so your screen has ended. Your seat is kept."


class DoorFull(Exception):
    """There is no room for another session; the text is one sentence for the guest."""


class Sessions:
    """Starts, finds and ends sessions.

    program: the module of the guests' program (forking/process.py). hand: gets each connection of a guest's client to
    its host, and the guest's label. most: sessions at the same time. errors: see `RunningForker`."""

    def __init__(
        self, program: str, hand: Hand, confined: bool = True, most: int = MOST, errors: int | None = None
    ) -> None:  # fmt: skip
        self._program, self._hand, self._confined, self._most, self._errors = program, hand, confined, most, errors
        self._sessions: dict[int, Session] = {}
        self._starting: Counter[str] = Counter()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._last_number = 0
        self._forker: RunningForker | None = None
        self._ready = asyncio.Event()
        self._restarts = Restarts(*RESTARTS)
        self._ends: set[asyncio.Task[None]] = set()
        self._closing = False

    # ------------------------------------------------------------------------------------------------- what there is
    def __len__(self) -> int:
        return len(self._sessions)

    def all(self) -> list[Session]:
        """Return the sessions, oldest first."""
        return list(self._sessions.values())

    def of(self, identity: str) -> Session | None:
        """Return the newest session of an identity."""
        return next((one for one in reversed(self.all()) if one.guest.identity == identity), None)

    # ------------------------------------------------------------------------------------------- beginnings and ends
    def open(self) -> None:
        """Start the forker, in a running loop. It takes a second to load the program; sessions wait for it."""
        self._start_forker()
        self._later(self._watch_folders())

    async def start(self, guest: Guest, channel: Channel) -> Session:
        """Begin a session, after the older one of the same identity has ended. Raises DoorFull and OSError.

        When its process ends, the channel gets the last words and the exit code, and `Session.over` is done."""
        if len(self._sessions) + self._starting.total() - (self.of(guest.identity) is not None) >= self._most:
            raise DoorFull(f"{self._most} guests are in already; try again later")
        if self._starting[guest.identity] >= STARTING_EACH:
            raise DoorFull("you are coming in twice already; try again in a moment")
        self._starting[guest.identity] += 1
        try:
            lock = self._locks.setdefault(guest.identity, asyncio.Lock())
            async with lock:
                return await self._start(guest, channel)
        finally:
            self._starting[guest.identity] -= 1
            self._starting += Counter()  # removes the counts that are 0

    async def close(self, sentence: str, within_s: float = 5.0) -> None:
        """End all sessions, and the forker. Each guest reads the sentence last."""
        self._closing = True
        for one in self.all():
            one.end(sentence, within_s)
        if overs := [one.over for one in self.all()]:
            await asyncio.wait(overs)
        if self._forker is not None:
            await self._forker.end()
        for task in self._ends:
            task.cancel()
        await asyncio.gather(*self._ends, return_exceptions=True)

    async def _start(self, guest: Guest, channel: Channel) -> Session:
        if (older := self.of(guest.identity)) is not None:
            older.end("You have come in again from another place; this screen ends.", SUPERSEDED_S)
            await asyncio.wait([older.left])
        try:
            await asyncio.wait_for(self._ready.wait(), READY_S)
        except TimeoutError:
            raise DoorFull("the door is being repaired; try again in a moment") from None
        if self._closing or self._forker is None:
            raise DoorFull("the door is being closed")
        forker = self._forker
        self._last_number += 1
        session = Session(self._last_number, guest, channel, forker.signal, self._hand)
        self._sessions[session.number] = session
        session.over.add_done_callback(lambda over: self._sessions.pop(session.number, None))
        message, descriptors = session.start_message()
        try:
            await forker.start(message, descriptors)
        except ForkerGone as problem:
            session.ended(-signal.SIGKILL, str(problem))
        except asyncio.CancelledError:  # the guest has gone while the forker was busy
            session.hang_up()
            session.ended(-signal.SIGKILL)
            raise
        session.sent()
        return session

    async def _watch_folders(self) -> None:
        """End whoever fills the disk: the system limits each of their files, but not how many they write."""
        while True:
            await asyncio.sleep(FOLDERS_S)
            here = self.all()
            for one in await asyncio.to_thread(_overfull, here):
                LOG.warning("session %d is ended: the folder of its guest holds too much", one.number)
                one.end(OVERFULL, 0.0)

    # ------------------------------------------------------------------------------------------------------ the forker
    def _start_forker(self) -> None:
        try:
            self._forker = RunningForker(self._program, self._confined, self._heard, self._gone, self._errors)
        except OSError as problem:
            LOG.error("the process that starts guests' programs cannot be started: %s", problem.strerror)
            self._later(self._start_again())
            return
        self._ready.set()

    def _heard(self, message: FromForker) -> None:
        session = self._sessions.get(message.session)
        if session is None:
            return
        if isinstance(message, Started):
            session.started(message.pid)
        else:
            session.ended(message.status, message.reason)

    def _gone(self) -> None:
        """The forker has ended, and the kernel has killed its children with it: begin anew."""
        self._ready.clear()
        for one in self.all():
            one.ended(-signal.SIGKILL)
        forker, self._forker = self._forker, None
        if forker is not None:
            self._later(forker.end())
        if not self._closing:
            LOG.error("the process that starts guests' programs has ended; another one is started")
            self._later(self._start_again())

    async def _start_again(self) -> None:
        await asyncio.sleep(self._restarts.pause())
        if not self._closing:
            self._start_forker()

    def _later(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._ends.add(task)
        task.add_done_callback(self._ends.discard)


def _overfull(sessions: list[Session]) -> list[Session]:
    return [one for one in sessions if guest_folders.is_overfull(Path(one.guest.folder))]
