"""What is in the database of a club."""

import msgspec

from netcode.club.schema import read_rows
from netcode.club.status import TableStatus, club_status
from netcode.journal.schema import Act


def tables(club: str) -> dict[str, TableStatus]:
    """Return the tables of a club, by id."""
    return {one.id: one for one in club_status(club).tables}


def acts(club: str, table: str) -> list[int]:
    """Return the numbers of the actions of people and bots that the database has of a table."""
    return [act.row.seq for act in _acts(club, table)]


def seat_acts(club: str, table: str, seat: int) -> list[int]:
    """Return the numbers of the actions of this seat."""
    return [act.row.seq for act in _acts(club, table) if act.row.seat == seat]


def guesses(club: str, table: str) -> int:
    """Return how many wrong tries at its words the database knows for a table."""
    import psycopg

    with psycopg.connect(club) as db:
        row = db.execute("SELECT value FROM facts WHERE tab = %s AND name = 'entry'", (table,)).fetchone()
    return int(msgspec.msgpack.decode(row[0]).get("wrong_words", 0)) if row is not None else 0


def _acts(club: str, table: str) -> list[Act]:
    import psycopg

    with psycopg.connect(club) as db:
        return [act for act in read_rows(db, table).acts if act.row.s is not None]
