"""How long a host has its tables by its own clock, and why they stand still meanwhile.

A host measures its leases itself, and takes them for lapsed before the database does. So it confirms nothing that
another host could contradict, however long it was stopped or cut off.
"""

import threading
import time
from collections.abc import Callable

from netcode.club import leases

AWAY = "the database of this club is away: nothing is lost, and the game goes on when it is back"
LAPSED = "this host has lost touch with the database of its club: nothing is lost, and the game goes on when it is back"


def steady() -> float:
    """Return the time of a monotonic clock (s) that also runs while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class LeaseClock:
    """The leases of one host. Safe from any thread, but `holds_since`, `away` and `back` are for the thread that renews
    them."""

    def __init__(self, lease_s: float, stands: Callable[[str], None]) -> None:
        """lease_s: how long the database gives a host its tables (s). stands(text): called when the tables begin to
        stand still for this reason, and with "" when they may go on."""
        self._lease_s, self._stands = lease_s, stands
        self._renewed_at = self._held_until = 0.0
        self._away, self._told, self._telling = False, False, threading.Lock()

    @property
    def standing(self) -> str:
        """Why the tables stand still at this moment; "" if they do not."""
        return AWAY if self._away else LAPSED if steady() > self._held_until else ""

    @property
    def due_s(self) -> float:
        """In how long the leases should be renewed (s), negative if that is overdue."""
        return self._renewed_at + min(leases.RENEW_S, self._lease_s / 4) - steady()

    def holds_since(self, began: float) -> None:
        """Note that the leases were renewed after this time of `steady`."""
        self._renewed_at, self._held_until = began, began + self._lease_s - leases.MARGIN_S

    def away(self) -> None:
        """Note that the database is away."""
        self._away = True
        self.tell()

    def back(self) -> None:
        """Note that the database is there. If it was away, the leases come first."""
        if self._away:
            self._renewed_at = self._held_until = 0.0
            self._away = False

    def tell(self) -> None:
        """Tell the host if its tables begin to stand still or may go on."""
        with self._telling:
            why = self.standing
            if bool(why) != self._told:
                self._told = bool(why)
                self._stands(why)
