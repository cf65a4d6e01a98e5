"""What the door prints when it is open: for people, or as one line of JSON."""

import asyncssh
from msgspec import Struct

from netcode.door.config import DoorConfig
from netcode.door.host_keys import fingerprint, sshfp
from netcode.door.interfaces import Strings
from netcode.host.addresses import is_loopback, is_own_address, public_addresses
from netcode.protocol.credentials import parse_join

SSH_PORT = 22
AS_ONE = (
    "The host of --join is on another machine: it sees one address for all guests, so its limits for an address count\n"
    "for all of them together, and whoever it keeps out by address shuts all of them out."
)


class Opened(Struct):
    """An open door, as scripts read it. ssh: a command for each address. entry: who may come in. lobby, join, watch,
    owner: strings of the host for clients on this machine, secrets. words: the table's, "" if nobody is asked. as_one:
    the host of --join is on another machine and sees one address for all guests."""

    port: int
    ssh: list[str]
    fingerprint: str
    sshfp: str
    entry: str
    words: str
    lobby: str
    join: str
    watch: str
    owner: str
    loopback: bool
    as_one: bool


def command(address: str, port: int) -> str:
    """Return the command that leads to a door."""
    return f"ssh {address}" if port == SSH_PORT else f"ssh -p {port} {address}"


def record(config: DoorConfig, port: int, key: asyncssh.SSHKey, strings: Strings) -> Opened:
    """Describe an open door."""
    entry = _entry(config)
    return Opened(
        port, [command(one, port) for one in public_addresses(config.bind)], fingerprint(key), sshfp(key), entry,
        strings.words if entry == "words" else "", strings.lobby, strings.join, strings.watch, strings.owner,
        is_loopback(config.bind), bool(config.join) and not is_own_address(parse_join(config.join).host),
    )  # fmt: skip


def words_now(config: DoorConfig, strings: Strings) -> str:
    """Return a line with the words that newcomers are asked for now, "" if nobody is asked for them."""
    return f"  words now: {strings.words}" if _entry(config) == "words" and strings.words else ""


def _entry(config: DoorConfig) -> str:
    return "keys" if config.keys else "password" if config.password else "open" if config.open else "words"


def for_people(opened: Opened) -> str:
    """Return the lines that a terminal shows."""
    entry = {
        "words": f"words: {opened.words}" if opened.words else "words: those of the host's table",
        "password": "they are asked for the password", "open": "everybody may come in: nothing is asked",
        "keys": "only the keys of your file may come in (SIGHUP reads it again)",
    }[opened.entry]  # fmt: skip
    lines = [
        "Friends play with nothing installed:", *(f"  {one}" for one in opened.ssh), f"  {entry}", "",
        "Their ssh shows this the first time; it must be the same:", f"  ED25519 {opened.fingerprint}",
        f"  {opened.sshfp}",
    ]  # fmt: skip
    if opened.owner:
        lines += ["", "Own the table, from this machine:", f"  kickdoor join '{opened.owner}'"]
    if opened.loopback:
        lines += ["", "Only this machine reaches the door: --bind 0.0.0.0 opens it to others."]
    if opened.as_one:
        lines += ["", AS_ONE]
    return "\n".join([*lines, "", "Ctrl-C closes the door; seats are kept."])
