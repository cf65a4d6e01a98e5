"""Running a host: `kickdoor host` headless, and the private host that `kickdoor play` starts for itself."""

import asyncio
import ipaddress
import json
import logging
import os
import signal
import socket
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from cards import BUILT_IN
from core.scenario.schema import Scenario
from netcode.bots.levels import DEFAULT_LEVEL, level_named
from netcode.host.bot_supervisor import BotSupervisor
from netcode.host.load_monitor import LoadMonitor
from netcode.host.lobby import Lobby
from netcode.host.registry import Registry, TableEntry, TablePlan
from netcode.host.server import BindError, Server
from netcode.journal import Journal, JournalError
from netcode.protocol import limits, wire
from netcode.protocol.beacon import Announcer, BeaconError, beacon_address
from netcode.protocol.credentials import Join, KeyPair, new_token, server_pair
from netcode.protocol.paces import Pace
from netcode.protocol.pack_files import PackError, load_packs
from netcode.protocol.qr import for_terminal
from netcode.protocol.sockets import CurveMissing, need_curve
from netcode.table.scenario_table import ScenarioTableError, options_of, places, read_scenario

LOG = logging.getLogger("kickdoor.host")
TABLES = (1, 200)
SWITCH_S = 0.0005
"""How long a thread waits for the loop (arrivals that are to be stamped), and the loop for a thread (packs read)."""


@dataclass(frozen=True)
class HostConfig:
    """What a host is asked for. sets: pack ids or folders. port 0: any free one. data: where the journal is kept
    (None: no journal). memory_mb: how much memory the process may take. seed: for games that can be dealt again.
    name: what the machine is called. gone_s: how long an abandoned table waits for its players. solo: made for one
    player. scenario: FILE or FILE#N whose table the game begins from; it says how many seats and what is agreed.
    tables: how many may be open at once. keep: go on when the last of them is closed. watch_delay: how many seconds
    later those who look on are shown everything. announce: tell the own network where the host is. qr: print the join
    string as a QR code too."""

    sets: tuple[str, ...] = ("munchkins-and-mazes",)
    bind: str = "127.0.0.1"
    port: int = wire.DEFAULT_PORT
    seats: int = 4
    bots: int = 0
    bot_level: str = DEFAULT_LEVEL
    pace: Pace = "book"
    options: tuple[str, ...] = ()
    data: str | None = None
    memory_mb: int | None = None
    json: bool = False
    seed: int | None = None
    speed: wire.Speed = "normal"
    name: str = ""
    gone_s: int = 600
    solo: bool = False
    scenario: str = ""
    tables: int = 20
    keep: bool = False
    watch_delay: int = 0
    announce: bool = False
    qr: bool = False


class ConfigError(ValueError):
    """The host was asked for something that cannot be; one line for people."""


_FAULTS = (BeaconError, ConfigError, ScenarioTableError, PackError, BindError, JournalError, CurveMissing)


# ------------------------------------------------------------------------------------------------------ kickdoor host
def run_host(config: HostConfig) -> int:
    """Serve one table, and those that are opened from the lobby, until the last is closed or the process is told to
    stop. Prints the strings that lead to it (one JSON line with config.json). Returns the exit code: 0, 1 (it could not
    go on) or 2 (it could not begin)."""
    logging.basicConfig(level=logging.WARNING, format="kickdoor host: %(message)s", stream=sys.stderr)
    try:
        _limit_process(config.memory_mb)
        return asyncio.run(_serve(config))
    except _FAULTS as problem:
        print(f"kickdoor host: {problem}", file=sys.stderr)
        return 2
    except OSError as problem:
        print(f"kickdoor host: {problem.filename or 'the system'}: {problem.strerror}", file=sys.stderr)
        return 2


async def _serve(config: HostConfig) -> int:
    need_curve()
    scenario = read_scenario(config.scenario) if config.scenario else None
    config = _fitted(config, scenario) if scenario is not None else config
    _check(config)
    sys.setswitchinterval(SWITCH_S)
    journal = Journal(Path(config.data)) if config.data is not None else None
    try:
        registry = Registry(journal, config.tables, watch_delay=config.watch_delay * 1000)
        entry = _first_table(registry, config, scenario)
        pair = _pair(config)
        load = LoadMonitor()
        lobby = None if config.solo else _lobby(registry, config, load)
        if journal is not None:
            journal.settle()  # the strings lead somewhere from the moment they are printed
    except (*_FAULTS, OSError, ValueError) as problem:
        if journal is not None:
            journal.close()
        if isinstance(problem, (*_FAULTS, OSError)):
            raise
        raise ConfigError(str(problem)) from None
    host = Server(registry, pair, lobby, load=load, keep=config.keep)
    try:
        host.bind(address_of(config.bind), config.port)
    except BindError:
        host.release()
        if journal is not None:
            journal.close()
        raise
    _on_signals(host)
    _announce(config, entry, lobby, pair, host.port)
    host.keep_bots(BotSupervisor(_reached_at(config.bind), config.seed))
    announcer = None
    if config.announce:
        via = address_of(config.bind)
        via = "" if ipaddress.ip_address(via).is_unspecified or ":" in via else via
        machine = config.name or socket.gethostname()
        announcer = Announcer(pair.public, host.port, machine, lambda: next(iter(registry.tables), ""), via)
    why = await host.run()
    if announcer is not None:
        announcer.close()
    if why:
        print(f"kickdoor host: {why}", file=sys.stderr)
    return 1 if why else 0


def _first_table(registry: Registry, config: HostConfig, scenario: Scenario | None) -> TableEntry:
    """The oldest table of the journal that is taken up again, or a new one. Raises JournalError if there are unfinished
    tables and none of them can be taken up."""
    faults = registry.resume()
    for fault in faults:
        LOG.warning("%s", fault)
    for entry in registry.tables.values():
        LOG.warning("the unfinished table %s is taken up again as it was", entry.id)
    if registry.tables:
        return next(iter(registry.tables.values()))
    if faults:
        raise JournalError(f"no table of {config.data} can be taken up again (see above): use another --data")
    plan = TablePlan(
        config.sets, config.seats, config.bots, config.bot_level, config.pace, config.speed, config.options,
        config.solo, config.seed, config.gone_s, machine=config.name, scenario=scenario,
    )  # fmt: skip
    return registry.open(plan, registry.cards(config.sets, config.options, scenario))


def _lobby(registry: Registry, config: HostConfig, load: LoadMonitor) -> Lobby:
    """The lobby; its string outlives the host as those of the tables do."""
    token = registry.journal.fact("lobby", new_token()) if registry.journal is not None else new_token()
    assert token is not None
    sets = {pack.set_id: name for name, pack in zip(config.sets, load_packs(config.sets))}
    for name in BUILT_IN:
        sets.setdefault(name, name)
    return Lobby(registry, token, sets, load, config.name or socket.gethostname()[:64])


def _fitted(config: HostConfig, scenario: Scenario) -> HostConfig:
    """The configuration for this scenario: it says how many seats there are, and what is agreed."""
    if config.options:
        raise ConfigError("--option and --scenario exclude each other: the scenario says what is agreed")
    return replace(
        config, seats=len(places(scenario)), options=options_of(scenario), sets=scenario.sets or config.sets
    )  # fmt: skip


def _check(config: HostConfig) -> None:
    least, most = limits.SEATS_MIN, limits.SEATS_MAX
    if not least <= config.seats <= most:
        raise ConfigError(f"{config.seats} seats: a table has {least} to {most}")
    if not 0 <= config.bots <= config.seats:
        raise ConfigError(f"{config.bots} bots do not fit {config.seats} seats: name 0 to {config.seats}")
    try:
        level_named(config.bot_level)
    except ValueError as problem:
        raise ConfigError(str(problem)) from None
    fewest, many = TABLES
    if not fewest <= config.tables <= many:
        raise ConfigError(f"{config.tables} tables: a host takes {fewest} to {many}")
    if not 0 <= config.watch_delay <= limits.WATCH_DELAY_S:
        text = f"those who look on are shown things 0 to {limits.WATCH_DELAY_S} s later"
        raise ConfigError(f"--watch-delay {config.watch_delay}: {text}")
    if config.qr and config.json:
        raise ConfigError("--json is one line for scripts: leave --qr out")
    if config.announce and _only_here(config.bind) and not beacon_address()[0].startswith("127."):
        raise ConfigError("--announce tells others where the host is, but they cannot reach it: use --bind 0.0.0.0")
    if not 0 <= config.port < 65536:
        raise ConfigError(f"port {config.port} is out of range: 0 (any free one) to 65535")


def _pair(config: HostConfig) -> KeyPair:
    try:
        return server_pair(Path(config.data) if config.data is not None else None)
    except ValueError as problem:
        raise ConfigError(str(problem)) from None


def _on_signals(host: Server) -> None:
    """An orderly end when told to stop; SIGUSR1: how busy the host is, as one JSON line in its log."""
    loop = asyncio.get_running_loop()
    if hasattr(signal, "SIGUSR1"):
        loop.add_signal_handler(signal.SIGUSR1, lambda: LOG.warning("%s", json.dumps(host.figures())))
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, host.stop)
        except NotImplementedError:  # Windows: the handler runs in the main thread, outside of the loop
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(host.stop))


def _limit_process(memory_mb: int | None) -> None:
    """Many connections, but not all the memory of the machine."""
    if os.name != "posix":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    if memory_mb is not None:
        if memory_mb < 64:
            raise ConfigError(f"{memory_mb} MB of memory are too little: at least 64")
        resource.setrlimit(resource.RLIMIT_DATA, (memory_mb * 1024 * 1024, resource.getrlimit(resource.RLIMIT_DATA)[1]))


# ---------------------------------------------------------------------------------------------------------- addresses
def address_of(bind: str) -> str:
    """The address to listen at. Raises ConfigError."""
    name = {"localhost": "127.0.0.1", "*": "0.0.0.0", "": "127.0.0.1"}.get(bind, bind.strip("[]"))
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        text = f"--bind {bind} is no address: 127.0.0.1 (only here), 0.0.0.0 (all) or one of yours"
        raise ConfigError(text) from None


def _only_here(bind: str) -> bool:
    """Whether a host bound there is reached from this machine alone."""
    return ipaddress.ip_address(address_of(bind)).is_loopback


def _reached_at(bind: str) -> str:
    """Where this machine itself reaches a host bound there."""
    address = ipaddress.ip_address(address_of(bind))
    if not address.is_unspecified:
        return str(address)
    return "127.0.0.1" if address.version == 4 else "::1"


def _addresses(bind: str) -> list[str]:
    """Under which addresses others reach a host bound there, the likeliest first."""
    address = ipaddress.ip_address(address_of(bind))
    if not address.is_unspecified:
        return [str(address)]
    found = _outward(socket.AF_INET, "192.0.2.1")
    if address.version == 6:
        found += _outward(socket.AF_INET6, "2001:db8::1")
    try:
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    except socket.gaierror as problem:
        LOG.info("this machine's name leads nowhere: %s", problem)
    return list(dict.fromkeys([*found, "127.0.0.1"]))


def _outward(family: socket.AddressFamily, towards: str) -> list[str]:
    """The address this machine would speak from (nothing is sent)."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((towards, 9))
        except OSError:
            return []  # no way out of this machine
        return [str(probe.getsockname()[0])]


def _announce(config: HostConfig, entry: TableEntry, lobby: Lobby | None, pair: KeyPair, port: int) -> None:
    """Print the strings, as JSON or for people."""
    record = entry.record

    def text(address: str, token: bytes, table: str = record.table) -> str:
        return str(Join(address, port, table, pair.public, token))

    places = _addresses(config.bind)
    to_lobby = text(places[0], lobby.token, wire.LOBBY) if lobby is not None else ""
    joins = [text(address, record.join) for address in places]
    watch, owner = text(places[0], record.watch), text(places[0], record.owner)
    if config.json:
        strings = {"join": joins[0], "joins": joins, "watch": watch, "owner": owner, "lobby": to_lobby}
        print(json.dumps(strings), flush=True)
        return
    lines = [
        f"A table for {record.seats} on port {port} ({record.bots} of them bots), pace {record.pace}.",
        "", "Sit down:", *(f"  kickdoor join '{join}'" for join in joins),
        "Look on:", f"  kickdoor watch '{watch}'",
        "Own the table:", f"  kickdoor join '{owner}'",
        f"All tables of this host, up to {config.tables}:", f"  kickdoor join '{to_lobby}'",
        "", "Ctrl-C stops the host.",
    ]  # fmt: skip
    if config.qr:
        lines[-1:] = [for_terminal(joins[0], sys.stdout.encoding), "", *lines[-1:]]
    print("\n".join(lines), flush=True)


# ------------------------------------------------------------------------------------------------------ kickdoor play
def main() -> int:
    """Entry of the private host: its configuration comes on standard input, its strings or its fault go out as one JSON
    line."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    try:
        config = msgspec.json.decode(sys.stdin.buffer.read(), type=HostConfig)
        _limit_process(config.memory_mb)
        return asyncio.run(_serve(config))
    except (*_FAULTS, OSError, msgspec.MsgspecError) as problem:
        print(json.dumps({"error": str(problem)}), flush=True)
        return 2


if __name__ == "__main__":
    sys.exit(main())
