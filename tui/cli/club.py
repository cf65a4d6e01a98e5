"""The command `club`: set up the database of a club, move journals in and out, and see how the club is."""

import time
from pathlib import Path

import click
import msgspec

from netcode.club.needs import need_psycopg
from netcode.journal import JournalError
from netcode.protocol.printing import say

DRAINED_S, LOOK_S = 15.0, 0.2
"""How long `drain` waits until the tables are handed over, and how often it looks (s)."""
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


@club.command()
@DATABASE
@click.argument("host", metavar="HOST")
def drain(address: str, host: str) -> None:
    """Let HOST hand its tables over to the other hosts of the club, and end."""
    from netcode.club.status import ask_to_drain, club_status  # needs the extra

    ask_to_drain(address, host)
    until = time.monotonic() + DRAINED_S
    while time.monotonic() < until:
        left = next((one.tables for one in club_status(address).hosts if one.name == host), 0)
        if not left:
            say(f"{host} has no tables any more, and ends.")
            return
        time.sleep(LOOK_S)
    raise click.ClickException(f"{host} still has {left} tables: is it running, and is there another host?")


@club.command("import")
@DATABASE
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
def import_(address: str, folder: Path) -> None:
    """Move the journal in FOLDER into the database; its host is started with --club and --data FOLDER then."""
    from netcode.host.club_moving import ASIDE, import_folder  # needs the extra

    tables = import_folder(address, folder)
    say(f"{len(tables)} tables are in the club now; their old journal is in {folder / ASIDE}. Start their host with:")
    say(f"  kickdoor host --club {address} --data {folder}")


@club.command()
@DATABASE
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
def export(address: str, folder: Path) -> None:
    """Move the tables of the host of FOLDER from the database into a journal there."""
    from netcode.host.club_moving import export_folder  # needs the extra

    tables = export_folder(address, folder)
    say(f"{len(tables)} tables are in {folder} now. Start their host with:")
    say(f"  kickdoor host --data {folder}")
