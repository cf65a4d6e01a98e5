"""Starts a host: `kickdoor host`, and the private host that `kickdoor play` starts for itself.

`_serve` is the whole of it: check the configuration, open the first table, listen, print the join strings, serve.
"""

import asyncio
import json
import logging
import os
import shlex
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cards import BUILT_IN
from core.language.errors import PackError
from netcode.bots.lines import known_lines
from netcode.host import exit_codes
from netcode.host.addresses import (
    BindError,
    PortInUse,
    address_of,
    is_loopback,
    local_address,
    reached_at,
    split_loopback,
)
from netcode.host.bot_supervisor import BotSupervisor
from netcode.host.config import ConfigError, HostConfig, check
from netcode.host.front_connections import FrontConnections
from netcode.host.front_process import fronted
from netcode.host.host_folders import hosts_folder, key_folder
from netcode.host.host_key import club_pair, host_pair
from netcode.host.load_monitor import LoadMonitor
from netcode.host.lobby import Lobby
from netcode.host.outliving import forget_people, note_people, ssh_warning
from netcode.host.registry import Registry, RegistryFull, TableEntry, TablePlan
from netcode.host.server import Server
from netcode.host.strings_file import StringsFile
from netcode.host.words_service import WordsService
from netcode.journal import Journal, JournalDamaged, JournalError, JournalHome, JournalInUse, SharedHome
from netcode.processes.streams import open_standard_streams
from netcode.protocol import limits, wire
from netcode.protocol.credentials import Join, KeyPair, new_pair, new_token, place_text
from netcode.protocol.names import prototypes
from netcode.protocol.pack_files import load_packs
from netcode.protocol.sockets import CurveMissing, need_curve
from netcode.protocol.string_files import STRINGS, short
from netcode.reporting import complain, handle_ending, log_faults_of_loop, log_to_stderr, say

if TYPE_CHECKING:
    from core.scenario.schema import Scenario
    from netcode.host.announcer_process import AnnouncerProcess

LOG = logging.getLogger("kickdoor.host")
SWITCH_S = 0.0005
"""The longest time that one thread runs while another waits (s): so that messages get timestamps soon although the loop
is busy, and the loop is not held up while a thread reads packs."""
NO_WORDS = "(Short words such as otter-lamp-42 need the front, which is off or not there on this system.)"
OPEN_FILES = 4096
"""How many connections and files the process may have open, if the system lets it."""

_STARTUP_ERRORS = (ConfigError, PackError, BindError, JournalError, RegistryFull, CurveMissing)
"""The errors that keep a host from starting; their texts are one line for people."""


class Starter:
    """The program that started this host, which is told about its progress. The base class serves a shell."""

    def say(self, text: str) -> None:
        """Print this for people or scripts: the join strings, perhaps with a QR code."""
        say(text, drawn=True)

    def busy(self, text: str) -> int:
        """Say that the port or the journal is in use. Returns the exit code."""
        complain(f"kickdoor host: {text}")
        return exit_codes.NOT_STARTED

    def works(self) -> None:
        """Note that the host makes progress before it serves."""

    def serves(self, server: Server) -> None:
        """Note that the host listens. Called inside its loop."""

    def has_bots(self, bots: BotSupervisor) -> None:
        """Note the supervisor of the host's bots. Called before any bot is started."""


class SoloStarter(Starter):
    """A program that plays alone at this host. It writes to our standard input as soon as it can spare a core for bots,
    and the system closes that when the program has ended, even if it was killed: then the host ends too."""

    def __init__(self) -> None:
        self._spares = threading.Event()

    def serves(self, server: Server) -> None:
        """Follow standard input from now on, in a thread."""
        stop = partial(asyncio.get_running_loop().call_soon_threadsafe, server.stop)
        threading.Thread(target=self._follow, args=(stop,), name="follows the screen", daemon=True).start()

    def has_bots(self, bots: BotSupervisor) -> None:
        """Let them wait until the program can spare a core."""
        bots.hold(self._spares.wait)

    def _follow(self, stop: Callable[[], object]) -> None:
        while os.read(0, 1):
            self._spares.set()
        self._spares.set()
        with suppress(RuntimeError):  # the loop has ended
            stop()


# ------------------------------------------------------------------------------------------------------ kickdoor host
def run_host(config: HostConfig, starter: Starter | None = None) -> int:
    """Serve until the last table is closed or the process is told to stop. Prints the join strings (as one JSON line
    with config.json). Returns the exit code, see exit_codes."""
    open_standard_streams()
    log_to_stderr("kickdoor host: %(message)s")
    starter = starter or Starter()
    try:
        return _run(config, starter)
    except (PortInUse, JournalInUse) as problem:
        return starter.busy(str(problem))
    except _STARTUP_ERRORS as problem:
        complain(f"kickdoor host: {problem}")
        return _not_started(problem)
    except OSError as problem:
        complain(f"kickdoor host: {problem.filename or 'the system'}: {problem.strerror}")
        return exit_codes.NOT_STARTED
    except Exception:
        LOG.exception("the host met an internal error and ends")
        return exit_codes.CRASHED


def main() -> int:
    """Run a private host: read its configuration from a line of standard input, and print its strings or its error as
    one JSON line. Returns the exit code, as run_host does."""
    open_standard_streams()
    log_to_stderr("%(message)s")
    wanted = sys.stdin.buffer.readline()
    if not wanted:
        return exit_codes.ENDED  # its starter is gone
    try:
        return _run(msgspec.json.decode(wanted, type=HostConfig), SoloStarter())
    except (*_STARTUP_ERRORS, OSError, msgspec.MsgspecError) as problem:
        say(json.dumps({"error": str(problem)}))
        return _not_started(problem)


def _not_started(problem: Exception) -> int:
    """Return the exit code of a host that could not start."""
    return exit_codes.JOURNAL_FAILED if isinstance(problem, JournalDamaged) else exit_codes.NOT_STARTED


def _run(config: HostConfig, starter: Starter) -> int:
    need_curve()
    config, scenario = _with_scenario(config) if config.scenario else (config, None)
    check(config)
    if config.announce and is_loopback(config.bind):
        raise ConfigError("--announce tells others where the host is, but they cannot reach it: use --bind 0.0.0.0")
    if config.addresses:
        reached_at(config.bind, config.addresses, config.port)  # a wrong one is named before anything starts
    _limit_process(config.memory_mb)
    sys.setswitchinterval(SWITCH_S)
    with fronted(config) as (behind_front, front):
        if front is not None:
            front.begin()
        return asyncio.run(_serve(behind_front, scenario, starter))


def _with_scenario(config: HostConfig) -> "tuple[HostConfig, Scenario]":
    """Return the scenario that the configuration names, and the configuration with its seats, options and sets. Raises
    ConfigError."""
    # only tables that a scenario sets up need it
    from netcode.table.scenario_table import ScenarioTableError, options_of, places, read_scenario

    try:
        scenario = read_scenario(config.scenario)
    except ScenarioTableError as problem:
        raise ConfigError(str(problem)) from None
    if config.options:
        raise ConfigError("--option and --scenario exclude each other: the scenario sets the options")
    seats, sets = len(places(scenario)), scenario.sets or config.sets
    return replace(config, seats=seats, options=options_of(scenario), sets=sets), scenario


async def _serve(config: HostConfig, scenario: "Scenario | None", starter: Starter) -> int:
    """Serve until the end; return the exit code. Raises one of _STARTUP_ERRORS, or OSError."""
    log_faults_of_loop(asyncio.get_running_loop())
    journal = _journal(config)
    with _closed_on_error(journal):
        if config.channel is None and not config.solo:
            _read_ahead()  # before strangers can use up the descriptors, which the front prevents otherwise
        parts = _prepare(config, scenario, journal, starter)
        front = FrontConnections(config.channel) if config.channel is not None else None
        keep = config.keep or bool(config.club)  # tables come from other hosts of a club
        server = Server(parts.registry, parts.pair, parts.lobby, load=parts.load, keep=keep, front=front)
        words = None
        if front is not None:
            # a search of the network asks each announced host itself: passed on, one slip would be many tries
            elsewhere = server.words_elsewhere if not config.announce else lambda number: None
            words = WordsService(parts.registry.seatings, parts.pair, elsewhere)
            front.words = words.take
        try:
            if front is not None:
                server.bind("127.0.0.1", 0)
            else:
                server.bind(address_of(config.bind), config.port)
        except BindError:
            server.release()
            raise
    port = server.port if front is None else config.port
    if config.club:
        server.join_club(cast("SharedHome", journal), _places(config, port))
    _handle_signals(server)
    said = _strings(config, parts, port)
    starter.say(said)
    starter.serves(server)
    if config.data is not None:
        forget_people(Path(config.data))
    if not config.solo:
        _read_ahead()
    bots = BotSupervisor(local_address(config.bind) if front is None else "127.0.0.1", config.seed, config.remember)
    starter.has_bots(bots)
    server.use_bots(bots)
    announcer = _announcer(config, parts, port) if config.announce else None
    file = _strings_file(config, parts, port, starter, said)
    failure = await server.run()
    if file is not None:
        file.close()
    if words is not None:
        words.close()
    if announcer is not None:
        announcer.close()
    if server.awaited and config.data is not None and not config.solo:
        note_people(Path(config.data))
    if failure:
        complain(f"kickdoor host: {failure}")
        return exit_codes.JOURNAL_FAILED
    if server.lost:
        complain(f"kickdoor host: internal errors have closed the tables {', '.join(server.lost)} (see above)")
        return exit_codes.CRASHED
    return exit_codes.ENDED


def _journal(config: HostConfig) -> JournalHome | None:
    """Return the journal that the configuration asks for. Raises JournalError."""
    if config.data is None:
        return None
    if not config.club:
        return Journal(Path(config.data))
    from netcode.club.needs import need_psycopg  # only with --club

    need_psycopg()
    from netcode.club.journal import ClubJournal  # only with --club, and with the extra

    return ClubJournal(config.club, Path(config.data), lease_s=config.lease_s)


def _read_ahead() -> None:
    """Read the files that tables need later, if that is not done: nobody at a table should wait for it (90 ms). A solo
    host compares no names, and reads the lines of bots when the first one is said."""
    prototypes()
    known_lines()


@contextmanager
def _closed_on_error(journal: JournalHome | None) -> Iterator[None]:
    """Close the journal if the host cannot start. Turns a ValueError into ConfigError."""
    try:
        yield
    except BaseException as problem:
        if journal is not None:
            journal.close()
        if isinstance(problem, ValueError) and not isinstance(problem, _STARTUP_ERRORS):
            raise ConfigError(str(problem)) from None
        raise


class _Parts(Struct, frozen=True):
    """The parts of a server. entry: the table whose strings are printed."""

    registry: Registry
    entry: TableEntry
    pair: KeyPair
    load: LoadMonitor
    lobby: Lobby | None


def _prepare(config: HostConfig, scenario: "Scenario | None", journal: JournalHome | None, starter: Starter) -> _Parts:
    for warning in journal.warnings if journal is not None else []:
        LOG.warning("%s", warning)
    registry = Registry(journal, config.tables, watch_delay=config.watch_delay * 1000, words=config.channel is not None)
    if config.club:
        registry.elsewhere = cast("SharedHome", journal).numbers()
    entry = _first_table(registry, config, scenario, starter)
    pair = _pair(config, journal)
    load = LoadMonitor()
    lobby = None if config.solo else _make_lobby(registry, config, load)
    if journal is not None:
        journal.settle()  # the strings must be valid after a crash too
    return _Parts(registry, entry, pair, load, lobby)


def _pair(config: HostConfig, journal: JournalHome | None) -> KeyPair:
    """Return the key pair of the host. That of a host of a club is in its folder only, never in the database."""
    if config.data is None or journal is None:
        return new_pair()
    folder = Path(config.data)
    return club_pair(key_folder(folder), cast("SharedHome", journal)) if config.club else host_pair(folder, journal)


def _places(config: HostConfig, port: int) -> list[str]:
    """Return where other hosts of the club send people who look for a table of this one."""
    places = reached_at(config.bind, config.addresses, port)
    others = [one for one, _ in places] if config.addresses else split_loopback([one for one, _ in places])[0]
    return [place_text(*place) for place in places if place[0] in others]


def _other_places(registry: Registry) -> list[str]:
    """Return the addresses of all other hosts of the club, where an SSH door takes its guests."""
    directory = cast("SharedHome", registry.journal).directory
    others = [one for one in directory.hosts.values() if one.name != directory.name]
    return list(dict.fromkeys(place for one in others for place in one.places))


def _kept_in(config: HostConfig) -> str:
    """Return where unfinished tables are kept, for people."""
    return "the club's database" if config.club else str(config.data)


def _first_table(
    registry: Registry, config: HostConfig, scenario: "Scenario | None", starter: Starter
) -> TableEntry:
    """Return the oldest table that was restored from the journal, or a new one. Raises JournalError if there are
    unfinished tables and none can be restored (not in a club), RegistryFull if a new one does not fit beside them."""
    problems = registry.resume(starter.works)
    for problem in problems:
        LOG.warning("%s", problem)
    for entry in registry.tables.values():
        LOG.warning("the unfinished table %s is restored from %s", entry.id, _kept_in(config))
    if registry.tables and not config.new:
        return next(iter(registry.tables.values()))
    if problems and not config.new and not config.club:  # a club has many hosts: one bad table must not keep them out
        if config.solo:
            raise JournalError(problems[0])
        raise JournalError(f"no table of {_kept_in(config)} can be restored (see above): use another --data")
    if config.resume:
        raise JournalError(f"there is no unfinished game in {config.data}")
    plan = TablePlan(
        sets=config.sets, seats=config.seats, bots=config.bots, bot_level=config.bot_level, pace=config.pace,
        speed=config.speed, options=config.options, solo=config.solo, seed=config.seed, gone_ms=config.gone_s * 1000,
        idle_ms=config.idle_s * 1000,
        machine=config.name, knock=config.knock, at_once=config.at_once, scenario=scenario,
    )  # fmt: skip
    return registry.open(plan, registry.cards(config.sets, config.options, scenario, later=True))


def _make_lobby(registry: Registry, config: HostConfig, load: LoadMonitor) -> Lobby:
    """Return the lobby; with a journal its string outlives the host, like those of the tables."""
    token = registry.journal.fact("lobby", new_token()) if registry.journal is not None else new_token()
    assert token is not None
    sets = {pack.set_id: name for name, pack in zip(config.sets, load_packs(config.sets))}
    for name in BUILT_IN:
        sets.setdefault(name, name)
    return Lobby(registry, token, sets, load, config.name or socket.gethostname()[: limits.MACHINE_CHARS])


def _announcer(config: HostConfig, parts: _Parts, port: int) -> "AnnouncerProcess":
    from netcode.host.announcer_process import AnnouncerProcess  # only with --announce
    from netcode.protocol.announcement import announcement  # the same

    def table() -> str:
        return next(iter(parts.registry.tables), "")

    told = announcement(parts.pair.public, port, table(), config.name or socket.gethostname())
    return AnnouncerProcess(address_of(config.bind), told, table)


def _handle_signals(server: Server) -> None:
    """Stop on SIGTERM, SIGINT and SIGHUP (unless started by nohup); log how busy the host is, as one JSON line, on
    SIGUSR1."""
    loop = asyncio.get_running_loop()
    if hasattr(signal, "SIGUSR1"):
        loop.add_signal_handler(signal.SIGUSR1, lambda: LOG.warning("%s", json.dumps(server.figures())))
    handle_ending(lambda *_: loop.call_soon_threadsafe(server.stop))


def _limit_process(memory_mb: int | None) -> None:
    """Allow many connections, limit the memory of this process, and turn core dumps off. Only Linux enforces the memory
    limit: on other systems, say that there is none."""
    if memory_mb is not None and not sys.platform.startswith("linux"):
        LOG.warning("this system enforces no memory limit, so the host has none (--memory 0 silences this)")
    if os.name != "posix":
        return
    import resource  # POSIX only

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    if memory_mb is not None:
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        limit = memory_mb * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_DATA, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


# -------------------------------------------------------------------------------------------------- the join strings
def _strings(config: HostConfig, parts: _Parts, port: int) -> str:
    """Return the join strings, as one line of JSON or for people."""
    record = parts.entry.record
    places = reached_at(config.bind, config.addresses, port)
    addresses = [address for address, _ in places]

    def string(place: tuple[str, int], token: bytes, table: str = record.table) -> str:
        club = [(one.host, one.port) for one in parts.registry.places]
        return str(Join(*place, table, parts.pair.public, token).at([place, *club]))

    lobby = string(places[0], parts.lobby.token, wire.LOBBY) if parts.lobby is not None else ""
    admission = parts.entry.table.seating.admission  # a restored table has the newest strings
    joins = [string(place, admission.join) for place in places]
    others, here = (addresses, list[str]()) if config.addresses else split_loopback(addresses)
    watch, owner = string(places[0], admission.watch), string(places[0], admission.owner)
    if config.json:
        strings = {
            "join": joins[0], "joins": joins, "watch": watch, "owner": owner, "lobby": lobby, "words": admission.words,
        }  # fmt: skip
        door = {"club": _other_places(parts.registry)} if config.guests is not None and config.club else {}
        return json.dumps({**strings, **door})
    lines = [
        f"A table for {record.seats} on port {port} ({record.bots} of them bots), pace {record.pace}.",
        "", "Sit down:", *_commands(joins[: len(others)]),
        *(["Sit down on this machine:", *_commands(joins[len(others) :])] if here else []),
        *(_words_lines(admission.words, *places[0]) or [NO_WORDS]),
        "Spectate:", f"  kickdoor watch '{watch}'",
        "Own the table:", f"  kickdoor join '{owner}'",
        f"All tables of {'the club' if config.club else f'this host, up to {config.tables}'}:",
        f"  kickdoor join '{lobby}'",
        "",
    ]  # fmt: skip
    if config.qr:
        from netcode.protocol.qr import for_terminal  # only with --qr

        lines += [for_terminal(joins[0], sys.stdout.encoding), ""]
    return "\n".join([*lines, "Ctrl-C stops the host.", *_keeping_lines(config, port)])


def _strings_file(
    config: HostConfig, parts: _Parts, port: int, starter: Starter, said: str
) -> StringsFile | None:  # fmt: skip
    """Keep the strings in the folder of the journal, if there is one for others to read; an SSH door hears of new
    ones."""
    if config.data is None or config.solo:
        return None
    for_people = replace(config, json=False, qr=False)
    file = StringsFile(Path(config.data), lambda: _strings(for_people, parts, port))
    if config.guests is not None:
        file.follow(lambda: _strings(config, parts, port), said, starter.say)
    return file


def _words_lines(words: str, address: str, port: int) -> list[str]:
    """Return lines for people: the command with the short words of the table, none if it has no words."""
    if not words:
        return []
    return ["Or, by short words:", f"  kickdoor join {place_text(address, port)} {words}"]


def _commands(joins: Sequence[str]) -> list[str]:
    return [f"  kickdoor join '{join}'" for join in joins]


def _keeping_lines(config: HostConfig, port: int) -> list[str]:
    """Return lines for people: where unfinished games are kept, and how to restore them at the same port, which the
    strings contain."""
    if config.data is None:
        return ["Without a journal, unfinished games are lost.", *ssh_warning()]
    file = short(Path(config.data) / STRINGS)
    return [
        f"`kickdoor strings{_where(config)}` prints this again in another terminal; it is in {file} too.",
        f"Unfinished games are kept in {_kept_in(config)} and restored when you start it again{_at(config, port)}.",
        *ssh_warning(),
    ]


def _where(config: HostConfig) -> str:
    """Return the option that names the folder, if it is not one of those that `kickdoor strings` looks into."""
    folder = Path(config.data or "")
    return "" if folder.parent == hosts_folder() else f" --data {shlex.quote(str(folder))}"


def _at(config: HostConfig, port: int) -> str:
    """Return the extra option that the next start needs: the port, if the system chose it this time."""
    return "" if config.port else f" with --port {port}"
