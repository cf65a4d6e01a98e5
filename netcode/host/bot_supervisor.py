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
from netcode.processes.watchdog import Process, Restarts, Watchdog
from netcode.protocol.credentials import Join, new_pair

LOG = logging.getLogger("kickdoor.bot_supervisor")
ENDS, ENDS_S = 5, 60.0
"""If the bots end more than ENDS times within ENDS_S, each restart waits for ENDS_S."""
KEYS = 4096
"""The supervisor remembers this many of the newest bot keys: more than there are bots at all tables of a host."""
END_S = 2.0
"""How long the bots may take to end (s)."""
HELD_S = 5.0
"""Held bots are let in after this time at the latest (s)."""


class BotSupervisor(Watchdog):
    """Runs the process of netcode/client/bot_runner.py. Create and use it inside a running loop.

    address: where the bots reach the host. keys: the client keys of its bots, in Z85. remembers: whether they remember
    people from game to game. died(): called when the child has ended unexpectedly and another has been started, so that
    tables ask for their bots again."""

    name, end_s = "the bots", END_S

    def __init__(self, address: str, seed: int | None = None, remembers: bool = False) -> None:
        super().__init__()
        self.address = address
        self.keys: deque[str] = deque(maxlen=KEYS)
        self.died: Callable[[], None] = lambda: None
        self._seed, self._remembers = seed, remembers
        self._begun = False
        self._restarts = Restarts(ENDS, ENDS_S, ENDS_S)
        self._loop = asyncio.get_running_loop()
        self._held: list[bytes] | None = None
        """The lines for the child that are sent once held bots are let in; None: no bots are held."""

    def start(self) -> Process:
        """Start the process of the bots."""
        return start_service("netcode.client.bot_runner", stdout=subprocess.DEVNULL)

    def again(self, code: int) -> float:
        """Restart the process, whatever the reason for its end."""
        LOG.warning("the bots ended (code %s) and are started again", code)
        pause = self._restarts.pause()
        if pause:
            LOG.error("the bots ended more than %d times within %d s: they pause for as long", ENDS, int(ENDS_S))
        return pause

    def restarted(self) -> None:
        """Let the tables ask for their bots again."""
        with suppress(RuntimeError):  # the host has ended meanwhile
            self._loop.call_soon_threadsafe(lambda: self.died())

    def hold(self, until: Callable[[], object]) -> None:
        """Hold all bots until this function, which a thread calls, returns, or for HELD_S: loading bots takes a whole
        core."""
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
        seat = {"join": str(target), "name": name, "level": level, "seed": self._seed, "remembers": self._remembers}
        keys = {"public": pair.public.hex(), "secret": pair.secret.hex()}
        line = json.dumps({**seat, **keys}).encode() + b"\n"
        if self._held is None:
            self._tell(line)
        else:
            self._held.append(line)

    def _tell(self, line: bytes) -> None:
        """Write this line to the process, and start the process before the first line. If it has just ended, the line
        is lost, and the tables ask for their bots again."""
        if not self._begun:
            self._begun = True
            self.begin()
        self.tell(line)
