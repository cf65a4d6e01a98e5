"""A host that was found on the local network. It needs no library for multicast DNS, since screens use it."""

from collections.abc import Iterator
from dataclasses import replace

from msgspec import Struct

from netcode.protocol.credentials import Join


class FoundHost(Struct, frozen=True):
    """A host that announces itself and at whose addresses something answers.

    addresses: the IPs that answer, perhaps with a zone, the first to answer first; key: the fingerprint of its key, ten
    hexadecimal digits; table, machine: as it calls them, cleaned."""

    addresses: tuple[str, ...]
    port: int
    key: str
    table: str = ""
    machine: str = ""

    @property
    def host(self) -> str:
        """The address that answered first."""
        return self.addresses[0]

    @property
    def place(self) -> str:
        """That address and the port, for people."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def at(self, join: Join) -> Iterator[Join]:
        """Yield the join string with each address of this host."""
        for address in self.addresses:
            yield replace(join, host=address, port=self.port)
