"""What a host announces on the local network by multicast DNS (RFC 6762, 6763): netcode/announcer sends it,
client/discovery.py reads it.

An announcement holds 40 bits of a hash of the server's key (enough to tell hosts apart, and no more), the port, the id
of a table and the name of the machine: never the key, a token or words. Anybody on the network can send one, so a
client trusts a host only after the encrypted handshake with the key of its join string.
"""

import re
from collections.abc import Mapping
from hashlib import blake2b

from msgspec import Struct

from netcode.protocol import limits
from netcode.protocol.clean_text import clean

SERVICE = "_kickdoor._tcp.local."
"""The type of the service (RFC 6763, section 7)."""
VERSION = "1"
_NAME = re.compile(r"([0-9a-f]{10})\._kickdoor\._tcp\.local\.", re.I)


class Announcement(Struct, frozen=True):
    """The content of an announcement. key: the fingerprint of the server's key; table: an id; machine: the host's
    name."""

    key: str
    port: int
    table: str = ""
    machine: str = ""

    @property
    def name(self) -> str:
        """The name of the service: no two hosts share it, so none is renamed because of another."""
        return f"{self.key}.{SERVICE}"

    @property
    def server(self) -> str:
        """The name that has the addresses. Each host has its own: several may run on one machine."""
        return f"kickdoor-{self.key}.local."

    @property
    def text(self) -> dict[str, str]:
        """The properties beside name and port (a TXT record)."""
        return {"kickdoor": VERSION, "table": self.table, "machine": self.machine}


def announcement(key: bytes, port: int, table: str, machine: str) -> Announcement:
    """Return what a host with this server's key announces."""
    return Announcement(fingerprint(key), port, table, clean(machine, limits.ANNOUNCED_CHARS))


def fingerprint(key: bytes) -> str:
    """Return 40 bits that identify a server's key, as ten hexadecimal digits."""
    return blake2b(key, digest_size=5, person=b"kickdoor-beacon").hexdigest()


def key_in(name: str) -> str:
    """Return the fingerprint in the name of a service; "" if no host of ours has such a name."""
    found = _NAME.fullmatch(name)
    return found[1].lower() if found is not None else ""


def read_announcement(name: str, port: int, text: Mapping[bytes, bytes | None]) -> Announcement | None:
    """Return what a stranger announced, cleaned; None if no host of ours would announce it."""
    key = key_in(name)
    if not key or not 0 < port < 65536 or text.get(b"kickdoor") != VERSION.encode():
        return None
    table, machine = (
        clean((text.get(field) or b"").decode("utf-8", "replace"), most)
        for field, most in ((b"table", limits.TABLE_CHARS), (b"machine", limits.ANNOUNCED_CHARS))
    )
    return Announcement(key, port, table, machine)
