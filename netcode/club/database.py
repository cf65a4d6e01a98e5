"""Connections to the database of a club, its version, and its errors as sentences for people.

Passwords and TLS are libpq's own affair: ~/.pgpass, PGPASSFILE, service files, sslmode. A failover is, too: several
hosts in the address are tried in turn, and only one that takes writes is used.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from netcode.club.schema import MIGRATIONS, SCHEMA
from netcode.journal.rows import JournalError, JournalInUse
from netcode.protocol.clean_text import clean

Connection = psycopg.Connection[tuple[Any, ...]]
CONNECT_S = 5
"""How long connecting to one server may take (s)."""
STATEMENT_S, LOCK_S, IDLE_S = 5, 3, 3
"""How long a statement, waiting for a lock, and a pause within a transaction may take (s). The last is shorter than a
lease: a host that is stopped in the middle of a transaction has locked the rows of its tables."""
OLDEST = 150000
"""The oldest version of the server that is supported (15), as libpq writes it."""
SETTINGS = {
    "synchronous_commit": "on", "statement_timeout": f"{STATEMENT_S}s", "lock_timeout": f"{LOCK_S}s",
    "idle_in_transaction_session_timeout": f"{IDLE_S}s", "timezone": "UTC",
}  # fmt: skip
PASSWORDS = ("password", "sslpassword")
_REASON_CHARS = 160
"""The most characters of a libpq message that a sentence of ours quotes."""
_DEFAULTS: dict[str, Any] = {
    "connect_timeout": CONNECT_S, "target_session_attrs": "read-write", "keepalives_idle": 5, "keepalives_interval": 2,
    "keepalives_count": 3, "tcp_user_timeout": 1000 * STATEMENT_S, "application_name": "kickdoor",
}  # fmt: skip


class DatabaseAway(JournalInUse):
    """The database does not answer, or takes no writes now; it may return."""


class OtherVersion(JournalError):
    """The tables of the club are not there, or of another version."""


def check_address(address: str) -> dict[str, Any]:
    """Return the parts of the address of a database. Raises JournalError if it is none, or contains a password, which
    everybody on the machine could read in the list of processes."""
    try:
        parts = conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        raise JournalError("--club names no database: postgresql://HOST/NAME, or postgresql:///NAME here") from None
    if any(parts.get(name) for name in PASSWORDS):
        text = "--club contains a password, which everybody on this machine can read while the program runs"
        raise JournalError(f"{text}: put it into ~/.pgpass or a service file of libpq")
    return parts


def connect(address: str) -> Connection:
    """Return a connection in autocommit mode, with our timeouts. Raises JournalError for an address or a server that
    cannot be used, psycopg.Error."""
    parts = check_address(address)
    db = psycopg.connect(**{**_DEFAULTS, **parts}, autocommit=True)
    try:
        if db.info.server_version < OLDEST:
            raise JournalError(f"the server of the club is PostgreSQL {db.info.server_version // 10000}: 15 is needed")
        for name, value in SETTINGS.items():
            db.execute("SELECT set_config(%s, %s, false)", (name, value))
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn errors of psycopg into JournalError, one sentence for people: DatabaseAway if trying again may help."""
    try:
        yield
    except psycopg.Error as problem:
        raise (DatabaseAway if may_pass(problem) else JournalError)(sentence(problem)) from None


_FINAL = (errors.InvalidCatalogName, errors.InvalidPassword, errors.InvalidAuthorizationSpecification)


def may_pass(problem: Exception) -> bool:
    """Whether trying again may help: the connection is lost, the disk full, a lock taken, the server a standby."""
    if isinstance(problem, _FINAL):
        return False
    return isinstance(problem, psycopg.OperationalError | psycopg.InterfaceError | errors.ReadOnlySqlTransaction)


_SENTENCES: tuple[tuple[type[Exception], str], ...] = (
    (errors.DiskFull, "the disk of the club's database is full"),
    (errors.TooManyConnections, "the club's database takes no more connections"),
    (errors.QueryCanceled, "the club's database did not answer within {STATEMENT_S} s"),
    (errors.LockNotAvailable, "rows of the club's database have been locked for {LOCK_S} s"),
    (errors.ReadOnlySqlTransaction, "the server of the club's database is a standby, which takes no writes"),
    (errors.InsufficientPrivilege, "this user of the club's database lacks rights on its tables"),
    (errors.UndefinedTable, "the database has no tables of a club: make them with `kickdoor club migrate`"),
)


def sentence(problem: Exception) -> str:
    """Return an error of psycopg as a sentence. It never quotes a statement, a row, or anything secret."""
    for kind, text in _SENTENCES:
        if isinstance(problem, kind):
            return text.format(STATEMENT_S=STATEMENT_S, LOCK_S=LOCK_S)
    if isinstance(problem, psycopg.OperationalError) and problem.sqlstate is None:
        said = str(problem).strip().splitlines()
        return f"the club's database is away ({clean(said[0] if said else 'no answer', _REASON_CHARS)})"
    state = problem.sqlstate if isinstance(problem, psycopg.Error) else None
    return f"the club's database reports an error ({type(problem).__name__}, {state or 'no connection'})"


# ------------------------------------------------------------------------------------------------------------- version
def version_of(db: Connection) -> int:
    """Return the version of the tables of a club in this database, 0 if there are none. Raises psycopg.Error."""
    found = db.execute("SELECT to_regclass('club_schema') IS NOT NULL").fetchone()
    if not found or not found[0]:
        return 0
    row = db.execute("SELECT version FROM club_schema").fetchone()
    return int(row[0]) if row else 0


def check_version(db: Connection) -> None:
    """Check that the tables of the club are of this version. Raises OtherVersion, psycopg.Error."""
    version = version_of(db)
    if not version:
        raise OtherVersion("the database has no tables of a club: make them with `kickdoor club migrate`")
    if version < SCHEMA:
        text = f"the tables of the club have version {version}, this program needs {SCHEMA}"
        raise OtherVersion(f"{text}: stop its hosts, then `kickdoor club migrate`")
    if version > SCHEMA:
        text = f"the tables of the club have version {version}, this program knows {SCHEMA}"
        raise OtherVersion(f"{text}: install a newer kickdoor")


def migrate(address: str) -> tuple[int, int]:
    """Create the tables of a club in this database, or bring them to this version, in one transaction. Return the
    version before (0: none) and after. Raises JournalError."""
    with plain_errors(), connect(address) as db, db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(hashtext('kickdoor club'))")  # two at once
        before = version_of(db)
        if before > SCHEMA:
            check_version(db)
        for version in range(before, SCHEMA):
            db.execute(MIGRATIONS[version])
        db.execute("UPDATE club_schema SET version = %s", (SCHEMA,))
        return before, SCHEMA
