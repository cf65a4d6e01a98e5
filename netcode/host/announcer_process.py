"""Starts the process that announces this host on the local network (netcode/announcer), and tells it the table."""

import asyncio
import logging
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from netcode.processes.start import start_service
from netcode.processes.watchdog import Process, Restarts, Watchdog
from netcode.protocol.announcement import Announcement

LOG = logging.getLogger("kickdoor.announcer_process")
OFTEN, OFTEN_S, PAUSE_S = 3, 60.0, 30.0
"""An announcer that ends more than OFTEN times within OFTEN_S pauses for PAUSE_S before each start."""
MISSED_BEATS = 30
"""How many heartbeats an announcer may miss in a row before it is killed: it runs when nothing else has to."""
END_S = 2.0
"""How long an announcer may take to say goodbye (s)."""
LOOK_S = 1.0
"""How often the host looks whether its table has changed."""


class AnnouncerProcess(Watchdog):
    """Runs the announcer of a host. Create it inside a running loop.

    address: the IP at which the host listens. table(): the id of its table, "" if there is none."""

    name, end_s = "the announcer", END_S

    def __init__(self, address: str, announcement: Announcement, table: Callable[[], str]) -> None:
        self.patience = MISSED_BEATS
        super().__init__()
        self._address, self._announcement, self._table = address, announcement, table
        self._restarts = Restarts(OFTEN, OFTEN_S, PAUSE_S)
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(LOOK_S, self._look)
        self.begin()

    def start(self) -> Process:
        """Start an announcer."""
        return start_service("netcode.announcer.process")

    def settings(self) -> bytes:
        """Return what to announce, as an order of netcode/announcer/process.py."""
        return msgspec.json.encode({"address": self._address, "announcement": self._announcement}) + b"\n"

    def again(self, code: int) -> float:
        """Restart the announcer, whatever the reason for its end."""
        LOG.warning("the process that announces this host ended (code %s) and is started again", code)
        return self._restarts.pause()

    def stop(self) -> None:
        """End the announcer, which tells the network that the host has gone."""
        self._timer.cancel()
        super().stop()

    def _look(self) -> None:
        self._timer = self._loop.call_later(LOOK_S, self._look)
        table = self._table()
        if table != self._announcement.table:
            self._announcement = replace(self._announcement, table=table)
            self.tell(self.settings())
