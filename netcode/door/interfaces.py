"""What the door needs of the host behind it; `hosting.py` has the hosts."""

import asyncio
import socket
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct


class HostingError(RuntimeError):
    """The host behind the door cannot serve. The text is one line for people."""


class Strings(Struct, frozen=True):
    """The ways to the host's first table and its lobby, as they are now; "" where there is none. joins: the join string
    with each address of the host; club: the addresses of the other hosts of its club, as HOST:PORT."""

    join: str
    watch: str = ""
    lobby: str = ""
    words: str = ""
    owner: str = ""
    joins: tuple[str, ...] = ()
    club: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "Strings(...)"  # they are secrets


class Tables(Protocol):
    """The host behind the door: one that the door has started, or one that runs elsewhere."""

    renewed: Callable[[], None]
    """Called when the strings have changed after `start`. Assign a function to hear of it."""

    @property
    def strings(self) -> Strings:
        """The strings as they are now, after `start`."""

    @property
    def over(self) -> "asyncio.Future[int]":
        """Its exit code, once the host has ended by itself."""

    async def start(self) -> None:
        """Start it, or find it. Returns when its strings are known. Raises HostingError."""

    def hand(self, sock: socket.socket, label: str) -> None:
        """Give it a connected socket of a guest with this label, and close it here. Raises OSError."""

    async def end(self) -> None:
        """Let it end in order, and wait until it has."""
