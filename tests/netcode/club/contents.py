"""What is in the database of a club."""

from netcode.club.schema import read_rows
from netcode.club.status import TableStatus, club_status


def tables(club: str) -> dict[str, TableStatus]:
    """Return the tables of a club, by id."""
    return {one.id: one for one in club_status(club).tables}


def acts(club: str, table: str) -> list[int]:
    """Return the numbers of the actions of people and bots that the database has of a table."""
    import psycopg

    with psycopg.connect(club) as db:
        return [act.row.seq for act in read_rows(db, table).acts if act.row.s is not None]
