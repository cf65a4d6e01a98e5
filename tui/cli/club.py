"""The command `club`: set up the database of a club, and see how the club is."""

import click
import msgspec

from netcode.club.needs import need_psycopg
from netcode.journal import JournalError
from netcode.protocol.printing import say

DATABASE = click.option("--club", "address", default="postgresql:///club", show_default=True, metavar="DATABASE",
                        envvar="KICKDOOR_CLUB",
                        help="The club's PostgreSQL database (or set KICKDOOR_CLUB).")  # fmt: skip


class _Commands(click.Group):
    """Commands whose errors are sentences."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        try:
            need_psycopg()
            return super().invoke(ctx)
        except JournalError as problem:
            raise click.ClickException(str(problem)) from None
        except OSError as problem:
            raise click.ClickException(f"{problem.filename or 'the system'}: {problem.strerror}") from None


@click.group(cls=_Commands)
def club() -> None:
    """Set up a club of hosts on one PostgreSQL database, and see how it is."""


@club.command()
@DATABASE
def migrate(address: str) -> None:
    """Make the tables of a club in the database, or bring them to this version."""
    from netcode.club import database  # needs the extra

    before, after = database.migrate(address)
    changed = f"from version {before} to {after}" if before else f"in version {after}"
    say(f"The tables of the club are there, {changed}." if before != after else f"They have version {after} already.")


@club.command()
@DATABASE
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(address: str, as_json: bool) -> None:
    """Show the hosts of the club, its tables and their leases."""
    from netcode.club.status import club_status  # needs the extra

    found = club_status(address)
    say(msgspec.json.encode(found).decode() if as_json else "\n".join(found.lines()))
