"""Runs the host's own bots: one child process for all of them, started again if it dies."""

import asyncio
import json
import logging
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from zmq.utils import z85

from netcode.processes.start import start_service
from netcode.protocol.credentials import Join, new_pair

LOG = logging.getLogger("kickdoor.bot_supervisor")
STARTS, STARTS_S = 5, 60.0
"""The child is started at most this often within this time (s); then it pauses for as long."""
KEYS = 4096
"""How many keys of bots the supervisor remembers, the newest: more than bots play at all tables of a host."""
AGAIN_S = 5
"""Pause after a start that the system refused."""
CHECK_S = 0.5
"""How often the supervisor checks whether the child still runs."""
HELD_S = 5.0
"""The longest time for which bots wait outside."""


class BotSupervisor:
    """Runs the process of netcode/client/bot_runner.py. Create and use it inside a running loop.

    address: where the bots reach the host. keys: the client keys of its bots, in Z85. died(): called when the child has
    ended unexpectedly, so that tables ask for their bots again."""

    def __init__(self, address: str, seed: int | None = None) -> None:
        self.address = address
        self.keys: deque[str] = deque(maxlen=KEYS)
        self.died: Callable[[], None] = lambda: None
        self._seed = seed
        self._child: subprocess.Popen[bytes] | None = None
        self._starts: deque[float] = deque(maxlen=STARTS)
        self._loop = asyncio.get_running_loop()
        self._held: list[bytes] | None = None
        """What the child is told once bots need not wait outside any more."""
        self._watch: asyncio.TimerHandle | None = None
        self._pause: asyncio.TimerHandle | None = None

    def hold(self, until: Callable[[], object]) -> None:
        """Let bots wait outside until this function returns, which a thread calls, or for HELD_S: to load them takes
        a core."""
        self._held = []
        self._loop.call_later(HELD_S, self._let_in)
        threading.Thread(target=self._wait, args=(until,), name="holds the bots", daemon=True).start()

    def _wait(self, until: Callable[[], object]) -> None:
        until()
        with suppress(RuntimeError):  # the host has ended meanwhile
            self._loop.call_soon_threadsafe(self._let_in)

    def _let_in(self) -> None:
        held, self._held = self._held or [], None
        for line in held:
            self._tell(line)

    def send(self, target: Join, name: str, level: str) -> None:
        """Send a bot to a seat. The join string goes through a pipe, since everybody can read the command line of a
        process."""
        pair = new_pair()
        self.keys.append(z85.encode(pair.public).decode())
        seat = {"join": str(target), "name": name, "level": level, "seed": self._seed}
        keys = {"public": pair.public.hex(), "secret": pair.secret.hex()}
        line = json.dumps({**seat, **keys}).encode() + b"\n"
        if self._held is None:
            self._tell(line)
        else:
            self._held.append(line)

    def _tell(self, line: bytes) -> None:
        """Tell the child of a seat, and start it if it does not run."""
        if self._child is None and not self._start():
            return
        assert self._child is not None and self._child.stdin is not None
        try:
            self._child.stdin.write(line)
            self._child.stdin.flush()
        except OSError as problem:
            LOG.warning("the bots cannot be reached: %s", problem)  # _check will see that they ended

    def _start(self) -> bool:
        now = self._loop.time()
        if len(self._starts) == STARTS and now - self._starts[0] < STARTS_S:
            if self._pause is None:
                LOG.error("the bots ended %d times within %d s: they pause for as long", STARTS, int(STARTS_S))
                self._pause = self._loop.call_later(STARTS_S, self._pause_over)
            return False
        self._starts.append(now)
        try:
            self._child = start_service("netcode.client.bot_runner", stdout=subprocess.DEVNULL)
        except OSError as problem:  # too many processes, too little memory
            LOG.error("the bots cannot be started (%s): they are tried again in %d s", problem.strerror, AGAIN_S)
            self._pause = self._pause or self._loop.call_later(AGAIN_S, self._pause_over)
            return False
        self._watch = self._loop.call_later(CHECK_S, self._check)
        return True

    def _pause_over(self) -> None:
        self._pause = None
        self.died()

    def _check(self) -> None:
        if self._child is None:
            return
        code = self._child.poll()
        if code is None:
            self._watch = self._loop.call_later(CHECK_S, self._check)
            return
        LOG.warning("the bots ended (code %s) and are started again", code)
        self._child = None
        self.died()

    def close(self) -> None:
        """End the bots: they end when their pipe is closed."""
        child, self._child = self._child, None
        for timer in (self._watch, self._pause):
            if timer is not None:
                timer.cancel()
        if child is None or child.stdin is None:
            return
        try:
            child.stdin.close()
        except OSError as problem:
            LOG.debug("the pipe of the bots was closed already: %s", problem)
        try:
            child.wait(2)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
