"""Leases: which host has which table of the club, until when, and in which generation.

All times are the database's. Whoever takes a table over raises its generation; every transaction of a host checks,
under a lock of the row, that the table still has the generation that the host knows. So a take-over waits for a write
that is under way, and sees it; a later write of the old host is refused.
"""

from collections.abc import Collection, Mapping
from typing import Literal

from psycopg import errors

from netcode.club.schema import ENDED, OPEN, Query
from netcode.protocol import limits

LEASE_S = 4.0
"""How long a host has its tables after it has renewed its leases (s)."""
RENEW_S = 1.0
"""How often it renews them (s)."""
MARGIN_S = 1.0
"""A host considers its leases lapsed this much earlier than the database does (s)."""
SHARE = 4
"""The most tables that a host takes over in one transaction, so that several hosts share those of a dead one."""
HOST_GONE_S = 24 * 3600.0
"""A host without tables is removed when it has not renewed its leases for this long (s)."""
LEFTOVER_S = 600.0
"""How long ago the lease of a closed table must have lapsed before another host removes it (s)."""
CHANNEL = "kickdoor_club"
"""The channel on which hosts notify each other that something has changed."""

_TAKE = """
WITH wanted AS (SELECT id FROM tables WHERE {} FOR NO KEY UPDATE{})
UPDATE tables SET host = %(host)s, generation = generation + 1,
    lease_until = clock_timestamp() + make_interval(secs => %(lease)s)
FROM wanted WHERE tables.id = wanted.id RETURNING tables.id, tables.generation"""
_OWN = _TAKE.format("host = %(host)s ORDER BY id", "")
_HAS_LAPSED = f"""host <> %(host)s AND lease_until < clock_timestamp() - make_interval(secs => %(lapsed)s)
    AND id <> ALL(%(without)s) AND {OPEN}"""
_LAPSED = _TAKE.format(f"{_HAS_LAPSED} ORDER BY lease_until LIMIT %(most)s", " SKIP LOCKED")
_HELD = """
SELECT id FROM tables JOIN unnest(%(ids)s::text[], %(generations)s::bigint[]) AS known (id, generation)
USING (id, generation) WHERE host = %(host)s ORDER BY id FOR NO KEY UPDATE OF tables"""
_STILL = f"""
WITH confirmed AS (UPDATE hosts SET batch = %(batch)s WHERE name = %(host)s AND epoch = %(epoch)s RETURNING true),
    held AS ({_HELD})
SELECT 1 / ((SELECT count(*) FROM confirmed) = 1 AND (SELECT count(*) FROM held) = %(count)s)::integer"""
NotHeld = errors.DivisionByZero
"""The error by which the server refuses a transaction with `insist`."""
_RENEW = f"""
WITH held AS ({_HELD})
UPDATE tables SET lease_until = clock_timestamp() + make_interval(secs => %(lease)s)
FROM held WHERE tables.id = held.id RETURNING tables.id"""


Opened = Literal["opened", "taken", "too many of theirs", "too many from there"]
"""The result of `open_for`. taken: another host has a table with this id."""
_OPENED_FOR = f"""
SELECT count(*) FILTER (WHERE creator = %(creator)s), count(*) FILTER (WHERE origin = %(origin)s) FROM tables
WHERE (creator = %(creator)s OR origin = %(origin)s) AND id <> %(id)s AND NOT {ENDED}"""
_OPEN_FOR = """
INSERT INTO tables (id, host, lease_until, creator, origin)
VALUES (%(id)s, %(host)s, clock_timestamp() + make_interval(secs => %(lease)s), %(creator)s, %(origin)s)
ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until WHERE tables.host = excluded.host
RETURNING true"""


_TIDY_TABLES = f"""
DELETE FROM tables WHERE lease_until < clock_timestamp() - make_interval(secs => %(leftover)s) AND NOT {OPEN}"""
_TIDY_HOSTS = """
DELETE FROM hosts WHERE seen < clock_timestamp() - make_interval(secs => %(gone)s)
    AND NOT EXISTS (SELECT FROM tables WHERE tables.host = name)"""


def register(db: Query, host: str, version: str) -> int:
    """Note that a host of this name starts. Return its epoch: a number that no other start in the club has, and that
    is higher than those before. Raises psycopg.Error."""
    text = """
        INSERT INTO hosts VALUES (%(host)s, nextval('epochs'), 0, %(version)s, clock_timestamp(), clock_timestamp())
        ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, batch = 0, version = excluded.version,
            started = excluded.started, seen = excluded.seen RETURNING epoch"""
    row = db.execute(text, {"host": host, "version": version}).fetchone()
    assert row is not None
    db.execute("UPDATE public_hosts SET draining = false WHERE host = %s", (host,))
    return int(row[0])


def count_epochs_from(db: Query, epoch: int) -> None:
    """Let all later epochs be higher than this one, which a host had outside the club. Raises psycopg.Error."""
    db.execute("SELECT setval('epochs', %(at)s) FROM epochs WHERE last_value < %(at)s", {"at": epoch})


def take_own(db: Query, host: str, lease_s: float = LEASE_S) -> dict[str, int]:
    """Take the tables that a host of this name has had. Return their new generations. Raises psycopg.Error."""
    return dict(db.execute(_OWN, {"host": host, "lease": lease_s}).fetchall())


def take_over(
    db: Query, host: str, lapsed_s: float = 0.0, lease_s: float = LEASE_S, most: int = SHARE,
    without: Collection[str] = (),
) -> dict[str, int]:  # fmt: skip
    """Take over at most `most` open tables of other hosts, none of them in `without`. Their leases must have lapsed at
    least `lapsed_s` ago. Return their new generations. Raises psycopg.Error.

    A table whose row is locked is left for the next time: a write of its old host may be under way."""
    known = {"host": host, "lease": lease_s, "lapsed": lapsed_s, "most": most, "without": list(without)}
    return dict(db.execute(_LAPSED, known).fetchall())


def given(db: Query, host: str, known: Collection[str]) -> dict[str, int]:
    """Return the generations of the tables that other hosts have handed over to this one, without those in `known`.
    Raises psycopg.Error."""
    query = f"SELECT id, generation FROM tables WHERE host = %s AND id <> ALL(%s) AND {OPEN}"
    return dict(db.execute(query, (host, list(known))).fetchall())


def give(db: Query, host: str, table: str, generation: int, to: str, lease_s: float = LEASE_S) -> bool:
    """Hand a table over to another host, under a new generation. to: the host's name; "": whichever host takes it
    first. Return whether this host still had it. Raises psycopg.Error."""
    text = """
        UPDATE tables SET host = CASE %(to)s WHEN '' THEN host ELSE %(to)s END, generation = generation + 1,
            lease_until = clock_timestamp() + CASE %(to)s WHEN '' THEN '0' ELSE make_interval(secs => %(lease)s) END
        WHERE id = %(id)s AND host = %(host)s AND generation = %(generation)s"""
    known = {"host": host, "id": table, "generation": generation, "to": to, "lease": lease_s}
    return db.execute(text, known).rowcount == 1


def was_given(db: Query, table: str, generation: int, to: str) -> bool:
    """Return whether a transaction whose answer was lost has handed this table over. Raises psycopg.Error."""
    query = "SELECT true FROM tables WHERE id = %s AND host = %s AND generation = %s"
    return db.execute(query, (table, to, generation + 1)).fetchone() is not None


def tell(db: Query) -> None:
    """Notify all hosts of the club that something has changed. Raises psycopg.Error."""
    db.execute("SELECT pg_notify(%s, '')", (CHANNEL,))


def held(db: Query, host: str, generations: Mapping[str, int]) -> set[str]:
    """Return which of these tables this host still has in these generations, and lock their rows until the end of the
    transaction. Raises psycopg.Error."""
    known = {"host": host, "ids": list(generations), "generations": list(generations.values())}
    return {row[0] for row in db.execute(_HELD, known, prepare=True).fetchall()}


def insist(db: Query, host: str, epoch: int, batch: int, generations: Mapping[str, int]) -> None:
    """Confirm the batch and lock the tables, like `confirm` and `held` together. The server ends the transaction with
    NotHeld if another process has started as this host, or if the host has lost one of these tables. In a pipeline the
    error comes with the answer to the commit, so nobody waits for it earlier. Raises psycopg.Error."""
    known = {"host": host, "ids": list(generations), "generations": list(generations.values())}
    db.execute(_STILL, {**known, "count": len(generations), "epoch": epoch, "batch": batch}, prepare=True)


def renew(db: Query, host: str, generations: Mapping[str, int], lease_s: float = LEASE_S) -> set[str]:
    """Renew the leases of these tables. Return those that the host does not have any more in these generations. Raises
    psycopg.Error."""
    known = {"host": host, "ids": list(generations), "generations": list(generations.values()), "lease": lease_s}
    return set(generations) - {row[0] for row in db.execute(_RENEW, known)}


def open_table(db: Query, host: str, table: str, lease_s: float = LEASE_S) -> None:
    """Note that a host opens a new table. Raises psycopg.Error; in a pipeline a later call may raise it."""
    text = """
        INSERT INTO tables (id, host, lease_until)
        VALUES (%s, %s, clock_timestamp() + make_interval(secs => %s))"""
    db.execute(text, (table, host, lease_s))


def open_for(
    db: Query, host: str, table: str, creator: str, origin: str, lease_s: float = LEASE_S
) -> Opened:  # fmt: skip
    """Note that a host is about to open a new table for somebody, unless they have too many in the whole club. creator:
    the client key of whoever asks; origin: where they come from, "" where many do. Two hosts that are asked at the same
    time wait for each other. Raises psycopg.Error."""
    known = {"id": table, "host": host, "creator": creator, "origin": origin, "lease": lease_s}
    with db.transaction():
        for name in sorted({creator, origin} - {""}):
            db.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (name,))
        row = db.execute(_OPENED_FOR, known).fetchone()
        assert row is not None
        if creator and row[0] >= limits.TABLES_PER_KEY:
            return "too many of theirs"
        if origin and row[1] >= limits.TABLES_PER_ADDRESS:
            return "too many from there"
        made = db.execute(_OPEN_FOR, known).fetchone()
        return "opened" if made is not None else "taken"


def confirm(db: Query, host: str, epoch: int, batch: int) -> bool:
    """Store the number of this batch of commits in its transaction: if the connection is lost, this number tells
    whether the transaction took place. Return False if another process has started as this host. Raises
    psycopg.Error."""
    text = "UPDATE hosts SET batch = %s WHERE name = %s AND epoch = %s RETURNING true"
    return db.execute(text, (batch, host, epoch), prepare=True).fetchone() is not None


def last_batch(db: Query, host: str, epoch: int) -> int | None:
    """Return the number of the last batch of this start of a host, None if another process has started as this host. If
    the transaction of a lost connection still locks the row, wait for its end. Raises psycopg.Error."""
    query = "SELECT batch FROM hosts WHERE name = %s AND epoch = %s FOR NO KEY UPDATE"
    row = db.execute(query, (host, epoch)).fetchone()
    return int(row[0]) if row is not None else None


def tidy(db: Query) -> None:
    """Remove what no host will remove: hosts without tables that have been gone for HOST_GONE_S, and, of hosts that
    have been gone for LEFTOVER_S, closed tables and ids of tables that never began. Raises psycopg.Error."""
    db.execute(_TIDY_TABLES, {"leftover": LEFTOVER_S})
    db.execute(_TIDY_HOSTS, {"gone": HOST_GONE_S})


def seen(db: Query, host: str, epoch: int) -> bool:
    """Note that a host is there. Return False if another process has started as this host. Raises psycopg.Error."""
    text = "UPDATE hosts SET seen = clock_timestamp() WHERE name = %s AND epoch = %s"
    return db.execute(text, (host, epoch)).rowcount == 1
