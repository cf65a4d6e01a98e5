"""The command line: the options of each command. Each command imports what it runs, so that no other waits for it."""

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from netcode import VERSION
from netcode.bots.data_files import BrokenData
from netcode.bots.levels import DEFAULT_LEVEL, LEVEL_NAMES, TABLE_LEVELS
from netcode.processes.service import loading
from netcode.processes.streams import guard_streams
from netcode.protocol.paces import PACES, WINDOWS_TEXT
from netcode.protocol.ports import DEFAULT_PORT
from netcode.protocol.printing import say
from netcode.protocol.table_options import parse_options
from tui.cli.options import DEFAULT_SETS, OPTIONS, SETS
from tui.cli.progress import progress_bar
from tui.config.surroundings import begun, local

if TYPE_CHECKING:
    from netcode.host.first_host import FirstHost

PACE = click.option("--pace", type=click.Choice(PACES), default="book", show_default=True,
                    help=f"How long others may respond before a result is final: {WINDOWS_TEXT}.")  # fmt: skip
LEVELS = click.Choice(TABLE_LEVELS)


def _cards() -> ModuleType:
    from tui.cli import cards

    return cards


def _career() -> ModuleType:
    from tui.cli import career

    return career


def _club() -> ModuleType:
    from tui.cli import club

    return club


def _lab() -> ModuleType:
    from tui.cli import lab

    return lab


def _serve() -> ModuleType:
    from tui.cli import serve

    return serve


ELSEWHERE: dict[str, tuple[Callable[[], ModuleType], str]] = {
    "cards": (_cards, "List, show, check and write card packs."),
    "career": (_career, "Your games so far: wins, streaks, dice, what killed you. Only you can read them."),
    "club": (_club, "Set up a club of hosts on one PostgreSQL database, and see how it is."),
    "lab": (_lab, "Draw and export the games of ladders, and fit the numbers of bots."),
    "ladder": (_lab, "Let players meet in pairs, and print how strong each one is (Elo)."),
    "rules": (_cards, "Show the rules catalogue: every clause, or some of them."),
    "serve": (_serve, "Open an SSH door: friends play with ssh alone, and nothing installed."),
}
"""Commands of other modules, loaded when they are used: the module, and the line for `--help`."""


class _PlayerSpec(click.Choice[str]):
    """A level, one with a personality (`normal/gilda`) or `module:Class`."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the specification unchanged: the code that looks for the player reports its errors better."""
        return value


class _Commands(click.Group):
    """All commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), *ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name."""
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        found: click.Command = getattr(ELSEWHERE[cmd_name][0](), cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, without loading the modules of the others."""
        others = {name: click.Command(name, help=words) for name, (_, words) in ELSEWHERE.items()}
        click.Group(commands={**self.commands, **others}).format_commands(ctx, formatter)


def on_screen(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of every command that has a screen."""
    command = click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only.")(command)
    return click.option("--mouse/--no-mouse", default=None, help="Accept mouse clicks.  [default: as in the settings]")(
        command
    )


PLAIN = click.option("--plain", is_flag=True, help="Use lines of text instead of a screen: for screen readers, dumb "
                     "terminals and pipes.")  # fmt: skip


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="kickdoor")
@on_screen
@click.pass_context
def cli(context: click.Context, ascii_only: bool, mouse: bool | None) -> None:
    """A table for the Munchkin family of card games in your terminal. Without a command: the menu."""
    if context.invoked_subcommand is None:
        from tui.app import launch

        context.exit(launch.menu(launch.settings_with(ascii_only, mouse)))


@cli.command()
@SETS
@click.option("--bots", type=click.IntRange(2, 5), default=None, help="How many bots play with you.  [default: 3]")
@click.option("--level", type=LEVELS, default=None, help=f"How well they play.  [default: {DEFAULT_LEVEL}]")
@click.option("--name", help="Your name at the table.")
@click.option("--seed", type=int, help="Deal the same cards again.")
@click.option("--resume", is_flag=True, help="Resume the game you left last.")
@PACE
@OPTIONS
@PLAIN
@on_screen
@click.pass_context
def play(
    context: click.Context,
    plain: bool,
    ascii_only: bool,
    mouse: bool | None,
    name: str | None,
    resume: bool,
    **request: Any,
) -> None:
    """Play against bots at once."""
    with loading():
        from tui.app.launch import settings_with

    launch = _launcher(plain)
    settings = settings_with(ascii_only, mouse, name)
    context.exit(launch.resume(settings) if resume else launch.play(settings, **_given(request)))


@cli.command()
@click.argument("scene", type=click.IntRange(1), required=False, metavar="[N]")
@on_screen
@click.pass_context
def learn(context: click.Context, scene: int | None, ascii_only: bool, mouse: bool | None) -> None:
    """Learn the game at a table: five short scenes, then a whole game. N: begin with this scene."""
    from tui.app import launch

    context.exit(launch.learn(launch.settings_with(ascii_only, mouse), scene or 1))


@cli.command()
@click.argument("name", required=False, metavar="[NAME|N]")
@click.option("--list", "only_list", is_flag=True, help="Only list them, with what you have solved.")
@on_screen
@click.pass_context
def puzzle(context: click.Context, name: str | None, only_list: bool, ascii_only: bool, mouse: bool | None) -> None:
    """Solve puzzles: laid-out tables with a goal, a hint and a solution. NAME: begin with this one."""
    from tui.app import launch

    if only_list:
        context.exit(launch.puzzle_list())
    context.exit(launch.puzzle(launch.settings_with(ascii_only, mouse), name or ""))


@cli.command()
@SETS
@click.option("--bind", default="127.0.0.1", show_default=True, metavar="ADDR",
              help="The address to listen on; 0.0.0.0: all.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=None, help="The port; 0: any free one.  [default: 7788]")
@click.option("--address", "addresses", multiple=True, metavar="NAME[:PORT]",
              help="Where others reach the host, if not at this machine's addresses; may be repeated.")  # fmt: skip
@click.option("--seats", type=click.IntRange(3, 6), default=4, show_default=True, help="Seats at the table.")
@click.option("--bots", type=click.IntRange(0, 6), default=0, show_default=True,
              help="How many of them are played by bots.")  # fmt: skip
@PACE
@OPTIONS
@click.option("--data", metavar="DIR",
              help="Keep the journal here and restore unfinished tables from it.  "
              "[default: hosts/PORT in the data folder, removed when no game is unfinished]")  # fmt: skip
@click.option("--club", default="", metavar="DATABASE",
              help="Keep the journal in the PostgreSQL database of a club, as postgresql:///club; the folder has the "
              "host's key and name.")  # fmt: skip
@click.option("--lease", "lease_s", type=float, default=4.0, show_default=True, metavar="SECONDS",
              help="In a club: how long after the last sign of this host others take its tables over.")  # fmt: skip
@click.option("--no-journal", is_flag=True, help="Keep no journal: what is unfinished when the host ends is lost.")
@click.option("--repair", is_flag=True,
              help="Copy what is left of a damaged journal to a new folder, and open no table.")  # fmt: skip
@click.option("--new", is_flag=True, help="Open a new table even if the journal has unfinished ones.")
@click.option("--memory", "memory_mb", type=click.IntRange(0), default=None, metavar="MB",
              help="The memory that the host may use (Linux); 0: no limit.  [default: 512]")  # fmt: skip
@click.option("--tables", type=click.IntRange(1, 200), default=20, show_default=True, metavar="N",
              help="How many tables may be open at once; players create more in the lobby.")  # fmt: skip
@click.option("--idle", "idle_s", type=click.IntRange(0), default=0, metavar="SECONDS",
              help="Close a table before its first game if nobody has been there for so long; 0: wait.")  # fmt: skip
@click.option("--keep", is_flag=True, help="Continue when the last table has closed.")
@click.option("--restart/--no-restart", default=None,
              help="Restart the host whenever it fails.  [default: restart, if there is a journal]")  # fmt: skip
@click.option("--front/--no-front", default=True,
              help="Let clients connect to a process that shields the host from floods. Without it there are no short "
              "words.  [default: front]")  # fmt: skip
@click.option("--watch-delay", type=click.IntRange(0, 600), default=0, metavar="SECONDS",
              help="How many seconds later spectators see everything.")  # fmt: skip
@click.option("--knock", is_flag=True, help="Newcomers knock, and the table's owner lets them in one by one.")
@click.option("--remember", is_flag=True, help="Its bots remember from game to game who has hurt or helped them.")
@click.option("--announce", is_flag=True, help="Announce the host on the local network, for `join --lan`.")
@click.option("--qr", is_flag=True, help="Print the join string as a QR code too.")
@click.option("--scenario", default="", hidden=True, metavar="FILE[#N]", help="Begin as this scenario describes.")
@click.option("--json", "as_json", is_flag=True, help="Print the strings as one line of JSON.")
@click.pass_context
def host(
    context: click.Context,
    sets: tuple[str, ...],
    as_json: bool,
    port: int | None,
    restart: bool | None,
    no_journal: bool,
    repair: bool,
    memory_mb: int | None,
    **request: Any,
) -> None:
    """Host a table without a screen and print the strings that lead to it.

    Every action is on disk before anybody learns of it. Started again at the same port, the host restores its
    unfinished games.
    """
    if request["club"] and (no_journal or repair):
        raise click.UsageError("--club keeps the journal in a database: leave --no-journal and --repair out", context)
    if no_journal and (restart or request["data"]):
        raise click.UsageError("--no-journal leaves nothing to restore: leave --restart and --data out", context)
    unsupervised = repair or no_journal or restart is False
    with nullcontext() if unsupervised else _first_host(request["front"]) as first:
        with loading():
            from netcode.host.config import MEMORY_MB, HostConfig
            from netcode.host.host_folders import club_folder, folder_at, run_with_default_journal

        port = DEFAULT_PORT if port is None else port
        if request["club"] and not request["data"]:
            request["data"] = str(club_folder(str(port)))
        memory = MEMORY_MB if memory_mb is None else memory_mb or None
        config = HostConfig(sets=sets or DEFAULT_SETS, json=as_json, port=port, memory_mb=memory, **request)
        if repair:
            from netcode.host.repair import run_repair

            context.exit(run_repair(config, Path(config.data) if config.data else folder_at(port)))
        run: Callable[[HostConfig], int]
        if unsupervised:
            from netcode.host.main import run_host

            run = run_host
        else:  # the supervisor loads nothing of the game
            with loading():
                from netcode.host.supervisor import run_supervised

            run = partial(run_supervised, first=first)
        context.exit(run(config) if no_journal or config.data else run_with_default_journal(config, run))


def _first_host(front: bool) -> AbstractContextManager["FirstHost | None"]:
    """Start the first host, which loads its modules while this process loads its own."""
    with loading():
        from netcode.host.first_host import first_host

    return first_host(front)


@cli.command()
@click.argument("join", metavar="JOIN|-", required=False)
@click.argument("words", metavar="[WORDS]", nargs=-1)
@click.option("--lan", is_flag=True, help="Find the host on the local network; without JOIN: choose one.")
@click.option("--name", help="Your name at the table.")
@click.option("--code", help="Take your seat from another machine, which shows this code: kickdoor seat.")
@PLAIN
@on_screen
@click.pass_context
def join(
    context: click.Context,
    join: str | None,
    words: tuple[str, ...],
    lan: bool,
    name: str | None,
    code: str | None,
    plain: bool,
    ascii_only: bool,
    mouse: bool | None,
) -> None:
    """Take a seat at a table, or return to yours. With a lobby string: list the tables of a host.

    Without JOIN it leads back to your last table, or asks which. Short words such as otter-lamp-42 do as well:
    `kickdoor join HOST:PORT otter-lamp-42`, or the words alone on one network. `-` reads the string from standard
    input.
    """
    from tui.app import launch

    if join is None and lan:
        context.exit(_launcher(plain).nearby(launch.settings_with(ascii_only, mouse, name)))
    if join is None:
        context.exit(_launcher(plain).join_offered(launch.settings_with(ascii_only, mouse, name), name or ""))
    text = " ".join((join, *words))
    context.exit(_launcher(plain).join(launch.settings_with(ascii_only, mouse, name), text, lan, code or ""))


@cli.command()
@click.option("--name", default="", help="The name under which the seat is kept, if you have several.")
@click.pass_context
def seat(context: click.Context, name: str) -> None:
    """Show a code with which you take your seat to another machine, once within ten minutes."""
    from tui.app.offered_tables import show_code

    context.exit(show_code(name))


@cli.command()
@click.argument("watch", metavar="WATCH|-")
@PLAIN
@on_screen
@click.pass_context
def watch(context: click.Context, watch: str, plain: bool, ascii_only: bool, mouse: bool | None) -> None:
    """Spectate a table. `-` reads the watch string from standard input."""
    from tui.app import launch

    context.exit(_launcher(plain).watch(launch.settings_with(ascii_only, mouse), watch))


@cli.command()
@click.option("--port", type=click.IntRange(1, 65535), default=None, help="Only the host at this port.")
@click.option("--data", metavar="DIR", default=None, help="The host that keeps its journal here.")
@click.pass_context
def strings(context: click.Context, port: int | None, data: str | None) -> None:
    """Print the strings of your running hosts again, in another terminal of the same machine."""
    from netcode.host.strings_file import running_hosts

    found = running_hosts(port, Path(data) if data is not None else None)
    if not found:
        raise click.ClickException(f"no host of yours runs {'there' if port or data else 'here'} that keeps a journal")
    say("\n\n".join(found))


@cli.command()
@click.argument("join", metavar="JOIN|-")
@click.option("--level", type=LEVELS, default=DEFAULT_LEVEL, show_default=True, help="How well it plays.")
@click.option("--bot", "spec", metavar="LEVEL/NAME|MODULE:CLASS", default="",
              help="A level with a personality, or a player of your own, instead.")  # fmt: skip
@click.option("--name", default="", help="Its name at the table.")
@click.pass_context
def bot(context: click.Context, join: str, level: str, spec: str, name: str) -> None:
    """Let a bot take a seat, in a process of its own."""
    from netcode.bots.factory import check_player
    from netcode.client.bot_runner import run_bot
    from tui.app.given_string import given_string

    try:
        check_player(spec or level, TABLE_LEVELS)
    except ValueError as problem:
        raise click.UsageError(str(problem), context) from None
    context.exit(run_bot(given_string(join), spec or level, name))


@cli.command()
@SETS
@click.option("--seats", default="4", show_default=True, metavar="N|A..B", help="Players at the table.")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many games.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same games.")
@click.option("--bot", "bots", multiple=True, type=_PlayerSpec(LEVEL_NAMES), metavar="LEVEL|LEVEL/NAME|MODULE:CLASS",
              help=f"{', '.join(LEVEL_NAMES)}, or yours; repeated: by seat.  [default: {DEFAULT_LEVEL}]")  # fmt: skip
@click.option("--budget", type=click.IntRange(0), default=None,
              help="Rollouts that a player may spend on a decision.  [default: as at a quiet table]")  # fmt: skip
@OPTIONS
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="How many processes to use.")
@click.option("--json", "form", flag_value="json", help="Print all figures as JSON.")
@click.option("--report", "form", flag_value="report", help="Print a report.")
@click.pass_context
def simulate(
    context: click.Context,
    sets: tuple[str, ...],
    seats: str,
    options: tuple[str, ...],
    form: str | None,
    **request: Any,
) -> None:
    """Play whole games between bots and print the results."""
    from netcode.processes.workers import WorkerLost
    from netcode.simulation.batch import SimConfig
    from netcode.simulation.report import seats_range
    from netcode.simulation.report import simulate as run_simulation

    try:
        config = SimConfig(
            sets=sets or DEFAULT_SETS, seats=seats_range(seats), options=parse_options(options), **_given(request)
        )
        with progress_bar("games") as progress:
            text, code = run_simulation(config, form or "line", progress)
    except ValueError as problem:
        raise click.UsageError(str(problem), context) from None
    except WorkerLost as problem:
        raise click.ClickException(str(problem)) from None
    say(text)
    context.exit(code)


@cli.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE|DIR...")
@click.option("--json", "as_json", is_flag=True, help="Print the failures as JSON.")
@click.pass_context
def scenario(context: click.Context, paths: tuple[str, ...], as_json: bool) -> None:
    """Run scenario files and print each failure: step, expected, found."""
    from tui.cli.scenarios import run_paths

    context.exit(run_paths(context, paths, as_json))


@cli.command()
@click.argument("file", metavar="FILE")
@click.option("--verify", is_flag=True, help="Only check what the file can prove.")
@on_screen
@click.pass_context
def replay(context: click.Context, file: str, verify: bool, ascii_only: bool, mouse: bool | None) -> None:
    """Step through a recorded game. Recordings are in the folder `replays` of the data folder."""
    if verify:
        from tui.cli.replay import run_verify

        context.exit(run_verify(context, file))
    from tui.app import launch

    context.exit(launch.replay(launch.settings_with(ascii_only, mouse), file))


def _launcher(plain: bool) -> Any:
    """Return the module with a function for each command: the screen's, or the one for lines of text."""
    if plain:
        from tui.plain import launch as spoken

        return spoken
    from tui.app import launch

    return launch


def _given(request: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given, without those left out."""
    return {name: value for name, value in request.items() if value is not None and value != ()}


def main() -> None:
    """Run a command. An error becomes one line and an exit code (1: a check failed, 2: wrong usage)."""
    guard_streams()
    try:
        with begun(local(os.environ)):
            code = cli(prog_name="kickdoor", standalone_mode=False)
    except click.UsageError as problem:
        where = problem.ctx.command_path if problem.ctx is not None else "kickdoor"
        say(f"{where}: {problem.format_message()} (see: {where} --help)", err=True)
        code = 2
    except click.ClickException as problem:
        say(f"kickdoor: {problem.format_message()}", err=True)
        code = 1
    except BrokenData as problem:
        say(f"kickdoor: {problem}", err=True)
        code = 2
    except (click.Abort, KeyboardInterrupt):
        code = 1
    except BrokenPipeError:
        sys.stderr.close()
        code = 1
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
