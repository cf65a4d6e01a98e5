"""What `kickdoor serve` asks of the door: its options as one typed object, and their bounds."""

from msgspec import Struct, field

from netcode.host.config import ConfigError, HostConfig
from netcode.host.config import check as check_host
from netcode.protocol.credentials import JoinError, parse_join

PORT = 2222
"""The port unless --port names one."""
GUESTS, GUESTS_MOST = 64, 200
"""Guests at the same time: the default, and the largest value."""
PASSWORD_CHARS = range(8, 101)
"""How many characters a password may have. Even two words of our list are longer than the minimum."""


class DoorConfig(Struct, frozen=True):
    """What `kickdoor serve` asks of the door."""

    program: str
    """The module that is forked for each guest (forking/process.py)."""
    host: HostConfig = field(default_factory=HostConfig)
    """The host behind the door. The door chooses its folder and, unless it is in a club, its address and port."""
    bind: str = "127.0.0.1"
    """The address to listen at."""
    port: int = PORT
    """The port to listen at; 0: any free one."""
    join: str = ""
    """The string of a host that runs elsewhere; "": the door starts one."""
    watch: str = ""
    """With `join`: where `watch` leads; "": nowhere."""
    lobby: str = ""
    """With `join`: where `lobby` and `table NAME` lead; "": nowhere."""
    keys: str = ""
    """A file of public keys (authorized_keys); they alone may come in."""
    password: str = ""
    """The password that newcomers are asked for instead of the words."""
    open: bool = False
    """Everybody may come in."""
    keyless: bool = True
    """Guests may come in without a key."""
    guests: int = GUESTS
    """How many guests may be in at the same time."""
    confined: bool = True
    """Guests' programs have no rights; False: they may do what the user of this process may."""
    json: bool = False
    """Print one line of JSON."""


def check(config: DoorConfig) -> None:
    """Raise ConfigError if a value is out of range or two options contradict each other."""
    named = [name for name, given in (("--keys", config.keys), ("--password", config.password), ("--open", config.open))
             if given]  # fmt: skip
    if len(named) > 1:
        raise ConfigError(f"{' and '.join(named)} contradict each other: each says alone who may come in")
    if config.password and len(config.password) not in PASSWORD_CHARS:
        bounds = f"{PASSWORD_CHARS.start} to {PASSWORD_CHARS.stop - 1}"
        raise ConfigError(f"a password of {len(config.password)} characters: it needs {bounds}")
    if not 0 <= config.port < 65536:
        raise ConfigError(f"port {config.port} is out of range: 0 (any free one) to 65535")
    if not 1 <= config.guests <= GUESTS_MOST:
        raise ConfigError(f"{config.guests} guests: the door takes 1 to {GUESTS_MOST}")
    if config.join and config.host.club:
        raise ConfigError("--club starts a host of the club, and --join leads to one that runs: leave one of them out")
    if config.join:
        _check_elsewhere(config)
    elif config.watch or config.lobby:
        raise ConfigError("--watch and --lobby are strings of a host that runs elsewhere: name its --join too")
    else:
        check_host(config.host)


def _check_elsewhere(config: DoorConfig) -> None:
    """Raise ConfigError unless all strings lead to one host: the door connects to no other."""
    hosts = set[tuple[str, int, bytes]]()
    for name, text in (("--join", config.join), ("--watch", config.watch), ("--lobby", config.lobby)):
        try:
            if text:
                found = parse_join(text)
                hosts.add((found.host, found.port, found.key))
        except JoinError as problem:
            raise ConfigError(f"{name}: {problem}") from None
    if len(hosts) > 1:
        raise ConfigError("--join, --watch and --lobby lead to several hosts or addresses: take those of one host")
