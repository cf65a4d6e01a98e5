"""The tables of a club in PostgreSQL, writing and reading the rows of a journal there.

The rows are those of a sqlite journal (netcode/journal/schema.py). They have no checksums of their own: PostgreSQL
notices damage to its pages (initdb --data-checksums), and its backups are its own.
"""

from typing import Any

import psycopg

from netcode.journal.checksums import CLOSED, snap_checksum
from netcode.journal.rows import ActRow, FactRow, ForgetRow, HostFactRow, Row, SeatRow, SnapRow
from netcode.journal.schema import Act, TableRows

SCHEMA = 3
_FIRST = b"""
CREATE TABLE club_schema (one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL);
INSERT INTO club_schema (version) VALUES (1);
CREATE SEQUENCE epochs AS bigint;
CREATE TABLE hosts (
    name text PRIMARY KEY, epoch bigint NOT NULL, batch bigint NOT NULL, version text NOT NULL,
    started timestamptz NOT NULL, seen timestamptz NOT NULL
);
CREATE TABLE host_facts (
    host text NOT NULL REFERENCES hosts ON DELETE CASCADE, name text NOT NULL, value bytea NOT NULL,
    PRIMARY KEY (host, name)
);
CREATE TABLE tables (
    id text PRIMARY KEY, no bigint NOT NULL GENERATED ALWAYS AS IDENTITY, host text NOT NULL REFERENCES hosts,
    generation bigint NOT NULL DEFAULT 1, lease_until timestamptz NOT NULL
);
CREATE INDEX tables_of_host ON tables (host);
CREATE TABLE facts (
    tab text NOT NULL REFERENCES tables ON DELETE CASCADE, name text NOT NULL, value bytea NOT NULL,
    PRIMARY KEY (tab, name)
);
CREATE TABLE seats (
    tab text NOT NULL REFERENCES tables ON DELETE CASCADE, number integer NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (tab, number)
);
CREATE TABLE acts (
    tab text NOT NULL REFERENCES tables ON DELETE CASCADE, game integer NOT NULL, seq integer NOT NULL,
    seat integer NOT NULL, action bytea NOT NULL, s bytea, n bigint NOT NULL, stamp bigint NOT NULL,
    PRIMARY KEY (tab, game, seq)
);
CREATE UNIQUE INDEX once ON acts (tab, s, n) WHERE s IS NOT NULL;
CREATE TABLE snaps (
    tab text NOT NULL REFERENCES tables ON DELETE CASCADE, game integer NOT NULL, seq integer NOT NULL,
    state bytea NOT NULL, PRIMARY KEY (tab, game, seq)
);
"""
_LISTS = b"""
CREATE TABLE club_facts (name text PRIMARY KEY, value bytea NOT NULL);
INSERT INTO club_facts SELECT name, value FROM host_facts WHERE name = 'lobby' ORDER BY host LIMIT 1;
DELETE FROM host_facts WHERE name = 'lobby';
CREATE TABLE public_hosts (
    host text PRIMARY KEY REFERENCES hosts ON DELETE CASCADE, places text[] NOT NULL, room integer NOT NULL,
    busy boolean NOT NULL, draining boolean NOT NULL DEFAULT false
);
CREATE TABLE public_tables (tab text PRIMARY KEY REFERENCES tables ON DELETE CASCADE, row bytea NOT NULL);
"""
_OPENERS = b"""
ALTER TABLE tables ADD creator text NOT NULL DEFAULT '', ADD origin text NOT NULL DEFAULT '';
CREATE INDEX tables_of_creator ON tables (creator) WHERE creator <> '';
CREATE INDEX tables_of_origin ON tables (origin) WHERE origin <> '';
ALTER TABLE public_tables ADD number integer NOT NULL DEFAULT 0;
"""
MIGRATIONS = (_FIRST, _LISTS, _OPENERS)
"""The statements that lead from each version to the next. A database without tables of a club has version 0."""

_PUT = b"INSERT INTO %s ON CONFLICT (%s) DO UPDATE SET %s = excluded.%s"
_SET_HOST_FACT = _PUT % (b"host_facts VALUES (%s, %s, %s)", b"host, name", b"value", b"value")
_SET_FACT = _PUT % (b"facts VALUES (%s, %s, %s)", b"tab, name", b"value", b"value")
_SET_SEAT = _PUT % (b"seats VALUES (%s, %s, %s)", b"tab, number", b"record", b"record")
_SET_SNAP = _PUT % (b"snaps VALUES (%s, %s, %s, %s)", b"tab, game, seq", b"state", b"state")
ENDED = f"EXISTS (SELECT FROM facts WHERE tab = id AND name = 'stage' AND value = '{CLOSED}')"
"""The condition for a table that is closed."""
OPEN = f"(EXISTS (SELECT FROM facts WHERE tab = id AND name = 'config') AND NOT {ENDED})"
"""The condition for a table that has begun (there is more than its id) and is not closed."""
Query = psycopg.Connection[tuple[Any, ...]]


# ------------------------------------------------------------------------------------------------------------- writing
def put(db: Query, host: str, table: str, row: Row) -> None:
    """Write one row of a table, or of the host itself. Raises psycopg.Error; in a pipeline a later call may raise
    it."""
    match row:
        case ActRow():  # by far the most frequent
            values = (table, row.game, row.seq, row.seat, row.action, row.s, row.n, row.stamp)
            db.execute("INSERT INTO acts VALUES (%s, %s, %s, %s, %s, %s, %s, %s)", values, prepare=True)
        case HostFactRow():
            db.execute(_SET_HOST_FACT, (host, row.name, row.value))
        case FactRow():
            db.execute(_SET_FACT, (table, row.name, row.value), prepare=True)
        case SeatRow():
            db.execute(_SET_SEAT, (table, row.number, row.record), prepare=True)
        case SnapRow():
            db.execute("DELETE FROM snaps WHERE tab = %s AND game < %s", (table, row.game))
            db.execute(_SET_SNAP, (table, row.game, row.seq, row.state))
        case ForgetRow():
            db.execute("DELETE FROM tables WHERE id = %s AND host = %s", (table, host))


# ------------------------------------------------------------------------------------------------------------- reading
def read_rows(db: Query, table: str) -> TableRows:
    """Return all rows of a table. Raises psycopg.Error."""

    def rows(query: bytes) -> list[tuple[Any, ...]]:
        return db.execute(query, (table,)).fetchall()

    facts = rows(b"SELECT name, value FROM facts WHERE tab = %s")
    seats = rows(b"SELECT number, record FROM seats WHERE tab = %s ORDER BY number")
    snaps = rows(b"SELECT game, seq, state FROM snaps WHERE tab = %s ORDER BY game, seq")
    acts = rows(b"SELECT game, seq, seat, action, s, n, stamp FROM acts WHERE tab = %s ORDER BY game, seq")
    return TableRows(
        {name: (value, b"") for name, value in facts},
        {number: (record, b"") for number, record in seats},
        [SnapRow(game, seq, state, snap_checksum(game, seq, state)) for game, seq, state in snaps],
        [Act(ActRow(*act), b"") for act in acts],
    )


def read_fact(db: Query, host: str, name: str) -> bytes | None:
    """Return a fact about a host, or about the whole club, None if there is none. Raises psycopg.Error."""
    query = """
        SELECT value FROM club_facts WHERE name = %(name)s
        UNION ALL SELECT value FROM host_facts WHERE name = %(name)s AND host = %(host)s LIMIT 1"""
    row = db.execute(query, {"name": name, "host": host}).fetchone()
    return row[0] if row is not None else None


def numbers(db: Query) -> set[int]:
    """Return the numbers of the short words of all tables that are known in the club. Raises psycopg.Error."""
    return {row[0] for row in db.execute("SELECT number FROM public_tables WHERE number <> 0")}


def claim_fact(db: Query, name: str, value: bytes) -> bytes:
    """Return a fact about the whole club; this one, if nobody has stored it before. Raises psycopg.Error."""
    db.execute("INSERT INTO club_facts VALUES (%s, %s) ON CONFLICT DO NOTHING", (name, value))
    row = db.execute("SELECT value FROM club_facts WHERE name = %s", (name,)).fetchone()
    assert row is not None
    return bytes(row[0])


def unfinished(db: Query, host: str) -> list[str]:
    """Return the ids of this host's tables that are not closed, the oldest first. Raises psycopg.Error."""
    return [row[0] for row in db.execute(f"SELECT id FROM tables WHERE host = %s AND {OPEN} ORDER BY no", (host,))]
