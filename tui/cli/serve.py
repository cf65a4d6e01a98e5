"""The command `serve`: an SSH door, through which friends play with nothing installed."""

from typing import Any

import click

from netcode.bots.levels import DEFAULT_LEVEL, TABLE_LEVELS
from netcode.processes.service import loading
from netcode.protocol.paces import PACES, WINDOWS_TEXT
from netcode.protocol.printing import say
from tui.cli.options import DEFAULT_SETS, OPTIONS, SETS

NEEDS = "kickdoor: `serve` needs the package asyncssh: pip install 'kickdoor[serve]'"
PROGRAM = "tui.guest.process"
"""The module that is forked for each guest."""


@click.command()
@SETS
@click.option("--bind", default="127.0.0.1", show_default=True, metavar="ADDR",
              help="The address to listen on; 0.0.0.0: all.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=2222, show_default=True,
              help="The port; 0: any free one.")  # fmt: skip
@click.option("--seats", type=click.IntRange(3, 6), default=4, show_default=True, help="Seats at the table.")
@click.option("--bots", type=click.IntRange(0, 6), default=0, show_default=True,
              help="How many of them are played by bots.")  # fmt: skip
@click.option("--level", "bot_level", type=click.Choice(TABLE_LEVELS), default=DEFAULT_LEVEL, show_default=True,
              help="How well bots play.")  # fmt: skip
@click.option("--pace", type=click.Choice(PACES), default="book", show_default=True,
              help=f"How long others may respond before a result is final: {WINDOWS_TEXT}.")  # fmt: skip
@OPTIONS
@click.option("--join", default="", metavar="STRING", help="Let guests play at a host that runs elsewhere.")
@click.option("--watch", default="", metavar="STRING", help="With --join: where `ssh -t HOST watch` leads.")
@click.option("--lobby", default="", metavar="STRING",
              help="With --join: where `lobby` and `table NAME` lead.")  # fmt: skip
@click.option("--club", default="", metavar="DATABASE",
              help="Open a door to all tables of the club in this database (postgresql:///club).")  # fmt: skip
@click.option("--address", "addresses", multiple=True, metavar="NAME[:PORT]",
              help="With --club: where others reach the door's host, if not at this machine's addresses.")  # fmt: skip
@click.option("--host-port", type=click.IntRange(0, 65535), default=0, metavar="PORT",
              help="With --club: the port of the door's own host.  [default: any free one]")  # fmt: skip
@click.option("--keys", default="", metavar="FILE",
              help="Only these keys may come in (a file like authorized_keys; SIGHUP reads it again).")  # fmt: skip
@click.option("--password", default="", metavar="TEXT", envvar="KICKDOOR_PASSWORD",
              help="Ask newcomers for this instead of the table's words (or set KICKDOOR_PASSWORD).")  # fmt: skip
@click.option("--open", "open_", is_flag=True, help="Let everybody in, and ask nothing.")
@click.option("--no-keyless", "keyless", flag_value=False, default=True,
              help="Let nobody in without an SSH key.")  # fmt: skip
@click.option("--guests", type=click.IntRange(1, 200), default=64, show_default=True,
              help="How many may be in at once.")  # fmt: skip
@click.option("--tables", type=click.IntRange(1, 200), default=20, show_default=True, metavar="N",
              help="How many tables may be open at once; players create more in the lobby.")  # fmt: skip
@click.option("--watch-delay", type=click.IntRange(0, 600), default=0, metavar="SECONDS",
              help="How many seconds later spectators see everything.")  # fmt: skip
@click.option("--knock", is_flag=True, help="Newcomers knock, and the table's owner lets them in one by one.")
@click.option("--scenario", default="", hidden=True, metavar="FILE[#N]", help="Begin as this scenario describes.")
@click.option("--unconfined", "confined", flag_value=False, default=True,
              help="Open the door although this system cannot confine guests' programs.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print port, fingerprint and strings as one line of JSON.")
@click.pass_context
def serve(
    context: click.Context,
    sets: tuple[str, ...],
    bind: str,
    port: int,
    join: str,
    watch: str,
    lobby: str,
    club: str,
    addresses: tuple[str, ...],
    host_port: int,
    keys: str,
    password: str,
    open_: bool,
    keyless: bool,
    guests: int,
    confined: bool,
    as_json: bool,
    **table: Any,
) -> None:
    """Open an SSH door: friends play with ssh alone, and nothing installed.

    A host is started behind it; they come with `ssh -p PORT HOST`. Their SSH key is their seat: whoever comes again
    with it plays on.
    """
    try:
        with loading():
            # all of these need asyncssh, which may be missing
            from netcode.door.config import DoorConfig
            from netcode.door.hosting import tables_for
            from netcode.door.serve import run_door
            from netcode.host.config import MEMORY_MB, HostConfig
    except ModuleNotFoundError as problem:
        if problem.name != "asyncssh":
            raise
        say(NEEDS, err=True)
        context.exit(2)
    if club:
        _need_club(context)
    elif addresses or host_port:
        raise click.UsageError("--address and --host-port are those of a host of a club: name its --club too", context)
    host = HostConfig(
        sets=sets or DEFAULT_SETS, memory_mb=MEMORY_MB, club=club, bind=bind, addresses=addresses, port=host_port,
        **table,
    )  # fmt: skip
    config = DoorConfig(
        PROGRAM, host, bind=bind, port=port, join=join, watch=watch, lobby=lobby, keys=keys, password=password,
        open=open_, keyless=keyless, guests=guests, confined=confined, json=as_json,
    )  # fmt: skip
    context.exit(run_door(config, tables_for))


def _need_club(context: click.Context) -> None:
    """End with a sentence if the extra that a club needs is missing."""
    from netcode.club.needs import need_psycopg  # only with --club
    from netcode.journal import JournalError  # the same

    try:
        need_psycopg()
    except JournalError as problem:
        say(f"kickdoor: {problem}", err=True)
        context.exit(2)
