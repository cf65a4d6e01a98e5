"""What the database of a large club would have to do. It gets the rows of 64 hosts that do not run. The figure is the
CPU of the server for what each host asks once or twice a second (docs/many-machines.md multiplies it)."""

from collections.abc import Callable

from tests.bench.figures import line
from tests.bench.processes import exact_cpu_ms

HOSTS, TABLES = 64, (320, 1280, 5120)
TIMES = 40
_ROWS = """
INSERT INTO hosts SELECT 'h' || i, i, 0, 'test', now(), now() FROM generate_series(1, %(hosts)s) i;
INSERT INTO public_hosts SELECT 'h' || i, '{10.0.0.1:7788}', 20, false FROM generate_series(1, %(hosts)s) i;
INSERT INTO tables (id, host, lease_until)
    SELECT 't' || i, 'h' || (1 + i %% %(hosts)s), now() + interval '1 hour' FROM generate_series(1, %(tables)s) i;
INSERT INTO facts SELECT id, name, decode(repeat('ab', 400), 'hex')
    FROM tables, unnest(array['config', 'entry', 'deal', 'dealt', 'seed', 'played', 'pace']) name;
INSERT INTO facts SELECT id, 'stage', 'playing' FROM tables;
INSERT INTO public_tables SELECT id, decode(repeat('ab', 90), 'hex'), 10 FROM tables;
"""


def paper(club: str) -> None:
    """Print the CPU that the server uses for one host of a large club. club: the address of an empty one."""
    from netcode.club import leases  # needs the extra
    from netcode.club.database import connect  # the same
    from netcode.club.directory import Directory  # the same

    directory = Directory(club, "h1", lambda table: None)
    with connect(club) as db:

        def cost(name: str, what: Callable[[], object]) -> None:
            what()
            before = exact_cpu_ms(db.info.backend_pid)
            for _ in range(TIMES):
                what()
            ms = (exact_cpu_ms(db.info.backend_pid) - before) / TIMES
            line(f"the server's CPU for a host: {name}", ms, "ms", tables=tables)

        for before, tables in zip((0, *TABLES), TABLES):
            db.execute("TRUNCATE hosts CASCADE" if before else "SELECT 1")
            for statement in _ROWS.split(";")[:-1]:
                db.execute(statement.encode(), {"hosts": HOSTS, "tables": tables})
            db.execute("VACUUM ANALYZE")
            own = {f"t{number}": 1 for number in range(HOSTS, tables + 1, HOSTS)}
            cost("reading the directory", lambda: directory._read(db))
            cost("renewing its leases", lambda own=own: leases.renew(db, "h1", own))  # type: ignore[misc]
            cost("looking for tables to take over", lambda: leases.take_over(db, "h1"))
