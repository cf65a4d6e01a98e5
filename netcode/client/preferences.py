"""What a client prefers, until the host knows it: it gets at most four messages a second, with the newest values."""

import asyncio
from collections.abc import Callable
from typing import Any

from netcode.client.connection import Stage
from netcode.protocol import limits

LAPSE_OFFLINE = ("skip", "withdraw")
"""Preferences that apply only now and are not sent later."""
LAPSE_WITH_FIGHT, LAPSE_WITH_GAME = ("auto",), ("ready", "open")
LASTING = ("speed", "waits")
"""Preferences that last at a table, which an older host loses when it is restarted."""
Moment = tuple[int, int, int]
"""The game and the fight to which preferences apply: the number of the game, and a key of the fight."""


class Preferences:
    """The preferences of one client that the host does not have yet, and the lasting ones."""

    def __init__(
        self, send: Callable[[dict[str, Any]], bool], stage: Callable[[], Stage], moment: Callable[[], Moment]
    ) -> None:
        """send: send fields of wire.Set, False if that is not possible now."""
        self._send, self._stage, self._moment = send, stage, moment
        self._unsent: dict[str, Any] | None = None
        """None if the host has all; an empty dict is sent too, as the sign that the player is here."""
        self._set_in: Moment = (0, 0, 0)
        self._timer: asyncio.TimerHandle | None = None
        self.lasting: dict[str, Any] = {}

    def set(self, changed: dict[str, Any]) -> None:
        """Send these, now or with the next message."""
        self.lasting.update((name, changed[name]) for name in LASTING if name in changed)
        self._drop_lapsed()
        self._unsent = {**(self._unsent or {}), **changed}
        self._drop_lapsed()
        if self._timer is None:
            self._send_unsent()

    def _send_unsent(self) -> None:
        """Send the preferences that are new since the last time, if any, and check again a moment later. Send nothing
        once the client is closed."""
        self._timer = None
        self._drop_lapsed()
        if self._unsent is None or self._stage() == "closed":
            return
        if self._send(self._unsent):
            self._unsent = None
        self._timer = asyncio.get_running_loop().call_later(limits.PREFERENCES_S, self._send_unsent)

    def _drop_lapsed(self) -> None:
        """Drop unsent preferences that no longer apply; while offline, also the sign that the player is here."""
        offline, before, now = self._stage() != "synced", self._set_in, self._moment()
        self._set_in = now
        lapsed = [*(LAPSE_OFFLINE if offline else ()), *(LAPSE_WITH_FIGHT if now != before else ())]
        lapsed += LAPSE_WITH_GAME if now[0] != before[0] else ()
        old = self._unsent or {}
        left = {name: value for name, value in old.items() if name not in lapsed}
        if left != old or offline:
            self._unsent = left or None
