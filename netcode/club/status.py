"""The state of a club: its hosts, its tables and their leases, as its database knows them."""

from msgspec import Struct

from netcode.club.database import check_version, connect, plain_errors
from netcode.club.leases import tell
from netcode.journal.rows import JournalError

_HOSTS = """
SELECT name, version, epoch, extract(epoch FROM clock_timestamp() - seen)::float8,
    (SELECT count(*) FROM tables WHERE tables.host = name), coalesce(room, 0), coalesce(busy, false),
    coalesce(draining, false), coalesce(places, '{}')
FROM hosts LEFT JOIN public_hosts ON public_hosts.host = name ORDER BY name"""
_TABLES = """
SELECT id, host, generation, extract(epoch FROM lease_until - clock_timestamp())::float8,
    coalesce((SELECT convert_from(value, 'UTF8') FROM facts WHERE tab = id AND name = 'stage'), 'lobby'),
    (SELECT count(*) FROM acts WHERE tab = id) FROM tables ORDER BY no"""


class HostStatus(Struct, frozen=True):
    """A host. epoch: the number of its start in the club; seen_s: how long ago it renewed its leases (s); tables: how
    many it has; room: how many more it takes; busy: it opens none for now; draining: it hands its tables over and ends;
    places: its addresses."""

    name: str
    version: str
    epoch: int
    seen_s: float
    tables: int
    room: int
    busy: bool
    draining: bool
    places: list[str]


class TableStatus(Struct, frozen=True):
    """A table. lease_s: how long its lease still lasts (s), negative once it has lapsed; stage: as in the table's own
    facts; actions: of all its games."""

    id: str
    host: str
    generation: int
    lease_s: float
    stage: str
    actions: int


class ClubStatus(Struct, frozen=True):
    """Everything that `kickdoor club status` shows."""

    hosts: list[HostStatus]
    tables: list[TableStatus]

    def lines(self) -> list[str]:
        """Return the state as lines for people."""
        lines = [f"hosts: {len(self.hosts)}, tables: {len(self.tables)}"]
        for host in self.hosts:
            state = ", busy" * host.busy + ", draining" * host.draining
            where = f" at {', '.join(host.places)}" if host.places else ""
            seen = f"seen {host.seen_s:.0f} s ago, version {host.version}"
            lines.append(f"host {host.name}{where}: tables: {host.tables}, room for {host.room}{state}, {seen}")
        for table in self.tables:
            lease = f"lease for {table.lease_s:.0f} s" if table.lease_s > 0 else f"lapsed {-table.lease_s:.0f} s ago"
            where = f"at {table.host}, generation {table.generation}"
            lines.append(f"table {table.id}: {table.stage}, {table.actions} actions, {where}, {lease}")
        return lines


def ask_to_drain(address: str, host: str) -> None:
    """Ask a host of the club to hand its tables over and end. Raises JournalError if there is none of this name."""
    with plain_errors(), connect(address) as db:
        check_version(db)
        if not db.execute("UPDATE public_hosts SET draining = true WHERE host = %s", (host,)).rowcount:
            raise JournalError(f"the club has no host {host}: `kickdoor club status` lists them")
        tell(db)


def club_status(address: str) -> ClubStatus:
    """Return the state of the club in this database. Raises JournalError."""
    with plain_errors(), connect(address) as db:
        check_version(db)
        with db.transaction():
            db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            hosts = [HostStatus(*row) for row in db.execute(_HOSTS)]
            return ClubStatus(hosts, [TableStatus(*row) for row in db.execute(_TABLES)])
