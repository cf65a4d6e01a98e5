"""The state of a club: its hosts, its tables and their leases, as its database knows them."""

from msgspec import Struct

from netcode.club.database import check_version, connect, plain_errors

_HOSTS = """
SELECT name, version, epoch, extract(epoch FROM clock_timestamp() - seen)::float8,
    (SELECT count(*) FROM tables WHERE host = name) FROM hosts ORDER BY name"""
_TABLES = """
SELECT id, host, generation, extract(epoch FROM lease_until - clock_timestamp())::float8,
    coalesce((SELECT convert_from(value, 'UTF8') FROM facts WHERE tab = id AND name = 'stage'), 'lobby'),
    (SELECT count(*) FROM acts WHERE tab = id) FROM tables ORDER BY no"""


class HostStatus(Struct, frozen=True):
    """A host. epoch: the number of its start in the club; seen_s: how long ago it renewed its leases (s); tables: how
    many it has."""

    name: str
    version: str
    epoch: int
    seen_s: float
    tables: int


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
        """Return it for people."""
        lines = [f"hosts: {len(self.hosts)}, tables: {len(self.tables)}"]
        for host in self.hosts:
            seen = f"seen {host.seen_s:.0f} s ago, version {host.version}"
            lines.append(f"host {host.name}: tables: {host.tables}, {seen}")
        for table in self.tables:
            lease = f"lease for {table.lease_s:.0f} s" if table.lease_s > 0 else f"lapsed {-table.lease_s:.0f} s ago"
            where = f"at {table.host}, generation {table.generation}"
            lines.append(f"table {table.id}: {table.stage}, {table.actions} actions, {where}, {lease}")
        return lines


def club_status(address: str) -> ClubStatus:
    """Return the state of the club in this database. Raises JournalError."""
    with plain_errors(), connect(address) as db:
        check_version(db)
        with db.transaction():
            db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            hosts = [HostStatus(*row) for row in db.execute(_HOSTS)]
            return ClubStatus(hosts, [TableStatus(*row) for row in db.execute(_TABLES)])
