"""The directory of a club: its hosts and its tables, as one of the hosts knows them.

A thread with a connection of its own writes what this host publishes and reads the rest: at once when another host has
notified us (LISTEN), and twice a second in any case. So neither the loop of the host nor its journal waits for it.
"""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

import psycopg
from msgspec import Struct
from msgspec.structs import replace

from netcode.club import leases
from netcode.club.database import Connection, check_version, connect
from netcode.club.schema import OPEN
from netcode.journal.rows import JournalError
from netcode.journal.shared import ClubHost, ClubTable, PublicTable

POLL_S = 0.5
"""How often the directory is read although nobody has notified us (s)."""
TIDY_S = 60.0
"""How often the leftovers of dead hosts are removed (s)."""
PAUSE_S = 0.1
"""The shortest pause between two readings (s)."""
REST = 9.0
"""The pause after a reading, as a multiple of its duration: a host of a large club reads for a tenth of its time."""
_HOSTS = """
SELECT name, places, room, busy, draining, (SELECT count(*) FROM tables WHERE tables.host = name),
    extract(epoch FROM clock_timestamp() - seen)::float8
FROM hosts JOIN public_hosts ON public_hosts.host = name ORDER BY name"""
_TABLES = f"""
SELECT id, host, lease_until < clock_timestamp(), row, coalesce(number, 0)
FROM tables LEFT JOIN public_tables ON tab = id WHERE {OPEN} ORDER BY no"""
_PUBLISH = """
INSERT INTO public_hosts VALUES (%s, %s, %s, %s, %s) ON CONFLICT (host) DO UPDATE
SET places = excluded.places, room = excluded.room, busy = excluded.busy,
    draining = public_hosts.draining OR excluded.draining"""
_PUBLISH_TABLE = """
INSERT INTO public_tables SELECT id, %(row)s, %(number)s FROM tables WHERE id = %(id)s AND host = %(host)s
ON CONFLICT (tab) DO UPDATE SET row = excluded.row, number = excluded.number"""


class _Notice(Struct, frozen=True):
    """What a host publishes about itself; see ClubHost. rows: those of its tables, by id."""

    places: list[str]
    room: int
    busy: bool
    draining: bool
    rows: Mapping[str, PublicTable]


class Directory:
    """What a host knows of its club: hosts by name, tables by id, the oldest first. Replaced as a whole, so that the
    loop may read it at any time."""

    def __init__(self, address: str, name: str, look: Callable[[ClubTable], None]) -> None:
        """address: of the database. name: of this host in the club. look(table): called from the thread at each
        reading, for each table of this host and each table whose lease has lapsed."""
        self.name = name
        self.hosts: dict[str, ClubHost] = {}
        self.tables: dict[str, ClubTable] = {}
        self._address, self._look = address, look
        self._notice: _Notice | None = None
        self._told: _Notice | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="directory", daemon=True)

    def begin(self) -> None:
        """Begin to read."""
        self._thread.start()

    def tell(self, places: list[str], room: int, busy: bool, draining: bool, rows: Mapping[str, PublicTable]) -> None:
        """Publish this about our host as soon as possible; see ClubHost. rows: those of its tables, by id."""
        self._notice = _Notice(places, room, busy, draining, rows)

    def close(self) -> None:
        """End the thread."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(2 * POLL_S)

    def _follow(self) -> None:
        """Write and read until the end. While the database is away, the directory keeps what was read last."""
        while not self._closing.wait(PAUSE_S):
            with suppress(psycopg.Error, JournalError), connect(self._address) as db:
                check_version(db)
                db.execute(f"LISTEN {leases.CHANNEL}")
                self._told = None
                leases.tidy(db)
                tidied_at = time.monotonic()
                while not self._closing.is_set():
                    self._write(db)
                    began = time.monotonic()
                    self._read(db)
                    took = time.monotonic() - began
                    if time.monotonic() - tidied_at > TIDY_S:
                        leases.tidy(db)
                        tidied_at = time.monotonic()
                    for _ in db.notifies(timeout=POLL_S, stop_after=1):
                        self._closing.wait(max(PAUSE_S, REST * took))
            self._closing.wait(POLL_S)

    def _write(self, db: Connection) -> None:
        """Publish what has changed."""
        notice, told = self._notice, self._told
        if notice is None or notice == told:
            return
        before = told.rows if told is not None else {}
        with db.transaction():
            if told is None or replace(told, rows=notice.rows) != notice:
                db.execute(_PUBLISH, (self.name, notice.places, notice.room, notice.busy, notice.draining))
            for table, row in notice.rows.items():
                if before.get(table) != row:
                    new = {"id": table, "row": row.row, "number": row.number, "host": self.name}
                    db.execute(_PUBLISH_TABLE, new)
            leases.tell(db)
        self._told = notice

    def _read(self, db: Connection) -> None:
        self.hosts = {row[0]: ClubHost(*row) for row in db.execute(_HOSTS)}
        self.tables = {row[0]: ClubTable(*row) for row in db.execute(_TABLES)}
        for table in self.tables.values():
            if table.lapsed or table.host == self.name:
                self._look(table)
