"""The configuration of a host: the options of `kickdoor host` as one typed object, and their bounds."""

from msgspec import Struct

from netcode.bots.levels import DEFAULT_LEVEL, level_named
from netcode.protocol import limits
from netcode.protocol.paces import Pace
from netcode.protocol.ports import DEFAULT_PORT
from netcode.protocol.table_info import Speed

TABLES_MIN, TABLES_MAX = 1, 200
MEMORY_MIN_MB = 64
LEASE_MIN_S, LEASE_MAX_S = 4.0, 60.0
"""Shorter leases would lapse while a slow database still answers (netcode/club/database.py)."""
MEMORY_MB = 512
"""The default memory limit of `kickdoor host` (MB): several times what twenty busy tables need."""


class ConfigError(ValueError):
    """The host cannot be started like this. The text is one line for people."""


class HostConfig(Struct, frozen=True):
    """What `kickdoor host` and `kickdoor play` ask of a host."""

    sets: tuple[str, ...] = ("munchkins-and-mazes",)
    """Pack ids or folders."""
    bind: str = "127.0.0.1"
    """The address to listen at."""
    port: int = DEFAULT_PORT
    """The port to listen at; 0: any free one."""
    addresses: tuple[str, ...] = ()
    """Where others reach the host, as NAME or NAME:PORT; empty: at the addresses of this machine."""
    seats: int = 4
    bots: int = 0
    """The number of seats that bots take."""
    bot_level: str = DEFAULT_LEVEL
    remember: bool = False
    """Its bots remember from game to game who has hurt or helped them, in a file of the data folder."""
    pace: Pace = "book"
    options: tuple[str, ...] = ()
    """Table options, as --option spells them."""
    data: str | None = None
    """The folder of the journal; None: there is no journal."""
    club: str = ""
    """The database of the club that has the journal, as libpq takes its address; the folder `data` has only the host's
    key and name then. "": the journal is in the folder."""
    lease_s: float = 4.0
    """How long a host of a club has its tables after it has renewed its leases (s): the others take them over then."""
    memory_mb: int | None = None
    """How much memory the process may use; None: as much as it wants."""
    json: bool = False
    """Print the join strings as one line of JSON."""
    seed: int | None = None
    """Deal games from this seed; None: random games."""
    speed: Speed = "normal"
    """The speed of bots."""
    name: str = ""
    """The name of this machine, as players see it; "": its network name."""
    gone_s: int = 600
    """How long an abandoned table waits for its players (s)."""
    idle_s: int = 0
    """How long an empty table waits before its first game begins (s); 0: without limit."""
    solo: bool = False
    """A private table for one player, without a lobby."""
    scenario: str = ""
    """FILE or FILE#N: games begin in the position of this scenario, which sets seats and options."""
    tables: int = 20
    """How many tables may be open at once."""
    keep: bool = False
    """Keep running when the last table is closed."""
    watch_delay: int = 0
    """How far the view of spectators lags behind the game (s)."""
    at_once: bool = False
    """Bots act without a pause, whoever watches."""
    knock: bool = False
    """Let newcomers in one by one: they knock, and the table's owner decides."""
    announce: bool = False
    """Announce the host on the local network."""
    qr: bool = False
    """Print the join string as a QR code too."""
    front: bool = False
    """Let clients connect to a front, a process of its own, and not to the host itself."""
    channel: int | None = None
    """The descriptor of the channel to a front that another process has started; the host listens on loopback then."""
    guests: int | None = None
    """The descriptor of a channel over which an SSH door hands its guests' connections to the front."""
    resume: bool = False
    """Restore unfinished tables, and open no new one."""
    new: bool = False
    """Open a new table even if the journal has unfinished ones, and print its strings."""


def check(config: HostConfig) -> None:
    """Raise ConfigError if a value is out of range or two options contradict each other."""
    if not limits.SEATS_MIN <= config.seats <= limits.SEATS_MAX:
        raise ConfigError(f"{config.seats} seats: a table has {limits.SEATS_MIN} to {limits.SEATS_MAX}")
    if not 0 <= config.bots <= config.seats:
        raise ConfigError(f"{config.bots} bots do not fit {config.seats} seats: name 0 to {config.seats}")
    try:
        level_named(config.bot_level)
    except ValueError as problem:
        raise ConfigError(str(problem)) from None
    if not TABLES_MIN <= config.tables <= TABLES_MAX:
        raise ConfigError(f"{config.tables} tables: a host takes {TABLES_MIN} to {TABLES_MAX}")
    if not 0 <= config.watch_delay <= limits.WATCH_DELAY_S:
        text = f"spectators can be delayed by 0 to {limits.WATCH_DELAY_S} s"
        raise ConfigError(f"--watch-delay {config.watch_delay}: {text}")
    if not LEASE_MIN_S <= config.lease_s <= LEASE_MAX_S:
        raise ConfigError(f"--lease {config.lease_s:g}: leases last {LEASE_MIN_S:g} to {LEASE_MAX_S:g} s")
    if config.qr and config.json:
        raise ConfigError("--json prints one line for scripts: leave --qr out")
    if not 0 <= config.port < 65536:
        raise ConfigError(f"port {config.port} is out of range: 0 (any free one) to 65535")
    if config.memory_mb is not None and config.memory_mb < MEMORY_MIN_MB:
        text = f"{config.memory_mb} MB of memory are too little"
        raise ConfigError(f"{text}: at least {MEMORY_MIN_MB}, or 0 for no limit")
